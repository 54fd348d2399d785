"""Products of matrices: sizes of every kind, layouts, what is not read, and shapes that do not go together."""

from __future__ import annotations

import itertools

import hypothesis
import numpy
import pytest
from hypothesis import strategies
from interpreter import SANITIZED, run_python
from products import DTYPES, check, check_product, matrices, product

import thwrap as th
from thwrap._C import lib
from wrapgen.testing import isas
from wrapgen.testing.calling import refused
from wrapgen.testing.drawing import Make, tensor
from wrapgen.testing.layouts import LAYOUTS
from wrapgen.testing.settings import restored

SIZES = strategies.sampled_from([0, 1, 2, 3, 5, 8, 17, 64, 100])


@pytest.mark.parametrize("dtype", DTYPES)
def test_sizes_and_layouts(dtype: str) -> None:
    """From nothing to several blocks, of any layout of both sides."""

    @hypothesis.settings(max_examples=40)
    @hypothesis.given(
        SIZES,
        SIZES,
        SIZES,
        strategies.sampled_from([*LAYOUTS]),
        strategies.sampled_from([*LAYOUTS]),
    )
    def holds(n: int, k: int, m: int, first: str, second: str) -> None:
        one, other = matrices(dtype, (n, k), (k, m))
        check(LAYOUTS[first](one) @ LAYOUTS[second](other), one, other, dtype)
        check(
            th.mv(LAYOUTS[first](one), LAYOUTS[second](other[:, 0])), one, other[:, 0], dtype
        ) if m else None

    holds()


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", DTYPES)
def test_expanded_vectors(dtype: str) -> None:
    """A vector times one element, wherever in memory that is."""
    for n in (1, 100, 256, 300, 1000, 70000):
        one, other = matrices(dtype, (n, 1), (1, 1))
        line, expanded = tensor(one[:, 0]), tensor(other[0]).expand(n)
        repeated = numpy.repeat(other[0], n)
        for left, right in itertools.permutations((line, expanded)):
            check(left.dot(right), one[:, 0], repeated, dtype)
            check(left.view(1, n) @ right, one.T, repeated, dtype)
        check(expanded.dot(expanded), repeated, repeated, dtype)


def test_large() -> None:
    """Beyond every block size, with threads."""
    for dtype in ("float32", "float64"):
        one, other = matrices(dtype, (300, 500), (500, 270))
        check(tensor(one) @ tensor(other), one, other, dtype)


LARGE_PRODUCTS = """
import numpy, thwrap as th
rng = numpy.random.default_rng(3)
for dtype in ("float32", "float64"):
    for n, k, m in ((723, 700, 481), (400, 390, 410), (330, 5000, 70), (70, 5000, 330), (260, 240, 2200)):
        one, other = rng.normal(size=(n, k)).astype(dtype), rng.normal(size=(k, m)).astype(dtype)
        wide, wider = (x.astype("longdouble" if dtype == "float64" else "float64") for x in (one[::17], other))
        expected, allowed = wide @ wider, (k + 2) * numpy.finfo(dtype).eps * (abs(wide) @ abs(wider))
        for left in (one, numpy.asfortranarray(one)):
            for right in (other, numpy.asfortranarray(other)):
                bits = set()
                for threads in (1, 2, 3):
                    th.set_num_threads(threads)
                    got = (th.from_numpy(left) @ th.from_numpy(right)).numpy()
                    bits.add(got.tobytes())
                assert len(bits) == 1 and (abs(got[::17] - expected) <= allowed).all(), (dtype, n, k, m)
"""


CORES = {"": "base", "SkylakeX": "avx512", "Haswell": "v3", "Prescott": "base"}


