"""What the figures are to show, and whether they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import filterfalse
from operator import methodcaller

from benchmarks.results import Result, Run, geometric_mean

THREADS = (1, 2)
LARGEST, CACHED, SMALL = 10_000_000, 100_000, 1_000
CALLS = {"numpy": 0.30, "torch": 0.06}
BARE_SCALAR = 1.5
ROW, ROWS_TOGETHER = 1.05, 0.60
LIMIT = 1.10
SCALING, NO_COST = 0.55, 1.05
PEAK = 1.10
FIGURES = {
    "import thwrap, ms": 10.0,
    "wheel, MB": 4.0,
    "full build, s": 60.0,
    "page faults of a second temporary, thwrap": 0.0,
}
PYTHON_THREADS = 0.55


@dataclass(frozen=True)
class Verdict:
    """One target: a figure, or how many rows hold it."""

    target: str
    measured: str
    held: bool


def verdicts(run: Run) -> list[Verdict]:
    """All targets that the run has figures for."""
    rows = [result for result in run.results if not result.error]
    calls = [row for row in rows if row.family == "calls"]
    kernels = [row for row in rows if row.family != "calls"]
    return [
        *_calls(calls),
        *_kernels(kernels),
        *_scaling(kernels, run),
        *_memory(rows),
        *_once(run),
    ]


def _calls(calls: list[Result]) -> Iterable[Verdict]:
    for library, bound in CALLS.items():
        mean = geometric_mean(row.ratio(library, 1) for row in calls)
        yield from _mean(f"calls: geometric mean to {library}", mean, bound)
    yield from _count(
        "calls: none slower than torch", calls, lambda row: row.ratio("torch", 1), 1.0
    )
    plain, scalars = ([row for row in calls if row.scalar is kind] for kind in (False, True))
    yield from _count(
        "calls: none slower than numpy", plain, lambda row: row.ratio("numpy", 1), 1.0
    )
    yield from _count(
        "calls: where numpy has a bare scalar",
        scalars,
        lambda row: row.ratio("numpy", 1),
        BARE_SCALAR,
    )


def _kernels(kernels: list[Result]) -> Iterable[Verdict]:
    for threads in THREADS:
        title = f"kernels, {threads} thread{'s' * (threads > 1)}"
        ratios = [row.worst_ratio(threads) for row in kernels]
        yield from _mean(
            f"{title}: geometric mean to the better", geometric_mean(ratios), ROWS_TOGETHER
        )
        yield from _count(
            f"{title}: each row to the better",
            kernels,
            methodcaller("worst_ratio", threads),
            ROW,
        )
        largest = [row for row in kernels if row.size == LARGEST]
        waiting = [*filter(_waits(kernels, threads), largest)]
        for rows, which in ((largest, ""), (waiting, ", where the caches take less")):
            yield from _count(
                f"{title}: time to the machine's limit, 1e7{which}",
                rows,
                methodcaller("to_limit", threads),
                LIMIT,
            )


def _waits(kernels: list[Result], threads: int) -> Callable[[Result], bool]:
    """Whether a row of 1e7 would take less than the machine's limit if its elements took as long as those of 1e5."""

    def key(row: Result) -> tuple[str, ...]:
        return (row.family, row.name, row.dtype)

    near = {
        key(row): seconds * LARGEST / CACHED
        for row in kernels
        if row.size == CACHED and (seconds := row.seconds("thwrap", threads))
    }
    return lambda row: near.get(key(row), 0) < row.limit.get(threads, 0)


def _scaling(kernels: list[Result], run: Run) -> Iterable[Verdict]:
    largest, small = ([row for row in kernels if row.size == size] for size in (LARGEST, SMALL))
    limited = [row for row in largest if 2 in row.limit]
    computing = [*filterfalse(_waits(kernels, 2), limited)]
    for rows, title, bound in (
        (largest, "two threads to one, 1e7", SCALING),
        (computing, "two threads to one, 1e7, where the caches take more than the limit", SCALING),
        (small, "two threads to one, 1e3", NO_COST),
    ):
        yield from _count(title, rows, methodcaller("scaling"), bound)
    for contest, ratios in run.python_threads.items():
        yield from _mean(f"two Python threads, {contest}", ratios["thwrap"], PYTHON_THREADS)


def _memory(rows: list[Result]) -> Iterable[Verdict]:
    yield from _count("peak memory to the better", rows, lambda row: row.peak_ratio(), PEAK)


def _once(run: Run) -> Iterable[Verdict]:
    for name, bound in FIGURES.items():
        yield from _mean(name, run.figures.get(name), bound)


def _mean(title: str, value: float | None, bound: float) -> Iterable[Verdict]:
    if value is not None:
        yield Verdict(f"{title}: at most {bound:g}", f"{value:.3g}", value <= bound)


def _count(
    title: str, rows: list[Result], figure: Callable[[Result], float | None], bound: float
) -> Iterable[Verdict]:
    values = [value for row in rows if (value := figure(row)) is not None]
    if values:
        right = sum(value <= bound for value in values)
        yield Verdict(
            f"{title}: at most {bound:g}", f"{right} of {len(values)} rows", right == len(values)
        )
