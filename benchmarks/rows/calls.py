"""What a call costs where there is nearly nothing to compute."""

from benchmarks.rows.draws import fixed, normal, small
from benchmarks.rows.row import FLOATS, Given, Row

SIZE = (10,)
A: dict[str, Given] = {"a": normal()}
AB: dict[str, Given] = A | {"b": small()}
TABLE: dict[str, Given] = {"q": normal(fixed(2, 5))}
SQUARES: dict[str, Given] = {"q": normal(fixed(4, 4)), "p": normal(fixed(4, 4))}
CELL: dict[str, Given] = TABLE | {"i": 1, "j": 2}


def _call(
    name: str,
    given: dict[str, Given],
    ours: str = "",
    *,
    numpy: str | None = "",
    torch: str | None = "",
    check: str = "r",
    writes: bool = False,
    scalar: bool = False,
    dtypes: tuple[str, ...] = FLOATS,
) -> Row:
    return Row(
        name,
        ours or name,
        given,
        numpy,
        torch,
        dtypes=dtypes,
        sizes=SIZE,
        check=check,
        writes=writes,
        scalar=scalar,
    )


ROWS = (
    _call("a + b", AB),
    _call("a + 1", A),
    _call("1 - a", A),
    _call("a < b", AB),
    _call("a.add_(b)", AB, numpy="m.add(a, b, out=a)", writes=True),
    _call(
        "add(a, b, alpha=2, out=c)",
        AB | {"c": normal()},
        "m.add(a, b, alpha=2, out=c)",
        numpy="m.add(a, m.multiply(b, 2, out=c), out=c)",
        writes=True,
    ),
    _call("add(a, b, out=c)", AB | {"c": normal()}, "m.add(a, b, out=c)", writes=True),
    _call("a.exp()", A, numpy="m.exp(a)"),
    _call("a.sum()", A),
    _call("a.sum(0)", TABLE, "q.sum(0)"),
    _call("a.mean(1)", TABLE, "q.mean(1)"),
    _call("a.max(1)", TABLE, "q.max(1)"),
    _call("a.argmax()", A),
    _call("a[1]", A, scalar=True),
    _call("a[1:4]", A),
    _call("a[:, None]", A),
    _call("a[i, j]", CELL, "q[i, j]", scalar=True),
    _call("a[i] = x", A | {"i": 3, "x": 1.5}, writes=True, check="a", scalar=True),
    _call("a.view(5, 2)", A, numpy="a.reshape(5, 2)"),
    _call("a.t()", TABLE, "q.t()", numpy="q.T"),
    _call("a.narrow(0, 1, 4)", A, numpy="a[1:5]"),
    _call("a.item()", {"a": normal(fixed(1))}, "a.item()", scalar=True),
    _call("zeros(10)", {}, "m.zeros(10, dtype=dtype)", numpy="m.zeros(10, dtype)"),
    _call(
        "tensor([1., 2., 3.])",
        {},
        "m.tensor([1.0, 2.0, 3.0], dtype=dtype)",
        numpy="m.array([1.0, 2.0, 3.0], dtype)",
    ),
    _call("a @ b, 4 x 4", SQUARES, "q @ p"),
    _call("a.clone()", A, numpy="a.copy()"),
    _call("a.to(float64)", A, "a.to(m.float64)", numpy="a.astype(m.float64)", dtypes=("float32",)),
    _call("a.tolist()", A),
    _call("cat((a, b))", AB, "m.cat((a, b))", numpy="m.concatenate((a, b))"),
    _call("where(c, a, b)", AB | {"c": normal(dtype="bool")}, "m.where(c, a, b)"),
    _call("from_numpy", {"n": "numpy.ones(10)"}, "m.from_numpy(n)", numpy=None),
    _call("a.sum(1, keepdim)", TABLE, "q.sum(1, keepdim=True)", numpy="q.sum(1, keepdims=True)"),
    _call("a.std()", A, numpy="a.std(ddof=1)"),
    _call("a.any()", {"c": normal(dtype="bool")}, "c.any()"),
    _call("a.min(0)", TABLE, "q.min(0)", check="getattr(r, 'values', r)"),
    _call("a.cumsum(0)", A),
    _call("a * 2.5", A),
    _call("a == b", AB),
    _call("a.clamp(-1, 1)", A, numpy="a.clip(-1, 1)"),
    _call("a.T + 1", TABLE, "q.T + 1"),
    _call("a.T", TABLE, "q.T"),
    _call("a.unsqueeze(0)", A, numpy="a[None]"),
    _call("a.reshape(5, 2)", A),
    _call("a.permute(1, 0)", TABLE, "q.permute(1, 0)", numpy="q.transpose(1, 0)"),
    _call("a.chunk(2)", A, numpy="tuple(m.split(a, 2))"),
    _call("a.split(5)", A, numpy="tuple(m.split(a, 2))"),
    _call("stack((a, b))", AB, "m.stack((a, b))"),
    _call("a[mask]", A | {"c": normal(dtype="bool")}, "a[c]"),
    _call("a[[0, 2]]", A, "a[[0, 2]]"),
    _call("a[i, j] = x", CELL | {"x": 1.5}, "q[i, j] = x", writes=True, check="q", scalar=True),
    _call("a.fill_(x)", A, "a.fill_(1.5)", numpy="a.fill(1.5)", writes=True, check="a"),
    _call("a.copy_(b)", AB, numpy="m.copyto(a, b)", writes=True, check="a"),
    _call("full(10, x)", {}, "m.full((10,), 1.5, dtype=dtype)", numpy="m.full(10, 1.5, dtype)"),
    _call("arange(10)", {}, "m.arange(10, dtype=dtype)", numpy="m.arange(10, dtype=dtype)"),
    _call("ones_like(a)", A, "m.ones_like(a)"),
    _call("a.size(0)", A, numpy="a.shape[0]"),
    _call("len(a)", A),
    _call("iter(a)", A, check="a"),
    _call("bool(a)", {"a": normal(fixed(1))}),
    _call("float(a)", {"a": normal(fixed())}),
)
