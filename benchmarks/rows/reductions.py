"""Sums and their kin: over everything, dim 0, dim 1, a middle dim; each on contiguous operands and on others."""

from collections.abc import Iterator

from benchmarks.rows.draws import (
    Draw,
    Sized,
    cube,
    flat,
    half_as_many,
    lines,
    normal,
    square,
    uniform,
)
from benchmarks.rows.row import FLOATS, INTEGERS, LARGE, SIZES, Given, Row

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
        "{norm}",
        "m.linalg.vector_norm({a}, 2{_dim})",
    ),
    ("any", "{a}.any({dim})"),
)
SOFTMAX = (
    "m.divide(m.exp(m.subtract({a}, {a}.max({dim_}keepdims=True), out=(t := m.empty({a}.shape, dtype))), out=t), "
    "t.sum({dim_}keepdims=True), out=t)"
)
LOG_SOFTMAX = "(t := a - a.max({dim}, keepdims=True)) - m.log(m.exp(t).sum({dim}, keepdims=True))"
SCANS = (
    ("softmax", "m.softmax({a}{_dim})", SOFTMAX),
    ("cumsum", "m.cumsum({a}{_dim})", "{a}.cumsum({dim})"),
    ("cumprod", "m.cumprod({a}{_dim})", "{a}.cumprod({dim})"),
)
# Name, shape, dim, and NumPy's best norm there.
Places = tuple[tuple[str, Sized, str, str], ...]
PLACES: Places = (
    ("everything", square, "", "m.linalg.norm({a})"),
    ("dim 0", square, "0", "m.sqrt(m.einsum('ij,ij->j', {a}, {a}))"),
    ("dim 1", square, "1", "m.sqrt(m.einsum('ij,ij->i', {a}, {a}))"),
    ("a middle dim", cube, "1", "m.sqrt(m.einsum('ijk,ijk->ik', {a}, {a}))"),
)
LINE: Places = (("a line", flat, "0", ""), *PLACES[1:])
LAX = {"prod": 0.02, "norm": 0.02}  # PyTorch's, of 1e7 float32


def _drawn(name: str, shape: Sized) -> Draw:
    """Operands that neither overflow a product nor let `any` end early."""
    if name in ("prod", "cumprod"):
        return uniform(0.9999, 1.0001, shape)
    return uniform(0, 1, shape) if name == "any" else normal(shape)


def _rows(spellings: tuple[tuple[str, ...], ...], places: Places) -> Iterator[Row]:
    for name, *statements in spellings:
        for place, shape, dim, norm in places:
            for spaced in (False, True):
                operand = "s" if spaced else "a"
                words = {
                    "a": operand,
                    "dim": dim,
                    "_dim": dim and f", {dim}",
                    "dim_": dim and f"{dim}, ",
                    "norm": norm.format(a=operand),
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
                    tolerance=LAX.get(name, 0.0),
                    moves=True,
                )


WHOLE: dict[str, Given] = {"a": normal(square)}
CUBE: dict[str, Given] = {"a": normal(cube)}

