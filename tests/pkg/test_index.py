"""Operations that read and write by index, and indices out of range."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.calling import as_method, invoke, refused, tensors_in
from wrapgen.testing.declared import cases
from wrapgen.testing.drawing import calls, first_call, tensor


def places(index: numpy.ndarray, dim: int, shape: tuple[int, ...]):
    """For each element of an index: its place, and the place it writes to along a dim."""
    for place in numpy.ndindex(*index.shape):
        target = list(place)
        target[dim] = int(index[place])
        yield place, tuple(target)


def written(call: Any, store: Any) -> numpy.ndarray:
    """self after `store(array, place of the source, place to write)` for every element of the index, in order."""
    values = call.values
    array = values["self"].copy()
    for place, target in places(values["index"], values["dim"], array.shape):
        store(array, place, target)
    return array


def named(*names: str) -> list[Any]:
    found = [case for case in cases() if case.op.name in names]
    assert found, names
    return found


def check_all(name: str, expected: Any) -> None:
    """The operation, and its in-place form, for every dtype and sample."""
    for case in named(name, f"{name}_"):
        for dtype in case.dtypes:
            for call in calls(case, dtype):
                got = invoke(case, call.made())
                array = expected(call)
                assert got.numpy().tobytes() == array.astype(dtype).tobytes(), f"{call}"


def test_scatter() -> None:
    """Each element of src, or the value, is stored where the index says; the last one stays."""

    def expected(call: Any) -> numpy.ndarray:
        values = call.values

        def store(array: numpy.ndarray, place: Any, target: Any) -> None:
            array[target] = values["src"][place] if "src" in values else values["value"]

        return written(call, store)

    check_all("scatter", expected)


def test_scatter_add() -> None:
    """Each is added, one after the other."""

    def expected(call: Any) -> numpy.ndarray:
        def store(array: numpy.ndarray, place: Any, target: Any) -> None:
            array[target] += call.values["src"][place]

        return written(call, store)

    for case in named("scatter_add", "scatter_add_"):
        for dtype in case.dtypes:
            for call in calls(case, dtype):
                got = invoke(case, call.made()).numpy()
                close(got, expected(call), dtype, f"{call}")


def close(got: numpy.ndarray, expected: numpy.ndarray, dtype: str, what: str) -> None:
    if dtype.startswith("float"):
        near = {"float16": 2e-2, "float32": 1e-5, "float64": 1e-13}[dtype]
        numpy.testing.assert_allclose(got, expected, rtol=near, atol=near, err_msg=what)
    else:
        assert numpy.array_equal(got, expected), what


def slicewise(call: Any, store: Any) -> numpy.ndarray:
    """self after `store(slice of self, number of the index)` along dim, in order."""
    values = call.values
    array = values["self"].copy()
    moved = numpy.moveaxis(array, values["dim"], 0)
    for number, place in enumerate(values["index"].tolist()):
        store(moved, place, number)
    return array


def source_slice(call: Any, number: int) -> numpy.ndarray:
    return numpy.moveaxis(call.values["source"], call.values["dim"], 0)[number]


def test_index_add() -> None:
    """Slices of source, times alpha, are added where the index says, twice where it says so twice."""
    for case in named("index_add", "index_add_"):
        for dtype in case.dtypes:
            for call in calls(case, dtype):
                alpha = call.values.get("alpha", 1)

                def store(
                    moved: numpy.ndarray, place: int, number: int, call=call, alpha=alpha
                ) -> None:
                    moved[place] += numpy.asarray(alpha).astype(moved.dtype) * source_slice(
                        call, number
                    )

                close(invoke(case, call.made()).numpy(), slicewise(call, store), dtype, f"{call}")


def test_index_copy() -> None:
    """Slices are replaced; the last one stays."""

    def expected(call: Any) -> numpy.ndarray:
        def store(moved: numpy.ndarray, place: int, number: int) -> None:
            moved[place] = source_slice(call, number)

        return slicewise(call, store)

    check_all("index_copy", expected)


def test_index_fill() -> None:
    def expected(call: Any) -> numpy.ndarray:
        def store(moved: numpy.ndarray, place: int, number: int) -> None:
            moved[place] = call.values["value"]

        return slicewise(call, store)

    check_all("index_fill", expected)


def test_put() -> None:
    """Positions count row by row, negative ones from the end; the last one stays."""

    def expected(call: Any) -> numpy.ndarray:
        array = call.values["self"].copy()
        for place, value in zip(
            call.values["index"].ravel().tolist(), call.values["source"].ravel(), strict=True
        ):
            array.ravel()[place] = value
        return array

    check_all("put", expected)


@pytest.mark.parametrize("dim", range(3))
def test_expanded_indices(dim: int) -> None:
    """As the same ones in full, whatever dims they are expanded along; those of slices, too."""
    rng = numpy.random.default_rng(1)
    x, src = tensor(rng.normal(size=(7, 5, 40))), tensor(rng.normal(size=(7, 5, 40)))
    for once in itertools.product((1, 7), (1, 5), (1, 40)):
        index = tensor(rng.integers(0, x.shape[dim], once)).expand(7, 5, 40)
        for call in (
            lambda i: th.gather(x, dim, i),
            lambda i: th.scatter(x, dim, i, src),
            lambda i: th.scatter(x, dim, i, 2),
            lambda i: th.scatter_add(x, dim, i, src),
        ):
            assert call(index).tolist() == call(index.clone().contiguous()).tolist()
    one = th.tensor([1]).expand(4)
    assert (
        th.index_select(x, dim, one).tolist() == th.index_select(x, dim, th.ones_like(one)).tolist()
    )
    with pytest.raises(IndexError, match="index 40 is out of bounds for dim 1 with size 5"):
        th.gather(x, 1, th.tensor([[[40]]]).expand(7, 5, 40))


def test_masked_scatter() -> None:
    """Elements of source in their order, where the mask is true; too few are an error."""

    def expected(call: Any) -> numpy.ndarray:
        array = call.values["self"].copy()
        mask = numpy.broadcast_to(call.values["mask"], array.shape)
        array[mask] = call.values["source"].ravel()[: mask.sum()]
        return array

    check_all("masked_scatter", expected)
    value = th.zeros(2, 3)
    with refused(ValueError, [value], "masked_scatter"):
        value.masked_scatter_(th.ones(2, 3).bool(), th.ones(5))


INDEXED = [
    case for case in cases() if any(arg.name == "index" and arg.type.tensor for arg in case.args)
]


@pytest.mark.parametrize("case", INDEXED, ids=lambda case: case.id)
def test_indices_out_of_range(case: Any) -> None:
    """An IndexError that names the index, wherever it stands, before anything is written."""
    call = first_call(case, "float32")
    index = call.values["index"]
    for wrong in (index.size, 10**6, -(10**6), 2**63 - 1, -(2**63)):
        spoilt = index.copy()
        spoilt.ravel()[-1] = wrong if wrong != index.size else call.values["self"].size
        given = call.but(index=spoilt).made()
        with refused(IndexError, tensors_in(given), f"^{case.op.name}: index"):
            (as_method if case.op.inplace else invoke)(case, given)


@pytest.mark.parametrize("columns", [1, 3, 20, 300])
def test_masks_of_whole_rows(columns: int) -> None:
    """One element of the mask for all of a row."""
    for dtype in ("uint8", "int16", "float32", "float64"):
        array = numpy.arange(10 * columns).reshape(10, columns).astype(dtype)
        mask = numpy.arange(10)[:, None] % 3 == 0
        filled = tensor(array).masked_fill_(tensor(mask), 5).numpy()
        numpy.testing.assert_array_equal(filled, numpy.where(mask, 5, array))
        stored = tensor(array).masked_scatter_(tensor(mask), tensor(array[::-1].copy())).numpy()
        expected = array.copy()
        expected[mask[:, 0]] = array[::-1][: mask.sum()]
        numpy.testing.assert_array_equal(stored, expected)


@pytest.mark.parametrize("name", ["masked_fill_", "masked_scatter_"])
def test_masks_do_not_enlarge_self(name: str) -> None:
    value, mask = th.zeros(4), th.ones(3, 4).bool()
    with refused(ValueError, [value], r"\(4,\).*\(3, 4\)"):
        getattr(value, name)(mask, 1.0 if name == "masked_fill_" else th.ones(12))


@pytest.mark.parametrize("size", [(3, 4), (2, 0), (5,), ()])
def test_where_condition(size: tuple[int, ...]) -> None:
    """The columns of nonzero, one for each dim; a 0-d condition counts as one of one dim."""
    array = numpy.random.default_rng(1).integers(0, 2, size)
    condition = th.tensor(array)
    expected = numpy.nonzero(numpy.atleast_1d(array))
    for found in (
        th.where(condition),
        th.nonzero(condition, as_tuple=True),
        condition.nonzero(as_tuple=True),
        condition.nonzero(as_tuple=numpy.True_),
    ):
        assert isinstance(found, tuple)
        assert [one.tolist() for one in found] == [one.tolist() for one in expected]
    assert th.nonzero(condition, as_tuple=False).tolist() == condition.nonzero().tolist()
    with pytest.raises(TypeError, match="unexpected keyword argument 'out'"):
        th.nonzero(condition, as_tuple=True, out=th.empty(0, dtype=th.int64))
    with pytest.raises(TypeError, match="'as_tuple' must be False, not int"):
        th.nonzero(condition, as_tuple=1)
    with pytest.raises(TypeError, match="'as_tuple' must be False, not True"):
        th.nonzero(condition, as_tuple=True, out=th.empty(0, dtype=th.int64))
    with pytest.raises(TypeError, match="where"):
        condition.where()


@pytest.mark.parametrize("side", [30, 40, 300])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "float16", "float32", "int64"])
def test_nonzero_in_any_layout(dtype: str, side: int) -> None:
    """NumPy's places, whether the elements or their truth are brought in order."""
    array = numpy.random.default_rng(side).integers(-3, 4, (side, side + 1)).clip(0).astype(dtype)
    if dtype[0] == "f":
        array[::3, 1], array[::5, 2], array[1::5, 2] = -0.0, numpy.nan, 6e-8
    rows, steps = numpy.repeat(array, 2, 0)[::2], numpy.repeat(array, 2, 1)[:, ::2]
    for given in (
        array,
        rows,
        steps,
        array.T.copy().T,
        array.T,
        numpy.repeat(array.T, 2, 1)[:, ::2],
    ):
        assert numpy.array_equal(th.from_numpy(given).nonzero().numpy(), numpy.argwhere(given))


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_picked_along_steps(dtype: str, isa: str) -> None:
    """NumPy's slices along a dim of steps, by places counted from either end."""
    th._C._set_isa(isa)
    rng = numpy.random.default_rng(7)
    array = rng.integers(0, 120, (5, 700)).astype(dtype)
    for step, n in itertools.product((1, 2, 3, 7), (1, 15, 16, 33, 64, 100)):
        given = array[:, ::step]
        size = given.shape[1]
        for index in (rng.integers(0, size, n), rng.integers(-size, size, n)):
            places, x = th.from_numpy(index), th.from_numpy(given)
            assert numpy.array_equal(x[:, places].numpy(), given[:, index])
            assert numpy.array_equal(x[3][places].numpy(), given[3][index])
            each = numpy.stack([index] * 5)
            got = x.gather(1, th.from_numpy(numpy.where(each < 0, each + size, each)))
            assert numpy.array_equal(got.numpy(), given[:, index])


