"""The package as a whole: what it exports and imports, dtypes, the classes of old, casts, parts of tensors."""

from __future__ import annotations

import copy
import importlib.util
import itertools
import math
import pickle
import subprocess
import sys
import tomllib
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thwrap as th
from thwrap import _blas
from thwrap._dtype import REAL_NAMES
from thwrap._tensor import METHODS
from wrapgen.emit import result_types
from wrapgen.testing.declared import operations

ROOT = Path(__file__).parents[2]
DTYPES = tuple(REAL_NAMES)
each_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)


# Import and exports


def test_import_is_light() -> None:
    """Neither NumPy nor what is slow in the standard library is imported."""
    code = "import sys; before = set(sys.modules); import thwrap; print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "thwrap" in loaded
    heavy = {"numpy", "cffi", "scipy_openblas32", "typing", "inspect", "dataclasses", "re", "enum"}
    assert not loaded & heavy


def test_all_is_complete() -> None:
    public = {
        name
        for name, value in vars(th).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert len(th.__all__) == len(set(th.__all__))
    assert set(th.__all__) == public | {"return_types"}


def test_objects_are_used_again() -> None:
    """A tensor object in the place of a dead one has nothing of it, and the memory can be given back."""
    for _ in range(3):
        many = [th.ones(2) for _ in range(100)]
        references = [weakref.ref(tensor) for tensor in many]
        del many
        assert all(reference() is None for reference in references)
        again = th.zeros(3)
        assert again.tolist() == [0, 0, 0]
        assert weakref.ref(again)() is again
        th.empty_cache()


def test_a_function_is_found_at_once() -> None:
    """Beside a `__getattr__` of the module Python looks up `th.add` anew in each call, which takes 40 ns."""
    assert "__getattr__" not in vars(th)


def test_declared_operations_are_not_hidden() -> None:
    """Nothing written in Python takes the name of a declared operation."""
    wrappers = {operation.forms[0].op.python_name for operation in operations()}
    assert not wrappers & METHODS[th.Tensor].keys()
    by_hand = set(th.__all__) - set(th._functions.__all__)
    assert not wrappers & by_hand


def test_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert th.__version__ == project["version"]


def test_config() -> None:
    assert (Path(th.get_lib()) / "libTH.so").is_file()
    assert (Path(th.get_include()) / "TH" / "TH.h").is_file()
    text = th.show_config()
    assert th.__version__ in text
    assert th.get_lib() in text


def test_blas_library_is_found_without_import() -> None:
    spec = importlib.util.find_spec("scipy_openblas32")
    path = _blas.library_path()
    if spec is None:
        assert path is None
        return
    assert path is not None
    assert Path(path).is_file()
    assert Path(path).is_relative_to(Path(str(spec.origin)).parent)


def test_public_functions_have_docs() -> None:
    names = [name for name in th.__all__ if callable(getattr(th, name))]
    assert [name for name in names if not getattr(th, name).__doc__] == []
    methods = [
        name for name, value in METHODS[th.Tensor].items() if callable(value) and name[0] != "_"
    ]
    assert [name for name in methods if not getattr(th.Tensor, name).__doc__] == []


def test_return_types() -> None:
    assert isinstance(th.ones(2, 2).max(0), th.return_types.max)
    assert sys.modules["thwrap.return_types"] is th.return_types
    for name in ("add", "nothing", "empty"):
        with pytest.raises(AttributeError) as caught:
            getattr(th.return_types, name)
        assert str(caught.value) == f"module 'thwrap.return_types' has no attribute '{name}'"


def test_every_named_tuple_is_pickled() -> None:
    """Also where its type was not made yet: in another process."""
    names = {op.python_name for op in result_types.ops(operations())}
    assert set(dir(th.return_types)) == names
    assert "aminmax" in names
    kinds = [getattr(th.return_types, name) for name in sorted(names)]
    results = [kind([th.ones(2), th.zeros(1)]) for kind in kinds]
    program = "import pickle, sys; print(*map(type, pickle.load(sys.stdin.buffer)), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps(results),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().splitlines() == [str(kind) for kind in kinds]
    for result in results:
        for again in (copy.copy(result), copy.deepcopy(result)):
            assert type(again) is type(result)
            assert [x.tolist() for x in again] == [[1, 1], [0]]


# Dtypes


def test_there_is_a_row_for_each_dtype() -> None:
    found = {value for value in vars(th._C).values() if isinstance(value, th.dtype)}
    assert found == set(DTYPES)


NUMPY_DIFFERS = {  # NumPy widens so that every integer is kept; PyTorch goes by category
    (th.float16, th.int16): th.float16,
    (th.float16, th.int32): th.float16,
    (th.float16, th.int64): th.float16,
    (th.float32, th.int32): th.float32,
    (th.float32, th.int64): th.float32,
}


@pytest.mark.parametrize(("one", "other"), list(itertools.product(DTYPES, DTYPES)), ids=str)
def test_promotion(one: th.dtype, other: th.dtype) -> None:
    promoted = th.promote_types(one, other)
    assert promoted is th.promote_types(other, one)
    expected = NUMPY_DIFFERS.get((one, other)) or NUMPY_DIFFERS.get((other, one))
    if expected is None:
        expected = getattr(th, str(numpy.promote_types(one.name, other.name)))
    assert promoted is expected
    assert th.can_cast(one, promoted)
    assert th.result_type(th.ones(2, dtype=one), th.ones(2, dtype=other)) is promoted


OPERANDS: list[Any] = [True, 2, 1.5]
OPERANDS += [th.ones(shape, dtype=dtype) for dtype in DTYPES for shape in ((), (2,))]


@pytest.mark.parametrize("one", OPERANDS[3:], ids=lambda t: f"{t.dtype.name}{tuple(t.shape)}")
def test_result_type_is_that_of_mul(one: th.Tensor) -> None:
    for other in OPERANDS:
        assert th.result_type(one, other) is (one * other).dtype
        assert th.result_type(other, one) is (other * one).dtype


def test_dtype_functions_check_their_arguments() -> None:
    assert th.promote_types(type2=th.int8, type1=th.uint8) is th.int16
    for call, message in (
        (lambda: th.promote_types(th.int8, "int8"), r"^promote_types\(\): argument 'type2' .*str"),
        (lambda: th.can_cast(3, th.int8), r"^can_cast\(\): argument 'from_' .*int"),
        (lambda: th.result_type(th.ones(2), "a"), r"^result_type\(\): argument 'tensor2' .*str"),
        (lambda: th.result_type(1), r"^result_type\(\) missing required argument 'tensor2'"),
    ):
        with pytest.raises(TypeError, match=message):
            call()


def test_can_cast() -> None:
    order = ([th.bool], [th.uint8, th.int8, th.int64], [th.float16, th.float64])
    for (i, lower), (j, higher) in itertools.product(enumerate(order), repeat=2):
        for one, other in itertools.product(lower, higher):
            assert th.can_cast(one, other) == (i <= j)


@each_dtype
def test_limits(dtype: th.dtype) -> None:
    if dtype.is_floating_point:
        ours, theirs = th.finfo(dtype), numpy.finfo(dtype.name)
        for name in ("bits", "eps", "max", "min", "tiny", "smallest_normal"):
            assert getattr(ours, name) == getattr(theirs, name)
        assert math.isclose(ours.resolution, float(theirs.resolution), rel_tol=1e-3)
        with pytest.raises(TypeError, match="iinfo"):
            th.iinfo(dtype)
        return
    with pytest.raises(TypeError, match="finfo"):
        th.finfo(dtype)
    if dtype is th.bool:
        with pytest.raises(TypeError, match="iinfo"):
            th.iinfo(dtype)
    else:
        info = th.iinfo(dtype)
        limits = numpy.iinfo(dtype.name)
        assert (info.bits, info.min, info.max) == (limits.bits, limits.min, limits.max)


def test_default_dtype() -> None:
    assert th.get_default_dtype() is th.float32
    th.set_default_dtype(th.float64)
    try:
        assert th.tensor(0.5).dtype is th.float64
        assert th.finfo().dtype == "float64"
        assert th.scalar_tensor(1).dtype is th.float64
    finally:
        th.set_default_dtype(th.float32)
    with pytest.raises(TypeError):
        th.set_default_dtype(th.int32)


# Casts


CASTS = dict(zip("byte char short int long half float double bool".split(), DTYPES, strict=True))


@pytest.mark.parametrize("name", CASTS)
def test_casts(name: str) -> None:
    source = th.tensor([[0, 1], [2, 3]], dtype=th.int16)
    result = getattr(source, name)()
    assert result.dtype is CASTS[name]
    assert result.tolist() == source.numpy().astype(CASTS[name].name).tolist()
    assert getattr(result, name)() is result
    assert th.equal(source.to(CASTS[name]), result)
    assert th.equal(source.to(result), result)
    assert source.to(result).dtype is result.dtype


def test_to() -> None:
    tensor = th.ones(2)
    assert tensor.to(th.float32) is tensor
    copied = tensor.to(th.float32, copy=True)
    assert copied.data_ptr() != tensor.data_ptr()
    with pytest.raises(TypeError):
        tensor.to("float32")


@each_dtype
def test_type(dtype: th.dtype) -> None:
    tensor = th.ones(2, dtype=dtype)
    name = tensor.type()
    assert name == f"thwrap.{REAL_NAMES[dtype]}Tensor"
    source = th.zeros(2, dtype=th.int8)
    legacy = getattr(th, f"{REAL_NAMES[dtype]}Tensor")
    for given_dtype in (dtype, name, legacy.__name__, legacy):
        assert source.type(given_dtype).dtype is dtype
    with pytest.raises(ValueError, match="type"):
        source.type("thwrap.NoTensor")


def test_kinds() -> None:
    for dtype in DTYPES:
        tensor = th.ones(1, dtype=dtype)
        assert tensor.is_floating_point() == dtype.is_floating_point
        assert tensor.is_signed() == dtype.is_signed == (dtype not in (th.uint8, th.bool))


# The classes of old


@each_dtype
def test_legacy_tensors(dtype: th.dtype) -> None:
    made = getattr(th, f"{REAL_NAMES[dtype]}Tensor")
    other = th.LongTensor if dtype is not th.int64 else th.FloatTensor
    assert (made().shape, made(2, 3).shape, made(th.Size([4])).shape) == ((0,), (2, 3), (4,))
    assert made([[1, 0]]).tolist() == th.tensor([[1, 0]], dtype=dtype).tolist()
    assert made(numpy.ones(2)).tolist() == [1, 1]
    storage = getattr(th, f"{REAL_NAMES[dtype]}Storage")([1, 0, 1])
    over = made(storage)
    assert over.data_ptr() == storage.data_ptr()
    assert made(over).data_ptr() == over.data_ptr()
    for tensor in (made(), made(2, 3), made([1]), over):
        assert type(tensor) is th.Tensor
        assert tensor.dtype is dtype
        assert isinstance(tensor, made)
        assert not isinstance(tensor, other)
    assert not isinstance(storage, made)
    with pytest.raises(TypeError, match=r"expected a \w+Tensor"):
        other(over)
    with pytest.raises(TypeError, match=r"expected a \w+Storage"):
        other(storage)


@each_dtype
def test_legacy_storages(dtype: th.dtype, tmp_path: Path) -> None:
    made = getattr(th, f"{REAL_NAMES[dtype]}Storage")
    assert (len(made()), len(made(4)), made([1, 0]).tolist()) == (0, 4, [1, 0])
    path = tmp_path / "bytes"
    path.write_bytes(bytes(64))
    for storage in (made(), made(4), made([1]), made.from_file(str(path), size=2)):
        assert type(storage) is th.Storage
        assert isinstance(storage, made)
        assert storage.dtype is dtype
    assert not isinstance(th.ones(1, dtype=dtype), made)


def test_new() -> None:
    tensor = th.ones(2, dtype=th.int16)
    assert tensor.new(2, 3).shape == (2, 3)
    assert tensor.new([5]).tolist() == [5]
    assert tensor.new().dtype is th.int16


# Parts


MATRICES = st.tuples(st.integers(0, 7), st.integers(0, 7)).map(
    lambda shape: th.arange(shape[0] * shape[1]).view(shape)
)


def as_lists(parts: tuple[Any, ...]) -> list[Any]:
    return [part.tolist() for part in parts]


@given(MATRICES, st.integers(1, 9), st.sampled_from([0, 1, -1]))
def test_split_and_chunk(tensor: th.Tensor, size: int, dim: int) -> None:
    total = tensor.shape[dim]
    parts = tensor.split(size, dim)
    assert all(part.shape[dim] == size for part in parts[:-1])
    assert len(parts) == max(1, math.ceil(total / size))
    assert th.equal(th.cat(parts, dim), tensor)
    assert all(
        part.numel() == 0 or part.storage()._cdata == tensor.storage()._cdata for part in parts
    )
    chunks = th.chunk(tensor, size, dim)
    assert len(chunks) <= size
    assert th.equal(th.cat(chunks, dim), tensor)
    ours, theirs = (
        th.tensor_split(tensor, size, dim),
        numpy.array_split(tensor.numpy(), size, dim),
    )
    assert as_lists(ours) == as_lists(tuple(theirs))


@given(MATRICES, st.lists(st.integers(-9, 9), max_size=4), st.sampled_from([0, 1, -1]))
def test_tensor_split_at_indices(tensor: th.Tensor, indices: list[int], dim: int) -> None:
    expected = numpy.array_split(tensor.numpy(), indices, dim)
    assert as_lists(tensor.tensor_split(indices, dim)) == as_lists(tuple(expected))
    assert as_lists(th.tensor_split(tensor, th.tensor(indices, dtype=th.int64), dim)) == as_lists(
        tuple(expected)
    )


@given(MATRICES, st.sampled_from([0, 1, -1, -2]))
def test_unbind(tensor: th.Tensor, dim: int) -> None:
    parts = th.unbind(tensor, dim)
    assert len(parts) == tensor.shape[dim]
    assert all(th.equal(part, tensor.select(dim, i)) for i, part in enumerate(parts))
    assert as_lists(tensor.unbind(axis=dim)) == as_lists(parts)


def test_parts_refuse() -> None:
    tensor = th.arange(6)
    for function, argument in ((th.split, -1), (th.split, 0), (th.split, [1, 2]), (th.chunk, 0)):
        with pytest.raises(ValueError, match=function.__name__):
            function(tensor, argument)
    with pytest.raises(ValueError, match="0-d"):
        th.unbind(th.tensor(1))
    with pytest.raises(IndexError, match="unbind: expected dim between -1 and 0"):
        tensor.unbind(1)
    with pytest.raises(TypeError, match="multiple values for argument 'dim'"):
        tensor.reshape(2, 3).chunk(2, 1, axis=1)


def test_containers() -> None:
    tensor = th.tensor([[1, 2], [3, 4]])
    assert 3 in tensor
    assert 5 not in tensor
    assert th.tensor(4) in tensor
    assert reversed(tensor).tolist() == [[3, 4], [1, 2]]
    with pytest.raises(TypeError, match="got str"):
        "a" in tensor  # noqa: B015


def test_transposes() -> None:
    tensor = th.arange(24).view(2, 3, 4)
    assert tensor.T.shape == (4, 3, 2)
    assert tensor.mT.shape == (2, 4, 3)
    assert th.equal(tensor.mT[1], tensor[1].T)
    with pytest.raises(ValueError, match="mT"):
        _ = th.ones(2).mT
