"""Arrays of others as operands of an op package: read and written where they are, alive for the call."""

from __future__ import annotations

import array
import ctypes
import gc
import sys
import threading
import types
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import foreign_ops
import numpy
import pytest
from making import MakePackage

import thwrap as th

COUNTERS = ("live_tensors", "live_storages", "live_blocks", "live_bytes")
DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
LAYOUTS: dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.T,
    "strided": lambda a: a[:, ::2],
    "reversed": lambda a: a[::-1, ::-1],
    "scalar": lambda a: a[1, 2, ...],
    "empty": lambda a: a[:, :0],
    "expanded": lambda a: numpy.broadcast_to(a[:1], (5, 4)),
    "swapped": lambda a: a.astype(a.dtype.newbyteorder()),
    "misaligned": lambda a: misaligned(a),
    "fields": lambda a: fields(a),
}
COPIED = ("reversed", "swapped", "misaligned", "fields")


def misaligned(a: numpy.ndarray) -> numpy.ndarray:
    memory = numpy.zeros(a.nbytes + 1, "u1")[1:]
    result = memory.view(a.dtype).reshape(a.shape)
    result[...] = a
    return result


def fields(a: numpy.ndarray) -> numpy.ndarray:
    """Strides that are no multiples of the element's size."""
    record = numpy.zeros(a.shape, [("a", a.dtype), ("b", "u1")])
    record["a"] = a
    return record["a"]


def sample(dtype: str = "float32", layout: str = "contiguous") -> numpy.ndarray:
    return LAYOUTS[layout]((numpy.arange(12).reshape(3, 4) - 5).astype(dtype))


def counters() -> dict[str, int]:
    gc.collect()
    stats = th.memory_stats()
    return {name: stats[name] for name in COUNTERS}


class Dlpack:
    """Has __dlpack__ and nothing else."""

    def __init__(self, tensor: th.Tensor) -> None:
        self.tensor = tensor

    def __dlpack__(self) -> Any:
        return self.tensor.__dlpack__()


class Namespaced(Dlpack):
    """A library's array: its namespace makes one of anything with __dlpack__."""

    def __array_namespace__(self) -> Any:
        return types.SimpleNamespace(from_dlpack=lambda x: Namespaced(th.from_dlpack(x)))


@pytest.fixture(scope="module")
def tensors(make_package: MakePackage) -> ModuleType:
    """The package whose results are tensors."""
    return make_package("tensorops", foreign_ops.DECLARATIONS, foreign_ops.GENERIC)


@pytest.fixture(scope="module")
def like(make_package: MakePackage) -> ModuleType:
    """The package whose results are what came in."""
    return make_package("likeops", foreign_ops.DECLARATIONS, foreign_ops.GENERIC, results="like")


# Reading


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_layout_is_read(tensors: ModuleType, dtype: str, layout: str) -> None:
    """As the tensor of a contiguous copy in native bytes is."""
    given = sample(dtype, layout)
    plain = th.tensor(numpy.ascontiguousarray(given, dtype=dtype)).reshape(given.shape)
    for arguments in ((given, 0.5), (given, given), (th.ones(1), given)):
        expected = tensors.ramp(*(plain if x is given else x for x in arguments))
        result = tensors.ramp(*arguments)
        assert type(result) is th.Tensor
        assert result.dtype is expected.dtype
        numpy.testing.assert_array_equal(result.numpy(), expected.numpy())


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "empty"])
def test_only_odd_layouts_are_copied(like: ModuleType, layout: str) -> None:
    given = sample("float32", layout)
    result = like.turned(given) if given.ndim else like.shaped(given, 1)
    assert numpy.shares_memory(result, given) == (layout not in COPIED)
    numpy.testing.assert_array_equal(result.ravel(), numpy.asarray(given.T, "f4").ravel())


