"""How tensors print: the way PyTorch prints them.

Elements of one tensor share a width and a notation, chosen from the elements that are shown: integers as `1.`, else so
many digits after the point, else exponents when they span too many orders of magnitude. Large tensors show their edges.
"""

from __future__ import annotations

from math import ceil, inf, isfinite

from thwrap import _C
from thwrap._C import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_GAP = "..."
_PROFILES = {"default": (4, 1000, 3), "short": (2, 1000, 2), "full": (4, inf, 3)}


class _Options:
    """The settings of set_printoptions."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_options = _Options()


def _checked(name: str, value: Any, kind: Any) -> Any:
    """A number that is not negative."""
    if not isinstance(value, kind) or isinstance(value, bool):
        what = "int" if kind is int else "number"
        got = type(value).__name__
        raise TypeError(f"set_printoptions(): argument '{name}' must be {what}, not {got}")
    if not value >= 0:
        raise ValueError(f"set_printoptions: expected {name} >= 0, got {value}")
    return value


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Sets how tensors print; None leaves a setting as it is.

    precision: digits after the point. threshold: tensors of more elements show only their edges. edgeitems: how many
    items an edge has. linewidth: characters in a line. profile: "default", "short" or "full". sci_mode: exponents
    always (True), never (False), or by the elements (None).
    """
    given: dict[str, Any] = {}
    if precision is not None:
        given["precision"] = _checked("precision", precision, int)
    if edgeitems is not None:
        given["edgeitems"] = _checked("edgeitems", edgeitems, int)
    if linewidth is not None:
        given["linewidth"] = _checked("linewidth", linewidth, int)
    if threshold is not None:
        given["threshold"] = _checked("threshold", threshold, (int, float))
    if profile is not None:
        if profile not in _PROFILES:
            names = ", ".join(_PROFILES)
            raise ValueError(f"set_printoptions: expected a profile of {names}, got {profile!r}")
        _options.precision, _options.threshold, _options.edgeitems = _PROFILES[profile]
        _options.linewidth = 80
    vars(_options).update(given, sci_mode=sci_mode)


def get_printoptions() -> dict[str, Any]:
    """The settings, as set_printoptions takes them."""
    names = ("precision", "threshold", "edgeitems", "linewidth", "sci_mode")
    return {name: getattr(_options, name) for name in names}


def text(tensor: Tensor) -> str:
    """What repr gives."""
    prefix = "tensor(" if type(tensor) is Tensor else f"{type(tensor).__name__}("
    suffixes = []
    default = _C.get_default_dtype()
    if tensor.numel() == 0:
        body = "[]"
        if tensor.ndim != 1:
            suffixes.append(f"size={tuple(tensor.shape)}")
        implied = tensor.dtype == default
    else:
        if _options.edgeitems == 0:
            suffixes.append(f"size={tuple(tensor.shape)}")
        body = _elements_text(tensor, len(prefix))
        implied = tensor.dtype in (default, _C.int64, _C.bool)
    if not implied:
        suffixes.append(f"dtype={tensor.dtype}")
    return _with_suffixes(prefix + body, suffixes, len(prefix))


def _with_suffixes(result: str, suffixes: list[str], indent: int) -> str:
    """Appends `, suffix` each, on lines of their own where they would not fit."""
    last_line = len(result) - result.rfind("\n") + 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > _options.linewidth:
            result += ",\n" + " " * indent + suffix
            last_line = indent + len(suffix)
        else:
            result += ", " + suffix
            last_line += len(suffix) + 2
    return result + ")"


def _elements_text(tensor: Tensor, indent: int) -> str:
    summarized = tensor.ndim > 0 and tensor.numel() > _options.threshold
    nested = _edges(tensor) if summarized else tensor.tolist()
    leaves = [leaf for leaf in _leaves(nested) if leaf is not _GAP]
    show, width = _notation(leaves) if tensor.is_floating_point() else _plain(leaves)
    return _rows(nested, tensor.ndim, indent, show, width)


def _edges(tensor: Tensor) -> list[Any]:
    """Nested lists of the elements to be shown, with a gap for those left out."""

    def items(part: Tensor) -> list[Any]:
        return part.tolist() if part.ndim == 1 else [_edges(row) for row in part]

    length, edge = len(tensor), _options.edgeitems
    if length <= 2 * edge:
        return items(tensor)
    return [*items(tensor[:edge]), _GAP, *items(tensor[length - edge :])]


def _leaves(nested: Any) -> Iterator[Any]:
    if not isinstance(nested, list):
        yield nested
        return
    for item in nested:
        yield from _leaves(item)


def _plain(values: list[Any]) -> tuple[Callable[[Any], str], int]:
    return str, max((len(str(value)) for value in values), default=1)


def _notation(values: list[float]) -> tuple[Callable[[float], str], int]:
    """How these floating-point numbers are written, and the width of the longest."""

    def fixed(value: float) -> str:
        return f"{value:.{_options.precision}f}"

    def exponent(value: float) -> str:
        return f"{value:.{_options.precision}e}"

    def whole(value: float) -> str:
        return f"{value:.0f}." if isfinite(value) else f"{value:.0f}"

    measured = [value for value in values if isfinite(value) and value != 0]
    if not measured:
        return whole, 1
    magnitudes = [abs(value) for value in measured]
    least, most = min(magnitudes), max(magnitudes)
    integers = all(value == ceil(value) for value in measured)
    scientific = _options.sci_mode
    if scientific is None:
        scientific = most / least > 1000 or most > 1e8 or (not integers and least < 1e-4)
    show = exponent if scientific else whole if integers else fixed
    return show, max(len(show(value)) for value in measured)


def _rows(nested: Any, ndim: int, indent: int, show: Callable[[Any], str], width: int) -> str:
    if ndim == 0:
        return show(nested).rjust(width)
    if ndim == 1:
        return _line(nested, indent, show, width)
    rows = [row if row is _GAP else _rows(row, ndim - 1, indent + 1, show, width) for row in nested]
    return "[" + ("," + "\n" * (ndim - 1) + " " * (indent + 1)).join(rows) + "]"


def _line(values: list[Any], indent: int, show: Callable[[Any], str], width: int) -> str:
    """A 1-d tensor, broken into as many lines as it needs."""
    gap = f" {_GAP}" if _options.edgeitems else _GAP
    shown = [gap if value is _GAP else show(value).rjust(width) for value in values]
    each = max(1, (_options.linewidth - indent) // (width + 2))
    lines = [", ".join(shown[i : i + each]) for i in range(0, len(shown), each)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
