"""The same elements in other layouts."""

from __future__ import annotations

import numpy

import thwrap as th
from wrapgen.testing.drawing import Make, tensor


def transposed(array: numpy.ndarray) -> th.Tensor:
    """Dims in memory in reverse order."""
    return tensor(array.transpose()).permute(tuple(reversed(range(array.ndim))))


def sliced(array: numpy.ndarray) -> th.Tensor:
    """Every second element along each dim of a larger tensor, from the second on."""
    around = numpy.ones([2 * size + 1 for size in array.shape], array.dtype)
    steps = tuple(slice(1, 1 + 2 * size, 2) for size in array.shape)
    around[steps] = array
    return tensor(around)[steps] if array.ndim else tensor(array)


def offset(array: numpy.ndarray) -> th.Tensor:
    """Contiguous, but not where vectors begin."""
    flat = numpy.concatenate([numpy.ones(3, array.dtype), array.ravel()])
    return tensor(flat)[3:].view(array.shape)


LAYOUTS: dict[str, Make] = {"transposed": transposed, "sliced": sliced, "offset": offset}


def repeated(array: numpy.ndarray, dim: int) -> numpy.ndarray:
    """The first slice along a dim in place of all of them."""
    return numpy.repeat(array.take([0], axis=dim), array.shape[dim], axis=dim)


def expanded(array: numpy.ndarray, dim: int) -> th.Tensor:
    """What `repeated` gives without copies: stride 0."""
    return tensor(array.take([0], axis=dim)).expand(array.shape)
