import math

import numpy as np
import pytest
import weather

import thwrap as th


def test_wind_chill():
    t = np.linspace(-30, 10, 9)
    expected = 13.12 + 0.6215 * t + (0.3965 * t - 11.37) * 30**0.16
    np.testing.assert_allclose(weather.wind_chill(t, 30).numpy(), expected, rtol=1e-14)


def test_dew_point():
    assert weather.dew_point(th.tensor([20.0]), 100).item() == pytest.approx(20, rel=1e-5)


@pytest.mark.parametrize("wind", [4.999, 401, math.inf, math.nan])
def test_the_plugins_check(wind):
    message = f"wind_chill: expected wind from 5 to 400, got {wind:g}"
    with pytest.raises(ValueError, match=f"^{message}$"):
        weather.wind_chill(th.zeros(1), wind)


@pytest.mark.parametrize("wind", [5, 400])
def test_the_ends_are_within(wind):
    assert weather.wind_chill(th.zeros(1), wind).shape == (1,)


def test_every_form_is_checked():
    with pytest.raises(ValueError, match="wind from 5 to 400"):
        weather.wind_chill_(th.zeros(1), 0)
    with pytest.raises(ValueError, match="humidity from 1 to 100"):
        weather.dew_point(th.zeros(1), humidity=0.5)


def test_the_docstring_tells():
    assert "wind: km/h, from 5 to 400" in weather.wind_chill.__doc__
