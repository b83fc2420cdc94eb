"""Secrets: found in whatever a log holds, and shown as REDACTED. Nothing of them reaches a record.

What counts as one: the values of names that say so (`Authorization: …`, `"token": "…"`, `?api_key=…`, `--password …`),
the user and password of an address (`http://user:…@host/`, with or without the scheme), what follows "Bearer", and on
command lines the values of the options that hold credentials (ab's -A, -C and -P). In doubt more is hidden than less;
all else stays as it is typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from abcompare.dialects.argv import Word, login_end, words
from abcompare.records import Target

REDACTED = "REDACTED"
Span = tuple[int, int]

# The names whose values are secrets, in any case and with anything before and behind them ("X-Amz-Security-Token").
_ANYWHERE = r"authori[sz]ation|passw|passphrase|secret|token(?!iz)|cookie|credential|[cx]srf|sess(?:ion)?[-_.]?id|hmac"
_KEYS = r"(?:api|access|private|master|auth|secret|account|signing|shared)[-_.]?keys?"
_ALONE = r"x?-?(?:o?auth2?|authentication|session|sess|p?sid|sig|signature|jwt|bearer|pwd|pw|pass)"  # as a word of the name
_NAME = re.compile(
    rf"(?i:{_ANYWHERE}|{_KEYS}|[-_.]key$|(?<![a-z]){_ALONE}(?![a-z]))|(?<=[a-z])(?:Auth|Authentication|Session|Sid|Sig|Pwd|Pass|Key$)(?![a-z])"
)
_COUNTED = re.compile(r"(?i).*(?:(?:tokens|cookies|secrets):\d+|(?:pass|session):\d{1,3})(?![\w.-])", re.DOTALL)  # "output_tokens: 128", "pass: 3"
_TLS = re.compile(r"(?i)(?:ssl|tls)[-_ ]?session")  # the heading that openssl prints above one
_SAID = ("yes", "no", "true", "false", "none", "null", "on", "off")  # "Extended master secret: yes"
_SCHEMES = ("basic", "bearer", "digest", "token", "negotiate", "ntlm", "apikey")
# A text without any of these holds no secret: most texts, and this is all that they cost.
_HINTS = (
    "@", "://", "auth", "cookie", "pass", "pwd", "pw", "secret", "token", "key", "credential", "srf", "sess", "sid", "sig",
    "jwt", "bearer", "basic", "hmac",
)
_LETTER = re.compile(r"(?<![^\s\"'(])-[-\w]*[ACPUabu]")

# A name and its sign: `name:`, `"name":`, `name=`, `["name"] =`, `name =>`, `"name", "…"`, `--name …`.
_NAMED = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{1,200}+)(?P<close>\\{0,8}[\"'”’`]\]?|\]?)"
    r"(?P<sign>[ \t]{0,40}+(?::(?!//)|=>?|：|,(?=[ \t]{0,40}\\{0,8}[\"'“‘]))[ \t]*+|(?<=\w)(?<!\")(?<!')[ \t]++)"
)
_OPENING = re.compile(r"(\\{0,8})([\"'“‘`])")
_CLOSING = {"“": "”", "‘": "’"}
_BEHIND = re.compile(r"[\s,;:)\]}>|.&]|\Z")  # what may stand behind a quotation
_QUERY = re.compile(r"[^\s&#\"'<>`]*(?:[\"'`](?=[\w])[^\s&#\"'<>`]*)*")
_PARAMETER = re.compile(r"[^\s&#\"'<>`;]*")  # of a path, or a cookie among others
_BARE = re.compile(r"(?i)\bbearer[ \t]+(?P<bearer>[^\s\"',;\\]{4,})|\bbasic[ \t]+(?P<basic>(?=[a-z\d+/]*[\d=])[a-z\d+/]{8,}={0,2})(?![\w.])")

_LINE_END = re.compile(r"[\r\n]")
_BLANK = re.compile(r"\s")

_LONGEST = 400  # characters of an address that are looked at
_URL_END = re.compile(r"[\s<>]")
_URL_ENDS = {mark: re.compile(rf"[\s<>{mark}]") for mark in "\"'`"}  # an address in quotation marks ends at the next
_SCHEME = re.compile(r"[A-Za-z][\w+.-]{0,20}://")
_LOGIN = re.compile(r"(?<![\w%!$&*+,;=.~/-])(?P<user>[\w%!$&*+,;=.~-]{1,80}+):(?!//|\d{1,5}[/?#]|[A-Za-z]{1,20}+://)\S{1,200}@(?=[\w\[])")
_NAMES_HOST = re.compile(r"(?:\b(?:for|to|resolve|Benchmarking|host|report)|Hostname:)[ \t]+(?P<user>[^\s@/:]{1,200}+)@(?=[\w\[])")

# Command lines: the letters with a value, and those among them whose value is a secret, of each program.
VALUED = {
    "ab": "nctsbTpuvHCAPXgexyzmfZBEWRo",
    "wrk": "cdtsHTRrnMbp",  # "n" was the name of "r" before 1.0
    "curl": "AbcCdDeEFhHKmoPQrtTuUwxXyYz",
    "http": "apAsoH",
    "hey": "ncqzothmHTAaxdDU",
}
_SECRET = {"ab": "CAP", "curl": "uUb", "http": "a", "hey": "a"}
_SAME = {"abs": "ab", "apachebench": "ab", "wrk2": "wrk", "https": "http", "xh": "http", "oha": "hey"}
_PROGRAM = re.compile(r"(?i)(?<![\w.-])(?P<name>abs?|apachebench|wrk2?|curl|https?|xh|hey|oha)(?:\d[\w.]*|-trunk)?(?:\.exe)?[ \t]+(?=\S)")
_OPTION = re.compile(r"(?<![^\s\"'(])-[a-zA-Z]{0,8}?(?:(?P<ab>[AP])[ \t]*[\"']?[^\s:]+:|(?P<curl>[uU])[ \t]*[\"']?[^\s:]+:|C[ \t]*[\"'“]?[^\s=]+=)(?=\S)")
_USERS = ("user", "proxy-user", "proxy_user", "login")
_EMPTY = re.compile(r"\s*([\w.-]+)\s*[:=]\s*([A-Za-z]*)\s*")
_ENDS = re.compile(r"-[-A-Za-z]|[A-Za-z][\w+.-]*://|(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w.-]+(?=:\d))(?::\d+)?/")
_HEADER = re.compile(r"\W*([\w.-]+)[\"']?\s*[:=]\s*(.*)", re.DOTALL)


def is_secret(name: str, value: str = "") -> bool:
    """Whether what a header, a parameter or an option of this name holds is a secret."""
    if not _NAME.search(name) or _TLS.fullmatch(name) or value.strip().lower() in _SAID:
        return False
    return not (value[:1].isdigit() and _COUNTED.match(f"{name}:{value[:20]}"))


def redact(text: str, before: str = "") -> str:
    """`text` without secrets; `before` is what stands before it on its line, and tells what it is."""
    whole = before + text
    if not _may_hold(whole):
        return text
    spans = [(max(0, start - len(before)), end - len(before)) for start, end in _spans(whole)]
    return _replaced(text, [span for span in spans if span[1] > 0])


def headers(given: Iterable[str]) -> dict[str, str]:
    """Header lines by name, without secrets."""
    found: dict[str, str] = {}
    for text in given:
        name, colon, value = text.partition(":")
        if name.strip() and colon:
            found[name.strip()] = REDACTED if is_secret(name) else redact(value.strip(), f"{name.strip()}: ")
    return found


def command(typed: str) -> str:
    """A command line as typed, without secrets: only the words that hold one are changed."""
    found, closed = words(typed)
    pieces: list[str] = []
    end = 0
    for word, spans in zip(found, _hidden([word.text for word in found], loose=not closed), strict=True):
        if spans:
            pieces += (typed[end : word.start], _retyped(typed, word, spans))
            end = word.end
    return "".join((*pieces, typed[end:]))


def arguments(argv: Sequence[str]) -> list[str]:
    """The words of a command line; those that are secrets as a whole are replaced."""
    hidden = _hidden(argv, loose=False)
    return [REDACTED if spans == [(0, len(word))] else word for word, spans in zip(argv, hidden, strict=True)]


def target(asked: Target) -> Target:
    """A target without secrets: its host without user and password, its path without those of its parameters."""
    host, path, server, tls = asked.host, asked.path, asked.server_software, asked.tls
    if host and "@" in host:
        host = host.rpartition("@")[2]
    if path and _may_hold(path):
        login = login_end(f"{asked.host}:{asked.port}{path}") - len(f"{asked.host}:{asked.port}")
        path = redact(f"/{REDACTED}{path[login:]}" if 0 < login < len(path) else path)
    if tls and tls.server_name and "@" in tls.server_name:
        tls = type(tls)(tls.protocol, tls.cipher, tls.key_bits, tls.server_temp_key, tls.server_name.rpartition("@")[2], tls.cipher_bits)
    return Target(asked.scheme, host, asked.port, path, redact(server) if server else server, tls)


def folded(line: str, above: str) -> bool:
    """Whether `line` goes on with the value of a secret header that stands `above`: it is further to the right, or
    nothing stands behind the header's name."""
    found = _HEADER.match(above)
    if not found or not is_secret(found[1], found[2]):
        return False
    return _column(line) > _column(above) or (not found[2].strip("\"' \t\r") and not _HEADER.match(line))


