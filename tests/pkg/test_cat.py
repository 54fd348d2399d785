"""cat and stack: what lies where in the result, however many tensors there are."""

import itertools

import numpy
import pytest

import thwrap as th


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_joined_as_they_lie(order: tuple[int, ...]) -> None:
    """Of tensors whose dims are in one order in memory a new result of cat and stack is in it, too, else row by row."""
    whole = numpy.arange(210, dtype="int16").reshape(5, 6, 7)
    array = numpy.ascontiguousarray(whole.transpose(order)).transpose(numpy.argsort(order))
    x = th.from_numpy(array)
    plain = x.contiguous()
    for dim in range(3):
        one, other = x.narrow(dim, 0, 2), x.narrow(dim, 1, 4)
        got = th.cat([one, other], dim)
        expected = numpy.concatenate([one.numpy(), other.numpy()], dim)
        assert numpy.array_equal(got.numpy(), expected)
        assert tuple(2 * stride for stride in got.stride()) == expected.strides
        assert th.cat([th.zeros(0, dtype=th.int16), one, other], dim).equal(got)
        mixed = th.cat([one, plain.narrow(dim, 1, 4)], dim)
        assert mixed.is_contiguous()
        assert mixed.equal(got)
        out = th.zeros_like(
            plain.narrow(dim, 0, 2).repeat(*(3 if d == dim else 1 for d in range(3)))
        )
        assert th.cat([one, other], dim, out=out).is_contiguous()
        assert out.equal(got)
        assert th.cat([x.half(), x], dim).stride() == th.cat([x, x], dim).stride()
    for dim in range(4):
        got = th.stack([x, x], dim)
        assert numpy.array_equal(got.numpy(), numpy.stack([array, array], dim))
        assert th.stack([plain, plain], dim).is_contiguous()


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float64"])
@pytest.mark.parametrize("tensors", [2, 30, 150])
@pytest.mark.parametrize("threads", [1, 2])
def test_many_pieces_of_any_length(dtype: str, tensors: int, threads: int) -> None:
    """Side by side, in few rows and many, from tensors of gaps too."""
    rng, before = numpy.random.default_rng(tensors), th.get_num_threads()
    th.set_num_threads(threads)
    try:
        for rows, most in ((3, 400), (40, 9), (40, 40), (700, 20), (20, 1), (7, 36000 // tensors)):
            wide = rng.integers(0, 100, (rows, tensors * most + 5)).astype(dtype)
            lengths = rng.integers(0, most + 1, tensors).tolist()
            parts = [wide[:, i * most : i * most + n] for i, n in enumerate(lengths)]
            for given in (parts, [part.copy() for part in parts]):
                got = th.cat([th.from_numpy(part) for part in given], 1)
                numpy.testing.assert_array_equal(got.numpy(), numpy.concatenate(parts, 1))
    finally:
        th.set_num_threads(before)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_single_elements_of_many(dtype: str) -> None:
    """Side by side: around the borders of vectors and tiles; nothing beside the result changes."""
    th.set_num_threads(2)
    sizes = (1, 5, 6, 7, 15, 16, 17, 63, 64, 65, 130, 257, 300)
    for tensors, rows in (*itertools.product(sizes, sizes), (70, 4100), (1100, 20), (6, 40000)):
        array = (numpy.arange(tensors * rows) % 119).astype(dtype).reshape(tensors, rows)
        parts = [th.from_numpy(part.copy()) for part in array]
        around = th.full((rows + 2, tensors), 121).to(getattr(th, dtype))
        th.stack(parts, 1, out=around[1:-1])
        assert numpy.array_equal(around[1:-1].numpy(), array.T), (tensors, rows)
        assert around[0].tolist() == around[-1].tolist() == [121] * tensors
        columns = [part.view(-1, 1) for part in parts]
        assert th.cat(columns, 1).equal(around[1:-1])
