"""Pointwise operations on operands of any size and layout: what one element gives does not depend on either."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy
import pytest
from interpreter import SANITIZED, run_python

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.declared import FLOATS
from wrapgen.testing.drawing import draw, tensor


def test_results_lie_as_operands_do() -> None:
    """A new result has its dims in memory in the order of the first operand of its shape."""
    permuted = th.zeros(2, 3, 4).permute(2, 0, 1)  # strides (1, 12, 4)
    assert permuted.exp().stride() == (permuted + permuted).stride() == (1, 12, 4)
    assert (th.ones(2, 3) + permuted).stride() == (permuted < 1).stride() == (1, 12, 4)
    assert permuted.to(th.int16).stride() == (1, 12, 4)
    for made in (permuted.div(3, rounding_mode="trunc"), permuted.masked_fill(permuted > 0, 1)):
        assert made.stride() == th.zeros_like(permuted).stride() == (1, 12, 4)
    assert permuted[:, :, :2].exp().stride() == (1, 8, 4)  # without gaps
    plain = th.zeros(4, 2, 3)
    assert (plain + permuted).is_contiguous()
    assert (permuted + plain).stride() == (1, 12, 4)
    assert th.zeros(4, 1).expand(4, 5).exp().is_contiguous()
    assert (th.zeros(4, 1) + th.zeros(5, 1).t()).is_contiguous()
    out = th.zeros(4, 2, 3)
    assert th.exp(permuted, out=out).is_contiguous()


FAR = 1_100_003  # elements of two bytes in two operands: more than the engine does without strips


def far(rng: numpy.random.Generator, dtype: str, layout: str) -> th.Tensor:
    if layout == "strided":
        return tensor(draw(rng, dtype, (FAR, 2), None, False))[:, 1]
    return tensor(draw(rng, dtype, (FAR,), None, False))


STREAMED = """
import hashlib
import thwrap as th

