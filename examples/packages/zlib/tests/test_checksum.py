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
    assert checksum.crc32(x[:0], 5) == 5


def test_of_a_view_are_the_elements_in_order():
    values = np.arange(12, dtype=np.int32).reshape(3, 4)
    assert checksum.crc32(th.from_numpy(values).t()) == zlib.crc32(values.T.tobytes())
    assert checksum.crc32(values[:, ::2]) == zlib.crc32(values[:, ::2].tobytes())


def test_arguments_are_checked():
    with pytest.raises(TypeError, match="must be Tensor or array, not str"):
        checksum.crc32("abc")


def test_combined():
    first, second = b"Wikipedia", bytes(1000)
    parts = zlib.adler32(first), zlib.adler32(second), len(second)
    assert checksum.adler32_combine(*parts) == zlib.adler32(first + second)


@pytest.mark.parametrize("level", [-1, 0, 1, 9])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (300, 400)])
def test_compressed(shape, level):
    values = np.random.default_rng(0).integers(0, 10, shape)
    packed = checksum.compress(th.from_numpy(values), level)
    assert packed.dtype is th.uint8
    assert zlib.decompress(bytes(packed.tolist())) == values.tobytes()
    assert bytes(checksum.decompress(packed, values.nbytes).tolist()) == values.tobytes()
    assert checksum.decompress(packed, values.nbytes + 10).shape == (values.nbytes,)


def test_compressed_into_out():
    x = th.zeros(10_000)
    packed = checksum.compress(x)
    room = th.full((100,), 7, dtype=th.uint8)
    out = room[: len(packed)]
    assert checksum.compress(x, out=out) is out
    assert th.equal(out, packed)
    assert room[len(packed) :].tolist() == [7] * (100 - len(packed))


def test_what_fails_writes_nothing():
    packed = checksum.compress(th.arange(1000))
    damaged = packed.clone()
    damaged[500:510] = 0
    out = th.full((8000,), 7, dtype=th.uint8)
    for given, length, message in (
        (damaged, 8000, r"decompress: data error \(code -3\)"),
        (packed, 7999, r"decompress: buffer error \(code -5\)"),
        (packed[:100], 8000, r"decompress: buffer error \(code -5\)"),
    ):
        with pytest.raises(RuntimeError, match=f"^{message}$"):
            checksum.decompress(given, length, out=out)
    assert out.tolist() == [7] * 8000
    with pytest.raises(RuntimeError, match=r"^compress: stream error \(code -2\)$"):
        checksum.compress(packed, 10)
    with pytest.raises(ValueError, match=r"^decompress: result would have the shape \(-1,\)$"):
        checksum.decompress(packed, -1)
    with pytest.raises(ValueError, match="expected level to fit a C int, got 4294967296"):
        checksum.compress(packed, 1 << 32)
