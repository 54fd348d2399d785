"""Reductions of whatever lies in whatever way: windows, permuted, narrow and repeated dims, far memory."""

from __future__ import annotations

import itertools
import math

import numpy
import pytest
from interpreter import run_python

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.declared import FLOATS
from wrapgen.testing.drawing import tensor


@pytest.mark.parametrize(
    "shape",
    [
        (9, 3, 31),
        (9, 300, 32),
        (300, 2, 40),
        (5, 3, 4100),
        (2, 70, 2, 66),
        (128, 9, 60),
        (129, 8, 5),
        (300, 40, 25),
        (9000, 64, 2),
        (40, 5, 60, 3),
        (2000, 3, 50),
        (900, 9, 50),
        (400, 2, 200),
    ],
)
def test_sums_over_several_dims_are_within_their_bound(shape: tuple[int, ...]) -> None:
    """Where the inner one of them is adjacent: of numbers that cancel."""
    array = numpy.random.default_rng(1).normal(size=shape) * 100
    array[::2] *= -1
    dim = (0, len(shape) - 1)
    columns = numpy.moveaxis(array, -1, 1).reshape(shape[0] * shape[-1], -1)
    exact = numpy.array([math.fsum(column) for column in columns.T])
    got = th.from_numpy(array).sum(dim).numpy().ravel()
    allowed = (140 + len(columns) / 4096) * 2**-53 * numpy.abs(columns).sum(0)
    assert (numpy.abs(got - exact) <= allowed).all()
    largest = th.amax(th.from_numpy(array), dim).numpy()
    assert largest.tolist() == array.max(dim).tolist()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64", "float32", "float64"])
@pytest.mark.parametrize("shape", [(3000, 41), (1200, 99), (400, 210), (30, 5000), (90, 3, 300)])
def test_everything_of_rows_apart(shape: tuple[int, ...], dtype: str) -> None:
    """Of numbers that cancel, whether rows are taken as they lie or brought side by side."""
    drawn = numpy.random.default_rng(1).normal(size=shape) * 100
    drawn[::2] *= -1
    array = (abs(drawn) % 256 if dtype == "uint8" else drawn).astype(dtype)
    part, given = array[..., 1:-1], th.from_numpy(array)[..., 1:-1]
    exact = math.fsum(part.ravel().tolist())
    allowed = (140 + part.size / 4096) * 2**-53 * float(numpy.abs(part).sum(dtype="float64"))
    rounded = 2**-24 * abs(exact) if dtype == "float32" else 0
    assert abs(given.sum().item() - exact) <= allowed + rounded
    assert given.amax().item() == part.max()
    assert given.amin().item() == part.min()
    assert given.argmax().item() == part.argmax()
    assert given.argmin().item() == part.argmin()


@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "float64"])
@pytest.mark.parametrize(
    "shape", [(3, 100), (200, 40), (70, 33), (9, 5000), (90, 4, 90), (6, 1, 4)]
)
def test_parts_of_rows_and_repeated_ones(shape: tuple[int, ...], dtype: str) -> None:
    """Rows that are not adjacent and dims that are expanded: what a copy gives."""
    array = numpy.random.default_rng(1).integers(-3, 4, (*shape[:-1], shape[-1] + 9)).astype(dtype)
    part = tensor(array)[..., : shape[-1]]
    given = [part, part[:1].expand(shape), part[..., :1].expand(shape)]
    given += [x.transpose(0, len(shape) - 1) for x in given]
    exact = ("sum", "count_nonzero", "amax", "argmax", "any", "cumsum")
    rounded = ("var", "norm", "logsumexp", "softmax", "log_softmax") if dtype != "int32" else ()
    for x in given:
        copy = tensor(numpy.ascontiguousarray(x.numpy()))
        dims = [*range(len(shape)), (0, 1)]
        for name in (*exact, *rounded):
            every = dims[:-1] if "arg" in name or "cum" in name or "soft" in name else [*dims, None]
            for dim in every:
                if name == "logsumexp" and dim is None:
                    dim = tuple(range(len(shape)))
                got, expected = (getattr(th, name)(y, dim=dim) for y in (x, copy))
                near = 0 if name in exact else 2e-3 if dtype == "float16" else 1e-5
                numpy.testing.assert_allclose(got.numpy(), expected.numpy(), near, near)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int64", *FLOATS])