@pytest.mark.parametrize("name", ["index_select", "gather", "scatter", "scatter_add", "index_add"])
def test_int32_indices(name: str) -> None:
    """Taken where PyTorch takes them, in place over their own memory too."""
    index = th.tensor([2, 0, 2])
    rest = () if name in ("index_select", "gather") else (th.tensor([5.0, 6, 7]),)
    values = th.arange(4.0)
    expected = getattr(values, name)(0, index, *rest).tolist()
    assert getattr(values, name)(0, index.int(), *rest).tolist() == expected
    if rest:
        assert getattr(values, f"{name}_")(0, index.int(), *rest).tolist() == expected
        own = th.tensor([1, 0], dtype=th.int32)
        assert getattr(own, f"{name}_")(0, own, own.clone()).tolist() == (
            [0, 1] if name == "scatter" else [1, 1]
        )
    for dtype in (th.int16, th.bool, th.float32):
        with pytest.raises(TypeError, match=rf"^{name}: expected index of dtype int64 or int32"):
            getattr(values, name)(0, index.to(dtype), *rest)


def test_indices_beside_none_are_not_looked_at() -> None:
    """An index out of range is an error only where an element is picked."""
    nothing = th.empty(0, dtype=th.int64)
    assert th.zeros(0)[False, th.tensor([0])].shape == (0,)
    assert th.zeros(3, 2)[th.tensor([7]), nothing].shape == (0,)
    with pytest.raises(IndexError, match="7 is out of bounds"):
        th.zeros(3, 2)[th.tensor([7]), th.tensor([0])]


