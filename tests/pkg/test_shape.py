"""Views and questions: what shares memory, and what cannot be viewed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import hypothesis
import numpy
import pytest
from hypothesis import strategies

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.calling import call_form, invoke
from wrapgen.testing.declared import cases
from wrapgen.testing.drawing import first_call, tensor

# Declared to return a view of self wherever there is one.
VIEWS = frozenset(
    "view view_as reshape reshape_as flatten transpose swapaxes t permute movedim squeeze unsqueeze expand expand_as "
    "broadcast_to narrow select unfold".split()
)


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.op.name in VIEWS], ids=lambda case: case.id
)
def test_views_share_memory(case) -> None:
    """What is written through a view is in the base, and the view keeps the memory alive."""
    given = first_call(case, "int64").made()
    base = given["self"]
    view = invoke(case, given)
    assert view.storage().data_ptr() == base.storage().data_ptr()
    base.fill_(5)
    assert (view == 5).all()
    del base, given
    assert (view == 5).all()


def test_unfold() -> None:
    """All slices of a size, so far apart, in a new last dim."""
    for shape in ((7,), (3, 7), (2, 7, 3)):
        array = numpy.arange(numpy.prod(shape)).reshape(shape)
        for dim in (array.ndim - 1, -1, 0):
            for size, step in ((1, 1), (2, 1), (3, 2), (array.shape[dim], 4), (0, 2)):
                if size > array.shape[dim]:
                    continue
                count = (array.shape[dim] - size) // step + 1
                slices = [
                    array.take(range(i * step, i * step + size), axis=dim) for i in range(count)
                ]
                expected = numpy.stack([numpy.moveaxis(part, dim, -1) for part in slices])
                expected = numpy.moveaxis(expected, 0, dim % array.ndim)
                assert numpy.array_equal(tensor(array).unfold(dim, size, step).numpy(), expected)
    value = th.arange(5)
    for size, step in ((6, 1), (2, 0), (-1, 1), (2, -1)):
        with pytest.raises((ValueError, RuntimeError), match="unfold"):
            value.unfold(0, size, step)
    with pytest.raises(IndexError, match="unfold"):
        value.unfold(1, 2, 1)


def test_is_contiguous() -> None:
    """Rows one after the other; dims of size 1 and tensors without elements do not matter."""
    value = th.zeros(3, 4)
    assert value.is_contiguous()
    assert not value.t().is_contiguous()
    assert not value[:, 1:].is_contiguous()
    assert value[1:].is_contiguous()
    assert value[:1, 1:].is_contiguous()
    assert not th.zeros(1).expand(3).is_contiguous()
    assert th.zeros(3, 1, 4).transpose(0, 1).is_contiguous()
    assert th.zeros(0, 5).t().is_contiguous()
    assert th.zeros(()).is_contiguous()
    assert value.contiguous().data_ptr() == value.data_ptr()
    assert value.t().contiguous().data_ptr() != value.data_ptr()


def test_is_set_to() -> None:
    """The same elements of one storage in the same shape."""
    value = th.zeros(2, 3)
    assert value.is_set_to(value.view(2, 3))
    assert value.t().t().is_set_to(value)
    for other in (value.view(3, 2), value.t(), value[:1], value.clone(), value[:, :2]):
        assert not value.is_set_to(other)


SHAPES = strategies.lists(strategies.integers(0, 4), max_size=4)


@hypothesis.settings(max_examples=60)
@hypothesis.given(SHAPES, SHAPES, strategies.randoms(use_true_random=False))
def test_reshape_between_any_shapes(one, other, random) -> None:
    """Where element counts agree, any layout can be reshaped; view gives the same or refuses, but never copies."""
    array = numpy.arange(numpy.prod(one, dtype=int)).reshape(one)
    order = list(range(array.ndim))
    random.shuffle(order)
    value = tensor(array).permute(order) if order else tensor(array)
    array = array.transpose(order)
    if numpy.prod(other, dtype=int) != array.size:
        for name in ("reshape", "view"):
            with pytest.raises(ValueError, match=name):
                getattr(value, name)(other)
        return
    assert numpy.array_equal(value.reshape(other).numpy(), array.reshape(other))
    try:
        viewed = value.view(other)
    except ValueError:
        with pytest.raises((ValueError, AttributeError)):
            array.reshape(other, copy=False)
        return
    assert viewed.storage().data_ptr() == value.storage().data_ptr()
    assert numpy.array_equal(viewed.numpy(), array.reshape(other))


def test_inferred_sizes() -> None:
    value = th.zeros(4, 6)
    assert tuple(value.view(-1, 3).shape) == (8, 3)
    for wrong in ((-1, -1), (5, -1), (-2, 12), (0, -1)):
        with pytest.raises(ValueError, match="view"):
            value.view(wrong)
    with pytest.raises(ValueError, match="view"):
        th.zeros(0, 3).view(0, -1)


def test_dims_out_of_range() -> None:
    """An IndexError that names the op and the dim."""
    value = th.zeros(2, 3)
    for call in (
        lambda: value.transpose(0, 2),
        lambda: value.select(2, 0),
        lambda: value.narrow(-3, 0, 1),
        lambda: value.unsqueeze(4),
        lambda: value.squeeze(2),
        lambda: value.sum(2),
        lambda: value.flatten(0, 2),
        lambda: th.cat([value, value], 2),
        lambda: th.stack([value, value], 3),
    ):
        with pytest.raises(IndexError, match=r"dim|source"):
            call()


def test_list_operations_refuse() -> None:
    """Shapes that differ, empty lists, and things that are no tensors."""
    with pytest.raises(ValueError, match=r"cat.*\(2, 3\).*\(3, 2\)|cat.*\(3, 2\)"):
        th.cat([th.zeros(2, 3), th.zeros(3, 2)])
    with pytest.raises(ValueError, match="stack"):
        th.stack([th.zeros(2), th.zeros(3)])
    for wrong in ([], ()):
        with pytest.raises((ValueError, TypeError)):
            th.cat(wrong)
    with pytest.raises(TypeError):
        th.cat([th.zeros(2), 3])
    assert (
        call_form(first_call(next(case for case in cases() if case.id == "cat"), "float32")).dtype
        is th.float32
    )
    assert th.cat([th.zeros(0), th.ones(2, 3)]).shape == (2, 3)


def test_what_stays_is_self() -> None:
    """Nothing to change, nothing made."""
    a = th.ones(2, 3)
    assert a.contiguous() is a
    assert a.to(th.float32) is a
    assert a.flatten(1) is a
    assert a[0].flatten() is not a
    row = th.ones(3)
    assert row.flatten() is row
    assert th.ravel(row) is row
    assert a.flatten() is not a
    assert a.ravel().data_ptr() == a.data_ptr()


def test_sizes_may_be_tensors() -> None:
    two, three = th.tensor(2), th.tensor(3, dtype=th.int32)
    assert th.zeros(two, three).shape == (2, 3)
    assert th.ones(6).view(two, -1).shape == (2, 3)
    assert th.ones(6).reshape(two, three).shape == (2, 3)
    for wrong in (th.tensor(2.0), th.tensor(True), th.ones(1, 1)):
        with pytest.raises(TypeError):
            th.zeros(wrong, three)


def test_lengths_of_few_and_many_dims() -> None:
    for before, after in itertools.product(range(1, 9), repeat=2):
        a = th.zeros(3, *[1] * (before - 1))
        assert len(a) == 3
        assert len(a.resize_(4, *[1] * (after - 1))) == 4


def test_set_to_nothing() -> None:
    a = th.ones(2, 3, dtype=th.int16)
    assert a.set_() is a
    assert (a.shape, a.dtype) == ((0,), th.int16)


def test_diagonal_is_a_view() -> None:
    a = th.arange(24).reshape(2, 3, 4)
    assert a.diagonal(1, -1, 0).data_ptr() == a[1, 0].data_ptr()
    th.zeros(3, 3).diagonal().fill_(1)
    for dims, problem in (((1, 1), ValueError), ((0, 3), IndexError)):
        with pytest.raises(problem, match=r"^diagonal: "):
            a.diagonal(0, *dims)
    assert a[0].diagonal(-9).shape == (0,)


def test_roll_and_repeats_refuse() -> None:
    a = th.arange(6).reshape(2, 3)
    for call, problem in (
        (lambda: a.roll((1, 2)), ValueError),
        (lambda: a.roll(1, 5), IndexError),
        (lambda: th.tensor(1).roll(1, 0), IndexError),
        (lambda: a.repeat_interleave(-1), ValueError),
        (lambda: a.repeat_interleave(th.tensor([1, 2]), 1), ValueError),
        (lambda: a.repeat_interleave(th.tensor([-1, 2]), 0), ValueError),
        (lambda: a.repeat_interleave(th.tensor([1.0, 2]), 0), TypeError),
        (lambda: a.repeat_interleave(2**62, 0), ValueError),
        (lambda: th.fliplr(th.ones(3)), ValueError),
        (lambda: th.flipud(th.tensor(3)), ValueError),
        (lambda: a.movedim((0, 1), 0), ValueError),
        (lambda: a.movedim((0, 0), (0, 1)), ValueError),
    ):
        with pytest.raises(problem, match=r"^(roll|repeat_interleave|fliplr|flipud|movedim): "):
            call()
    assert th.tensor(5).repeat_interleave(3).tolist() == [5, 5, 5]
    assert th.tensor(5).roll(1).tolist() == 5


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", [th.uint8, th.int16, th.float32, th.float64])
def test_flip_of_short_rows(dtype: th.dtype, isa: str) -> None:
    """Rows of any length, few and many of them, alone and inside of other dims."""
    th._C._set_isa(isa)
    for n in (1, 2, 3, 5, 8, 10, 15, 17, 33):
        whole = th.arange(9000 * (n + 1)).to(dtype).view(3, 3000, n + 1)
        few = [whole[1, :rows] for rows in (1, 2, 4, 9, 16)]
        for x in (whole, whole[1], *few, whole[:, :, 1:], whole[:, :5], whole[:, :1]):
            for dims in ((-1,), (0, -1), (0,), (-2,), (-2, -1)):
                assert numpy.array_equal(x.flip(dims).numpy(), numpy.flip(x.numpy(), dims))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_flip_of_long_rows(dtype: str) -> None:
    """Rows of any length and distance, up to what is streamed."""
    for rows, row in [(7, 64), (40, 331), (31, 3162), (9, 9000), (5, 70001), (300, 13000)]:
        array = numpy.arange(rows * (row + 5)).astype(dtype).reshape(rows, row + 5)
        for part in (array, array[:, 3:-2]):
            x = th.from_numpy(part)
            for dims in [(0,), (1,), (0, 1)]:
                assert numpy.array_equal(th.flip(x, dims).numpy(), numpy.flip(part, dims))


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64"])
def test_flip_of_steps(dtype: str, isa: str) -> None:
    """Elements and rows that lie any steps apart, also with more between rows, of any length."""
    used = th._C._isa()
    try:
        th._C._set_isa(isa)
        for rows, n in [(70, 3), (30, 8), (70, 17), (33, 130), (3, 600), (3, 4500), (1, 9001)]:
            for step, gap in itertools.product((1, 2, 3, 4, 5), (0, 3)):
                every = numpy.arange(2 * rows * (n * step + gap)) * 7 % 251
                every = every.reshape(2, rows, n * step + gap)
                array = (every > 99 if dtype == "bool" else every).astype(dtype)
                for part in (array[:, :, gap::step], array[:, 1:, : n * step : step]):
                    x = th.from_numpy(part)
                    for dims in [(-1,), (1,), (0, 1), (1, 2), (0, 1, 2)]:
                        assert numpy.array_equal(x.flip(dims).numpy(), numpy.flip(part, dims))
    finally:
        th._C._set_isa(used)


GAPS: dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
    "steps": lambda whole: whole[..., ::2],
    "five": lambda whole: whole[..., 1::5],
    "rows": lambda whole: whole[::3],
    "narrow": lambda whole: whole[1:][..., 2:],
    "transposed": lambda whole: whole.T,
    "transposed steps": lambda whole: whole.T[1:][..., ::2],
    "one": lambda whole: whole[..., 3:4],
}


@pytest.mark.parametrize("layout", GAPS)
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_copies_to_any_layout(dtype: str, layout: str) -> None:
    """Into views and out of them, few elements and many: nothing else of their memory is written."""
    for shape in ((7,), (600,), (2100,), (9, 11), (3, 700), (70, 14), (64, 65), (9, 7, 20)):
        whole = numpy.full(shape, 3).astype(dtype)
        view = GAPS[layout](whole)
        values = numpy.arange(4, 4 + view.size).reshape(view.shape).astype(dtype)
        x = th.from_numpy(view)
        x.copy_(th.from_numpy(values))
        assert numpy.array_equal(view, values)
        assert numpy.array_equal(x.contiguous().numpy(), values)
        GAPS[layout](whole)[...] = 3
        assert (whole == 3).all()


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_copies_keep_the_order_of_dims(order) -> None:
    """clone, to and copies of other dtypes: without gaps, dims in memory as they were; expanded ones contiguous."""
    whole = th.arange(4 * 6 * 5).view(4, 6, 5)
    dense, gaps = whole.permute(order), whole[:, ::2, 1:].permute(order)
    for name in ("clone", "double"):
        assert getattr(dense, name)().stride() == dense.stride()
        copy = getattr(gaps, name)()
        assert copy.tolist() == gaps.tolist()
        assert numpy.argsort(copy.stride()).tolist() == numpy.argsort(gaps.stride()).tolist()
        assert sorted(copy.stride())[2] * gaps.size(order.index(0)) == gaps.numel()
    assert dense.to(dense.dtype, copy=True).stride() == dense.stride()
    array = whole.numpy().transpose(order)
    for dims in ((0,), (1, 2), (0, 1, 2)):
        flipped, rolled = th.flip(dense, dims), th.roll(dense, 2, dims[0])
        assert numpy.array_equal(flipped.numpy(), numpy.flip(array, dims))
        assert numpy.array_equal(th.flip(gaps, dims).numpy(), numpy.flip(gaps.numpy(), dims))
        assert numpy.array_equal(rolled.numpy(), numpy.roll(array, 2, dims[0]))
        assert flipped.stride() == rolled.stride() == dense.stride()
    assert dense.contiguous().is_contiguous()
    assert th.arange(4).expand(6, 4).permute(1, 0).clone().is_contiguous()


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_strided_copies(isa: str, dtype: str) -> None:
    """Out of and into rows of any steps and lengths; what lies between and around stays."""
    th._C._set_isa(isa)
    for rows, n, step in itertools.product((1, 5, 40), (1, 2, 3, 7, 100), range(1, 7)):
        array = (numpy.arange((rows + 2) * n * step) % 120).astype(dtype).reshape(rows + 2, -1)
        view = numpy.s_[1:-1, step - 1 :: step]
        got = th.from_numpy(array.copy())
        assert got[view].clone().tolist() == array[view].tolist()
        assert got[view].t().contiguous().tolist() == array[view].T.tolist()
        got[view] = th.full((rows, n), 121).to(got.dtype)
        array[view] = 121
        assert got.tolist() == array.tolist()
        got[view].t().copy_(th.arange(rows * n).remainder(120).view(n, rows))
        array[view].T[:] = numpy.arange(rows * n).reshape(n, rows) % 120
        assert got.tolist() == array.tolist()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_transposed_sizes(dtype: str) -> None:
    """Around the borders of vectors, cache lines and tiles, copied and read by a kernel, and past the caches."""
    sides = (16, 17, 63, 64, 65, 127, 128, 129, 200)
    for rows, columns in (*itertools.product(sides, sides), (1030, 1100)):
        array = (numpy.arange(rows * columns) % 120).astype(dtype).reshape(rows, columns)
        other = (numpy.arange(rows * columns) % 7).astype(dtype).reshape(columns, rows)
        around = numpy.zeros((columns + 2, rows + 2), dtype)
        around[1:-1, 1:-1] = array.T
        got, into = th.from_numpy(array), th.zeros(around.shape, dtype=getattr(th, dtype))
        into[1:-1, 1:-1] = got.t()
        assert numpy.array_equal(into.numpy(), around)
        assert numpy.array_equal((th.from_numpy(other) + got.t()).numpy(), other + array.T)
        assert numpy.array_equal((got.t() + th.tensor(1.5)).numpy(), array.T + numpy.float32(1.5))


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_few_lines_take_turns(dtype: str) -> None:
    """As planes become pixels: of any length, and nothing behind the last one changes."""
    lengths = (*range(1, 50), 127, 128, 129, 130, 255, 257, 1000, 1003)
    for lines, length in itertools.product(range(2, 6), lengths):
        array = (numpy.arange(lines * length) % 119).astype(dtype).reshape(lines, length)
        got = th.full((length + 2, lines), 121).to(getattr(th, dtype))
        got[1:-1].copy_(th.from_numpy(array).t())
        assert numpy.array_equal(got[1:-1].numpy(), array.T), (lines, length)
        assert got[0].tolist() == got[-1].tolist() == [121] * lines


@pytest.mark.parametrize("side", [3, 40, 200, 420])
@pytest.mark.parametrize("dtype", ["uint8", "float64"])
def test_repeated_in_any_layout(dtype: str, side: int) -> None:
    """NumPy's tiles, of what lies row by row or not, few elements and many, also into memory in another order."""
    plain = (numpy.arange(side * (side + 1)) % 119).astype(dtype).reshape(side, side + 1)
    rows, steps = numpy.repeat(plain, 2, 0)[::2], numpy.repeat(plain, 2, 1)[:, ::2]
    given = [th.from_numpy(array) for array in (plain, rows, steps, plain.T.copy().T)]
    for x in (*given, given[0][:1].expand(side, side + 1)):
        for repeats in ((2, 1), (1, 3), (2, 2), (3, 1, 1), (2, 2, 1), (1, 1, 1)):
            expected = numpy.tile(x.numpy(), repeats)
            assert numpy.array_equal(x.repeat(*repeats).numpy(), expected)
            assert th.tile(x, repeats).equal(x.repeat(*repeats))
            back = tuple(reversed(range(expected.ndim)))
            out = th.empty(expected.shape[::-1], dtype=x.dtype).permute(back)
            assert numpy.array_equal(x.repeat(*repeats, out=out).numpy(), expected)


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_short_rows_permuted(isa: str, dtype: str) -> None:
    """Operands in two orders of dims give what they give in one, whether rows are staged or not."""
    th._C._set_isa(isa)
    functions = (th.add, th.lt, th.atan2, lambda a, b: th.where(a > b, a, b))
    for shape in ((3, 40, 17), (37, 5, 33), (64, 3, 63), (20, 3, 65), (5, 19, 130), (2, 18, 300)):
        first = (th.arange(math.prod(shape)) * 7 % 113).view(*shape).to(getattr(th, dtype))
        second = (th.arange(math.prod(shape)) * 5 % 101).view(*shape).to(getattr(th, dtype))
        for order, function in itertools.product(itertools.permutations(range(3)), functions):
            back = [order.index(dim) for dim in range(3)]
            turned = second.permute(order).contiguous().permute(back)
            assert turned.equal(second)
            assert function(first, turned).equal(function(first, second))
            assert function(turned, first).equal(function(second, first))


