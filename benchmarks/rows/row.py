"""What a row of the benchmark is: a statement, its operands, and how NumPy and PyTorch say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.rows.draws import Draw

FLOATS = ("float32", "float64")
INTEGERS = ("int32", "int64")
SIZES = (10, 1_000, 100_000, 10_000_000)
LARGE = (100_000, 10_000_000)

Given = Draw | str | object
"""Numbers drawn; an expression over what was given before, such as a view; or anything else, as it is."""


@dataclass(frozen=True)
class Row:
    """One job for three libraries. In statements `m` is the library's module.

    A statement of NumPy or PyTorch is the library's best way to do the same; empty: spelled as ours, None: it has none.
    """

    name: str
    ours: str
    given: Mapping[str, Given]
    numpy: str | None = ""
    torch: str | None = ""
    dtypes: tuple[str, ...] = FLOATS
    sizes: tuple[int, ...] = SIZES
    check: str = "r"
    """What is to agree: an expression of NumPy over the operands and the result `r` (the first one of several)."""
    tolerance: float = 0.0
    """By which share results may differ, where a rival's rounding adds up to more than the dtype's; of float64, by as
    much less as it has digits more."""
    writes: bool = False
    """Does it write its operands? Each library has its own then."""
    moves: bool = False
    """Is its time at best that of moving its operands and its result once?"""
    flops: Callable[[int], float] | None = None
    """Floating-point operations at a size, where these bound its time."""
    blas: bool = False
    """Does NumPy run it on several threads, too?"""
    scalar: bool = False
    """Does NumPy return or store a bare scalar here?"""

    def spelled(self, library: str) -> str | None:
        """The statement as this library wants it; None where there is none to compare with."""
        own = {"numpy": self.numpy, "torch": self.torch}.get(library, "")
        return own if own is None else own or self.ours
