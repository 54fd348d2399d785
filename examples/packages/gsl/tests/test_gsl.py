import math

import gsl
import numpy as np
import pytest

import thwrap as th

X = np.linspace(0.05, 12, 101)


def call(name, *arguments):
    return getattr(gsl, name)(*map(th.from_numpy, arguments)).numpy()


def test_bessel_j0():
    """Its integral, by a rule that is exact for periodic functions."""
    t = (np.arange(256) + 0.5) * np.pi / 256
    expected = np.cos(X[:, None] * np.sin(t)).mean(axis=1)
    np.testing.assert_allclose(call("bessel_j0", X), expected, atol=1e-13)


def test_zeta():
    n = np.arange(1, 2000.0)
    s = np.array([2.5, 3.0, 7.0, 20.0])
    rest = 2000 ** (1 - s) / (s - 1) + 2000**-s / 2  # Euler and Maclaurin
    expected = (n ** -s[:, None]).sum(axis=1) + rest
    np.testing.assert_allclose(call("zeta", s), expected, rtol=1e-10)


def test_lambert_w():
    w = call("lambert_w", X)
    np.testing.assert_allclose(w * np.exp(w), X, rtol=1e-13)


def test_airy_ai():
    """Its differential equation y'' == x y, and its value at 0."""
    h = 1e-3
    x = np.linspace(-5, 5, 41)
    below, at, above = (call("airy_ai", x + d) for d in (-h, 0, h))
    np.testing.assert_allclose((below - 2 * at + above) / h**2, x * at, atol=1e-5)
    zero = 1 / (3 ** (2 / 3) * math.gamma(2 / 3))
    assert call("airy_ai", np.zeros(1))[0] == pytest.approx(zero, rel=1e-14)


def test_beta_broadcasts():
    a, b = np.array([[0.5], [1.0], [3.0]]), np.array([1.0, 2.5])
    gamma = np.vectorize(math.gamma)
    np.testing.assert_allclose(call("beta", a, b), gamma(a) * gamma(b) / gamma(a + b), rtol=1e-13)


@pytest.mark.parametrize("dtype", [th.float16, th.float32, th.float64])
def test_every_floating_dtype(dtype):
    x = th.tensor([0.5, 1.0, 2.0], dtype=dtype)
    expected = gsl.bessel_j0(x.to(th.float64)).to(dtype)
    assert gsl.bessel_j0(x).dtype == dtype
    assert gsl.bessel_j0(x).tolist() == expected.tolist()


def test_integers_become_the_default_dtype():
    assert gsl.zeta(th.tensor([2])).dtype == th.float32


def test_forms():
    x = th.tensor([1.0, 2.0])
    out = th.empty(0)
    assert gsl.lambert_w(x, out=out) is out
    y = x.clone()
    gsl.lambert_w_(y)
    assert y.tolist() == out.tolist() == gsl.lambert_w(x).tolist()
    assert gsl.beta(x, 2).tolist() == gsl.beta(x, th.tensor(2.0)).tolist()


def test_where_it_is_not_defined():
    """GSL would abort there."""
    assert math.isnan(gsl.zeta(th.tensor([1.0])).item())
    assert math.isnan(gsl.beta(th.tensor([-1.0]), 2).item())
