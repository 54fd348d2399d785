"""Sorting and selecting: order, which of equals come first, where NaN goes, and where indices point."""

from __future__ import annotations

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.declared import DTYPES, FLOATS
from wrapgen.testing.drawing import draw, tensor

SHAPES = ((1,), (7,), (300,), (4, 6), (5, 3, 4), (0,), (3, 0), (0, 3))


@pytest.fixture(params=isas.available())
def isa(request):
    """Each instruction set in turn."""
    used = th._C._isa()
    th._C._set_isa(request.param)
    yield request.param
    th._C._set_isa(used)


def arrays(dtype: str, shapes=SHAPES):
    """Arrays with many equal elements, and NaN where there can be any."""
    rng = numpy.random.default_rng(3)
    for shape in shapes:
        yield rng.choice(draw(rng, dtype, (9,), None, True), shape).astype(dtype)
        yield draw(rng, dtype, shape, None, True)


def before(one, other, descending: bool) -> bool:
    """Whether an element comes strictly before another: NaN is above everything."""
    key_one, key_other = ((value != value, value) for value in (one, other))
    if key_one[0] or key_other[0]:
        less = not key_one[0]
        equal = key_one[0] and key_other[0]
        return not equal and (less != descending)
    return bool(one > other) if descending else bool(one < other)


def order(row: list, descending: bool) -> list[int]:
    """The stable order, found by Python."""
    import functools

    def compare(i: int, j: int) -> int:
        return (
            -1
            if before(row[i], row[j], descending)
            else 1
            if before(row[j], row[i], descending)
            else i - j
        )

    return sorted(range(len(row)), key=functools.cmp_to_key(compare))


def along(array: numpy.ndarray, dim: int, function) -> numpy.ndarray:
    """A function of rows of Python values, applied along a dim, as int64."""
    moved = numpy.moveaxis(array, dim, -1)
    rows = (
        [function(row.tolist()) for row in moved.reshape(-1, moved.shape[-1])] if moved.size else []
    )
    last = (
        len(rows[0])
        if rows
        else len(function([]) if not moved.shape[-1] else function([0] * moved.shape[-1]))
    )
    return numpy.moveaxis(numpy.array(rows, "int64").reshape(*moved.shape[:-1], last), -1, dim)


def check(pair, array: numpy.ndarray, dim: int, indices: numpy.ndarray) -> None:
    """Values and indices of a result, with the indices expected."""
    values, places = pair
    assert places.dtype is th.int64
    assert values.dtype.name == array.dtype.name
    assert numpy.array_equal(places.numpy(), indices)
    assert values.numpy().tobytes() == numpy.take_along_axis(array, indices, dim).tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
