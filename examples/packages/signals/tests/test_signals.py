"""The package's ops against what they are defined as."""

import math

import pytest
import signals

import thwrap as th

ROWS = th.tensor([[1.0, 2.0, 4.0, 8.0], [3.0, 3.0, 9.0, 1.0]])


def test_polar():
    result = signals.polar(th.tensor([3.0, 0.0, -1.0]), th.tensor([4.0, 0.0, 0.0]))
    assert result.radius.tolist() == [5.0, 0.0, 1.0]
    assert result.angle.tolist() == pytest.approx([math.atan2(4, 3), 0.0, math.pi])


def test_compress():
    assert signals.compress(th.tensor([0.5, -3.0, 11.0])).tolist() == pytest.approx([0.5, -1.2, 2])


def test_moving_sum():
    assert signals.moving_sum(ROWS, 2).tolist() == [[3, 6, 12], [6, 12, 10]]
    with pytest.raises(ValueError, match="dim k of the result would have size -1"):
        signals.moving_sum(ROWS, 6)


def test_smooth():
    """Columns too: the function gets their stride."""
    assert signals.smooth(ROWS, 0.5).tolist() == [[1, 1.5, 2.75, 5.375], [3, 3, 6, 3.5]]
    assert signals.smooth(ROWS.t(), 1).tolist() == ROWS.t().tolist()


def test_median():
    assert signals.median(ROWS).tolist() == [2, 3]
    with pytest.raises(RuntimeError, match=r"median: failed with code 1 at batch index \(1,\)"):
        signals.median(th.tensor([[1.0, 2.0], [3.0, math.nan]]))
