"""Operands: random numbers of a shape that follows from a row's size. The same ones in each run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

Shape = tuple[int, ...]
Sized = Callable[[int], Shape]
"""The shape for about so many elements."""


@dataclass(frozen=True)
class Draw:
    """How an operand is drawn; of the row's dtype unless it has one of its own."""

    values: Callable[[np.random.Generator, int, np.dtype], np.ndarray]
    dtype: str = ""

    def __call__(self, name: str, size: int, dtype: str) -> np.ndarray:
        """Other numbers for each name."""
        own = np.dtype(self.dtype or dtype)
        random = np.random.default_rng(list(name.encode()))
        return np.asarray(self.values(random, size, own)).astype(own, copy=False)


def flat(n: int) -> Shape:
    """A vector."""
    return (n,)


def square(n: int) -> Shape:
    """About n elements as a matrix."""
    return (math.isqrt(n),) * 2


def row(n: int) -> Shape:
    """A row of that matrix."""
    return (math.isqrt(n),)


def column(n: int) -> Shape:
    """A column of that matrix."""
    return (math.isqrt(n), 1)


def cube(n: int) -> Shape:
    """About n elements in three dims."""
    return (round(n ** (1 / 3)),) * 3


def five(n: int) -> Shape:
    """About n elements in five dims."""
    return (max(1, round(n ** (1 / 5))),) * 5


def lines(width: int) -> Sized:
    """n elements in rows of a width."""
    return lambda n: (max(1, n // width), width)


def fixed(*shape: int) -> Sized:
    """This shape for any size."""
    return lambda _: shape


def half_as_many(shape: Sized) -> Sized:
    """The shape with its last dim doubled, to take every other element of."""
    return lambda n: (*shape(n)[:-1], 2 * shape(n)[-1])


def _normal(random: np.random.Generator, shape: Shape, dtype: np.dtype) -> np.ndarray:
    """Of variance 1; integers up to about 500; truth values half of each."""
    own = dtype in (np.float32, np.float64)
    values = random.standard_normal(shape, dtype=dtype if own else np.float32)
    if dtype.kind == "b":
        return values > 0
    return values * 100 if dtype.kind in "iu" else values


@cache
def normal(shape: Sized = flat, dtype: str = "", scale: float = 1) -> Draw:
    """Normal numbers of either sign."""
    return Draw(lambda random, n, own: _normal(random, shape(n), own) * own.type(scale), dtype)


@cache
def uniform(low: float, high: float, shape: Sized = flat, dtype: str = "") -> Draw:
    """From low up to high, which is left out."""

    def values(random: np.random.Generator, n: int, own: np.dtype) -> np.ndarray:
        if own.kind in "iub":
            return random.integers(int(low), int(high), shape(n))
        wide = own if own in (np.float32, np.float64) else np.dtype("float32")
        return random.random(shape(n), dtype=wide) * (high - low) + low

    return Draw(values, dtype)


@cache
def small(shape: Sized = flat) -> Draw:
    """So small that adding it for hours changes little."""
    return Draw(
        lambda random, n, own: _normal(random, shape(n), own) * (1 if own.kind in "iub" else 1e-9)
    )


@cache
def index(below: Callable[[int], int] = lambda n: n, shape: Sized = flat) -> Draw:
    """Indices below a bound that follows from the size."""
    return Draw(lambda random, n, _: random.integers(0, below(n), shape(n)), "int64")


@cache
def permutation() -> Draw:
    """Each index once."""
    return Draw(lambda random, n, _: random.permutation(n), "int64")
