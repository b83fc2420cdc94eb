"""Mechanical variants: every trouble of pasted reports, applied to any clean one.

A page is a list of lines that remember which line of which report they came from; a trouble changes pages, or joins
several to one. So troubles compose, and the lines on which a report stands in a variant are known without parsing.
"""

from __future__ import annotations

import codecs
import html
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import IntEnum
from fnmatch import fnmatch
from functools import partial

Origin = frozenset[tuple[int, int]]  # (report, line), both as counted in the sources; lines from 1


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a variant, without its end, and the lines of the reports that stand on it."""

    text: str
    origin: Origin = frozenset()


Page = list[Line]


def page(text: str, report: int = 0) -> Page:
    """A clean report as a page."""
    lines = text.removesuffix("\n").split("\n")
    return [Line(line, frozenset({(report, number)})) for number, line in enumerate(lines, 1)]


class Layer(IntEnum):
    """When a trouble happens to a report: content first, bytes last. Two troubles of different layers compose."""

    CONTENT = 1
    ARRANGEMENT = 2
    CHARACTERS = 3
    PREFIX = 4
    MARKUP = 5
    LINES = 6
    BYTES = 7


@dataclass(frozen=True)
class Trouble:
    """One thing that happens to reports when they are pasted.

    `change` works on one page (None: this trouble does not apply to it), `join` makes one page of `reports` of them,
    `encode` turns the text into bytes. `lost` are patterns of measures that it destroys; `plain` troubles are not for
    reports that are HTML themselves; `lines` says whether first and last line of a run can be known; `copies` how
    often the report stands in the variant beside the first time.
    """

    name: str
    layer: Layer
    change: Callable[[Page], Page | None] | None = None
    join: Callable[[list[Page]], Page | None] | None = None
    encode: Callable[[str], bytes] | None = None
    reports: int = 1
    copies: int = 0
    lost: tuple[str, ...] = ()
    plain: bool = False
    lines: bool = True

    def loses(self, measure: str) -> bool:
        """Whether a measure cannot be read any more."""
        return any(fnmatch(measure, pattern) for pattern in self.lost)


@dataclass(frozen=True)
class Variant:
    """A text with troubles: its bytes, and its lines as far as they are known."""

    data: bytes
    page: Page
    troubles: tuple[Trouble, ...]

    def span(self, report: int, first: int, last: int) -> tuple[int | None, int | None]:
        """The lines of the variant on which a report's first and last line stand; None for one that is gone."""
        firsts = [at for at, line in enumerate(self.page, 1) if (report, first) in line.origin]
        lasts = [at for at, line in enumerate(self.page, 1) if (report, last) in line.origin]
        return (firsts[0] if firsts else None), (lasts[-1] if lasts else None)


def vary(texts: Sequence[str], *troubles: Trouble) -> Variant | None:
    """The reports with these troubles, in the order of their layers; None where one of them does not apply.

    As many of `texts` are used as the troubles join.
    """
    ordered = tuple(sorted(troubles, key=lambda one: one.layer))
    used = texts[: max(one.reports for one in ordered)]
    if len(used) < max(one.reports for one in ordered) or any(one.plain and _is_html(used) for one in ordered):
        return None
    pages = [page(text, report) for report, text in enumerate(used)]
    encode: Callable[[str], bytes] = str.encode
    for one in ordered:
        changed = [one.join(pages)] if one.join else [one.change(each) for each in pages] if one.change else list(pages)
        if any(each is None for each in changed):
            return None
        pages = [each for each in changed if each is not None]
        encode = one.encode or encode
    text = "\n".join(line.text for line in pages[0]) + "\n"
    return Variant(encode(text), pages[0], ordered)


def _is_html(texts: Iterable[str]) -> bool:
    return any("<table" in text for text in texts)


# -- the parts of a report ---------------------------------------------------------------------------------------------

_LABEL = re.compile(r"(\s*)([A-Za-z][\w/ -]*:)(\s+)(\S.*)")
_ROW = re.compile(
    r"\s*((?:Connect|Processing|Waiting|Total):|Latency|Req/Sec)((?:\s+-?[\d.]+(?:[a-zA-Z]{0,2}|%))+|\s.*nan%)"
)
_PERCENT = re.compile(r"\s*(\d{2,3}(?:\.\d+)?%)\s+(\S.*)")
_MORE = re.compile(r"\s+(\(.*\)|[\d.]+ kb/s \w+)")  # what goes on below a label: the breakdown, kb/s sent
_HEADING = re.compile(r"\s*(min\s+(?:mean|avg)|Thread Stats).*")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")


