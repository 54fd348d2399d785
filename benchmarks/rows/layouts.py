"""Operands that do not lie one element after the other, or have another shape or dtype than the result."""

import math

from benchmarks.rows.draws import (
    column,
    five,
    flat,
    half_as_many,
    lines,
    normal,
    row,
    small,
    square,
)
from benchmarks.rows.row import FLOATS, LARGE, Given, Row

SQUARE: dict[str, Given] = {"a": normal(square), "b": normal(square)}
THREE = lines(3)
FIVE: dict[str, Given] = {
    "a": normal(five),
    "w": normal(five),
    "p": "m.moveaxis(w, (0, 1, 2, 3, 4), (3, 0, 4, 2, 1))",
}


def _middle(n: int) -> tuple[int, int, int]:
    """n elements in matrices of 16 rows."""
    return (max(1, n // 512), 16, 32)


def _images(n: int) -> tuple[int, int, int, int]:
    """Two images of three channels, n elements in all."""
    side = math.isqrt(n // 6) + 1
    return (2, 3, side, side)


BYTES = ("bool", "float16", "float32", "float64")

ROWS = (
    Row("+ row", "a + v", SQUARE | {"v": normal(row)}, moves=True),
    Row("+ column", "a + v", SQUARE | {"v": normal(column)}, moves=True),
    Row("+ transposed", "a + t", SQUARE | {"t": "b.T"}, moves=True),
    Row("transposed + transposed", "s + t", SQUARE | {"s": "a.T", "t": "b.T"}, moves=True),
    Row(
        "+ expanded number",
        "a + x",
        {"a": normal(), "v": normal(lambda _: (1,)), "x": "m.broadcast_to(v, a.shape)"},
        moves=True,
    ),
    Row("column + row", "u + v", {"u": normal(column), "v": normal(row)}, moves=True),
    Row(
        "step-sliced + step-sliced",
        "s + t",
        {
            "u": normal(half_as_many(flat)),
            "v": normal(half_as_many(flat)),
            "s": "u[::2]",
            "t": "v[::2]",
        },
        moves=True,
    ),
    Row(
        "into a step slice",
        "s.add_(b)",
        {"u": normal(half_as_many(flat)), "s": "u[::2]", "b": small()},
        "m.add(s, b, out=s)",
        writes=True,
        moves=True,
    ),
    Row("(n, 3) + row", "a + v", {"a": normal(THREE), "v": normal(lambda _: (3,))}, moves=True),
    Row(
        "(n, 3) + column",
        "a + v",
        {"a": normal(THREE), "v": normal(lambda n: (max(1, n // 3), 1))},
        moves=True,
    ),
    Row(
        "(n, 3) of rows of 4",
        "s + s",
        {"a": normal(lambda n: (max(1, n // 3), 4)), "s": "a[:, :3]"},
        moves=True,
    ),
    Row("5-d permuted + 5-d", "a + p", FIVE, moves=True),
    Row("exp of 5-d permuted", "m.exp(p)", FIVE, moves=True),
    Row(
        "transposed.contiguous()",
        "t.contiguous()",
        {"a": normal(square), "t": "a.T"},
        "m.ascontiguousarray(t)",
        dtypes=BYTES,
        moves=True,
    ),
    Row(
        "5-d permuted.contiguous()",
        "p.contiguous()",
        FIVE,
        "m.ascontiguousarray(p)",
        moves=True,
    ),
    Row(
        "copy_ of transposed",
        "a.copy_(t)",
        SQUARE | {"t": "b.T"},
        "m.copyto(a, t)",
        writes=True,
        check="a",
    ),
    Row(
        "int32 + float64",
        "i + a",
        {"a": normal(), "i": normal(dtype="int32")},
        dtypes=("float64",),
        moves=True,
    ),
    Row(
        "float32 + float64",
        "f + a",
        {"a": normal(), "f": normal(dtype="float32")},
        dtypes=("float64",),
        moves=True,
    ),
    Row("flip", "m.flip(a, (0,))", {"a": normal()}, "a[::-1].copy()", dtypes=FLOATS, moves=True),
    Row(
        "+ broadcast middle dim",
        "a + v",
        {"a": normal(_middle), "v": normal(lambda n: (_middle(n)[0], 1, 32))},
        moves=True,
    ),
    Row(
        "3-d + matrix",
        "a + v",
        {"a": normal(_middle), "v": normal(lambda _: (16, 32))},
        moves=True,
    ),
    Row(
        "channels last",
        "p.contiguous()",
        {"a": normal(_images), "p": "m.moveaxis(a, 1, 3)"},
        "m.ascontiguousarray(p)",
        dtypes=("uint8", "float32"),
        moves=True,
    ),
    Row(
        "channels first",
        "p.contiguous()",
        {"a": normal(lambda n: (2, *_images(n)[2:], 3)), "p": "m.moveaxis(a, 3, 1)"},
        "m.ascontiguousarray(p)",
        dtypes=("uint8", "float32"),
        moves=True,
    ),
    Row(
        "every other row and column",
        "s.contiguous()",
        {"a": normal(lambda n: (2 * math.isqrt(n),) * 2), "s": "a[::2, ::2]"},
        "m.ascontiguousarray(s)",
    ),
    Row("flip of rows", "m.flip(a, (1,))", {"a": normal(square)}, "a[:, ::-1].copy()", moves=True),
    Row(
        "expanded row.contiguous()",
        "x.contiguous()",
        {"v": normal(row), "a": normal(square), "x": "m.broadcast_to(v, a.shape)"},
        "m.ascontiguousarray(x)",
    ),
    Row(
        "transposed.clone()",
        "t.clone()",
        {"a": normal(square), "t": "a.T"},
        "t.copy(order='K')",
        moves=True,
    ),
    Row(
        "copy_ of transposed to transposed",
        "s.copy_(t)",
        SQUARE | {"s": "a.T", "t": "b.T"},
        "m.copyto(s, t)",
        writes=True,
        check="s",
    ),
    Row(
        "narrow columns + narrow columns",
        "s + t",
        {"a": normal(lambda n: (max(1, n // 17), 32)), "s": "a[:, 3:20]", "t": "a[:, 1:18]"},
    ),
    Row(
        "logical_and of narrow columns",
        "m.logical_and(s, t)",
        {"a": normal(lines(96)), "s": "a[:, :79]", "t": "a[:, 17:]"},
        dtypes=("bool", "int16", "float32"),
    ),
    Row(
        "narrow columns < narrow columns",
        "s < t",
        {"a": normal(lines(64)), "s": "a[:, :47]", "t": "a[:, 17:]"},
        dtypes=("uint8", "float32"),
    ),
    Row(
        "inner slice = number",
        "a[2:-2, 2:-2] = 1",
        {"a": normal(lambda n: (math.isqrt(n) + 4,) * 2)},
        dtypes=("uint8", "float32"),
        writes=True,
        check="a",
    ),
    Row(
        "tile of columns",
        "m.tile(v, (2, 1))",
        {"a": normal(half_as_many(square)), "v": "a[:, : a.shape[0]]"},
        sizes=LARGE,
        moves=True,
    ),
    Row(
        "tril of matrices of 30",
        "m.tril(a)",
        {"a": normal(lambda n: (max(1, n // 900), 30, 30))},
        dtypes=("float16", "float32"),
        sizes=LARGE,
        moves=True,
    ),
    Row(
        "middle dims exchanged",
        "p.contiguous()",
        {"a": normal(lambda n: (2, max(1, n // 1024), 8, 64)), "p": "m.moveaxis(a, 1, 2)"},
        "m.ascontiguousarray(p)",
        dtypes=("uint8", "float32"),
        moves=True,
    ),
    Row(
        "flip of transposed",
        "m.flip(t, (0,))",
        {"a": normal(square), "t": "a.T"},
        "t[::-1].copy(order='K')",
        dtypes=("uint8", "float32"),
        moves=True,
    ),
    Row("diagonal + 1", "m.diagonal(a) + 1", {"a": normal(square)}),
    Row(
        "float32 += float64",
        "f.add_(a)",
        {"a": small(), "f": normal(dtype="float32")},
        "m.add(f, a, out=f, casting='same_kind')",
        dtypes=("float64",),
        writes=True,
        check="f",
    ),
    Row(
        "int8 transposed to float32",
        "a.copy_(t)",
        {"a": normal(square), "b": normal(square, dtype="int8"), "t": "b.T"},
        "m.copyto(a, t)",
        dtypes=("float32",),
        writes=True,
        check="a",
    ),
)
