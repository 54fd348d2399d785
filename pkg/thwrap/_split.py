"""What gives tuples of tensors: parts along a dim."""

from __future__ import annotations

from thwrap._C import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _dim(name: str, tensor: Tensor, dim: int, axis: int | None) -> int:
    """The dim, counted from the front; `axis` is NumPy's word for it."""
    if axis is not None:
        if dim != 0:
            raise TypeError(f"{name}(): dim and axis are the same argument")
        dim = axis
    ndim = tensor.ndim
    if ndim == 0:
        raise ValueError(f"{name}: expected a tensor with dims, got a 0-d tensor")
    if not -ndim <= dim < ndim:
        raise IndexError(f"{name}: dim {dim} is out of range for a tensor of {ndim} dims")
    return dim % ndim


def _parts(tensor: Tensor, dim: int, lengths: Sequence[int]) -> tuple[Tensor, ...]:
    """Views of these lengths, one after the other."""
    parts = []
    start = 0
    for length in lengths:
        parts.append(tensor.narrow(dim, start, length))
        start += length
    return tuple(parts)


def split(
    input: Tensor,
    split_size_or_sections: int | Sequence[int] | None = None,
    dim: int = 0,
    *,
    axis: int | None = None,
    split_size: int | Sequence[int] | None = None,
) -> tuple[Tensor, ...]:
    """Views of equal length (the last may be shorter), or of the lengths given.

    `split_size` is PyTorch's other word for split_size_or_sections.
    """
    given = split_size if split_size_or_sections is None else split_size_or_sections
    if given is None or None not in (split_size_or_sections, split_size):
        raise TypeError("split(): expected split_size_or_sections, or split_size")
    if isinstance(given, int):
        return input._split(given, dim if axis is None else _dim("split", input, dim, axis))
    dim = _dim("split", input, dim, axis)
    total = input.shape[dim]
    lengths = list(given)
    if sum(lengths) != total or min(lengths, default=0) < 0:
        got = lengths if len(lengths) < 100 else f"{len(lengths)} sizes"
        raise ValueError(f"split: expected sizes that add up to {total} (dim {dim}), got {got}")
    return _parts(input, dim, lengths)


def tensor_split(
    input: Tensor,
    indices_or_sections: int | Sequence[int] | Tensor,
    dim: int = 0,
    *,
    axis: int | None = None,
) -> tuple[Tensor, ...]:
    """So many views, the first ones longer by one if need be; or the views between the indices given."""
    dim = _dim("tensor_split", input, dim, axis)
    total = input.shape[dim]
    given = indices_or_sections
    if isinstance(given, Tensor):
        given = given.tolist()
    if isinstance(given, int):
        if given < 1:
            raise ValueError(f"tensor_split: expected a positive number of sections, got {given}")
        each, longer = divmod(total, given)
        return _parts(input, dim, [each + (i < longer) for i in range(given)])
    ends = [slice(index).indices(total)[1] for index in given] + [total]
    starts = [0, *ends[:-1]]
    return tuple(
        input.narrow(dim, start, max(0, end - start))
        for start, end in zip(starts, ends, strict=True)
    )
