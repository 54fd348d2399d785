"""NumPy, PyTorch and thwrap behind one face: making operands, setting threads, reading results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import torch

import thwrap

ALIGNMENT = 64


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy that begins at a multiple of 64 bytes, as those of the other two do."""
    room = np.empty(array.nbytes + ALIGNMENT, np.uint8)
    begin = -room.ctypes.data % ALIGNMENT
    copy = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def _no_threads(threads: int) -> None:
    """NumPy has none; its BLAS was told so when it was loaded."""


@dataclass(frozen=True)
class Library:
    """What a row needs of a library. Operands are copies: memory that was written."""

    name: str
    module: ModuleType
    tensor: Callable[[np.ndarray], Any]
    set_threads: Callable[[int], None]

    def result(self, value: Any) -> np.ndarray:
        """A result as an array, the values where there are indices too."""
        return np.asarray(value[0] if isinstance(value, tuple) else value)


LIBRARIES = (
    Library("numpy", np, aligned, _no_threads),
    Library("torch", torch, lambda array: torch.from_numpy(array).clone(), torch.set_num_threads),
    Library("thwrap", thwrap, thwrap.tensor, thwrap.set_num_threads),
)
