"""DLPack's capsules of others as operands of an op package: versions, flags, what is refused, hostile exporters."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import ModuleType
from typing import Any

import foreign_ops
import pytest
from making import MakePackage

import thwrap as th


@pytest.fixture(scope="module")
def tensors(make_package: MakePackage) -> ModuleType:
    """The package whose results are tensors."""
    return make_package("capsuleops", foreign_ops.DECLARATIONS, foreign_ops.GENERIC)


@pytest.fixture(scope="module")
def like(make_package: MakePackage) -> ModuleType:
    """The package whose results are what came in."""
    return make_package(
        "likecapsules", foreign_ops.DECLARATIONS, foreign_ops.GENERIC, results="like"
    )


class Foreign(ctypes.Structure):
    """A DLManagedTensor of somebody's."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint8 * 4),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )

    def __dlpack__(self) -> Any:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = (
            ctypes.py_object,
            (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
        )
        return new(ctypes.addressof(self), b"dltensor", None)


FLOAT32 = (2, 32, 1, 0)


@pytest.mark.parametrize(
    ("device", "dtype", "stride", "error", "reason"),
    [
        (2, FLOAT32, 1, ValueError, "it is not in the CPU's memory"),
        (1, (4, 16, 1, 0), 1, TypeError, "there is no dtype for its elements"),
        (1, (2, 32, 4, 0), 1, TypeError, "there is no dtype for its elements"),
        (1, FLOAT32, -1, ValueError, "it has negative strides"),
    ],
)
def test_dlpack_that_is_refused(
    like: ModuleType, device: int, dtype: tuple[int, ...], stride: int, error: type, reason: str
) -> None:
    memory = (ctypes.c_float * 2)(1, 2)
    given = Foreign(
        ctypes.addressof(memory),
        (device, 0),
        1,
        (ctypes.c_uint8 * 4)(*dtype),
        (ctypes.c_int64 * 1)(2),
        (ctypes.c_int64 * 1)(stride),
    )
    # A structure has the buffer protocol too, which would be asked first.
    with pytest.raises(error) as raised:
        like.ramp(Hostile(given.__dlpack__), 1)
    assert str(raised.value) == (
        f"ramp(): argument 'input' (position 1): the tensor cannot be taken over: {reason}"
    )


class Hostile:
    """Does what it is told when it is asked for a capsule."""

    def __init__(self, action: Callable[[], Any]) -> None:
        self.action = action

    def __dlpack__(self) -> Any:
        return self.action()


class Versioned(ctypes.Structure):
    """A DLManagedTensorVersioned of somebody's, with one float32 dim."""

    _fields_ = (
        ("version", ctypes.c_uint32 * 2),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("flags", ctypes.c_uint64),
        *Foreign._fields_[:7],
    )


class Exporter:
    """Has __dlpack__ of version 1 and nothing else."""

    def __init__(self, size: int = 3, flags: int = 0, major: int = 1) -> None:
        self.memory = (ctypes.c_float * size)(*range(size))
        self.released = 0
        self.asked: Any = None
        self.capsule = Versioned(
            (major, 7),
            None,
            type(Versioned().deleter)(self.release),
            flags,
            ctypes.addressof(self.memory),
            (1, 0),
            1,
            FLOAT32,
            (ctypes.c_int64 * 1)(size),
            (ctypes.c_int64 * 1)(1),
        )

    def release(self, _: int) -> None:
        self.released += 1

    def __dlpack__(self, *, max_version: tuple[int, int] | None = None) -> Any:
        self.asked = max_version
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return new(ctypes.addressof(self.capsule), b"dltensor_versioned", None)


FLAG_READONLY, FLAG_COPIED = 1, 2


@pytest.mark.parametrize("flags", [0, FLAG_READONLY, FLAG_COPIED])
def test_versioned_capsules_are_read(like: ModuleType, tensors: ModuleType, flags: int) -> None:
    """Where they are, read-only or not, and let go after the call."""
    given = Exporter(flags=flags)
    assert tensors.whole(given).item() == 3
    assert given.asked == (1, 0)
    assert given.released == 1
    view = tensors.shaped(given, 3, 1)
    del view
    assert given.released == 2
    assert like.ramp(given, 2).tolist() == [0, 1, 2]


def test_read_only_versioned_capsules_stay_so(tensors: ModuleType) -> None:
    """A view of such memory is a copy, since Tensors can be written."""
    given = Exporter(flags=FLAG_READONLY)
    view = tensors.shaped(given, 3, 1)
    assert given.released == 1
    view.fill_(9)
    assert list(given.memory) == [0, 1, 2]
    writable = Exporter()
    tensors.shaped(writable, 3).fill_(9)
    assert list(writable.memory) == [9, 9, 9]


@pytest.mark.parametrize(
    ("flags", "reason"),
    [(FLAG_READONLY, "it is read-only"), (FLAG_COPIED, "it gives a copy of its memory")],
)
def test_what_cannot_be_written_is_no_out(tensors: ModuleType, flags: int, reason: str) -> None:
    given, x = Exporter(flags=flags), th.full((3,), 5.0)
    for call, argument in (
        (lambda: tensors.ramp(x, 1, out=given), "'out'"),
        (lambda: tensors.ramp_(given, 1), "'input' (position 1)"),
    ):
        with pytest.raises(ValueError, match="cannot be written into") as caught:
            call()
        message = f"argument {argument}: it cannot be written into: {reason}"
        assert str(caught.value).split("(): ", 1)[1] == message
    assert list(given.memory) == [0, 1, 2]
    assert given.released == 0  # the capsule was not taken: its own destructor does that
    good = Exporter()
    assert tensors.ramp(x, 1, out=good) is good
    assert list(good.memory) == [5, 5, 5]


def test_newer_versions_are_refused(tensors: ModuleType) -> None:
    given = Exporter(major=2)
    with pytest.raises(BufferError) as caught:
        tensors.whole(given)
    assert str(caught.value) == (
        "whole(): argument 'input' (position 1): the tensor cannot be taken over: it is of DLPack's "
        "version 2.7, known are 0 and 1"
    )


def test_hostile_exporters(like: ModuleType) -> None:
    used = th.ones(2).__dlpack__()
    th.from_dlpack(used)
    for action in (lambda: 1 / 0, lambda: 5, lambda: used, lambda: None):
        with pytest.raises((ZeroDivisionError, TypeError, ValueError)):
            like.ramp(th.ones(2), Hostile(action))

    def reenter() -> Any:
        like.shaped(th.ones(6), 1, 2, 3)
        return th.arange(6).__dlpack__()

    assert like.shaped(Hostile(reenter), 3, 2).shape == (3, 2)
    items: list[Any] = []
    items += [th.ones(2), Hostile(lambda: [items.clear(), th.ones(2).__dlpack__()][1])] * 2
    assert like.joined(items).shape == (8,)
    assert not items
