"""A row at one dtype and size: its operands in each library, its statements ready to run, the look at their results."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from benchmarks.libraries import Library, aligned
from benchmarks.results import size_text
from benchmarks.rows import FAMILIES
from benchmarks.rows.draws import Draw
from benchmarks.rows.row import Row

SHARED_BYTES = 1 << 20
"""Operands of so many bytes are one memory for all libraries, smaller ones of each library's own making."""
TOLERANCES = {"float16": 2e-2, "float32": 1e-3, "float64": 1e-8}


class Disagreement(Exception):
    """Two libraries computed different things."""


@dataclass(frozen=True)
class Case:
    """One line of the results."""

    family: str
    row: Row
    dtype: str
    size: int

    @property
    def name(self) -> str:
        """Family and row, as `--only` takes them."""
        return f"{self.family}/{self.row.name}"

    def __str__(self) -> str:
        return f"{self.name}, {self.dtype}, {self.size:.0e}"


@dataclass(frozen=True)
class Choice:
    """Which cases to run."""

    only: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()

    def cases(self) -> Iterator[Case]:
        """In an order in which one case can use the operands of the one before."""
        families = list(FAMILIES)
        chosen = filter(self._wanted, _every_case())
        yield from sorted(chosen, key=lambda case: (families.index(case.family), case.size))

    def complaint(self) -> str:
        """What of it fits no case; empty where there are cases."""
        every = list(_every_case())
        names = {case.name: None for case in every}
        for pattern in self.only:
            if not any(_matches(name, pattern) for name in names):
                near = difflib.get_close_matches(pattern, [*FAMILIES, *names], n=3)
                hint = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
                return f"no row {pattern!r}; {hint or 'families: ' + ', '.join(FAMILIES)}"
        dtypes, sizes = {case.dtype: None for case in every}, sorted({case.size for case in every})
        for dtype in self.dtypes:
            if dtype not in dtypes:
                return f"no row of dtype {dtype}; there are {', '.join(dtypes)}"
        for size in self.sizes:
            if size not in sizes:
                return f"no row of size {size}; there are {', '.join(map(size_text, sizes))}"
        chosen = any(map(self._wanted, every))
        return "" if chosen else "no row has all that is chosen: name, dtype and size"

    def _wanted(self, case: Case) -> bool:
        return (
            (not self.only or any(_matches(case.name, pattern) for pattern in self.only))
            and (not self.dtypes or case.dtype in self.dtypes)
            and (not self.sizes or case.size in self.sizes)
        )


def _every_case() -> Iterator[Case]:
    for family, rows in FAMILIES.items():
        for row in rows:
            for dtype in row.dtypes:
                for size in row.sizes:
                    yield Case(family, row, dtype, size)


def _matches(name: str, pattern: str) -> bool:
    """A pattern of the shell's, which may be the name itself, or a family."""
    return name == pattern or name.split("/")[0] == pattern or fnmatchcase(name, pattern)


@dataclass
class Operands:
    """Draws the operands of cases, and keeps those that were used last."""

    kept_bytes: int = 600_000_000
    drawn: dict[tuple[Draw, str, str, int], np.ndarray] = field(default_factory=dict)

    def draw(self, case: Case) -> dict[str, np.ndarray]:
        """By name; what is drawn is not to be written."""
        arrays = {}
        for name, given in case.row.given.items():
            if isinstance(given, Draw):
                key = (given, name, given.dtype or case.dtype, case.size)
                array = self.drawn.pop(key, None)
                if array is None:
                    array = aligned(given(name, case.size, case.dtype))
                arrays[name] = self.drawn[key] = array
        while sum(array.nbytes for array in self.drawn.values()) > self.kept_bytes:
            del self.drawn[next(iter(self.drawn))]
        return arrays


def names(case: Case, library: Library, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """What the statements of a library may speak of."""
    scope = {
        "m": library.module,
        "dtype": getattr(library.module, case.dtype),
        "size": case.size,
        "numpy": np,
    }
    for name, given in case.row.given.items():
        if isinstance(given, Draw):
            array = arrays[name]
            if array.nbytes < SHARED_BYTES:
                scope[name] = library.own(array)
            else:
                scope[name] = library.share(aligned(array) if case.row.writes else array)
        else:
            scope[name] = eval(given, {}, dict(scope)) if isinstance(given, str) else given
    return scope


def run(statement: str, scope: dict[str, Any]) -> Any:
    """The value of an expression; None of another statement, which is run as well."""
    try:
        code = compile(statement, f"<{statement}>", "eval")
    except SyntaxError:
        exec(statement, dict(scope))
        return None
    return eval(code, dict(scope))


def outcome(case: Case, library: Library, scope: dict[str, Any]) -> np.ndarray:
    """One run, and what of it is to agree."""
    statement = case.row.spelled(library.name)
    assert statement is not None
    result = run(statement, scope)
    check = compile(case.row.check, f"<{case.row.check}>", "eval")
    seen: dict[str, Any] = {"m": np, "r": None if result is None else library.array(result)}
    seen |= {name: library.array(scope[name]) for name in check.co_names if name in case.row.given}
    return np.asarray(eval(check, seen))


def agree(case: Case, what: str, expected: np.ndarray, result: np.ndarray) -> None:
    """Raises Disagreement."""
    if expected.shape != result.shape:
        raise Disagreement(f"{what}: shape {result.shape}, not {expected.shape}")
    if expected.dtype.kind != result.dtype.kind:
        raise Disagreement(f"{what}: dtype {result.dtype}, not {expected.dtype}")
    usual = TOLERANCES.get(case.dtype, 0.0)
    lax = case.row.tolerance  # float32's, or that of results of integers
    if case.dtype == "float64":
        lax *= usual / TOLERANCES["float32"]
    tolerance = max(usual, lax)
    step = 1 + expected.size // 1_000_000
    one, other = (array.reshape(-1)[::step] for array in (expected, result))
    if one.dtype.kind == "f":
        one, other = one.astype(np.float64), other.astype(np.float64)
        bound = tolerance * max(1.0, np.abs(one[np.isfinite(one)]).max(initial=0))
        same = np.allclose(one, other, rtol=tolerance, atol=bound, equal_nan=True)
    else:
        same = np.array_equal(one, other)
    if not same:
        raise Disagreement(f"{what}: other values")


def contestants(
    case: Case, libraries: list[Library], arrays: dict[str, np.ndarray]
) -> dict[str, tuple[str, dict[str, Any]]]:
    """The statement and the scope of each library that has one, after their results were compared."""
    ready: dict[str, tuple[str, dict[str, Any]]] = {}
    expected: np.ndarray | None = None
    for library in libraries:
        statement = case.row.spelled(library.name)
        if statement is None:
            continue
        scope = names(case, library, arrays)
        result = outcome(case, library, scope)
        if expected is None:
            expected = result
        agree(case, f"{library.name}'s {statement}", expected, result)
        ready[library.name] = (statement, scope)
    return ready
