"""Arrays and tensors. Imported when first needed, since NumPy is optional and slow to import."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from thwrap import _C
from thwrap._C import Tensor, asarray

try:
    import numpy
except ImportError as error:
    raise ImportError("arrays need NumPy, which is not installed: pip install numpy") from error

# Python's operators by the name of the ufunc that NumPy's arrays use for them.
_NAMED: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "power": operator.pow,
    "matmul": operator.matmul,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "left_shift": operator.lshift,
    "right_shift": operator.rshift,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
_OPERATORS: dict[Any, Callable[..., Any]] = {
    getattr(numpy, name): function for name, function in _NAMED.items()
}


def from_numpy(array: Any) -> Tensor:
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"from_numpy: expected numpy.ndarray, got {type(array).__name__}")
    if not array.dtype.isnative:
        raise TypeError(
            f"from_numpy: an array of {array.dtype} has another byte order than this machine"
        )
    if not _has_dtype(array):
        raise TypeError(f"from_numpy: there is no dtype for an array of {array.dtype}")
    try:
        return _C._from_buffer(array)
    except (ValueError, BufferError) as error:
        raise ValueError(f"from_numpy: {error}") from None


def to_numpy(tensor: Tensor) -> Any:
    """An array over the tensor's memory; read-only where elements share memory."""
    return numpy.asarray(memoryview(tensor))


def to_array(tensor: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    """What __array__ does."""
    return numpy.array(memoryview(tensor), dtype=dtype, copy=copy)


def apply_ufunc(self: Tensor, ufunc: Any, method: str, /, *inputs: Any, **options: Any) -> Any:
    """A ufunc with a tensor among its operands: what __array_ufunc__ does.

    Operators between arrays and tensors are ours and give tensors; NumPy gets here since its arrays know only ufuncs.
    Whatever else is asked of NumPy it computes itself, on the tensors' memory.
    """
    function = _OPERATORS.get(ufunc)
    if function is not None and method == "__call__" and not options:
        return _apply_operator(function, inputs)
    outputs = options.get("out", ())
    options = {key: _as_array(value) for key, value in options.items() if key != "out"}
    if outputs:
        options["out"] = tuple(_as_array(output) for output in outputs)
    result = getattr(ufunc, method)(*map(_as_array, inputs), **options)
    if not outputs:
        return result
    return outputs[0] if len(outputs) == 1 else outputs


def _apply_operator(function: Callable[..., Any], inputs: tuple[Any, ...]) -> Any:
    operands = []
    for value in inputs:
        if isinstance(value, numpy.generic):
            operands.append(value.item())
        elif not isinstance(value, numpy.ndarray):
            operands.append(value)
        elif value.dtype.isnative and _has_dtype(value):
            operands.append(asarray(value))
        else:
            return NotImplemented
    return function(*operands)


def _as_array(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else value


def _has_dtype(array: Any) -> bool:
    kind: str = array.dtype.char
    return kind in "?bBhilqefd"


# From now on without looking this module up.
for _name, _method in (("__array__", to_array), ("__array_ufunc__", apply_ufunc)):
    setattr(Tensor, _name, _method)
