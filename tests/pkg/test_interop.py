"""Tensors and the rest of Python: NumPy's arrays, buffers, DLPack, pickles and copies."""

from __future__ import annotations

import array
import copy
import ctypes
import gc
import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import thwrap as th

DTYPES = (
    th.uint8,
    th.int8,
    th.int16,
    th.int32,
    th.int64,
    th.float16,
    th.float32,
    th.float64,
    th.bool,
)
LAYOUTS: dict[str, Callable[[th.Tensor], th.Tensor]] = {
    "contiguous": lambda t: t,
    "transposed": lambda t: t.t(),
    "strided": lambda t: t[:, ::2],
    "offset": lambda t: t[1:, 1:],
    "row": lambda t: t[1],
    "scalar": lambda t: t[1, 2],
    "empty": lambda t: t[:, :0],
    "expanded": lambda t: t[:1].expand(3, 4),
}
each_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
each_layout = pytest.mark.parametrize("layout", LAYOUTS)

NATIVE = st.sampled_from(["?", "B", "b", "h", "i", "l", "q", "e", "f", "d"])
ARRAYS = NATIVE.flatmap(
    lambda char: arrays.arrays(char, arrays.array_shapes(min_dims=0, min_side=0, max_side=4))
)


def sample(dtype: th.dtype, layout: str = "contiguous") -> th.Tensor:
    return LAYOUTS[layout](th.arange(12).view(3, 4).to(dtype))


def same(one: th.Tensor, other: th.Tensor) -> bool:
    """Equal dtype, shape and bits."""
    return (
        one.dtype is other.dtype
        and one.shape == other.shape
        and one.numpy().tobytes() == other.numpy().tobytes()
    )


# NumPy


@each_dtype
@each_layout
def test_numpy_shares_memory(dtype: th.dtype, layout: str) -> None:
    tensor = sample(dtype, layout)
    result = tensor.numpy()
    assert result.dtype == numpy.dtype(dtype.name)
    assert result.shape == tensor.shape
    assert result.tolist() == tensor.tolist()
    assert result.size == 0 or result.ctypes.data == tensor.data_ptr()
    assert result.flags.writeable == (layout != "expanded")
    if result.size > 1:
        assert result.strides == tuple(dtype.itemsize * step for step in tensor.stride())
    if result.size and result.flags.writeable:
        result[...] = 1
        assert bool((tensor == 1).all())


@given(ARRAYS)
def test_from_numpy_shares_memory(source: numpy.ndarray[Any, Any]) -> None:
    tensor = th.from_numpy(source)
    assert tensor.shape == source.shape
    assert tensor.numpy().dtype == source.dtype
    assert tensor.numpy().tobytes() == source.tobytes()
    assert source.size == 0 or tensor.data_ptr() == source.ctypes.data


@given(ARRAYS, st.data())
def test_from_numpy_keeps_strides(source: numpy.ndarray[Any, Any], data: st.DataObject) -> None:
    view = source[
        data.draw(
            arrays.basic_indices(source.shape).filter(
                lambda key: isinstance(source[key], numpy.ndarray)
            )
        )
    ]
    if view.size and any(
        step < 0 and size > 1 for step, size in zip(view.strides, view.shape, strict=True)
    ):
        with pytest.raises(ValueError, match="negative strides"):
            th.from_numpy(view)
        assert th.tensor(view).numpy().tobytes() == view.tobytes()
    else:
        assert th.from_numpy(view).numpy().tobytes() == view.tobytes()


def test_each_keeps_the_other_alive() -> None:
    view = th.arange(4).numpy()
    gc.collect()
    assert view.tolist() == [0, 1, 2, 3]

    class Source(numpy.ndarray):
        pass

    source = numpy.arange(4.0).view(Source)
    alive = weakref.ref(source)
    tensor = th.from_numpy(source)
    del source
    gc.collect()
    assert alive() is not None
    assert tensor.tolist() == [0, 1, 2, 3]
    del tensor
    gc.collect()
    assert alive() is None


def test_exported_memory_stays() -> None:
    tensor = th.arange(4)
    view = tensor.numpy()
    with pytest.raises(RuntimeError):
        tensor.resize_(1000)
    del view
    assert tensor.resize_(1000).shape == (1000,)