def _every(change: Callable[[str], str], lines: Page) -> Page:
    """Each line's text changed."""
    return [replace(line, text=change(line.text)) for line in lines]


def _filled(change: Callable[[str], str], lines: Page) -> Page:
    """The text of each line that is not blank changed."""
    return [replace(line, text=change(line.text)) if line.text.strip() else line for line in lines]


def _carries(text: str) -> bool:
    """Whether a line carries values: a label, a row of times, a percentile."""
    return any(pattern.fullmatch(text) for pattern in (_LABEL, _ROW, _PERCENT))


def _cells(text: str) -> list[str] | None:
    """A line as cells of a table: label and value, the columns of a row; None for a line that is not of a table."""
    if found := _ROW.fullmatch(text):
        return [found[1], *found[2].split()]
    if _HEADING.fullmatch(text):
        return _heading(text)
    if found := _PERCENT.fullmatch(text):
        return [found[1], found[2]]
    if found := _LABEL.fullmatch(text):
        return [found[2], found[4]]
    found = _MORE.fullmatch(text)
    return ["", found[1]] if found else None


def _heading(text: str) -> list[str]:
    if "Thread" in text:
        return ["Thread Stats", *re.split(r"\s{2,}", text.strip().removeprefix("Thread Stats").strip())]
    return ["", *text.replace("[", " [").split()]


# -- content -----------------------------------------------------------------------------------------------------------


def _progress(lines: Page) -> Page:
    """Progress that was overwritten in the terminal: carriage returns, no line ends."""
    bar = "[==>      ] 1/3\r[=====>   ] 2/3\r[========>] 3/3\r"
    found: Page = []
    for line in lines:
        if found and "Completed" in line.text and "Completed" in found[-1].text:
            found[-1] = Line(found[-1].text + "\r" + line.text, found[-1].origin | line.origin)
        else:
            found.append(line)
    return [replace(found[0], text=bar + found[0].text), *found[1:]]


def _wrap(width: int, lines: Page) -> Page:
    """Lines broken at a blank, as mail programs do."""
    return [Line(part, line.origin) for line in lines for part in _broken(line.text, width)]


def _broken(text: str, width: int) -> list[str]:
    parts: list[str] = []
    while len(text) > width and (at := text.rfind(" ", 1, width + 1)) > 0 and text[:at].strip():
        parts.append(text[:at])
        text = text[at + 1 :]
    return [*parts, text]


def _label_above_value(lines: Page) -> Page:
    """Label and value on different lines."""
    found: Page = []
    for line in lines:
        match = None if _ROW.fullmatch(line.text) else _LABEL.fullmatch(line.text)
        parts = [match[2], match[4]] if match else [line.text]
        found += [Line(part, line.origin) for part in parts]
    return found


def _remark(remark: str, lines: Page) -> Page:
    """A remark behind every value."""
    return [replace(line, text=line.text.rstrip() + remark) if _carries(line.text) else line for line in lines]


def _prose(lines: Page) -> Page:
    """A line of prose below every line that is not blank."""
    said = ("# 这一行是第 2 台机器上的结果, 20*90%=18", "The next line is what we looked at first, 3 times.")
    found: Page = []
    for number, line in enumerate(lines):
        found += [line, Line(said[number % 2])] if line.text.strip() else [line]
    return found


def _note_before_value(lines: Page) -> Page:
    """A note between label and value."""
    found: Page = []
    for line in lines:
        match = None if _ROW.fullmatch(line.text) else _LABEL.fullmatch(line.text)
        if match and match[4][0].isdigit():
            line = replace(line, text=f"{match[1]}{match[2]} (平均值){match[3]}{match[4]}")
        found.append(line)
    return found


_COUNTED = re.compile(
    r"\s*(?:Document Length|Complete requests|Failed requests|Keep-Alive requests|Non-2xx responses|Total transferred"
    r"|HTML transferred|Requests per second|Time per request|Transfer rate|Requests/sec|Non-2xx or 3xx responses):.*"
    r"|\s*\d+ requests in .*"
)


