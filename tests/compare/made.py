"""Runs made for tests: a load, and as many numbers as a comparison needs."""

from __future__ import annotations

from collections.abc import Sequence

from abcompare.records import Archive, Load, Measure, Run, Source, Target, Tool


def run(
    throughput: float | None, number: int = 0, *, label: str | None = None, concurrency: int = 10, complete: int = 10_000,
    failed: int = 0, length: int = 0, non_2xx: int = 0, tool: str = "ab", path: str = "/", document: int = 612,
    p50: float | None = None, step: float = 0.01, block: int | None = None, order: int | None = None, whole: bool = True,
    received: int = 1_000_000, rate: float | None = None, port: int = 80, **load: object,
) -> Run:
    """One run; `step` is the print step of the throughput, `p50` whole milliseconds."""
    measures = {
        "requests.complete": Measure(complete, "1", str(complete), 0.5),
        "requests.failed": Measure(failed, "1", str(failed), 0.5),
        "bytes.received": Measure(received, "B", str(received), 0.5),
        "duration": Measure(10.0, "s", "10.000", 0.0005),
        "document_length": Measure(document, "B", str(document), 0.5),
    }
    if throughput is not None:
        measures["throughput"] = Measure(throughput, "1/s", f"{throughput:.2f}", step / 2)
    if length:
        measures["errors.length"] = Measure(length, "1", str(length), 0.5)
    if non_2xx:
        measures["requests.non_2xx"] = Measure(non_2xx, "1", str(non_2xx), 0.5)
    if p50 is not None:
        measures["latency.p50"] = Measure(p50 / 1000, "s", f"{p50:g}", 0.0005)
    return Run(
        id=f"{label}-{number}-{throughput}-{path}-{concurrency}-{failed}-{p50}-{block}", tool=Tool(tool, "2.3"), source=Source(f"{label}.txt", number + 1),
        label=label, order=order, block=block, complete=whole,
        target=Target("http", "localhost", port, path, "nginx"),
        load=Load(method="GET", concurrency=concurrency, requests=complete, keep_alive=True, rate_per_s=rate, **load),  # type: ignore[arg-type]
        measures=measures,
    )


def side(label: str, values: Sequence[float | None], **more: object) -> tuple[str, Archive]:
    """A side of runs with these throughputs."""
    runs = tuple(run(value, number, label=label, **more) for number, value in enumerate(values))  # type: ignore[arg-type]
    return label, Archive(runs=runs)