@pytest.mark.parametrize("dtype", ["bool", "float16", "int32", "float64"])
def test_reading_looks_at_each_index(dtype: str) -> None:
    """Good, negative and bad indices in every place of what is read at a time; `out=` is left as it was."""
    array = numpy.arange(7).astype(dtype)
    for n in range(1, 11):
        for at in range(n):
            for other in (-1, -7, 7, -8):
                index = numpy.arange(n) % 7
                index[at] = other
                i, a, out = (
                    th.tensor(index),
                    th.tensor(array),
                    th.empty(0, dtype=getattr(th, dtype)),
                )
                if -7 <= other < 7:
                    for got in (a[i], a.take(i), a.take(i, out=out)):
                        assert numpy.array_equal(got.numpy(), array[index])
                else:
                    for read in (lambda a=a, i=i: a[i], lambda a=a, i=i, o=out: a.take(i, out=o)):
                        with pytest.raises(IndexError, match=f"index {other} is out of bounds"):
                            read()
                    assert tuple(out.shape) == (0,)
                if other < 0:
                    for read in (
                        lambda a=a, i=i, o=out: th.index_select(a, 0, i),
                        lambda a=a, i=i: th.gather(a, 0, i),
                    ):
                        with pytest.raises(IndexError, match=f"index {other} is out of bounds"):
                            read()


