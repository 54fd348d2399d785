"""Tensors from what Python has: numbers, buffers, files, distributions."""

from __future__ import annotations

import os

from thwrap import _C
from thwrap._C import Storage, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from thwrap._C import Generator, Number
    from thwrap._C import dtype as Dtype


def scalar_tensor(s: Number, *, dtype: Dtype | None = None) -> Tensor:
    """A 0-d tensor of the default dtype."""
    return _C.tensor(s, dtype=_C.get_default_dtype() if dtype is None else dtype)


def frombuffer(buffer: Any, *, dtype: Dtype, count: int = -1, offset: int = 0) -> Tensor:
    """A 1-d tensor over the memory of a writable buffer, from byte `offset` on; count -1 takes all there is."""
    view = memoryview(buffer).cast("B")
    if not 0 <= offset <= len(view):
        raise ValueError(
            f"frombuffer: offset {offset} is not within the buffer's {len(view)} bytes"
        )
    if count < -1:
        raise ValueError(f"frombuffer: expected a count of elements or -1, got {count}")
    end = len(view) if count == -1 else offset + count * dtype.itemsize
    if end > len(view):
        raise ValueError(
            f"frombuffer: {count} elements of {dtype.name} from byte {offset} on need {end} bytes, "
            f"the buffer has {len(view)}"
        )
    return _C._from_buffer(view[offset:end], dtype)


def from_file(
    filename: str | os.PathLike[str],
    shared: bool | None = None,
    size: int | None = 0,
    *,
    dtype: Dtype | None = None,
) -> Tensor:
    """A 1-d tensor of `size` elements over a file mapped into memory; when shared, writes reach the file."""
    kind = _C.get_default_dtype() if dtype is None else dtype
    count = size or 0
    storage = Storage.from_file(os.fspath(filename), bool(shared), count, kind)
    return _C.empty(0, dtype=kind).set_(storage, 0, (count,))


def normal(
    mean: Tensor | float,
    std: Tensor | float = 1.0,
    size: Sequence[int] | None = None,
    *,
    generator: Generator | None = None,
    dtype: Dtype | None = None,
) -> Tensor:
    """Normal numbers of this mean and standard deviation: of a size, or one for each element of the tensors among them.

    The tensors are broadcast together, and give the dtype of the result.
    """
    if not isinstance(mean, Tensor) and not isinstance(std, Tensor):
        if size is None:
            raise TypeError("normal() missing required argument 'size'")
        return _C.empty(size, dtype=dtype).normal_(mean, std, generator=generator)
    if size is not None or dtype is not None:
        raise TypeError("normal(): size and dtype are for a mean and std that are numbers")
    if bool((_C.tensor(std) < 0).any()):
        raise ValueError("normal: expected a std of 0 or more everywhere")
    given = [value for value in (mean, std) if isinstance(value, Tensor)]
    like = sum(given[1:], given[0])
    return _C.randn_like(like, generator=generator).mul_(std).add_(mean)