@pytest.mark.parametrize(
    ("source", "exception", "text"),
    [
        ([1, 2], TypeError, "expected numpy.ndarray, got list"),
        (numpy.ones(2, ">f4"), TypeError, "byte order"),
        (numpy.ones(2, complex), TypeError, "no dtype for an array of complex128"),
        (numpy.ones(2, "uint16"), TypeError, "no dtype for an array of uint16"),
        (numpy.ones(2, "longdouble"), TypeError, "no dtype for an array of"),
        (numpy.zeros(2, "M8[s]"), TypeError, "no dtype for an array of datetime64"),
        (numpy.array([None]), TypeError, "no dtype for an array of object"),
        (numpy.ones(3)[::-1], ValueError, "negative strides"),
        (numpy.broadcast_to(1.0, 3), ValueError, "read-only"),
        (numpy.zeros(2, "u1, f4")["f1"], ValueError, "multiples|aligned"),
    ],
    ids=str,
)
def test_from_numpy_refuses(source: Any, exception: type[Exception], text: str) -> None:
    with pytest.raises(exception, match=f"^from_numpy: .*({text})"):
        th.from_numpy(source)


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((2**40,), (2**40,)), ((2, 2), (2**62, 2**62)), ((2,), (2**63 - 8,))],
)
def test_from_numpy_refuses_strides_beyond_memory(
    shape: tuple[int, ...], strides: tuple[int, ...]
) -> None:
    wild = numpy.lib.stride_tricks.as_strided(numpy.zeros(1), shape, strides)
    for convert in (th.from_numpy, th.from_dlpack):
        with pytest.raises(ValueError, match=r"beyond all memory|too large"):
            convert(wild)
        assert convert(wild[:0]).shape == (0, *shape[1:])


def test_array_protocol() -> None:
    tensor = th.arange(3)
    shared = numpy.asarray(tensor)
    assert shared.ctypes.data == tensor.data_ptr()
    assert numpy.array(tensor).ctypes.data != tensor.data_ptr()
    assert tensor.__array__(numpy.float32).dtype == numpy.float32
    assert tensor.__array__(copy=True).ctypes.data != tensor.data_ptr()
    with pytest.raises(ValueError, match="copy"):
        tensor.__array__(numpy.float32, copy=False)


def test_without_numpy() -> None:
    """What needs NumPy says so; the rest works."""
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "import thwrap as th\n"
        "print(th.ones(2) + 1)\n"
        "for call in (th.ones(2).numpy, lambda: th.from_numpy(3)):\n"
        "    try: call()\n"
        "    except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    message = "arrays need NumPy, which is not installed: pip install numpy"
    assert done.stdout.splitlines() == ["tensor([2., 2.])", message, message]


# Buffers, sequences, files


@each_dtype
@each_layout
def test_buffer(dtype: th.dtype, layout: str) -> None:
    tensor = sample(dtype, layout)
    with memoryview(tensor) as view:
        assert view.shape == tensor.shape
        assert view.itemsize == dtype.itemsize
        assert view.readonly == (layout == "expanded")
        assert numpy.asarray(view).tolist() == tensor.tolist()


def test_asarray() -> None:
    source = array.array("d", [1, 2, 3])
    shared = th.asarray(source)
    source[0] = 9
    assert shared.tolist() == [9, 2, 3]
    assert th.asarray(shared) is shared
    assert th.asarray(shared, copy=True).data_ptr() != shared.data_ptr()
    assert th.asarray(shared, dtype=th.int64).tolist() == [9, 2, 3]
    assert th.asarray(b"ab").tolist() == [97, 98]
    assert th.as_tensor([1, 2]).dtype is th.int64
    assert th.as_tensor(numpy.ones(3)[::-1]).tolist() == [1, 1, 1]
    for obj, dtype in ((b"ab", None), ([1, 2], None), (shared, th.int8)):
        with pytest.raises(ValueError, match="without a copy"):
            th.asarray(obj, dtype=dtype, copy=False)


@pytest.mark.parametrize(
    ("source", "dtype"),
    [
        (2, th.int64),
        (2.5, th.float32),
        (True, th.bool),
        (numpy.float64(2), th.float64),
        (numpy.array(2, "int16"), th.int16),
        (numpy.array([1, 2], ">i4").astype("i4")[::-1], th.int32),
        (numpy.broadcast_to(numpy.float32(1), 3), th.float32),
        ((1, [2]), None),
        ("ab", None),
        (None, None),
    ],
    ids=str,
)
def test_asarray_is_tensor_where_it_copies(source: Any, dtype: th.dtype | None) -> None:
    """Numbers, sequences, and arrays whose memory cannot be shared; errors are those of tensor()."""
    for convert in (th.asarray, th.as_tensor):
        if dtype is None:
            with pytest.raises((TypeError, ValueError)) as expected:
                th.tensor(source)
            with pytest.raises(expected.type) as caught:
                convert(source)
            assert str(caught.value) == str(expected.value)
        else:
            assert same(convert(source), th.tensor(source))
            assert same(convert(source, dtype=th.float64), th.tensor(source, dtype=th.float64))
            assert convert(source).dtype is dtype