@pytest.mark.parametrize(
    "given",
    [
        bytearray(b"\1\2\3"),
        b"\1\2\3",
        memoryview(b"\1.\2.\3")[::2],
        memoryview(b"\3\2\1")[::-1],
        array.array("q", [1, 2, 3]),
        (ctypes.c_int16 * 3)(1, 2, 3),
        Dlpack(th.tensor([1, 2, 3])),
        Namespaced(th.tensor([1, 2, 3])),
    ],
    ids=lambda given: type(given).__name__,
)
def test_buffers_and_dlpack(tensors: ModuleType, given: Any) -> None:
    assert tensors.joined([given, given]).tolist() == [1, 2, 3, 1, 2, 3]
    assert tensors.whole(given).item() == 6


def test_numbers_stay_numbers(like: ModuleType) -> None:
    """A NumPy scalar does not promote as an array does, and is a number where a form takes one."""
    half = numpy.ones(2, "f2")
    for number in (2, 2.0, numpy.float32(2), numpy.float64(2), numpy.int64(2)):
        assert like.ramp(half, number).dtype == numpy.float16
        assert like.raised(half, number).tolist() == [103, 103]
    assert like.raised(half, numpy.array(2.0)).tolist() == [3, 3]
    assert like.ramp(half, numpy.ones(2, "f4")).dtype == numpy.float32


def test_a_scalar_of_numpy_is_an_array_without_dims(like: ModuleType, tensors: ModuleType) -> None:
    assert type(like.ramp(numpy.float64(-2), 0.5)) is numpy.float64
    assert tensors.ramp(numpy.float64(-2), 0.5).shape == ()
    with pytest.raises(TypeError, match="must be Tensor or array, not float"):
        like.ramp(-2.0, 0.5)


# Results


def test_results_are_what_came_in(like: ModuleType) -> None:
    a = numpy.array([-2.0, 4.0])
    assert type(like.ramp(a, 0.5)) is numpy.ndarray
    assert like.ramp(a, 0.5).tolist() == [-1, 4]
    assert like.ramp(a, 0.5).flags.writeable
    assert type(like.ramp(th.ones(2), 0.5)) is th.Tensor
    named = like.extremes(a)
    assert (type(named.low), named.low, named.high) == (numpy.float64, -2, 4)
    assert type(like.whole(a)) is numpy.float64
    assert type(like.joined([a, a])) is numpy.ndarray
    assert type(like.ramp(b"\1\2", 0.5)) is th.Tensor  # bytes have no array of their own
    assert type(like.ramp(Dlpack(th.ones(2)), 0.5)) is th.Tensor
    assert type(like.ramp(Namespaced(th.ones(2)), a)) is Namespaced
    assert type(like.ramp(a, Namespaced(th.ones(2)))) is numpy.ndarray


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_dtypes_of_results(like: ModuleType, dtype: str) -> None:
    assert like.joined([sample(dtype)[0]]).dtype == numpy.dtype(dtype)
    assert like.joined([sample(dtype)[0]]).dtype.num == numpy.dtype(dtype).num


def test_a_tensor_among_the_inputs_makes_tensors(like: ModuleType) -> None:
    a = numpy.ones(2)
    assert type(like.ramp(a, th.ones(2))) is th.Tensor
    assert type(like.joined([a, th.ones(2, dtype=th.float64)])) is th.Tensor
    out = th.empty(2, dtype=th.float64)
    assert like.ramp(a, a, out=out) is out  # which is no input


def test_tensors_unless_asked(tensors: ModuleType) -> None:
    a = numpy.array([-2.0, 4.0])
    assert type(tensors.ramp(a, a)) is th.Tensor
    assert type(tensors.extremes(a).low) is th.Tensor
    assert type(tensors.gathered(a)) is th.Tensor


def test_self_again(like: ModuleType) -> None:
    """An op that gives back its operand gives back the array."""
    a = sample()
    assert like.gathered(a) is a
    assert like.gathered(a.T) is not a