@pytest.mark.parametrize("core", [core for core, isa in CORES.items() if isa in isas.available()])
def test_whatever_processor_the_library_takes_this_for(core: str) -> None:
    """Large products are right, the same on any number of threads, by the library and by our own loops."""
    if SANITIZED and core:
        pytest.skip("kernels for other processors are the library's, which has no checks")
    run_python(LARGE_PRODUCTS, OPENBLAS_CORETYPE=core)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_without_memory_for_sums_of_terms(dtype: str) -> None:
    """Nothing is written; where it is memory to pack that fails, the same is."""
    one, other = (tensor(x) for x in matrices(dtype, (40, 9000), (9000, 50)))
    expected, out = one @ other, th.zeros(40, 50, dtype=one.dtype)
    failures = 0
    for successes in range(3):
        lib.THMemory_failAllocation(successes)
        try:
            th.mm(one, other, out=out)
        except MemoryError:
            failures += 1
            assert not out.any()
        else:
            assert out.equal(expected)
            out.zero_()
        finally:
            lib.THMemory_failAllocation(-1)
    assert failures > 0


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_without_memory_to_pack(dtype: str) -> None:
    """Has the same bits: operands are taken as they lie, or packed in parts."""
    one, other = matrices(dtype, (300, 290), (290, 310))
    lefts, rights = ([tensor(x), LAYOUTS["transposed"](x)] for x in (one, other))
    with restored():
        th.set_num_threads(1)  # which has several blocks of rows
        for left, right in itertools.product(lefts, rights):
            expected = left @ right
            out = th.zeros_like(expected)
            for successes in range(3):
                lib.THMemory_failAllocation(successes)
                try:
                    th.mm(left, right, out=out)
                finally:
                    lib.THMemory_failAllocation(-1)
                assert numpy.array_equal(out.numpy(), expected.numpy()), successes
                out.zero_()


# Up to beyond the tiles, the strips, the chunks and the parts that products are divided into.
EDGES = strategies.sampled_from([1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100, 127, 257])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_edges_of_tiles(dtype: str) -> None:
    """Few of anything, of each layout, with and without what was there, on every instruction set."""

    @hypothesis.settings(max_examples=60)
    @hypothesis.given(
        EDGES, EDGES, EDGES, *[strategies.sampled_from([tensor, *LAYOUTS.values()])] * 3
    )
    @hypothesis.example(3, 65, 127, tensor, tensor, tensor)
    @hypothesis.example(33, 5, 1, tensor, tensor, tensor)
    @hypothesis.example(127, 6, 1, tensor, tensor, tensor)
    @hypothesis.example(16, 7, 1, tensor, tensor, tensor)
    @hypothesis.example(65, 7, 1, LAYOUTS["sliced"], tensor, tensor)
    @hypothesis.example(100, 65, 127, LAYOUTS["transposed"], tensor, tensor)
    @hypothesis.example(
        257, 257, 65, LAYOUTS["transposed"], LAYOUTS["transposed"], LAYOUTS["sliced"]
    )
    @hypothesis.example(4, 33, 9, tensor, LAYOUTS["transposed"], tensor)
    @hypothesis.example(100, 65, 7, tensor, LAYOUTS["transposed"], LAYOUTS["sliced"])
    @hypothesis.example(9, 65, 257, tensor, LAYOUTS["transposed"], tensor)
    @hypothesis.example(257, 3, 3, tensor, tensor, tensor)
    @hypothesis.example(257, 2, 7, tensor, LAYOUTS["transposed"], LAYOUTS["sliced"])
    @hypothesis.example(257, 4, 4, tensor, tensor, LAYOUTS["transposed"])
    def holds(n: int, k: int, m: int, first: Make, second: Make, third: Make) -> None:
        one, other, add = matrices(dtype, (2, n, k), (2, k, m), (2, n, m))
        expected = matrices_sum(add, one, other)
        for isa in isas.available():
            th._C._set_isa(isa)
            check(first(one) @ second(other), one, other, dtype)
            got = th.baddbmm(third(add), first(one), second(other), beta=2, alpha=-0.5)
            assert (numpy.abs(got.numpy() - expected[0]) <= expected[1]).all()

    with restored():
        holds()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 31, 33])
