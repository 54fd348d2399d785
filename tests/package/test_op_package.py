"""An op package outside the tree: generated, built, imported, used on thwrap's tensors."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

import thwrap as th

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def ownops(make_package):
    declarations = (HERE / "declarations/own.yaml").read_text()
    return make_package("ownops", declarations, (HERE / "generic/own.c").read_text())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_kernel_entry_is_a_whole_operation(ownops, dtype):
    """Broadcast-free unary kernel: function, out=, in place, keyword, strided input, NumPy's values."""
    rows = numpy.linspace(-3, 3, 12).astype(dtype).reshape(3, 4)
    tensor = th.from_numpy(rows)
    expected = (rows.astype("f8") / (2 + numpy.abs(rows.astype("f8")))).astype(dtype)
    numpy.testing.assert_allclose(ownops.softsign(tensor, scale=2).numpy(), expected, rtol=2e-3)
    numpy.testing.assert_allclose(
        ownops.softsign(tensor.t(), scale=2).numpy(), expected.T, rtol=2e-3
    )
    out = th.empty(3, 4, dtype=tensor.dtype)
    assert ownops.softsign(tensor, scale=2, out=out) is out
    numpy.testing.assert_allclose(out.numpy(), expected, rtol=2e-3)
    copy = tensor.clone()
    assert ownops.softsign_(copy, scale=2) is copy
    numpy.testing.assert_allclose(copy.numpy(), expected, rtol=2e-3)


def test_promotion_and_results_are_thwraps(ownops):
    """Integers become the default dtype; results are th.Tensor."""
    result = ownops.softsign(th.tensor([1, -3]))
    assert type(result) is th.Tensor
    assert result.dtype is th.float32
    assert result.tolist() == [0.5, -0.75]


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float64"])
def test_own_c_function(ownops, dtype):
    """The C function is called for every dtype, with strided input too."""
    values = numpy.arange(8).astype(dtype)
    assert ownops.reversed_copy(th.from_numpy(values)).tolist() == values[::-1].tolist()
    assert ownops.reversed_copy(th.from_numpy(values)[::2]).tolist() == values[::2][::-1].tolist()


def test_errors_name_the_packages_op(ownops):
    with pytest.raises(ValueError, match="reversed_copy: expected self"):
        ownops.reversed_copy(th.zeros(2, 2))
    with pytest.raises(TypeError, match=r"softsign\(\) got an unexpected keyword argument 'scal'"):
        ownops.softsign(th.zeros(2), scal=1)


def test_cffi_door(ownops):
    """The same wrapper through cffi: a status, and the result by pointer."""
    ffi, lib = ownops.ffi, ownops.lib
    tensor = th.tensor([1.0, -3.0])
    out = ffi.new("THTensor **")
    status = lib.TH_softsign(out, ffi.cast("THTensor *", tensor._cdata), lib.THScalar_fromLong(1))
    assert status == 0
    assert lib.THTensor_nElement(out[0]) == 2
    lib.THTensor_free(out[0])
    with pytest.raises(TypeError, match="TH_softsign expected 3 arguments, got 1"):
        lib.TH_softsign(out)