def test_views_keep_the_memory(like: ModuleType, tensors: ModuleType) -> None:
    class Owner(numpy.ndarray):
        pass

    for module in (like, tensors):
        owner = sample().view(Owner)
        alive = weakref.ref(owner)
        view = module.turned(owner)
        view[0, 0] = 7
        assert owner[0, 0] == 7
        del owner
        gc.collect()
        assert alive() is not None
        assert view[3, 2] == 6
        del view
        gc.collect()
        assert alive() is None


def test_read_only_memory_stays_so(like: ModuleType, tensors: ModuleType) -> None:
    a = sample()
    a.flags.writeable = False
    view = like.turned(a)
    assert numpy.shares_memory(view, a)
    assert not view.flags.writeable
    copy = tensors.turned(a)
    copy.fill_(9)
    assert tensors.gathered(a).fill_(9) is not None
    assert tensors.shaped(b"abc", 3).fill_(9).tolist() == [9, 9, 9]
    numpy.testing.assert_array_equal(a, sample())


# Writing


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "strided", "scalar", "empty"])
def test_out_is_written_and_returned(like: ModuleType, layout: str) -> None:
    given, out = sample("float64", layout), sample("float64", layout)
    assert like.ramp(given, 0.5, out=out) is out
    numpy.testing.assert_array_equal(out, numpy.where(given > 0, given, 0.5 * given))


def test_out_in_other_dtypes_and_kinds(like: ModuleType) -> None:
    a, half = numpy.array([-2.0, 4.0]), numpy.empty(2, "f2")
    assert like.ramp(a, 0.5, out=half) is half
    assert half.tolist() == [-1, 4]
    memory = bytearray(16)
    assert like.ramp(a, 0.5, out=memoryview(memory).cast("d")).tolist() == [-1, 4]
    assert array.array("d", memory).tolist() == [-1, 4]
    pack = Dlpack(th.zeros(2))
    assert like.ramp(a, 0.5, out=pack) is pack
    assert pack.tensor.tolist() == [-1, 4]
    outs = (numpy.zeros(()), th.zeros((), dtype=th.float64))
    assert like.extremes(a, out=outs) is outs
    assert (outs[0], outs[1].item()) == (-2, 4)


def test_in_place_writes_into_the_array(like: ModuleType, tensors: ModuleType) -> None:
    for module in (like, tensors):
        a = numpy.array([-2.0, 4.0])
        assert module.halved_(a) is a
        assert module.ramp_(a, th.tensor(0.5)) is a
        assert a.tolist() == [-0.5, 2]
        tensor = th.tensor([-2.0, 4.0])
        assert module.ramp_(tensor, numpy.float32(0.5)) is tensor
        assert module.ramp_(tensor, numpy.ones(2, "f4")) is tensor


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        (numpy.zeros(4), ValueError, "ramp: expected an out array of shape (3,), got (4,)"),
        (numpy.zeros(2), ValueError, "ramp: expected an out array of shape (3,), got (2,)"),
        (numpy.zeros(0), ValueError, "ramp: expected an out array of shape (3,), got (0,)"),
        (
            numpy.zeros(3)[::-1],
            ValueError,
            "ramp(): argument 'out': it cannot be written into: the buffer has negative strides; "
            "copy it first",
        ),
        (
            b"abc",
            ValueError,
            "ramp(): argument 'out': it cannot be written into: it is read-only",
        ),
        (
            numpy.zeros(3, numpy.dtype("f8").newbyteorder()),
            ValueError,
            "ramp(): argument 'out': it cannot be written into: its bytes are in the other order "
            "than this machine's",
        ),
        (
            numpy.zeros(3, "i4"),
            TypeError,
            "ramp: result of dtype float64 cannot be cast to the out tensor's int32",
        ),
        (
            numpy.zeros(3, "c8"),
            TypeError,
            "ramp(): argument 'out': there is no dtype for elements of complex64; convert them "
            "first",
        ),
        (3, TypeError, "ramp(): argument 'out' must be Tensor or array, not int"),
    ],
    ids=str,
)
def test_outs_that_cannot_be(like: ModuleType, out: Any, error: type, message: str) -> None:
    before = bytes(out) if isinstance(out, numpy.ndarray) else None
    with pytest.raises(error) as raised:
        like.ramp(numpy.ones(3), 0.5, out=out)
    assert str(raised.value) == message
    assert before is None or bytes(out) == before