def _thousands(lines: Page) -> Page | None:
    """Thousands marks in counts and rates."""

    def marked(text: str) -> str:
        if not _COUNTED.fullmatch(text):
            return text
        return re.sub(r"(?<![\w.])\d{4,}", lambda found: f"{int(found[0]):,}", text, count=1)

    found = _every(marked, lines)
    return found if found != lines else None


def _doubled(lines: Page) -> Page:
    """A blank line below every line."""
    return [each for line in lines for each in (line, Line(""))]


def _head_cut(lines: Page) -> Page | None:
    """Everything above the concurrency (ab) or the thread statistics (wrk) is missing."""
    for at, line in enumerate(lines):
        if "Concurrency Level" in line.text or "Thread Stats" in line.text:
            return lines[at:] if at else None
    return None


# -- arrangement -------------------------------------------------------------------------------------------------------

Render = Callable[[list[str]], str]


def _pipes(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _bare_pipes(cells: list[str]) -> str:
    return _pipes([cells[0].removesuffix(":"), *cells[1:]])


def _td(cells: list[str]) -> str:
    return "<tr>" + "".join(f"<td>{html.escape(cell, quote=False)}</td>" for cell in cells) + "</tr>"


def _markdown_table(render: Render, lines: Page) -> Page:
    """Labels and values, the times and the percentiles as pipe tables."""
    found: Page = []
    inside = False
    for line in lines:
        cells = _cells(line.text)
        if cells is None:
            found.append(line)
        elif inside:
            found.append(Line(render(cells), line.origin))
        else:
            found += [Line(""), *_opened(cells, line.origin, render)]
        inside = cells is not None
    return found


def _opened(cells: list[str], origin: Origin, render: Render) -> Page:
    """The first row of a pipe table with its head and ruler."""
    ruler = "|" + "---|" * len(cells)
    if cells[0] in ("", "Thread Stats"):
        return [Line(render(cells), origin), Line(ruler)]
    return [Line(_pipes(["", "value"])), Line(ruler), Line(render(cells), origin)]


def _html_table(lines: Page) -> Page:
    """Labels and values, the times and the percentiles as HTML tables; other lines as paragraphs."""
    found: Page = []
    inside = False
    for line in lines:
        cells = _cells(line.text)
        text = _td(cells) if cells else f"<p>{html.escape(line.text, quote=False)}</p>" if line.text.strip() else ""
        edge = "" if (cells is not None) == inside else "<table>" if cells else "</table>"
        found.append(Line(edge + text, line.origin))
        inside = cells is not None
    return [*found, Line("</table>")] if inside else found


def _columns(pages: list[Page]) -> Page:
    """Several reports as the columns of one pipe table: a row a label, a column a report."""
    reports = [_labelled(lines) for lines in pages]
    order: list[tuple[str, int]] = []
    for report in reports:
        at = 0
        for key in report:
            if key in order:
                at = order.index(key)
            else:
                order.insert(at, key)
            at += 1
    found = [Line(_pipes(["", *(f"run {number}" for number in range(1, len(pages) + 1))]))]
    found.append(Line("|---" * (len(pages) + 1) + "|"))
    for key in order:
        values = [report.get(key, Line("-")) for report in reports]
        label = "" if key[0].endswith("\0") else key[0]
        found.append(Line(_pipes([label, *(value.text for value in values)]), _all(values)))
    return found


def _labelled(lines: Page) -> dict[tuple[str, int], Line]:
    """The cells of a report by label and how often it stood before; what goes on below a label has it and a NUL."""
    found: dict[tuple[str, int], Line] = {}
    label = ""
    for line in lines:
        if pair := _pair(line.text):
            label = pair[0] or label.rstrip("\0") + "\0"
            found[label, sum(key[0] == label for key in found)] = Line(pair[1], line.origin)
    return found


def _pair(text: str) -> tuple[str, str] | None:
    """A line as the label and the one cell of a table with a column a report."""
    if "Connection Times" in text or "Percentage of" in text or "Distribution" in text:
        return text.strip(), ""
    if re.match(r"\s*\d+ requests in ", text):
        return "total", text.strip()
    if found := re.fullmatch(r"\s*(Latency|Req/Sec)(\s.*)", text):
        return found[1], found[2].strip()
    if _HEADING.fullmatch(text):
        return "", text.strip()
    if found := _PERCENT.fullmatch(text) or re.fullmatch(r"\s*([A-Za-z][\w/ -]*:)\s+(\S.*)", text):
        return found[1], found[2].strip()
    more = _MORE.fullmatch(text)
    return ("", more[1]) if more else None


def _beside(bar: str, pages: list[Page]) -> Page:
    """Two reports beside one another, line by line (`pr -m`), whether or not these hold the same label."""
    width = max(len(line.text) for line in pages[0])
    found: Page = []
    for number in range(max(map(len, pages))):
        left, right = (lines[number] if number < len(lines) else Line("") for lines in pages)
        found.append(Line(f"{left.text:{width}}{bar}{right.text}", left.origin | right.origin))
    return found


def _aligned(bar: str, pages: list[Page]) -> Page:
    """Two reports beside one another, the same labels on the same lines (`sdiff`, or a careful hand)."""
    keys = [[re.sub(r"\d+(?!\d*%)", "0", line.text.split(":")[0].strip()) for line in lines] for lines in pages]
    left: Page = []
    right: Page = []
    matcher = SequenceMatcher(None, keys[0], keys[1], autojunk=False)
    for _, left_from, left_to, right_from, right_to in matcher.get_opcodes():
        size = max(left_to - left_from, right_to - right_from)
        for side, lines in ((left, pages[0][left_from:left_to]), (right, pages[1][right_from:right_to])):
            side += [*lines, *[Line("")] * (size - len(lines))]
    return _beside(bar, [left, right])


def _interleaved(pages: list[Page]) -> Page:
    """Two reports of two containers that ran at the same time, line by line."""
    found: Page = []
    for number in range(max(map(len, pages))):
        for report, lines in enumerate(pages):
            if number < len(lines):
                found.append(replace(lines[number], text=f"bench_{report + 1}  | {lines[number].text}"))
    return found


def _diff(pages: list[Page]) -> Page:
    """A unified diff of two reports with all their common lines."""
    old, new = pages
    found = [Line("diff --git a/before.log b/before.log"), Line("--- a/before.log"), Line("+++ b/before.log")]
    found.append(Line(f"@@ -1,{len(old)} +1,{len(new)} @@"))
    matcher = SequenceMatcher(None, [line.text for line in old], [line.text for line in new], autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            pairs = zip(old[old_from:old_to], new[new_from:new_to], strict=True)
            found += [Line(" " + one.text, one.origin | other.origin) for one, other in pairs]
        else:
            found += [replace(line, text="-" + line.text) for line in old[old_from:old_to]]
            found += [replace(line, text="+" + line.text) for line in new[new_from:new_to]]
    return found


def _fences(lines: Page) -> Page:
    """One report over several Markdown fences, with a sentence before each."""
    found: Page = []
    for number, part in enumerate(_paragraphs(lines), 1):
        found += [Line(""), Line(f"Part {number} of what it printed:"), Line(""), Line("```"), *part, Line("```")]
    return found


def _paragraphs(lines: Page) -> list[Page]:
    parts: list[Page] = [[]]
    for line in lines:
        if line.text.strip():
            parts[-1].append(line)
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if part]


def _after_one_another(pages: list[Page]) -> Page:
    """Different reports in one file, prose between."""
    found = [Line("Before the change:"), Line(""), *pages[0]]
    for lines in pages[1:]:
        found += [Line(""), Line("And after it, on the same 2 machines:"), Line(""), *lines]
    return found


def _twice(lines: Page) -> Page:
    """The same report twice; the second time its lines count as those of report 99."""
    again = [replace(line, origin=frozenset((99, number) for _, number in line.origin)) for line in lines]
    return [*lines, Line(""), Line("Once more, for those who skipped it:"), Line(""), *again]


def _one_line(lines: Page) -> Page:
    """Every line end became a blank."""
    return [Line(" ".join(line.text for line in lines), _all(lines))]


def _glued(lines: Page) -> Page | None:
    """Every line end and the blanks around it are gone; not for lines of bare numbers, which nobody can tell apart."""
    if any("Detailed Percentile" in line.text for line in lines):
        return None
    return [Line("".join(line.text.strip() for line in lines), _all(lines))]


def _all(lines: Page) -> Origin:
    return frozenset(one for line in lines for one in line.origin)


# -- characters --------------------------------------------------------------------------------------------------------


def _coloured(text: str) -> str:
    """Terminal colours around labels and numbers."""
    text = _NUMBER.sub(lambda found: f"\x1b[36m{found[0]}\x1b[0m", text)
    return re.sub(r"^(\s*)([A-Za-z][\w/ -]*:)", "\\1\x1b[1;33m\\2\x1b[m", text) + "\x1b[K"


_WIDE_DIGITS = str.maketrans("0123456789", "０１２３４５６７８９")

# -- prefixes ----------------------------------------------------------------------------------------------------------


def _prefixed(prefix: str, lines: Page, *, blank: bool = True) -> Page:
    """A prefix before every line; blank lines carry it without its last blanks, or not at all."""
    stub = prefix.rstrip() if blank else ""
    return [replace(line, text=prefix + line.text if line.text.strip() else stub) for line in lines]


def _stamped(stamp: Callable[[int], str], lines: Page) -> Page:
    """A stamp before every line that counts up."""
    return [replace(line, text=stamp(number) + line.text) for number, line in enumerate(lines)]


def _journald(number: int) -> str:
    return f"Nov 30 18:{44 + number // 60:02}:{number % 60:02} web-1 ab[12345]: "


def _iso(number: int) -> str:
    return f"2024-05-01T10:{11 + number // 60:02}:{number % 60:02}.{1234567 + number}Z "


def _bracketed(number: int) -> str:
    return f"[2024-05-01 10:{11 + number // 60:02}:{number % 60:02}] "


def _one_sided(sign: str, lines: Page) -> Page:
    """The diff of a file that was added ("+") or deleted ("-")."""
    size = len(lines)
    head = {
        "+": ["new file mode 100644", "--- /dev/null", "+++ b/log.txt", f"@@ -0,0 +1,{size} @@"],
        "-": ["deleted file mode 100644", "--- a/log.txt", "+++ /dev/null", f"@@ -1,{size} +0,0 @@"],
    }[sign]
    opened = [Line("diff --git a/log.txt b/log.txt"), *map(Line, head)]
    return [*opened, *(replace(line, text=sign + line.text) for line in lines)]


# -- markup ------------------------------------------------------------------------------------------------------------


def _command(lines: Page) -> str:
    """A command line that could have made the report."""
    text = "\n".join(line.text for line in lines)
    if "ApacheBench" not in text and "Requests per second" not in text:
        return "wrk -t1 -c4 -d1s http://127.0.0.1:18080/"
    kept = "-k " if "Keep-Alive requests" in text else ""
    complete = re.search(r"Complete requests\D+(\d+)", text)
    concurrency = re.search(r"Concurrency Level\D+(\d+)", text)
    number, workers = (found[1] if found else "10" for found in (complete, concurrency))
    return f"ab {kept}-n {number} -c {workers} http://127.0.0.1:18080/"


def _fence(lines: Page) -> Page:
    """A Markdown fence with its language, prompt and command, between two paragraphs."""
    head = ["## Results of 12 May", "", "We ran it on 2 cores:", "", "```console", f"$ {_command(lines)}"]
    return [*map(Line, head), *lines, Line("```"), Line(""), Line("That is 3 times faster than before.")]


def _html_page(lines: Page, *, escape: bool = True) -> Page:
    """A page with the report in <pre>, which is glued to its first and last line."""
    shown = _every(partial(html.escape, quote=False), lines) if escape else list(lines)
    shown[0] = replace(shown[0], text=f'<pre class="code">{shown[0].text}')
    shown[-1] = replace(shown[-1], text=f"{shown[-1].text}</pre>")
    return [Line("<html><body><h2>Results of 12 May</h2>"), *shown, Line("<p>It is 3 times faster.</p></body></html>")]


def _escaped(times: int, lines: Page) -> Page:
    """The HTML page shown as text, so many times over."""
    found = _html_page(lines)
    for _ in range(times):
        found = _every(html.escape, found)
    return found


def _paragraph(text: str) -> str:
    shown = html.escape(text, quote=False)
    indent = len(shown) - len(shown.lstrip())
    return f"<p>{'&nbsp;' * max(indent, 0 if shown.strip() else 1)}{shown.lstrip()}</p>"


def _spans(lines: Page) -> Page:
    """What a syntax highlighter makes of a report."""

    def shown(text: str) -> str:
        text = html.escape(text, quote=False)
        text = _NUMBER.sub(lambda found: f'<span class="mf">{found[0]}</span>', text)
        return re.sub(r"^(\s*)([A-Za-z][\w/ -]*)(:)", r'\1<span class="nt">\2</span><span class="p">\3</span>', text)

    return _html_page(_every(shown, lines), escape=False)


def _comment(lines: Page) -> Page:
    """The report in a comment of a page."""
    return [Line("<p>See the source for details.</p>"), Line("<!--"), *lines, Line("-->"), Line("<p>12 May</p>")]


# -- lines and bytes ---------------------------------------------------------------------------------------------------


def _json(lines: Page) -> Page:
    """A JSON document with the report as a string."""
    text = "\n".join(line.text for line in lines)
    return [Line(json.dumps({"host": "web-1", "stdout": text + "\n", "rc": 0}), _all(lines))]


def _literals(lines: Page) -> Page:
    """The report as string literals of a program."""
    return [replace(line, text=f"    {json.dumps(line.text + chr(10), ensure_ascii=False)}") for line in lines]


_CHINESE = ("压力测试结果如下, 每台服务器运行三次:", "以上是第二台服务器的结果, 平均响应时间明显缩短。")


def _gb18030(text: str) -> bytes:
    """Chinese prose below the report, in the encoding of a Chinese Windows."""
    return (text + "\n".join(_CHINESE) + "\n").encode("gb18030")


def _marked(encoding: str, mark: bytes, text: str) -> bytes:
    return mark + text.encode(encoding)


# -- the table ---------------------------------------------------------------------------------------------------------

_C, _A, _P, _M, _L = Layer.CONTENT, Layer.ARRANGEMENT, Layer.PREFIX, Layer.MARKUP, Layer.LINES

# wrk2's footers ("#[Mean = …") are no rows of a table; Thread Stats have the corrected ones, nothing the others.
_FOOTER = ("uncorrected_latency.mean", "uncorrected_latency.sd", "uncorrected_latency.max")


TROUBLES: tuple[Trouble, ...] = (
    Trouble("progress", _C, _progress),
    Trouble("wrapped-60", _C, partial(_wrap, 60), plain=True),
    Trouble("wrapped-72", _C, partial(_wrap, 72), plain=True),
    Trouble("label-above-value", _C, _label_above_value, plain=True),
    Trouble("remark-slashes", _C, partial(_remark, "    // 第 2 次测试"), plain=True),
    Trouble("remark-hash", _C, partial(_remark, "  # see note 3"), plain=True),
    Trouble("remark-dashes", _C, partial(_remark, "------ 说明"), plain=True),
    Trouble("prose-between", _C, _prose, plain=True),
    Trouble("note-before-value", _C, _note_before_value, plain=True),
    Trouble("thousands", _C, _thousands, plain=True),
    Trouble("blank-lines-doubled", _C, _doubled),
    Trouble("blank-lines-lost", _C, lambda lines: [line for line in lines if line.text.strip()]),
    Trouble("blanks-collapsed", _C, partial(_every, partial(re.sub, r" +", " "))),
    Trouble("indentation-eaten", _C, partial(_every, str.strip)),
    Trouble("tabs", _C, partial(_every, partial(re.sub, r" {2,}", "\t"))),
    Trouble("head-cut", _C, _head_cut, lost=("document_length",)),
    Trouble("pipe-table", _A, partial(_markdown_table, _pipes), plain=True),
    Trouble("pipe-table-without-colons", _A, partial(_markdown_table, _bare_pipes), plain=True),
    Trouble("html-table", _A, _html_table, plain=True),
    Trouble("columns-2", _A, join=_columns, reports=2, plain=True, lines=False, lost=_FOOTER),
    Trouble("columns-3", _A, join=_columns, reports=3, plain=True, lines=False, lost=_FOOTER),
    Trouble("side-by-side", _A, join=partial(_aligned, "     "), reports=2, plain=True),
    Trouble("side-by-side-bar", _A, join=partial(_aligned, "  |  "), reports=2, plain=True),
    Trouble("side-by-side-askew", _A, join=partial(_beside, "     "), reports=2, plain=True),
    Trouble("side-by-side-bar-askew", _A, join=partial(_beside, "  |  "), reports=2, plain=True),
    Trouble("interleaved", _A, join=_interleaved, reports=2, plain=True),
    Trouble("diff-of-two", _A, join=_diff, reports=2, plain=True),
    Trouble("several-fences", _A, _fences, plain=True),
    Trouble("two-reports", _A, join=_after_one_another, reports=2),
    Trouble("three-reports", _A, join=_after_one_another, reports=3),
    Trouble("two-copies", _A, _twice, copies=1),
    Trouble("one-line", _A, _one_line),
    Trouble("one-line-glued", _A, _glued, plain=True),
    Trouble("no-break-blanks", Layer.CHARACTERS, partial(_every, lambda text: text.replace(" ", "\xa0")), plain=True),
    Trouble("wide-blanks", Layer.CHARACTERS, partial(_every, lambda text: text.replace(" ", "　")), plain=True),
    Trouble("wide-colons", Layer.CHARACTERS, partial(_every, partial(re.sub, r":(?=\s|$)", "：")), plain=True),
    Trouble("wide-digits", Layer.CHARACTERS, partial(_every, lambda text: text.translate(_WIDE_DIGITS)), plain=True),
    Trouble("colours", Layer.CHARACTERS, partial(_every, _coloured), plain=True),
    Trouble("quoted", _P, partial(_prefixed, "> ")),
    Trouble("quoted-thrice", _P, partial(_prefixed, "> > > ")),
    Trouble("triple-quoted", _P, partial(_prefixed, ">>> ")),
    Trouble("hash-comment", _P, partial(_prefixed, "# ")),
    Trouble("slash-comment", _P, partial(_prefixed, "// ")),
    Trouble("star-comment", _P, partial(_prefixed, " * ")),
    Trouble("semicolon-comment", _P, partial(_prefixed, ";; ")),
    Trouble("dash-list", _P, partial(_prefixed, "- ", blank=False)),
    Trouble("star-list", _P, partial(_prefixed, "* ", blank=False)),
    Trouble("docker", _P, partial(_prefixed, "ab_1  | ")),
    Trouble("journald", _P, partial(_stamped, _journald)),
    Trouble("iso-stamps", _P, partial(_stamped, _iso)),
    Trouble("bracketed-stamps", _P, partial(_stamped, _bracketed)),
    Trouble("added", _P, partial(_one_sided, "+")),
    Trouble("deleted", _P, partial(_one_sided, "-")),
    Trouble("indented", _P, partial(_prefixed, "    ", blank=False)),
    Trouble("indented-by-tab", _P, partial(_prefixed, "\t", blank=False)),
    Trouble("fence", _M, _fence),
    Trouble("html-pre", _M, _html_page),
    Trouble("html-paragraphs", _M, partial(_every, _paragraph), plain=True),
    Trouble("html-breaks", _M, partial(_every, lambda text: html.escape(text, quote=False) + "<br />"), plain=True),
    Trouble("html-spans", _M, _spans, plain=True),
    Trouble("html-escaped", _M, partial(_escaped, 1)),
    Trouble("html-escaped-twice", _M, partial(_escaped, 2)),
    Trouble("html-comment", _M, _comment),
    Trouble("crlf", _L, partial(_every, lambda text: text + "\r")),
    Trouble("json-string", _L, _json),
    Trouble("string-literals", _L, _literals),
    Trouble("bom", Layer.BYTES, encode=partial(_marked, "utf-8", codecs.BOM_UTF8)),
    Trouble("utf-16-le", Layer.BYTES, encode=partial(_marked, "utf-16-le", codecs.BOM_UTF16_LE)),
    Trouble("utf-16-be", Layer.BYTES, encode=partial(_marked, "utf-16-be", codecs.BOM_UTF16_BE)),
    Trouble("gb18030", Layer.BYTES, encode=_gb18030),
)
BY_NAME = {one.name: one for one in TROUBLES}

# Pairs that make no sense, or in which the second takes away what the first leaves to go by.
_WORDY = ("wrapped-*", "label-above-value", "remark-*", "prose-between", "note-before-value")
_LAID_OUT = (*_WORDY, "tabs", "progress", "blank-lines-doubled")
_APART: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("one-line*", (*_WORDY, "fence", "added", "deleted")),
    ("one-line-glued", ("tabs",)),
    ("*table*", (*_LAID_OUT, "html-[!c]*", "colours", "wide-colons")),
    ("columns-*", (*_LAID_OUT, "html-[!c]*", "colours", "wide-colons", "head-cut")),
    ("side-by-side*", (*_LAID_OUT, "blanks-collapsed", "html-paragraphs", "json-string")),
    ("interleaved", (*_LAID_OUT, "docker", "json-string")),
    ("diff-of-two", (*_LAID_OUT, "added", "deleted", "*-list", "string-literals")),
    ("html-*", ("added", "deleted")),
    ("html-spans", ("colours",)),
    ("two-copies", ("json-string",)),  # both on one line, which is one place
    ("several-fences", ("blank-lines-doubled", "blank-lines-lost")),
)


