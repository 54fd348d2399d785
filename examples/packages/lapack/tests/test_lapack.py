import lapack
import numpy as np
import pytest

import thwrap as th

RANDOM = np.random.default_rng(0)


def matrices(*shape, dtype="float64"):
    return RANDOM.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-3), ("float64", 1e-11)])
@pytest.mark.parametrize(
    ("a", "b"),
    [((1, 1), (1, 1)), ((5, 5), (5, 2)), ((7, 5, 5), (7, 5, 3)), ((4, 1, 6, 6), (3, 6, 2))],
)
def test_solve(a, b, dtype, tolerance):
    """As NumPy, for batches that broadcast too; the arguments are as they were."""
    n = a[-1]
    a, b = matrices(*a, dtype=dtype) + 3 * np.eye(n, dtype=dtype), matrices(*b, dtype=dtype)
    before = a.copy(), b.copy()
    x = lapack.solve(th.from_numpy(a), th.from_numpy(b)).numpy()
    assert x.dtype == dtype
    np.testing.assert_allclose(x, np.linalg.solve(a, b), rtol=tolerance, atol=tolerance)
    assert np.array_equal(a, before[0])
    assert np.array_equal(b, before[1])


def test_solve_of_any_layout():
    a, b = matrices(3, 5, 5), matrices(5, 3, 2)
    x = lapack.solve(th.from_numpy(a).transpose(1, 2), th.from_numpy(b).transpose(0, 1))
    expected = np.linalg.solve(a.swapaxes(1, 2), b.swapaxes(0, 1))
    np.testing.assert_allclose(x.numpy(), expected, rtol=1e-9)


def test_integers_and_halves_are_converted():
    a, b = th.tensor([[2, 0], [0, 4]]), th.tensor([[2], [2]])
    assert lapack.solve(a, b).tolist() == [[1], [0.5]]
    assert lapack.solve(a.to(th.float16), b.to(th.float16)).dtype == th.float16


def test_out():
    out = th.empty(0, dtype=th.float64)
    lapack.solve(np.eye(2), np.ones((2, 1)), out=out)
    assert out.tolist() == [[1], [1]]


@pytest.mark.parametrize("shape", [(0, 3, 3), (3, 3)])
def test_eigvalsh(shape):
    a = matrices(*shape)
    a = a + a.swapaxes(-1, -2)
    found = lapack.eigvalsh(th.from_numpy(a)).numpy()
    np.testing.assert_allclose(found, np.linalg.eigvalsh(a), rtol=1e-10)


def test_many_items_on_threads():
    a = matrices(2000, 4, 4)
    a = a + a.swapaxes(-1, -2)
    np.testing.assert_allclose(lapack.eigvalsh(a).numpy(), np.linalg.eigvalsh(a), atol=1e-12)


def test_a_singular_matrix_is_named():
    a = np.stack([np.eye(2), np.zeros((2, 2))])
    with pytest.raises(RuntimeError) as caught:
        lapack.solve(a, np.ones((2, 1)))
    expected = "solve: the matrix is singular (code 1) at batch index (1,)"
    assert str(caught.value) == expected


def test_shapes_are_checked():
    with pytest.raises(ValueError, match=r"solve: expected a of size 2 in dim n, got 3"):
        lapack.solve(th.ones(2, 3), th.ones(3, 1))