@pytest.mark.parametrize("isa", isas.available())
def test_runs_wherever_they_begin(isa: str) -> None:
    """Runs of bytes of any length, from any place of a cache line to any other: they and no others are written."""
    th._C._set_isa(isa)
    rng = numpy.random.default_rng(5)
    ends = rng.permutation(64)
    for n in (2047, 2048, 2049, 2112, 2305, 4095, 4161, 70_001):
        source, target = (rng.integers(0, 256, n + 200).astype("uint8") for _ in range(2))
        for start, end in [*enumerate(ends), (0, 1), (0, 63), (64, 65)]:
            expected, got = target.copy(), th.from_numpy(target.copy())
            expected[end : end + n] = source[start : start + n]
            got[end : end + n].copy_(th.from_numpy(source)[start : start + n])
            assert numpy.array_equal(got.numpy(), expected), (n, start, end)


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_rows_with_gaps(isa: str, dtype: str) -> None:
    """Rows of all lengths around vectors and blocks: copied, mirrored, filled, beside a column, every third element."""
    th._C._set_isa(isa)
    sides = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129, 257, 513, 1025, 2100)
    for rows, n in (*itertools.product((1, 5, 40), sides), (2, 70000), (1, 300000)):
        first = (numpy.arange(rows * (n + 9)) % 90).astype(dtype).reshape(rows, -1)
        second = first[::-1] % 7
        a, b = th.from_numpy(first.copy()), th.from_numpy(second.copy())
        left, right, column = numpy.s_[:, 3:-6], numpy.s_[:, 5:-4], numpy.s_[:, :1]
        assert numpy.array_equal((a[left] + b[right]).numpy(), first[left] + second[right])
        assert numpy.array_equal((a[left] - b[column]).numpy(), first[left] - second[column])
        assert numpy.array_equal((b[column] - a[left]).numpy(), second[column] - first[left])
        assert numpy.array_equal(a[left].contiguous().numpy(), first[left])
        assert numpy.array_equal(a[left].flip(1).numpy(), first[left][:, ::-1])
        for view, other in itertools.product((left, right), (second[left], second[column], 7)):
            first[view] = other
            a[view] = th.from_numpy(other.copy()) if isinstance(other, numpy.ndarray) else other
            assert numpy.array_equal(a.numpy(), first)
        first[:, 1:-1:3] += second[:, 1:-1:3]
        a[:, 1:-1:3].add_(b[:, 1:-1:3])
        assert numpy.array_equal(a.numpy(), first)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_transposed_into_steps(dtype: str) -> None:
    """What lies transposed goes to every second, third or sixth element, and nothing between them changes."""
    for rows, n, step in itertools.product((3, 16, 64, 150), (5, 17, 64, 130, 300), (2, 3, 6)):
        array = (numpy.arange(rows * n * step) % 90).astype(dtype).reshape(rows, n * step)
        source = (numpy.arange(n * rows) % 31).astype(dtype).reshape(n, rows)
        got = th.from_numpy(array.copy())
        got[:, ::step] = th.from_numpy(source).t()
        array[:, ::step] = source.T
        assert numpy.array_equal(got.numpy(), array)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_transposed_batches(dtype: str) -> None:
    """Matrices of few rows and columns, around vectors and cache lines, in a batch of each order of dims."""
    for rows, n in itertools.product(range(1, 35), (1, 5, 8, 9, 15, 16, 17, 31, 33, 64, 130)):
        array = (numpy.arange(3 * rows * n) % 90).astype(dtype).reshape(3, rows, n)
        for order in ((0, 2, 1), (2, 0, 1), (2, 1, 0)):
            got = th.from_numpy(array).permute(order).contiguous().numpy()
            assert numpy.array_equal(got, array.transpose(order))


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
def test_far_dims_permuted(dtype: str) -> None:
    """Operands of some MB whose short inner dims lie in another order."""
    for order in itertools.permutations(range(4)):
        first = (numpy.arange(60 * 17 * 40 * 18) % 90).astype(dtype).reshape(60, 17, 40, 18)
        shape = [first.shape[order.index(dim)] for dim in range(4)]
        second = (numpy.arange(first.size) % 31).astype(dtype).reshape(shape).transpose(order)
        got = th.from_numpy(first) - th.from_numpy(second)
        assert numpy.array_equal(got.numpy(), first - second)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_repeated_rows(dtype: str) -> None:
    """A row along a middle dim, short and long, as one of two operands and copied."""
    for count, rows, n in itertools.product(
        (1, 3, 70), (1, 2, 16, 33), (1, 5, 31, 32, 64, 65, 600)
    ):
        array = (numpy.arange(count * rows * n) % 90).astype(dtype).reshape(count, rows, n)
        row = (numpy.arange(count * n) % 31).astype(dtype).reshape(count, 1, n)
        got = th.from_numpy(row)
        assert numpy.array_equal((th.from_numpy(array) + got).numpy(), array + row)
        assert numpy.array_equal(got.expand(count, rows, n).clone().numpy(), row + 0 * array)


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64"])
@pytest.mark.parametrize("threads", [1, 2])
def test_repeat_interleave_by_counts(threads: int, dtype: str) -> None:
    """Few and many times each, also at the end, and shared by threads: elements, rows, indices."""
    random = numpy.random.default_rng(3)
    before = th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for n, most, last in itertools.product((1, 5, 300, 40000), (1, 3, 150), (0, 1, 90)):
            counts = random.integers(0, most + 1, n)
            counts[-1] = last
            if last == 90:
                counts[n // 2 :: 7] = 0
            repeats, rows = th.tensor(counts), (n, 2)
            array = random.integers(0, 99, rows).astype(dtype)
            wanted = numpy.repeat(array, counts, 0)
            tensor = th.from_numpy(array)
            assert numpy.array_equal(tensor[:, 1].repeat_interleave(repeats).numpy(), wanted[:, 1])
            assert numpy.array_equal(tensor.repeat_interleave(repeats, 0).numpy(), wanted)
            indices = th.repeat_interleave(repeats).numpy()
            assert numpy.array_equal(indices, numpy.repeat(numpy.arange(n), counts))
    finally:
        th.set_num_threads(before)


def test_repeat_interleave_of_bad_counts() -> None:
    """Negative counts and sums beyond memory, wherever they are, are errors."""
    for place in (0, 20000, 39999):
        for count, problem in ((-1, "repeats >= 0, got -1"), (2**63 - 1, "too large")):
            counts = numpy.ones(40000, dtype=numpy.int64)
            counts[place] = count
            with pytest.raises(ValueError, match=f"repeat_interleave: .*{problem}"):
                th.arange(40000).repeat_interleave(th.tensor(counts))
        counts[place] = 2**45
        with pytest.raises((ValueError, MemoryError)):
            th.arange(40000).repeat_interleave(th.tensor(counts))


@pytest.mark.parametrize("name", ["tril", "triu"])
@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64"])
@pytest.mark.parametrize(
    "shape",
    [(300, 3), (3, 300), (40, 40), (50, 7, 2, 3), (2, 90, 1), (90, 1, 5), (4, 5, 6), (7, 6, 300)],
)
def test_triangles(shape: tuple[int, ...], dtype: str, name: str) -> None:
    """Of matrices tall and wide, one and many, new and in place, transposed too."""
    rng = numpy.random.default_rng(5)
    array = rng.integers(0, 2, shape).astype(dtype) + numpy.ones(1, dtype)
    if dtype[0] == "f":
        array.flat[::3] = numpy.nan
    for diagonal in (-400, -2, -1, 0, 1, 3, 400):
        for value, plain in ((tensor(array), array), (tensor(array).mT, array.swapaxes(-1, -2))):
            expected = getattr(numpy, name)(plain, diagonal)
            numpy.testing.assert_array_equal(getattr(th, name)(value, diagonal).numpy(), expected)
            written = value.clone()
            getattr(written, f"{name}_")(diagonal)
            numpy.testing.assert_array_equal(written.numpy(), expected)
