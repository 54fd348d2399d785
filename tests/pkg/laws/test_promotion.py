"""Which dtype operands of two dtypes give: PyTorch's table, for tensors with dims, 0-d tensors and numbers."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import thwrap as th
from wrapgen.testing import oracle
from wrapgen.testing.declared import CATEGORIES, DTYPES
from wrapgen.testing.laws.promotion import *  # noqa: F403

RANKS = ("dims", "0-d", "number")
NUMBERS = {"bool": True, "int64": 1, "float32": 1.0}


def operand(rank: str, dtype: str) -> Any:
    if rank == "number":
        return NUMBERS[dtype]
    return th.ones((2,) if rank == "dims" else (), dtype=getattr(th, dtype))


def operands() -> list[tuple[str, str, Any]]:
    """Rank, dtype and a value for each kind of operand."""
    return [
        (rank, dtype, operand(rank, dtype))
        for rank in RANKS
        for dtype in (DTYPES if rank != "number" else NUMBERS)
    ]


def expected(*pairs: tuple[str, str]) -> str:
    groups: dict[str, list[str]] = {rank: [] for rank in RANKS}
    for rank, dtype in pairs:
        default = th.get_default_dtype().name
        groups[rank].append(default if rank == "number" and dtype == "float32" else dtype)
    return oracle.combined(*groups.values())


def floating(dtype: str) -> str:
    return dtype if CATEGORIES[dtype] == 2 else th.get_default_dtype().name


PAIRS = [
    (one, other)
    for one, other in itertools.product(operands(), repeat=2)
    if "number" not in (one[0], other[0]) or one[0] != other[0]
]


@pytest.mark.parametrize("default", ["float32", "float64"])
def test_pairs(default: str) -> None:
    """Arithmetic gives the promoted dtype, division a floating one, comparison bool; result_type() says the same."""
    th.set_default_dtype(getattr(th, default))
    for (rank1, dtype1, one), (rank2, dtype2, other) in PAIRS:
        promoted = expected((rank1, dtype1), (rank2, dtype2))
        what = f"{rank1} {dtype1} and {rank2} {dtype2}"
        assert th.add(one, other).dtype.name == promoted, what
        assert th.div(one, other).dtype.name == floating(promoted), what
        assert th.eq(one, other).dtype is th.bool, what
        assert th.result_type(one, other).name == promoted, what


def test_lattice() -> None:
    """promote_types() is the table, and so is every pair of tensors with dims."""
    for (one, other), promoted in oracle.PROMOTED.items():
        assert th.promote_types(getattr(th, one), getattr(th, other)).name == promoted


def test_three_operands() -> None:
    """Ranks combine over all operands: a 0-d float among tensors of ints, a number among 0-d tensors."""
    for (rank1, dtype1, one), (rank2, dtype2, other) in PAIRS:
        if "number" in (rank1, rank2) or "bool" in (dtype1, dtype2):
            continue
        got = th.addcmul(one, other, th.ones(2, dtype=th.int16)).dtype.name
        assert got == expected((rank1, dtype1), (rank2, dtype2), ("dims", "int16"))


def test_lists_promote() -> None:
    """cat and stack give the dtype of all their tensors together."""
    for one, other in itertools.product(DTYPES, repeat=2):
        tensors = [th.ones(2, dtype=getattr(th, name)) for name in (one, other)]
        assert (
            th.cat(tensors).dtype.name
            == th.stack(tensors).dtype.name
            == oracle.PROMOTED[one, other]
        )