th.manual_seed(1)
base = th.rand(7, 50, 131) * 90
digest = hashlib.sha256()
for dtype in (th.float32, th.float64, th.int8, th.float16, th.bool):
    a = base.to(dtype)
    five = a[:, :49, :121].contiguous().view(7, 7, 7, 11, 11)
    views = [a.permute(2, 1, 0), a.permute(1, 2, 0), a[:, :3].transpose(0, 1), five.permute(4, 1, 3, 2, 0)]
    views += [five.permute(2, 4, 1, 3, 0), a.view(350, 131)[:, 1:20].t(), a.view(350, 131).t()]
    views += [a.view(7, 6550), a.view(350, 131)]
    views += [a, a[1:, :, 1:], a.transpose(1, 2), a[:, :, ::2], a.flip(2)[:, :, :3], a[:, 3:4], a[1, 2]]
    for x in views:
        y = x.contiguous()
        room = th.zeros(x.numel() + 11, dtype=dtype)
        out = room[5 : 5 + x.numel()].view(x.shape)
        th.where(x > y, x, y, out=out)
        results = [x.clone(), x == y, th.maximum(x, x[..., :1]), x.to(th.float64), x.to(th.int16), room]
        results += [th.full(x.shape, 3, dtype=dtype), room.clone()[3:].fill_(3), x.expand(2, *x.shape).contiguous()]
        results += [th.cat([x, y], -1), th.cat([y[:1], y[1:], y[:0], x])]
        results += [x.flip(0), y.view(-1).flip(0), th.flip(y.view(-1), (0,), out=room.clone()[3 : 3 + y.numel()])]
        results += [x + 1, x.float().exp(), x.add(y).t() if x.ndim == 2 else x.mul(y), out.add_(x), x < 3]
        results += [y + x, th.where(y > 3, x, y), y.clone().copy_(x)]
        results += [x + y[:1], th.where(y > 3, x, y[:1]), x < y[:1], th.maximum(y, x[:1])]
        results += [th.exp(y.to(th.int16)), y.to(th.int64) / y.to(th.uint8), th.sin(x.double()), th.hypot(x, y.float())]
        results += [y.to(th.float64) * x.to(th.int64), y.to(th.int16) * x, y.to(th.float32) * x.to(th.int32)]
        results += [x.cumsum(0), x.cumprod(-1), x.cumsum(x.ndim // 2)]
        results += [y[y > 3], x[y < 50], x.nonzero(), y.view(-1).nonzero()]
        results += [x.index_select(0, th.tensor([1, 0, 2])), th.ger(y.view(-1)[:50], y.view(-1)[1:401])]
        if dtype in (th.float32, th.float64, th.float16):
            results += [x.softmax(0), y.log_softmax(0), th.softmax(y, x.ndim // 2, out=y)]
        for result in results:
            digest.update(str(result.shape).encode() + bytes(memoryview(result.contiguous())))
print(digest.hexdigest())
"""


STREAMED_ROWS = """
import hashlib
import thwrap as th

th.manual_seed(2)
digest = hashlib.sha256()
for size, dtype in ((1, th.uint8), (2, th.int16), (4, th.float32), (8, th.float64)):
    wide = (th.rand(9, 5001) * 90).to(dtype)
    places = th.randint(0, 5001, (9, 5001))
    results = [th.gather(wide, 0, places % 9), th.gather(wide, 1, places), th.gather(wide.t(), 0, places.t())]
    results += [wide.index_select(1, places[0]), wide[:, places[1]], th.take(wide, places), wide[places % 9, places]]
    for result in results:
        digest.update(bytes(memoryview(result.contiguous())))
    for n in (2, 3, 4, 5, 7, 8, 10, 12, 17, 25, 31, 49, 64, 81, 100, 127, 128, 255, 333, 511, 1023):
        if n * size > 1100:
            break
        x = (th.rand(23, 19, n) * 90).to(dtype)
        flat, column = x.view(437, n), x.view(437, n)[:, :1]
        turned, part = x.transpose(0, 1), x[..., 1:]
        room = th.zeros(x.numel() + 11, dtype=dtype)
        out = room[3 : 3 + x.numel()]
        index = th.randint(0, 19, (40,))
        places = th.randint(0, n, (437, n))
        out.view(19, 23, n).copy_(turned)
        results = [room.clone(), turned.contiguous(), part.contiguous(), x[:, 1:-1].contiguous()]
        out.view(437, n).copy_(column.expand(437, n))
        results += [room, column.expand(437, n).clone(), column.repeat_interleave(n), th.tile(column, (1, n))]
        results += [part + part, part * part[:1], part + column.view(23, 19, 1), turned + turned, part.add(x[..., :-1])]
        results += [part.to(th.float64) + x[..., :1].to(th.int32), turned[..., 1:] + part.transpose(0, 1)]
        results += [part.to(target) for target in (th.bool, th.int8, th.float16, th.int32, th.int64, th.float64)]
        results += [th.cat([flat, column], 1), th.cat([flat, flat[:, 1:], column], 1), th.stack([flat, flat, flat], 2)]
        results += [x.index_select(1, index), flat.index_select(0, index), x[:, index], flat[index]]
        results += [flat.index_select(1, places[0]), th.take(flat, places), flat.view(-1)[places[:9].view(-1)]]
        results += [flat[:, places[1]], flat[index[:, None], places[2]], x[..., ::2].clone()]
        results += [th.gather(flat, 1, places)]
        results += [flat.repeat_interleave(index[:1].expand(437) % 5, 0)]
        if dtype.is_floating_point and n in (2, 5, 49, 100, 128):
            for softmax in (th.softmax, th.log_softmax):
                softmax(turned, 1, out=out.view(19, 23, n))
                results += [softmax(x, dim) for dim in (0, 1, 2)] + [room.clone(), softmax(part, 2), softmax(part, 1)]
                results += [softmax(flat, 0, out=flat.clone()), softmax(x, 2, out=x.clone())]
        for result in results:
            digest.update(str(result.shape).encode() + bytes(memoryview(result.contiguous())))
for dtype in (th.float32, th.float64):
    for shape in ((3, 20001), (5, 3001), (1101, 140), (2, 1500, 70), (30, 12, 50), (2, 300, 600)):
        x = th.rand(shape, dtype=dtype) * 90
        for dim in range(len(shape)):
            here = x.clone()
            for result in (x.softmax(dim), x.log_softmax(dim), here.softmax(dim, out=here)):
                digest.update(bytes(memoryview(result)))
print(digest.hexdigest())
"""


# Streamed from so many bytes on; what is read; bytes asked for ahead; into which cache; what is written; rows; threads.
# The last: nothing.
SETTINGS = [
    ("1", "plain", "0", "second", "plain", "followed", "3"),
    ("1", "asked", "16384", "second", "asked", "single", "3"),
    ("1", "asked", "9216", "first", "plain", "single", "1"),
    ("1", "asked", "0", "second", "plain", "followed", "1"),
    ("1", "plain", "0", "first", "plain", "asked", "1"),
    (str(1 << 40), "asked", "9216", "first", "plain", "single", "3"),
]


@pytest.mark.parametrize("script", [STREAMED, STREAMED_ROWS], ids=["layouts", "rows"])
@pytest.mark.parametrize("isa", isas.available())
def test_streamed_results_are_the_same(isa: str, script: str) -> None:
    """Where results go past the caches, of any dtype and layout and at any place of memory.

    Sanitizers see the first settings, which have every loop that streams; the others they see in other tests.
    """
    digests = {
        run_python(
            script,
            TH_STREAM=start,
            TH_READS=reads,
            TH_AHEAD=ahead,
            TH_ASKS=asks,
            TH_WRITES=writes,
            TH_ROWS=rows,
            TH_ISA=isa,
            TH_NUM_THREADS=threads,
        )
        for start, reads, ahead, asks, writes, rows, threads in SETTINGS[: 2 if SANITIZED else None]
    }
    assert len(digests) == 1


@pytest.mark.parametrize("layout", ["contiguous", "strided", "mixed"])
@pytest.mark.parametrize("dtype", FLOATS)
def test_large_work_is_as_small_work(dtype: str, layout: str) -> None:
    """What is large is done in strips; each part has the bits of the same call on that part."""
    rng = numpy.random.default_rng(11)
    a, b = far(rng, dtype, layout), far(rng, "int8" if layout == "mixed" else dtype, layout)
    calls = {
        "neg": lambda x, y: -x,
        "add": lambda x, y: x + y,
        "add number": lambda x, y: x + 3,
        "compare": lambda x, y: x < y,
        "maximum": th.maximum,
        "sqrt": lambda x, y: x.abs().sqrt(),
        "copy": lambda x, y: x.clone(),
        "in place": lambda x, y: x.clone().mul_(y),
    }
    for name, call in calls.items():
        whole = call(a, b)
        parts = [
            call(a[start : start + 99_991], b[start : start + 99_991])
            for start in range(0, FAR, 99_991)
        ]
        assert whole.numpy().tobytes() == th.cat(parts).numpy().tobytes(), name


UPDATED = """
import thwrap as th

n, part = 200_003, 9_991
for dtype in (th.float32, th.int32, th.float64):
    th.manual_seed(1)
    a = (th.rand(n) * 90).to(dtype)[1:]
    for update in (lambda x: x.clamp_(3, 80), lambda x: x.mul_(3), lambda x: x.sub_(x).add_(2)):
        whole = update(a.clone())
        parts = th.cat([update(each.clone()) for each in a.split(part)])
        assert bytes(memoryview(whole)) == bytes(memoryview(parts)), dtype
    if dtype.is_floating_point:
        parts = th.cat([each.exp() for each in a.split(part)])
        assert bytes(memoryview(a.clone().exp_())) == bytes(memoryview(parts)), dtype
"""


@pytest.mark.parametrize("ahead", ["0", "9216"])
def test_large_updates_are_as_small_ones(ahead: str) -> None:
    """What one thread updates in place may be asked for where the machine streams results."""
    run_python(UPDATED, TH_STREAM="100000", TH_AHEAD=ahead, TH_NUM_THREADS="1")


UNARY = ["neg", "abs", "sqrt", "floor", "round", "reciprocal", "square", "exp", "tanh", "sigmoid"]
BINARY = ["add", "mul", "div", "floor_divide", "remainder", "fmod", "maximum", "lt", "atan2", "pow"]
REDUCING = ["sum", "prod", "mean", "std", "amax", "argmin", "logsumexp", "norm"]


@pytest.mark.parametrize("dtype", [*FLOATS, "int32", "uint8"])
def test_few_elements_have_the_results_of_many(dtype: str) -> None:
    """Few elements may go to loops of another instruction set, which computes the same."""
    rng = numpy.random.default_rng(5)
    one, other = (tensor(draw(rng, dtype, (40, 21), "positive", False)) for _ in range(2))
    for names, call in (
        (UNARY, lambda name, n: getattr(one[:n].clone(), name)()),
        (BINARY, lambda name, n: getattr(th, name)(one[:n].clone(), other[:n].clone())),
        (BINARY, lambda name, n: getattr(th, name)(one[:n].clone(), 3)),
        (REDUCING, lambda name, n: getattr(one[:n].clone(), name)(dim=1)),
    ):
        for name in names:
            if dtype not in FLOATS and name in ("mean", "std", "logsumexp", "norm"):
                continue
            many = call(name, 40)
            for n in (1, 3, 9):
                few = call(name, n).numpy()
                assert few.tobytes() == many[:n].clone().numpy().tobytes(), (name, n)


SMALL_LAYOUTS: dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
    "plain": lambda array: array,
    "transposed": lambda array: array.T.copy().T,
    "steps": lambda array: array.repeat(2, -1)[..., ::2],
    "rows apart": lambda array: array.repeat(2, 0)[::2],
    "a row": lambda array: numpy.broadcast_to(array[:1], array.shape),
    "a column": lambda array: numpy.broadcast_to(array[..., :1], array.shape),
}


@pytest.mark.parametrize(
    "shape", [(7, 9), (64, 1), (5, 13), (16, 16), (1, 255), (257, 1), (2, 3, 4)]
)
@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64"])
def test_few_elements_of_any_layout(dtype: str, shape: tuple[int, ...]) -> None:
    """Around the sizes up to which strided and broadcast operands are gathered without a plan."""
    rng = numpy.random.default_rng(11)
    array, other = (rng.integers(-9, 9, shape).astype(dtype) for _ in range(2))

    def lying(values: numpy.ndarray, layout: str) -> th.Tensor:
        if layout == "a row":
            return th.tensor(values[:1]).expand(*shape)
        if layout == "a column":
            return th.tensor(values[..., :1]).expand(*shape)
        return th.from_numpy(SMALL_LAYOUTS[layout](values.copy()))

    for one, two in itertools.product(SMALL_LAYOUTS, repeat=2):
        first, second = lying(array, one), lying(other, two)
        expected = SMALL_LAYOUTS[one](array) * 2 - SMALL_LAYOUTS[two](other)
        assert numpy.array_equal((first * 2 - second).numpy(), expected), (one, two)
        assert numpy.array_equal((second - first.double()).numpy(), second.numpy() - first.numpy())
        if one in ("a row", "a column"):
            continue
        out, kept = lying(array, one), first.clone()
        assert numpy.array_equal(th.sub(kept * 2, second, out=out).numpy(), expected)
        assert numpy.array_equal(first.mul_(2).sub_(second).numpy(), expected)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["int64", "float64", "float32"])
def test_few_columns_beside_what_lies_transposed(dtype: str, threads: int) -> None:
    """Results whose rows are of two to four elements, with operands that are runs along the other dims."""
    rng = numpy.random.default_rng(15)
    used = th.get_num_threads()
    try:
        th.set_num_threads(threads)
        for n, rows, more in (
            (2, 64, 1),
            (3, 63, 1),
            (3, 40, 21),
            (2, 9000, 1),
            (3, 1200, 10),
            (4, 70, 3),
        ):
            narrow = rng.integers(-9, 9, (rows, more, n)).astype(dtype).transpose(2, 0, 1)
            run, other = (rng.integers(-9, 9, (n, rows, more)).astype(dtype) for _ in range(2))
            a, b, c = th.from_numpy(narrow), th.from_numpy(run), th.from_numpy(other)
            assert numpy.array_equal((a + b).numpy(), narrow + run)
            assert numpy.array_equal((a * 2 - b).numpy(), narrow * 2 - run)
            assert numpy.array_equal(th.addcmul(a, b, c).numpy(), narrow + run * other)
            assert numpy.array_equal((a - b[:, :1]).numpy(), narrow - run[:, :1])
            assert numpy.array_equal((a < b).numpy(), narrow < run)
            expected = narrow + run
            assert numpy.array_equal(a.add_(b).numpy(), expected)
    finally:
        th.set_num_threads(used)


@pytest.mark.parametrize("stride", [2**60, 2**61, 2**62, 2**63 - 1])
@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64"])
def test_strides_that_nobody_uses_are_any_number(dtype: str, stride: int) -> None:
    """Those of dims of one element, and of tensors without elements, whose bytes do not fit 64 bits."""
    for size, strides in (
        ((1, 40_000), (stride, 1)),
        ((200, 1, 200), (200, stride, 1)),
        ((1, 150, 200), (stride, 250, 1)),
        ((1, 5), (stride, 2)),
        ((100, 1), (7, stride)),
        ((0, 40_000), (1, stride)),
        ((40_000, 0), (stride, stride)),
    ):
        memory = th.arange(40_000).to(getattr(th, dtype))
        used = tuple(1 if n == stride else n for n in strides)
        view, plain = (
            th.empty(0, dtype=memory.dtype).set_(memory.storage(), 0, size, each)
            for each in (strides, used)
        )
        calls: list[Callable[[th.Tensor], th.Tensor]] = [
            lambda x: x + x,
            lambda x: x.clone(),
            lambda x: x.to(th.float64),
            lambda x: th.cat([x, x]),
            lambda x: x.roll(1, 0),
            lambda x: x.cumsum(-1),
            lambda x: x.sum(-1),
            lambda x: x.reshape(x.shape[0], -1, 1).diagonal(0, 0, 2) if x.numel() else x,
        ]
        for call in calls:
            got, expected = call(view), call(plain)
            assert got.shape == expected.shape
            assert got.reshape(-1).numpy().tobytes() == expected.reshape(-1).numpy().tobytes()
        assert th.equal(view, plain.clone())
        assert view.fill_(3).eq(3).all()


@pytest.mark.parametrize("rows", [5, 300, 40_000])
@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "float16", "float32", "float64"])
def test_short_rows_are_as_long_ones(dtype: str, rows: int) -> None:
    """Rows of any length out of longer ones, also of the result, and such that are repeated."""
    rng = numpy.random.default_rng(12)
    calls = {
        "maximum": th.maximum,
        "compare": lambda x, y: x < y,
        "where": lambda x, y: th.where(x == y, x, y),
        "of two dtypes": lambda x, y: th.maximum(x.to(th.float64), y),
    }
    for n in (2, 4, 7, 8, 9, 16, 17, 31, 33, 64, 65, 79, 127) if rows < 1000 else (17, 33):
        wide = tensor(draw(rng, dtype, (rows, n + 5), None, False))
        a, b, row = wide[:, 1 : n + 1], wide[:, 4 : n + 4], wide[:1, 1 : n + 1]
        for name, call in calls.items():
            for x, y in ((a, b), (a, row), (row, b), (a, a[:, :1])):
                expected = call(x.expand(a.shape).clone(), y.expand(a.shape).clone()).contiguous()
                assert call(x, y).numpy().tobytes() == expected.numpy().tobytes(), (name, n)
        narrow = th.zeros(rows, n + 2, dtype=wide.dtype)
        th.maximum(a, b, out=narrow[:, 1:-1])
        assert narrow[:, 1:-1].clone().numpy().tobytes() == th.maximum(a, b).numpy().tobytes()
        assert not narrow[:, :1].any()
        assert not narrow[:, -1:].any()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_short_steps_of_any_length(dtype: str) -> None:
    """Whole vectors and less, up to the last element of the memory; what lies between stays."""
    rng = numpy.random.default_rng(15)
    for step, n in itertools.product((2, 3, 4), range(1, 140)):
        array = draw(rng, dtype, ((n - 1) * step + 1,), None, False)
        memory = tensor(array)
        steps, plain = memory[::step], array[::step].copy()
        assert steps.clone().numpy().tobytes() == plain.tobytes(), (step, n)
        assert th.maximum(steps, tensor(plain[::-1].copy())).tolist() == (
            numpy.maximum(plain, plain[::-1]).tolist()
        )
        assert (steps == memory.clone()[::step]).all()
        steps.mul_(steps)
        array[::step] *= plain
        assert memory.numpy().tobytes() == array.tobytes(), (step, n)


@pytest.mark.parametrize("shape", [(1000,), (7, 65), (3, 2, 600)])
@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_strided_operands_are_as_contiguous_ones(dtype: str, shape: tuple[int, ...]) -> None:
    """What is computed where it lies, with numbers and columns, too; what lies between stays."""
    rng = numpy.random.default_rng(16)
    calls: dict[str, Callable[[th.Tensor, th.Tensor], th.Tensor]] = {
        "add": lambda x, y: th.add(x, y, alpha=3),
        "mul": lambda x, y: x * y,
        "neg": lambda x, _: -x,
        "abs": lambda x, _: x.abs(),
        "maximum": th.maximum,
        "number": lambda x, _: 5 - x,
        "clamp": lambda x, y: x.clamp(y, y + 1),
        "compare": lambda x, y: x < y,
        "addcmul": lambda x, y: th.addcmul(x, y, x, value=2),
    }
    for step in (2, 3, 9):
        wide = [
            tensor(draw(rng, dtype, (*shape[:-1], shape[-1] * step), None, False)) for _ in "xy"
        ]
        x, y = (each[..., ::step] for each in wide)
        for name, call in calls.items():
            for a, b in ((x, y), (x, y.contiguous()), (x.contiguous(), y), (x, y[..., :1])):
                expected = call(a.contiguous(), b.expand(a.shape).contiguous())
                got = call(a, b).contiguous()
                assert got.numpy().tobytes() == expected.numpy().tobytes(), (name, step)
        before, expected = wide[0].clone(), x + y
        x.add_(y)
        assert x.tolist() == expected.tolist()
        before[..., ::step] = expected
        assert wide[0].tolist() == before.tolist()
        before = wide[1].clone()
        wide[1][..., 1::step].copy_(x)
        before[..., 1::step] = expected
        assert wide[1].tolist() == before.tolist()


@pytest.mark.parametrize("n", [70, 300, 700])
@pytest.mark.parametrize(
    "dtypes", [("float32", "int32"), ("float64", "float32"), ("int64", "int8")]
)
def test_rows_of_two_dtypes(dtypes: tuple[str, str], n: int) -> None:
    """Out of longer ones, so that those that need no conversion are read and written where they lie."""
    rng = numpy.random.default_rng(17)
    wide, narrow = (tensor(draw(rng, each, (9, n + 6), None, False)) for each in dtypes)
    a, before = wide[:, 2:-4], wide.clone()
    for b in (narrow[:, :n], narrow[:, :n].clone(), narrow[:1, 1 : n + 1], narrow[:, :1]):
        expected = (a.clone() + b.to(a.dtype).expand(a.shape).clone()).tolist()
        assert (a + b).tolist() == expected
        a.add_(b)
        assert a.tolist() == expected
    assert wide[:, :2].tolist() == before[:, :2].tolist()
    assert wide[:, -4:].tolist() == before[:, -4:].tolist()


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("shape", [(70, 90), (17, 300), (2, 129, 65)])
@pytest.mark.parametrize("dtypes", ["float64 int8", "float32 int64", "int64 int32 int16"])
def test_tiles_that_are_converted(dtypes: str, shape: tuple[int, ...]) -> None:
    """Operands of several dtypes, some of which lie transposed, or in longer rows."""
    rng = numpy.random.default_rng(len(dtypes))
    for dtype, other, *_ in itertools.permutations((dtypes + " uint8").split()):
        a = tensor(rng.integers(1, 50, shape)).to(getattr(th, dtype))
        b = tensor(rng.integers(1, 50, shape)).to(getattr(th, other))
        across = b.transpose(-1, -2).contiguous().transpose(-1, -2)
        within = th.zeros(*shape[:-1], shape[-1] + 3, dtype=a.dtype)[..., 3:].copy_(a)
        for function in (th.add, th.lt, th.maximum):
            expected = function(a, b)
            for x in (a, within):
                assert th.equal(function(x, across), expected)
        expected = th.clamp(a, b, b + 5)
        assert th.equal(th.clamp(within, across, across + 5), expected)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("shape", [(1100, 70), (3, 1500), (2, 40, 316)])
@pytest.mark.parametrize(
    "dtypes", ["uint8 float32", "int64 float32", "float16 float64", "int8 int64"]
)
def test_columns_that_are_converted(dtypes: str, shape: tuple[int, ...]) -> None:
    """One element for each row, of another dtype than the result or the rows, which may be converted, too."""
    rng = numpy.random.default_rng(len(dtypes))
    for dtype, other in itertools.permutations(dtypes.split()):
        rows = tensor(rng.integers(1, 50, shape)).to(getattr(th, dtype))
        column = tensor(rng.integers(1, 50, (*shape[:-1], 1))).to(getattr(th, other))
        once = tensor(rng.integers(1, 50, shape[-1:])).to(getattr(th, dtype)).expand(shape)
        wide = column.expand(shape)
        full = wide.contiguous()
        for function in (th.add, th.sub, th.div, th.lt, th.maximum, th.floor_divide):
            expected = function(rows, full)
            assert th.equal(function(rows, column), expected)
            assert th.equal(function(rows, wide), expected)
            out = th.zeros(*shape[:-1], shape[-1] + 3, dtype=expected.dtype)
            function(rows, column, out=out[..., 3:])
            assert th.equal(out[..., 3:], expected)
            assert not out[..., :3].any()
            assert th.equal(function(column, rows), function(full, rows))
            assert th.equal(function(once, column), function(once.contiguous(), full))


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("shape", [(1100, 16), (3, 15), (2, 40, 316), (2, 70_000)])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "float16", "float32", "int64", "float64"])
def test_rows_of_one_element(dtype: str, shape: tuple[int, ...]) -> None:
    """Expanded columns: what one element gives is the whole row's."""
    rng = numpy.random.default_rng(len(shape))
    first, second = (tensor(rng.integers(0, 50, (*shape[:-1], 1))) for _ in range(2))
    wide, others = first.to(getattr(th, dtype)).expand(shape), second.float().expand(shape)
    full = wide.contiguous()
    for function in (th.square, th.sqrt, th.logical_not, th.isnan):
        expected = function(full)
        assert th.equal(function(wide), expected)
        out = th.zeros(*shape[:-1], shape[-1] + 3, dtype=expected.dtype)
        function(wide, out=out[..., 3:])
        assert th.equal(out[..., 3:], expected)
        assert not out[..., :3].any()
    assert th.equal(wide + others, full + others.contiguous())
    assert th.equal(wide * 3, full * 3)
    assert th.equal(others * wide, others.contiguous() * full)


@pytest.mark.parametrize("rows", [301, 70_001])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float16", "float32", "float64"])
def test_columns_of_one_matrix(dtype: str, rows: int) -> None:
    """Operands with steps of any length that share lines of memory, or are the same one."""
    rng = numpy.random.default_rng(14)
    for width in (2, 3, 4, 5, 9, 16):
        wide = tensor(draw(rng, dtype, (rows, width), None, False))
        plain = wide.t().contiguous()
        for i, j in ((0, 1), (1, 0), (1, 1), (width - 1, 0)):
            x, y, u, v = wide[:, i], wide[:, j], plain[i], plain[j]
            assert th.maximum(x, y).numpy().tobytes() == th.maximum(u, v).numpy().tobytes(), width
            assert (
                th.where(x > y, x, y).numpy().tobytes() == th.where(u > v, u, v).numpy().tobytes()
            )
        wide[:, 0].mul_(wide[:, 0])
        assert wide[:, 0].numpy().tobytes() == (plain[0] * plain[0]).numpy().tobytes()
        assert wide[:, 1:].numpy().tobytes() == plain.t()[:, 1:].numpy().tobytes()


@pytest.mark.parametrize("count", [1, 37, 700])
@pytest.mark.parametrize("dtype", ["bool", "int16", "float16", "float32", "float64"])
def test_planes_of_short_rows(dtype: str, count: int) -> None:
    """Few short rows, of adjacent elements or such at steps, again and again: read, converted and written."""
    rng = numpy.random.default_rng(15)
    for rows, columns, step in itertools.product((1, 2, 3, 5), (1, 2, 3, 4, 10), (1, 2)):
        shape = (count, 2, 2 * rows + 1, columns * step + 1)
        whole = tensor(draw(rng, dtype, shape, None, False))

        def cut(array, rows=rows, end=columns * step, step=step):
            return array[:, :, ::2][:, :, :rows, :end:step]

        view, plain = cut(whole), tensor(numpy.ascontiguousarray(cut(whole.numpy())))
        same = {
            "contiguous": lambda x: x.contiguous(),
            "maximum": lambda x: th.maximum(x, x[:1]),
            "compare": lambda x: x == x[:, :1],
            "converted": lambda x: x.to(th.float32),
            "mixed": lambda x: th.maximum(x, x[:, :, :1].to(th.float64)),
        }
        for name, call in same.items():
            got, expected = call(view).contiguous(), call(plain).contiguous()
            assert got.numpy().tobytes() == expected.numpy().tobytes(), (name, shape)
        before, target = whole.clone(), whole.clone()
        written = cut(target)
        written.copy_(plain.to(th.float64))
        assert target.numpy().tobytes() == before.numpy().tobytes(), shape
        th.maximum(plain, plain[:1], out=written)
        expected = th.maximum(plain, plain[:1]).contiguous()
        assert written.contiguous().numpy().tobytes() == expected.numpy().tobytes(), shape
        assert target[:, :, 1::2].numpy().tobytes() == before[:, :, 1::2].numpy().tobytes(), shape
        assert target[..., -1].numpy().tobytes() == before[..., -1].numpy().tobytes(), shape


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "float16", "float32", "int64"])
def test_results_across_lines(dtype: str) -> None:
    """Results may begin anywhere in a line of the caches, as arrays of other libraries do: nothing else is written."""
    rng = numpy.random.default_rng(4)
    for n in (1021, 8191, 8193, 70001):
        a, b = (draw(rng, dtype, (n + 64,), None, False) for _ in range(2))
        for at in (1, 7, 16, 33):
            x, y = tensor(a)[at : at + n], tensor(b)[:n]
            room = numpy.ones(n + 64, dtype)
            out = th.from_numpy(room)[at : at + n]
            for op in (th.maximum, th.mul, lambda x, y, out: th.clamp_min(x, y[5], out=out)):
                if dtype == "bool" and op not in (th.maximum, th.mul):
                    continue
                expected = op(x.clone(), y.clone(), out=th.empty(n, dtype=x.dtype))
                op(x, y, out=out)
                assert out.numpy().tobytes() == expected.numpy().tobytes()
                assert numpy.delete(room, range(at, at + n)).all()
                updated = tensor(a)[at : at + n]
                op(updated, y, out=updated)
                assert updated.numpy().tobytes() == expected.numpy().tobytes()