@pytest.mark.parametrize("shape", [(9, 4, 3, 2), (70, 6, 5, 3), (300, 2, 2, 7), (3, 40, 11, 9)])
def test_few_short_lines_at_a_time(shape: tuple[int, ...], dtype: str) -> None:
    """Blocks of lines apart: the bits of a copy, into results in any order."""
    array = numpy.random.default_rng(1).integers(0, 3, shape).astype(dtype)
    names = ("sum", "amax", "argmin", "any", "count_nonzero")
    more = ("mean", "var", "logsumexp") if dtype in FLOATS else ()
    for x in (tensor(array)[:, ::2], tensor(array)[:, 1:], tensor(array)[:, 1:].transpose(0, 2)):
        for name in (*names, *more):
            got, expected = (getattr(th, name)(y, dim=-1) for y in (x, x.contiguous()))
            assert got.shape == expected.shape
            assert got.numpy().tobytes() == expected.numpy().tobytes(), name


def check_as_copy(x: th.Tensor, dims: tuple[int, ...], dtype: str) -> None:
    """Reductions over the dims give what those over the last dim of a copy give."""
    kept = tuple(dim for dim in range(x.dim()) if dim not in dims)
    copy = x.permute(*kept, *dims).contiguous().flatten(len(kept))
    exact = ("sum", "amax", "amin", "any", "all", "count_nonzero")
    rounded = ("mean", "var", "norm", "logsumexp") if dtype in FLOATS else ()
    for name in (*exact, *rounded):
        got, expected = getattr(th, name)(x, dim=dims), getattr(th, name)(copy, dim=-1)
        near = 0 if name in exact else 2e-3 if dtype == "float16" else 1e-5
        numpy.testing.assert_allclose(got.numpy(), expected.numpy(), near, near, err_msg=name)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "int64", *FLOATS])
@pytest.mark.parametrize(
    ("dims", "shape"),
    [
        *(((1, 3), shape) for shape in ((3, 2, 9, 2), (2, 16, 300, 5), (5, 17, 8, 3))),
        *(((1, 3), shape) for shape in ((1, 128, 9, 3), (2, 90, 9, 60))),
        *(((0, 2), shape) for shape in ((3, 2, 9, 2), (8, 5, 64, 3), (20, 7, 50, 4))),
        *(((0, 2), shape) for shape in ((17, 3, 77, 2), (60, 2, 75, 4))),
        *(((0, 2), shape) for shape in ((70, 3, 101), (200, 2, 130), (131, 2, 97))),
        *(((0, 2), shape) for shape in ((300, 7, 60), (150, 90, 3), (16, 40, 37), (260, 9, 41, 3))),
        ((0, 1, 3), (5, 9, 33, 12)),
    ],
)
def test_dims_that_take_turns(dims: tuple[int, ...], shape: tuple[int, ...], dtype: str) -> None:
    """Over dims that take turns with kept ones, as pooling does, or the mean of images' channels in rows."""
    array = numpy.random.default_rng(1).integers(-3, 4, (*shape[:-1], 2 * shape[-1])).astype(dtype)
    array[1:, 1] = 0  # one that is not decided at once
    wide = tensor(array)
    for x in (wide[..., ::2], wide[..., ::2].contiguous(), wide[..., : shape[-1]]):
        check_as_copy(x, dims, dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "shape",
    [
        (300, 70, 60),
        (1000, 50, 9),
        (40, 400, 30),
        (129, 64, 8, 3),
        (700, 3, 90),
        (740, 9, 90),
        (90, 7, 200),
    ],
)
def test_pieces_of_neighbours(shape: tuple[int, ...], dtype: str) -> None:
    """Of short pieces those of neighbours are read with them: the same bits on any threads."""
    x = tensor(numpy.random.default_rng(1).normal(size=shape).astype(dtype))
    for name in ("sum", "amax", "mean", "prod", "norm", "var"):
        results = []
        for threads in (1, 2, 3):
            th.set_num_threads(threads)
            results.append(getattr(th, name)(x, dim=(0, 2)))
        expected = results[0]
        apart = th.zeros(2 * expected.size(0), *expected.shape[1:], dtype=expected.dtype)[::2]
        getattr(th, name)(x, dim=(0, 2), out=apart)
        bits = [result.numpy().tobytes() for result in results]
        assert bits == bits[:1] * 3, name
        near = 2e-3 if dtype == "float16" else 1e-6
        numpy.testing.assert_allclose(apart.numpy(), expected.numpy(), near, near, err_msg=name)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
