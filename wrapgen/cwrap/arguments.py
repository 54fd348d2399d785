"""Arguments of the original syntax as those of our own files."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import yaml

from wrapgen.cwrap import functions, trees
from wrapgen.cwrap.declarations import Argument
from wrapgen.cwrap.functions import OUTPUTS, Bound
from wrapgen.errors import Loc, nearest
from wrapgen.types import TYPES

# Spellings of the same type: cwrap's, ATen's, and those that differ by backend.
_SPELLED = {
    "int64_t": "long",
    "THLongStorage*": "THSize*",
    "IntList": "THSize*",
    "IntArrayRef": "THSize*",
    "Generator*": "THGenerator*",
    "THPGenerator*": "THGenerator*",
    "Storage": "THStorage*",
    "TensorList": "THTensorList",
    "Tensor": "THTensor*",
    "Scalar": "THScalar",
    "BoolTensor": "THBoolTensor*",
    "IndexTensor": "THIndexTensor*",
    "IntegerTensor": "THIntegerTensor*",
    "THDenseTensor*": "THTensor*",
    "THDenseIndexTensor*": "THIndexTensor*",
    "THLongTensor*": "THIndexTensor*",
    "THIntTensor*": "THIntegerTensor*",
}
_SPARSE = re.compile(r"THSP?([A-Z]\w*)?Tensor\*|SparseTensor")
_CUDA = re.compile(r"TH\w*Cuda|THC[A-Z]|cudnn|THVoid")
_FIXED = {f"TH{name}Tensor*": name for name in ("Float", "Double", "Half", "Short", "Char")}
_NULL = ("NULL", "null", "~", "nullptr", "THPDefaultGenerator->cdata", "None")


class Unsupported(Exception):
    """Why a form cannot be had; `kind` is what it is counted under."""

    def __init__(self, kind: str, reason: str, loc: Loc | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.loc = loc


@dataclass(frozen=True)
class Ours:
    """An argument as it will be written."""

    at: yaml.Node
    type: str
    name: str
    keys: dict[str, yaml.Node] = field(default_factory=dict)
    place: int = -1  # among the arguments of then
    mark: str = ""

    @property
    def visible(self) -> bool:
        return self.type not in ("CONSTANT", "argument")

    @property
    def output(self) -> bool:
        return "output" in self.keys

    def has(self, key: str) -> bool:
        return key in self.keys

    def plus(self, **keys: str) -> Ours:
        """With keys whose values are plain scalars."""
        added = {key: trees.scalar(value, self.at) for key, value in keys.items()}
        return replace(self, keys={**self.keys, **added})

    def without(self, *keys: str) -> Ours:
        rest = {key: value for key, value in self.keys.items() if key not in keys}
        return replace(self, keys=rest)

    def tree(self) -> yaml.Node:
        typed = trees.scalar(f"{self.type} {self.name}", self.at)
        if not self.keys:
            return typed
        order = [key for key in _ORDER if key in self.keys]
        order += [key for key in self.keys if key not in _ORDER]
        return trees.mapping([("arg", typed), *((key, self.keys[key]) for key in order)], self.at)


_ORDER = "output dtype default wrap_dim assert_ndim broadcast if_true if_false nullable long_args kwarg_only".split()


def spelled(kind: str) -> tuple[str, str]:
    """Our name of a type, and the dtype that it fixes."""
    if _SPARSE.fullmatch(kind):
        raise Unsupported("sparse", "sparse tensors are not there")
    if _CUDA.match(kind):
        raise Unsupported("CUDA only", f"'{kind}' is a type of CUDA")
    kind = kind.replace("Backend", "TH") if kind.startswith("Backend") else kind
    kind = _SPELLED.get(kind, kind)
    if kind in _FIXED:
        return "THTensor*", _FIXED[kind]
    if kind not in TYPES:
        hint = nearest(kind, [*TYPES, *_SPELLED, *_FIXED])
        raise Unsupported("unknown type", f"unknown type '{kind}'{hint}")
    return kind, ""


def _default(arg: Argument, kind: str, last_dims: frozenset[str]) -> str | None:
    """cwrap pasted a default's text where the C value is expected; ours is what a caller would have given."""
    text = arg.default
    if text is None or text in _NULL:
        return None if text is None else "NULL"
    if text in last_dims:
        return "-1"
    if kind != "bool":
        return text
    for value, word in ((arg.if_true, "true"), (arg.if_false, "false")):
        if value is not None and functions.same(value.strip("'\""), text.strip("'\"")):
            return word
    words = {"1": "true", "yes": "true", "on": "true", "0": "false", "no": "false", "off": "false"}
    return words.get(text.lower(), text.lower())


