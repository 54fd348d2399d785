"""`python -m benchmarks`: thwrap beside NumPy and PyTorch; a whole run rewrites the tables and pictures of this folder.

Some rows alone: `python -m benchmarks --only 'reductions/sum*' --dtype float32 --size 1e5 --threads 1`.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")  # NumPy's; read when it is imported, below

from benchmarks import machine, measure, memory, pictures, processes, report
from benchmarks.cases import Case, Choice, Operands
from benchmarks.libraries import NAMES
from benchmarks.results import Run
from benchmarks.targets import THREADS
from benchmarks.timing import ROUNDS


def _at_least(least: int) -> Callable[[str], int]:
    """Reads an integer, 1e5 for 100000."""

    def read(text: str) -> int:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not number >= least or number % 1 != 0:
            raise argparse.ArgumentTypeError(f"expected an integer from {least} on, got {text!r}")
        return int(number)

    return read


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", default=[], help="families, rows or patterns: 'calls', 'layouts/*row'"
    )
    parser.add_argument("--dtype", nargs="+", default=[])
    parser.add_argument("--size", nargs="+", type=_at_least(1), default=[])
    parser.add_argument("--threads", nargs="+", type=_at_least(1), default=list(THREADS))
    parser.add_argument("--rounds", type=_at_least(2), default=ROUNDS, help="default: %(default)s")
    parser.add_argument(
        "--memory",
        action="store_true",
        help="of the chosen rows, too; a whole run measures it anyway",
    )
    parser.add_argument(
        "--processor-time",
        action="store_true",
        help="of one thread alone, on the processor instead of the clock: for a machine that others use",
    )
    parser.add_argument(
        "--no-build", action="store_true", help="leave out the time of a full build"
    )
    parser.add_argument(
        "--into", type=Path, help="a folder for tables and pictures of what was chosen"
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="tables and pictures from results.json, without measuring",
    )
    options = parser.parse_args()
    options.choice = Choice(tuple(options.only), tuple(options.dtype), tuple(options.size))
    if complaint := options.choice.complaint():
        parser.error(complaint)
    if options.processor_time:
        options.threads = [1]
    return options


def _measure_rows(run: Run, cases: list[Case], options: argparse.Namespace) -> None:
    """Prints each row as it comes."""
    operands = Operands()
    for case in cases:
        result = measure.measure(
            case,
            operands,
            tuple(options.threads),
            options.rounds,
            processor_time=options.processor_time,
        )
        for threads in options.threads:
            print(report.line(result, threads), flush=True)
        run.results.append(result)


def _measure_memory(run: Run, cases: list[Case], every: bool) -> None:
    """Of each row once, at its largest size, unless `every` case is asked for."""
    by_size = sorted(
        range(len(cases)), key=lambda place: (cases[place].size, cases[place].dtype == "float32")
    )
    largest = {cases[place].name: place for place in by_size}.values()  # the last one stays
    places = [
        place for place in by_size if (every or place in largest) and not run.results[place].error
    ]
    peaks, faults = memory.measure([cases[place] for place in places], NAMES)
    for place, peak in zip(places, peaks, strict=True):
        run.results[place].peak = peak
        megabytes = "  ".join(f"{name} {size / 1e6:.1f}" for name, size in peak.items())
        print(f"{run.results[place].title:60} peak MB  {megabytes}")
    run.figures |= {f"page faults of a second temporary, {name}": n for name, n in faults.items()}


def _whole(run: Run, *, build: bool) -> None:
    """What is measured once."""
    from benchmarks import concurrency

    run.python_threads = concurrency.ratios()
    run.figures |= processes.figures(build=build)


def main() -> int:
    options = _options()
    if options.again:
        run = Run.read(report.FOLDER / report.JSON)
    else:
        company = machine.Company()
        run = Run(machine.describe())
        cases = list(options.choice.cases())
        whole = options.choice == Choice() and tuple(options.threads) == THREADS
        _measure_rows(run, cases, options)
        if whole or options.memory:
            _measure_memory(run, cases, every=not whole)
        if whole:
            _whole(run, build=not options.no_build)
        run.remarks = company.remark()
        if options.processor_time:
            run.remarks += ["", "Times are of the processor, not of the clock."]
    if options.again or whole or options.into:
        folder = options.into or report.FOLDER
        drawn = pictures.write(run, folder / "pictures")
        report.write(run, folder, drawn)
        print("\n".join(report.summary(run, drawn)))
    return int(any(result.error for result in run.results))


if __name__ == "__main__":
    sys.exit(main())