def test_conversions_take_keywords() -> None:
    source = numpy.arange(3)
    assert th.asarray(obj=source, dtype=None, copy=None).data_ptr() == source.ctypes.data
    assert th.as_tensor(data=source, dtype=th.int64).data_ptr() == source.ctypes.data
    assert th.as_tensor(source, th.float32).dtype is th.float32
    assert th.from_dlpack(ext_tensor=source).data_ptr() == source.ctypes.data
    for wrong in (lambda: th.as_tensor(source, copy=True), lambda: th.asarray(source, th.int64)):
        with pytest.raises(TypeError, match=r"^as(array|_tensor)\(\) "):
            wrong()


def test_other_errors_of_exporters_are_raised() -> None:
    class Exporter:
        def __dlpack__(self, **options: Any) -> Any:
            raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        th.asarray(Exporter())


def test_asarray_by_dlpack() -> None:
    class Exporter:
        def __init__(self, tensor: th.Tensor) -> None:
            self.tensor = tensor

        def __dlpack__(self, **options: Any) -> Any:
            return self.tensor.__dlpack__(**options)

    source = th.arange(3)
    assert th.asarray(Exporter(source)).data_ptr() == source.data_ptr()
    assert th.as_tensor(Exporter(source), dtype=th.float32).tolist() == [0, 1, 2]


def test_tensor_copies() -> None:
    source = numpy.arange(3)
    made = th.tensor(source)
    source[0] = 9
    assert made.tolist() == [0, 1, 2]
    assert th.tensor([1, 2.5], dtype=th.float64).dtype is th.float64
    assert th.scalar_tensor(3).dtype is th.float32
    assert th.ones(2).double().new_tensor([1]).dtype is th.float64


def test_frombuffer() -> None:
    raw = bytearray(range(16))
    tensor = th.frombuffer(raw, dtype=th.int16, count=3, offset=2)
    assert tensor.tolist() == numpy.frombuffer(raw, "i2", 3, 2).tolist()
    tensor[0] = 0
    assert raw[2:4] == b"\0\0"
    for options in ({"count": 9}, {"offset": 17}, {"offset": -1}, {"count": -2}, {"offset": 1}):
        with pytest.raises(ValueError, match=r"frombuffer|multiple"):
            th.frombuffer(raw, dtype=th.int16, **options)
    with pytest.raises(ValueError, match="read-only"):
        th.frombuffer(b"abcd", dtype=th.uint8)


def test_ctypes() -> None:
    """Its arrays leave out strides, and keep their shape when they are resized."""
    array = ((ctypes.c_float * 3) * 2)()
    tensor = th.as_tensor(array)
    tensor[1, 2] = 5
    assert (tensor.shape, tensor.stride()) == ((2, 3), (3, 1))
    assert array[1][2] == 5
    assert th.tensor(array).tolist() == [[0, 0, 0], [0, 0, 5]]
    resized = (ctypes.c_int32 * 4)(1, 2, 3, 4)
    ctypes.resize(resized, 4096)
    for convert in (th.tensor, th.as_tensor):
        with pytest.raises(ValueError, match="length is not that of its shape"):
            convert(resized)


