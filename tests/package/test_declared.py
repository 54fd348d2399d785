"""What can be declared: kernels of several statements, C beside them, core operations, C and C++ functions."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy
import pytest
from making import ROOT, MakePackage

import thwrap as th
from wrapgen.testing import isas

HERE = Path(__file__).resolve().parent / "declarations"
NUMERIC = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
FLOATS = ["float16", "float32", "float64"]


@pytest.fixture(scope="module")
def ops(make_package: MakePackage):
    files = {name: (HERE / name).read_text() for name in ("plain.c", "plain.cpp")}
    text = (HERE / "declared.yaml").read_text()
    return make_package("declared", text, files=files, native=False)


@pytest.fixture(params=isas.available())
def isa(request: pytest.FixtureRequest):
    """Each instruction set of this machine."""
    used = th._C._isa()
    th._C._set_isa(request.param)
    yield request.param
    th._C._set_isa(used)


def drawn(dtype: str, *shape: int, seed: int = 0) -> numpy.ndarray:
    rng = numpy.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype("bool")
    if dtype.startswith(("int", "uint")):
        return rng.integers(0, 100, shape).astype(dtype)
    return rng.normal(size=shape).astype(dtype)


def layouts(values: numpy.ndarray):
    """The same values in several layouts."""
    tensor = th.from_numpy(values.copy())
    yield tensor
    last = th.empty(*values.shape[:-1], 2 * values.shape[-1], dtype=tensor.dtype)
    strided = last[..., ::2]
    strided.copy_(tensor)
    yield strided
    order = tuple(reversed(range(values.ndim)))
    yield th.from_numpy(numpy.ascontiguousarray(values.transpose(order))).permute(order)


def equal(tensor: th.Tensor, expected: numpy.ndarray, ulps: float = 0) -> None:
    got = tensor.numpy()
    assert got.shape == expected.shape
    assert got.dtype == expected.dtype
    if ulps:
        eps = numpy.finfo(expected.dtype).eps
        numpy.testing.assert_allclose(got, expected, rtol=ulps * eps, atol=ulps * eps)
    else:
        numpy.testing.assert_array_equal(got, expected)


# Kernels


@pytest.mark.parametrize("dtype", ["bool", *NUMERIC])
def test_several_results(ops, isa: str, dtype: str) -> None:
    """Every result, of its own dtype, of broadcast operands in any layout; locals have the computing dtype."""
    a, b = drawn(dtype, 37, 40), drawn(dtype, 40, seed=1)
    wide = "int64" if dtype == "bool" else dtype
    x, y = a.astype(wide), b.astype(wide)
    total = (x + y).astype(dtype)
    gap = (numpy.maximum(x, y) - numpy.minimum(x, y)).astype(dtype)
    low = (numpy.minimum(x, y).astype(dtype) + total).astype(dtype)
    steps = numpy.where(x > y, 512, low > 2).astype("int64")
    for left in layouts(a):
        result = ops.spread(left, th.from_numpy(b))
        equal(result.total, total)
        equal(result.gap, gap)
        equal(result.larger, x > y)
        equal(result.steps, steps)
    assert type(result).__module__ == "declared.return_types"
    assert type(result).__name__ == "spread"


@pytest.mark.parametrize("dtype", ["uint8", "float64"])
@pytest.mark.parametrize("transposed", [4, 5, 7])
def test_many_far_transposed_inputs(ops, transposed: int, dtype: str) -> None:
    """More than tiles that are streamed have room for."""
    n = 1900 if dtype == "uint8" else 800
    arrays = [drawn(dtype, n, n, seed=seed) for seed in range(7)]
    arrays = [array.T if k < transposed else array for k, array in enumerate(arrays)]
    result = th.from_numpy(numpy.empty((n, n), dtype))
    equal(ops.sum_of_seven(*map(th.from_numpy, arrays), out=result), sum(arrays[1:], arrays[0]))


def test_several_results_out(ops) -> None:
    """A tuple; other dtypes are converted to, memory of an input is written after it was read."""
    a, b = th.from_numpy(drawn("float32", 6, 300)), th.from_numpy(drawn("float32", 6, 300, seed=1))
    expected = ops.waves(a, b)
    out = (th.empty(6, 300, dtype=th.float64), a.clone())
    result = ops.waves(out[1], b, out=out)
    assert result[0] is out[0]
    assert result[1] is out[1]
    equal(out[0], expected.sine.numpy().astype("float64"))
    equal(out[1], expected.decay.numpy())
    shared = th.empty(12, 300)
    with pytest.raises(RuntimeError, match="waves: out tensors share memory"):
        ops.waves(a, b, out=(shared[:6], shared[3:9]))
    with pytest.raises(TypeError, match="waves"):
        ops.waves(a, b, out=th.empty(6, 300))


@pytest.mark.parametrize("dtype", FLOATS)
def test_several_results_vectorise(ops, isa: str, dtype: str) -> None:
    """Vector functions in both branches; positions and threads make no difference."""
    a, b = drawn(dtype, 100_003), drawn(dtype, 100_003, seed=1)
    fast = a.astype("float64") * 3
    sine = numpy.where(b > 0, numpy.sin(fast), numpy.cos(fast))
    result = ops.waves(th.from_numpy(a), th.from_numpy(b))
    bound = 2e-3 if dtype == "float16" else 2e-6 if dtype == "float32" else 4e-15
    assert abs(result.sine.numpy().astype("f8") - sine).max() < bound
    assert abs(result.decay.numpy() - numpy.exp(-abs(fast)) * sine).max() < bound
    part = ops.waves(th.from_numpy(a)[5:77], th.from_numpy(b)[5:77])
    equal(part.sine, result.sine.numpy()[5:77])


def test_several_results_have_no_inplace_form(ops) -> None:
    assert not hasattr(ops, "spread_")
    assert not hasattr(ops, "waves_")


@pytest.mark.parametrize("dtype", NUMERIC)
def test_helpers(ops, isa: str, dtype: str) -> None:
    """Functions that call others, tables and types, for the dtypes that use them."""
    values = drawn(dtype, 1000)
    equal(ops.clip(th.from_numpy(values), 1), numpy.clip(values, 0, 5).astype(dtype))
    copy = th.from_numpy(values.copy())
    ops.clip_(copy, 0)
    equal(copy, numpy.clip(values, 0, 3).astype(dtype))
    if dtype in FLOATS:
        wide = "float32" if dtype == "float16" else dtype
        expected = numpy.exp(-(values.astype(wide) ** 2)).astype(dtype)
        equal(ops.bell(th.from_numpy(values)), expected, ulps=4)
    else:
        equal(ops.evens(th.from_numpy(values)), numpy.where(values % 2 == 0, values, 0))


# Core operations


def convolved(a: numpy.ndarray, b: numpy.ndarray) -> numpy.ndarray:
    """numpy.convolve of every pair of rows, in the dtype both have."""
    batch = numpy.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    rows = numpy.broadcast_to(a, batch + a.shape[-1:])
    weights = numpy.broadcast_to(b, batch + b.shape[-1:])
    result = numpy.zeros((*batch, a.shape[-1] + b.shape[-1] - 1), a.dtype)
    for j in range(b.shape[-1]):
        result[..., j : j + a.shape[-1]] += rows * weights[..., j : j + 1]
    return result


@pytest.mark.parametrize("dtype", NUMERIC)
def test_core(ops, isa: str, dtype: str) -> None:
    """Batch dims broadcast; any layout; Half is computed in float and rounded once."""
    a, b = drawn(dtype, 4, 3, 9), drawn(dtype, 3, 5, seed=1)
    wide = "float32" if dtype == "float16" else dtype
    expected = convolved(a.astype(wide), b.astype(wide)).astype(dtype)
    ulps = {"float16": 2, "float32": 16, "float64": 16}.get(dtype, 0)
    for left in layouts(a):
        for right in layouts(b):
            equal(ops.convolve(left, right), expected, ulps)
    expanded = th.from_numpy(a[0, 0]).expand(2, 9)
    equal(ops.convolve(expanded, th.from_numpy(b[0])), numpy.stack([expected[0, 0]] * 2), ulps)
    one = th.from_numpy(a[0, 0, :1]).expand(9)
    full = convolved(numpy.full(9, a[0, 0, 0]).astype(wide), b[0].astype(wide)).astype(dtype)
    equal(ops.convolve(one, th.from_numpy(b[0])), full, ulps)


@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (0, 0), (2, 0, 5)])
def test_core_of_nothing(ops, shape: tuple[int, ...]) -> None:
    """No items, and items without elements."""
    other = th.ones(2)
    result = ops.convolve(th.zeros(*shape), other)
    assert tuple(result.shape) == (*shape[:-1], shape[-1] + 1)
    assert result.numpy().sum() == 0
    assert tuple(ops.transposed(th.zeros(*shape)).shape) == (*shape[:-2], shape[-1], shape[-2])


def test_core_promotes(ops) -> None:
    """As kernels do; operands are rounded to the common dtype before they are used."""
    a = numpy.arange(6)
    mixed = ops.cross(th.from_numpy(a.reshape(2, 3)), th.tensor([0.5, 1.0, 2.0]))
    assert mixed.dtype is th.float32
    equal(mixed, numpy.cross(a.reshape(2, 3), [0.5, 1, 2]).astype("float32"))
    half = th.tensor([1.0, 0.0, 0.0], dtype=th.float16)
    third = th.tensor(1 / 3, dtype=th.float64).expand(3)
    assert ops.cross(half, third).dtype is th.float64
    number = ops.describe(half, 1 / 3)
    assert number.highest.dtype is th.float16
    assert number.above.tolist() == [True, False, False]
    assert ops.describe(th.tensor([0.33325195], dtype=th.float16), 1 / 3).above.tolist() == [False]
    with pytest.raises(TypeError, match=r"cross: expected uint8, .* or float64, got bool"):
        ops.cross(th.ones(3, dtype=th.bool), th.ones(3, dtype=th.bool))


def test_core_threads(ops) -> None:
    """Ranges of items on several threads give what one thread gives."""
    a, b = drawn("float32", 700, 3, 64), drawn("float32", 3, 31, seed=1)
    before = th.get_num_threads()
    results = []
    try:
        for threads in (1, 4):
            th.set_num_threads(threads)
            for left in layouts(a):
                results.append(ops.convolve(left, th.from_numpy(b)).numpy())
    finally:
        th.set_num_threads(before)
    for result in results[1:]:
        numpy.testing.assert_array_equal(result, results[0])


def test_core_several_results(ops) -> None:
    """Each of its own dims and dtype; a Bool result holds 0 and 1 whatever the body stored."""
    values = drawn("int32", 3, 1, 8)
    limit = numpy.array([10, 50], "int32")
    result = ops.describe(th.from_numpy(values), th.from_numpy(limit))
    batch = numpy.broadcast_to(values, (3, 2, 8))
    equal(result.highest, numpy.clip(batch.max(-1), 0, 5))
    equal(result.place, batch.argmax(-1))
    equal(result.above, batch > limit[:, None])
    assert result.above.numpy().view("uint8").max() == 1
    assert type(result).__module__ == "declared.return_types"
    above = th.empty(8, 8, dtype=th.bool).t()
    out = (th.empty(0, dtype=th.int64), th.empty(0, dtype=th.int64), above)
    again = ops.describe(th.from_numpy(values[0, 0]).expand(8, 8), 4, out=out)
    assert again[0] is out[0]
    equal(out[0], numpy.full(8, 5))
    equal(above, numpy.broadcast_to(values[0, 0] > 4, (8, 8)))


def test_core_out(ops) -> None:
    """Resized, converted, strided, and sharing memory with an input."""
    a, b = drawn("float32", 5, 3), drawn("float32", 5, 3, seed=1)
    expected = numpy.cross(a, b)
    x, y = th.from_numpy(a), th.from_numpy(b)
    for out in (
        th.empty(0),
        th.empty(5, 3, dtype=th.float64),
        th.empty(3, 5).t(),
        th.empty(5, 6)[:, ::2],
    ):
        assert ops.cross(x, y, out=out) is out
        equal(out, expected.astype(out.numpy().dtype), ulps=4)
    same = x.clone()
    ops.cross(same, y, out=same)
    equal(same, expected, ulps=4)
    row = th.zeros(18)
    with pytest.raises(RuntimeError, match="cross: out tensor overlaps an input partly"):
        ops.cross(row[:15].view(5, 3), y, out=row[3:].view(5, 3))
    with pytest.raises(TypeError, match="cross: result of dtype float32 cannot be cast"):
        ops.cross(x, y, out=th.empty(5, 3, dtype=th.int32))


def test_core_in_place(ops) -> None:
    values = drawn("float64", 5, 3)
    x, y = th.from_numpy(values.copy()), th.tensor([1.0, 2.0, 3.0], dtype=th.float64)
    assert ops.cross_(x, y) is x
    equal(x, numpy.cross(values, [1, 2, 3]), ulps=4)
    with pytest.raises(ValueError, match=r"result of shape \(2, 3\) does not fit in self"):
        ops.cross_(th.ones(3), th.ones(2, 3))


@pytest.mark.parametrize("dtype", ["bool", *NUMERIC])
def test_core_of_all_dtypes(ops, isa: str, dtype: str) -> None:
    """Bodies that only move elements; index tensors keep their dtype."""
    values = drawn(dtype, 2, 6, 4)
    index = numpy.array([[5, 0, 3], [1, 1, 2]])
    expected = numpy.take_along_axis(values, index[:, :, None].repeat(4, 2), 1)
    for tensor in layouts(values):
        equal(ops.rows(tensor, th.from_numpy(index)), expected)
        equal(ops.transposed(tensor), numpy.ascontiguousarray(values.swapaxes(1, 2)))
    with pytest.raises(TypeError, match="rows: expected index of dtype int64, got float32"):
        ops.rows(tensor, th.zeros(2))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda o: o.cross(th.ones(3), th.ones(2, 4)), ValueError,
         "cross: expected other of size 3 in dim -1, got 4"),
        (lambda o: o.rows(th.ones(4), th.ones(4)), TypeError,
         "rows: expected index of dtype int64, got float32"),
        (lambda o: o.transposed(th.ones(4)), ValueError,
         "transposed: expected self to have at least 2 dims, got shape (4,)"),
        (lambda o: o.weigh(th.ones(2, 3), th.ones(4), 1, 1, 0, False), ValueError,
         "weigh: expected weight of size 3 in dim m, got 4"),
        (lambda o: o.cross(th.ones(2, 3), th.ones(4, 3)), ValueError,
         "cross: batch dims (4,) of other do not broadcast with (2,)"),
        (lambda o: o.convolve(th.zeros(0), th.zeros(0)), ValueError,
         "convolve: dim k of the result would have size -1"),
        (lambda o: o.describe(th.zeros(2, 3, 0), 1), RuntimeError,
         "describe: failed with code 7 at batch index (0, 0)"),
        (lambda o: o.rows(th.ones(5, 4, 2), th.tensor([[0], [1], [2], [4], [5]])), RuntimeError,
         "rows: failed with code 1 at batch index (3,)"),
        (lambda o: o.first(th.tensor(numpy.array([1, 2, -3, 4, -5, 6.0]).reshape(2, 3, 1))),
         RuntimeError, "first: failed with code -3 at batch index (0, 2)"),
        (lambda o: o.first(th.zeros(0, dtype=th.float64)), RuntimeError,
         "first: failed with code -1"),
        (lambda o: o.first(th.zeros(2)), TypeError, "first: expected float64, got float32"),
    ],
)  # fmt: skip
def test_core_errors(ops, call, kind, message: str) -> None:
    with pytest.raises(kind) as caught:
        call(ops)
    assert str(caught.value) == message


def test_core_errors_leave_nothing(ops) -> None:
    """Neither results nor scratch memory, on one thread and on several."""
    values = th.ones(4000, 128, dtype=th.float64)[:, ::2]
    values[3999] = -1
    held = []
    for _ in range(3):
        with pytest.raises(RuntimeError, match=r"code -1 at batch index \(3999,\)"):
            ops.first(values)
        with pytest.raises(ValueError, match="in dim m"):
            ops.weigh(th.ones(2, 3), th.ones(4), 1, 1, 0, False)
        stats = th.memory_stats()
        held.append([stats[name] for name in ("live_tensors", "live_storages", "live_blocks")])
    assert held[0] == held[1] == held[2]


@pytest.mark.parametrize("dtype", FLOATS)
def test_core_without_some_tensors(ops, dtype: str) -> None:
    """What is None is NULL in a body and in a function, whatever is staged."""
    a, w = drawn(dtype, 4, 3), drawn(dtype, 3, seed=1)
    order = th.tensor([2, 0, 1])
    exact = {"rtol": 1e-2 if dtype == "float16" else 1e-5}
    for left in layouts(a):
        for weight, factors in ((None, numpy.ones(3)), (th.from_numpy(w), w)):
            for places in (None, order):
                result = ops.weighted(left, weight, places)
                expected = (a.astype("f8") * factors).sum(-1)
                numpy.testing.assert_allclose(result.numpy(), expected, **exact, atol=1e-2)
                assert result.dtype is getattr(th, dtype)
    assert ops.weighted(th.ones(2, 3), th.ones(5, 1, 3)).shape == (5, 2)
    with pytest.raises(ValueError, match="weighted: expected weight of size 3 in dim n, got 4"):
        ops.weighted(th.ones(2, 3), th.ones(4))
    wide = th.from_numpy(drawn("float64", 5, 6))[:, ::2]
    equal(ops.scaled_rows(wide, None), wide.numpy())
    equal(ops.scaled_rows(wide, wide[0]), wide.numpy() * wide.numpy()[0])


@pytest.mark.parametrize("dtype", [th.float64, th.float32])
def test_items_that_fail_leave_out_alone(ops, dtype: th.dtype) -> None:
    """Those before it are not written either; of any shape, and of another dtype."""
    values = th.tensor([[1.0], [2], [-3], [4]], dtype=th.float64)
    for shape in ((4,), (2, 3), (0,)):
        out = th.full(shape, 7, dtype=dtype)
        with pytest.raises(
            RuntimeError, match=r"^first: failed with code -3 at batch index \(2,\)$"
        ):
            ops.first(values, out=out)
        assert (out.shape, out.tolist()) == (shape, th.full(shape, 7, dtype=dtype).tolist())
    wide = th.full((4, 3), 7, dtype=dtype)
    assert ops.first(values.abs(), out=wide[:, 1]).tolist() == [1, 2, 3, 4]
    assert wide.tolist() == [[7, n, 7] for n in (1, 2, 3, 4)]


def test_no_result_is_written_before_one_is_refused(ops) -> None:
    """Of several, whatever has to be converted."""
    a = th.arange(6, dtype=th.float32)
    results = ops.waves(a, a)
    wrong = numpy.full(5, 7, "f4")
    for dtype in (th.float32, th.float64):
        out = [th.full((6,), 7, dtype=dtype) for _ in results]
        with pytest.raises(ValueError, match=r"expected an out array of shape \(6,\), got \(5,\)"):
            ops.waves(a, a, out=(*out[:-1], wrong))
        assert all(x.tolist() == [7] * 6 for x in out)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64"])
def test_core_functions(ops, dtype: str) -> None:
    """Strides and every kind of number reach a C function."""
    a, b = drawn(dtype, 3, 4, 5), drawn(dtype, 5, seed=1)
    wide = numpy.float64
    expected = -(((a.astype(wide) * 2) ** 3) * b.astype(wide)).sum(-1) + 0.5
    for left in layouts(a):
        got = ops.weigh(left, th.from_numpy(b), 2, 3, 0.5, True)
        assert got.numpy().dtype == dtype
        numpy.testing.assert_allclose(
            got.numpy().astype(wide), numpy.trunc(expected) if dtype == "int64" else expected,
            rtol=4e-3 if dtype == "float16" else 1e-5, atol=2e-2 if dtype == "float16" else 1e-5,
        )  # fmt: skip
    with pytest.raises(TypeError, match="weigh"):
        ops.weigh(th.ones(2, 2, dtype=th.int32), th.ones(2, dtype=th.int32), 1, 1, 0, False)


@pytest.mark.parametrize("dtype", FLOATS)
def test_core_cxx_functions(ops, dtype: str) -> None:
    values = drawn(dtype, 2, 3, 17)
    for tensor in layouts(values):
        equal(ops.ordered(tensor), numpy.sort(values, -1))
    assert ops.ordered(values[0, 0]).tolist() == numpy.sort(values[0, 0]).tolist()


def test_core_without_the_gil(ops) -> None:
    """Other Python threads run while an op works."""
    a, b = th.ones(400, 2000), th.ones(2000)
    seen, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            seen[0] += 1

    worker = threading.Thread(target=count)
    worker.start()
    before = seen[0]
    ops.convolve(a, b)
    during = seen[0] - before
    stop.set()
    worker.join()
    assert during > 1000


# The example


def test_the_example_package(tmp_path: Path) -> None:
    """Builds as its README says; its own tests pass, and its README runs."""
    folder = tmp_path / "signals"
    shutil.copytree(
        ROOT / "examples/packages/signals", folder, ignore=shutil.ignore_patterns("build")
    )
    (code,) = (folder / "README.md").read_text().split("```python\n")[1:]
    for command in (
        ["-m", "wrapgen", "build", "--native"],
        ["-m", "pytest", "-q", "-p", "no:cacheprovider"],
        ["-c", code.split("```")[0]],
    ):
        run = subprocess.run(
            [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
