"""What was measured: lines of results.json, and what is computed from them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.timing import Timing

RIVALS = ("numpy", "torch")
LEAST_PEAK = 2_000_000
"""Bytes below which allocators count, not the row."""


@dataclass
class Result:
    """One case. Times by library and threads; NumPy's one thread stands for all counts where it has no BLAS."""

    family: str
    name: str
    dtype: str
    size: int
    times: dict[str, dict[int, Timing]] = field(default_factory=dict)
    limit: dict[int, float] = field(default_factory=dict)
    """Seconds at the machine's bandwidth, or at its rate of floating-point operations, by threads."""
    peak: dict[str, int] = field(default_factory=dict)
    """Bytes of resident memory that a process of the library has at most, over those before the operands."""
    scalar: bool = False
    error: str = ""

    def seconds(self, library: str, threads: int) -> float | None:
        """The median, if it was measured."""
        times = self.times.get(library, {})
        timing = times.get(threads) or (times.get(1) if library == "numpy" else None)
        return timing.median if timing else None

    def ratio(self, library: str, threads: int) -> float | None:
        """thwrap's time over a rival's."""
        ours, theirs = self.seconds("thwrap", threads), self.seconds(library, threads)
        return ours / theirs if ours and theirs else None

    def worst_ratio(self, threads: int) -> float | None:
        """thwrap's time over that of the better rival."""
        ratios = [ratio for library in RIVALS if (ratio := self.ratio(library, threads))]
        return max(ratios) if ratios else None

    def scaling(self) -> float | None:
        """thwrap's time on two threads over that on one."""
        one, two = self.seconds("thwrap", 1), self.seconds("thwrap", 2)
        return two / one if one and two else None

    def to_limit(self, threads: int) -> float | None:
        """thwrap's time over what the machine could do."""
        ours, limit = self.seconds("thwrap", threads), self.limit.get(threads)
        return ours / limit if ours and limit else None

    def peak_ratio(self) -> float | None:
        """thwrap's resident memory over that of the better rival, where it is more than a few pages."""
        least = min((self.peak[name] for name in RIVALS if name in self.peak), default=0)
        return self.peak["thwrap"] / least if least >= LEAST_PEAK else None

    @property
    def title(self) -> str:
        """For a line of a list."""
        return f"{self.family}/{self.name}, {self.dtype}, {size_text(self.size)}"


def size_text(size: int) -> str:
    """10, 1e3, 2048."""
    exponent = round(math.log10(size))
    return f"1e{exponent}" if exponent > 2 and size == 10**exponent else str(size)


def geometric_mean(values: Iterable[float | None]) -> float | None:
    """Of those that are there."""
    logs = [math.log(value) for value in values if value]
    return math.exp(sum(logs) / len(logs)) if logs else None


@dataclass
class Run:
    """All of a run: results, what was measured once, and with what."""

    machine: list[str]
    results: list[Result] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    """Single figures by name, such as "import thwrap, ms"."""
    python_threads: dict[str, dict[str, float]] = field(default_factory=dict)
    """What a second Python thread gains, by contest and contestant."""
    remarks: list[str] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """As JSON with a line for each result."""
        head = {name: value for name, value in asdict(self).items() if name != "results"}
        lines = [json.dumps(asdict(result), default=float) for result in self.results]
        text = json.dumps(head, indent=1)[:-2] + ',\n "results": [\n  '
        path.write_text(text + ",\n  ".join(lines) + "\n ]\n}\n")

    @classmethod
    def read(cls, path: Path) -> Run:
        """What write() wrote."""
        data = json.loads(path.read_text())
        results = [_result(fields) for fields in data.pop("results")]
        return cls(results=results, **data)


def _result(fields: dict[str, Any]) -> Result:
    """JSON has no numbers as keys."""
    fields["times"] = {
        library: {int(threads): Timing(**timing) for threads, timing in times.items()}
        for library, times in fields["times"].items()
    }
    fields["limit"] = {int(threads): seconds for threads, seconds in fields["limit"].items()}
    return Result(**fields)
