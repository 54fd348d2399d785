"""The part of class Tensor that is written in Python: the type is C's, and METHODS at the end is what is added to it.

What is seldom used (printing, pickling) is imported when it is first called.
"""

from __future__ import annotations

from thwrap import _C, _legacy, _split
from thwrap._C import Generator, Storage, Tensor
from thwrap._dtype import REAL_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from thwrap._C import dtype as Dtype

_DTYPES = {name: kind for kind, name in REAL_NAMES.items()}


def _repr(self: Tensor) -> str:
    from thwrap import _printing

    return _printing.text(self)


def _format(self: Tensor, spec: str) -> str:
    """A 0-d tensor is formatted as its element."""
    return format(self.item(), spec) if self.ndim == 0 else object.__format__(self, spec)


def _contains(self: Tensor, element: Any) -> bool:
    same = self == element
    if not isinstance(same, Tensor):
        raise TypeError(f"expected Tensor or number before 'in', got {type(element).__name__}")
    return bool(same.any())


def _reversed(self: Tensor) -> Tensor:
    return self.flip(0) if self.ndim else self


# Pickling and copying


def _reduce_ex(self: Tensor, protocol: int) -> tuple[Any, ...]:
    from thwrap import _pickle

    return _pickle.reduce_tensor(self, protocol)


def _copy(self: Tensor) -> Tensor:
    if type(self) is Tensor:
        return self.as_subclass(Tensor)
    from thwrap import _pickle

    return _pickle.copy_tensor(self)


def _deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    if type(self) is Tensor:
        memo[id(self)] = result = self.clone()
        return result
    from thwrap import _pickle

    return _pickle.deepcopy_tensor(self, memo)


def _reduce_storage(self: Storage) -> tuple[Any, ...]:
    from thwrap import _pickle

    return _pickle.reduce_storage(self)


def _reduce_generator(self: Generator) -> tuple[Any, ...]:
    from thwrap import _pickle

    return _pickle.reduce_generator(self)


# Dtypes


def _type(self: Tensor, dtype: Any = None) -> str | Tensor:
    """The name of the tensor's class of old, "thwrap.FloatTensor"; or the tensor in a dtype, class or name of one."""
    if dtype is None:
        return f"thwrap.{REAL_NAMES[self.dtype]}Tensor"
    if isinstance(dtype, _legacy.TensorClass):
        return self.to(dtype.dtype)
    if isinstance(dtype, str):
        name = dtype.removeprefix("thwrap.").removesuffix("Tensor")
        if name not in _DTYPES:
            raise ValueError(f"type: there is no class of tensors named {dtype!r}")
        return self.to(_DTYPES[name])
    return self.to(dtype)


def _byte(self: Tensor) -> Tensor:
    """The tensor in uint8."""
    return self.to(_C.uint8)


def _char(self: Tensor) -> Tensor:
    """The tensor in int8."""
    return self.to(_C.int8)


def _short(self: Tensor) -> Tensor:
    """The tensor in int16."""
    return self.to(_C.int16)


def _int(self: Tensor) -> Tensor:
    """The tensor in int32."""
    return self.to(_C.int32)


def _long(self: Tensor) -> Tensor:
    """The tensor in int64."""
    return self.to(_C.int64)


def _half(self: Tensor) -> Tensor:
    """The tensor in float16."""
    return self.to(_C.float16)


def _float(self: Tensor) -> Tensor:
    """The tensor in float32."""
    return self.to(_C.float32)


def _double(self: Tensor) -> Tensor:
    """The tensor in float64."""
    return self.to(_C.float64)


def _bool(self: Tensor) -> Tensor:
    """The tensor in bool: is it not zero?"""
    return self.to(_C.bool)


# Others


def _new(self: Tensor, *args: Any) -> Tensor:
    """A tensor of this one's dtype: from sizes, elements, a storage or a tensor."""
    return _legacy.new(self.dtype, *args)


def _new_tensor(self: Tensor, data: Any, *, dtype: Dtype | None = None) -> Tensor:
    """A new tensor with these elements, of this one's dtype unless another is given."""
    return _C.tensor(data, dtype=self.dtype if dtype is None else dtype)


METHODS: dict[type, dict[str, Any]] = {
    Tensor: {
        "__repr__": _repr,
        "__format__": _format,
        "__contains__": _contains,
        "__reversed__": _reversed,
        "__reduce_ex__": _reduce_ex,
        "__copy__": _copy,
        "__deepcopy__": _deepcopy,
        "__array_priority__": 1000,
        "bool": _bool,
        "byte": _byte,
        "char": _char,
        "double": _double,
        "float": _float,
        "half": _half,
        "int": _int,
        "long": _long,
        "new": _new,
        "new_tensor": _new_tensor,
        "short": _short,
        "split": _split.split,
        "tensor_split": _split.tensor_split,
        "type": _type,
    },
    Storage: {"__reduce__": _reduce_storage},
    Generator: {"__reduce__": _reduce_generator},
}


def attach() -> None:
    """Adds METHODS to the types, each function under the name it has there."""
    for owner, members in METHODS.items():
        for name, member in members.items():
            if getattr(member, "__module__", None) == __name__:
                member.__name__ = name
                member.__qualname__ = f"{owner.__name__}.{name}"
            setattr(owner, name, member)
