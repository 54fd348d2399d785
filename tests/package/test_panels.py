"""Items of core operations that do not lie as their function wants them go through panels, many at once."""

from __future__ import annotations

from types import ModuleType

import numpy
import pytest

import thwrap as th
import wrapgen

DECLARATIONS = """
- name: differences
  types: [all]
  arguments: [THTensor* self, THTensor* other]
  core: "(n),(n)->(n)"
  body: |
    for (int64_t i = 0; i < n; i++)
        result[i] = (scalar_t)(self[i] - other[n - 1 - i]);
- name: halves
  types: [Double]
  arguments: [THTensor* self]
  core: "(n)->(n)"
  cname: "int halve"
  contiguous: true
- sources: [halve.c]
"""
HALVE = """
#include <stdint.h>
int halve(int64_t n, const double *self, double *result)
{
    for (int64_t i = 0; i < n; i++) {
        if (self[i] < 0)
            return 7;
        result[i] = self[i] / 2;
    }
    return 0;
}
"""
# Items and elements of each, around the sizes of panels.
SHAPES = [(1, 5), (2, 0), (7, 1), (15, 100), (17, 1000), (40, 511), (33, 9000), (3, 70000)]
LAYOUTS = {
    "plain": lambda array: array,
    "transposed": lambda array: array.T.copy().T,
    "steps": lambda array: array.repeat(2, 1)[:, ::2],
    "rows apart": lambda array: array.repeat(2, 0)[::2],
    "one line": lambda array: numpy.broadcast_to(array[:1], array.shape),
    "one column": lambda array: numpy.broadcast_to(array[:, :1], array.shape),
}


@pytest.fixture(scope="module")
def ops(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("panels")
    (folder / "halve.c").write_text(HALVE)
    (folder / "panels.yaml").write_text(DECLARATIONS)
    return wrapgen.load(folder / "panels.yaml")


def drawn(shape: tuple[int, ...], dtype: str) -> numpy.ndarray:
    return numpy.random.default_rng(sum(shape)).integers(0, 50, shape).astype(dtype)


def lying(array: numpy.ndarray, layout: str) -> th.Tensor:
    """The values of `array` in a layout; broadcast ones are views of the tensor, too."""
    if layout == "one line":
        return th.tensor(array[:1]).expand(*array.shape)
    if layout == "one column":
        return th.tensor(array[:, :1]).expand(*array.shape)
    if layout == "transposed":
        return th.tensor(array.T.copy()).t()
    return th.from_numpy(LAYOUTS[layout](array))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout(ops: ModuleType, layout: str, shape: tuple[int, int]) -> None:
    for dtype in ("int8", "int16", "float32", "float64"):
        one, other = drawn(shape, dtype), drawn((2, *shape), dtype)
        expected = LAYOUTS[layout](one) - other[:, :, ::-1]
        got = ops.differences(lying(one, layout), th.from_numpy(other))
        assert numpy.array_equal(got.numpy(), expected)
        swapped = ops.differences(th.from_numpy(other), lying(one, layout))
        assert numpy.array_equal(swapped.numpy(), other - LAYOUTS[layout](one)[:, ::-1])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_results_of_any_layout(ops: ModuleType, shape: tuple[int, int]) -> None:
    one, other = drawn(shape, "float32"), drawn(shape, "float32")
    expected = one - other[:, ::-1]
    for out in (th.zeros(shape[::-1]).t(), th.zeros(shape[0], 2 * shape[1])[:, ::2]):
        ops.differences(th.from_numpy(one), th.from_numpy(other), out=out)
        assert numpy.array_equal(out.numpy(), expected)
    for layout in LAYOUTS:  # converted to what the operation computes in
        got = ops.differences(lying(drawn(shape, "int16"), layout), th.from_numpy(other))
        assert numpy.array_equal(got.numpy(), LAYOUTS[layout](one) - other[:, ::-1])


@pytest.mark.parametrize("failing", [0, 1, 15, 16, 30])
def test_the_first_item_that_fails_is_told(ops: ModuleType, failing: int) -> None:
    values = th.ones(1000, 31, dtype=th.float64).t()
    values[failing:, 500] = -1
    with pytest.raises(RuntimeError, match=rf"failed with code 7 at batch index \({failing},\)"):
        ops.halves(values)