@pytest.mark.parametrize("more", [(33,), (60,), (20, 3)])
def test_pieces_of_any_number_of_rows(more: tuple[int, ...], dtype: str) -> None:
    """Whatever is left for the last chunk of them, one row as well as many."""
    drawn = numpy.random.default_rng(1).integers(0, 9, (1810, 8, *more)).astype(dtype)
    for rows in (*range(16, 34), *range(127, 138), 256, 257, 264, *range(1799, 1811)):
        array = drawn[:rows]
        x = th.from_numpy(array)
        assert x.sum((0, 2)).tolist() == array.sum((0, 2), dtype="int64").tolist(), rows
        assert x.amax((0, 2)).tolist() == array.max((0, 2)).tolist(), rows


@pytest.mark.parametrize("dtype", ["bool", "int32", *FLOATS])
@pytest.mark.parametrize(("size", "step"), [(2, 1), (5, 1), (130, 1), (5, 2), (40, 41)])
def test_overlapping_windows(size: int, step: int, dtype: str) -> None:
    """Over the elements of a.unfold()'s windows: what a copy gives."""
    array = numpy.random.default_rng(1).integers(-3, 4, 300).astype(dtype)
    x = tensor(array).unfold(0, size, step)
    copy = tensor(numpy.ascontiguousarray(x.numpy()))
    exact = ("sum", "amax", "argmax", "any", "count_nonzero")
    for name in (*exact, *(("mean", "var", "logsumexp") if dtype in FLOATS else ())):
        got, expected = getattr(th, name)(x, 1), getattr(th, name)(copy, 1)
        near = 0 if name in exact else 2e-3 if dtype == "float16" else 1e-5
        numpy.testing.assert_allclose(got.numpy(), expected.numpy(), near, near)


@pytest.mark.parametrize("name", ["sum", "amax", "var", "any", "argmax"])
def test_results_lie_as_operands_do(name: str) -> None:
    """A result that is made here has the order of the operand's kept dims; one that is given keeps its own."""
    a = th.rand(4, 5, 6, dtype=th.float64).permute(2, 0, 1)
    plain = a.contiguous()
    call = getattr(th, name)
    for dim, stride in ((0, (5, 1)), (1, (1, 6)), (2, (1, 6))):
        result, expected = call(a, dim), call(plain, dim)
        out = th.empty(expected.shape, dtype=expected.dtype)
        assert result.stride() == stride
        assert call(a, dim, out=out).stride() == expected.stride()
        for got in (result, out):
            assert numpy.allclose(got.numpy(), expected.numpy(), rtol=1e-14, atol=0)
    assert call(a, 1, keepdim=True).stride()[::2] == (1, 6)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("isa", isas.available())