def test_few_terms(dtype: str, rows: int) -> None:
    """Of a matrix of any width that begins anywhere in the lines of the caches, on every instruction set."""
    for terms, columns, first in itertools.product(
        (1, 3, 4, 5), (64, 513, 1024, 4099, 9000), (0, 1, 9)
    ):
        one, other = matrices(dtype, (rows, terms), (terms, first + columns))
        expected, allowed = product(one, other[:, first:], dtype)
        for isa in isas.available():
            th._C._set_isa(isa)
            got = tensor(one) @ tensor(other)[:, first:]
            check_product(got, expected, allowed, dtype)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
@pytest.mark.parametrize(
    ("sizes", "added"),
    [
        ((700, 20, 20, 20), (700, 20, 20)),  # each with what is added to it, which is far
        ((30, 100, 9, 100), (30, 100, 100)),
        ((1, 900, 300, 300), (900, 300)),
        ((9, 30, 40, 50), (50,)),  # a row, a column and a number for all
        ((9, 30, 40, 50), (30, 1)),
        ((9, 30, 40, 1), (1,)),
        ((9, 3, 70, 20), (9, 3, 1)),
        ((2, 300, 3, 3), (3,)),
        ((1, 10, 9000, 3), (3,)),
        ((1, 30, 9000, 20), (20,)),  # some terms at a time
        ((1, 30, 9000, 20), (30, 1)),
    ],
)
def test_self_is_added_where_it_lies(dtype: str, sizes, added) -> None:
    count, n, k, m = sizes
    one, other, add = (
        numpy.rint(3 * array).astype(dtype)
        for array in matrices("float64", (count, n, k), (count, k, m), added)
    )
    expected = 3 * add + 2 * (one @ other)
    got = th.baddbmm(tensor(add), tensor(one), tensor(other), beta=3, alpha=2)
    assert numpy.array_equal(got.numpy(), expected)
    wider = th.from_numpy(numpy.zeros((count, n, 2 * m), dtype))[:, :, ::2]  # no runs to compute in
    th.baddbmm(tensor(add), tensor(one), tensor(other), beta=3, alpha=2, out=wider)
    assert numpy.array_equal(wider.numpy(), expected)
    wider.baddbmm_(tensor(one), tensor(other))
    assert numpy.array_equal(wider.numpy(), expected + one @ other)


def matrices_sum(add, one, other) -> tuple[numpy.ndarray, numpy.ndarray]:
    """2 add - one other / 2, and what it may be off."""
    wide = [array.astype("longdouble") for array in (add, one, other)]
    most = 2 * abs(wide[0]) + numpy.matmul(abs(wide[1]), abs(wide[2])) / 2
    unit = numpy.finfo(add.dtype).eps
    return 2 * wide[0] - numpy.matmul(wide[1], wide[2]) / 2, (one.shape[-1] + 4) * unit * most


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "size", [(50, 4, 100, 4), (50, 9, 33, 20), (3, 12, 500, 70), (1, 3, 600, 900), (30, 2, 16, 8)]
)
def test_every_second_element_of_few_rows(dtype: str, size) -> None:
    """Times lines, those of all or of each, on every instruction set and whatever the threads are."""
    count, n, k, m = size
    one, other = matrices(dtype, (count, 2 * n, 2 * k), (count, m, k))
    few, lines = one[:, ::2, ::2], other.swapaxes(1, 2)
    left, right = tensor(one)[:, ::2, ::2], tensor(other).transpose(1, 2)
    with restored():
        for isa in isas.available():
            th._C._set_isa(isa)
            for rows, columns, at, by in [
                (left, right, few, lines),
                (left, right[0], few, lines[0]),
            ]:
                th.set_num_threads(1)
                alone = rows @ columns
                check(alone, at, by, dtype)
                th.set_num_threads(2)
                assert numpy.array_equal((rows @ columns).numpy(), alone.numpy())
            check(left[0] @ right, few[0], lines, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 4), (4, 1), (2, 3)])
