"""Products of matrices and vectors; the size of a square matrix is the length of its side."""

from benchmarks.rows.draws import Sized, fixed, flat, lines, normal, row, small, square
from benchmarks.rows.row import FLOATS, Given, Row

WITH_HALF = (*FLOATS, "float16")
SIDES = (8, 16, 64, 256, 1024, 2048)
TALL = (100_000, 10_000_000)


def _side(n: int) -> tuple[int, int]:
    return (n, n)


def _cubic(n: int) -> float:
    return 2.0 * n**3


def _batch(side: int) -> Sized:
    return lambda n: (n, side, side)


def _stack(rows: int, columns: int) -> Sized:
    return lambda n: (n, rows, columns)


def _tall(name: str, operands: dict[str, Given], columns: int) -> Row:
    """The product of a tall matrix's transpose and the operand that the name ends with."""
    return Row(
        f"{name}, {columns} columns",
        f"t @ {name[-1]}",
        operands,
        sizes=TALL,
        flops=lambda n: 2.0 * n * columns,
        blas=True,
        tolerance=1e-2,  # of 2.5 million terms PyTorch loses 2e-3 on AMD's processors
    )


TWO: dict[str, Given] = {"a": normal(_side), "b": normal(_side)}
FOURS: dict[str, Given] = {"a": normal(lambda n: (n, 4, 4)), "b": normal(lambda n: (n, 4, 4))}
BLOCKS: dict[str, Given] = {"a": normal(lambda n: (n, 32, 32)), "b": normal(lambda n: (n, 32, 32))}

