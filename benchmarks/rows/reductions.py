"""Sums and their kin: over everything, dim 0, dim 1, a middle dim; each on contiguous operands and on others."""

from collections.abc import Iterator

from benchmarks.rows.draws import Draw, Sized, cube, flat, half_as_many, normal, square, uniform
from benchmarks.rows.row import FLOATS, LARGE, SIZES, Given, Row

# In a statement {a} stands for the operand, {dim} for the dim, {_dim} for the dim behind a comma; NumPy's and PyTorch's
# spellings follow where they differ, in ours the dim is never left out.
REDUCTIONS = (
    ("sum", "{a}.sum({dim})"),
    ("mean", "{a}.mean({dim})"),
    ("prod", "{a}.prod({dim})"),
    ("max", "m.amax({a}{_dim})", "{a}.max({dim})"),
    ("argmax", "{a}.argmax({dim})"),
    ("var", "{a}.var({dim})", "{a}.var({dim_}ddof=1)"),
    (
        "norm",
        "m.norm({a}, 2{_dim})",
        "m.linalg.norm({a}, None{_dim})",
        "m.linalg.vector_norm({a}, 2{_dim})",
    ),
    ("any", "{a}.any({dim})"),
)
SCANS = (
    (
        "softmax",
        "m.softmax({a}{_dim})",
        "m.divide(m.exp(m.subtract({a}, {a}.max({dim_}keepdims=True), out=(t := m.empty({a}.shape, dtype))), out=t), "
        "t.sum({dim_}keepdims=True), out=t)",
    ),
    ("cumsum", "m.cumsum({a}{_dim})"),
    ("cumprod", "m.cumprod({a}{_dim})"),
)
PLACES: tuple[tuple[str, Sized, str], ...] = (
    ("everything", square, ""),
    ("dim 0", square, "0"),
    ("dim 1", square, "1"),
    ("a middle dim", cube, "1"),
)
LINE: tuple[tuple[str, Sized, str], ...] = (("a line", flat, "0"), *PLACES[1:])


def _drawn(name: str, shape: Sized) -> Draw:
    """Operands that neither overflow a product nor let `any` end early."""
    if name in ("prod", "cumprod"):
        return uniform(0.9999, 1.0001, shape)
    return uniform(0, 1, shape) if name == "any" else normal(shape)


def _rows(
    spellings: tuple[tuple[str, ...], ...], places: tuple[tuple[str, Sized, str], ...]
) -> Iterator[Row]:
    for name, *statements in spellings:
        for place, shape, dim in places:
            for spaced in (False, True):
                words = {
                    "a": "s" if spaced else "a",
                    "dim": dim,
                    "_dim": dim and f", {dim}",
                    "dim_": dim and f"{dim}, ",
                }
                given: dict[str, Given] = {"a": _drawn(name, shape)}
                if spaced:
                    given = {"a": _drawn(name, half_as_many(shape)), "s": "a[..., ::2]"}
                yield Row(
                    f"{name} of {place}" + (", every other element" if spaced else ""),
                    statements[0].format(**words),
                    given,
                    *(statement.format(**words) for statement in statements[1:]),
                    dtypes=("bool",) if name == "any" else ("float32",) if spaced else FLOATS,
                    sizes=LARGE if spaced else SIZES,
                    moves=True,
                )


WHOLE: dict[str, Given] = {"a": normal(square)}

ROWS = (
    *_rows(REDUCTIONS, PLACES),
    *_rows(SCANS, LINE),
    Row("sum of everything, transposed", "t.sum()", WHOLE | {"t": "a.T"}, moves=True),
    Row("max with indices of dim 1", "a.max(1)", WHOLE, "a.max(1), a.argmax(1)", moves=True),
    Row("max with indices of dim 0", "a.max(0)", WHOLE, "a.max(0), a.argmax(0)", moves=True),
    *(
        Row(f"{name} of everything", statement, WHOLE, numpy, dtypes=dtypes, moves=True)
        for name, statement, numpy, dtypes in (
            ("sum", "a.sum()", "", ("int32", "int64", "bool", "float16")),
            ("max", "a.max()", "", ("int32", "int64", "float16")),
            ("argmax", "a.argmax()", "", ("int64",)),
            ("all", "a.all()", "", ("float32",)),
        )
    ),
    Row("sum of dim 0", "a.sum(0)", WHOLE, dtypes=("int32", "int64"), moves=True),
    Row("sum of dim 1", "a.sum(1)", WHOLE, dtypes=("int32", "int64"), moves=True),
    Row("sum of rows of 3", "a.sum(1)", {"a": normal(lambda n: (max(1, n // 3), 3))}, moves=True),
)
