"""Taking some elements, putting some, putting tensors together."""

import math

import numpy as np

from benchmarks.rows.draws import Draw, index, lines, normal, permutation, row, small, square
from benchmarks.rows.row import FLOATS, LARGE, Given, Row

NUMBERS = (*FLOATS, "int64")
A: dict[str, Given] = {"a": normal()}
MASKED: dict[str, Given] = A | {"c": normal(dtype="bool")}
SOME: dict[str, Given] = A | {"i": permutation()}
CLIPPED, SELECTED = 'a.take(i, mode="clip")', "m.index_select(a, 0, i)"
SQUARE: dict[str, Given] = {"a": normal(square)}
SOME_ROWS: dict[str, Given] = SQUARE | {"i": index(math.isqrt, lambda n: (math.isqrt(n),))}

INTO_ROWS: dict[str, Given] = SOME_ROWS | {"b": small(square)}


def _orders(random: np.random.Generator, n: int, _: np.dtype) -> np.ndarray:
    """Each column's number once in each row."""
    side = math.isqrt(n)
    return random.permuted(np.tile(np.arange(side), (side, 1)), axis=1)


BOTH: dict[str, Given] = SOME_ROWS | {"j": index(math.isqrt, lambda n: (math.isqrt(n),))}
SOME_WHOLE: dict[str, Given] = SQUARE | {"c": normal(row, dtype="bool")}
PLACES: dict[str, Given] = SQUARE | {"b": small(square), "i": Draw(_orders, "int64")}
WIDE, TINY = lines(25), lambda n: (max(1, n // 9), 3, 3)
ACROSS: dict[str, Given] = {
    "a": normal(WIDE),
    "b": small(WIDE),
    "i": index(lambda n: WIDE(n)[0], WIDE),
}
SMALL_ONES: dict[str, Given] = {
    "a": normal(TINY),
    "b": small(TINY),
    "i": index(lambda _: 3, TINY),
}
IN_ORDER: dict[str, Given] = A | {"i": Draw(lambda _, n, __: np.arange(n), "int64")}

ROWS = (
    Row(
        "masked_select",
        "m.masked_select(a, c)",
        MASKED,
        "m.compress(c, a)",
        dtypes=NUMBERS,
        moves=True,
    ),
    Row(
        "nonzero",
        "m.nonzero(c)",
        MASKED,
        "c.nonzero()",
        dtypes=("bool",),
        check="m.ravel(r)",
        moves=True,
    ),
    Row(
        "nonzero of numbers",
        "m.nonzero(a)",
        A,
        "a.nonzero()",
        check="m.ravel(r)",
        moves=True,
    ),
    Row(
        "where with a number",
        "m.where(c, a, 0.0)",
        MASKED,
        moves=True,
    ),
    Row(
        "index_select of rows",
        "m.index_select(a, 0, i)",
        SOME_ROWS,
        "a.take(i, 0)",
        moves=True,
    ),
    Row(
        "index_select of columns",
        "m.index_select(a, 1, i)",
        SOME_ROWS,
        "a[:, i]",
        moves=True,
    ),
    Row("gather", "m.gather(a, 1, i)", PLACES, "m.take_along_axis(a, i, 1)", moves=True),
    Row(
        "scatter_",
        "a.scatter_(1, i, b)",
        PLACES,
        "m.put_along_axis(a, i, b, 1)",
        writes=True,
        check="a",
    ),
    Row("take", "m.take(a, i)", SOME, CLIPPED, SELECTED, moves=True),
    Row("a[i]", "a[i]", SOME, CLIPPED, SELECTED, moves=True),
    Row("a[:, i]", "a[:, i]", SOME_ROWS, moves=True),
    Row("a[i, j]", "a[i, j]", BOTH),
    Row("a[c]", "a[c]", MASKED, moves=True),
    Row("a[c], rows", "a[c]", SOME_WHOLE),
    Row("a[i] = b", "a[i] = b", SOME | {"b": normal()}, writes=True, check="a"),
    Row("index_add_", "a.index_add_(0, i, b)", INTO_ROWS, None, writes=True, check="a"),
    Row("scatter_add_", "a.scatter_add_(1, i, b)", PLACES, None, writes=True, check="a"),
    Row("take in order", "m.take(a, i)", IN_ORDER, CLIPPED, SELECTED, sizes=LARGE, moves=True),
    Row(
        "gather of dim 0, 25 columns",
        "m.gather(a, 0, i)",
        ACROSS,
        "m.take_along_axis(a, i, 0)",
        sizes=LARGE,
    ),
    *(
        Row(
            f"scatter_add_ of {name}",
            f"a.scatter_add_({dim}, i, b)",
            given,
            None,
            sizes=LARGE,
            writes=True,
            check="a",
        )
        for name, dim, given in (
            ("dim 0, 25 columns", 0, ACROSS),
            ("a middle dim of 3 x 3", 1, SMALL_ONES),
        )
    ),
    Row(
        "masked_scatter_",
        "a.masked_scatter_(c, b)",
        MASKED | {"b": normal()},
        "m.place(a, c, b)",
        writes=True,
        check="a",
    ),
    Row(
        "boolean assignment",
        "a[c] = 0.5",
        MASKED,
        "m.putmask(a, c, 0.5)",
        dtypes=FLOATS,
        writes=True,
        check="a",
    ),
    Row("masked_fill", "m.masked_fill(a, c, 0.5)", MASKED, "m.where(c, 0.5, a)", moves=True),
    Row("cat", "m.cat((a, b))", A | {"b": normal()}, "m.concatenate((a, b))", moves=True),
    Row(
        "cat of columns",
        "m.cat((a, b), 1)",
        SQUARE | {"b": normal(square)},
        "m.concatenate((a, b), 1)",
        moves=True,
    ),
    Row(
        "stack",
        "m.stack((a, b))",
        A | {"b": normal()},
        "m.concatenate((a, b)).reshape(2, -1)",
        "m.stack((a, b))",
        moves=True,
    ),
    Row("stack of columns", "m.stack((a, b), 1)", A | {"b": normal()}, moves=True),
)
