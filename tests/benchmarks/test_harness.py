"""What the benchmark computes from its measurements, and how it takes them. No time is asserted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from benchmarks import measure, pictures, report, targets
from benchmarks.cases import Case, Operands
from benchmarks.results import Result, Run, geometric_mean, size_text
from benchmarks.rows.draws import normal, square
from benchmarks.rows.row import Row
from benchmarks.timing import Contestant, Timing, compile_batch, race


def _timing(median: float) -> Timing:
    return Timing(median, 0.9 * median, 1.2 * median, 0.8 * median, 15, 4)


def _result(name: str, numpy: float, torch: float, thwrap: float, **fields: object) -> Result:
    """Times on one thread; two take 0.6 of it."""
    times = {"numpy": {1: _timing(numpy)}}
    for library_name, time in (("torch", torch), ("thwrap", thwrap)):
        times[library_name] = {1: _timing(time), 2: _timing(0.6 * time)}
    return Result("pointwise", name, "float32", 10**7, times, **fields)  # type: ignore[arg-type]


@pytest.fixture
def run() -> Run:
    return Run(
        ["A machine."],
        [
            _result(
                "add", 4.0, 8.0, 2.0, limit={1: 1.9}, peak={"numpy": 10**7, "thwrap": 12 * 10**6}
            ),
            _result("exp", 1.0, 3.0, 2.0),
            Result("pointwise", "sin", "float32", 10, error="Disagreement: other values"),
        ],
        {"import thwrap, ms": 4.0, "full build, s": 70.0},
        {"add": {"numpy": 0.9, "thwrap": 0.5}},
    )


def test_median_and_quartiles() -> None:
    timing = Timing.of([5.0, 1.0, 2.0, 4.0, 3.0], 7)
    assert (timing.median, timing.low, timing.high, timing.least) == (3.0, 2.0, 4.0, 1.0)
    assert (timing.rounds, timing.runs) == (5, 7)
    assert timing.spread == pytest.approx(1 / 3)


@pytest.mark.parametrize("runs", [0, 1, 9, 10, 37])
def test_a_batch_runs_so_many_times(runs: int) -> None:
    seen: list[int] = []
    assert compile_batch("seen.append(n)", {"seen": seen, "n": 3})(runs) >= 0
    assert seen == [3] * runs


def test_a_batch_asks_the_given_clock() -> None:
    ticks = iter([10.0, 13.5])
    assert compile_batch("None", {"m": None}, lambda: next(ticks))(2) == 3.5


def test_contestants_take_turns() -> None:
    turns: list[str] = []

    def batch(name: str) -> Callable[[int], float]:
        def take(runs: int) -> float:
            turns.append(name)
            return 0.002 * runs

        return take

    names = ["one", "other"]
    timings = race({name: Contestant(batch(name)) for name in names}, rounds=15)
    assert turns[-30:] == names * 15
    assert {timing.rounds for timing in timings.values()} == {15}
    assert timings["one"].median == 0.002


def test_a_batch_of_a_fast_statement_has_many_runs() -> None:
    timings = race({"fast": Contestant(lambda runs: 1e-6 * runs)}, rounds=2)
    assert timings["fast"].runs == 2000


def test_contestants_are_made_ready_before_each_batch() -> None:
    order: list[str] = []
    contestant = Contestant(
        lambda runs: order.append("batch") or 1.0, lambda: order.append("ready")
    )
    race({"one": contestant}, rounds=2)
    assert order == ["ready", "batch", "ready", "batch", "ready", "batch"]


def test_pools_are_woken_before_each_batch_unless_it_is_long() -> None:
    turns: list[str] = []

    def contestant(name: str, seconds: float, pool: bool) -> Contestant:
        return Contestant(lambda runs: turns.append(name) or seconds, pool=pool)

    one, two = contestant("one", 0.01, False), contestant("two", 0.01, True)
    race({1: one, 2: two, 3: contestant("long", 0.1, True)}, rounds=2)
    assert turns == ["one", "two", "long", *["one", "two", "two", "long"] * 2]


def test_geometric_mean() -> None:
    assert geometric_mean([0.5, None, 2.0]) == pytest.approx(1.0)
    assert geometric_mean([]) is None


def test_ratios_are_to_the_better_rival_at_equal_threads(run: Run) -> None:
    add = run.results[0]
    assert (add.ratio("numpy", 1), add.ratio("torch", 1)) == (0.5, 0.25)
    assert add.worst_ratio(1) == 0.5
    assert add.ratio("numpy", 2) == pytest.approx(0.3)  # NumPy has one thread
    assert add.scaling() == pytest.approx(0.6)
    assert add.to_limit(1) == pytest.approx(2.0 / 1.9)
    assert add.to_limit(2) is None
    assert add.peak_ratio() == pytest.approx(1.2)
    assert run.results[2].worst_ratio(1) is None


def test_memory_of_a_few_pages_is_not_compared() -> None:
    assert (
        Result("f", "n", "float32", 10, peak={"numpy": 4096, "thwrap": 8192}).peak_ratio() is None
    )


@pytest.mark.parametrize(
    ("size", "text"), [(10, "10"), (1000, "1e3"), (10**7, "1e7"), (2048, "2048"), (200, "200")]
)
def test_size_text(size: int, text: str) -> None:
    assert size_text(size) == text


def test_verdicts(run: Run) -> None:
    judged = {verdict.target: (verdict.measured, verdict.held) for verdict in targets.verdicts(run)}
    one = "kernels, 1 thread: "
    assert judged[one + "geometric mean to the better: at most 0.6"] == ("1", False)
    assert judged[one + "each row to the better: at most 1.05"] == ("1 of 2 rows", False)
    assert judged[one + "time to the machine's limit, 1e7: at most 1.1"] == ("1 of 1 rows", True)
    assert judged["two threads to one, 1e7: at most 0.55"] == ("0 of 2 rows", False)
    assert judged["two Python threads, add: at most 0.55"] == ("0.5", True)
    assert judged["peak memory to the better: at most 1.1"] == ("0 of 1 rows", False)
    assert judged["import thwrap, ms: at most 10"] == ("4", True)
    assert judged["full build, s: at most 60"] == ("70", False)
    assert not any(target.startswith("calls") for target in judged)


def test_what_takes_longer_in_the_caches_does_not_wait_for_memory(run: Run) -> None:
    add = run.results[0]
    add.limit[2] = add.limit[1]
    limit = "kernels, 1 thread: time to the machine's limit, 1e7, where the caches take less: at most 1.1"
    scaling = "two threads to one, 1e7, where the caches take more than the limit: at most 0.55"
    for seconds, waiting, computing in ((0.01, "1 of 1 rows", None), (0.03, None, "0 of 1 rows")):
        near = {"thwrap": {threads: _timing(seconds) for threads in (1, 2)}}
        cached = Result(add.family, add.name, add.dtype, 100_000, near)
        judged = {v.target: v.measured for v in targets.verdicts(Run([], [add, cached]))}
        assert (judged.get(limit), judged.get(scaling)) == (waiting, computing)


def test_tables_name_the_worst_rows_and_the_errors(run: Run, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"Before\n{report.BEGIN}\nold\n{report.END}\nAfter\n")
    report.write(run, tmp_path, [Path("pictures/linear-algebra-sizes.svg")])
    readme = (tmp_path / "README.md").read_text()
    assert readme.startswith(f"Before\n{report.BEGIN}\nA machine.")
    assert readme.endswith(f"{report.END}\nAfter\n")
    assert "| pointwise/exp, float32, 1e7 | 1.00 s | 3.00 s | 2.00 s | 2.00 |  |" in readme
    assert "Pictures: [linear algebra sizes](pictures/linear-algebra-sizes.svg).\n" in readme
    assert "- pointwise/sin, float32, 10: Disagreement: other values" in readme
    assert "| full build, s | 70.00 |" in readme
    assert "| add | float32 | 1e7 | 4.00 s ±15% |" in (tmp_path / "results.md").read_text()
    assert Run.read(tmp_path / "results.json") == run


def test_pictures_are_drawings(run: Run, tmp_path: Path) -> None:
    sized = [
        Result("pointwise", "a < b", "float32", n, run.results[0].times) for n in (10, 100, 1000)
    ]
    written = pictures.write(Run([], [*run.results, *sized]), tmp_path / "pictures")
    assert [path.name for path in written] == ["pointwise-ratios.svg", "pointwise-sizes.svg"]
    texts = [ElementTree.parse(path).getroot().itertext() for path in written]
    assert "exp, float32, 1e7" in [*texts[0]]
    assert "a < b" in [*texts[1]]


def test_bytes_of_views_and_broadcast_operands() -> None:
    square_array = np.zeros((10, 10), np.float32)
    assert measure._extent(square_array) == 400
    assert measure._extent(square_array[:, ::2]) == 396, (
        "every line is moved, up to the last element"
    )
    assert measure._extent(square_array.T[::-1]) == 400
    assert measure._extent(np.broadcast_to(square_array[0], (10, 10))) == 40
    wide = np.zeros((10, 4, 100), np.float32)
    assert measure._extent(wide[:, ::2]) == 10 * 2 * 400
    assert measure._extent(wide[:, 0, :4]) == 10 * 64
    assert measure._extent(wide[..., ::50]) == 10 * 4 * 2 * 64
    assert measure._extent(wide[:, :0]) == 0


def test_limit_of_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure.limits, "rate", lambda dtype, threads: 1e9 * threads)
    row = Row("mm", "a @ b", {"a": normal(square), "b": normal(square)}, flops=lambda n: 4.0 * n)
    case = Case("family", row, "float32", 100)
    limits = [measure._operations(case, threads) for threads in (1, 2)]
    assert limits == [[pytest.approx(400e-9)], [pytest.approx(200e-9)]]
    assert measure._operations(Case("family", row, "int32", 100), 1) == []


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("read", "written"), [(1, 0), (8, 1), (2, 1), (1, 1), (1, 3), (0, 1)])
def test_limit_of_moving(read: int, written: int, threads: int) -> None:
    """What is moved are as many bytes as were asked for, of any share of reading."""
    unit = 1 << 20
    assert measure.limits.moving(1000, 1000, threads) is None
    once = measure.limits.moving(read * unit, written * unit, threads)
    assert once is not None
    assert once.part * len(once.held[0]) * threads * once.share == (read + written) * unit
    assert once.stores == (written * 5 > read)
    assert min(once.batch(4) for _ in range(3)) > 0


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "NAMES", ("numpy", "thwrap"))


def _measured(row: Row) -> Result:
    return measure.measure(Case("family", row, "float32", 10), Operands(), (1, 2), rounds=2)


@pytest.mark.usefixtures("without_torch")
def test_each_library_races_on_each_number_of_threads() -> None:
    given = {"a": normal(), "b": normal()}
    times = _measured(Row("add", "a + b", given)).times
    assert {name: sorted(timings) for name, timings in times.items()} == {
        "numpy": [1],
        "thwrap": [1, 2],
    }
    assert {t.rounds for timings in times.values() for t in timings.values()} == {2}
    assert sorted(_measured(Row("dot", "m.dot(a, b)", given, blas=True)).times["numpy"]) == [1, 2]


@pytest.mark.usefixtures("without_torch")
def test_an_error_is_a_part_of_the_result() -> None:
    wrong = _measured(Row("add", "a + a", {"a": normal()}, "a - a"))
    assert (wrong.error, wrong.times) == ("Disagreement: thwrap's a + a: other values", {})
    unknown = _measured(Row("add", "a + b", {"a": normal()}))
    assert unknown.error == "NameError: name 'b' is not defined"