def test_columns_of_wider_matrices(dtype: str, n: int, m: int) -> None:
    """As rows, whose stride from one to the next is that of neighbours, alone and in batches."""
    one, other = matrices(dtype, (3, 20, 7), (3, 20, m))
    left, right = (th.from_numpy(x) for x in (one, other))
    rows = one[:, :, :n].swapaxes(1, 2)
    check(left[:, :, :n].transpose(1, 2) @ right, rows, other, dtype)
    check(left[0, :, :n].t() @ right[0], rows[0], other[0], dtype)


@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_vectors_and_every_second_element(dtype: str) -> None:
    """Of rows and columns, few and many, alone and in batches, on every instruction set."""
    shapes = [(300, 5), (5, 300), (100, 1), (9000, 3), (3, 9000), (70, 130), (33, 4100)]
    with restored():
        for isa in isas.available():
            th._C._set_isa(isa)
            for n, k in shapes:
                one, other = matrices(dtype, (2 * n, 2 * k), (3 * k,))
                for rows in (tensor(one), LAYOUTS["transposed"](one)):
                    product = rows[::2, ::2] @ tensor(other)[::3]
                    check(product, one[::2, ::2], other[::3], dtype)
            one, other = matrices(dtype, (40, 7, 6), (9,))
            for batch in (tensor(one), LAYOUTS["transposed"](one)):
                product = batch[:, :, ::2] @ tensor(other)[::3]
                check(product, one[:, :, ::2], other[::3], dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", [[1, 2, 0], [2, 1, 0], [0, 2, 1]])
@pytest.mark.parametrize(
    ("one", "other"), [((30, 20, 40), (30, 40, 33)), ((9, 3, 5000), (9, 5000, 4))]
)
def test_matrices_among_each_other(dtype: str, order, one, other) -> None:
    """Batches whose elements of one matrix lie among those of the others, of either side, and one for all."""
    first, second = matrices(dtype, one, other)
    lines = [
        tensor(x.transpose(order).copy()).permute(*numpy.argsort(order)) for x in (first, second)
    ]
    expected, allowed = product(first, second, dtype)
    for left, right in itertools.product((tensor(first), lines[0]), (tensor(second), lines[1])):
        check_product(left @ right, expected, allowed, dtype)
        check_product(th.bmm(left, right), expected, allowed, dtype)
    check(lines[0] @ lines[1][:1].expand(*other), first, second[:1], dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("columns", range(1, 10))
def test_vectors_and_few_columns(dtype: str, columns: int) -> None:
    """From few rows to parts of many, on every instruction set."""
    for n in (1, 63, 64, 127, 128, 129, 200, 1000, 1001, 40_003):
        line, matrix = matrices(dtype, (n,), (n, columns))
        expected, allowed = product(line, matrix, dtype)
        for isa in isas.available():
            th._C._set_isa(isa)
            check_product(tensor(line) @ tensor(matrix), expected, allowed, dtype)
            check_product(th.mv(tensor(matrix).t(), tensor(line)), expected, allowed, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [255, 256, 1000, 30_001])
def test_a_line_and_every_few_elements(dtype: str, n: int) -> None:
    """Of one vector, either or both, on every instruction set and whatever the threads are."""
    with restored():
        for isa in isas.available():
            th._C._set_isa(isa)
            for first, second in [(1, 1), (2, 1), (1, 3), (4, 1), (1, 5), (2, 3)]:
                one, other = matrices(dtype, (first * n,), (second * n,))
                left, right = tensor(one)[::first], tensor(other)[::second]
                th.set_num_threads(1)
                alone = left.dot(right)
                check(alone, one[::first], other[::second], dtype)
                th.set_num_threads(2)
                assert left.dot(right).item() == alone.item()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
def test_vectors_of_integers(dtype: str) -> None:
    """Products that wrap, with and without what was there, on every instruction set."""
    rng, limits = numpy.random.default_rng(3), numpy.iinfo(dtype)
    for n, k in [
        (1, 70_001),
        (5000, 1),
        (4999, 3),
        (9, 33),
        (300, 100),
        (100, 4097),
        (2, 2),
        (5, 64),
    ]:
        one, add, other = (
            rng.integers(limits.min, limits.max, size, dtype) for size in ((n, k), n, k)
        )
        expected = one @ other
        with restored():
            for isa in isas.available():
                th._C._set_isa(isa)
                for make in (tensor, *LAYOUTS.values()):
                    assert numpy.array_equal((make(one) @ make(other)).numpy(), expected)
                    got = th.addmv(make(add), make(one), make(other), beta=3, alpha=5)
                    assert numpy.array_equal(got.numpy(), (3 * add + 5 * expected).astype(dtype))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
def test_matrices_of_integers(dtype: str) -> None:
    """Row by row and packed, alone and in batches, on every instruction set and in parts of threads."""
    rng, limits = numpy.random.default_rng(4), numpy.iinfo(dtype)
    shapes = [
        (5, 2, 2, 2),
        (3, 9, 17, 5),
        (2, 3, 1, 600),
        (1, 3, 40, 700),
        (1, 90, 5, 1030),
        (1, 70, 80, 90),
    ]
    with restored():
        for isa in isas.available():
            th._C._set_isa(isa)
            for b, n, k, m in shapes:
                one, other, add = (
                    rng.integers(limits.min, limits.max, size, dtype)
                    for size in ((b, n, k), (b, k, m), (b, n, m))
                )
                expected = one @ other
                for make in (tensor, *LAYOUTS.values()):
                    for threads in (1, 3):
                        th.set_num_threads(threads)
                        got = make(one) @ make(other)
                        assert numpy.array_equal(got.numpy(), expected)
                    got = th.baddbmm(make(add), make(one), make(other), beta=3, alpha=5)
                    assert numpy.array_equal(got.numpy(), (3 * add + 5 * expected).astype(dtype))


def test_long_sums_are_summed_in_chunks() -> None:
    """A sum of 10^6 products of float is off by less than the 2^12 terms of a chunk may be."""
    one = numpy.full(1_000_003, 0.1, "float32")
    matrix = numpy.stack([one, one])
    exact = float(one[0]) ** 2 * one.size
    for got in (th.dot(tensor(one), tensor(one)), *(tensor(matrix) @ tensor(one))):
        assert abs(got.item() - exact) <= 2**12 * 2**-24 * exact


HALVES = [
    ((1, 9000), (9000, 1)),
    ((700, 300), (300, 1)),
    ((700, 300), (300, 3)),
    ((33, 3000), (3000, 1)),
    ((700, 4, 5), (700, 5, 6)),
    ((9, 33, 40), (9, 40, 17)),
    ((70, 1, 600), (70, 600, 2)),
]


@pytest.mark.parametrize(("one", "other"), HALVES)
def test_halves_are_converted_in_chunks(one, other) -> None:
    """Sums in float, rounded once, for any number of threads; with what was there, of strided operands too."""
    first, second = matrices("float16", one, other)
    add = matrices("float16", (*one[:-1], other[-1]))[0]
    plus = th.addmm if len(one) == 2 else th.baddbmm
    expected = first.astype("float64") @ second.astype("float64")
    terms = abs(first.astype("float64")) @ abs(second.astype("float64"))
    with restored():
        for make in (tensor, LAYOUTS["sliced"], LAYOUTS["transposed"]):
            th.set_num_threads(1)
            got = make(first) @ make(second)
            check(got, first, second, "float16")
            more = plus(make(add), make(first), make(second), beta=2, alpha=-1)
            allowed = (one[-1] + 4) * 2**-23 * (terms + 2 * abs(add.astype("float64")))
            allowed = allowed + numpy.spacing(numpy.abs(more.numpy())).astype("float64")
            assert (abs(more.numpy() - (2.0 * add - expected)) <= allowed).all()
            th.set_num_threads(2)
            assert numpy.array_equal((make(first) @ make(second)).numpy(), got.numpy())


SHAPES = [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3,)), ((3,), (5, 3, 4)),
    ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((5, 2, 3), (5, 3, 4)), ((1, 2, 3), (5, 3, 4)), ((4, 1, 2, 3), (5, 3, 2)),
    ((0, 2, 3), (3, 4)), ((5, 2, 0), (0, 4)), ((2, 0), (0, 3)), ((0,), (0,)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SHAPES)
def test_matmul_shapes(one, other) -> None:
    """Vectors, matrices and stacks of them, in out= too."""
    for dtype in DTYPES:
        first, second = matrices(dtype, one, other)
        got = th.matmul(tensor(first), tensor(second))
        assert tuple(got.shape) == numpy.matmul(first, second).shape
        check(got, first, second, dtype)
        out = th.empty(0, dtype=got.dtype)
        assert th.matmul(tensor(first), tensor(second), out=out).tolist() == got.tolist()


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("mm", ((2, 3), (4, 5))), ("mm", ((2, 3), (3,))), ("mv", ((2, 3), (4,))), ("mv", ((2, 3), (3, 1))),
        ("bmm", ((2, 3, 4), (2, 5, 6))), ("bmm", ((2, 3, 4), (3, 4, 6))), ("bmm", ((3, 4), (4, 6))),
        ("dot", ((3,), (4,))), ("dot", ((3, 1), (3,))),
        ("ger", ((3, 1), (3,))), ("matmul", ((2, 3), (4, 5))), ("matmul", ((), (3,))),
        ("matmul", ((2, 2, 3), (3, 3, 4))), ("addmm", ((2, 2), (2, 3), (4, 5))), ("addmm", ((3, 3), (2, 3), (3, 4))),
        ("addmv", ((3,), (2, 3), (3,))), ("addr", ((3, 3), (2,), (3,))), ("baddbmm", ((2, 2, 2), (2, 3, 4), (2, 4, 5))),
        ("addbmm", ((2, 2), (2, 3, 4), (2, 4, 5))),
    ],
)  # fmt: skip
def test_shapes_that_do_not_go_together(name: str, shapes) -> None:
    """A ValueError that begins with the op, names a shape, and leaves out alone."""
    given = [th.ones(shape) for shape in shapes]
    out = th.ones(7, 7)
    with refused(ValueError, [*given, out], rf"^{name}: .*\("):
        getattr(th, name)(*given)
    with refused(ValueError, [*given, out], rf"^{name}: .*\("):
        getattr(th, name)(*given, out=out)


