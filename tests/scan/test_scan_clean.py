"""What stands in a number, over it or beside it, and is none of it: markup, marks, terminals, mail, other scripts."""

from __future__ import annotations

import html
import quopri
import re
from pathlib import Path

import pytest

from abcompare.reading import parse
from abcompare.records import Archive, Number
from abcompare.scan import clean

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
REPORT = (FIXTURES / "ab" / "ab-k.txt").read_text(encoding="utf-8")
RATE = "39541.84"
LABEL = "Requests per second:    "
TEXTS = [
    path.read_text(encoding="utf-8")
    for tool in ("ab", "wrk", "wrk2") for path in sorted((FIXTURES / tool).glob("*.txt"))[::6]
]  # fmt: skip


def values(archive: Archive) -> list[dict[str, Number | None]]:
    return [{name: one.value for name, one in run.measures.items()} for run in archive.runs]


CLEAN = values(parse(REPORT))


def escaped(text: str) -> str:
    """As Telegram and Turndown escape Markdown."""
    return re.sub(r"([.\[\]()#*_+-])", r"\\\1", text)


def digits(first: int) -> str:
    """The rate in the digits of another script."""
    return "".join(chr(first + int(one)) if one.isdigit() else one for one in RATE)


WRITTEN = {
    "struck": f"<s>1999</s><b>{RATE}</b>",
    "struck with attributes": f'<strike class="old"><i>1999</i></strike>{RATE}',
    "deleted": f"<del>1999</del> {RATE}",
    "deleted, capitals": f"<DEL>1999</DEL> {RATE}",
    "deleted, escaped": f"&lt;del&gt;1999&lt;/del&gt; {RATE}",
    "deleted, inserted": f"<del>1999</del><ins>{RATE}</ins>",
    "struck in Markdown": f"~~1999~~ {RATE}",
    "note": f"{RATE}<sup>1</sup>",
    "note with a link": f'{RATE}<sup class="ref"><a href="#fn1" id="r1">[1]</a></sup>',
    "note behind bold": f"<b>{RATE}</b><sup>*</sup>",
    "note before": f"<sup>1</sup>{RATE}",
    "note that is a link": f'{RATE}<a href="#n1">1</a>',
    "seam": "39541<!-- -->.84",
    "empty seam": "39541<!---->.84",
    "seam with a note": "395<!-- 7 -->41.84",
    "seam of React 15": f"<!-- react-text: 5 -->{RATE}<!-- /react-text -->",
    "seam of Svelte": f"<!--[-->{RATE}<!--]-->",
    "soft hyphen": "395\u00ad41.84",
    "soft hyphen as an entity": "395&shy;41.84",
    "soft hyphen as a number": "395&#173;41.84",
    "soft hyphen in JSON": r"395\u00ad41.84",
    "word joiner": "395\u206041.84",
    "zero-width blank": "395&ZeroWidthSpace;41.84",
    "escaped in Markdown": r"39541\.84",
    "cursor back": f"99999\x1b[5D{RATE}",
    "backspaces": "99999" + "\b" * 5 + RATE,
    "cursor to a column": f"99999\x1b[{len(LABEL) + 1}G{RATE}",
    "cursor forward": f"\x1b[3C{RATE}",
    "line erased": f"99999\x1b[2K\r{LABEL}{RATE}",
    "attributes off": f"{RATE}\x1b(B\x1b[m",
    "overwritten": f"99\r{LABEL}{RATE}",
    "overwritten in colour": f"\x1b[32m99\x1b[0m\r\x1b[1m{LABEL}{RATE}\x1b[0m",
    "Arabic": digits(0x660),
    "Arabic with its point": digits(0x660).replace(".", "\u066b"),
    "Devanagari": digits(0x966),
    "mathematical": digits(0x1D7CE),
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_a_number_with_something_in_it(written: str) -> None:
    assert values(parse(REPORT.replace(RATE, written))) == CLEAN


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_lines_stay_where_they_are(written: str) -> None:
    text = f"a\nb\n{LABEL}{written}\nComplete requests: 3000\n"
    cleaned = clean(text, 7)
    assert f"{RATE}\n" in cleaned.text.replace(" ", "")
    assert cleaned.line(cleaned.text.index("Complete")) == 10
    assert cleaned.line(cleaned.text.index(RATE)) == 9
    assert cleaned.offset(text.index("Complete")) == cleaned.text.index("Complete")


@pytest.mark.parametrize(
    "text",
    [
        "<td><sup>0</sup></td>", "x <sup>st</sup> 1", '<td><a href="#a">512</a></td>', "a ~~~\n12\n~~~ b",
        "<s>" + "1" * 300 + "</s>", "<!-- 5 -->", "C:\\.ssh [x\\]",
    ],
)  # fmt: skip
def test_what_looks_like_a_mark_and_is_none_stays(text: str) -> None:
    kept = re.sub(r"<[^<>]*>", "", text).replace("<!--", "").replace("-->", "")
    assert re.findall(r"\w+", clean(text).text) == re.findall(r"\w+", kept or text.strip("<>!- "))


@pytest.mark.parametrize("text", TEXTS)
def test_mail_is_quoted_printable(text: str) -> None:
    for data in (text.encode(), f'<pre class="log">{html.escape(text)}</pre>'.encode() if "<table" not in text else b""):
        if data:
            mail = quopri.encodestring(data)
            assert values(parse(mail)) == values(parse(data))
            assert values(parse(mail.replace(b"\r", b"").replace(b"\n", b"\r\n"))) == values(parse(data))


def test_narrow_mail_keeps_its_lines() -> None:
    lines = [f"{line[:30]}=\n{line[30:]}" if len(line) > 30 else line for line in REPORT.split("\n")]
    folded = sum("=\n" in line for line in lines)
    clean_run, run = parse(REPORT).runs[0], parse("\n".join(lines)).runs[0]
    assert values(parse("\n".join(lines))) == CLEAN
    assert folded > 5
    assert (run.source.last_line or 0) - (clean_run.source.last_line or 0) == folded


def test_variables_without_values_are_no_mail() -> None:
    assert clean("HOME=\nPATH=\nTERM=\nx?page=20\n=====\n").text == "HOME=\nPATH=\nTERM=\nx?page=20\n=====\n"


def test_a_report_with_every_sign_escaped() -> None:
    assert values(parse(escaped(REPORT))) == CLEAN


@pytest.mark.parametrize("text", TEXTS)
def test_carriage_returns_alone_are_line_ends(text: str) -> None:
    assert values(parse(text.replace("\n", "\r"))) == values(parse(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Requests: 9\rRequests: 10\n", "Requests: 10\n"),
        ("Requests: 9\rRequests: 10\rRequests: 200 ok\nx", "Requests: 200 ok\nx"),
        ("Requests: 10\rRequests: 9\n", "Requests: 10\nRequests: 9\n"),  # the end of the first would still be there
        ("Requests: 9\rFailed: 10\n", "Requests: 9\nFailed: 10\n"),
        ("Time: 9 [ms] (mean)\rTime: 10 [ms] (mean, across all)\n", "Time: 9 [ms] (mean)\nTime: 10 [ms] (mean, across all)\n"),
        (" 50%  9\r 66%  10\n", " 50%  9\n 66%  10\n"),
        ("Requests: 9\r\nRequests: 10\r\r\n", "Requests: 9\nRequests: 10\n"),
    ],
)
def test_what_a_carriage_return_overwrites(text: str, shown: str) -> None:
    assert clean(text).text == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("99999\x1b[5D12", "12999"), ("ab\b\bxy", "xy"), ("R\bRu\bun\bn", "Run"), ("abc\x1b[2D\x1b[K", "a"),
        ("9\x1b[2C8", "9  8"), ("a\x1b[2;1Hb", "a\nb"), ("a\x1b[?25lb", "ab"), ("a\x1b[31mb", "ab"),
        (r"99999\u001b[5D12", "99999 12"), ("x\x1b[999999999999Cy", "x y"),
    ],
)  # fmt: skip
def test_the_cursor_moves(text: str, shown: str) -> None:
    assert clean(text).text == shown


@pytest.mark.parametrize(
    "piece",
    [
        "\b", "\x1b[5D12", "\x1b[2K\x1b[200Cx", "a\r", "Rate 1\r", "<s>", "<sup>", "&lt;sup&gt;", "a=\n", "<!--", "~~a", "\x1b]",
        '1<a href="#', "<del a ", "=3D=\n",
    ],
)  # fmt: skip
def test_many_of_a_kind_are_read_in_linear_time(piece: str) -> None:
    assert values(parse(REPORT + "\n" + piece * 20_000)) == CLEAN


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("--&nbsp;9", "-- 9"), ("---&gt;9", "--->9"), ("<b>--&gt;9", " 9"), ("***9***", "*9*"), ("&amp;lt;9", "<9"), ("&lt;br&gt;9", "\n9"),
        ("&LT;9", "<9"), ("&foo;9", "&foo;9"), ('<span class="a">9</span>', "9"), ("<tr><td>9</td></tr>", "\n 9 \n"),
    ],
)  # fmt: skip
def test_what_begins_alike_is_told_apart(text: str, shown: str) -> None:
    assert clean(text).text == shown
