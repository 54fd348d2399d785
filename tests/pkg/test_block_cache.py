"""Memory of large tensors: used again without faults, bounded, given back when told or needed, on any thread."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Iterator

import pytest
from interpreter import run_python

import thwrap as th

pytestmark = pytest.mark.skipif(
    th.memory_stats()["cache_limit"] == 0, reason="the sanitizers want each block back at once"
)

PAGE = resource.getpagesize()
LARGE = 10_000_000  # float32: 40 MB
MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def _cache() -> Iterator[None]:
    """An empty cache with the limit of the start; what else is in memory is the other tests' own."""
    limit, threads = th.memory_stats()["cache_limit"], th.get_num_threads()
    th.empty_cache()
    yield
    th.set_num_threads(threads)
    th.set_cache_limit(limit)
    th.empty_cache()


def cached() -> int:
    return th.memory_stats()["cached_bytes"]


def faults() -> int:
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE


def release(megabytes: int) -> None:
    th.empty(megabytes * MEGABYTE, dtype=th.uint8)


def test_a_large_temporary_faults_once() -> None:
    th.set_num_threads(1)
    a, b = th.ones(LARGE), th.ones(LARGE)
    start = faults()
    assert (a + b)[-1] == 2
    first = faults() - start
    start = faults()
    for _ in range(5):
        assert (a + b)[-1] == 2
    assert faults() - start < 20
    th.empty_cache()
    start = faults()
    assert (a + b)[-1] == 2
    assert faults() - start >= first / 2 >= 5, "without the cache pages are new, if huge ones"


def test_the_cache_has_a_limit_that_can_be_set() -> None:
    th.set_cache_limit(10 * MEGABYTE)
    assert th.memory_stats()["cache_limit"] == 10 * MEGABYTE
    for megabytes in (2, 3, 4, 5, 6):
        release(megabytes)
        assert cached() <= 10 * MEGABYTE
    assert cached() == 6 * MEGABYTE, "the oldest went first; 5 and 6 are more than 10"
    release(11)
    assert cached() == 6 * MEGABYTE, "what is larger than the limit displaces nothing"
    th.set_cache_limit(MEGABYTE)
    assert cached() == 0
    release(2)
    assert cached() == 0


def test_what_is_in_use_is_counted() -> None:
    before = th.memory_stats()
    held = th.zeros(4 * MEGABYTE, dtype=th.uint8)
    stats = th.memory_stats()
    for name in ("live_tensors", "live_storages", "live_blocks"):
        assert stats[name] == before[name] + 1
    assert stats["live_bytes"] == before["live_bytes"] + held.nbytes
    assert stats["allocations"] > before["allocations"]
    del held
    assert th.memory_stats()["live_bytes"] == before["live_bytes"]
    assert cached() == before["cached_bytes"] + 4 * MEGABYTE


def test_an_emptied_cache_is_the_systems() -> None:
    th.ones(LARGE)
    full = resident()
    th.empty_cache()
    assert cached() == 0
    assert full - resident() > LARGE * 4 * 0.9


def test_a_failing_allocation_has_the_cache() -> None:
    """The address space holds the cache or the new tensor, not both."""
    run_python("""
import resource
import thwrap as th

th.set_num_threads(1)
th.set_cache_limit(1 << 30)
[th.empty(64 << 20, dtype=th.uint8) for _ in range(6)]
assert th.memory_stats()["cached_bytes"] == 6 * (64 << 20)
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.RLIM_INFINITY))
large = th.ones(300 << 20, dtype=th.uint8)
assert th.memory_stats()["cached_bytes"] == 0 and large[-1] == 1
try:
    th.empty(1 << 30, dtype=th.uint8)
except MemoryError as error:
    assert "1073741824" in str(error)
else:
    raise AssertionError("there was no room")
""")


def test_memory_released_on_another_thread_is_used_again() -> None:
    held = [th.ones(LARGE)]
    place = held[0].data_ptr()
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert th.empty(LARGE).data_ptr() == place


def test_threads_share_the_cache_and_its_limit() -> None:
    th.set_cache_limit(20 * MEGABYTE)
    most: list[int] = []
    wrong: list[int] = []

    def work(number: int) -> None:
        for i in range(50):
            tensor = th.full((MEGABYTE + i * 1000,), number, dtype=th.uint8)
            if tensor[0] != number or tensor[-1] != number:
                wrong.append(number)
            del tensor
            most.append(cached())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert max(most) <= 20 * MEGABYTE


def test_a_forked_child_has_a_cache_of_its_own() -> None:
    """It may use and empty what it got; the parent's blocks are as they were."""
    kept = th.full((LARGE,), 3)
    release(40)
    before = th.memory_stats()
    child = os.fork()
    if child == 0:
        good = False
        try:
            again = th.full((40 * MEGABYTE,), 7, dtype=th.uint8)
            good = cached() == 0 and again[-1].item() == 7 and kept.sum().item() == 3 * LARGE
            kept.fill_(5)
            del again
            th.empty_cache()
            good = good and cached() == 0
        finally:
            os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert th.memory_stats() == before
    assert kept.sum().item() == 3 * LARGE