ADDING = [
    ("addmm", (3, 5), (3, 4), (4, 5)), ("addmv", (3,), (3, 4), (4,)), ("addr", (3, 5), (3,), (5,)),
    ("baddbmm", (2, 3, 5), (2, 3, 4), (2, 4, 5)), ("addbmm", (3, 5), (2, 3, 4), (2, 4, 5)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "size", "one", "other"), ADDING)
def test_beta_zero_does_not_read_self(name: str, size, one, other) -> None:
    """NaN in self, or in an out tensor, is gone."""
    first, second = th.rand(one), th.rand(other)
    clean = getattr(th.zeros(size), name)(first, second)
    spoilt = th.full(size, float("nan"))
    assert getattr(spoilt, name)(first, second, beta=0).tolist() == clean.tolist()
    assert (
        getattr(th, name)(spoilt, first, second, beta=0, out=spoilt.clone()).tolist()
        == clean.tolist()
    )
    assert getattr(spoilt.clone(), f"{name}_")(first, second, beta=0).tolist() == clean.tolist()
    assert getattr(spoilt, name)(first, second).isnan().all()
    empty = [th.zeros([0 if size == 4 else size for size in shape]) for shape in (one, other)]
    if name != "addr":
        assert getattr(spoilt, name)(*empty, beta=0).tolist() == th.zeros(size).tolist()
        assert getattr(th.ones(size), name)(*empty, beta=3).tolist() == th.full(size, 3.0).tolist()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("scale", [1, 9])
