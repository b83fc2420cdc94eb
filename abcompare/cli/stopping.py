"""Ctrl-C and SIGTERM while requests are made: the run ends early, and what was measured is kept."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped:
    """Whether a signal came. The first one asks the run to end, a second Ctrl-C ends the program."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._came = False

    def __call__(self) -> bool:
        """What an engine is given as `stop`."""
        return self._came

    def take(self, number: int, frame: FrameType | None) -> None:
        """The handler. An engine's own processes inherit it; the signal is for the one that started them."""
        if self._came and number == signal.SIGINT and os.getpid() == self._process:
            raise KeyboardInterrupt
        self._came = True


@contextmanager
def stoppable() -> Iterator[Stopped]:
    """Takes SIGINT and SIGTERM while the block runs."""
    stopped = Stopped()
    before = {number: signal.signal(number, stopped.take) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