def test_counts_of_short_lines(isa: int, dtype: str) -> None:
    """Lines that are counted together, up to the last byte of their memory."""
    rng, used = numpy.random.default_rng(1), th._C._isa()
    for terms in (1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65):
        for lines in (1, 2, 15, 16, 17, 128, 129, 1025):
            array = rng.integers(0, 2, (lines, terms)).astype(dtype)
            array[lines // 2] = 1
            th._C._set_isa(isa)
            try:
                got = th.count_nonzero(tensor(array), 1).numpy()
            finally:
                th._C._set_isa(used)
            assert (got == numpy.count_nonzero(array, axis=1)).all()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64", *FLOATS])
@pytest.mark.parametrize("isa", isas.available())
def test_short_lines_that_are_adjacent(isa: int, dtype: str) -> None:
    """The same bits as of lines that lie apart, negative zeros and NaN too."""
    rng, used = numpy.random.default_rng(1), th._C._isa()
    names = ["sum", "prod"] + ["mean", "norm", "var"] * (dtype in FLOATS)
    th._C._set_isa(isa)
    try:
        for terms in (2, 3, 4, 5, 6, 7, 8, 16):
            for lines in (9, 64, 65, 200):
                array = (rng.normal(size=(lines, terms + 1)) * 30).astype(dtype)
                if dtype in FLOATS:
                    array[3] = array[0, 1] = -0.0
                    array[5, 1] = numpy.nan
                apart = tensor(array)[:, :terms]
                for name in names:
                    call = getattr(th, name)
                    expected, got = call(apart, dim=1).numpy(), call(apart.contiguous(), dim=1)
                    number = ~numpy.isnan(expected)
                    assert (numpy.isnan(got.numpy()) == ~number).all()
                    assert got.numpy()[number].tobytes() == expected[number].tobytes()
    finally:
        th._C._set_isa(used)


@pytest.mark.parametrize("shape", [(3, 40, 33), (70, 2, 3), (5, 7, 700), (2, 3, 4100)])
def test_places_over_permuted_dims(shape: tuple[int, ...]) -> None:
    """Elements in row-major order, whatever the runs that they are gathered from."""
    rng = numpy.random.default_rng(3)
    array = rng.integers(-50, 50, shape).astype("float32")
    for order in itertools.permutations(range(3)):
        turned, given = array.transpose(order), tensor(array).permute(order)
        for step in (1, 2):
            assert given[..., ::step].argmax().item() == turned[..., ::step].argmax()
            assert given.half()[..., ::step].argmin().item() == turned[..., ::step].argmin()


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int64", *FLOATS])
def test_places_in_narrow_rows(dtype: str) -> None:
    """The first of equal elements, or the first NaN, of rows that are taken as one, and of those left over."""
    rng = numpy.random.default_rng(3)
    for columns in (1, 2, 3, 4, 5, 7, 13, 31):
        for shape, dim in (((1031, columns), 0), ((2, 9001, columns), 1), ((700, 3, columns), 0)):
            array = rng.integers(0, rng.choice([1, 2, 9, 100]), shape).astype(dtype)
            if dtype in FLOATS:
                array[rng.random(shape) < rng.choice([0, 1e-3, 0.5])] = numpy.nan
            for name, places in (("max", array.argmax(dim)), ("min", array.argmin(dim))):
                extremes = numpy.take_along_axis(array, numpy.expand_dims(places, dim), dim)
                got = getattr(th, name)(tensor(array), dim, True)
                numpy.testing.assert_array_equal(got.values.numpy(), extremes)
                assert got.indices.numpy().ravel().tolist() == places.ravel().tolist()
                alone = getattr(th, "arg" + name)(tensor(array), dim)
                assert alone.numpy().tolist() == places.tolist()


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int32", "int64", *FLOATS])
@pytest.mark.parametrize("shape", [(3, 1), (1, 7, 1), (90, 1, 60), (1, 2100, 2)])
@pytest.mark.parametrize("threads", [1, 2])
def test_dims_of_one_element(shape: tuple[int, ...], dtype: str, threads: int) -> None:
    """Each element is the sum, product, mean, extreme and (its magnitude) norm of itself, NaNs and zeros, too."""
    rng = numpy.random.default_rng(3)
    array = rng.normal(0, 50, shape).astype(dtype)
    floating = dtype in FLOATS
    if floating:
        array.reshape(-1)[:3] = numpy.nan, -0.0, -numpy.inf
    whole = tensor(array)
    before = th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for value, plain in ((whole, array), (whole.transpose(0, 1), array.swapaxes(0, 1))):
            dims = tuple(d for d, n in enumerate(plain.shape) if n == 1)
            total = plain.astype(dtype if floating else "int64")
            expected = {
                "sum": total + total.dtype.type(0),
                "prod": total,
                "amax": plain,
                "amin": plain,
                "any": plain != 0,
                "all": plain != 0,
            }
            if floating:
                expected |= {"mean": plain + plain.dtype.type(0), "norm": numpy.abs(plain)}
            for name, want in expected.items():
                for keepdim in (False, True):
                    got = getattr(th, name)(value, dim=dims, keepdim=keepdim)
                    want_shaped = want if keepdim else want.squeeze(dims)
                    assert tuple(got.shape) == want_shaped.shape, name
                    numpy.testing.assert_array_equal(got.numpy(), want_shaped, err_msg=name)
            if floating:
                for p in (2, 0.5, -1, math.inf):
                    numpy.testing.assert_array_equal(
                        th.norm(value, p, dims, True).numpy(), numpy.abs(plain)
                    )
            largest, places = th.max(value, dims[0], True)
            numpy.testing.assert_array_equal(largest.numpy(), plain)
            assert not places.numpy().any()
            assert not th.argmin(value, dims[0]).numpy().any()
            for got in th.aminmax(value, dim=dims[0]):
                numpy.testing.assert_array_equal(got.numpy(), plain.squeeze(dims[0]))
    finally:
        th.set_num_threads(before)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int32", "int64", *FLOATS])
@pytest.mark.parametrize("shape", [(900, 2, 7), (700, 9, 3), (2, 300, 5), (40, 3, 90, 2)])
def test_narrow_columns_of_many_blocks(shape: tuple[int, ...], dtype: str) -> None:
    """What is reduced within each of many small blocks is the same in a copy where they are one row."""
    rng = numpy.random.default_rng(3)
    whole = tensor(rng.normal(0, 50, shape).astype(dtype))
    dim = 0 if shape[0] == 2 else 1
    names = ["sum", "argmin", "all"] + ["amax"] * (dtype != "bool") + ["std"] * (dtype in FLOATS)
    for given in (whole, whole[:, 1:], whole[..., ::2]):
        rows = given.transpose(0, dim).contiguous().view(given.shape[dim], -1)
        for name in names:
            expected = getattr(th, name)(rows, dim=0)
            got = getattr(th, name)(given.transpose(0, dim), dim=0)
            assert got.reshape(-1).numpy().tobytes() == expected.numpy().tobytes()


FAR = """
import hashlib
import thwrap as th

digest = hashlib.sha256()
for dtype, shape, columns in (
    (th.float32, (130, 43, 61), 61),
    (th.float32, (75, 4500), 4500),
    (th.float16, (3, 200, 1001), 1001),
    (th.float16, (45, 1500), 1500),
    (th.float64, (45, 3, 1001), 1001),
    (th.int64, (500, 30, 11), 11),
    (th.uint8, (30, 150, 350), 350),
    (th.float32, (900, 4), 3),
    (th.float64, (900, 8), 6),
    (th.float64, (1300, 100), 100),
    (th.float32, (40, 64, 64), 62),
    (th.float32, (40, 30, 80), 50),
    (th.int32, (900, 12), 7),
    (th.float32, (30, 3000), 2000),
    (th.float64, (3, 9, 1500), 900),
    (th.uint8, (20, 5000), 4000),
    (th.float32, (30, 60, 64), 64),
    (th.int32, (30, 60, 64), 64),
    (th.float32, (90, 3, 60), 50),
    (th.float64, (4, 3, 33000), 33000),
):
    th.manual_seed(3)
    whole = (th.rand(shape) * 90).to(dtype)[..., :columns]
    for x in (whole, whole[:, 1:-1]):
        for dim in range(x.ndim):
            results = [x.sum(dim), x.amax(dim), x.argmin(dim), x.any(dim), x.count_nonzero(dim), *x.aminmax(dim=dim)]
            if dtype.is_floating_point:
                results += [x.mean(dim), x.var(dim), x.norm(3, dim), x.logsumexp(dim)]
            for result in results:
                digest.update(bytes(memoryview(result.contiguous())))
        several = [x.sum((0, 1)), x.sum((0, -1)), x.amax((0, -1))]
        if x.ndim == 3:
            several += [x.sum((1, 2)), x.amax((1, 2))]
        for result in (x.sum(), x.amax(), x.argmax(), *several):
            digest.update(bytes(memoryview(result.contiguous())))
print(digest.hexdigest())
"""


@pytest.mark.parametrize("isa", isas.available())
def test_far_memory_is_reduced_alike(isa: str) -> None:
    """Whether lines or rows that have left the caches are asked for, touched or neither, all taken for such."""
    ways = (
        {"TH_READS": "plain", "TH_AHEAD": "0", "TH_ASKS": "first", "TH_ROWS": "single"},
        {"TH_AHEAD": "9216", "TH_ASKS": "first", "TH_ROWS": "asked", "TH_LINES": "followed"},
        {"TH_AHEAD": "16384", "TH_ASKS": "second", "TH_ROWS": "single", "TH_LINES": "asked"},
        {"TH_READS": "asked", "TH_AHEAD": "0", "TH_ROWS": "followed"},
    )
    digests = {
        run_python(FAR, **way, TH_STREAM="1", TH_ISA=isa, TH_NUM_THREADS=threads)
        for way, threads in zip(ways, "1321", strict=True)
    }
    assert len(digests) == 1
