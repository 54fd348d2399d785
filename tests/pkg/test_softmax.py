"""Softmax where lines are staged, cut into blocks and laid side by side; how results of lines lie in memory."""

from __future__ import annotations

import numpy
import pytest

import thwrap as th

FUNCTIONS = ("softmax", "log_softmax")


def drawn(rows: int, columns: int, dtype: str) -> numpy.ndarray:
    """The exponentials of some numbers are 0 beside those of others."""
    rng = numpy.random.default_rng(rows * 1000 + columns)
    return (rng.standard_normal((rows, columns)) * rng.choice([1, 30], columns)).astype(dtype)


def spaced(array: numpy.ndarray) -> th.Tensor:
    """Every other column of a wider matrix."""
    wide = numpy.zeros((len(array), 2 * array.shape[1]), array.dtype)
    wide[:, ::2] = array
    return th.from_numpy(wide)[:, ::2]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("rows", [1, 15, 16, 17, 24, 64, 256, 513, 1025, 2060])
@pytest.mark.parametrize("columns", [1, 5, 16, 31, 46, 100, 530])
def test_layouts(function: str, dtype: str, rows: int, columns: int) -> None:
    """Along lines, across them, of every other element and into every other one: the same bits."""
    x = drawn(rows, columns, dtype)
    call = getattr(th, function)
    expected = call(th.from_numpy(x), 0)
    turned = numpy.ascontiguousarray(x.T)
    got = [
        call(th.from_numpy(turned), 1).T,
        call(spaced(x), 0),
        call(th.from_numpy(numpy.pad(x, ((0, 0), (1, 2))))[:, 1:-2], 0),
        call(spaced(turned), 1).T,
        call(th.from_numpy(numpy.stack([x[::-1]] * 20 + [x])), 1)[20],
        call(th.from_numpy(x), 0, out=spaced(0 * x)),
        call(th.from_numpy(turned), 1, out=spaced(0 * turned)).T,
    ]
    for number, one in enumerate(got):
        assert one.equal(expected), number
    wide = x.astype("float64")
    shifted = wide - wide.max(0)
    reference = shifted - numpy.log(numpy.exp(shifted).sum(0))
    near = 2e-3 if dtype == "float16" else 1e-5 if dtype == "float32" else 1e-13
    reference = numpy.exp(reference) if function == "softmax" else reference
    numpy.testing.assert_allclose(expected.numpy(), reference, rtol=near, atol=near)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("columns", [3, 40, 3000, 70_000])
def test_small_results_are_as_precise(dtype: str, columns: int) -> None:
    """Down to the least normal number in proportion, below it to a unit in its last place; then they are 0."""
    limits, rng = numpy.finfo(dtype), numpy.random.default_rng(columns)
    low = 1.1 * float(numpy.log(limits.smallest_subnormal))
    x = (rng.integers(int(64 * low), 1, (3, columns)) / 64).astype(dtype)  # differences are exact
    wide = x.astype(numpy.longdouble)
    exact = numpy.exp(wide) / numpy.exp(wide).sum(1, keepdims=True)
    near = 8 * limits.eps * exact + limits.smallest_subnormal
    for got in (th.softmax(th.from_numpy(x), 1), th.softmax(th.from_numpy(x.T.copy()), 0).T):
        assert (numpy.abs(got.numpy() - exact) <= near).all()
        assert ((got.numpy() > 0) | (exact < 2 * limits.smallest_subnormal)).all()
    logarithms = th.log_softmax(th.from_numpy(x), 1).numpy()
    numpy.testing.assert_allclose(logarithms, numpy.log(exact), 2 * limits.eps, 2 * limits.eps)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_specials(dtype: str) -> None:
    """NaN and infinity make all of a line NaN, -inf is 0."""
    nan, inf = float("nan"), float("inf")
    x = th.tensor([[1, nan, 2], [-inf] * 3, [inf, 1, 2], [-inf, 0, 0]], dtype=getattr(th, dtype))
    for got in (x.softmax(1), x.T.contiguous().softmax(0).T):
        assert got[:3].isnan().all().item()
        assert got[3].tolist() == [0, 0.5, 0.5]
    for length, width, row in [(300, 4, 0), (300, 4, 17), (300, 4, 299), (20, 20, 0), (20, 20, 19)]:
        y = th.zeros(length, width, dtype=getattr(th, dtype))
        y[row, 0], y[:, 1], y[row, 2], y[row, 3] = nan, -inf, inf, -inf
        got = y.softmax(0)
        assert got[:, :3].isnan().all().item()
        assert got[row, 3].item() == 0
        assert got[:, 3:].sum(0).tolist() == pytest.approx([1] * (width - 3))