def fit(one: Trouble, other: Trouble) -> bool:
    """Whether two troubles make sense together."""
    if one.layer == other.layer:
        return False
    return not any(_apart(pattern, others, one, other) for pattern, others in _APART)


def _apart(pattern: str, others: tuple[str, ...], *pair: Trouble) -> bool:
    return any(
        fnmatch(one.name, pattern) and any(fnmatch(other.name, each) for each in others)
        for one, other in (pair, pair[::-1])
    )


# -- which line holds which measure ------------------------------------------------------------------------------------

_HOLDS = (
    (r"Document Length:\s+\d", ("document_length",)),
    (r"Time taken for tests:", ("duration",)),
    (r"Complete requests:", ("requests.complete",)),
    (r"Failed requests:", ("requests.failed",)),
    (r"\(Connect: ", ("errors.connect", "errors.receive", "errors.length", "errors.exception")),
    (r"(?:Write|Broken pipe) errors:", ("errors.write",)),
    (r"Non-2xx", ("requests.non_2xx",)),
    (r"Keep-Alive requests:", ("requests.keep_alive",)),
    (r"Total transferred:", ("bytes.received",)),
    (r"Total (?:POSTed|PUT|body sent):", ("bytes.sent",)),
    (r"HTML transferred:", ("bytes.body",)),
    (r"Requests per second:|Requests/sec:", ("throughput",)),
    (r"Time per request:.*across", ("latency.per_request_mean",)),
    (r"Time per request:", ("latency.closed_loop_mean",)),
    (r"Transfer rate:|Transfer/sec:", ("transfer_rate.received",)),
    (r"kb/s sent", ("transfer_rate.sent",)),
    (r"kb/s total", ("transfer_rate.total",)),
    (r"Connect:", ("connect.*",)),
    (r"Processing:", ("processing.*",)),
    (r"Waiting:", ("waiting.*",)),
    (r"Total:|Latency\s+-?[\d.]", ("latency.m[!e]*", "latency.me*", "latency.sd", "latency.within_sd")),
    (r"Req/Sec", ("interval_throughput.*",)),
    (r"requests in .*read", ("requests.complete", "duration", "bytes.received")),
    (r"Socket errors:", ("errors.connect", "errors.read", "errors.write", "errors.timeout")),
)
_RUNG = re.compile(r"\s*(\d{2,3}(?:\.\d+)?)%\s+[\d.]")


def settled(text: str, names: Iterable[str]) -> dict[str, int]:
    """The line (1-based) of a clean report that each measure stands on, the last one where it stands on several."""
    found: dict[str, int] = {}
    family = "latency"
    for number, line in enumerate(re.sub(r"<[^<>]*>", " ", text).split("\n"), 1):
        family = "uncorrected_latency" if "Uncorrected Latency" in line else family
        patterns = next((held for label, held in _HOLDS if re.search(label, line)), ())
        found |= {name: number for name in names for pattern in patterns if fnmatch(name, pattern)}
        if rung := _RUNG.match(line):
            percent = rung[1].rstrip("0").rstrip(".") if "." in rung[1] else rung[1]
            found[f"{family}.p{percent}"] = number
        if "#[M" in line:
            held = ("mean", "sd") if "#[Mean" in line else ("max",)
            found |= {f"{family}.{one}": number for one in held if f"{family}.{one}" in names}
    return found
