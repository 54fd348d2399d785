"""Prints what people read of an operation's arguments: in messages, in docstrings, by inspect.signature()."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wrapgen.chain import Operation
from wrapgen.model import Param

# What may be an array in op packages.
ARRAY_KINDS = ("THP_TENSOR", "THP_OPERAND", "THP_TENSOR_LIST", "THP_OUT")


def shown(param: Param, arrays: bool) -> str:
    """What an argument takes, for people."""
    if not arrays or param.kind not in ARRAY_KINDS:
        return param.shown
    return re.sub(r"Tensors?", lambda match: f"{match[0]} or array{match[0][6:]}", param.shown)


def shown_parameters(params: Sequence[Param], arrays: bool = False) -> str:
    """`(Tensor input, Tensor or number other, *, Number alpha=1)`"""
    parts, star = [], False
    for param in params:
        if param.kwarg_only and not star:
            parts.append("*")
            star = True
        default = f"={param.shown_default}" if param.default else ""
        parts.append(f"{shown(param, arrays)} {param.name}{default}")
    return f"({', '.join(parts)})"


def text_signature(params: Sequence[Param], method: bool) -> str:
    """`($self, other, *, alpha=1)`: what inspect.signature reads."""
    parts, star = ["$self" if method else "$module"], False
    rest = [param for param in params if not (method and param.arg.name == "self")]
    late_required = any(
        a.default and not b.default
        for i, a in enumerate(rest)
        for b in rest[i + 1 :]
        if not a.kwarg_only and not b.kwarg_only
    )
    for param in rest:
        if param.kwarg_only and not star:
            parts.append("*")
            star = True
        default = (
            f"={param.shown_default}" if param.default and not (late_required and not star) else ""
        )
        default = default if "float(" not in default else "=None"
        parts.append(param.identifier + default)
    return f"({', '.join(parts)})"


def documentation(operation: Operation, method: bool, arrays: bool = False) -> str:
    """The docstring with its text signature line."""
    forms = operation.variant("method" if method else "function")
    op = forms[0].op
    single = len(forms) == 1
    head = (
        op.python_name + text_signature(forms[0].body.params, method) + "\n--\n\n" if single else ""
    )
    docs = "\n\n".join(dict.fromkeys(form.op.doc for form in forms if form.op.doc))
    errors = [form.body.kernel.error for form in forms if form.body.kernel]
    listed = "".join(
        f"{form.op.python_name}{shown_parameters(form.body.params, arrays)}\n" for form in forms
    )
    return head + ("" if single else f"{listed}\n") + " ".join(filter(None, [docs, *errors]))
