"""Threads: large work leaves the GIL, memory in use stays where it is, settings, forks, ends of threads."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from interpreter import SANITIZED, run_python

import thwrap as th

LARGE = 3_000_000
PATIENCE = 60  # seconds for a thread that has to wait for a core, on a busy machine


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = th.get_num_threads()
    yield
    th.set_num_threads(before)


# The GIL


WORK: dict[str, Callable[[th.Tensor], Any]] = {
    "add": lambda x: x + x,
    "add_": lambda x: x.add_(1),
    "exp": lambda x: x.exp(),
    "sum": lambda x: x.sum(),
    "sort": lambda x: x.sort(),
    "cumsum": lambda x: x.cumsum(0),
    "mm": lambda x: x[:250_000].view(500, 500) @ x[:250_000].view(500, 500),
    "index_select": lambda x: x.index_select(0, INDEX),
    "randn": lambda x: th.randn(LARGE),
    "full": lambda x: th.full((LARGE,), 2),
    "arange": lambda x: th.arange(LARGE),
    "clone": lambda x: x.clone(),
    "to": lambda x: x.to(th.float64),
    "cat": lambda x: th.cat([x, x]),
    "stack": lambda x: th.stack([x[:10]] * 20_000),
}
INDEX = th.arange(LARGE)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Python's threads change only where a call lets go of the GIL: the switch interval is an hour.

    Threads that others are to come beside are started within: who waits for the GIL keeps to the interval of before.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(3600)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


def runs_beside(work: Callable[[], Any], seconds: float) -> bool:
    """Does another thread get on while this one makes calls for this time at most?"""
    started, seen, inside = threading.Event(), threading.Event(), False
    observed: list[bool] = []

    def watch() -> None:
        started.wait()
        observed.append(inside)
        seen.set()

    watcher = threading.Thread(target=watch)
    with uninterrupted():
        watcher.start()
        started.set()
        inside = True
        end = time.monotonic() + seconds
        while not seen.is_set() and time.monotonic() < end:
            work()
        inside = False
    watcher.join()
    return observed == [True]


@pytest.mark.parametrize("name", WORK)
def test_other_threads_run_during_large_work(name: str) -> None:
    th.set_num_threads(1)
    tensor = th.ones(LARGE)
    assert runs_beside(lambda: WORK[name](tensor), PATIENCE)


def test_other_threads_wait_during_small_work() -> None:
    """Letting go of the GIL would cost more than the work."""
    tensor = th.ones(10)
    assert not runs_beside(lambda: tensor + tensor, 0.01)


def test_threads_compute_side_by_side() -> None:
    """Each thread's results are its own."""
    results: dict[int, float] = {}

    def work(number: int) -> None:
        x = th.full((LARGE // 10,), number, dtype=th.float64)
        for _ in range(10):
            x = x * 2 - number
        results[number] = x.sum().item()

    workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == {number: number * LARGE / 10 for number in range(8)}


# Memory that is worked on


IN_USE = "the storage is in use (exported or in a running operation)"
CHANGES: dict[str, Callable[[th.Tensor], Any]] = {
    "resize_": lambda x: x.resize_(2 * LARGE),
    "resize_ smaller": lambda x: x.resize_(5),
    "resize_as_": lambda x: x.resize_as_(th.ones(3)),
    "set_": lambda x: x.set_(th.ones(3)),
    "storage.resize_": lambda x: x.storage().resize_(2 * LARGE),
    "t_": lambda x: x.t_(),
    "transpose_": lambda x: x.transpose_(0, 1),
    "unsqueeze_": lambda x: x.unsqueeze_(0),
    "squeeze_": lambda x: x.squeeze_(),
    "out=": lambda x: th.ones(5, out=x),
}


def sort_while(change: Callable[[th.Tensor], Any]) -> tuple[th.Tensor, th.Tensor, list[str]]:
    """A tensor that another thread changes while it is sorted, the sorted one, and the errors."""
    tensor, started, caught = th.rand(LARGE // 1000, 1000), threading.Event(), []

    def disturb() -> None:
        started.wait()
        try:
            change(tensor)
        except RuntimeError as error:
            caught.append(str(error))

    other = threading.Thread(target=disturb)
    with uninterrupted():
        other.start()
        started.set()
        values, _ = tensor.sort()
    other.join()
    return tensor, values, caught


@pytest.mark.filterwarnings("ignore:ones. out of shape")
@pytest.mark.parametrize("name", CHANGES)
def test_tensors_are_pinned_during_work(name: str) -> None:
    """Other threads may not take memory or sizes away; afterwards they may."""
    th.set_num_threads(1)
    caught: list[str] = []
    end = time.monotonic() + PATIENCE
    while not caught and time.monotonic() < end:  # the other thread may come when all is done
        tensor, values, caught = sort_while(CHANGES[name])
        assert values.shape == (LARGE // 1000, 1000)
    assert len(caught) == 1
    assert caught[0].endswith(IN_USE)
    CHANGES[name](tensor)


def test_out_is_read_while_it_is_resized() -> None:
    """Sizes and memory of a result that others see change only while nobody else runs."""
    flat, deep = th.ones(400, 2000), th.ones(3, 3, 3, 3, 3, 3, 800)
    outs, done, wrong = [th.empty(0)], threading.Event(), []

    def read() -> None:
        while not done.is_set():
            out = outs[0]
            if not (max(out.shape) <= 2000 and 1 <= min(out.stride()) <= max(out.stride()) <= 2000):
                wrong.append(out)
            out.tolist()

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for source in [flat, deep] * 60:
        outs[0] = th.empty(0)
        th.sum(source, 0 if source is flat else 6, out=outs[0])
    done.set()
    for reader in readers:
        reader.join()
    assert not wrong


def test_dropped_operands_live_until_the_work_is_done() -> None:
    """The last name of a tensor goes while another thread still reads it."""
    th.set_num_threads(1)
    before = th.memory_stats()["live_tensors"]
    box, sums = [th.ones(LARGE)], []

    def work() -> None:
        sums.append(box[0].cumsum(0)[-1].item())

    worker = threading.Thread(target=work)
    worker.start()
    while not sums and worker.is_alive():
        box[0] = th.ones(10)
    worker.join()
    assert sums in ([LARGE], [10])
    box.clear()
    assert th.memory_stats()["live_tensors"] == before


# Settings


def test_set_num_threads() -> None:
    for number in (1, 2, 7, 1024):
        th.set_num_threads(number)
        assert th.get_num_threads() == number
    for number in (0, -1, 1025):
        with pytest.raises(
            ValueError,
            match=f"^set_num_threads: expected a number from 1 to 1024, got {number}$",
        ):
            th.set_num_threads(number)
    assert th.get_num_threads() == 1024


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    x = th.randn(1_000_000)
    results = []
    for number in (1, 2, 3, 8):
        th.set_num_threads(number)
        results.append(
            [x.sum(), x.exp().sum(), x.cumsum(0), x.view(1000, 1000).sum(0), x.sort()[0]]
        )
    for other in results[1:]:
        assert all(a.equal(b) for a, b in zip(results[0], other, strict=True))


DEFAULT_THREADS = "import thwrap; print(thwrap.get_num_threads())"


def test_num_threads_from_the_environment() -> None:
    """TH_NUM_THREADS counts where it is a number from 1 to 1024; else it is as if it were not there."""
    default = str(
        min(len(os.sched_getaffinity(0)), int(run_python(DEFAULT_THREADS, TH_NUM_THREADS="")))
    )
    for text, expected in {
        "1": "1",
        "3": "3",
        "1024": "1024",
        "0": default,
        "-2": default,
        "1025": default,
        "two": default,
        "2x": default,
        "99999999999999999999": default,
    }.items():
        assert run_python(DEFAULT_THREADS, TH_NUM_THREADS=text) == expected, text


def test_affinity_is_the_default() -> None:
    code = (
        f"import os; os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}}); {DEFAULT_THREADS}"
    )
    environment = {name: value for name, value in os.environ.items() if name != "TH_NUM_THREADS"}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert run.stdout == "1\n", run.stderr


MOVED_WORKERS = """
import os, time
import thwrap as th
x, first = th.ones(1_000_000), min(os.sched_getaffinity(0))
def tasks():
    return [int(task) for task in os.listdir("/proc/self/task")]
def work(threads):
    th.set_num_threads(threads)
    for _ in range(3):
        x.add_(1)
        time.sleep(0.3)
def become(condition):
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()
work(4)
work(2)
print(become(lambda: len({frozenset(os.sched_getaffinity(task)) for task in tasks()}) == 1))
for task in tasks():
    os.sched_setaffinity(task, {first})
work(4)
print(become(lambda: {tuple(os.sched_getaffinity(task)) for task in tasks()} == {(first,)}))
"""


def test_affinity_is_the_users() -> None:
    """Workers that sleep are kept off a core only while they wake, and where they may run is not set back."""
    assert run_python(MOVED_WORKERS).split() == ["True", "True"]


SHOW_ISA = """
import thwrap as th
print(dict(line.split(None, 2)[1:] for line in th.show_config().splitlines()
           if line.startswith("instruction set"))["set"], th.arange(50.).exp().sum().isfinite().item())
try:
    th.zeros(2) + th.zeros(3)
except ValueError as error:
    assert "(3,)" in str(error), error
"""


def test_instruction_set_from_the_environment() -> None:
    """TH_ISA forces what the machine has; other texts change nothing, errors neither. Sums are the same with each."""
    best = run_python(SHOW_ISA, TH_ISA="")
    assert run_python(SHOW_ISA, TH_ISA="base") == "base True"
    for text in ("mmx", "BASE", "base ", "v3,base"):
        assert run_python(SHOW_ISA, TH_ISA=text) == best


# Forks


def parallel_sum(number: int) -> float:
    """Large enough for all threads of the pool."""
    return (th.full((LARGE,), number, dtype=th.float64) * 2).sum().item()


def in_child(function: Callable[[], bool]) -> bool:
    """Runs in a forked child, which ends without Python's or pytest's clean-up."""
    child = os.fork()
    if child == 0:
        good = False
        try:
            good = function()
        finally:
            os._exit(0 if good else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_forked_child_has_threads_of_its_own() -> None:
    th.set_num_threads(2)
    assert parallel_sum(1) == 2 * LARGE
    assert in_child(lambda: parallel_sum(3) == 6 * LARGE and th.get_num_threads() == 2)
    assert in_child(lambda: in_child(lambda: parallel_sum(4) == 8 * LARGE))
    assert parallel_sum(5) == 10 * LARGE


@pytest.mark.skipif(SANITIZED, reason="the sanitizer's allocator may stay locked in a child")
def test_fork_while_others_compute() -> None:
    """Children of a process whose pool is busy, and whose allocator is in use."""
    th.set_num_threads(2)
    stop = threading.Event()

    def keep_busy() -> None:
        while not stop.is_set():
            parallel_sum(1)

    busy = threading.Thread(target=keep_busy)
    busy.start()
    try:
        for _ in range(5):
            assert in_child(lambda: parallel_sum(3) == 6 * LARGE)
    finally:
        stop.set()
        busy.join()


def test_multiprocessing_fork() -> None:
    th.set_num_threads(2)
    parallel_sum(1)
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map(parallel_sum, range(6)) == [2 * number * LARGE for number in range(6)]


# Ends of threads


def test_what_a_thread_kept_for_reuse_goes_with_it() -> None:
    """Free-lists of a thread that ended are given back; tensors it made stay with whoever has them."""
    made: list[th.Tensor] = []

    def work(keep: bool) -> None:
        tensors = [th.ones(n % 50 + 1) for n in range(2000)]
        if keep:
            made.extend(tensors[:10])

    def run(keep: bool) -> None:
        thread = threading.Thread(target=work, args=(keep,))
        thread.start()
        thread.join()

    run(False)
    before = th.memory_stats()
    for _ in range(20):
        run(False)
    run(True)
    after = th.memory_stats()
    assert after["live_tensors"] == before["live_tensors"] + 10
    assert after["live_storages"] == before["live_storages"] + 10
    assert sum(tensor.sum().item() for tensor in made) == sum(range(1, 11))
    made.clear()
    for name in ("live_tensors", "live_storages", "live_blocks", "live_bytes"):
        assert th.memory_stats()[name] == before[name]


def test_errors_are_of_the_thread_they_happen_on() -> None:
    messages: list[str] = []

    def fail() -> None:
        for _ in range(200):
            try:
                th.ones(2) + th.ones(3)
            except ValueError as error:
                messages.append(str(error))

    thread = threading.Thread(target=fail)
    thread.start()
    for _ in range(200):
        with pytest.raises(ValueError, match=r"^view: shape \(5,\) is invalid for 6 elements$"):
            th.ones(6).view(5)
    thread.join()
    assert set(messages) == {"add: shapes (2,) and (3,) do not broadcast"}
    assert len(messages) == 200


# Generators


def test_generator_shared_by_threads() -> None:
    """A tensor's numbers are drawn without interruption: together the threads get what one gets alone."""
    count, size = 40, 100_000
    generator = th.Generator()
    generator.manual_seed(3)
    alone = [th.rand(size, generator=generator) for _ in range(count)]
    generator.manual_seed(3)
    together: list[th.Tensor] = []

    def draw() -> None:
        for _ in range(count // 4):
            together.append(th.rand(size, generator=generator))

    workers = [threading.Thread(target=draw) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    firsts = {tensor[0].item(): tensor for tensor in alone}
    assert len(together) == count
    for tensor in together:
        assert tensor.equal(firsts.pop(tensor[0].item()))
    assert firsts == {}
