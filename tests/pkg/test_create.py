"""What the entries of declarations/create.yaml promise beyond values: sizes, sharing, conversions."""

from __future__ import annotations

import itertools

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.declared import DTYPES, cases
from wrapgen.testing.drawing import calls, tensor


@pytest.mark.parametrize("dtype", DTYPES)
def test_empty(dtype: str) -> None:
    """Sizes and dtype are right, memory is not shared; any way to give the sizes will do."""
    kind = getattr(th, dtype)
    like = th.zeros(2, 3, dtype=kind)
    for made in (
        th.empty(2, 3, dtype=kind),
        th.empty((2, 3), dtype=kind),
        th.empty_like(like),
        like.new_empty([2, 3]),
    ):
        assert (made.dtype, tuple(made.shape), made.is_contiguous()) == (kind, (2, 3), True)
        assert made.data_ptr() != like.data_ptr()
    assert (
        th.empty_like(like, dtype=th.int16).dtype
        is like.new_empty(1, dtype=th.int16).dtype
        is th.int16
    )
    assert th.empty((), dtype=kind).ndim == 0
    assert th.empty(0, 4).numel() == 0
    assert th.empty_like(like.t()).stride() == (1, 3)
    with pytest.raises(ValueError, match="-1"):
        th.empty(2, -1)
    with pytest.raises((ValueError, MemoryError)):
        th.empty(2**40, 2**40)


def test_cast() -> None:
    """Conversions are NumPy's where NumPy defines them; a tensor that has the dtype already is given back itself."""
    (cast,) = (case for case in cases() if case.id == "_cast")
    for source, target in itertools.product(DTYPES, repeat=2):
        kind = getattr(th, target)
        for call in calls(cast, source, ((3, 5), (0,), ())):
            array = call.values["self"]
            if source.startswith("float") and not target.startswith("float"):
                array = numpy.clip(
                    numpy.nan_to_num(array), 0 if target == "uint8" else -100, 100
                ).astype(source)
            got = tensor(array).to(kind)
            assert got.numpy().tobytes() == array.astype(target).tobytes(), f"{source} to {target}"
            assert tensor(array).type_as(got).dtype is kind
    value = th.ones(2)
    assert value.to(th.float32).data_ptr() == value.type_as(value).data_ptr() == value.data_ptr()
    assert value.to(th.float32, copy=True).data_ptr() != value.data_ptr()


def made(data: object, dtype: th.dtype | None) -> tuple[object, ...]:
    try:
        result = th.tensor(data, dtype=dtype)
    except (TypeError, ValueError) as error:
        return (type(error),)
    return result.dtype, tuple(result.shape), result.numpy().tobytes()


@pytest.mark.parametrize("source", DTYPES)
def test_sequences_of_arrays(source: str) -> None:
    """Arrays and tensors in a sequence are nested sequences, whatever they are like."""
    rng = numpy.random.default_rng(7)
    for target, shape in itertools.product((None, *DTYPES), ((3,), (2, 2), (1,), (0,))):
        kind = None if target is None else getattr(th, target)
        arrays = [(rng.random(shape) * 100).astype(source) for _ in range(4)]
        other = arrays[1].astype("float32")
        steps = [numpy.repeat(array, 2, 0)[::2] for array in arrays]
        for rows in (arrays, steps, [arrays[0], other, *arrays[2:]], [*arrays[:3], arrays[3][:1]]):
            lists = [row.tolist() for row in rows]
            assert made(rows, kind) == made(tuple(rows), kind) == made(lists, kind)
            assert made([tensor(row) for row in rows], kind) == made(lists, kind)
    assert made([numpy.array([300])], th.uint8) == (ValueError,)
    assert th.tensor([True, False, True]).dtype is th.bool
    assert th.tensor([True, 2, False]).tolist() == [1, 2, 0]
    assert th.tensor([False, True, 2.5]).tolist() == [0, 1, 2.5]


def test_resize() -> None:
    """Elements stay where they are in memory; the storage grows but never shrinks; views keep their memory."""
    value = th.arange(6)
    assert value.resize_(2, 3) is value
    assert value.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert value.resize_(2).tolist() == [0, 1]
    assert value.resize_((3, 2)).tolist() == [[0, 1], [2, 3], [4, 5]]
    assert value.resize_(4, 4)[0].tolist() == [0, 1, 2, 3]
    assert value.resize_as_(th.zeros(2, 2)).tolist() == [[0, 1], [2, 3]]
    assert value.resize_(()).item() == 0
    assert value.resize_(0, 3).numel() == 0
    base = th.arange(6)
    view = base[2:]
    assert view.resize_(2, 2).tolist() == [[2, 3], [4, 5]]
    assert view.data_ptr() == base.data_ptr() + 16
    with pytest.raises(ValueError, match="-2"):
        view.resize_(-2)
    assert tuple(view.shape) == (2, 2)


def test_resize_of_shared_memory() -> None:
    """Memory that NumPy looks at does not move."""
    value = th.arange(4)
    array = value.numpy()
    with pytest.raises(RuntimeError):
        value.resize_(1000)
    assert value.tolist() == array.tolist() == [0, 1, 2, 3]


