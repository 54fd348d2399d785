"""`python -m benchmarks`: measures, prints, and rewrites the tables of README.md. `--help` shows what can be chosen."""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's; read when it is imported, below

from benchmarks import concurrency, machine, processes
from benchmarks.libraries import LIBRARIES
from benchmarks.report import Report, row_name
from benchmarks.rows import GROUPS, Row, Target
from benchmarks.timing import Batch, compile_batch, race

IMPORT_TARGET_SECONDS = 0.012


class Disagreement(Exception):
    """Two libraries computed different things."""


def prepare(row: Row) -> dict[str, Batch]:
    """The row's contestants, after one run of each and a look at the results."""
    import numpy as np

    arrays = row.operands()
    batches: dict[str, Batch] = {}
    expected = None
    for library in LIBRARIES:
        statement = row.spelled(library.name)
        if not statement:
            continue
        library.set_threads(row.threads)
        names = {"m": library.module} | {
            name: library.tensor(array) for name, array in arrays.items()
        }
        result = library.result(eval(statement, {}, names)) if row.compare else None
        if expected is None:
            expected = result
        elif not np.allclose(result, expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max()):
            raise Disagreement(f"{library.name}'s result of {statement} is another")
        batches[library.name] = compile_batch(statement, names)
    return batches


def measure(report: Report, row: Row, unit: str, seconds: float) -> None:
    """One row of the table."""
    name = row_name(row)
    try:
        batches = prepare(row)
    except Exception as error:
        report.missing(name, row.statement, error)
        return
    report.row(name, race(batches, seconds, pools=row.threads > 1), unit, row.target)


def measure_imports(report: Report) -> None:
    """Milliseconds of importing, over a bare Python."""
    times = processes.imports()
    report.heading("Import, over a bare Python", "ms")
    bound = IMPORT_TARGET_SECONDS
    held = times["thwrap"] <= bound
    report.row(
        "import", {name: times[name] for name in ("numpy", "torch", "thwrap")}, "ms", Target()
    )
    report.judge("import", held)
    report.add(
        "",
        f"A bare Python takes {times['python'] * 1e3:.1f} ms; the target is {bound * 1e3:g} ms over it.",
    )


def measure_concurrency(report: Report) -> None:
    """What a second Python thread gains."""
    lines, ratios = concurrency.table()
    report.add(*lines)
    for name, ratio in ratios.items():
        report.judge(f"two Python threads, {name}", ratio <= concurrency.TARGET)


def measure_builds(report: Report) -> None:
    """Seconds of building."""
    times = processes.builds()
    report.add(
        "", f"Full build: {times['full']:.0f} s; with nothing to do: {times['nothing']:.2f} s."
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument(
        "only",
        nargs="*",
        help="rows and groups that have this in their name; leaves README.md alone",
    )
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="for each row (default: %(default)s)"
    )
    parser.add_argument("--build", action="store_true", help="time a full build, too")
    options = parser.parse_args()

    company = machine.Company()
    report = Report()
    report.add(*machine.describe())
    for group in GROUPS:
        rows = [row for row in group.rows if _wanted(options.only, group.title, row_name(row))]
        if rows:
            report.heading(group.title, group.unit)
        for row in rows:
            measure(report, row, group.unit, options.seconds)
    if not options.only:
        measure_concurrency(report)
        measure_imports(report)
    if options.build:
        measure_builds(report)
    report.add(*company.remark(), "", report.summary())
    if not options.only:
        report.write()


def _wanted(only: list[str], *names: str) -> bool:
    return not only or any(part in name for part in only for name in names)


if __name__ == "__main__":
    main()
