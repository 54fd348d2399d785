"""The classes of old: FloatTensor(2, 3), FloatStorage([1, 2]) and the rest, one pair for each dtype.

They are names, not types of objects: what they make are Tensors and Storages, and isinstance looks at the dtype.
"""

from __future__ import annotations

from thwrap import _C
from thwrap._C import Size, Storage, Tensor
from thwrap._C import dtype as Dtype
from thwrap._dtype import REAL_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _DtypeClass(type):
    """A class that stands for the objects of one dtype."""

    dtype: Dtype

    def __new__(cls, name: str, kind: Dtype) -> _DtypeClass:
        members = {
            "__module__": "thwrap",
            "__doc__": f"{cls.__doc__} Of {kind.name}.",
            "dtype": kind,
        }
        return super().__new__(cls, name, (), members)

    def __init__(cls, name: str, kind: Dtype) -> None:
        super().__init__(name, (), {})


class TensorClass(_DtypeClass):
    """Makes tensors: of sizes, from elements, over a storage."""

    def __call__(cls, *args: Any) -> Tensor:
        """From sizes, a sequence or array of elements, a storage, or a tensor of this dtype."""
        return new(cls.dtype, *args)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype


class StorageClass(_DtypeClass):
    """Makes storages: of a size, from elements, over a file."""

    def __call__(cls, size_or_elements: Any = 0) -> Storage:
        """Of so many elements, or with the elements of a sequence."""
        return Storage(size_or_elements, cls.dtype)

    def from_file(cls, filename: str, shared: bool = False, size: int = 0) -> Storage:
        """A file mapped into memory; when shared, writes reach the file."""
        return Storage.from_file(filename, shared, size, cls.dtype)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Storage) and instance.dtype is cls.dtype


def new(kind: Dtype, *args: Any) -> Tensor:
    """What FloatTensor(...) does."""
    if len(args) != 1:
        return _C.empty(args or (0,), dtype=kind)
    (source,) = args
    if isinstance(source, Size):
        return _C.empty(source, dtype=kind)
    if isinstance(source, Tensor | Storage):
        if source.dtype is not kind:
            name = REAL_NAMES[kind] + type(source).__name__
            raise TypeError(f"expected a {name}, got elements of {source.dtype.name}")
        return _C.empty(0, dtype=kind).set_(source)
    if hasattr(source, "__len__"):
        return _C.tensor(source, dtype=kind)
    return _C.empty(source, dtype=kind)


def _pair(kind: Dtype) -> tuple[TensorClass, StorageClass]:
    name = REAL_NAMES[kind]
    return TensorClass(f"{name}Tensor", kind), StorageClass(f"{name}Storage", kind)


ByteTensor, ByteStorage = _pair(_C.uint8)
CharTensor, CharStorage = _pair(_C.int8)
ShortTensor, ShortStorage = _pair(_C.int16)
IntTensor, IntStorage = _pair(_C.int32)
LongTensor, LongStorage = _pair(_C.int64)
HalfTensor, HalfStorage = _pair(_C.float16)
FloatTensor, FloatStorage = _pair(_C.float32)
DoubleTensor, DoubleStorage = _pair(_C.float64)
BoolTensor, BoolStorage = _pair(_C.bool)