def test_overlap_is_judged_by_memory(like: ModuleType) -> None:
    """The same elements may be read and written, others of the same memory may not."""
    memory = numpy.array([-4.0, 2.0, -8.0, 6.0])
    a = memory[:3]
    with pytest.raises(RuntimeError, match="ramp: out tensor overlaps an input partly"):
        like.ramp(a, 0.5, out=memory[1:])
    with pytest.raises(RuntimeError, match="overlaps"):
        like.ramp_(memory[1:], a)
    with pytest.raises(RuntimeError, match="out tensor overlaps itself"):
        like.ramp(a, 0.5, out=numpy.lib.stride_tricks.as_strided(memory, (3,), (0,)))
    with pytest.raises(RuntimeError, match="out tensors share memory"):
        like.extremes(a, out=(memory[0, ...], memory[0, ...]))
    assert memory.tolist() == [-4, 2, -8, 6]
    assert like.ramp(a, 0.5, out=a) is a
    assert like.ramp(a[::-1], 0.5, out=a) is a  # read from a copy
    assert memory.tolist() == [-2, 2, -1, 6]


# Errors

OTHERS = [
    (numpy.ones(2, "u4"), "there is no dtype for elements of uint32; convert them first"),
    (numpy.ones(2, "c16"), "there is no dtype for elements of complex128; convert them first"),
    (numpy.complex64(1), "there is no dtype for elements of complex64; convert them first"),
    (
        numpy.zeros(2, "M8[s]"),
        "there is no dtype for elements of datetime64[s]; convert them first",
    ),
    (numpy.array([None]), "there is no dtype for elements of object; convert them first"),
    (
        numpy.zeros(2, "i4,f4"),
        "there is no dtype for elements of the buffer format 'T{i:f0:f:f1:}'; convert them first",
    ),
]


@pytest.mark.parametrize(("other", "message"), OTHERS, ids=lambda value: str(value)[:40])
def test_dtypes_that_are_none(like: ModuleType, other: Any, message: str) -> None:
    with pytest.raises(TypeError) as raised:
        like.ramp(numpy.ones(2), other)
    assert str(raised.value) == f"ramp(): argument 'weight' (position 2): {message}"
    with pytest.raises(TypeError) as raised:
        like.joined([numpy.ones(2), other])
    assert str(raised.value) == f"joined(): argument 'tensors' (position 1), item 1: {message}"


def test_what_is_no_array(like: ModuleType) -> None:
    a = numpy.ones(2)
    for call, message in (
        (
            lambda: like.ramp("x", a),
            "ramp(): argument 'input' (position 1) must be Tensor or array, not str",
        ),
        (
            lambda: like.ramp(a, None),
            "ramp(): argument 'weight' (position 2) must be Tensor, array or number, not None",
        ),
        (
            lambda: like.joined(3),
            "joined(): argument 'tensors' (position 1) must be sequence of Tensors or arrays, not int",
        ),
        (
            lambda: like.joined([a, 3]),
            "joined(): argument 'tensors' (position 1) must be sequence of Tensors or arrays, but "
            "item 1 is int",
        ),
        (
            lambda: like.extremes(a, out=a),
            "extremes(): argument 'out' must be tuple of 2 Tensors or arrays, not ndarray",
        ),
        (
            lambda: th.add(th.ones(2), numpy.complex64(1)),
            "add(): argument 'other' (position 2) must be Tensor or number, not complex64",
        ),
    ):
        with pytest.raises(TypeError) as raised:
            call()
        assert str(raised.value) == message


