"""What is kept of each request: one by one up to a limit, beyond it as counts of values, so that memory stays bounded.

A row is a tuple of whole numbers, times in microseconds: END of the request since the run's start, LATENCY, STATUS,
BODY bytes, HEAD bytes, PRETRANSFER and FIRST byte as libcurl has them, CONNECT (0 on a reused connection), and SERVICE
(latency without the wait for a late start; the same as LATENCY in a closed loop).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from hdrh.histogram import HdrHistogram

Row = tuple[int, int, int, int, int, int, int, int, int]
CHUNK = 256  # rows that are taken over at once: more would be a pause that requests can feel
SECOND = 1_000_000
FAMILIES = ("latency", "connect", "processing", "waiting", "first_byte")
SERVICE = "uncorrected_latency"
_LONGEST_US = 24 * 3600 * SECOND
_DIGITS, _BITS = 3, 11
_COARSE_BITS = 8  # of the latencies of a second, which are kept for each second of a run
_DISTINCT = 50_000  # different values that are counted exactly before a histogram takes them over
_TYPES = "QIHQIIIII"


class Values:
    """How often each value was seen: exactly, and beyond 50,000 different ones as an HdrHistogram of 3 digits."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.rounded = False

    def add(self, values: Sequence[int]) -> None:
        """Counts values."""
        self.counts.update(values)
        if len(self.counts) > _DISTINCT:
            self.fold()

    def fold(self, bits: int = _BITS) -> None:
        """Rounds all values up to the bounds of an HdrHistogram's buckets, which have so many bits: 11 are 3 digits."""
        folded: Counter[int] = Counter()
        for value, count in self.counts.items():
            shift = max(0, value.bit_length() - bits)
            folded[((value >> shift) + 1 << shift) - 1] += count
        self.counts, self.rounded = folded, True

    def merge(self, other: Values) -> None:
        """Takes the counts of another one."""
        self.counts.update(other.counts)
        self.rounded = self.rounded or other.rounded

    def ranked(self) -> list[tuple[int, int]]:
        """Values and how often each was seen, ascending."""
        return sorted(self.counts.items())


def recorded(counts: Counter[int]) -> Iterator[tuple[int, int]]:
    """The values of an HdrHistogram (microseconds, 3 digits) with these counts: upper bounds, ascending."""
    histogram = HdrHistogram(1, _LONGEST_US, _DIGITS)
    for value, count in counts.items():
        histogram.record_value(min(max(0, value), _LONGEST_US), count)
    for step in histogram.get_recorded_iterator():
        yield int(step.value_iterated_to), int(step.count_added_in_this_iter_step)


class Samples:
    """The rows of a run. `most` of them are kept one by one."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.columns = [array(code) for code in _TYPES]
        self.values: dict[str, Values] = {name: Values() for name in (*FAMILIES, SERVICE)}
        self.statuses: Counter[int] = Counter()
        self.sizes: Counter[int] = Counter()
        self.head_bytes = self.body_bytes = self.complete = 0
        self.first_length: int | None = None
        self.seconds: dict[int, Values] = {}
        self.error_seconds: Counter[int] = Counter()

    def take(self, rows: list[Row]) -> None:
        """Takes rows over, in the order in which they ended, and empties the list."""
        if not rows:
            return
        if self.first_length is None:
            self.first_length = rows[0][3]
        self.complete += len(rows)
        if len(self.columns[0]) + len(rows) <= self.most:
            for column, values in zip(self.columns, zip(*rows, strict=True), strict=True):
                column.extend(values)
        else:
            self._count(list(zip(*rows, strict=True)))
        rows.clear()

    def _count(self, columns: Sequence[Sequence[int]]) -> None:
        """Counts rows that are not kept."""
        ends, latencies, statuses, sizes, heads, pre, first, connects, services = columns
        self.values["latency"].add(latencies)
        self.values["connect"].add(connects)
        self.values["processing"].add([max(0, a - b) for a, b in zip(services, connects, strict=True)])
        self.values["waiting"].add([max(0, a - b) for a, b in zip(first, pre, strict=True)])
        self.values["first_byte"].add(first)
        self.values[SERVICE].add(services)
        self.statuses.update(statuses)
        self.sizes.update(sizes)
        self.head_bytes += sum(heads)
        self.body_bytes += sum(sizes)
        self._by_second(ends, latencies)

    def _by_second(self, ends: Sequence[int], latencies: Sequence[int]) -> None:
        start = 0
        while start < len(ends):  # rows of one second at a time: ends ascend
            second = ends[start] // SECOND
            stop = start + 1
            while stop < len(ends) and ends[stop] // SECOND == second:
                stop += 1
            if second not in self.seconds:
                for before in self.seconds.values():
                    if not before.rounded:
                        before.fold(_COARSE_BITS)
                self.seconds[second] = Values()
            self.seconds[second].add(latencies[start:stop])
            start = stop

    def settled(self) -> None:
        """Counts the rows that were kept too: to be called once, when the run is over."""
        columns, step = self.columns, 100_000
        for start in range(0, len(columns[0]), step):
            self._count([column[start : start + step] for column in columns])
        self.columns = [array(code) for code in _TYPES]

    def merge(self, other: Samples) -> None:
        """Takes the counts of another process's samples; both are settled."""
        for name, values in other.values.items():
            self.values[name].merge(values)
        for second, values in other.seconds.items():
            self.seconds.setdefault(second, Values()).merge(values)
        self.statuses.update(other.statuses)
        self.sizes.update(other.sizes)
        self.error_seconds.update(other.error_seconds)
        self.head_bytes += other.head_bytes
        self.body_bytes += other.body_bytes
        self.complete += other.complete
        if self.first_length is None:
            self.first_length = other.first_length
