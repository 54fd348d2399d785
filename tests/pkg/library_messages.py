"""What the C library says of shapes, dtypes, dims and indices that do not go; test_errors.py makes the calls."""

from __future__ import annotations

Case = tuple[str, type[Exception], str]

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
    (
        "a.split([1] * 100)",
        ValueError,
        "split: expected sizes that add up to 2 (dim 0), got 100 sizes",
    ),
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