@pytest.mark.parametrize(("name", "size", "one", "other"), ADDING)
def test_alpha_zero_does_not_read_the_factors(name, size, one, other, scale, dtype) -> None:
    """NaN in them does not matter, whichever way the product takes; nor does alpha where there are no terms."""
    kind = getattr(th, dtype)
    shapes = [[extent * scale for extent in shape] for shape in (size, one, other)]
    self, *spoilt = (
        th.full(shape, value, dtype=kind)
        for shape, value in zip(shapes, (3, numpy.nan, numpy.nan), strict=True)
    )
    for beta in (0, 2):
        got = getattr(self, name)(*spoilt, alpha=0, beta=beta)
        assert got.tolist() == th.full(shapes[0], 3.0 * beta).tolist()
    if name == "addmm":
        none = th.zeros(shapes[0][0], 0, dtype=kind), th.zeros(0, shapes[0][1], dtype=kind)
        assert self.addmm(*none, alpha=numpy.inf).tolist() == self.tolist()


@pytest.mark.parametrize(("name", "size", "one", "other"), ADDING)
def test_result_may_be_an_operand(name: str, size, one, other) -> None:
    """In place with self among the factors, where shapes allow: computed from what was there."""
    if name in ("addmm", "baddbmm"):
        square = th.rand(*size[:-2], 4, 4)
        expected = getattr(square, name)(square, square)
        assert (
            getattr(square.clone(), f"{name}_")(square.clone(), square.clone()).tolist()
            == expected.tolist()
        )
        value = square.clone()
        assert getattr(value, f"{name}_")(value, value).tolist() == expected.tolist()
    out = th.rand(size)
    expected = getattr(out, name)(th.ones(one), th.ones(other))
    assert (
        getattr(th, name)(out, th.ones(one), th.ones(other), out=out).tolist() == expected.tolist()
    )


