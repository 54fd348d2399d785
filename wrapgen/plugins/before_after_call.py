"""`check: text`, `before_call: text`, `after_call: text`: C statements around the call; `$argN` is
the C local of argument N.

Arguments are counted from 0 in the declared list. `check` runs before dtypes are combined and
compared with `types`, when it is known that tensors are there. `before_call` runs when everything is checked and
before results are allocated, so that it may still refuse (`TH_TRY(...)`); text that mentions an
output runs right before the call instead. `dtype` is the computing dtype. `after_call` runs after a
successful call.
"""

from __future__ import annotations

import re
from dataclasses import replace

from wrapgen.errors import Loc
from wrapgen.model import Body, Key, Op, Plugin
from wrapgen.plugins.argument_references import target
from wrapgen.plugins.inplace import result_local
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.syntax.values import TEXT

CHECK = Key[str](
    "check",
    lambda node: node.text("check"),
    "C among the checks of arguments, before dtypes are combined; it refuses by "
    "`TH_TRY(...)`. `$argN` is the C local of argument N.",
    TEXT,
    'check: TH_TRY(THCheck_ndimAtLeast("trace", "self", $arg1, 2));',
)
BEFORE_CALL = Key[str](
    "before_call",
    lambda node: node.text("before_call"),
    "C before the call.",
    TEXT,
    "before_call: if ($arg1 == 0) goto done;",
)
AFTER_CALL = Key[str](
    "after_call",
    lambda node: node.text("after_call"),
    "C after a call that succeeded.",
    TEXT,
    "after_call: THTensor_squeeze1d($arg0);",
)
_ARG = re.compile(r"\$arg(\d+)")


def _numbers(op: Op, key: Key[str]) -> list[int]:
    text = op[key] or ""
    numbers = [int(match) for match in _ARG.findall(text)]
    for number in numbers:
        if number >= len(op.declared):
            raise op.error(
                key, f"$arg{number} is not there: the list has {len(op.declared)} arguments"
            )
    if "$" in _ARG.sub("", text):
        raise op.error(key, "a $ must begin $argN; Python-object expressions are not supported")
    return numbers


def _rewrite(op: Op) -> tuple[Op, ...]:
    for key in (CHECK, BEFORE_CALL, AFTER_CALL):
        _numbers(op, key)
    if any(op.declared[number][OUTPUT] for number in _numbers(op, CHECK)):
        raise op.error(CHECK, "check cannot name an output: there is none yet")
    return (op,)


def _text(op: Op, body: Body, key: Key[str]) -> str:
    """The text with the locals' names."""

    def local(match: re.Match[str]) -> str:
        arg = op.declared[int(match[1])]
        if arg.type.name == "argument":
            arg = target(op, arg)
        return result_local(op, body) if arg[OUTPUT] and op.inplace else arg.cname

    return _ARG.sub(local, (op[key] or "").strip())


def _loc(op: Op, key: Key[str]) -> Loc:
    """Where the text begins: a block scalar's is below its indicator."""
    loc = op.options.loc(key) or op.loc
    return replace(loc, line=loc.line + 1) if (op[key] or "").endswith("\n") else loc


def _weave(op: Op, body: Body) -> Body:
    for key, slot in ((CHECK, "checks"), (BEFORE_CALL, "prepare"), (AFTER_CALL, "after")):
        if not op[key]:
            continue
        if key is BEFORE_CALL and any(op.declared[number][OUTPUT] for number in _numbers(op, key)):
            slot = "call"
        body = body.plus(slot, PLUGIN.name, _loc(op, key), _text(op, body, key), quoted=True)
    return body


PLUGIN = Plugin(
    "BeforeAfterCall",
    __doc__,
    op_keys=(CHECK, BEFORE_CALL, AFTER_CALL),
    rewrite=_rewrite,
    weave=_weave,
)