@pytest.mark.parametrize("n", [1023, 1024, 1025, 2500])
def test_long_lines_of_any_indices(n: int) -> None:
    """Lines whose indices are looked at part by part, of any layout; a bad one leaves out as it was."""
    random = numpy.random.default_rng(n)
    array = random.random((3, 700))
    index = random.integers(0, 700, (3, n))
    for other in (array, numpy.asfortranarray(array)):
        a, i, out = th.from_numpy(other), th.tensor(index), th.empty(0, dtype=th.float64)
        expected = numpy.take_along_axis(array, index, 1)
        assert numpy.array_equal(th.gather(a, 1, i).numpy(), expected)
        assert numpy.array_equal(th.gather(a, 1, i, out=out).numpy(), expected)
        for at in (0, 1023, n - 1):
            for bad in (-1, 700):
                i, out = th.tensor(index), th.empty(0, dtype=th.float64)
                i[2, min(at, n - 1)] = bad
                with pytest.raises(IndexError, match=f"index {bad} is out of bounds for dim 1"):
                    th.gather(a, 1, i, out=out)
                assert tuple(out.shape) == (0,)


def some_mask(size: tuple[int, ...], share: float) -> numpy.ndarray:
    return numpy.random.default_rng(len(size)).random(size) < share


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 1.0])
@pytest.mark.parametrize(
    "size", [(7,), (64,), (509,), (16385,), (1, 40000), (313, 129), (5, 70, 70)]
)
def test_masks_of_any_density(size: tuple[int, ...], share: float) -> None:
    """Reading and writing where a mask is true, around the borders of words and blocks, as NumPy does."""
    mask = some_mask(size, share)
    for dtype in ("uint8", "float16", "int32", "float64"):
        array = (numpy.arange(mask.size) % 97).reshape(size).astype(dtype)
        values = numpy.arange(1, mask.sum() + 1).astype(dtype)
        numpy.testing.assert_array_equal(th.tensor(array)[th.tensor(mask)].numpy(), array[mask])
        for order in ("C", "F"):
            written = th.from_numpy(array.copy(order))
            written.masked_scatter_(th.tensor(mask), th.tensor(values))
            assigned = th.from_numpy(array.copy(order))
            assigned[th.tensor(mask)] = th.tensor(values)
            expected = array.copy()
            expected[mask] = values
            numpy.testing.assert_array_equal(written.numpy(), expected)
            numpy.testing.assert_array_equal(assigned.numpy(), expected)
    numpy.testing.assert_array_equal(th.nonzero(th.tensor(mask)).numpy(), numpy.argwhere(mask))


def test_mask_of_itself_is_assigned() -> None:
    """What is written may be the mask, or lie in self's memory."""
    mask = some_mask((3000,), 0.5)
    value = th.tensor(mask)
    value[value] = th.zeros(int(mask.sum())).bool()
    assert not value.any()
    array = numpy.arange(3000)
    value = th.from_numpy(array.copy())
    value[th.tensor(mask)] = value[: int(mask.sum())]
    array[mask] = array[: mask.sum()].copy()
    numpy.testing.assert_array_equal(value.numpy(), array)
    with pytest.raises(ValueError, match="does not broadcast"):
        value[th.tensor(mask)] = value[: int(mask.sum()) - 1]