ROWS = (
    Row("mm", "a @ b", TWO, sizes=SIDES, flops=_cubic, blas=True),
    Row(
        "mm of transposed",
        "t @ b",
        TWO | {"t": "a.T"},
        sizes=(64, 256, 1024),
        flops=_cubic,
        blas=True,
    ),
    Row(
        "addmm",
        "m.addmm(c, a, b)",
        TWO | {"c": normal(_side)},
        "m.add(t := m.matmul(a, b), c, out=t)",
        sizes=(16, 256, 1024),
        flops=_cubic,
        blas=True,
    ),
    Row(
        "bmm, 4 x 4",
        "m.bmm(a, b)",
        FOURS,
        "m.matmul(a, b)",
        dtypes=WITH_HALF,
        sizes=(100, 10_000),
        moves=True,
        blas=True,
    ),
    Row(
        "bmm, 32 x 32",
        "m.bmm(a, b)",
        BLOCKS,
        "m.matmul(a, b)",
        dtypes=WITH_HALF,
        sizes=(10, 1_000),
        flops=lambda n: 2.0 * n * 32**3,
        blas=True,
    ),
    Row(
        "mv",
        "m.mv(a, v)",
        {"a": normal(square), "v": normal(row)},
        "m.matmul(a, v)",
        moves=True,
        blas=True,
    ),
    Row(
        "mv of transposed",
        "m.mv(t, v)",
        {"a": normal(square), "t": "a.T", "v": normal(row)},
        "m.matmul(t, v)",
        moves=True,
        blas=True,
    ),
    Row(
        "dot",
        "m.dot(a, b)",
        {"a": normal(flat), "b": small(flat)},
        dtypes=WITH_HALF,
        moves=True,
        blas=True,
    ),
    Row(
        "ger",
        "m.ger(u, v)",
        {"u": normal(row), "v": normal(lambda n: (n // row(n)[0],))},
        "u[:, None] * v",
        moves=True,
        blas=True,
    ),
    Row(
        "mm by transposed",
        "a @ t",
        TWO | {"t": "b.T"},
        sizes=(8, 64, 256),
        flops=_cubic,
        blas=True,
    ),
    Row(
        "mm of two transposed",
        "s @ t",
        TWO | {"s": "a.T", "t": "b.T"},
        sizes=(8, 64, 256),
        flops=_cubic,
        blas=True,
    ),
    Row(
        "mm by itself transposed",
        "a @ t",
        {"a": normal(_side), "t": "a.T"},
        sizes=(64, 256, 1024),
        blas=True,
    ),
    Row(
        "mm of 100 columns by themselves",
        "t @ a",
        {"a": normal(lambda n: (n, 100)), "t": "a.T"},
        sizes=(100, 1_000, 10_000),
        blas=True,
    ),
    Row(
        "addmv",
        "m.addmv(u, a, v)",
        {"a": normal(square), "u": normal(row), "v": normal(row)},
        "m.add(t := m.matmul(a, v), u, out=t)",
        blas=True,
    ),
    *(
        Row(
            f"bmm, {side} x {side}",
            "m.bmm(a, b)",
            {"a": normal(_batch(side)), "b": normal(_batch(side))},
            "m.matmul(a, b)",
            sizes=(10, 1_000),
            blas=True,
        )
        for side in (5, 7, 12, 20)
    ),
    *(
        Row(
            f"bmm, {m} x {k} by {k} x {n}",
            "m.bmm(a, b)",
            {"a": normal(_stack(m, k)), "b": normal(_stack(k, n))},
            "m.matmul(a, b)",
            sizes=(10, 1_000),
            blas=True,
        )
        for m, k, n in ((17, 9, 40), (3, 40, 5), (2, 64, 64), (30, 20, 1))
    ),
    Row(
        "matrices by one matrix",
        "a @ w",
        {"a": normal(_stack(7, 9)), "w": normal(lambda n: (9, 5))},
        sizes=(10, 1_000),
        blas=True,
    ),
    Row(
        "bmm of transposed, 16 x 16",
        "m.bmm(a, t)",
        {"a": normal(_batch(16)), "b": normal(_batch(16)), "t": "b.swapaxes(1, 2)"},
        "m.matmul(a, t)",
        sizes=(10, 1_000),
        blas=True,
    ),
    *(
        Row(
            f"mv of {name}",
            "a @ v",
            {"a": normal(rows), "v": normal(columns)},
            sizes=(100_000, 1_000_000),
            moves=True,
            blas=True,
        )
        for name, rows, columns in (
            ("10 columns", lambda n: (n // 10, 10), lambda n: (10,)),
            ("10 rows", lambda n: (10, n // 10), lambda n: (n // 10,)),
        )
    ),
    Row(
        "linear layer, 784 to 256",
        "m.addmm(c, a, t)",
        {
            "a": normal(lambda n: (n, 784)),
            "w": normal(lambda n: (256, 784)),
            "t": "w.T",
            "c": normal(lambda n: (256,)),
        },
        "m.add(r := m.matmul(a, t), c, out=r)",
        sizes=(3, 8, 16, 128),
        flops=lambda n: 2.0 * n * 784 * 256,
        blas=True,
    ),
    Row(
        "mm of 100 rows",
        "a @ b",
        {"a": normal(lambda n: (100, n)), "b": normal(lambda n: (n, 100))},
        sizes=(10, 1_000),
        flops=lambda n: 2.0 * n * 100**2,
        blas=True,
    ),
    Row(
        "baddbmm, 32 x 32",
        "m.baddbmm(c, a, b)",
        BLOCKS | {"c": normal(lambda n: (n, 32, 32))},
        "m.add(t := m.matmul(a, b), c, out=t)",
        sizes=(10, 1_000),
        blas=True,
    ),
    Row(
        "mm of 5 terms",
        "a @ b",
        {"a": normal(lambda n: (n, 5)), "b": normal(lambda n: (5, n))},
        sizes=(100, 1_000),
        blas=True,
    ),
    Row(
        "mm of 3 rows and 4 terms",
        "a @ b",
        {"a": normal(lambda n: (3, 4)), "b": normal(lambda n: (4, n // 4))},
        sizes=(10_000, 100_000),
        moves=True,
        blas=True,
    ),
    Row(
        "vector by 3 columns",
        "v @ a",
        {"v": normal(lambda n: (n // 3,)), "a": normal(lambda n: (n // 3, 3))},
        sizes=(10_000, 100_000),
        moves=True,
        blas=True,
    ),
    *(
        Row(
            f"many rows, {k} x {n}",
            "a @ b",
            {"a": normal(lines(k)), "b": normal(fixed(k, n))},
            sizes=(10_000, 100_000, 10_000_000),
            moves=n == k,
            blas=True,
        )
        for k, n in ((2, 2), (3, 3), (4, 4), (8, 3), (30, 10))
    ),
    Row(
        "3 x 3 by many points",
        "b @ t",
        {"a": normal(lines(3)), "t": "a.T", "b": normal(fixed(3, 3))},
        sizes=(10_000, 100_000, 10_000_000),
        moves=True,
        blas=True,
    ),
    Row(
        "matrices among each other, 30 x 50 by 50 x 20",
        "a @ b",
        {
            "x": normal(lambda n: (30, 50, n)),
            "a": "x.swapaxes(1, 2).swapaxes(0, 1)",
            "y": normal(lambda n: (50, 20, n)),
            "b": "y.swapaxes(1, 2).swapaxes(0, 1)",
        },
        sizes=(100, 1_000),
        blas=True,
    ),
    Row(
        "mm of integers",
        "a @ b",
        TWO,
        dtypes=("int8", "int64"),
        sizes=(10, 100),
        blas=True,
    ),
    Row(
        "mv of 33 columns",
        "a @ v",
        {"a": normal(lambda n: (n // 33, 33)), "v": normal(lambda n: (33,))},
        dtypes=("int8", "float16", "float64"),
        sizes=(10_000, 100_000),
        blas=True,
    ),
    *(_tall("a.t() @ a", {"a": normal(lines(n)), "t": "a.T"}, n) for n in (4, 16, 100)),
    _tall("a.t() @ b", {"a": normal(lines(30)), "b": normal(lines(30)), "t": "a.T"}, 30),
)