def test_set() -> None:
    """set_ makes self a view of the source's memory, or of a storage."""
    source = th.arange(12).view(3, 4).t()
    value = th.empty(0, dtype=th.int64)
    assert value.set_(source) is value
    assert value.is_set_to(source)
    value[0, 0] = 100
    assert source[0, 0].item() == 100
    storage = th.arange(6).storage()
    assert value.set_(storage).tolist() == [0, 1, 2, 3, 4, 5]
    assert value.set_(storage, 1, (2, 2)).tolist() == [[1, 2], [3, 4]]
    assert value.set_(storage, 1, (2, 2), (1, 2)).tolist() == [[1, 3], [2, 4]]
    for size, stride in (
        ((7,), (1,)),
        ((2, 2), (4, 2)),
        ((2,), (-1,)),
        ((-1,), (1,)),
        ((2**62, 4), (1, 1)),
    ):
        with pytest.raises((ValueError, IndexError, RuntimeError)):
            value.set_(storage, 0, size, stride)
        assert value.tolist() == [[1, 3], [2, 4]]
    with pytest.raises((ValueError, IndexError, RuntimeError)):
        value.set_(storage, -1, (1,), (1,))
    with pytest.raises(TypeError):
        value.set_(th.ones(3))


@pytest.mark.parametrize("dtype", DTYPES)
def test_arange_counts(dtype: str) -> None:
    """As many numbers as there are before the end is reached; a step away from it is an error."""
    kind = getattr(th, dtype)
    assert th.arange(0, 1, dtype=kind).tolist() == [0]
    assert th.arange(1, 1, dtype=kind).numel() == 0
    if dtype != "bool":
        assert th.arange(2, 9, 3, dtype=kind).tolist() == [2, 5, 8]
    with pytest.raises(ValueError, match="arange"):
        th.arange(0, 3, -1, dtype=kind)
    with pytest.raises(ValueError, match="arange"):
        th.arange(0, 3, 0, dtype=kind)


def test_arange_of_odd_numbers() -> None:
    for wrong in ((0, float("inf")), (float("nan"), 1), (0, 1, float("nan"))):
        with pytest.raises(ValueError, match="arange"):
            th.arange(*wrong)
    with pytest.raises((ValueError, MemoryError)):
        th.arange(-(2**63), 2**63 - 1)
    assert th.arange(2**63 - 3, 2**63 - 1).tolist() == [2**63 - 3, 2**63 - 2]


@pytest.mark.parametrize("n", [1, 2, 1023, 1024, 1025, 2049, 40000])
def test_long_sequences(n: int) -> None:
    """Every element is computed from its position alone, by the first half's or the second's formula."""
    position = numpy.arange(n)
    step = (7.5 - -3.25) / max(n - 1, 1)
    end = 7.5 if n > 1 else -3.25
    first, second = -3.25 + step * position, end - step * (n - 1 - position)
    line = numpy.where(position < n // 2, first, second)
    numpy.testing.assert_array_equal(th.linspace(-3.25, 7.5, n, dtype=th.float64).numpy(), line)
    numpy.testing.assert_array_equal(th.linspace(-3.25, 7.5, n).numpy(), line.astype("float32"))
    used = th._C._isa()
    for isa in (*isas.available(), used):
        th._C._set_isa(isa)
        powers = th.logspace(-3.25, 7.5, n, dtype=th.float64).numpy()
        numpy.testing.assert_allclose(powers, 10**line, rtol=1e-15)
        numpy.testing.assert_array_equal(powers, (10.0 ** tensor(line)).numpy())
    numpy.testing.assert_array_equal(th.arange(n, dtype=th.int16).numpy(), position.astype("int16"))
    thirds = th.arange(0, n / 3 - 0.1, 1 / 3, dtype=th.float64).numpy()
    numpy.testing.assert_array_equal(thirds, numpy.arange(len(thirds)) * (1 / 3))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [2, 10, 1024, 1025, 3000])
def test_sequences_are_converted_numbers(n: int, dtype: str) -> None:
    """Those of floating dtypes are rounded doubles, Half by way of Float; those of integers wrap."""
    kind, floating = getattr(th, dtype), dtype.startswith("float")
    line = th.linspace(-3, 7, n, dtype=th.float64).numpy()
    by_way = line.astype("float32") if dtype == "float16" else line
    cut = by_way if floating or dtype == "bool" else line.astype("int64")
    numpy.testing.assert_array_equal(th.linspace(-3, 7, n, dtype=kind).numpy(), cut.astype(dtype))
    count = numpy.arange(n).astype("uint8" if dtype == "bool" else dtype).astype(dtype)
    numpy.testing.assert_array_equal(th.arange(n, dtype=kind).numpy(), count)


@pytest.mark.parametrize("dtype", DTYPES)
def test_fill_of_what_lies_apart(dtype: str) -> None:
    """Few and many elements by one, two and three dims; what lies between stays."""
    for part in (
        numpy.s_[:, 3],
        numpy.s_[7],
        numpy.s_[::3, 1:60:2],
        numpy.s_[:, :33],
        numpy.s_[1:40, 5:30],
        numpy.s_[:, 4:5],
        numpy.s_[9:9, 1:2],
        numpy.s_[5, 6],
    ):
        for turned in (False, True):
            expected = numpy.zeros((70, 66), dtype)
            base = th.tensor(expected)
            (base.t() if turned else base)[part].fill_(7)
            (expected.T if turned else expected)[part] = 7
            numpy.testing.assert_array_equal(base.numpy(), expected)
    cube = th.zeros(4, 5, 6, dtype=getattr(th, dtype))
    cube[:, 1:3, ::2].fill_(1)
    assert cube.sum().item() == cube[:, 1:3, ::2].sum().item() == 24
