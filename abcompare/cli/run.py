"""`abcompare run`: one or more runs with an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from abcompare.cli import run_options as take
from abcompare.cli.making import EXIT_CODES
from abcompare.cli.options import Append, ColorChoice, Force, Format, Output, Quiet, Verbose

if TYPE_CHECKING:
    from abcompare.records import Archive

EPILOG = f"""
Examples:
  abcompare run -n 10k -c 50 -k http://127.0.0.1:8080/
                                        as ab would: HTTP/1.0 with keep-alive
  abcompare run --like 'wrk -t4 -c100 -d30s http://127.0.0.1:8080/' --runs 5 -o new.json
                                        the load of a command line, five times
  abcompare run -t 30s --rate 2k --http 1.1 -c 100 http://127.0.0.1:8080/ -f ab
                                        2,000 requests a second, printed as ab would
{EXIT_CODES}"""


def run(
    context: typer.Context,
    url: take.Url = None,
    like: take.Like = None,
    requests: take.Requests = None,
    concurrency: take.Concurrency = None,
    duration: take.Duration = None,
    rate: take.Rate = None,
    warmup: take.Warmup = None,
    timeout: take.Timeout = None,
    stall: take.Stall = None,
    variable_length: take.VariableLength = None,
    stop_on_error: take.StopOnError = None,
    threads: take.Threads = None,
    method: take.Method = None,
    head: take.Head = False,
    header: take.Header = None,
    cookie: take.Cookie = None,
    body: take.Body = None,
    body_file: take.BodyFile = None,
    put_file: take.PutFile = None,
    content_type: take.ContentType = None,
    user: take.User = None,
    keep_alive: take.KeepAlive = None,
    http: take.Http = None,
    insecure: take.Insecure = False,
    ca_file: take.CaFile = None,
    certificate: take.Certificate = None,
    private_key: take.PrivateKey = None,
    proxy: take.Proxy = None,
    proxy_user: take.ProxyUser = None,
    unix_socket: take.UnixSocket = None,
    connect_to: take.ConnectTo = None,
    runs: take.Runs = "1",
    engine: take.EngineName = "curl",
    processes: take.Processes = None,
    max_samples: take.MaxSamples = None,
    label: take.RunLabel = None,
    format: Format = None,
    output: Output = None,
    force: Force = False,
    append: Append = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    color: ColorChoice = "auto",
) -> None:
    """Make requests and measure them: a run, or several, in the records that parse gives of a log.

    The letters are ab's, and so is the load that they ask for; -f, -o, -q and -v are abcompare's. On a terminal a line
    on stderr says how far it is.
    """
    from abcompare import running
    from abcompare.cli.console import Console
    from abcompare.cli.making import make
    from abcompare.errors import UsageError

    if url is None and like is None:
        raise UsageError("there is no URL", hint="abcompare run -n 1000 -c 10 http://127.0.0.1:8080/")
    options = take.given(context.params)

    def produce(**watched: Any) -> Archive:
        return running.run(url, like=like, engine=engine, runs=runs, **watched, **options)

    make(Console(color=color, quiet=quiet), produce, format=format, output=output, force=force, append=append, verbose=verbose)