def test_from_file(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    numpy.arange(4, dtype="f4").tofile(path)
    private = th.from_file(path, size=4)
    private[0] = 5
    assert numpy.fromfile(path, "f4").tolist() == [0, 1, 2, 3]
    shared = th.from_file(str(path), shared=True, size=4, dtype=th.float32)
    shared[0] = 7
    assert numpy.fromfile(path, "f4").tolist() == [7, 1, 2, 3]


# DLPack


@each_dtype
@each_layout
def test_dlpack_round_trip(dtype: th.dtype, layout: str) -> None:
    tensor = sample(dtype, layout)
    again = th.from_dlpack(tensor)
    assert same(again, tensor)
    assert again.data_ptr() == tensor.data_ptr() or tensor.numel() == 0
    assert numpy.from_dlpack(tensor).tolist() == tensor.tolist()
    assert tensor.__dlpack_device__() == (1, 0)


def test_dlpack_that_is_none() -> None:
    class Exporter:
        def __dlpack__(self) -> int:
            return 3

    with pytest.raises(TypeError, match="gave no capsule named dltensor"):
        th.from_dlpack(Exporter())


def test_dlpack_from_numpy() -> None:
    source = numpy.arange(6.0).reshape(2, 3)
    tensor = th.from_dlpack(source)
    source[0, 0] = 9
    assert tensor.tolist() == [[9, 1, 2], [3, 4, 5]]
    capsule = tensor.__dlpack__()
    assert same(th.from_dlpack(capsule), tensor)
    with pytest.raises((ValueError, TypeError, AttributeError)):
        th.from_dlpack(capsule)


def capsule_name(capsule: Any) -> str:
    return repr(capsule).split('"')[1]


def test_dlpack_versions() -> None:
    """Version 1 for those who ask for it, or for more."""
    tensor = th.arange(3)
    for asked, name in (
        (None, "dltensor"),
        ((0, 8), "dltensor"),
        ((1, 0), "dltensor_versioned"),
        ((2, 3), "dltensor_versioned"),
    ):
        capsule = tensor.__dlpack__(max_version=asked)
        assert capsule_name(capsule) == name
        again = th.from_dlpack(capsule)
        assert again.data_ptr() == tensor.data_ptr()
        assert capsule_name(capsule) == f"used_{name}"
        with pytest.raises(ValueError, match="not used yet"):
            th.from_dlpack(capsule)
    before = th.memory_stats()["live_tensors"]
    tensor.__dlpack__(max_version=(1, 0))
    assert th.memory_stats()["live_tensors"] == before


def test_dlpack_of_read_only_memory() -> None:
    """NumPy tells in version 1 that it may not be written, which every Tensor may."""
    source = numpy.arange(3)
    source.flags.writeable = False
    with pytest.raises(ValueError, match="is read-only; copy it first") as caught:
        th.from_dlpack(source)
    assert str(caught.value) == (
        "from_dlpack: the tensor cannot be taken over: it is read-only; copy it first"
    )
    assert th.as_tensor(source).tolist() == [0, 1, 2]


# Pickles and copies


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@each_dtype
@each_layout
def test_pickle(dtype: th.dtype, layout: str, protocol: int) -> None:
    tensor = sample(dtype, layout)
    again = pickle.loads(pickle.dumps(tensor, protocol))
    assert same(again, tensor)
    assert again.is_contiguous()
    again.fill_(1)
    assert bool((again == 1).all())


def test_pickle_of_a_view_is_small() -> None:
    assert len(pickle.dumps(th.zeros(1000000)[:3])) < 200


def test_pickle_out_of_band() -> None:
    tensor = th.arange(1000)
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(tensor, 5, buffer_callback=buffers.append)
    assert len(data) < 200
    again = pickle.loads(data, buffers=buffers)
    assert again.data_ptr() == tensor.data_ptr()
    readonly = [bytes(buffer.raw()) for buffer in buffers]
    assert same(pickle.loads(data, buffers=readonly).add_(0), tensor)
    shifted = memoryview(bytearray(b"x" + readonly[0]))[1:]
    assert same(pickle.loads(data, buffers=[shifted]), tensor)
    assert pickle.loads(data, buffers=readonly).resize_(5000)[:1000].tolist() == tensor.tolist()


def test_pickle_of_others() -> None:
    for dtype in DTYPES:
        assert pickle.loads(pickle.dumps(dtype)) is dtype
        assert copy.deepcopy(dtype) is dtype
        for elements in ([], [1, 0, 1]):
            storage = pickle.loads(pickle.dumps(th.Storage(elements, dtype)))
            assert (storage.dtype, storage.tolist()) == (dtype, elements)
    size = pickle.loads(pickle.dumps(th.ones(2, 3).shape))
    assert (type(size), size) == (th.Size, (2, 3))
    generator = th.Generator().manual_seed(5)
    again = pickle.loads(pickle.dumps(generator))
    assert th.equal(th.rand(5, generator=again), th.rand(5, generator=generator))
    result = th.ones(2, 2).max(0)
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result) is th.return_types.max
    assert th.equal(again.values, result.values)


class Weights(th.Tensor):
    """A subclass whose instances have attributes."""


def test_copies() -> None:
    tensor = sample(th.float32, "transposed")
    shallow, deep = copy.copy(tensor), copy.deepcopy(tensor)
    assert shallow is not tensor
    assert shallow.data_ptr() == tensor.data_ptr()
    assert deep.data_ptr() != tensor.data_ptr()
    assert same(shallow, tensor)
    assert same(deep, tensor)
    one, other = copy.deepcopy([tensor, tensor])
    assert one is other


def test_subclasses_keep_type_and_attributes() -> None:
    weights = Weights(th.ones(2))
    weights.names = ["a"]  # type: ignore[attr-defined]
    for again, shared in (
        (copy.copy(weights), True),
        (copy.deepcopy(weights), False),
        (pickle.loads(pickle.dumps(weights)), False),
    ):
        assert type(again) is Weights
        assert same(again, weights)
        assert again.names == ["a"]
        assert (again.names is weights.names) == shared  # type: ignore[attr-defined]