def test_sort(dtype: str) -> None:
    """Stable in both directions, along every dim; argsort gives the same indices."""
    for array in arrays(dtype):
        for dim in {-1, 0}:
            for descending in (False, True):
                expected = along(array, dim, lambda row, d=descending: order(row, d))
                check(tensor(array).sort(dim, descending), array, dim, expected)
                got = tensor(array).argsort(dim=dim, descending=descending)
                assert numpy.array_equal(got.numpy(), expected)
    pair = th.tensor(3.0).sort()
    assert (pair[0].item(), pair[1].item(), pair[0].ndim) == (3, 0, 0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_msort(dtype: str) -> None:
    """The values of sort, bit by bit: zeros of either sign and NaN as they were; the first dim unless told."""
    for array in arrays(dtype):
        for dim in {-1, 0}:
            for descending in (False, True):
                indices = along(array, dim, lambda row, d=descending: order(row, d))
                expected = numpy.take_along_axis(array, indices, dim).tobytes()
                assert tensor(array).msort(dim, descending).numpy().tobytes() == expected
        assert numpy.array_equal(
            th.msort(tensor(array)).numpy(), th.sort(tensor(array), 0)[0].numpy(), equal_nan=True
        )
    assert th.msort(th.tensor(3.0)).item() == 3
    a = th.tensor([[3.0, 1.0], [2.0, 4.0]])
    th.msort(a, out=a)
    assert a.tolist() == [[2, 1], [3, 4]]


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("n", [40, 64, 129, 300, 1024, 1025, 9000, 131072, 140003])
def test_values_of_16_bits(n: int) -> None:
    """Halves of any bits, of few and of many values, and the shorts they are: the values of sort, bit by bit."""
    rng = numpy.random.default_rng(n)
    ends = [0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 0xFE00, 1, 0x8001, 0x3C00]
    near = rng.standard_normal(n).astype("float16")
    for bits in (
        rng.integers(0, 1 << 16, n).astype("uint16"),
        rng.choice(numpy.array(ends, "uint16"), n),
        rng.choice(numpy.array([0x7E00, 0x3C00], "uint16"), n),
        near.view("uint16"),
        numpy.sort(near)[::-1].copy().view("uint16"),
        (near.round(1) * rng.choice([0, 1], n).astype("float16")).view("uint16"),
    ):
        bits = numpy.where(bits & 0x7FFF > 0x7C00, bits & 0x8000 | 0x7E00, bits).astype("uint16")
        for a in (tensor(bits.view("float16")), tensor(bits.view("int16"))):
            for descending in (False, True):
                expected = a.sort(descending=descending)[0].numpy().tobytes()
                for threads in (1, 2):
                    th.set_num_threads(threads)
                    assert a.msort(descending=descending).numpy().tobytes() == expected


def adverse(n: int):
    """Lines without good pivots where quicksort looks for them: eight rows at equal distances."""
    for width in (2, 4, 8, 16):
        line = numpy.arange(n)
        while n > 16 * width:
            rows = (n // 8 * numpy.arange(8)[:, None] + numpy.arange(width)).reshape(-1)
            line[rows] = numpy.sort(line[:n])[::-1][: rows.size]
            n -= rows.size
        yield line


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_sort_without_good_pivots(dtype: str) -> None:
    """Where parting does not get on, a heap sorts."""
    for line in adverse(20000):
        array = line.astype(dtype)
        assert numpy.array_equal(tensor(array).msort().numpy(), numpy.sort(array))
        check(tensor(array).sort(), array, 0, numpy.argsort(array, kind="stable"))


def lines(dtype: str, n: int):
    """Lines of n elements: random bits, few different ones, upper bits that are few, sorted ones."""
    rng = numpy.random.default_rng(n)
    width = numpy.dtype(dtype).itemsize
    bits = rng.integers(0, 2 if dtype == "bool" else 256, n * width, "uint8")
    close = bits.reshape(n, width).copy()
    close[:, width // 2 :] = close[rng.integers(0, min(n, 3), n), width // 2 :]
    few = rng.choice(draw(rng, dtype, (9,), None, True), n).astype(dtype)
    for array in (bits.view(dtype), close.reshape(-1).view(dtype), few, numpy.full(n, few[0])):
        if dtype in FLOATS:
            array = numpy.where(numpy.isnan(array), numpy.array(numpy.nan, dtype), array)
        ready = array[numpy.argsort(array, kind="stable")]
        yield from (array, ready, ready[::-1].copy())


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int32", "int64"])
@pytest.mark.parametrize("n", [1, 511, 512, 513, 1600, 70000])
def test_values_of_two_kinds(dtype: str, n: int) -> None:
    """Two values, whichever is first, and a third one at any place."""
    rng = numpy.random.default_rng(n)
    for line in (
        rng.integers(0, 2, n) * 9 - 3,
        rng.integers(0, 9, n) // 8,
        numpy.arange(n) % 300 < 2,
    ):
        array = line.astype(dtype)
        third = array.copy()
        third[rng.integers(n)] = 5
        for given in (array, 1 - array if dtype != "bool" else ~array, third):
            for descending in (False, True):
                got = th.msort(tensor(given), descending=descending).numpy()
                expected = numpy.sort(given)[:: -1 if descending else 1]
                numpy.testing.assert_array_equal(got, expected)


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
@pytest.mark.parametrize("n", [2047, 2048, 9001, 140003])
def test_values_near_to_one_another(dtype: str, n: int) -> None:
    """Integers that may be counted, up to the ends of their type, and one that is far away, wherever it is."""
    rng, info = numpy.random.default_rng(n), numpy.iinfo(dtype)
    widths = [12, 13, 100, n // 8 - 1, n // 8, n // 8 + 1, 8191, 8192, 8193]
    widths = widths[::3] if n > 100_000 else widths
    for width in (each for each in widths if each <= info.max):
        array = rng.integers(0, width + 1, n).astype(dtype)
        array[rng.integers(0, n, 2)] = [0, width]
        far = array.copy()
        far[rng.integers(n)] = info.max
        for line in (array, info.max - array, info.min + array, far):
            expected = numpy.sort(line)
            for threads in (1, 2):
                th.set_num_threads(threads)
                got = tensor(line).msort().numpy()
                falling = tensor(line).msort(descending=True).numpy()
                numpy.testing.assert_array_equal(got, expected)
                numpy.testing.assert_array_equal(falling, expected[::-1])


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("n", [33, 100, 400, 1000, 5003, 16385, 32768, 32769])
def test_sort_of_words_as_long_as_ints(n: int) -> None:
    """Keys and indices of about 31 bits, wherever in their type the keys are, and zeros of either sign."""
    rng = numpy.random.default_rng(n)
    for bits in (left - (n - 1).bit_length() for left in (30, 31, 32)):
        drawn = rng.integers(0, 1 << bits, n)
        drawn[rng.integers(0, n, 2)] = [0, (1 << bits) - 1]
        for line in (drawn, drawn - (1 << 31), (1 << 31) - 1 - drawn, drawn * 4):
            for dtype in ("int16", "int32", "int64", "float32"):
                array = line.astype(dtype) * rng.choice([1, 1, 0], n).astype(dtype)
                indices = numpy.argsort(array, kind="stable")
                check(tensor(array).sort(), array, 0, indices)
                falling = n - 1 - numpy.argsort(array[::-1], kind="stable")[::-1]
                check(tensor(array).sort(0, True), array, 0, falling)
                assert numpy.array_equal(tensor(array).argsort().numpy(), indices)


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("n", [*range(66), 127, 128, 129, 257, 1000, 5003, 70000])
def test_values_of_the_longest(n: int) -> None:
    """Longs, which are sorted as doubles, where those end: what has none, few and many, of either sign."""
    rng, end = numpy.random.default_rng(n), 0x7FE << 52
    near = end + rng.integers(-2, 3, n)
    extreme = numpy.array([-(1 << 63), (1 << 63) - 1, 0, 1, -1])
    for line in (
        numpy.where(rng.random(n) < 0.5, near, ~near),
        rng.choice(extreme, n),
        numpy.where(rng.random(n) < 0.1, extreme[1], rng.integers(-9, 9, n)),
        numpy.where(rng.random(n) < 0.01, extreme[rng.integers(0, 2, n)], near % 100),
    ):
        expected = numpy.sort(line)
        assert numpy.array_equal(tensor(line).msort().numpy(), expected)
        assert numpy.array_equal(tensor(line).msort(descending=True).numpy(), expected[::-1])


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "int32", "int64"])
@pytest.mark.parametrize("n", [64, 100, 129, 1000, 5003, 20000])
def test_sort_of_runs(dtype: str, n: int) -> None:
    """Lines that rise and fall a few times, of any length, with ties or without."""
    places = numpy.arange(n)
    rng = numpy.random.default_rng(n)
    drawn = [numpy.sort(rng.integers(0, n, count - 1)) for count in (2, 3, 4, 5, 9, 16, 17)]
    short = [numpy.array([max(n - last, 1)]) for last in (1, 2, 31, 32, 33, 65)]
    for bounds in (*drawn, *short):
        count = len(bounds) + 1
        runs = numpy.split(rng.permutation(n), bounds)
        mixed = [numpy.sort(run)[:: 1 - 2 * (i % 2)] for i, run in enumerate(runs)]
        for line in (numpy.concatenate(mixed), places % (n // count + 1), n - places % (n // 2)):
            for array in (line.astype(dtype), (line // 3).astype(dtype)):
                check(tensor(array).sort(), array, 0, numpy.argsort(array, kind="stable"))


LENGTHS = (
    2,
    3,
    4,
    5,
    8,
    9,
    12,
    13,
    16,
    17,
    31,
    32,
    33,
    48,
    63,
    64,
    65,
    100,
    128,
    129,
    255,
    256,
    257,
    300,
    511,
    512,
    513,
    1023,
    1024,
    4097,
    70000,
)


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("dtype", DTYPES)
def test_sort_of_long_lines(dtype: str) -> None:
    """Every way a line may be sorted, with each instruction set."""
    for n in LENGTHS:
        for array in lines(dtype, n):
            for descending in (False, True):
                indices = stable_order(array, descending)
                check(tensor(array).sort(0, descending), array, 0, indices)
                assert numpy.array_equal(tensor(array).argsort(0, descending).numpy(), indices)
                values = tensor(array).msort(descending=descending).numpy()
                assert values.tobytes() == array[indices].tobytes()


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("dtype", DTYPES)
def test_selection_from_long_lines(dtype: str) -> None:
    """Few and many of a line, and the one in a place of it, as sorting has them."""
    for n in (63, 128, 129, 256, 1000, 20000):
        for array in lines(dtype, n):
            for largest in (False, True):
                indices = stable_order(array, largest)
                for k in {1, 10, n // 16, n // 16 + 1, n // 2, n}:
                    check(tensor(array).topk(k, 0, largest), array, 0, indices[:k])
                    unsorted = tensor(array).topk(k, 0, largest, sorted=False)
                    check(unsorted, array, 0, numpy.sort(indices[:k]))
                    if not largest:
                        assert tensor(array).kthvalue(k)[1].item() == indices[k - 1]


def stable_order(array: numpy.ndarray, descending: bool) -> numpy.ndarray:
    """By NumPy; the stable descending order is that of the reversed line, reversed."""
    if not descending:
        return numpy.argsort(array, kind="stable")
    return array.size - 1 - numpy.argsort(array[::-1], kind="stable")[::-1]


@pytest.mark.parametrize("dtype", DTYPES)
def test_topk(dtype: str) -> None:
    """The first ones of the order; not sorted, in the order of self."""
    for array in arrays(dtype, ((1,), (7,), (300,), (4, 6), (5, 3, 4))):
        for dim in {-1, 0}:
            n = array.shape[dim]
            for k in {0, 1, n // 2, n}:
                for largest in (True, False):
                    first = along(
                        array, dim, lambda row, k=k, largest=largest: order(row, largest)[:k]
                    )
                    check(tensor(array).topk(k, dim, largest), array, dim, first)
                    check(
                        tensor(array).topk(k, dim, largest, sorted=False),
                        array,
                        dim,
                        numpy.sort(first, dim),
                    )
    for k in (-1, 4):
        with pytest.raises((ValueError, IndexError), match="topk"):
            th.zeros(3).topk(k)


@pytest.mark.parametrize("dtype", DTYPES)
def test_kthvalue(dtype: str) -> None:
    """The element at place k, from 1, of the order; of equals one that is there."""
    for array in arrays(dtype, ((1,), (7,), (300,), (4, 6), (5, 3, 4))):
        for dim in {-1, 0}:
            for k in {1, (array.shape[dim] + 1) // 2, array.shape[dim]}:
                expected = along(array, dim, lambda row, k=k: order(row, False)[k - 1 : k])
                check(tensor(array).kthvalue(k, dim, keepdim=True), array, dim, expected)
                values, indices = tensor(array).kthvalue(k, dim)
                assert values.shape == indices.shape == expected.squeeze(dim).shape
    for k in (0, 4):
        with pytest.raises((ValueError, IndexError), match="kthvalue"):
            th.zeros(3).kthvalue(k)


def middle(row: list) -> list[int]:
    """The place of the first NaN, or of the lower median."""
    nans = [i for i, value in enumerate(row) if value != value]
    return nans[:1] if nans else order(row, False)[(len(row) - 1) // 2 : (len(row) - 1) // 2 + 1]


@pytest.mark.parametrize("dtype", DTYPES)
def test_median(dtype: str) -> None:
    """The lower one of two, of all elements or along a dim; NaN where there is one."""
    for array in arrays(dtype, ((1,), (2,), (7,), (300,), (4, 6), (5, 3, 4))):
        flat = array.reshape(-1)
        got = tensor(array).median()
        assert got.ndim == 0
        assert got.numpy().tobytes() == flat[middle(flat.tolist())[0]].tobytes()
        for dim in {-1, 0}:
            values, indices = tensor(array).median(dim, keepdim=True)
            expected = numpy.take_along_axis(array, along(array, dim, middle), dim)
            assert numpy.array_equal(values.numpy(), expected, equal_nan=dtype.startswith("float"))
            found = numpy.take_along_axis(array, indices.numpy(), dim)
            assert numpy.array_equal(found, expected, equal_nan=dtype.startswith("float"))
            assert tensor(array).median(dim)[0].shape == expected.squeeze(dim).shape
    with pytest.raises((ValueError, IndexError), match="median"):
        th.zeros(3, 0).median(1)


def patterns(n: int, dtype: str) -> dict[str, numpy.ndarray]:
    """Lines with ties, in some order, or of few values, of both signs where the dtype has them."""
    random = numpy.random.default_rng(n)
    wide = random.integers(0, 120, n)
    ascending = numpy.sort(wide)
    lines = {
        "two": random.integers(0, 2, n),
        "two at the top": random.integers(0, 9, n).clip(0, 1),
        "two, mostly the least": random.integers(0, 9, n).clip(7, 8),
        "multiples": random.integers(0, 3, n) * 32,
        "same": numpy.full(n, 7),
        "ascending": ascending,
        "descending": ascending[::-1],
        "almost descending": numpy.concatenate([ascending[::-1][: n - 1], wide[-1:] + 1]),
    }
    typed = {name: line.astype(dtype) for name, line in lines.items()}
    if dtype != "uint8":
        signs = random.integers(0, 2, n) * 2 - 1
        typed |= {f"{name}, both signs": line * signs.astype(dtype) for name, line in typed.items()}
    if dtype.startswith("float"):
        lost = numpy.where(wide < 9, numpy.nan, random.integers(-1, 2, n) * -0.0 + wide % 3 - 1)
        typed |= {
            "lost": lost.astype(dtype),
            "lost in order": numpy.sort(lost[wide >= 9])[::-1].astype(dtype),
        }
    return typed


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("n", [100, 513, 700, 5000, 70000])
@pytest.mark.parametrize(
    "dtype", ["uint8", "int16", "int32", "int64", "float16", "float32", "float64"]
)
def test_patterns(dtype: str, n: int, descending: bool) -> None:
    """Ties stay in their order, -0 and 0 are such, NaN come last, or first where it descends."""
    for name, line in patterns(n, dtype).items():
        keys = line.astype("float64") * (-1 if descending else 1)
        keys[numpy.isnan(keys)] = -numpy.inf if descending else numpy.inf
        order = numpy.argsort(keys, kind="stable")
        value = th.from_numpy(line.copy())
        values, indices = th.sort(value, descending=descending)
        numpy.testing.assert_array_equal(indices.numpy(), order, err_msg=name)
        numpy.testing.assert_array_equal(
            values.numpy().view("uint8"), line[order].view("uint8"), err_msg=name
        )
        if not descending:
            alone = th.msort(value).numpy()
            numpy.testing.assert_array_equal(
                alone.view("uint8"), line[order].view("uint8"), err_msg=name
            )
        middle = th.kthvalue(value, n // 2)
        numpy.testing.assert_array_equal(
            middle.values.numpy(), numpy.sort(line)[n // 2 - 1], err_msg=name
        )
        top = th.topk(value, n // 3, largest=descending)
        numpy.testing.assert_array_equal(top.values.numpy(), line[order][: n // 3], err_msg=name)


@pytest.mark.usefixtures("isa")
@pytest.mark.parametrize("dtype", DTYPES)
def test_short_lines(dtype: str) -> None:
    """Many short lines, or few first elements of longer ones, whatever their layout: the same as one by one."""
    rng = numpy.random.default_rng(5)
    shapes = [((67, 3), 1, 2), ((5, 131), 0, 3), ((2, 27, 35), 1, 14), ((35, 2, 1), 2, 1)]
    shapes += [((70, 7, 5), 1, 3), ((3, 20, 63), 1, 4), ((4, 9, 2, 17), 1, 2)]
    for shape, dim, k in [*shapes, ((83, 127), 1, 2), ((256, 39), 0, 1)]:
        array = rng.choice(draw(rng, dtype, (9,), None, True), shape).astype(dtype)
        apart = numpy.repeat(numpy.moveaxis(array, dim, -1), 2, -1)
        for descending in (False, True):
            indices = numpy.apply_along_axis(stable_order, dim, array, descending)
            values = numpy.take_along_axis(array, indices, dim)
            first = indices.take(range(k), dim)
            for given in (tensor(array), tensor(apart)[..., ::2].movedim(-1, dim)):
                check(given.sort(dim, descending), array, dim, indices)
                assert given.msort(dim, descending).numpy().tobytes() == values.tobytes()
                check(given.topk(k, dim, descending), array, dim, first)
                unsorted = given.topk(k, dim, descending, sorted=False)
                check(unsorted, array, dim, numpy.sort(first, dim))
                if not descending:
                    kth = indices.take([k - 1], dim)
                    check(given.kthvalue(k, dim, keepdim=True), array, dim, kth)
