"""The options of `run`, `rerun` and `calibrate URL`: ab's letters where they do not clash, long names for everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

_LOAD, _REQUEST, _CONNECTION, _SERIES, _AGAIN = "Load", "Request", "Connection", "Runs", "What is made again"


def _text(*names: str, metavar: str, help: str, panel: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=panel, show_default=False)


def _flag(*names: str, help: str, panel: str) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, show_default=False)


Url = Annotated[str | None, typer.Argument(metavar="URL", show_default=False, help="What is asked for; http:// where no scheme is named.")]
Like = Annotated[str | None, _text("--like", metavar="COMMAND", help="The load of a command line of ab, wrk or wrk2, which is read and not executed; other options come first.", panel=_LOAD)]
Requests = Annotated[str | None, _text("--requests", "-n", metavar="COUNT", help="How many requests: 1000, 10k, 1M.", panel=_LOAD)]
Concurrency = Annotated[str | None, _text("--concurrency", "-c", metavar="COUNT", help="How many at once.  [default: 1]", panel=_LOAD)]
Duration = Annotated[str | None, _text("--duration", "-t", metavar="TIME", help="For how long: 30, 500ms, 30s, 5m. With -n whichever ends first; alone it sets no -n.  [default: 10s, without -n]", panel=_LOAD)]
Rate = Annotated[str | None, _text("--rate", metavar="COUNT", help="Requests a second on a schedule (open loop), whatever the answers.", panel=_LOAD)]
Warmup = Annotated[str | None, _text("--warmup", metavar="TIME|COUNT", help="What precedes each run and is not counted: 2s, or a number of requests.", panel=_LOAD)]
Timeout = Annotated[str | None, _text("--timeout", metavar="TIME", help="Time limit of one request.", panel=_LOAD)]
Stall = Annotated[str | None, _text("--stall", "-s", metavar="TIME", help="End the run when nothing at all happens for so long.  [default: 30s]", panel=_LOAD)]
VariableLength = Annotated[bool | None, _flag("--variable-length/--fixed-length", "-l", help="Answers of another length are no failures.", panel=_LOAD)]
StopOnError = Annotated[bool | None, _flag("--stop-on-error/--go-on", " /-r", help="End the run at the first error that is no answer, or count it and go on.  [default: go on]", panel=_LOAD)]
Threads = Annotated[int | None, typer.Option("--threads", metavar="N", min=1, help="Threads of a tool that has them (wrk).", rich_help_panel=_LOAD, show_default=False)]

Method = Annotated[str | None, _text("--method", "-m", metavar="METHOD", help="GET, HEAD, POST, PUT, …", panel=_REQUEST)]
Head = Annotated[bool, _flag("--head", "-i", help="HEAD.", panel=_REQUEST)]
Header = Annotated[list[str] | None, _text("--header", "-H", metavar="'NAME: VALUE'", help="A header line; may be repeated.", panel=_REQUEST)]
Cookie = Annotated[list[str] | None, _text("--cookie", "-C", metavar="NAME=VALUE", help="A cookie; may be repeated.", panel=_REQUEST)]
Body = Annotated[str | None, _text("--body", metavar="TEXT", help="The body; POST without a method.", panel=_REQUEST)]
BodyFile = Annotated[str | None, _text("--body-file", "-p", metavar="FILE", help="A file that holds the body; POST without a method.", panel=_REQUEST)]
PutFile = Annotated[str | None, _text("--put-file", "-u", metavar="FILE", help="The same with PUT.", panel=_REQUEST)]
ContentType = Annotated[str | None, _text("--content-type", "-T", metavar="TYPE", help="The body's type.  [default: text/plain]", panel=_REQUEST)]
User = Annotated[str | None, _text("--user", "-A", metavar="USER:PASSWORD", help="Basic authentication.", panel=_REQUEST)]

KeepAlive = Annotated[bool | None, _flag("--keep-alive/--no-keep-alive", "-k", help="Many requests on one connection.  [default: no with HTTP/1.0, else yes]", panel=_CONNECTION)]
Http = Annotated[str | None, _text("--http", metavar="1.0|1.1|2|3", help="Version of HTTP.  [default: 1.0 as ab, 1.1 where an engine has no other]", panel=_CONNECTION)]
Insecure = Annotated[bool, _flag("--insecure", help="Do not verify certificates.", panel=_CONNECTION)]
CaFile = Annotated[str | None, _text("--ca-file", metavar="FILE", help="Certificates to trust.", panel=_CONNECTION)]
Certificate = Annotated[str | None, _text("--cert", "-E", metavar="FILE", help="The client's certificate.", panel=_CONNECTION)]
PrivateKey = Annotated[str | None, _text("--key", metavar="FILE", help="Its key.", panel=_CONNECTION)]
Proxy = Annotated[str | None, _text("--proxy", "-X", metavar="HOST:PORT", help="A proxy; the environment's are not used.", panel=_CONNECTION)]
ProxyUser = Annotated[str | None, _text("--proxy-user", "-P", metavar="USER:PASSWORD", help="Its authentication.", panel=_CONNECTION)]
UnixSocket = Annotated[str | None, _text("--unix-socket", metavar="PATH", help="Connect to a socket in place of host and port.", panel=_CONNECTION)]
ConnectTo = Annotated[str | None, _text("--connect-to", metavar="HOST:PORT", help="Connect there; the request and TLS name the URL's host.", panel=_CONNECTION)]

Runs = Annotated[str, typer.Option("--runs", metavar="N", help="How many runs.", rich_help_panel=_SERIES)]
EngineName = Annotated[str, typer.Option("--engine", metavar="NAME", help="What makes them: curl, ab, wrk, … (abcompare plugins).", rich_help_panel=_SERIES)]
Processes = Annotated[str | None, _text("--processes", metavar="N|auto", help="Processes of the engine; auto: one a core.  [default: 1]", panel=_SERIES)]
MaxSamples = Annotated[str | None, _text("--max-samples", metavar="COUNT", help="Requests kept one by one; beyond them a histogram has the distribution.  [default: 1M]", panel=_SERIES)]
RunLabel = Annotated[str | None, _text("--label", metavar="LABEL", help="The configuration that the runs are of.", panel=_SERIES)]

Target = Annotated[str | None, _text("--target", metavar="URL", help="The server in place of the archived ones: scheme, host and port.", panel=_AGAIN)]
Map = Annotated[list[str] | None, _text("--map", metavar="OLD=NEW", help="The server in place of one archived host: host, host:port or scheme://host:port on either side; may be repeated, and comes before --target.", panel=_AGAIN)]
AgainBody = Annotated[str | None, _text("--body-file", "-p", metavar="FILE", help="The body that logs do not hold, for all runs that have one.", panel=_REQUEST)]
Scale = Annotated[str, typer.Option("--scale", metavar="FACTOR", help="Counts and durations times this; at least one request a connection, and 1 s.", rich_help_panel=_AGAIN)]

_NAMES = (
    "requests", "concurrency", "duration", "rate", "threads", "method", "header", "content_type", "body", "body_file", "user", "keep_alive",
    "http", "timeout", "stall", "warmup", "variable_length", "stop_on_error", "processes", "max_samples", "proxy", "proxy_user",
    "unix_socket", "connect_to", "ca_file", "certificate", "private_key", "insecure", "label",
)
_EITHER = ("keep_alive", "variable_length", "stop_on_error")  # False is an answer, None is none


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `abcompare.run` that were given on a command line. Raises UsageError for those that exclude one another."""
    from abcompare.errors import UsageError
    from abcompare.inputs import shown

    found = {name: values[name] for name in _NAMES if values.get(name) not in (None, [], (), False) or (values.get(name) is False and name in _EITHER)}
    if "label" in found:
        found["label"] = shown(found["label"])
    if values.get("cookie"):
        found["cookie"] = "; ".join(values["cookie"])
    if values.get("head"):
        if "method" in found:
            raise UsageError("-i is HEAD, and -m names a method: choose one")
        found["method"] = "HEAD"
    if values.get("put_file") is not None:
        if "body_file" in found or "body" in found:
            raise UsageError("-u is a body to PUT, and there is another one: choose one")
        found["body_file"] = values["put_file"]
        found.setdefault("method", "PUT")
    return found
