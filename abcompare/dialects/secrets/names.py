"""The names whose values are secrets, and whether a text may hold any."""

from __future__ import annotations

import re

# The names whose values are secrets, in any case and with anything before and behind them ("X-Amz-Security-Token").
_ANYWHERE = r"authori[sz]ation|passw|passphrase|secret|token(?!iz)|cookie|credential|[cx]srf|sess(?:ion)?[-_.]?id|hmac"
_KEYS = r"(?:api|access|private|master|auth|secret|account|signing|shared)[-_.]?keys?"
_ALONE = r"x?-?(?:o?auth2?|authentication|session|sess|p?sid|sig|signature|jwt|bearer|pwd|pw|pass)"  # as a word of the name
NAME = re.compile(
    rf"(?i:{_ANYWHERE}|{_KEYS}|[-_.]key$|(?<![a-z]){_ALONE}(?![a-z]))|(?<=[a-z])(?:Auth|Authentication|Session|Sid|Sig|Pwd|Pass|Key$)(?![a-z])"
)
_COUNTED = re.compile(r"(?i).*(?:(?:tokens|cookies|secrets):\d+|(?:pass|session):\d{1,3})(?![\w.-])", re.DOTALL)  # "output_tokens: 128", "pass: 3"
_TLS = re.compile(r"(?i)(?:ssl|tls)[-_ ]?session")  # the heading that openssl prints above one
_SAID = ("yes", "no", "true", "false", "none", "null", "on", "off")  # "Extended master secret: yes"
# A text without any of these holds no secret: most texts, and this is all that they cost.
_HINTS = (
    "@", "://", "auth", "cookie", "pass", "pwd", "pw", "secret", "token", "key", "credential", "srf", "sess", "sid", "sig",
    "jwt", "bearer", "basic", "hmac",
)
_LETTER = re.compile(r"(?<![^\s\"'(])-[-\w]*[ACPUabu]")


def is_secret(name: str, value: str = "") -> bool:
    """Whether what a header, a parameter or an option of this name holds is a secret."""
    if not NAME.search(name) or _TLS.fullmatch(name) or value.strip().lower() in _SAID:
        return False
    return not (value[:1].isdigit() and _COUNTED.match(f"{name}:{value[:20]}"))


def may_hold(text: str) -> bool:
    """Whether a text may hold a secret at all: a few searches for plain words, ten times faster than one pattern."""
    lower = text.lower()
    return any([hint in lower for hint in _HINTS]) or ("-" in text and _LETTER.search(text) is not None)  # noqa: C419