ROWS = (
    *_rows(REDUCTIONS, PLACES),
    *_rows(SCANS, LINE),
    Row("sum of everything, transposed", "t.sum()", WHOLE | {"t": "a.T"}, moves=True),
    *(
        Row(
            f"{name} of everything, transposed",
            f"t.{name}()",
            WHOLE | {"t": "a.T"},
            f"t.{name}({ddof})",
            moves=True,
        )
        for name, ddof in (("mean", ""), ("std", "ddof=1"))
    ),
    *(
        Row(f"sum of {place}", statement, CUBE | {"t": "a.swapaxes(0, 2)"}, numpy, moves=True)
        for place, statement, numpy in (
            ("everything, permuted", "t.sum()", ""),
            ("the outer two of three dims", "a.sum((0, 1))", ""),
            ("the first and the last of three dims", "a.sum((0, 2))", ""),
        )
    ),
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
    *(
        Row(f"{name} of {place}", statement, given, numpy, torch, dtypes, moves=True)
        for place, dim, given in (
            ("dim 0", 0, WHOLE),
            ("dim 1", 1, WHOLE),
            ("a middle dim", 1, {"a": normal(cube)}),
        )
        for name, statement, numpy, torch, dtypes in (
            ("argmin", f"a.argmin({dim})", "", "", FLOATS),
            ("argmax", f"a.argmax({dim})", "", "", INTEGERS),
            ("max", f"m.amax(a, {dim})", f"a.max({dim})", "", (*INTEGERS, "bool")),
            ("all", f"a.all({dim})", "", "", ("float32", "bool")),
            ("count of non-zeros", f"m.count_nonzero(a, {dim})", "", "", ("float32", "bool")),
            (
                "logsumexp",
                f"m.logsumexp(a, {dim})",
                f"(t := a.max({dim}), m.log(m.exp(a - m.expand_dims(t, {dim})).sum({dim})) + t)[1]",
                "",
                FLOATS,
            ),
            (
                "log_softmax",
                f"m.log_softmax(a, {dim})",
                LOG_SOFTMAX.format(dim=dim),
                "",
                FLOATS,
            ),
            ("cumsum", f"m.cumsum(a, {dim})", f"a.cumsum({dim})", "", INTEGERS),
        )
    ),
    *(
        Row(f"{op} of dim 0, permuted", ours, CUBE | {"t": "a.swapaxes(1, 2)"}, numpy, moves=True)
        for op, ours, numpy in (
            ("sum", "t.sum(0)", ""),
            ("max", "m.amax(t, 0)", "t.max(0)"),
        )
    ),
    *(
        Row(
            f"{op} of dims 0 and 2 of images",
            ours,
            {"a": normal(lambda n: (max(1, n // 12288), 64, 64, 3))},
            numpy,
            dtypes=("float16", "float32"),
            sizes=LARGE,
            moves=True,
        )
        for op, ours, numpy in (
            ("mean", "a.mean((0, 2))", ""),
            ("max", "m.amax(a, (0, 2))", "a.max((0, 2))"),
        )
    ),
    Row("max of two dims", "m.amax(a, (0, 2))", {"a": normal(cube)}, "a.max((0, 2))", moves=True),
    Row("sum of dim 0", "a.sum(0)", WHOLE, dtypes=("int32", "int64"), moves=True),
    Row("sum of dim 1", "a.sum(1)", WHOLE, dtypes=("int32", "int64"), moves=True),
    Row("sum of rows of 3", "a.sum(1)", {"a": normal(lambda n: (max(1, n // 3), 3))}, moves=True),
    *(
        Row(f"{op} of dim {dim} of {name}", ours, {"a": normal(shape)}, numpy, moves=True)
        for dim, name, shape in (
            (0, "rows of 3", lambda n: (max(1, n // 3), 3)),
            (0, "10 rows", lambda n: (10, max(1, n // 10))),
            (1, "rows of 10", lambda n: (max(1, n // 10), 10)),
        )
        for op, ours, numpy in (
            ("sum", f"a.sum({dim})", ""),
            ("max", f"m.amax(a, {dim})", f"a.max({dim})"),
            ("argmax", f"a.argmax({dim})", ""),
        )
    ),
    *(
        Row(f"sum of dim {dim}", f"a.sum({dim})", WHOLE, dtypes=("float16",), moves=True)
        for dim in (0, 1)
    ),
    *(
        Row(
            f"softmax of {name}",
            f"m.softmax({operand}, {dim})",
            given,
            SOFTMAX.format(a=operand, dim_=f"{dim}, "),
            dtypes=("float16", "float32"),
            sizes=LARGE,
            moves=True,
        )
        for name, operand, dim, given in (
            ("rows of 2000", "a", 1, {"a": normal(lines(2000))}),
            ("dim 0 of 8 of 11 columns", "s", 0, {"a": normal(lines(11)), "s": "a[:, :8]"}),
        )
    ),
    *(
        Row(
            f"{op} of numbers far apart",
            f"m.{op}(a, 1)",
            {"a": normal(square, scale=30)},
            numpy,
            dtypes=("float32",),
            moves=True,
            sizes=LARGE,
        )
        for op, numpy in (
            ("softmax", SOFTMAX.format(a="a", dim_="1, ")),
            ("log_softmax", LOG_SOFTMAX.format(dim=1)),
        )
    ),
    Row(
        "cumsum of 2 columns",
        "m.cumsum(a, 0)",
        {"a": normal(lines(2))},
        "a.cumsum(0)",
        sizes=LARGE,
        moves=True,
        tolerance=1e-3,
    ),
    *(
        Row(
            f"largest norm of dim {dim}",
            f"m.norm(a, float('inf'), {dim})",
            WHOLE,
            f"m.abs(a).max({dim})",
            f"m.linalg.vector_norm(a, float('inf'), {dim})",
            moves=True,
        )
        for dim in (0, 1)
    ),
)
