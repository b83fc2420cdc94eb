"""ab (ApacheBench): what its reports look like, and how they are read."""

from __future__ import annotations

from abcompare.blocks import Anchor, Block, Claims, Reading
from abcompare.dialects.ab.call import CAPABILITIES, invocation
from abcompare.dialects.ab.command import load_of, target_of
from abcompare.dialects.ab.report import read
from abcompare.dialects.ab.sent import sent_of
from abcompare.jobs import Invocation, Job, Sent
from abcompare.records import Load, Target

_N = r"(?:\s*:\s*|[ \t]{2,}|\t)(?:\([^()\n\d]{0,40}\)\s*)?-?\d"
_ROW = r"(?:\s*:\s*|[ \t]{2,})-?\d[\d.]*\s+-?\d"  # not the breakdown "(Connect: 0, Length: 1", nor "Total: 5" in prose

# In the order of a report. A label counts as an anchor only with its number, so that glossaries hold none.
_ANCHORS = (
    Anchor("banner", r"This\s+is\s+ApacheBench,?\s+Version", 1, "head", strong=True),
    Anchor("benchmarking", r"Benchmarking\s+\S+\s+(?:\[?through\s+\S+\s+)?\(be\s+patient\)", 2, "head", strong=True),
    Anchor("usage", r"ab[\w./-]*:\s+(?:wrong\s+number\s+of\s+arguments|invalid\s+URL|Invalid\s+Concurrency|Cannot\s+use\s+concurrency)|Invalid\s+number\s+of\s+requests$|Usage:\s+ab\S*\s+\[options\]", 2, "failure", strong=True, times=0),
    Anchor("completed", r"Completed\s+\d+\s+requests", 3, "noise", times=0),
    Anchor("failure", r"apr_\w+(?:\(\))?(?:\s+for\s+\S+)?\s*:\s*[^\n]{1,120}?\(\d+\)|Test\s+aborted\s+after\s+\d+\s+failures", 4, "failure", strong=True, times=0),
    Anchor("total_of", r"Total\s+of\s+\d+\s+requests\s+completed", 4, strong=True),
    Anchor("finished", r"Finished\s+\d+\s+requests", 5, "noise", strong=True),
    Anchor("software", r"Server\s+Software\s*:", 10, "fact"),
    Anchor("hostname", r"Server\s+Hostname\s*:", 11, "fact"),
    Anchor("port", rf"Server\s+Port{_N}", 12, "fact"),
    Anchor("tls", r"SSL\/TLS\s+Protocol\s*:", 13, "fact"),
    Anchor("path", r"Document\s+Path\s*:", 14, "fact"),
    Anchor("length", rf"Document\s+Length(?:\s*:\s*Variable|{_N})", 15, "fact"),
    Anchor("concurrency", rf"Concurr?ency\s+Level{_N}", 16),
    Anchor("taken", rf"Time\s+taken\s+for\s+tests{_N}", 17),
    Anchor("complete", rf"Complete\s+requests{_N}", 18),
    Anchor("failed", rf"Failed\s+requests{_N}", 19),
    Anchor("write_errors", rf"(?:Write|Broken\s+pipe)\s+errors{_N}", 20),
    Anchor("non_2xx", rf"Non-2xx\s+responses{_N}", 21, strong=True),
    Anchor("kept", rf"Keep-Alive\s+requests{_N}", 22),
    Anchor("received", rf"Total\s+transferr?ed{_N}", 23),
    Anchor("sent", rf"Total\s+(?:POSTed|PUT|body\s+sent){_N}", 24),
    Anchor("body", rf"HTML\s+transferr?ed{_N}", 25, strong=True),
    Anchor("throughput", rf"Requests\s+per\s+seconds?{_N}[\d.,]*\s*\[#\s*\/\s*sec\]", 26, strong=True),
    Anchor("throughput", rf"Requests\s+per\s+seconds?{_N}", 26),
    Anchor("throughput", r"RPS[ \t]*:?[ \t]+\d[\d.,]*[ \t]*$", 26),
    Anchor("per_request", rf"Time\s+per\s+request\s*(?:\([^)\n]{{0,50}}\))?{_N}", 27, times=2),
    Anchor("transfer", rf"Transfer\s+rate{_N}", 28),
    Anchor("times", r"Conn{1,2}ection\s+Times\s+\(ms\)", 30, strong=True),
    Anchor("connect", rf"Connect{_ROW}", 31),
    Anchor("processing", rf"Processing{_ROW}", 32),
    Anchor("waiting", rf"Waiting{_ROW}", 33),
    Anchor("total", rf"Total{_ROW}", 34),
    Anchor("spread", r"The\s+median\s+and\s+mean\s+for", 35, "noise", times=0),
    Anchor("served", r"Percentage\s+of\s+the\s+requests\s+served\s+within", 36, strong=True, times=0),
    Anchor("ladder", r"(?:50|66|75|80|90|95|98|99|100)%\s+\d", 37, "fact", times=0),
    Anchor("longest", r"\((?:longest|last)\s+request\)", 38, strong=True, times=0),
    Anchor("csv", r"Percentage\s+served,\s*Time\s+in\s+ms", 40, "head", strong=True, rows=r"[ \t]*\d{1,3},-?\d[\d.]*(?:e[+-]\d+)?[ \t]*$"),
    Anchor("tsv", r"starttime\s+seconds\s+ctime\s+dtime\s+ttime\s+wait", 40, "head", strong=True, rows=r"[ \t]*\w{3}\s\w{3}\s[^\n]{12,24}(?:\s-?\d+){5}[ \t]*$"),
)

_WORDS = (
    "ApacheBench", "Benchmarking", "Complete", "Failed", "Requests", "Concurrency", "Concurency", "HTML", "[ms]", "RPS",
    "Percentage", "Processing:", "Non-2xx", "Finished", "Transfer", "_socket", "_poll", "_recv", "\tdtime", "[options]", "Invalid",
    "taken", "transferred", "transfered", "request:", "request：", "request)", "apr_", "starttime", "aborted", "arguments", "Cannot", "invalid",
)


class Ab:
    """The dialect."""

    name = "ab"
    claims = Claims(
        words=_WORDS, heads=("ApacheBench", "Concurrency"), anchors=_ANCHORS,
        programs=("ab", "abs", "apachebench", "ApacheBench"), reach=4, mention=r"[Aa]pache\s?[Bb]ench|\bab\s+-\w",
    )

    capabilities = CAPABILITIES

    def parse(self, block: Block) -> Reading:
        """The run of a block."""
        return read(block)

    def load_of(self, argv: list[str]) -> Load:
        """The load of a command line, its words split."""
        return load_of(argv)

    def target_of(self, argv: list[str]) -> Target:
        """The URL of a command line, taken apart."""
        return target_of(argv)

    def sent_of(self, argv: list[str]) -> Sent:
        """What a command line sends, with its secrets."""
        return sent_of(argv)

    def invocation(self, job: Job) -> Invocation:
        """The call of ab that makes a job."""
        return invocation(job)


dialect = Ab()