# Lifetimes


def test_the_export_lasts_as_long_as_it_is_needed(tensors: ModuleType) -> None:
    memory = bytearray(b"\1\2\3")
    tensors.whole(memory)
    memory.append(4)
    with pytest.raises(ValueError, match="extremes"):
        tensors.extremes(memory, out=(numpy.zeros(2, "u1"), numpy.zeros(2, "u1")))
    memory.append(5)
    view = tensors.shaped(memory, 5)
    with pytest.raises(BufferError):
        memory.append(6)
    del view
    memory.append(6)


def test_nothing_is_left_behind(like: ModuleType, tensors: ModuleType) -> None:
    """1e5 calls, a third of which fail in reading, checking or writing."""
    a, wrong, out, short = sample(), numpy.ones(2, "u4"), sample(), numpy.ones(1, "f4")
    pack, tensor, memory = Dlpack(th.ones(3, 4)), th.ones(3, 4), bytearray(12)
    kept = (a, wrong, out, short, pack, tensor, memory)
    good = (
        lambda: like.ramp(a, a),
        lambda: like.ramp(a[::-1], 2, out=out),
        lambda: like.joined([a[0], a[1]]),
        lambda: like.extremes(a[0]),
        lambda: like.turned(a),
        lambda: tensors.ramp(pack, a),
        lambda: tensors.ramp_(out, memoryview(memory).cast("B", (3, 4))),
        lambda: like.gathered(a),
    )
    bad = (
        lambda: like.ramp(a, wrong),
        lambda: like.joined([a[0], wrong]),
        lambda: like.ramp(a, pack, out=short),
        lambda: tensors.extremes(a, out=(out[0, 0, ...], short)),
    )

    def run(calls: int) -> None:
        for i in range(calls // 3):
            good[(2 * i) % len(good)]()
            good[(2 * i + 1) % len(good)]()
            with pytest.raises((TypeError, ValueError)):
                bad[i % len(bad)]()

    run(300)
    references, before = [sys.getrefcount(x) for x in kept], counters()
    run(100_000)
    assert [sys.getrefcount(x) for x in kept] == references
    assert counters() == before


def test_every_allocation_may_fail(like: ModuleType) -> None:
    a, pack = sample(), Dlpack(th.ones(3, 4))
    calls = (
        lambda: like.ramp(a, a[::-1], out=numpy.empty((3, 4), "f4")),
        lambda: like.extremes(a[0]),
        lambda: like.joined([a[0], a[1]]),
        lambda: like.ramp(a, pack),
    )
    for call in calls:
        call()
        before = counters()
        for n in range(1, 40):
            th._C.lib.THMemory_failAllocation(n)
            try:
                call()
            except MemoryError:
                continue
            finally:
                th._C.lib.THMemory_failAllocation(-1)
            break
        else:
            pytest.fail("never got through")
        assert counters() == before


def test_resized_by_another_thread(like: ModuleType) -> None:
    """Between calls, but never while an op runs without the GIL."""
    a, memory = numpy.full(400_000, -2.0), bytearray(400_000)
    stop, refused = threading.Event(), []

    def attempt(action: Callable[[], Any]) -> None:
        try:
            action()
        except (BufferError, ValueError) as error:
            refused.append(type(error))

    def resize() -> None:
        while not stop.is_set():
            attempt(lambda: memory.extend(b"\0" * 4096))
            attempt(lambda: a.resize(1000))
            attempt(lambda: a.resize(400_000))

    thread = threading.Thread(target=resize)
    thread.start()
    for _ in range(100):
        result = like.ramp(a, 0.5)
        assert result.size in (1000, 400_000)
        assert set(numpy.unique(result)) <= {-1, 0}
        assert like.whole(memory) == 0
    stop.set()
    thread.join()
    assert refused
