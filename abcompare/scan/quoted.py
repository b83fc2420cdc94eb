"""Quoted-printable, as mail has it, undone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abcompare.scan.characters import same
from abcompare.scan.edits import Edit

_SOFT = re.compile(r"(?<![=\n])=\r?\n|(?P<code>(?:=[0-9A-F]{2})+)")
_QUOTED = re.compile(r"=(?:3D|[CD][0-9A-F]=[89AB][0-9A-F]|E[0-9A-F]=[89AB][0-9A-F])|(?i:^Content-Transfer-Encoding: *quoted-printable)", re.MULTILINE)
_BROKEN = re.compile(r"^(?!\w+=\r?$)[^\n]*[\w.]=\r?\n(?=[\w.])", re.MULTILINE)  # "HOME=" is a variable without a value


def unquoted(text: str) -> Iterator[Edit]:
    """Quoted-printable (mail) undone, where the text has more of it than a line that ends with "=": RFC 2045, 6.7."""
    if not _QUOTED.search(text) and len(_BROKEN.findall(text)) < 2:
        return
    for found in _SOFT.finditer(text):
        codes = found["code"]
        new = bytes.fromhex(codes.replace("=", "")).decode("utf-8", "replace") if codes else ""
        yield found.start(), found.end(), same(new.replace("\r\n", "\n"))
