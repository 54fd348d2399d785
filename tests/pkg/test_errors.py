"""What wrong calls say, word for word, and that they leave their arguments as they were.

Every case is an expression over `a` (2 x 3, float32), `i` (int64), `b` (bool), with the exception it raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import thwrap as th

Case = tuple[str, type[Exception], str]

# Which arguments there are

KEYWORDS: list[Case] = [
    (
        "a.sum(dims=1)",
        TypeError,
        "sum() got an unexpected keyword argument 'dims'; did you mean 'dim'?",
    ),
    (
        "th.add(a, a, alpah=2)",
        TypeError,
        "add() got an unexpected keyword argument 'alpah'; did you mean 'alpha'?",
    ),
    ("a.add(a, nothing=2)", TypeError, "add() got an unexpected keyword argument 'nothing'"),
    ("a.sum(1, dim=0)", TypeError, "sum() got multiple values for argument 'dim'"),
    ("th.mm(a, a, mat2=a)", TypeError, "mm() got multiple values for argument 'mat2'"),
    ("a.mm(input=a, mat2=a)", TypeError, "mm() got multiple values for argument 'input'"),
    (
        "a.sum(dim=0, axis=0)",
        TypeError,
        "sum() got both 'dim' and 'axis', which are the same argument",
    ),
    (
        "a.sum(keepdim=True, keepdims=True)",
        TypeError,
        "sum() got both 'keepdim' and 'keepdims', which are the same argument",
    ),
    (
        "th.mm(input=a, self=a, mat2=a)",
        TypeError,
        "mm() got both 'input' and 'self', which are the same argument",
    ),
    ("a.sum(**{1: 2})", TypeError, "keywords must be strings"),
]

COUNTS: list[Case] = [
    ("a.add()", TypeError, "add() missing required argument 'other' (position 1)"),
    ("th.add()", TypeError, "add() missing required argument 'input' (position 1)"),
    ("th.add(a)", TypeError, "add() missing required argument 'other' (position 2)"),
    ("a.addmv(a)", TypeError, "addmv() missing required argument 'vec' (position 2)"),
    ("a.view()", TypeError, "view() missing required argument 'size' (position 1)"),
    ("a.add(1, 2, 3)", TypeError, "add() takes at most 1 positional argument (3 given)"),
    ("a.softmax(0, 1, 2)", TypeError, "softmax() takes at most 2 positional arguments (3 given)"),
    ("a.contiguous(7)", TypeError, "contiguous() takes no positional arguments (1 given)"),
    ("a.view((2, 3), 1)", TypeError, "view() takes at most 1 positional argument (2 given)"),
]

# What kind they are of

KINDS: list[Case] = [
    (
        "a.add('x')",
        TypeError,
        "add(): argument 'other' (position 1) must be Tensor or number, not str",
    ),
    (
        "th.add(a, None)",
        TypeError,
        "add(): argument 'other' (position 2) must be Tensor or number, not None",
    ),
    (
        "th.pow('x', 2)",
        TypeError,
        "pow(): argument 'input' (position 1) must be Tensor or number, not str",
    ),
    ("a.add(a, alpha='x')", TypeError, "add(): argument 'alpha' must be number, not str"),
    ("th.mm(a, 1)", TypeError, "mm(): argument 'mat2' (position 2) must be Tensor, not int"),
    ("th.mm(1, a)", TypeError, "mm(): argument 'input' (position 1) must be Tensor, not int"),
    ("a @ 1", TypeError, "matmul(): argument 'other' (position 2) must be Tensor, not int"),
    (
        "th.where(1, a, a)",
        TypeError,
        """where(): no form accepts (int, Tensor, Tensor); the forms are:
  where(Tensor condition, Tensor or number input, Tensor or number other, *, Tensor out=None)
      argument 'condition' must be Tensor, not int
  where(Tensor condition)
      too many arguments: expected at most 1, got 3""",
    ),
    (
        "a.index_select(0, [1])",
        TypeError,
        "index_select(): argument 'index' (position 2) must be Tensor, not list",
    ),
    ("a.copy_(1)", TypeError, "copy_(): argument 'src' (position 1) must be Tensor, not int"),
    (
        "th.cat(a)",
        TypeError,
        "cat(): argument 'tensors' (position 1) must be sequence of Tensors, not Tensor",
    ),
    (
        "th.cat([a, 1])",
        TypeError,
        "cat(): argument 'tensors' (position 1) must be sequence of Tensors, but item 1 is int",
    ),
    ("th.sum(a, dtype='x')", TypeError, "sum(): argument 'dtype' must be dtype, not str"),
    (
        "a.to('x')",
        TypeError,
        "to(): no form accepts (str); the forms are:\n"
        "  to(dtype dtype, *, bool copy=False)\n"
        "      argument 'dtype' must be dtype, not str\n"
        "  to(Tensor other, *, bool copy=False)\n"
        "      argument 'other' must be Tensor, not str",
    ),
    (
        "th.randn(2, generator=1)",
        TypeError,
        "randn(): argument 'generator' must be Generator, not int",
    ),
    (
        "a.normal_(0, 'x')",
        TypeError,
        "normal_(): argument 'std' (position 2) must be float, not str",
    ),
    (
        "th.full((2,), 'x')",
        TypeError,
        "full(): argument 'fill_value' (position 2) must be number, not str",
    ),
    ("th.manual_seed('x')", TypeError, "manual_seed(): argument 'seed' must be int, not str"),
    ("a + 'x'", TypeError, "unsupported operand type(s) for +: 'thwrap.Tensor' and 'str'"),
    (
        "a < None",
        TypeError,
        "'<' not supported between instances of 'thwrap.Tensor' and 'NoneType'",
    ),
    ("th.tensor('x')", TypeError, "tensor: elements are numbers, not str"),
    ("th.tensor([1, None])", TypeError, "tensor: elements are numbers, not None"),
    ("th.promote_types(th.int8, 2)", TypeError, "expected a dtype, got int"),
    ("th.from_numpy(1)", TypeError, "from_numpy: expected numpy.ndarray, got int"),
    ("th.Tensor(2, 'x')", TypeError, "use thwrap.tensor(...) to make a tensor"),
    ("a.nothing", AttributeError, "'thwrap.Tensor' object has no attribute 'nothing'"),
    ("th.nothing", AttributeError, "module 'thwrap' has no attribute 'nothing'"),
]

OUT: list[Case] = [
    ("th.add(a, a, out=1)", TypeError, "add(): argument 'out' must be Tensor, not int"),
    ("th.add(a, a, out=(a,))", TypeError, "add(): argument 'out' must be Tensor, not tuple"),
    (
        "th.sort(a, out=a)",
        TypeError,
        "sort(): argument 'out' must be tuple of 2 Tensors, not Tensor",
    ),
    (
        "th.add(a, a, out=i)",
        TypeError,
        "add: result of dtype float32 cannot be cast to the out tensor's int64",
    ),
    (
        "th.ones(2, out=th.zeros(5))",
        UserWarning,
        "ones: out of shape (5,) is resized to (2,); pass an empty tensor or one of the result's shape",
    ),
    ("th.sort(i, out=(i, i))", RuntimeError, "sort: out tensors share memory"),
    ("th.max(a, 0, out=(a[0], a[1]))", RuntimeError, "max: out tensors share memory"),
    (
        "th.add(a[0], 1, out=a.view(6)[1:4])",
        RuntimeError,
        "add: out tensor overlaps an input partly",
    ),
    (
        "th.add(a, a, out=th.ones(1, 3).expand(2, 3))",
        RuntimeError,
        "add: out tensor overlaps itself (expanded); clone() it first",
    ),
]

OVERLOADS: list[Case] = [
    (
        "th.max(a, 0, 1, 2)",
        TypeError,
        """max(): no form accepts (Tensor, int, int, int); the forms are:
  max(Tensor input, int dim, bool keepdim=False, *, tuple of Tensors out=None)
      too many arguments: expected at most 3, got 4
  max(Tensor input, Tensor or number other, *, Tensor out=None)
      too many arguments: expected at most 2, got 4
  max(Tensor input, *, Tensor out=None)
      too many arguments: expected at most 1, got 4""",
    ),
    (
        "a.max('x')",
        TypeError,
        """max(): no form accepts (str); the forms are:
  max(int dim, bool keepdim=False, *, tuple of Tensors out=None)
      argument 'dim' must be int, not str
  max(Tensor or number other, *, Tensor out=None)
      argument 'other' must be Tensor or number, not str
  max(*, Tensor out=None)
      too many arguments: expected at most 0, got 1""",
    ),
    (
        "a.std(dim=0, corection=2)",
        TypeError,
        """std(): no form accepts (dim=int, corection=int); the forms are:
  std(int or tuple of ints dim=None, *, float correction=1, bool keepdim=False, Tensor out=None)
      got an unexpected keyword argument 'corection'; did you mean 'correction'?
  std(int or tuple of ints dim, bool unbiased, bool keepdim=False, *, Tensor out=None)
      got an unexpected keyword argument 'corection'
  std(bool unbiased, *, Tensor out=None)
      got an unexpected keyword argument 'dim'""",
    ),
    (
        "th.max(a, 0, out=(a,))",
        TypeError,
        """max(): no form accepts (Tensor, int, out=tuple); the forms are:
  max(Tensor input, int dim, bool keepdim=False, *, tuple of Tensors out=None)
      argument 'out' must be tuple of 2 Tensors, not tuple
  max(Tensor input, Tensor or number other, *, Tensor out=None)
      argument 'out' must be Tensor, not tuple
  max(Tensor input, *, Tensor out=None)
      too many arguments: expected at most 1, got 2""",
    ),
    (
        "th.arange()",
        TypeError,
        """arange(): no form accepts (); the forms are:
  arange(Number start, Number end, Number step=1, *, dtype dtype=None, Tensor out=None)
      missing required argument 'start' (position 1)
  arange(Number end, *, dtype dtype=None, Tensor out=None)
      missing required argument 'end' (position 1)""",
    ),
    (
        "a.set_(1)",
        TypeError,
        """set_(): no form accepts (int); the forms are:
  set_(Storage storage, int storage_offset, tuple of ints size, tuple of ints stride=None)
      missing required argument 'storage_offset' (position 2)
  set_(Tensor source)
      argument 'source' must be Tensor, not int
  set_(Storage storage)
      argument 'storage' must be Storage, not int
  set_()
      too many arguments: expected at most 0, got 1""",
    ),
]

# Numbers: bool is no int, ints fit 64 bits, NaN is no size

NUMBERS: list[Case] = [
    (
        "a.narrow(True, 0, 1)",
        TypeError,
        "narrow(): argument 'dim' (position 1) must be int, not bool",
    ),
    (
        "a.sum(dim=True)",
        TypeError,
        "sum(): argument 'dim' (position 1) must be int or tuple of ints, not bool",
    ),
    ("a.sum(keepdim=1)", TypeError, "sum(): argument 'keepdim' (position 2) must be bool, not int"),
    (
        "th.zeros(True)",
        TypeError,
        "zeros(): argument 'size' (position 1) must be int or tuple of ints, not bool",
    ),
    (
        "a.narrow(0, 1.5, 1)",
        TypeError,
        "narrow(): argument 'start' (position 2) must be int, not float",
    ),
    (
        "th.zeros(float('nan'))",
        TypeError,
        "zeros(): argument 'size' (position 1) must be int or tuple of ints, not float",
    ),
    (
        "th.full((2, float('nan')), 1)",
        TypeError,
        "full(): argument 'size' (position 1) must be int or tuple of ints, but item 1 is float",
    ),
    ("th.arange(float('nan'))", ValueError, "arange: unsupported range: 0 -> nan"),
    (
        "a.narrow(0, 10**30, 1)",
        ValueError,
        "narrow(): argument 'start' (position 2) does not fit 64 bits",
    ),
    (
        "a.sum(dim=[0, 10**30])",
        ValueError,
        "sum(): argument 'dim' (position 1) does not fit 64 bits",
    ),
    ("th.zeros(2**100)", ValueError, "zeros(): argument 'size' (position 1) does not fit 64 bits"),
    ("th.tensor(2**70)", ValueError, "tensor: 1180591620717411303424 does not fit 64 bits"),
    ("a.__setitem__(0, 2**70)", ValueError, "__setitem__: the number does not fit 64 bits"),
    ("th.Storage(3)[2**70]", IndexError, "an index does not fit 64 bits"),
    (
        "th.set_num_threads(2**70)",
        ValueError,
        "set_num_threads(): argument 'number' does not fit 64 bits",
    ),
    ("th.finfo([])", TypeError, "finfo: expected a floating-point dtype, got []; use iinfo"),
    (
        "th.from_file(b'name', size=1)",
        TypeError,
        "from_file(): argument 'filename' (position 1) must be str, not bytes",
    ),
    ("th.manual_seed(1.5)", TypeError, "manual_seed(): argument 'seed' must be int, not float"),
    (
        "a.sort(out=[th.empty(0), th.empty(0)])",
        TypeError,
        "sort(): argument 'out' must be tuple of 2 Tensors, not list",
    ),
    (
        "th.zeros(3).permute(-2)",
        IndexError,
        "permute: expected dims between -1 and 0 for shape (3,), got -2",
    ),
    ("th.zeros(2**62)", ValueError, "zeros: shape (4611686018427387904,) has too many elements"),
    (
        "th.zeros(2**62, 2**62)",
        ValueError,
        "zeros: shape (4611686018427387904, 4611686018427387904) has too many elements",
    ),
    ("th.zeros(2, -3)", ValueError, "zeros: size -3 of dim 1 is negative"),
    ("a.resize_(-2)", ValueError, "resize_: size -2 of dim 0 is negative"),
    (
        "th.zeros([1] * 65)",
        ValueError,
        "zeros(): argument 'size' (position 1) has more than 64 items, the most dims there can be",
    ),
    (
        "a.view(*[1] * 65)",
        ValueError,
        "view(): argument 'size' (position 1) has more than 64 items, the most dims there can be",
    ),
    (
        "a.clone().resize_(10**18)",
        MemoryError,
        "resize_: cannot allocate 4000000000000000000 bytes",
    ),
    (
        "th.set_num_threads(0)",
        ValueError,
        "set_num_threads: expected a number from 1 to 1024, got 0",
    ),
    (
        "th.set_num_threads(10**10)",
        ValueError,
        "set_num_threads: expected a number from 1 to 1024, got 10000000000",
    ),
    ("th.set_cache_limit(-1)", ValueError, "set_cache_limit: expected a number >= 0, got -1"),
    (
        "a.item()",
        ValueError,
        "only a tensor with one element becomes a Python number, this one has 6",
    ),
    ("bool(a)", ValueError, "the truth value of a tensor with 6 elements is ambiguous"),
    ("len(a.sum())", TypeError, "a 0-d tensor has no len()"),
]

# Shapes, dtypes, dims and indices: messages of the C library

SHAPES: list[Case] = [
    ("a + th.ones(4)", ValueError, "add: shapes (2, 3) and (4,) do not broadcast"),
    ("a.add_(th.ones(2, 4))", ValueError, "add_: shapes (2, 3) and (2, 4) do not broadcast"),
    (
        "a.add_(th.ones(3, 2, 3))",
        ValueError,
        "add_: result of shape (3, 2, 3) does not fit in self of shape (2, 3)",
    ),
    (
        "th.ones(1, 3).expand(2, 3).add_(1)",
        RuntimeError,
        "add_: in place on a tensor that overlaps itself (expanded); clone() it first",
    ),
    ("a[:, :2].add_(a[:, 1:])", RuntimeError, "add_: self overlaps an input partly"),
    ("th.mm(a, a)", ValueError, "mm: expected mat2 of shape (3, any), got (2, 3)"),
    ("a @ a", ValueError, "matmul: shapes (2, 3) and (2, 3) do not fit"),
    ("th.addmv(a, a, a)", ValueError, "addmv: expected vec to have 1 dim, got shape (2, 3)"),
    (
        "th.cat([a, th.ones(2, 4)])",
        ValueError,
        "cat: expected shapes that agree but for dim 0, got (2, 3) and (2, 4)",
    ),
    ("th.cat([])", ValueError, "cat: expected tensors to hold at least one tensor"),
    (
        "th.stack([a, a[0]])",
        ValueError,
        "stack: expected tensors of one shape, got (2, 3) and (3,)",
    ),
    ("a.view(4)", ValueError, "view: shape (4,) is invalid for 6 elements"),
    ("a.view(-1, -1)", ValueError, "view: only one size can be -1, got (-1, -1)"),
    (
        "a.t().view(6)",
        ValueError,
        "view: shape (6,) is not compatible with shape (3, 2) and strides (1, 3); use reshape",
    ),
    (
        "a.expand(3, 3)",
        ValueError,
        "expand: shape (2, 3) does not expand to (3, 3): size 2 of dim 0 is neither 1 nor 3",
    ),
    ("a.copy_(th.ones(5))", ValueError, "copy_: shape (5,) does not broadcast to (2, 3)"),
    ("a.fill_(th.ones(3))", ValueError, "fill_: expected value to have 0 dims, got shape (3,)"),
    (
        "th.tensor([[1, 2], [3]])",
        ValueError,
        "tensor: expected sequence of length 2 at dim 1, got 1",
    ),
    ("a.topk(7)", ValueError, "topk: expected k from 0 to 3, the size of dim 1, got 7"),
    ("a.split([1, 2])", ValueError, "split: expected sizes that add up to 2 (dim 0), got [1, 2]"),
    ("th.eye(2, -1)", ValueError, "eye: expected sizes >= 0, got (2, -1)"),
    (
        "th.arange(0, 10, 0)",
        ValueError,
        "arange: expected a step that is finite and not zero, got 0",
    ),
    (
        "th.randint(5, 2, (3,))",
        ValueError,
        "randint: expected a range that is not empty, got [5, 2)",
    ),
    ("a.normal_(0, -1)", ValueError, "normal_: expected std >= 0, got -1"),
    ("a.clamp()", ValueError, "clamp: expected min, max or both, got neither"),
]

DTYPES: list[Case] = [
    ("i.add_(a)", TypeError, "add_: result of dtype float32 cannot be cast to self's int64"),
    ("i.div_(2)", TypeError, "div_: result of dtype float32 cannot be cast to self's int64"),
    ("th.mm(a, i)", TypeError, "mm: expected tensors of one dtype, got float32 and int64"),
    ("i.prelu(i)", TypeError, "prelu: expected float16, float32 or float64, got int64"),
    (
        "a & a",
        TypeError,
        "bitwise_and: expected uint8, int8, int16, int32, int64 or bool, got float32",
    ),
    (
        "b - b",
        TypeError,
        "sub: bool is not subtracted from bool; use logical_xor or the operator ^",
    ),
    (
        "i.add(i, alpha=1.5)",
        TypeError,
        "add: argument alpha must not be a floating-point number for integer tensors",
    ),
    ("a.masked_select(a)", TypeError, "masked_select: expected mask of dtype bool, got float32"),
    ("th.outer(a, a)", ValueError, "outer: expected self of shape (any,), got (2, 3)"),
    (
        "th.broadcast_to(a, (3,))",
        ValueError,
        "broadcast_to: expected 2 to 64 sizes for shape (2, 3), got 1",
    ),
    ("th.clip(a)", ValueError, "clip: expected min, max or both, got neither"),
    ("a.clip_()", ValueError, "clip_: expected min, max or both, got neither"),
    ("th.multiply(a, th.ones(4))", ValueError, "multiply: shapes (2, 3) and (4,) do not broadcast"),
    (
        "a.index_select(0, a)",
        TypeError,
        "index_select: expected index of dtype int64 or int32, got float32",
    ),
    (
        "th.set_default_dtype(th.int64)",
        TypeError,
        "set_default_dtype: expected a floating point dtype, got int64",
    ),
    ("i // 0", ValueError, "floor_divide: other has a zero, and integers cannot be divided by it"),
    (
        "i % (i - 1)",
        ValueError,
        "remainder: other has a zero, and integers cannot be divided by it",
    ),
    (
        "i.to(th.uint8).fill_(300)",
        ValueError,
        "fill_: value cannot be converted to uint8 without overflow: 300",
    ),
    (
        "th.randint(0, 300, (2,), dtype=th.uint8)",
        ValueError,
        "randint: uint8 holds the whole numbers from 0 to 255, got [0, 300)",
    ),
]

INDICES: list[Case] = [
    ("a.sum(dim=2)", IndexError, "sum: expected dim between -2 and 1 for shape (2, 3), got 2"),
    ("a.sum(axis=-3)", IndexError, "sum: expected dim between -2 and 1 for shape (2, 3), got -3"),
    ("a.sum(dim=(0, -2))", ValueError, "sum: dim 0 appears twice in dim"),
    (
        "a.transpose(0, 2)",
        IndexError,
        "transpose: expected dim1 between -2 and 1 for shape (2, 3), got 2",
    ),
    (
        "a.unsqueeze(4)",
        IndexError,
        "unsqueeze: expected dim between -3 and 2 for shape (2, 3), got 4",
    ),
    ("a.permute(0, 0)", ValueError, "permute: dim 0 appears twice"),
    ("a.select(0, 5)", IndexError, "select: index 5 is out of bounds for dim 0 with size 2"),
    ("a.narrow(0, 1, 5)", IndexError, "narrow: start 1 with length 5 exceeds size 2 of dim 0"),
    ("a[5]", IndexError, "index 5 is out of bounds for dim 0 with size 2"),
    ("a[:, -4]", IndexError, "index -4 is out of bounds for dim 1 with size 3"),
    ("a[0, 0, 0]", IndexError, "too many indices for a tensor of 2 dims"),
    ("a[..., ...]", IndexError, "an index may have a single Ellipsis"),
    ("a[::-1]", ValueError, "slices with a negative step are not supported; use flip"),
    (
        "a['x']",
        TypeError,
        "an index is made of ints, slices, None, Ellipsis, tensors and sequences of ints, not of str",
    ),
    ("a[a]", IndexError, "tensors used as indices are integers or bool, not float32"),
    ("a[[0, 9]]", IndexError, "index: index 9 is out of bounds for dim 0 with size 2"),
    ("a[b[0]]", IndexError, "index: mask of shape (3,) at dim 0 does not fit shape (2, 3)"),
    (
        "a.index_select(0, i[0] * 9)",
        IndexError,
        "index_select: index 9 is out of bounds for dim 0 with size 2",
    ),
    (
        "a.scatter(0, i * 5, a)",
        IndexError,
        "scatter: index 5 is out of bounds for dim 0 with size 2",
    ),
    ("a.take(i - 8)", IndexError, "take: index -7 is out of bounds for 6 elements"),
    ("a.__setitem__(0, th.ones(2))", ValueError, "copy: shape (2,) does not broadcast to (3,)"),
    ("a.__delitem__(0)", TypeError, "elements of a tensor cannot be deleted"),
    (
        "th.zeros(3, 0).max(1)",
        IndexError,
        "max: cannot reduce over dim 1 of size 0, which has no identity",
    ),
]

CASES = [*KEYWORDS, *COUNTS, *KINDS, *OUT, *OVERLOADS, *NUMBERS, *SHAPES, *DTYPES, *INDICES]


@pytest.fixture
def names() -> Iterator[dict[str, Any]]:
    a, i, b = th.ones(2, 3), th.ones(2, 3, dtype=th.int64), th.ones(2, 3, dtype=th.bool)
    yield {"th": th, "a": a, "i": i, "b": b}
    for tensor in (a, i, b):
        assert tensor.tolist() == [[1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize(
    ("expression", "kind", "message"), CASES, ids=[expression for expression, *_ in CASES]
)
def test_message(
    names: dict[str, Any], expression: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}$") as caught:
        eval(expression, names)
    assert type(caught.value) is kind


def test_deleted_argument_names() -> None:
    """Names of arguments and functions in messages live as long as the exception."""
    with pytest.raises(TypeError) as caught:
        th.add(th.ones(1), th.ones(1), **{"".join(["al", "phb"]): 1})
    th.add(th.ones(1), 1)
    assert str(caught.value).endswith("'alphb'; did you mean 'alpha'?")


def test_hostile_arguments() -> None:
    """Exceptions raised by arguments themselves come through; NotImplemented reaches the other operand."""

    class Broken:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __index__(self) -> int:
            raise self.error

        def __len__(self) -> int:
            raise self.error

        def __getitem__(self, index: int) -> float:
            return 1.0

    class Polite:
        def __radd__(self, other: object) -> str:
            return "polite"

    class Bare:
        __index__ = Broken.__index__

        def __init__(self, error: BaseException) -> None:
            self.error = error

    calls: list[Callable[[Any], Any]] = [
        lambda value: th.ones(2).narrow(0, value, 1),
        lambda value: th.zeros((2, value)),
        lambda value: th.ones(2).sum(value),
        lambda value: th.ones(2)[value],
        lambda value: th.ones(2).__setitem__(value, 1),
        lambda value: th.ones(2).__setitem__(0, value),
        lambda value: th.Storage(2)[value],
        lambda value: th.Storage(2).resize_(value),
        th.manual_seed,
        th.set_num_threads,
        lambda value: th.tensor([1.0, value]),
    ]
    for error in (KeyError, ValueError, TypeError, OverflowError, KeyboardInterrupt):
        for call in calls:
            with pytest.raises(error, match="no index today"):
                call(Bare(error("no index today")))
    with pytest.raises(KeyError, match="no index today"):
        th.tensor([Broken(KeyError("no index today"))])
    assert th.ones(2) + Polite() == "polite"


def test_arguments_that_change_others() -> None:
    """Code of an argument cannot take away what was read before."""

    class Index:
        def __init__(self, change: Callable[[], object]) -> None:
            self.change = change

        def __index__(self) -> int:
            self.change()
            return 1

    value = th.arange(20)[10:]
    moved = Index(lambda: value.set_(th.Storage([5, 6, 7], th.int64)))
    assert value[moved, None].tolist() == [6]
    results = [th.empty(0), th.empty(0, dtype=th.int64)]
    sort: Callable[..., object] = th.ones(2, 3).sort
    with pytest.raises(TypeError, match="tuple"):
        sort(Index(results.clear), out=results)
    storage = th.Storage(100)
    with pytest.raises(ValueError, match="exceeds"):
        storage.__setitem__(Index(lambda: storage.resize_(1)), 2)


def test_warnings_can_be_errors_or_not() -> None:
    """The result of a resizing out= is there when the warning is only a warning."""
    out = th.zeros(5)
    with pytest.warns(UserWarning, match="out of shape"):
        th.ones(2, out=out)
    assert out.tolist() == [1, 1]
