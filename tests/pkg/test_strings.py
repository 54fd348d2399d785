"""Long runs, copied and filled by the processor's instructions for strings where that is said to be best."""

from __future__ import annotations

import pytest
from interpreter import run_python

RUNS = """
import random
import thwrap as th

rng = random.Random(7)
memory = bytes(rng.randrange(256) for _ in range(40_000))
for dtype in (th.uint8, th.float16, th.int32, th.float64):
    size, room = dtype.itemsize, bytearray(40_000)
    given, result = th.frombuffer(bytearray(memory), dtype=dtype), th.frombuffer(room, dtype=dtype)
    for _ in range(60):
        n = rng.randrange(1, 20_000 // size)
        begin, place = rng.randrange(20_000 // size), rng.randrange(20_000 // size)
        room[:] = bytes(len(room))
        result[place : place + n].copy_(given[begin : begin + n])
        copied = memory[begin * size : (begin + n) * size]
        assert room == bytes(place * size) + copied + bytes(len(room) - (place + n) * size), (dtype, n)
    rows = given.view(4, -1)
    assert bytes(memoryview(rows[:, 3:].contiguous())) == b"".join(bytes(memoryview(row[3:].clone())) for row in rows)

    # Rows that indices name, some from the end.
    picked = [rng.randrange(-4, 4) for _ in range(9)]
    assert bytes(memoryview(rows[picked])) == b"".join(bytes(memoryview(rows[i].clone())) for i in picked)
    placed, order = th.zeros_like(rows), [2, 0, 3, 1]
    placed.index_copy_(0, th.tensor(order), rows)
    assert bytes(memoryview(placed)) == b"".join(bytes(memoryview(rows[order.index(i)].clone())) for i in range(4))

# Of 1 MB and more, with an element over, and some that stay.
for dtype, number in ((th.int16, 0x0102), (th.float16, 1.5), (th.int32, 0x01020304), (th.float32, 0.1), (th.int64, -2)):
    n = 1_200_001 // dtype.itemsize * 2 + 1
    for begin in (0, 1, 5):
        filled = th.zeros(n + 12, dtype=dtype)
        filled[begin : begin + n].fill_(number)
        element = bytes(memoryview(th.full((1,), number, dtype=dtype)))
        after = n + 12 - begin - n
        assert bytes(memoryview(filled)) == bytes(begin * len(element)) + element * n + bytes(after * len(element))
print("right")
"""


@pytest.mark.parametrize("threads", ["1", "3"])
def test_runs_by_strings(threads: str) -> None:
    said = {"TH_STRINGS": "1", "TH_WRITES": "plain", "TH_NUM_THREADS": threads}
    assert run_python(RUNS, **said) == "right"
