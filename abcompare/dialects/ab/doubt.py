"""Reports that look like ab's and are not: work-alikes' (gurl, zb) and invented samples (reading rule 7).

ab's own reports cannot be told from these by their labels, so this goes by what ab never prints. A report that stands
whole, with banner or tables, is believed even where its numbers were edited: audit says what does not fit.
"""

from __future__ import annotations

import re

from abcompare.blocks import Block
from abcompare.dialects.ab.agreement import contradiction
from abcompare.dialects.ab.printed import Printed
from abcompare.dialects.draft import Draft
from abcompare.records import Load

_FOREIGN = re.compile(r"[A-Z][\w -]{2,24}:[ \t]{2,}\d[\d.,]*$")


def doubt(block: Block, printed: Printed, draft: Draft, asked: Load | None) -> tuple[str, str] | None:
    """The code ("WORK-ALIKE" or "INVENTED") and the reason why this is no report of ab; None for one that is."""
    alike = _work_alike(block, printed, draft)
    if alike:
        return "WORK-ALIKE", f"this looks like ab's report, but {alike}: another program's, and not read as ab's"
    letters = _letters(draft)
    odd = ""
    if not printed.rows and ("VERSION" not in printed.items or len(letters) >= 2):
        odd = _contradiction(printed, draft, asked)
    if odd and letters:
        odd += f", and letters stand where numbers should ({', '.join(letters)})"
    return ("INVENTED", f"an invented or edited sample, not a run: {odd}") if odd else None


def _work_alike(block: Block, printed: Printed, draft: Draft) -> str:
    """What ab cannot have printed, when there are two such things."""
    if "VERSION" in printed.items:
        return ""
    seen = []
    if re.search(r"Server\s+Hostname:\s*Server\s+Port:", block.text):
        seen.append("its Server Hostname is empty")
    if re.search(r"Document\s+Path:\s*Document\s+Length:", block.text):
        seen.append("its Document Path is empty")
    if any(table[-1][0] == "100" for table in printed.ladders) and not re.search(r"\((?:longest|last)\s+request\)", block.text):
        seen.append('its 100 % row lacks "(longest request)"')
    kept, complete = printed.integer("KEPT"), printed.integer("COMPLETE")
    if kept is not None and complete is not None and kept > complete:
        seen.append("more requests were kept alive than completed")
    foreign = [one.text.split(":")[0] for one in draft.unrecognised() if _FOREIGN.match(one.text)]
    if len(foreign) >= 2:
        seen.append(f"it has labels that ab does not ({', '.join(foreign[:4])})")
    return " and ".join(seen) if len(seen) >= 2 or len(foreign) >= 4 else ""


def _letters(draft: Draft) -> list[str]:
    """The letters that stand where ab prints numbers."""
    broken = [one.printed or "" for one in draft.findings if one.code == "AB-BROKEN-FIELD"]
    return [text.split()[0] for text in broken if re.match(r"[A-Za-z?_<]", text)]


def _contradiction(printed: Printed, draft: Draft, asked: Load | None) -> str:
    """Means that are too round to be measured, or numbers that no run time fits (formats.md 1.10)."""
    means = [item.text for item, _ in printed.requests]
    if len(means) == 2 and all(text.endswith(".000") for text in means) and "COMPLETE" not in printed.items:
        return f"both means are round to three zeros ({' and '.join(means)} ms)"
    value = {name: one.value for name, one in draft.measures.items()}
    concurrency = printed.integer("CONCURRENCY")
    complete = value.get("requests.complete")
    closed, across = value.get("latency.closed_loop_mean"), value.get("latency.per_request_mean")
    if asked and not asked.duration_s and closed and across and asked.concurrency and abs(closed / across / asked.concurrency - 1) < 0.01:
        complete = complete or asked.requests  # the command line is this run's: both means agree with its -c
        concurrency = concurrency or asked.concurrency
    return contradiction(draft, complete, concurrency)
