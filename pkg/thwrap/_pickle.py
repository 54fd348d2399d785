"""Pickling and copying. Elements are stored little endian and contiguous; a view stores only what it shows."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

from thwrap import _C
from thwrap._C import Generator, Storage, Tensor, dtype


def reduce_tensor(tensor: Tensor, protocol: int) -> tuple[Any, ...]:
    """What __reduce_ex__ gives; from protocol 5 on the elements may go out of band."""
    arguments: tuple[Any, ...] = (
        tensor.dtype.name,
        tuple(tensor.shape),
        _payload(tensor, protocol),
    )
    if type(tensor) is Tensor:
        return _rebuild_tensor, arguments
    return _rebuild_tensor, (*arguments, type(tensor)), getattr(tensor, "__dict__", None) or None


def _payload(tensor: Tensor, protocol: int) -> Any:
    if sys.byteorder != "little":
        raise NotImplementedError("pickling works on little-endian machines only")
    whole = tensor.contiguous()
    return pickle.PickleBuffer(whole) if protocol >= 5 else memoryview(whole).tobytes()


def _rebuild_tensor(
    name: str, shape: tuple[int, ...], data: Any, cls: type[Tensor] = Tensor
) -> Tensor:
    kind = getattr(_C, name)
    over = None if isinstance(data, bytes | bytearray) else _over(memoryview(data), kind)
    tensor = _C.empty(0, dtype=kind).set_(_storage_of(data)) if over is None else over
    tensor = tensor.view(shape)
    return tensor if cls is Tensor else tensor.as_subclass(cls)


def _over(data: memoryview, kind: dtype) -> Tensor | None:
    """A tensor over what came out of band, or None if that is read-only or not aligned."""
    try:
        return _C._from_buffer(data, kind)
    except ValueError:
        return None


def _storage_of(data: Any) -> Storage:
    """A storage with a copy of these bytes."""
    storage = Storage(memoryview(data).nbytes, _C.uint8)
    memoryview(storage)[:] = memoryview(data)
    return storage


def reduce_storage(storage: Storage) -> tuple[Any, ...]:
    return _rebuild_storage, (storage.dtype.name, memoryview(storage).tobytes())


def _rebuild_storage(name: str, data: bytes) -> Storage:
    return _C.empty(0, dtype=getattr(_C, name)).set_(_storage_of(data)).storage()


def reduce_generator(generator: Generator) -> tuple[Any, ...]:
    return _rebuild_generator, (memoryview(generator.get_state()).tobytes(),)


def _rebuild_generator(state: bytes) -> Generator:
    generator = Generator()
    generator.set_state(_C.tensor(bytearray(state), dtype=_C.uint8))
    return generator


def copy_tensor(tensor: Tensor) -> Tensor:
    """copy.copy: another object over the same memory."""
    return _with_attributes(tensor.as_subclass(type(tensor)), tensor, lambda value: value)


def deepcopy_tensor(tensor: Tensor, memo: dict[int, Any]) -> Tensor:
    """copy.deepcopy: memory of its own."""
    result = tensor.clone().as_subclass(type(tensor))
    memo[id(tensor)] = result
    return _with_attributes(result, tensor, lambda value: copy.deepcopy(value, memo))


def _with_attributes(result: Tensor, tensor: Tensor, convert: Callable[[Any], Any]) -> Tensor:
    """Instances of subclasses carry attributes too."""
    attributes = getattr(tensor, "__dict__", None)
    if attributes:
        result.__dict__.update(convert(attributes))
    return result
