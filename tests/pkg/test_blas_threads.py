"""Products of matrices have the same bits for any number of threads, however the work is divided."""

from __future__ import annotations

import pytest
from products import check_product, matrices, product

import thwrap as th
from wrapgen.testing.drawing import tensor
from wrapgen.testing.layouts import LAYOUTS

MAKES = (tensor, LAYOUTS["transposed"], LAYOUTS["sliced"])
PRODUCTS = [
    ((300, 200), (200, 100)), ((1000, 90), (90, 40)), ((577, 301), (301, 290)), ((130, 2000), (2000, 130)),
    ((2000, 130), (130,)), ((130, 2000), (2000,)), ((3, 90_000), (90_000,)), ((90_000, 3), (3,)),
    ((13, 30_000), (30_000,)), ((200_001,), (200_001,)), ((60_000, 40), (40,)), ((500, 20, 30), (500, 30, 7)),
    ((147, 1, 30), (147, 30, 30)), ((147, 30, 30), (147, 30, 1)), ((3, 5000), (5000, 4)), ((2000,), (2000, 333)),
    ((5, 300), (300, 999)), ((999, 300), (300, 5)), ((100, 10, 64), (100, 64, 4)),
    ((16, 500), (500, 777)), ((36, 500), (500, 777)), ((777, 500), (500, 7)), ((1000, 600), (600, 13)),
    ((300, 1), (1, 700)), ((1100, 1), (1, 1000)), ((20_000, 3), (3, 3)), ((9, 200, 64), (9, 64, 200)),
    ((3, 200, 64), (3, 64, 200)), ((12, 9000), (9000, 3)), ((2, 30_001), (30_001, 5)), ((2, 9000), (9000, 2)),
    ((8001, 8), (8, 20)), ((9000, 4), (4, 40)), ((17, 900), (900, 129)), ((300, 90), (90, 34)), ((20, 700), (700, 49)),
    ((1001, 300), (300, 17)), ((2, 300_001), (300_001, 2)), ((7, 40_000), (40_000, 9)), ((90, 4097), (4097, 50)),
    ((4, 4), (4, 30_001)), ((3, 5), (5, 9001)), ((5, 3), (3, 40_000)), ((7, 3, 99), (7, 99, 1001)),
    ((6, 3, 9000), (6, 9000, 4)), ((5, 11, 5000), (5, 5000, 12)), ((8, 20, 3000), (8, 3000, 30)),
    ((2, 32), (32, 10_007)), ((32,), (32, 10_007)), ((10_007, 300), (300,)), ((40, 8, 60), (40, 60, 9)),
    ((3, 16, 1500), (3, 1500, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), PRODUCTS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_threads_do_not_change_bits(dtype: str, one, other) -> None:
    """Of plain, transposed and strided operands."""
    first, second = matrices(dtype, one, other)
    expected, allowed = product(first, second, dtype)
    for left in (make(first) for make in MAKES):
        for right in (make(second) for make in MAKES):
            th.set_num_threads(1)
            alone = left @ right
            check_product(alone, expected, allowed, dtype)
            for threads in (2, 3, 8):
                th.set_num_threads(threads)
                assert th.equal(left @ right, alone)
