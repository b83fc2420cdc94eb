"""wrk and wrk2: what their reports look like, and how they are read.

One set of anchors finds the reports of both, for they differ in a few lines only; `report` tells which tool it was.
"""

from __future__ import annotations

from abcompare.blocks import Anchor, Block, Claims, Reading
from abcompare.dialects.argv import target
from abcompare.dialects.wrk.call import CAPABILITIES, invocation
from abcompare.dialects.wrk.command import load_of, url_of
from abcompare.dialects.wrk.report import read
from abcompare.dialects.wrk.sent import sent_of
from abcompare.jobs import Invocation, Job, Sent
from abcompare.records import Load, Target

_N = r"\d[\d,]*(?:\.\d+)?"
_TIME = rf"(?:-?nan(?:[um]?s)?|{_N}(?:[ \t]?(?:[num]?s|m|h)(?![A-Za-z])|(?=\s)))"
_METRIC = rf"(?:-?nan|{_N}[kMGT]?)"
_SHARE = r"(?:-?nan|\d{1,3}(?:\.\d+)?)"
_DIGIT = r"(?<![\d.,])(?:0|1|2|3|4|5|6|7|8|9)"  # patterns begin with literals (search.py)
_HDR = r"Latency\s+Distribution\s+\(\s*(?:HdrHistogram|HDR)\s*-\s*"
_COLON = r"(?:\s*:\s*|[ \t]+)(?:\([^()\n\d]{0,40}\)\s*)?"
_PER_SECOND = rf"{_COLON}\d[\d,]*(?:\.\d{{1,2}})?"
_FAILURE = "|".join(
    (
        r"unable\s+to\s+(?:connect\s+to|resolve)\s+\S+:(?:\d+|https?)\s+[A-Za-z]",
        r"unable\s+to\s+create\s+thread\s+\d+:|unable\s+to\s+initialize\s+SSL",
        r"invalid\s+URL:\s*\S+(?=\s+Usage:\s+wrk)|number\s+of\s+connections\s+must\s+be\s+>=\s+threads",
        r"Throughput\s+MUST\s+be\s+specified\s+with|wrk\s+2\.0\.0\+\s+uses\s+-d",
        r"PANIC:\s+unprotected\s+error\s+in\s+call\s+to\s+Lua",
    )
)
_RUNNING = r"Running\s+\d+(?:\.\d+)?[smh]?\s+test\s+@\s*\S+"
_THREADS = r"\s+threads?\s+and\s+\d{1,9}\s+connections?"
_STATS = r"Thread\s+Stats\s+Avg\s+Stdev\s+(?:Max|\d{1,2}(?:\.\d+)?%)\s+\+\/-\s+Stdev"

