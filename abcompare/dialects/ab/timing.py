"""The duration, the rates and the means of an ab report: what was printed, and what it means (T1–T5 of formats.md)."""

from __future__ import annotations

from msgspec.structs import replace

from abcompare.bounds import Span
from abcompare.dialects.ab.evidence import padded, run_time, thousandth
from abcompare.dialects.ab.printed import Item, Printed
from abcompare.dialects.ab.versions import Traits
from abcompare.dialects.draft import Draft

_RATE_UNITS = {1024: "kB/s", 1000: "1000B/s", 1: "B/s"}


def number(text: str) -> float:
    """A printed number, without thousands marks."""
    return float(text.replace(",", ""))


class Timing:
    """Enters duration, throughput, means, bytes and transfer rates into a draft."""

    def __init__(self, printed: Printed, traits: Traits, draft: Draft) -> None:
        self.printed = printed
        self.traits = traits
        self.draft = draft
        self.complete = printed.integer("COMPLETE")
        self.throughput = self._throughput()
        self.closed, self.across = self._means()

    def enter(self) -> None:
        """Everything, in the order in which one number bears on the next."""
        self._enter_duration()
        self._enter_throughput()
        self._enter_means()
        self._enter_bytes()
        self._enter_rates()

    # -- what the numbers say of the run time ------------------------------------------------------------------------

    def _throughput(self) -> float | None:
        text = self.printed.text("THROUGHPUT")
        if text is None:
            return None
        value = number(text)
        return value / 1000 if self.printed.html and self._thousandfold(value) else value

    def _thousandfold(self, value: float) -> bool:
        """Whether -w's rate is 1000 times too large: what the duration says, else what the version says."""
        taken = self.printed.items.get("TAKEN")
        if taken and self.complete:
            seconds = thousandth(taken.text) if self.traits.html_time else number(taken.text)
            if seconds > 0.002:
                return value * seconds / self.complete > 30
        return self.traits.html_rate

    def _means(self) -> tuple[Item | None, Item | None]:
        """The two lines Time per request: of the closed loop, and across all requests."""
        closed = [item for item, qualifier in self.printed.requests if qualifier != "across"]
        across = [item for item, qualifier in self.printed.requests if qualifier == "across"]
        if len(closed) > 1 and not across:
            across = [closed[1]]
        if len(across) > 1 and not closed:  # both lines labelled alike by hand: ab prints the larger one first
            closed, across = across[:1], across[1:]
        return (closed[0] if closed else None), (across[0] if across else None)

    def _time(self) -> Span | None:
        unit = 1.0 if self.traits.request_unit == "s" else 1e-3
        across = number(self.across.text) * unit if self.across else None
        return run_time(self.complete, self.throughput, across, 0.0005 * unit)

    # -- what is entered ---------------------------------------------------------------------------------------------

    def _enter_duration(self) -> None:
        item = self.printed.items.get("TAKEN")
        if item is None:
            return
        measure = self.draft.number("duration", item.text, unit="s", base="s")
        plain = number(item.text)
        style = self._style(item.text, plain)
        if style == "plain":
            return
        value = padded(item.text) if style == "padded" else thousandth(item.text)
        resolution = 5e-7 if style == "padded" else 5e-4
        if value == plain:
            if resolution != measure.resolution:
                self.draft.number("duration", item.text, unit="s", base="s")
            return
        known = self._time()
        evidence = self._evidence(known)
        fault = "microseconds without their leading zeros" if style == "padded" else "milliseconds as if they were microseconds"
        code = "AB-TIME-PADDING" if style == "padded" else "AB-TIME-MILLISECONDS"
        self.draft.correct("duration", value, code, f"this ab prints {fault}: {item.text} s is {value:.6f} s ({evidence})", at=item.at, resolution=resolution)

    def _evidence(self, known: Span | None) -> str:
        if known is None:
            return "known of this version"
        told = [f"at {self.printed.text('THROUGHPUT')}/s"] if self.throughput else []
        told += [f"{self.across.text} {self.traits.request_unit} each"] if self.across else []
        return f"{self.complete} requests {', '.join(told)} take {known.low:.6g}–{known.high:.6g} s"

    def _style(self, text: str, plain: float) -> str:
        """How the duration is printed: by the version first, and where it is lost or contradicted, by evidence."""
        style: str = self.traits.time
        if self.printed.html:
            style = "thousandth" if self.traits.html_time else "plain"
        if "," in text or "." not in text:
            return "plain"
        decimals = len(text) - text.index(".") - 1
        known = self._time()
        if style == "plain" and self.traits.era is None:
            if known and not known.holds(plain, 6e-4) and known.holds(padded(text), 2e-6 + 3e-7 * plain):
                return "padded"
            return "padded" if decimals in (4, 5) and not (known and known.holds(plain, 6e-4)) else "plain"
        if style != "plain" and known and known.holds(plain, 1e-6):
            value = padded(text) if style == "padded" else thousandth(text)
            if not known.holds(value, 1e-3 * value):
                return "plain"  # mended by hand before it was pasted
        return style

    def _enter_throughput(self) -> None:
        item = self.printed.items.get("THROUGHPUT")
        if item is None:
            return
        measure = self.draft.number("throughput", item.text, unit="", base="1/s")
        if self.throughput is not None and self.throughput != measure.value:
            self.draft.correct(
                "throughput", self.throughput, "AB-HTML-RATE",
                f"this ab -w prints a rate 1000 times too large: {item.text} is {self.throughput:.2f}/s ({self.complete} requests in {self.printed.text('TAKEN')} s)",
                at=item.at, resolution=(measure.resolution or 0) / 1000,
            )

    def _enter_means(self) -> None:
        seconds = self.traits.request_unit == "s" or (self.traits.era is None and self._all_in_seconds())
        for name, item in (("latency.closed_loop_mean", self.closed), ("latency.per_request_mean", self.across)):
            if item is None:
                continue
            self.draft.number(name, item.text, unit="ms", base="s")
            if seconds and self._in_seconds(item, name):
                value = number(item.text)
                self.draft.correct(name, value, "AB-REQUEST-SECONDS", f"this ab prints seconds under the label [ms]: {item.text} is {value:g} s", at=item.at, resolution=0.0005)

    def _all_in_seconds(self) -> bool:
        """Whether, without a banner, the mean across all fits the throughput in seconds only (2.0.17–2.0.36)."""
        if not self.across or not self.throughput:
            return False
        value = number(self.across.text)
        return abs(value * self.throughput - 1) < 0.001 + 0.0006 / value if value > 0.002 else False

    def _in_seconds(self, item: Item, name: str) -> bool:
        """Whether the version's fault is there: what the throughput says, else yes."""
        if not self.throughput or name != "latency.per_request_mean":
            return True
        value = number(item.text)
        return abs(value - 1 / self.throughput) <= abs(value / 1000 - 1 / self.throughput) + 0.0006

    def _enter_bytes(self) -> None:
        names = (("document_length", "LENGTH"), ("bytes.received", "RECEIVED"), ("bytes.body", "BODY"), ("bytes.sent", "SENT"))
        for name, label in names:
            item = self.printed.items.get(label)
            if item:
                self.draft.number(name, item.text, unit="B", base="B")
        self._unwrap()

    def _unwrap(self) -> None:
        """Byte counters of 32 bits that ran over (T5): below zero, or far below what the bodies must add up to."""
        length, failed = self.printed.integer("LENGTH"), self.printed.integer("FAILED")
        full = length * self.complete if length and self.complete and not failed else None
        floor = 0
        for name, label in (("bytes.body", "BODY"), ("bytes.received", "RECEIVED")):
            item = self.printed.items.get(label)
            if item is None:
                continue
            value = int(number(item.text))
            least = max(floor, full or 0)
            if value < 0 or (self.traits.truncates and full and full >= 2**31 and value < full * 0.9):
                turns = -(-(least - value) // 2**32)
                mended = value + turns * 2**32 if full and turns > 0 else None
                said = f"it is {mended}" if mended is not None else "the true value cannot be recovered"
                self.draft.correct(name, mended, "AB-COUNTER-WRAPPED", f"a 32-bit counter ran over: {item.text} bytes is too little for {self.complete} bodies of {length} bytes; {said}", at=item.at)
                value = mended or 0
            floor = max(floor, value)

    def _enter_rates(self) -> None:
        for name, label, count in (
            ("transfer_rate.received", "TRANSFER", "bytes.received"),
            ("transfer_rate.sent", "TRANSFER_SENT", "bytes.sent"),
            ("transfer_rate.total", "TRANSFER_TOTAL", None),
        ):
            item = self.printed.items.get(label)
            if item is not None:
                self._enter_rate(name, item, count)

    def _enter_rate(self, name: str, item: Item, count: str | None) -> None:
        rate = number(item.text)
        factor = self._factor(rate, self._bytes(count))
        measure = self.draft.number(name, item.text, unit=_RATE_UNITS[factor], base="B/s")
        if rate < 0:
            said = f"a rate below zero, {item.text}, was computed from a counter that ran over"
            self.draft.correct(name, None, "AB-COUNTER-WRAPPED", said, at=item.at)
        elif factor != 1024 and rate > 0:
            unit = "bytes per second" if factor == 1 else "units of 1000 bytes"
            code = "AB-HTML-TRANSFER-RATE" if factor == 1 else "AB-RATE-UNIT"
            said = f"this ab's transfer rate is in {unit}: {item.text} is {measure.value:.6g} B/s"
            self.draft.find(code, "corrected", said, at=item.at, measure=name, printed=item.text, value=measure.value)
        elif self.traits.time == "padded" and name == "transfer_rate.received" and not self.printed.html:
            self._floored(name, item)

    def _floored(self, name: str, item: Item) -> None:
        """2.0.17 to 2.2.8 divide whole KiB by the time (T4): the rate is cut by up to 1024 B in all."""
        duration = self.draft.measures.get("duration")
        measure = self.draft.measures[name]
        if duration is None or not duration.value or measure.value is None:
            return
        half = 512 / duration.value
        if half > (measure.resolution or 0):
            self.draft.measures[name] = replace(measure, resolution=half, rounding="down")
        if half > 0.01 * measure.value:
            said = f"this ab drops a part of a KiB before it divides: {item.text} may be up to {2 * half / 1024:.2f} too low"
            self.draft.find("AB-RATE-FLOORED", "info", said, at=item.at, measure=name, printed=item.text)

    def _bytes(self, count: str | None) -> float | None:
        names = [count] if count else ["bytes.received", "bytes.sent"]
        values = [self.draft.measures[name].value for name in names if name in self.draft.measures]
        return sum(value for value in values if value is not None) if values and None not in values else None

    def _factor(self, rate: float, total: float | None) -> int:
        """Bytes in a unit of the rate: the version's, unless the bytes and the run time fit another one only."""
        wanted = 1000 if self.traits.rate_unit == "1000B/s" else 1024
        if self.printed.html and self.traits.html_bytes:
            wanted = 1
        duration = self.draft.measures.get("duration")
        known = self._time()
        bounds = [(known.low + known.high, known.high - known.low)] if known else []
        if duration and duration.value:
            bounds.append((2 * duration.value, 2 * (duration.resolution or 0)))
        if not total or not bounds or rate <= 0:
            return wanted
        double, width = min(bounds, key=lambda one: one[1] / one[0])  # the run time that is known best
        seconds = double / 2
        slacks = [1e-6 + 0.0051 / rate + width / double]
        if self.traits.time == "padded" or self.traits.era is None:
            slacks.append(slacks[0] + 1024 / total)  # a part of a KiB is dropped before the division
        candidates = [wanted, *(factor for factor in (1024, 1000, 1) if factor != wanted and (factor > 1 or self.printed.html))]
        fitting = (factor for slack in slacks for factor in candidates if abs(total / seconds / factor / rate - 1) <= slack)
        return next(fitting, wanted)
