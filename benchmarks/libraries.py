"""NumPy, PyTorch and thwrap behind one face: making operands, setting threads, reading results.

A library is imported when it is first asked for, so that a process of one library holds no other but NumPy.
"""

from __future__ import annotations

import ctypes
import importlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

ALIGNMENT = 64
NAMES = ("numpy", "torch", "thwrap")


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy that begins at a multiple of 64 bytes."""
    room = np.empty(array.nbytes + ALIGNMENT, np.uint8)
    begin = -room.ctypes.data % ALIGNMENT
    copy = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


class Library:
    """What a case needs of NumPy, and what the others have in common with it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module: Any = importlib.import_module(name)

    def share(self, array: np.ndarray) -> Any:
        """The array's memory as an operand."""
        return array

    def own(self, array: np.ndarray) -> Any:
        """An operand of the library's own making, with the array's values."""
        return aligned(array)

    def set_threads(self, threads: int) -> None:
        """NumPy itself has one; this sets its BLAS."""
        for function in _openblas_of_numpy():
            function(threads)

    def array(self, value: Any) -> np.ndarray:
        """A result, or the first of several, as an array."""
        return np.asarray(value[0] if isinstance(value, tuple) else value)

    def release(self) -> None:
        """Gives memory that is kept for later back."""


class Torch(Library):
    """PyTorch without gradients, as its users run it for speed."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.module.inference_mode().__enter__()

    def share(self, array: np.ndarray) -> Any:
        return self.module.from_numpy(array)

    def own(self, array: np.ndarray) -> Any:
        return self.module.from_numpy(array).clone()

    def set_threads(self, threads: int) -> None:
        self.module.set_num_threads(threads)


class Thwrap(Library):
    """Ourselves."""

    def share(self, array: np.ndarray) -> Any:
        return self.module.from_numpy(array)

    def own(self, array: np.ndarray) -> Any:
        return self.module.tensor(array)

    def set_threads(self, threads: int) -> None:
        self.module.set_num_threads(threads)

    def release(self) -> None:
        self.module.empty_cache()


@cache
def library(name: str) -> Library:
    """Imported once."""
    return {"torch": Torch, "thwrap": Thwrap}.get(name, Library)(name)


@cache
def _openblas_of_numpy() -> tuple[Any, ...]:
    """The function that sets the threads of the OpenBLAS in NumPy's wheel; none where NumPy has another BLAS."""
    folder = Path(np.__file__).parent.parent / "numpy.libs"
    paths = sorted(folder.glob("libscipy_openblas64*.so")) if folder.is_dir() else []
    return tuple(ctypes.CDLL(str(path)).scipy_openblas_set_num_threads64_ for path in paths)
