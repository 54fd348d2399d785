import zlib

import checksum
import numpy as np
import pytest

import thwrap as th


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float16", "float64", "bool"])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 5), (300, 400)])
def test_as_zlib(dtype, shape):
    values = np.random.default_rng(0).integers(0, 100, shape).astype(dtype)
    x, data = th.from_numpy(values), values.tobytes()
    assert checksum.crc32(x) == zlib.crc32(data)
    assert checksum.adler32(x) == zlib.adler32(data)


def test_goes_on_from_a_value():
    x = th.arange(100)
    first, second = x[:50], x[50:]
    assert checksum.crc32(second, checksum.crc32(first)) == checksum.crc32(x)
    assert checksum.adler32(second, value=checksum.adler32(first)) == checksum.adler32(x)


def test_of_a_view_are_the_elements_in_order():
    values = np.arange(12, dtype=np.int32).reshape(3, 4)
    assert checksum.crc32(th.from_numpy(values).t()) == zlib.crc32(values.T.tobytes())
    assert checksum.crc32(values[:, ::2]) == zlib.crc32(values[:, ::2].tobytes())


def test_arguments_are_checked():
    with pytest.raises(TypeError, match="must be Tensor or array, not str"):
        checksum.crc32("abc")
