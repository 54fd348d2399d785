"""Inputs that lie apart in much memory, where it is asked for ahead and where they are read in turns."""

from __future__ import annotations

import numpy
import pytest
from interpreter import run_python

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.drawing import tensor

READS = ["asked", "plain"]

BLOCKS = """
import re
import thwrap as th
a, b = (th.zeros(100_000, 8, dtype=th.float64)[:, :3] for _ in range(2))
for operands in ((a, b), (a, a), (a[:1000], b[:1000])):
    print(re.search(r"blocks of (\\d+) elements", repr(th.explain(th.add, *operands)))[1])
"""

FAR = """
import thwrap as th
th.manual_seed(16)
one, other = (th.randint(-100, 100, (170_000, 8), dtype=dtype) for dtype in (th.DTYPES))
for n in (3, 7):
    a, b = one[:, :n], other[:, 8 - n :]
    near = th.maximum(a.clone(), b.clone())
    assert th.equal(th.maximum(a, b), near)
    assert th.equal(th.maximum(a, b.clone()), near)
    assert th.equal(a < b, a.clone() < b.clone())
a, b = one.reshape(-1)[::4], other.reshape(-1)[2::4]
near = th.maximum(a.clone(), b.clone())
assert th.equal(th.maximum(a, b), near)
between, near = other[:, 1].clone(), th.minimum(b.clone(), a.clone().to(b.dtype))
b.minimum_(a.to(b.dtype))
assert th.equal(b, near)
assert th.equal(other[:, 1], between)
print("the same")
"""

PARTS = """
import thwrap as th
th.manual_seed(16)
SHAPES = (
    ((9000, 25), 3, 23),
    ((2000, 150), 20, 130),
    ((900, 700), 30, 330),
    ((300, 6100), 0, 5000),
    ((40, 9, 400), 7, 393),
    ((9, 90000), 1, 70000),
)
for dtype in (th.float32, th.float64, th.uint8, th.int32):
    for shape, start, stop in SHAPES:
        one, other = (th.randint(0, 100, shape, dtype=dtype) for _ in range(2))
        for x, y in ((one, other), (one.flip(0), other), (one[::3], other[::3])):
            a, b = x[..., start:stop], y[..., start:stop]
            near, beside = (z.clone() for z in (a, b))
            for f in (lambda a, b: a - b, lambda a, b: a * 3, lambda a, b: th.addcmul(b, a, b), lambda a, b: a < b):
                assert th.equal(f(a, b), f(near, beside))
                assert th.equal(f(a, beside), f(near, beside))
            for dtype in (th.float64, th.float32, th.int16):
                assert th.equal(a.to(dtype), near.to(dtype))
print("the same")
"""

TURNED = """
import numpy
import thwrap as th

th.manual_seed(17)
for dtype in (th.uint8, th.int16, th.float32, th.float64):
    for shape in ((1300, 700), (2100, 333), (530, 1200), (2048, 1024), (3, 1500, 400), (640, 41, 77)):
        x = th.randint(0, 100, shape, dtype=dtype)
        for part in (x, x[..., 1:-3], x[:, 5:]):
            for turned in (part.transpose(-1, -2), part.transpose(0, 1), part.permute(*reversed(range(part.ndim)))):
                array = turned.numpy()
                assert numpy.array_equal(turned.contiguous().numpy(), array)
                room = th.zeros(turned.numel() + 12, dtype=dtype)
                out = room[5:-7].view(*turned.shape)
                assert numpy.array_equal(out.copy_(turned).numpy(), array)
                assert room[:5].sum() == room[-7:].sum() == 0
                beside = th.randint(0, 20, turned.shape, dtype=dtype)
                assert numpy.array_equal((beside - turned).numpy(), beside.numpy() - array)
                assert numpy.array_equal(th.addcmul(turned, beside, beside).numpy(), array + beside.numpy() ** 2)
                assert numpy.array_equal(th.add(turned, beside, out=beside.clone()).numpy(), array + beside.numpy())
                assert numpy.array_equal(th.sub(turned, 3, out=out).numpy(), array - 3)
                assert room[:5].sum() == room[-7:].sum() == 0
print("the same")
"""


@pytest.mark.parametrize(
    ("reads", "rows", "first"),
    [("asked", "followed", "504"), ("plain", "followed", "192"), ("asked", "single", "240")],
)
def test_several_are_gathered_in_turns(reads: str, rows: str, first: str) -> None:
    """In shorter blocks than one of them, or than near ones, unless what comes next is asked for and not in turn."""
    blocks = run_python(BLOCKS, TH_READS=reads, TH_ROWS=rows).split()
    assert blocks == [first, "504", "504"]


@pytest.mark.parametrize("reads", READS)
@pytest.mark.parametrize(
    "dtypes", ["float64, th.float64", "float32, th.float32", "int64, th.int32", "int16, th.int64"]
)
def test_results_are_those_of_near_ones(dtypes: str, reads: str) -> None:
    """Of rows and steps, beside what does not lie apart, and in place."""
    assert run_python(FAR.replace("DTYPES", dtypes), TH_READS=reads) == "the same"


@pytest.mark.parametrize("ahead", ["0", "9216"])
@pytest.mark.parametrize(
    ("writes", "rows"), [("asked", "followed"), ("plain", "followed"), ("plain", "single")]
)
def test_parts_of_rows_are_streamed_alike(writes: str, rows: str, ahead: str) -> None:
    """Whatever is asked for ahead of them: what comes of copies."""
    settings = {"TH_STREAM": "100000", "TH_WRITES": writes, "TH_ROWS": rows, "TH_AHEAD": ahead}
    assert run_python(PARTS, **settings) == "the same"


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize(("rows", "threads"), [("single", "1"), ("single", "3"), ("followed", "3")])
def test_transposed_ones_are_streamed_alike(rows: str, threads: str, isa: str) -> None:
    """Of long and short lines, whose rows begin anywhere in their cache lines: moved and computed with."""
    settings = {"TH_STREAM": "100000", "TH_ROWS": rows, "TH_ISA": isa, "TH_NUM_THREADS": threads}
    assert run_python(TURNED, **settings) == "the same"


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64"])
def test_channels_of_pixels(dtype: str, threads: int) -> None:
    """Of more than stays near they take turns: moved, converted and computed with they are those of few."""
    th.set_num_threads(threads)
    for shape in ((700, 901, 3), (2, 1200, 500, 4)):
        array = (numpy.arange(numpy.prod(shape)) % 251).astype(dtype).reshape(shape)
        order = (*range(len(shape) - 3), -1, -3, -2)
        planes = numpy.ascontiguousarray(array.transpose(order))
        pixels = tensor(array).permute(*order)
        assert pixels.contiguous().numpy().tobytes() == planes.tobytes()
        made = th.zeros(*pixels.shape, dtype=pixels.dtype)
        assert th.sub(tensor(planes), pixels, out=made).count_nonzero().item() == 0
        wide = th.zeros(*pixels.shape, dtype=th.float64)
        assert numpy.array_equal(wide.copy_(pixels).numpy(), planes.astype("float64"))
