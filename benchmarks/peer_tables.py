"""The tables of `make peers`: all ways, what becomes of other dtypes, our targets, where our time goes."""

from __future__ import annotations

import importlib.metadata
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.machine import describe
from benchmarks.phases import Phases
from benchmarks.ways import Way

# Figure: heading, scale, digits.
COLUMNS = {
    "cold": ("cold, s", 1.0, 2),
    "edited": ("after an edit, s", 1.0, 2),
    "nothing": ("nothing changed, s", 1.0, 2),
    "call": ("call of 10 elements, ns", 1e9, 0),
    "large": ("10 million float32, ms", 1e3, 1),
    "out": ("the same with `out=`, ms", 1e3, 1),
}
PROBES = {
    "float64": "float64",
    "int32": "int32",
    "float16": "float16",
    "mixed": "float32 with float64",
    "sliced": "every second column",
    "broadcast": "a column with a row",
    "in place": "`out=x`",
    "keywords": "`x=x, w=w`",
}
LINES = 5
SECONDS = {"cold": 0.9, "edited": 0.5, "nothing": 0.10}
SECONDS_ALL_DTYPES = {"cold": 1.5, "edited": 0.9, "nothing": 0.10}
RATIOS = {"call": 0.4, "large": 0.7, "out": 1.0}  # to the best of the others
VERSIONS = (
    "numba",
    "jax",
    "cffi",
    "Cython",
    "meson",
    "pybind11",
    "nanobind",
    "cmake",
    "setuptools",
)


@dataclass
class Figures:
    """Seconds by figure, a sample for each round; why there are none."""

    way: Way
    seconds: dict[str, list[float]] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    slow: bool = False

    def add(self, **seconds: float) -> None:
        for name, value in seconds.items():
            self.seconds.setdefault(name, []).append(value)

    def median(self, name: str) -> float | None:
        """None where it was not measured."""
        return statistics.median(self.seconds[name]) if name in self.seconds else None

    def spread(self, name: str) -> float:
        """Half of what lies between the least and the greatest."""
        return (max(self.seconds[name]) - min(self.seconds[name])) / 2


def tables(all_figures: Sequence[Figures], parts: Phases) -> list[str]:
    """Lines of Markdown."""
    return [
        *describe(),
        _versions(),
        "",
        *_main(all_figures),
        "",
        *_dtypes(all_figures),
        "",
        *_targets(all_figures),
        "",
        *parts.table(),
    ]


def _versions() -> str:
    gcc = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=False)
    found = [f"gcc {gcc.stdout.strip()}"]
    for name in VERSIONS:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found) + "."


def _main(all_figures: Sequence[Figures]) -> list[str]:
    headings = " | ".join(heading for heading, _, _ in COLUMNS.values())
    lines = [f"| way | lines | {headings} |", "|---|" + "--:|" * (1 + len(COLUMNS))]
    for figures in all_figures:
        cells = [str(figures.way.lines())] + [_cell(figures, name) for name in COLUMNS]
        if figures.problem and not figures.seconds:
            cells = [cells[0], figures.problem, *[""] * (len(COLUMNS) - 1)]
        elif figures.problem:
            cells[-1] += f" {figures.problem}"
        lines.append(f"| {figures.way.title} | " + " | ".join(cells) + " |")
    return lines


def _cell(figures: Figures, name: str) -> str:
    """The median, and its spread where there are several samples."""
    _, scale, digits = COLUMNS[name]
    median = figures.median(name)
    if median is None:
        return "-"
    text = f"{median * scale:.{digits}f}"
    several = len(figures.seconds[name]) > 1
    return f"{text} ± {figures.spread(name) * scale:.{digits}f}" if several else text


def _dtypes(all_figures: Sequence[Figures]) -> list[str]:
    lines = [
        f"| what becomes of | {' | '.join(PROBES.values())} |",
        "|---|" + "---|" * len(PROBES),
    ]
    for figures in all_figures:
        if figures.dtypes:
            cells = [figures.dtypes.get(name, "-") for name in PROBES]
            lines.append(f"| {figures.way.title} | " + " | ".join(cells) + " |")
    return lines


def _targets(all_figures: Sequence[Figures]) -> list[str]:
    """Each of ours beside its targets."""
    others = [figures for figures in all_figures if not figures.way.ours]
    headings = [COLUMNS[name][0] for name in SECONDS]
    headings += [
        COLUMNS[name][0].rpartition(",")[0] + " / the best of the others" for name in RATIOS
    ]
    lines = [
        f"| targets | lines of YAML | {' | '.join(headings)} |",
        "|---|" + "---|" * (1 + len(COLUMNS)),
    ]
    held, count = 0, 0
    for figures in all_figures:
        if not figures.way.ours or figures.problem:
            continue
        cells = []
        for value, bound in _measured(figures, others):
            hold = round(value, 2) <= bound
            count, held = count + 1, held + hold
            cells.append(f"{round(value, 2):g} of {bound:g}{'' if hold else ', **missed**'}")
        lines.append(f"| {figures.way.title} | " + " | ".join(cells) + " |")
    return [*lines, "", f"{held} of {count} targets hold."]


def _measured(figures: Figures, others: Sequence[Figures]) -> list[tuple[float, float]]:
    """Value and bound of each target, in the order of the columns."""
    found = [(float(figures.way.lines(".yaml")), LINES)]
    seconds = SECONDS_ALL_DTYPES if figures.way.folder.endswith("_all") else SECONDS
    found += [(figures.median(name) or 0.0, bound) for name, bound in seconds.items()]
    for name, bound in RATIOS.items():
        theirs = [median for other in others if (median := other.median(name)) is not None]
        if theirs:
            found.append(((figures.median(name) or 0.0) / min(theirs), bound))
    return found