@pytest.mark.parametrize(
    "name", ["softmax", "log_softmax", "cumsum", "cumprod", "flip", "msort", "argsort"]
)
def test_results_lie_as_operands_do(name: str) -> None:
    """A result that is made here has the operand's order of dims; one that is given keeps its own."""
    a = th.rand(4, 5, 6, dtype=th.float64).permute(2, 0, 1)
    plain = a.contiguous()
    call = getattr(th, name)
    for dim in range(3):
        dims = (dim,) if name == "flip" else dim
        result, out = call(a, dims), th.empty(6, 4, 5, dtype=call(a, dims).dtype)
        assert result.stride() == a.stride()
        assert call(a, dims, out=out).stride() == plain.stride()
        expected = call(plain, dims).numpy()
        for got in (result, out):
            assert numpy.allclose(got.numpy(), expected, rtol=1e-14, atol=0)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("length", [65536, 70001, 300_001])
def test_long_lines(function: str, dtype: str, length: int) -> None:
    """Cut into pieces: the same bits on any threads and however they lie; pieces may be -inf alone."""
    x = drawn(length, 2, dtype).T
    x[0, 4000:9000] = -numpy.inf
    call = getattr(th, function)
    used = th.get_num_threads()
    wide = numpy.exp(x.astype("float64") - x.max(1, keepdims=True))
    reference = wide / wide.sum(1, keepdims=True)
    near = 2e-3 if dtype == "float16" else 1e-5 if dtype == "float32" else 1e-12
    try:
        expected = call(th.from_numpy(x.copy()), 1)
        for threads in (1, 2, 3):
            th.set_num_threads(threads)
            got = [
                call(th.from_numpy(x.copy()), 1),
                call(spaced(x), 1),
                call(th.from_numpy(x.copy()), 1, out=spaced(0 * x)),
            ]
            assert all(one.equal(expected) for one in got)
    finally:
        th.set_num_threads(used)
    got = expected.double().numpy()
    got = numpy.exp(got) if function == "log_softmax" else got
    numpy.testing.assert_allclose(got, reference, rtol=5 * near, atol=1e-7)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    ("rows", "columns"),
    [(131_072, 8), (120_001, 9), (32_111, 33), (10_500, 100), (8191, 130), (4097, 300)],
)
def test_long_columns(function: str, dtype: str, rows: int, columns: int) -> None:
    """Pieces of their rows: the same bits on any threads, of rows that are gathered and in place; pieces may be -inf
    alone, and a NaN or infinity makes all of a column NaN."""
    x = drawn(rows, columns, dtype)
    x[: rows // 2, 0] = -numpy.inf
    x[:, 1] = -numpy.inf
    x[rows - 3, 2], x[7, 3] = numpy.nan, numpy.inf
    call = getattr(th, function)
    th.set_num_threads(1)
    expected = call(th.from_numpy(x), 0)
    for threads in (1, 2, 3):
        th.set_num_threads(threads)
        own = th.from_numpy(x.copy())
        wider = th.from_numpy(numpy.pad(x, ((0, 0), (1, 2))))[:, 1:-2]
        both = call(th.from_numpy(numpy.stack([x, x[::-1]])), 1)
        for got in (call(own, 0, out=own), call(wider, 0), both[0]):
            assert numpy.array_equal(got.numpy(), expected.numpy(), equal_nan=True)
    assert expected[:, 1:4].isnan().all().item()
    kept = [0, *range(4, columns)]
    wide = x[:, kept].astype("float64")
    shifted = wide - wide.max(0)
    logarithms = shifted - numpy.log(numpy.exp(shifted).sum(0))
    got = expected.double().numpy()[:, kept]
    near = 2e-3 if dtype == "float16" else 1e-5 if dtype == "float32" else 1e-12
    numpy.testing.assert_allclose(
        numpy.exp(got) if function == "log_softmax" else got,
        numpy.exp(logarithms),
        rtol=5 * near,
        atol=1e-7,
    )


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("special", ["nan", "inf", "-inf"])
def test_specials_of_long_lines(function: str, special: str) -> None:
    """One NaN or infinity makes all of a line NaN, as -inf alone does."""
    x = th.full((70000,), float("-inf") if special == "-inf" else 1.0)
    x[66000] = float(special)
    assert getattr(th, function)(x, 0).isnan().all().item()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    "shape",
    [(2000, 20), (700, 90), (900, 130), (1000, 65), (20_000, 1), (70_001, 1), (17_000, 65)],
)
def test_without_memory_for_a_tile(function: str, shape: tuple[int, int]) -> None:
    """Results are the same, unless there is none for the call itself."""
    call, fail = getattr(th, function), th._C.lib.THMemory_failAllocation
    for dtype in ("float16", "float32"):
        x = th.from_numpy(drawn(*shape, dtype))
        expected, got = call(x, 0), th.empty_like(x)
        for after in range(4):
            fail(after)
            try:
                call(x, 0, out=got)
            except MemoryError:
                continue
            finally:
                fail(-1)
            assert got.equal(expected)