# In the order of a report. hey, oha and autocannon share some labels: two decimals, and no blank between a number and
# its unit, are wrk's.
_ANCHORS = (
    Anchor("version", r"wrk\s+\S+\s+\[(?:epoll|kqueue|evport|select)\]\s+Copyright", 1, "head", strong=True),
    Anchor("head", rf"{_RUNNING}\s+\d{{1,9}}{_THREADS}", 2, "head", strong=True),
    Anchor("running", _RUNNING, 2, "head"),
    Anchor("head", r"Making\s+\d+\s+requests\s+to\s+\S", 2, "head", strong=True),
    Anchor("results", r"Test\s+Results\s+@\s*\S+(?=\s+Thread\s+Stats)", 2, "head", strong=True),
    Anchor("failure", _FAILURE, 3, "failure", strong=True, times=0),
    Anchor("usage", r"Usage:\s+wrk(?=\s+(?:<|Options:))", 4, "failure", strong=True, times=0, rows=r"[ \t]+\S[^\n]*$"),
    Anchor("threads", rf"{_DIGIT}\d{{0,8}}{_THREADS}", 5, "fact"),
    Anchor("calibration", r"Thread\s+calibration:\s+mean\s+lat", 6, "noise", strong=True, times=0),
    Anchor("stats", _STATS, 7, "fact"),
    Anchor("latency", rf"Latency\s+{_TIME}\s*{_TIME}\s*{_TIME}\s+{_SHARE}", 8, strong=True),
    Anchor("req_sec", rf"Req\/Sec(?:\s+{_METRIC}){{3}}\s+{_SHARE}(?:[ \t]?%|[ \t]*$)", 9, strong=True),
    Anchor("recorded", rf"{_HDR}Recorded", 10, strong=True),
    Anchor("uncorrected", rf"{_HDR}Uncorrected", 13, strong=True),
    Anchor("distribution", r"Latency\s+Distribution", 10, "fact"),
    Anchor("ladder", r"(?<![\d.,])(?:50|75|90|99|100)(?:\.\d{1,3})?%\s*\d", 10, "fact", times=0),
    Anchor("spectrum", r"Value\s+Percentile\s+TotalCount\s+1\/\(1-Percentile\)", 11, strong=True, times=2),
    Anchor("bucket", r"(?:0|1)\.\d{6}\s+\d{1,18}\s+(?:\d{1,18}\.\d\d|inf)(?![\w.])", 11, "noise", times=0),
    Anchor("mean", r"Mean\s*=\s*(?:-?nan|\d+\.\d+)\s*,\s*StdDeviation\s*=", 12, strong=True, times=2),
    Anchor("largest", r"Max\s*=\s*\d+\.\d+\s*,\s*Total\s+count\s*=", 12, strong=True, times=2),
    Anchor("buckets", r"Buckets\s*=\s*\d+\s*,\s*SubBuckets\s*=\s*\d+", 12, "noise", times=2),
    Anchor(
        "total",
        rf"{_DIGIT}[\d,]*\s+(?:completed\s+)?requests\s+in\s+{_N}(?:[um]?s|m|h),\s+{_N}[ \t]?[KMGT]?B\s+read", 15,
    ),
    Anchor("errors", rf"Socket\s+errors{_COLON}connect\s+\d+\s*,\s*read\s+\d", 16, strong=True),
    Anchor("non_2xx", rf"Non-2xx\s+or\s+3xx\s+responses{_COLON}\d", 17, strong=True),
    Anchor(
        "throughput",
        rf"(?:Completed\s+Requests|Requests)\/sec(?:\s*\(Throughput\))?{_PER_SECOND}(?![\d.])", 18,
    ),
    Anchor("transfer", rf"Transfer\/sec{_PER_SECOND}[ \t]?[KMGT]?B(?![a-z])", 19),
)

_WORDS = (
    "wrk", "threads", "unable", "PANIC:", "calibration:", "Latency", "Req/Sec", "HdrHistogram", "TotalCount",
    "StdDeviation", "SubBuckets", "0.999", "Non-2xx", "Requests/sec", "Transfer/sec",
)


class Wrk:
    """The dialect of wrk, or of wrk2."""

    def __init__(self, name: str, claims: Claims) -> None:
        self.name = name
        self.claims = claims
        self.capabilities = CAPABILITIES[name]

    def parse(self, block: Block) -> Reading:
        """The run of a block."""
        return read(block, self.name)

    def load_of(self, argv: list[str]) -> Load:
        """The load of a command line, its words split."""
        return load_of(argv)

    def target_of(self, argv: list[str]) -> Target:
        """The URL of a command line, taken apart."""
        return target(url_of(argv))

    def sent_of(self, argv: list[str]) -> Sent:
        """What a command line sends, with its secrets."""
        return sent_of(argv)

    def invocation(self, job: Job) -> Invocation:
        """The call of the tool that makes a job."""
        return invocation(job, self.name)


dialect = Wrk(
    "wrk", Claims(words=_WORDS, heads=("Running", "Making"), anchors=_ANCHORS, programs=("wrk",), company=2, tail=True),
)
# For those who know that it was wrk2 that ran: its reports in any other text are found by wrk's claims.
wrk2 = Wrk("wrk2", Claims(words=(), heads=(), anchors=()))