@pytest.mark.parametrize("dtype", ["bool", "float16", "int32", "float64"])
@pytest.mark.parametrize("n", [1, 63, 511, 512, 513, 40000])
def test_an_index_for_each_dim(dtype: str, n: int) -> None:
    """Negative ones count from the end, strides do not matter, and any that is wrong is told."""
    rng = numpy.random.default_rng(n)
    array = rng.integers(0, 100, (7, 5, 6)).astype(dtype).transpose(2, 0, 1)
    index = [rng.integers(-size, size, n) for size in array.shape]
    value = tensor(array.transpose(1, 2, 0).copy()).permute(2, 0, 1)
    got = value[tuple(th.from_numpy(i) for i in index)]
    numpy.testing.assert_array_equal(got.numpy(), array[tuple(index)])
    for dim, size in enumerate(array.shape):
        for wrong in (size, -size - 1):
            bad = [i.copy() for i in index]
            bad[dim][n // 2] = wrong
            with pytest.raises(IndexError, match=f"{wrong} is out of bounds for dim {dim} "):
                value[tuple(th.from_numpy(i) for i in bad)]
    with pytest.raises(IndexError, match="out of bounds"):
        th.zeros(3, 0)[th.zeros(n, dtype=th.int64), th.zeros(n, dtype=th.int64)]


ROW_BYTES = [*range(1, 18), 31, 33, 40, *(n + k for n in (64, 128, 256, 2048) for k in (-1, 0, 1))]


def rows_moved(rows: int, columns: int) -> None:
    rng = numpy.random.default_rng(columns * rows)
    array = rng.integers(0, 256, (rows, columns), "uint8")
    index = rng.permutation(rows)
    index -= rows * (rng.random(rows) < 0.5)
    places, value = th.from_numpy(index), th.from_numpy(array)
    numpy.testing.assert_array_equal(value[places].numpy(), array[index])
    expected = numpy.zeros((rows, columns + 1), "uint8")
    got = tensor(expected)
    got[:, :columns][places] = value
    expected[:, :columns][index] = array
    numpy.testing.assert_array_equal(got.numpy(), expected)
    got[places[: rows // 2]] = th.from_numpy(expected[0].copy())
    expected[index[: rows // 2]] = expected[0]
    numpy.testing.assert_array_equal(got.numpy(), expected)
    got[places[: rows // 3]] = 7
    expected[index[: rows // 3]] = 7
    numpy.testing.assert_array_equal(got.numpy(), expected)


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("rows", [1, 3, 300])
def test_rows_of_any_length(rows: int, isa: str) -> None:
    """They are read and written where indices say, those that count from the end too."""
    used = th._C._isa()
    th._C._set_isa(isa)
    try:
        for columns in (*ROW_BYTES, 5001):
            rows_moved(rows, columns)
    finally:
        th._C._set_isa(used)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("columns", [2, 3, 10, 17, 63, 64, 65, 128, 129, 257])
def test_lines_of_few_indices(columns: int) -> None:
    """Each line by its own indices, or all by the same, some of them twice, of every layout."""
    rng = numpy.random.default_rng(columns)
    shape = (3, 40, columns)
    index, shared = rng.integers(0, columns, shape), rng.integers(0, columns, columns)
    once = numpy.argsort(rng.random(shape), -1)
    places = numpy.indices(shape)
    for dtype in ("bool", "uint8", "float16", "int32", "float64"):
        array, source = (rng.integers(0, 3, shape).astype(dtype) for _ in range(2))
        sums, slices = array.astype("int64"), array.astype("int64")
        numpy.add.at(sums, (places[0], places[1], index), source.astype("int64"))
        numpy.add.at(slices, (places[0], places[1], shared[places[2]]), source.astype("int64"))
        scattered = array.copy()
        numpy.put_along_axis(scattered, once, source, -1)
        self = th.from_numpy(array)
        turned = self.transpose(1, 2).contiguous().transpose(1, 2)
        wide = th.zeros(3, 40, 2 * columns, dtype=self.dtype)
        wide[..., ::2] = th.from_numpy(source)
        own, all_lines = th.from_numpy(index), th.from_numpy(shared)
        for x in (self, turned):
            for y in (th.from_numpy(source), wide[..., ::2]):
                got = x.scatter_add(-1, own, y), x.index_add(-1, all_lines, y)
                for result, expected in zip(got, (sums, slices), strict=True):
                    assert numpy.array_equal(result.numpy(), expected.astype(dtype))
                assert numpy.array_equal(x.scatter(-1, th.from_numpy(once), y).numpy(), scattered)
            expected = numpy.take_along_axis(array, index, -1)
            assert numpy.array_equal(x.gather(-1, own).numpy(), expected)
            assert numpy.array_equal(x.index_select(-1, all_lines).numpy(), array[..., shared])


@pytest.mark.parametrize("shape", [(5000,), (4, 2000)])
def test_failing_gathers_leave_what_others_see(shape: tuple[int, ...]) -> None:
    """A result without elements may be a view of memory that has some."""
    whole = th.arange(10000.0)
    index = th.zeros(shape, dtype=th.int64)
    index[tuple(n - 1 for n in shape)] = 10000
    with pytest.raises(IndexError):
        th.gather(th.ones(shape), 0, index, out=whole[:0])
    assert th.equal(whole, th.arange(10000.0))


@pytest.mark.parametrize("dtype", ["uint8", "float16", "int32", "float64"])
@pytest.mark.parametrize("n", [1, 3, 4, 15, 16, 33, 257])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("step", [1, 2])
def test_slices_of_any_layout(dtype: str, n: int, threads: int, step: int) -> None:
    """Few indices and many along each dim, negative ones and repeated ones, in any order of memory."""
    rng = numpy.random.default_rng(n)
    base = rng.integers(0, 100, (20, 30, 50 * step)).astype(dtype)[..., ::step]
    before = th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for order in itertools.permutations(range(3)):
            given, array = th.from_numpy(base).permute(order), base.transpose(order)
            for dim, size in enumerate(given.shape):
                index = rng.integers(-size, size, n)
                key: Any = (slice(None),) * dim + (index,)
                mine: Any = (*key[:-1], th.from_numpy(index))
                got = given[mine]
                numpy.testing.assert_array_equal(got.numpy(), array[key])
                along = got.permute(sorted(range(3), key=order.__getitem__))
                assert along.is_contiguous()
                inside = th.from_numpy(index % size)
                assert given.index_select(dim, inside).equal(got)
                assert given.index_select(dim, inside).stride() == got.stride()
                out = th.empty(got.shape, dtype=got.dtype)
                assert th.index_select(given, dim, inside, out=out).equal(got)
                assert out.is_contiguous()
                value = rng.integers(0, 100, got.shape).astype(dtype)
                for source in (value, value[:1, :1, :1], value.T.copy().T):
                    copy, expected = given.clone(), array.copy()
                    copy[mine] = th.from_numpy(source)
                    expected[key] = source
                    numpy.testing.assert_array_equal(copy.numpy(), expected)
                each = inside.view([-1 if d == dim else 1 for d in range(3)]).expand(got.shape)
                assert given.gather(dim, each).equal(got)
                assert given.gather(dim, each.contiguous()).equal(got)
    finally:
        th.set_num_threads(before)


@pytest.mark.parametrize("dtype", ["bool", "float16", "float32", "int64"])
@pytest.mark.parametrize("n", [1, 7, 300, 40_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_positions_in_any_layout(dtype: str, n: int, threads: int) -> None:
    """Counted row by row, whatever the strides; the last of several values for a place stays."""
    rng = numpy.random.default_rng(n)
    base = rng.integers(0, 2, (6, 10, 31)).astype(dtype)
    before = th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for cut in (..., numpy.s_[::2], numpy.s_[:, ::3], numpy.s_[..., ::2], numpy.s_[1, :, 1:2]):
            for turned in (base[cut], base[cut].T, base[cut].swapaxes(0, 1)):
                array = base.copy()
                array = numpy.lib.stride_tricks.as_strided(array, turned.shape, turned.strides)
                given = th.from_numpy(array)
                index = rng.integers(-turned.size, turned.size, n)
                value = rng.integers(0, 2, n).astype(dtype)
                places, values = th.from_numpy(index), th.from_numpy(value)
                assert given.take(places).tolist() == array.reshape(-1)[index].tolist()
                expected = array.reshape(-1).copy()
                expected[index] = value
                assert given.put(places, values).view(-1).tolist() == expected.tolist()
                assert given.put_(places, values).reshape(-1).tolist() == expected.tolist()
    finally:
        th.set_num_threads(before)