def test_dtypes_must_agree() -> None:
    for other in ("float64", "int64"):
        with pytest.raises(TypeError, match=f"float32 and {other}|{other}"):
            th.mm(th.ones(2, 2), th.ones(2, 2, dtype=getattr(th, other)))
    with pytest.raises(TypeError, match="bool"):
        th.mm(th.ones(2, 2).bool(), th.ones(2, 2).bool())


def test_outer_products_of_bool() -> None:
    """ger and addr are and and or; strided operands and in place too."""
    a, b = th.tensor([True, False, True]), th.tensor([True, True, False, True])[::2]
    both = [[x and y for y in b.tolist()] for x in a.tolist()]
    assert th.ger(a, b).tolist() == both
    assert th.outer(a, b, out=th.empty(2, 3, dtype=th.bool).t()).tolist() == both
    base = th.tensor([[False, True]] * 3)
    assert base.addr(a, b).tolist() == [[x, True] for x, _ in both]
    assert base.addr(a, b, alpha=False).tolist() == base.tolist()
    assert base.addr(a, b, beta=0).tolist() == both
    assert base.addr_(a, b, alpha=2).tolist() == [[x, True] for x, _ in both]
    assert th.outer(a, th.tensor([1.5])).tolist() == [[1.5], [0.0], [1.5]]
    with pytest.raises(ValueError, match=r"^outer: expected self"):
        th.outer(base, a)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5000, 1), (4097, 3), (300, 15), (300, 16), (15, 300), (1, 9)])
def test_outer_products_of_long_and_short(dtype: str, shape: tuple[int, int]) -> None:
    """Lines that are shorter than the others are taken across, in blocks; each element is one product."""
    left, right, base = matrices(dtype, shape[0], shape[1], shape)
    expected = left[:, None] * right
    one, other = (LAYOUTS["sliced"](x) for x in (left, right))
    assert numpy.array_equal(th.outer(one, other).numpy(), expected)
    into = th.empty(shape[::-1], dtype=getattr(th, dtype)).t()
    assert numpy.array_equal(th.outer(one, other, out=into).numpy(), expected)
    got = th.from_numpy(base).addr(one, other)
    if dtype != "float16":
        assert numpy.array_equal(got.numpy(), base + expected)
    assert numpy.array_equal(th.from_numpy(base).t().addr(other, one).numpy(), got.numpy().T)
