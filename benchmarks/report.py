"""Tables of Markdown: the short ones of README.md, and results.md with every row."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmarks.results import RIVALS, Result, Run, geometric_mean, size_text
from benchmarks.rows import FAMILIES
from benchmarks.targets import ROW, THREADS, verdicts

FOLDER = Path(__file__).parent
README, ROWS, JSON = "README.md", "results.md", "results.json"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
WORST = 12
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def line(result: Result, threads: int) -> str:
    """One row for the terminal."""
    if result.error:
        return f"{result.title:60} {result.error}"
    cells = (f"{name} {_time(result, name, threads):>8}" for name in (*RIVALS, "thwrap"))
    limit = result.to_limit(threads)
    return (
        f"{result.title:60} {threads} thread{'s' if threads > 1 else ' '}  {'  '.join(cells)}"
        f"  ratio {_number(result.worst_ratio(threads)):>5}"
        + (f"  limit {limit:.2f}" if limit else "")
    )


def write(run: Run, folder: Path, pictures: list[Path]) -> None:
    """README.md's part between the marks, results.md and results.json."""
    folder.mkdir(parents=True, exist_ok=True)
    run.write(folder / JSON)
    (folder / ROWS).write_text("\n".join(_every_row(run)) + "\n")
    readme = folder / README
    head, _, rest = (readme.read_text() if readme.exists() else "").partition(BEGIN)
    _, _, tail = rest.partition(END)
    readme.write_text(head + BEGIN + "\n" + "\n".join(summary(run, pictures)) + "\n" + END + tail)


def summary(run: Run, pictures: list[Path]) -> list[str]:
    """What README.md has between the marks."""
    lines = [*run.machine, *run.remarks, ""]
    lines += _families(run)
    links = (f"[{path.stem.replace('-', ' ')}](pictures/{path.name})" for path in pictures)
    lines += ["", "Pictures: " + ", ".join(links) + "."] if pictures else []
    lines += ["", "| target | measured | |", "|---|--:|---|"]
    lines += [
        f"| {verdict.target} | {verdict.measured} | {'holds' if verdict.held else '**missed**'} |"
        for verdict in verdicts(run)
    ]
    for threads in THREADS:
        lines += ["", *_worst(run, threads)]
    lines += ["", *_python_threads(run), "", "| measured once | |", "|---|--:|"]
    lines += [
        f"| {name} | {value:,.{0 if value >= 100 else 2}f} |" for name, value in run.figures.items()
    ]
    errors = [result for result in run.results if result.error]
    lines += ["", *(f"- {result.title}: {result.error}" for result in errors)] if errors else []
    return lines


def _families(run: Run) -> list[str]:
    """Geometric means."""
    heads = ["family", "rows"]
    for threads in THREADS:
        count = f"{threads} thread{'s' * (threads > 1)}"
        heads += [f"{count}: / numpy", "/ torch", "/ better", f"rows above {ROW}"]
    heads += ["2 threads / 1, 1e7"]
    lines = [_cells(heads), _cells(["---", *["--:"] * (len(heads) - 1)])]
    groups: dict[str, list[Result]] = {name: [] for name in FAMILIES}
    for result in run.results:
        if not result.error:
            groups[result.family].append(result)
    kernels = [result for name, group in groups.items() if name != "calls" for result in group]
    for name, group in [*groups.items(), ("all but calls", kernels)]:
        if group:
            lines.append(_cells([name, str(len(group)), *_means(group)]))
    return lines


def _means(group: list[Result]) -> Iterable[str]:
    for threads in THREADS:
        for library in RIVALS:
            yield _number(geometric_mean(result.ratio(library, threads) for result in group))
        ratios = [ratio for result in group if (ratio := result.worst_ratio(threads))]
        yield _number(geometric_mean(ratios))
        yield str(sum(ratio > ROW for ratio in ratios))
    yield _number(geometric_mean(result.scaling() for result in group if result.size == 10_000_000))


def _worst(run: Run, threads: int) -> list[str]:
    rows = [result for result in run.results if result.worst_ratio(threads)]
    rows.sort(key=lambda result: -(result.worst_ratio(threads) or 0))
    heads = [
        f"worst rows, {threads} thread{'s' * (threads > 1)}",
        *RIVALS,
        "thwrap",
        "/ better",
        "limit",
    ]
    lines = [_cells(heads), _cells(["---", *["--:"] * (len(heads) - 1)])]
    for result in rows[:WORST]:
        times = [_time(result, name, threads) for name in (*RIVALS, "thwrap")]
        limit = _seconds(result.limit.get(threads))
        lines.append(_cells([result.title, *times, _number(result.worst_ratio(threads)), limit]))
    return lines


def _python_threads(run: Run) -> list[str]:
    names = list(dict.fromkeys(name for ratios in run.python_threads.values() for name in ratios))
    if not names:
        return []
    lines = [
        _cells(["two Python threads, their time over one after the other", *names]),
        _cells(["---", *["--:"] * len(names)]),
    ]
    for contest, ratios in run.python_threads.items():
        lines.append(_cells([contest, *(_number(ratios.get(name)) for name in names)]))
    return lines


def _every_row(run: Run) -> list[str]:
    lines = [
        "# Every row of the benchmark",
        "",
        "Written by `make bench`. Times are medians, ± half of what lies between the quartiles. *1* and *2* are",
        "threads; a ratio is thwrap's time over that of the better rival. The limit is what the machine could do:",
        "bytes moved once, or operations. Peak is the resident memory of operands and work, in MB.",
        "",
        *run.machine,
        *run.remarks,
    ]
    heads = [
        "row", "dtype", "size", "numpy", "torch 1", "thwrap 1", "ratio 1", "limit 1",
        "torch 2", "thwrap 2", "ratio 2", "limit 2", "peak numpy", "torch", "thwrap",
    ]  # fmt: skip
    for family in FAMILIES:
        group = [result for result in run.results if result.family == family]
        group.sort(key=lambda result: [row.name for row in FAMILIES[family]].index(result.name))
        if group:
            lines += ["", f"## {family}", "", _cells(heads), _cells(["---"] * 2 + ["--:"] * 13)]
        lines += [_cells(_row(result)) for result in group]
    return lines


def _row(result: Result) -> list[str]:
    cells = [result.name, result.dtype, size_text(result.size)]
    if result.error:
        return [*cells, result.error, *[""] * 11]
    cells.append(_with_spread(result, "numpy", 1))
    for threads in THREADS:
        cells += [_with_spread(result, name, threads) for name in ("torch", "thwrap")]
        cells += [_number(result.worst_ratio(threads)), _seconds(result.limit.get(threads))]
    for name in (*RIVALS, "thwrap"):
        peak = result.peak.get(name)
        cells.append(f"{peak / 1e6:.1f}" if peak is not None else "")
    return cells


def _with_spread(result: Result, library: str, threads: int) -> str:
    timing = result.times.get(library, {}).get(threads)
    return f"{_seconds(timing.median)} ±{timing.spread:.0%}" if timing else "-"


def _time(result: Result, library: str, threads: int) -> str:
    return _seconds(result.seconds(library, threads)) or "-"


def _seconds(seconds: float | None) -> str:
    """Three digits and a unit."""
    if seconds is None:
        return ""
    scale, unit = next((pair for pair in UNITS if seconds >= pair[0] * 0.9995), UNITS[-1])
    value = seconds / scale
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f} {unit}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _cells(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
