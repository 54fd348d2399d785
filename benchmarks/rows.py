"""What is measured: statements, the operands they have, and how fast they are meant to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

Operands = dict[str, np.ndarray]


@dataclass(frozen=True)
class Target:
    """thwrap's time over NumPy's, over PyTorch's, over the faster of the two."""

    numpy: float | None = None
    torch: float | None = None
    better: float | None = None


@dataclass(frozen=True)
class Row:
    """One line of the table. `m` is the module in statements."""

    name: str
    statement: str
    operands: Callable[[], Operands]
    numpy: str = ""
    """NumPy's spelling where it differs; `-`: it has none."""
    torch: str = ""
    threads: int = 1
    target: Target = field(default_factory=Target)
    compare: bool = True
    """Are the results to agree? Not where operands are written again and again."""

    def spelled(self, library: str) -> str:
        """The statement as this library wants it; empty where there is none to compare with."""
        if library == "numpy" and self.threads > 1:
            return ""
        own = {"numpy": self.numpy, "torch": self.torch}.get(library, "")
        return "" if own == "-" else own or self.statement


@dataclass(frozen=True)
class Group:
    """Rows under one heading."""

    title: str
    unit: str
    """ns, us or ms"""
    rows: tuple[Row, ...]


def vectors(n: int, dtype: str = "float32") -> Callable[[], Operands]:
    """Two vectors of numbers of either sign, `b` so small that adding it for hours changes little."""

    def make() -> Operands:
        random = np.random.default_rng(20)
        a = random.standard_normal(n) * (100 if dtype.startswith("int") else 1)
        b = a[::-1] * (1 if dtype.startswith("int") else 1e-9)
        return {"a": a.astype(dtype), "b": b.astype(dtype)}

    return make


def matrices(n: int, dtype: str = "float32") -> Callable[[], Operands]:
    """Two square matrices, a row and a column."""

    def make() -> Operands:
        random = np.random.default_rng(20)
        a, b = (random.standard_normal((n, n), dtype="float32").astype(dtype) for _ in "ab")
        return {"a": a, "b": b, "row": a[0].copy(), "column": a[:, :1].copy()}

    return make


def masked(n: int) -> Callable[[], Operands]:
    """A vector and a mask that takes about half of it."""

    def make() -> Operands:
        a = np.random.default_rng(20).standard_normal(n, dtype="float32")
        return {"a": a, "mask": a > 0}

    return make


TEN = vectors(10)


def _call(numpy: float) -> Target:
    return Target(numpy=numpy, torch=0.15)


CALLS = Group(
    "Calls: 10 elements, float32",
    "ns",
    (
        Row("a + b", "a + b", TEN, target=_call(0.4)),
        Row(
            "a.add_(b)",
            "a.add_(b)",
            TEN,
            numpy="m.add(a, b, out=a)",
            target=_call(0.3),
            compare=False,
        ),
        Row("a.sum()", "a.sum()", TEN, target=_call(0.25)),
        Row("a[1:4]", "a[1:4]", TEN, target=_call(1.0)),
        Row("a.exp()", "a.exp()", TEN, numpy="m.exp(a)", target=_call(0.6)),
    ),
)

MORE_CALLS = Group(
    "More calls: 10 elements, float32",
    "ns",
    (
        Row("a + 1", "a + 1", TEN),
        Row("a * 1.5", "a * 1.5", TEN),
        Row("a + b.double()", "a + b", lambda: TEN() | {"b": vectors(10, "float64")()["b"]}),
        Row("float16: a + b", "a + b", vectors(10, "float16")),
        Row("a > b", "a > b", TEN),
        Row("m.add(a, b, out=c)", "m.add(a, b, out=c)", lambda: TEN() | {"c": TEN()["a"]}),
        Row("a[3]", "a[3]", TEN),
        Row("a.max()", "a.max()", TEN),
        Row("a.reshape(2, 5)", "a.reshape(2, 5)", TEN),
        Row("a.sum(0)", "a.sum(0)", TEN),
    ),
)

_BETTER = Target(better=1.1)


def _pointwise(n: int, threads: int, target: Target) -> tuple[Row, ...]:
    made = vectors(n)
    return (
        Row("a + b", "a + b", made, threads=threads, target=target),
        Row("a * b", "a * b", made, threads=threads, target=target),
        Row("exp(a)", "m.exp(a)", made, threads=threads, target=target),
        Row("a.sum()", "a.sum()", made, threads=threads, target=target),
    )


MEMORY = Group(
    "10 million elements, float32",
    "ms",
    (*_pointwise(10**7, 1, _BETTER), *_pointwise(10**7, 2, _BETTER)),
)
CACHE = Group(
    "100,000 elements, float32",
    "us",
    (*_pointwise(10**5, 1, Target()), *_pointwise(10**5, 2, Target())),
)

SQUARE = matrices(4096)
GENERAL = Group(
    "Of general interest",
    "ms",
    (
        Row("a + b, 10 million float64", "a + b", vectors(10**7, "float64")),
        Row("exp(a), 10 million float64", "m.exp(a)", vectors(10**7, "float64")),
        Row("a.sum(), 10 million float64", "a.sum()", vectors(10**7, "float64")),
        Row("a + b, 10 million int64", "a + b", vectors(10**7, "int64")),
        Row("a + b, 10 million float16", "a + b", vectors(10**7, "float16")),
        Row(
            "a.add_(b), 10 million",
            "a.add_(b)",
            vectors(10**7),
            numpy="m.add(a, b, out=a)",
            compare=False,
        ),
        Row("a + row, 4096 x 4096", "a + row", SQUARE),
        Row("a + column, 4096 x 4096", "a + column", SQUARE),
        Row("a + b.T, 4096 x 4096", "a + b.T", SQUARE),
        Row(
            "a.T made contiguous, 4096 x 4096",
            "a.T.contiguous()",
            SQUARE,
            numpy="m.ascontiguousarray(a.T)",
        ),
        Row("a.sum(0), 4096 x 4096", "a.sum(0)", SQUARE),
        Row("a.sum(1), 4096 x 4096", "a.sum(1)", SQUARE),
        Row("a.max(), 10 million", "a.max()", vectors(10**7)),
        Row("a.cumsum(0), 10 million", "a.cumsum(0)", vectors(10**7)),
        Row("sort(a), 1 million", "m.sort(a)", vectors(10**6)),
        Row("a @ b, 512 x 512", "a @ b", matrices(512)),
        Row("a @ b, 512 x 512, 2 threads", "a @ b", matrices(512), threads=2),
        Row("a[mask], 1 million", "m.masked_select(a, mask)", masked(10**6), numpy="a[mask]"),
    ),
)

GROUPS = (CALLS, MORE_CALLS, MEMORY, CACHE, GENERAL)
