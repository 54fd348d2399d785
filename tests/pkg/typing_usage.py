"""What type checkers must accept, and the types they must find. mypy and pyright read this, nothing runs it."""

from __future__ import annotations

import copy
import pickle
from typing import Any, assert_type

import numpy

import thwrap as th
from thwrap import Tensor


def creation(array: numpy.ndarray[Any, Any]) -> None:
    assert_type(th.tensor([[1, 2], [3, 4]], dtype=th.float32), Tensor)
    assert_type(th.as_tensor(array), Tensor)
    assert_type(th.asarray(array, dtype=th.half, copy=True), Tensor)
    assert_type(th.from_numpy(array), Tensor)
    assert_type(th.frombuffer(bytearray(8), dtype=th.int8, count=2, offset=1), Tensor)
    assert_type(th.from_dlpack(array), Tensor)
    assert_type(th.from_file("numbers", shared=True, size=4, dtype=th.double), Tensor)
    assert_type(th.scalar_tensor(1.5), Tensor)
    assert_type(th.zeros(2, 3, dtype=th.long), Tensor)
    assert_type(th.zeros((2, 3)), Tensor)
    assert_type(th.full((2, 3), 7), Tensor)
    assert_type(th.arange(1, 10, 2), Tensor)
    assert_type(th.rand(3, generator=th.default_generator), Tensor)


def attributes(tensor: Tensor) -> None:
    assert_type(tensor.shape, th.Size)
    assert_type(tensor.shape.numel(), int)
    assert_type(tensor.shape[0], int)
    assert_type(tensor.size(), th.Size)
    assert_type(tensor.size(0), int)
    assert_type(tensor.stride(axis=-1), int)
    assert_type(tensor.dtype, th.dtype)
    assert_type(tensor.dtype.itemsize, int)
    assert_type(tensor.ndim + tensor.dim() + tensor.numel() + tensor.nbytes, int)
    assert_type(tensor.is_contiguous() and tensor.is_floating_point(), bool)
    assert_type(tensor.T, Tensor)
    assert_type(tensor.mT, Tensor)
    assert_type(tensor.tolist(), Any)
    assert_type(tensor.numpy(), numpy.ndarray[Any, Any])
    assert_type(int(tensor), int)
    assert_type(float(tensor), float)
    assert_type(len(tensor), int)
    assert_type(1 in tensor, bool)
    assert_type(f"{tensor:.3f}", str)
    assert_type(copy.deepcopy(tensor), Tensor)
    pickle.dumps(tensor)
    numpy.asarray(tensor)
    memoryview(tensor)
    th.from_dlpack(tensor)


def operators(tensor: Tensor) -> None:
    assert_type(tensor + 1, Tensor)
    assert_type(2.5 * tensor, Tensor)
    assert_type(tensor @ tensor, Tensor)
    assert_type(-tensor, Tensor)
    assert_type(abs(tensor), Tensor)
    assert_type(tensor**2 // 3 % 5, Tensor)
    assert_type(tensor == tensor, Tensor)
    assert_type(tensor != 0, Tensor)
    assert_type((tensor > 0) & (tensor <= 1) | ~(tensor < 2), Tensor)
    tensor += 1
    tensor *= tensor
    assert_type(tensor, Tensor)


def indexing(tensor: Tensor) -> None:
    assert_type(tensor[0], Tensor)
    assert_type(tensor[..., None, 1:3], Tensor)
    assert_type(tensor[tensor > 0], Tensor)
    assert_type(tensor[[0, 1]], Tensor)
    tensor[0, :] = 1
    tensor[tensor > 0] = tensor
    for row in tensor:
        assert_type(row, Tensor)
    assert_type(tensor.split(2), tuple[Tensor, ...])
    assert_type(th.chunk(tensor, 2, dim=1), tuple[Tensor, ...])
    assert_type(th.unbind(tensor), tuple[Tensor, ...])
    assert_type(th.tensor_split(tensor, [1, 2], dim=1), tuple[Tensor, ...])


def operations(tensor: Tensor) -> None:
    assert_type(tensor.add(1, alpha=2), Tensor)
    assert_type(th.add(tensor, tensor, out=tensor), Tensor)
    assert_type(tensor.exp_().add_(1), Tensor)
    assert_type(tensor.view(2, -1).reshape((4,)).permute(0).expand(2, -1), Tensor)
    assert_type(th.cat([tensor, tensor], dim=0), Tensor)
    assert_type(tensor.sum(dim=(0, 1), keepdim=True), Tensor)
    assert_type(th.sum(tensor, 0, dtype=th.float64), Tensor)
    assert_type(tensor.max(), Tensor)
    assert_type(th.allclose(tensor, tensor), bool)
    values, indices = tensor.sort(dim=0, descending=True)
    assert_type(values, Tensor)
    assert_type(indices, Tensor)


def casts(tensor: Tensor) -> None:
    assert_type(tensor.to(th.int16), Tensor)
    assert_type(tensor.to(tensor, copy=True), Tensor)
    assert_type(tensor.type(), str)
    assert_type(tensor.type(th.FloatTensor), Tensor)
    assert_type(tensor.type("thwrap.FloatTensor"), Tensor)
    assert_type(tensor.byte().char().short().int().long().half().float().double().bool(), Tensor)
    assert_type(th.promote_types(th.int32, th.float16), th.dtype)
    assert_type(th.result_type(tensor, 1.5), th.dtype)
    assert_type(th.can_cast(th.int32, th.uint8), bool)
    assert_type(th.finfo(th.float32).eps, float)
    assert_type(th.iinfo(th.int32).max, int)


def classes_of_old(thing: Tensor | th.Storage) -> None:
    assert_type(th.FloatTensor(2, 3), Tensor)
    assert_type(th.LongTensor([1, 2]), Tensor)
    assert_type(th.ByteStorage(4), th.Storage)
    assert_type(th.IntStorage.from_file("numbers", size=2), th.Storage)
    assert_type(isinstance(thing, th.FloatTensor), bool)
    storage = th.DoubleStorage([1, 2, 3])
    assert_type(storage.tolist(), list[Any])
    assert_type(storage[1:], th.Storage)
    assert_type(storage.dtype, th.dtype)


def settings() -> None:
    th.set_default_dtype(th.float64)
    assert_type(th.get_default_dtype(), th.dtype)
    th.set_num_threads(2)
    assert_type(th.get_num_threads(), int)
    assert_type(th.memory_stats(), dict[str, int])
    th.set_cache_limit(2**20)
    th.empty_cache()
    assert_type(th.manual_seed(1), th.Generator)
    assert_type(th.Generator().manual_seed(3).get_state(), Tensor)
    th.set_rng_state(th.get_rng_state())
    assert_type(th.seed() + th.initial_seed(), int)
    th.set_printoptions(precision=3, profile="short", sci_mode=False)
    assert_type(th.get_printoptions(), dict[str, Any])
    assert_type(th.show_config() + th.get_include() + th.get_lib(), str)
    assert_type(th.explain(th.add, th.ones(2), 1).threads, int)
    assert_type(th.__version__, str)


class Weights(Tensor):
    """Users may subclass."""


def subclasses(tensor: Tensor) -> None:
    assert_type(tensor.as_subclass(Weights), Weights)
    assert_type(Weights(tensor), Weights)