def _column(line: str) -> int:
    found = re.search(r"\w", line)
    return found.start() if found else 0


def _may_hold(text: str) -> bool:
    """Whether a text may hold a secret at all: a few searches for plain words, ten times faster than one pattern."""
    lower = text.lower()
    return any([hint in lower for hint in _HINTS]) or ("-" in text and _LETTER.search(text) is not None)  # noqa: C419


def _replaced(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    end = 0
    for start, stop in _joined(spans):
        pieces += (text[end:start], REDACTED)
        end = stop
    return "".join((*pieces, text[end:])) if pieces else text


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


# -- in free text ------------------------------------------------------------------------------------------------------


def _spans(text: str) -> list[Span]:
    """Where secrets stand in a text."""
    spans = [*_named(text), *_logins(text), *_commands(text)]
    spans += [found.span(found.lastgroup or 0) for found in _BARE.finditer(text)]
    return _joined(spans)


def _named(text: str) -> Iterator[Span]:
    """The values of names that hold secrets."""
    at, line = 0, -1
    while found := _NAMED.search(text, at):
        at = found.end()
        if line < at:
            stop = _LINE_END.search(text, at)
            line = stop.start() if stop else len(text)
        name, sign = found["name"], found["sign"].strip()
        option = name.startswith("-")
        if (not sign and not option) or not _NAME.search(name):
            if not sign or name.lower() != "key" or text[found.start() - 1 : found.start()] not in ("?", "&"):
                continue
            end = _QUERY.match(text, at).end()  # type: ignore[union-attr]
            if end - at >= 20:  # "?key=3" is a record's, "?key=AIza…" an account's
                yield at, end
            continue
        start, end = _value(text, found, line, option=option and sign in ("", "="))
        if end > start and is_secret(name, text[start:end]):
            yield start, end
            at = max(at, end)


def _value(text: str, found: re.Match[str], end: int, *, option: bool) -> Span:
    """Where the value behind a name stands: as quotation marks, its place in a URL, or the `end` of its line bound it."""
    start, at = found.span()[::-1]
    opened = _OPENING.match(text, start)
    # A quoted header value ends where its line does, unless the name is quoted as well: Cookie: "a"; b=c
    if opened and (found["close"] or "=" in found["sign"] or option):
        return opened.end(), _closing(text, opened.end(), end, opened[1], opened[2])
    before = text[at - 1 : at]
    if before in ("?", "&", "#", ";") and "=" in found["sign"]:
        end = (_PARAMETER if before == ";" else _QUERY).match(text, start, end).end()  # type: ignore[union-attr]
        while end > start and text[end - 1] in ".,;:)]}":
            end -= 1
        return start, end
    if before in ("\"", "'", "“", "‘", "`") and not found["close"]:
        return start, _closing(text, start, end, "\\" * _slashes(text, at - 1), before)
    if option:
        blank = _BLANK.search(text, start, end)
        return start, blank.start() if blank else end
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _closing(text: str, start: int, end: int, slashes: str, mark: str) -> int:
    """Where a quotation ends that began before `start`: at the next of its marks (behind as many backslashes as stood
    before the first) with an end of a word behind it; at `end` where there is none."""
    mark = _CLOSING.get(mark, mark)
    at = text.find(mark, start, end)
    while at >= 0:
        behind = text[at + 1 : at + 2]
        if _slashes(text, at, start) == len(slashes) and (_BEHIND.match(behind) or (slashes and behind == "\\")):
            return at - len(slashes)
        at = text.find(mark, at + 1, end)
    return end


def _slashes(text: str, at: int, least: int = 0) -> int:
    """How many backslashes, nine at most, stand before `at`."""
    count = 0
    while count < 9 and at - count > least and text[at - count - 1] == "\\":
        count += 1
    return count


def _logins(text: str) -> Iterator[Span]:
    """Users and passwords before a host."""
    for found in _SCHEME.finditer(text):
        stop = _URL_ENDS.get(text[found.start() - 1 : found.start()], _URL_END).search(text, found.end(), found.end() + _LONGEST)
        end = stop.start() if stop else min(len(text), found.end() + _LONGEST)
        login = login_end(text[found.end() : end])
        if login > 0:
            yield found.end(), found.end() + login
    if "@" in text:
        for found in _LOGIN.finditer(text):
            yield found.start(), found.end() - 1
        for found in _NAMES_HOST.finditer(text):
            yield found.span("user")


def _commands(text: str) -> Iterator[Span]:
    """What the command lines in a text hold."""
    if "-" not in text and "@" not in text:
        return
    starts = [(found.start(), found["name"].lower()) for found in _PROGRAM.finditer(text)]
    option = _OPTION.search(text, 0, starts[0][0] if starts else len(text))
    if option:
        starts.insert(0, (option.start(), "curl" if option["curl"] else "ab"))
    for number, (start, name) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        part = text[start:end].rstrip(" \\")  # where a line goes on
        if "-" not in part and "@" not in part:
            continue
        found, closed = words(part)
        argv = [word.text for word in found]
        bare = option is not None and number == 0
        hidden = _hidden([name, *argv], loose=not closed)[1:] if bare else _hidden(argv, loose=not closed)
        for word, spans in zip(found, hidden, strict=True):
            for first, last in spans:
                if first < last <= len(word.text):
                    yield start + word.places[first][0], start + word.places[last - 1][1]


# -- on command lines --------------------------------------------------------------------------------------------------


def _program(name: str) -> str:
    """The program whose option table counts."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe")
    found = re.match(r"abs?(?![a-z])|apachebench|wrk2?|[a-z]+", last)
    return _SAME.get(found.group(), found.group()) if found else ""


def _hidden(argv: Sequence[str], *, loose: bool) -> list[list[Span]]:
    """Where secrets stand in each word. `loose` says that the quotes do not close, so that words are parts of words."""
    if not argv:
        return []
    walk = _Walk(_program(argv[0]), loose)
    return [[], *(_joined(walk.step(word)) for word in argv[1:])]


class _Walk:
    """Goes through the words behind a program's name."""

    def __init__(self, program: str, loose: bool) -> None:
        self._valued = VALUED.get(program, "")
        self._secret = _SECRET.get(program, "")
        self._loose = loose
        self._own = True  # what stands behind "--" is a script's
        self._due = False  # this word is a secret
        self._rest = False  # and so are the next ones, up to an option or a URL
        self._next: Callable[[str], list[Span]] | None = None  # how the value of an option is read

    def step(self, word: str) -> list[Span]:
        """The secrets of the next word."""
        if self._due or (self._rest and not _ENDS.match(word)):
            return self._whole(word)
        self._rest = False
        read, self._next = self._next, None
        if read:
            return self._then(word, read(word))
        if word == "--":
            self._own = False
            return []
        if word.startswith("--"):
            return self._long(word)
        if word.startswith("-") and len(word) > 1 and self._own:
            return self._letters(word)
        if word.startswith("-"):
            return self._long(word)
        return self._then(word, _address(word))

    def _whole(self, word: str) -> list[Span]:
        """A word that is a secret. What follows an unclosed quotation or a bare "Basic" is one as well."""
        more = self._loose or self._rest or word[-1:] in (":", "=", ";", ",")
        self._due = word.lower().rstrip(":") in _SCHEMES or word in (":", "=")
        self._rest = more
        return [(0, len(word))]

    def _long(self, word: str) -> list[Span]:
        name, equals, value = word.partition("=")
        plain = name.lstrip("-")
        secret = bool(_NAME.search(plain)) or (plain.lower() in _USERS and (not equals or ":" in value))
        if not secret:
            if not equals and plain in ("header", "proxy", "url", "data", "body"):
                self._next = _header if plain == "header" else _address
            return self._then(word, _spans(word))
        if equals:
            self._rest = self._loose
            return [(len(name) + 1, len(word))]
        self._due = plain.lower() not in _USERS
        self._next = _login_only
        return []

    def _letters(self, word: str) -> list[Span]:
        for at in range(1, len(word)):
            letter, rest = word[at], at + 1
            if letter not in self._valued:
                continue
            if letter in self._secret:
                if rest == len(word):
                    self._due = True
                    return []
                self._whole(word[rest:])
                return [(rest, len(word))]
            read = _header if letter == "H" else _address if letter in "Xx" else _spans
            if rest == len(word):
                self._next = read
                return []
            return [(start + rest, end + rest) for start, end in self._then(word[rest:], read(word[rest:]))]
        return self._long(word)  # "-password", as some programs have it

    def _then(self, word: str, spans: list[Span]) -> list[Span]:
        """Whether a word says that the next one is a secret: `Authorization:`, `Authorization: Basic`."""
        found = _EMPTY.fullmatch(word)
        if found and _NAME.search(found[1]) and (not found[2] or found[2].lower() in _SCHEMES):
            self._due = self._rest = True
        elif self._loose and spans and spans[-1][1] >= len(word):
            self._rest = True
        elif spans == [(0, 0)]:
            self._due = self._rest = True
        return spans


def _header(text: str) -> list[Span]:
    """A header's value; an empty span where only the name of a secret one stands."""
    return [(0, 0)] if re.fullmatch(r"[\w-]+", text) and _NAME.search(text) else _spans(text)


def _address(text: str) -> list[Span]:
    """An address, or what may be one: with user and password even where the scheme lacks."""
    spans = _spans(text)
    if "@" in text and "://" not in text and not re.search(r"\s", text):
        spans.append((0, max(0, login_end(text))))
    return spans


def _login_only(text: str) -> list[Span]:
    """The value of --user, where it is more than a name."""
    return [(0, len(text))] if ":" in text else _spans(text)


def _retyped(typed: str, word: Word, spans: list[Span]) -> str:
    """A word with its secrets replaced, in the quotation marks that it is typed in."""
    pieces: list[str] = []
    end = word.start
    for first, last in spans:
        start, stop = word.places[first], word.places[last - 1]
        if start[2] != stop[2]:  # begins and ends in different quotations
            return _quoted(_replaced(word.text, spans))
        pieces += (typed[end : start[0]], REDACTED)
        end = stop[1]
    return "".join((*pieces, typed[end : word.end]))


def _quoted(text: str) -> str:
    if re.fullmatch(r"[\w@%+=:,./-]+", text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"
