"""Arrays and tensors. Imported when first needed, since NumPy is optional and slow to import."""

from __future__ import annotations

from typing import Any

from thwrap import _C
from thwrap._C import Tensor

try:
    import numpy
except ImportError as error:
    raise ImportError("arrays need NumPy, which is not installed: pip install numpy") from error


def from_numpy(array: Any) -> Tensor:
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"from_numpy: expected numpy.ndarray, got {type(array).__name__}")
    if not array.dtype.isnative:
        raise TypeError(
            f"from_numpy: an array of {array.dtype} has another byte order than this machine"
        )
    if array.dtype.char not in "?bBhilqefd":
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
    """A ufunc with options, or a method of one, with a tensor among its operands: NumPy computes it, on their memory.

    What C does by itself is not handed over: operators, and calls without options.
    """
    outputs = options.get("out", ())
    options = {key: _as_array(value) for key, value in options.items() if key != "out"}
    if outputs:
        options["out"] = tuple(_as_array(output) for output in outputs)
    result = getattr(ufunc, method)(*map(_as_array, inputs), **options)
    if not outputs:
        return result
    return outputs[0] if len(outputs) == 1 else outputs


def _as_array(value: Any) -> Any:
    return value.numpy() if isinstance(value, Tensor) else value
