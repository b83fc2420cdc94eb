"""One process of several: `python -m abcompare.engines.curl.worker`, for `processes.py` and nobody else."""

from __future__ import annotations

import os
import pickle
import select
import sys
from typing import IO

import msgspec

from abcompare.engines.curl.local import Local
from abcompare.engines.curl.processes import DONE, FAILED, READY, TOLD, Order, read, write
from abcompare.errors import EngineError
from abcompare.jobs import Progress


def main() -> int:
    """Takes the order, gets ready, begins when all do, and hands over. Ends early when its input is closed."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write between the frames
    try:
        order = msgspec.msgpack.decode(read(source)[1], type=Order)
        _serve(order, source, sink)
    except EngineError as error:
        write(sink, FAILED, msgspec.json.encode((error.message, error.hint)))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return 1
    return 0


def _serve(order: Order, source: IO[bytes], sink: IO[bytes]) -> None:
    def stop() -> bool:
        return bool(select.select([source], [], [], 0)[0])

    def tell(progress: Progress) -> None:
        write(sink, TOLD, msgspec.msgpack.encode(progress))

    local = Local(order.job, stop, order.driver)
    try:
        local.prepare()
        write(sink, READY)
        begin = int(read(source)[1])
        outcome = local.run(tell, begin, (order.which, order.of))
        write(sink, DONE, pickle.dumps(outcome))
    finally:
        local.close()


if __name__ == "__main__":
    sys.exit(main())