def ours(
    places: tuple[Argument, ...], form: tuple[Argument, ...], last_dims: frozenset[str]
) -> Ours:
    """An argument, in all places where it is passed, as one of ours."""
    arg = places[0]
    kind, dtype = spelled(arg.typed.type)
    result = Ours(arg.node.tree, kind, arg.name, place=form.index(arg))
    if dtype:
        result = result.plus(dtype=dtype)
    for place in places:
        result = _keys(result, place, kind, last_dims)
    return result


def _keys(result: Ours, arg: Argument, kind: str, last_dims: frozenset[str]) -> Ours:
    for key, given in (
        ("output", arg.output),
        ("kwarg_only", arg.kwarg_only and not arg.output),
        ("long_args", arg.long_args),
        ("nullable", arg.nullable),
    ):
        if given:
            result = result.plus(**{key: "true"})
    default = _default(arg, kind, last_dims)
    for key, text in (("default", default), ("if_true", arg.if_true), ("if_false", arg.if_false)):
        if text is not None:
            result = result.plus(**{key: text})
    keys = dict(arg.kept)
    if arg.assert_ndim is not None:
        keys["assert_ndim"] = arg.assert_ndim
    result = replace(result, keys={**result.keys, **{key: node.tree for key, node in keys.items()}})
    if arg.wrap_dim is not None:
        of = trees.scalar(arg.wrap_dim.of, result.at)
        extra = trees.scalar(str(arg.wrap_dim.extra), result.at)
        both = trees.mapping([("of", of), ("extra", extra)], result.at)
        value = both if arg.wrap_dim.extra else of
        result = replace(result, keys={**result.keys, "wrap_dim": value})
    if arg.broadcast is not None:
        names = arg.broadcast.others
        word = "dims" if arg.broadcast.dims else "with"
        texts = [f"{name}.{dim}" for name, dim in arg.broadcast.dims] or list(names)
        items = trees.sequence((trees.scalar(text, result.at) for text in texts), result.at)
        value = trees.mapping([(word, items)], result.at)
        result = replace(result, keys={**result.keys, "broadcast": value})
    return result


def marked(arg: Ours, mark: str, tensor: str) -> Ours:
    """An argument as the function of today wants it."""
    arg = replace(arg, mark=mark)
    if mark in OUTPUTS:
        dtype = OUTPUTS[mark]
        plain = arg.type == "THTensor*" and dtype and not arg.has("dtype")
        return arg.plus(dtype=dtype) if plain else arg
    if mark == "number":
        return replace(arg, type="THTensor*").plus(number="true")
    if mark in ("scalar", "double"):
        return replace(arg, type="THScalar" if mark == "scalar" else "double")
    if mark in ("dim", "dims"):
        arg = arg if arg.has("wrap_dim") else arg.plus(wrap_dim=tensor)
        return replace(arg, type="THDims*") if mark == "dims" else arg
    if mark == "any":
        return arg.without("dtype")
    if mark == "not":
        yes = arg.keys.get("if_true") or trees.scalar("1", arg.at)
        no = arg.keys.get("if_false") or trees.scalar("0", arg.at)
        return replace(arg, keys={**arg.keys, "if_true": no, "if_false": yes})
    return arg


def constant(
    bound: Bound, mark: str, at: yaml.Node, tensor: str, last_dims: frozenset[str]
) -> Ours:
    """A constant as the function of today wants it."""
    text = functions.bare(bound.constant)
    if mark in ("dim", "dims") and text in last_dims:
        dim = Ours(at, "long", "dim").plus(default="-1", kwarg_only="true")
        return marked(dim, mark, tensor)
    if mark == "scalar" and functions.is_number(text):
        whole = text.lstrip("+-").isdigit()
        text = f"THScalar_from{'Long' if whole else 'Double'}({text})"
    elif mark == "not":
        text = f"!({text})"
    elif mark in ("number", "scalar", "dims") or (mark == "dim" and not text.isdecimal()):
        raise Unsupported("constants", f"the constant '{text}' cannot be passed any more")
    return Ours(at, "CONSTANT", text)
