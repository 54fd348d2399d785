"""`if_true: x` and `if_false: y` on a bool: the C function gets these values instead.

Numbers are passed as they are, anything else as a string (cwrap's 'U' and 'L' for upper and lower).
"""

from wrapgen.model import Body, Key, Op, Plugin
from wrapgen.plugins.common import NUMBER, quoted
from wrapgen.syntax.values import TEXT

IF_TRUE = Key[str](
    "if_true",
    lambda node: node.text("if_true"),
    "Of a `bool`: the C value that is passed for True.",
    TEXT,
    "{arg: bool upper, if_true: U, if_false: L}",
)
IF_FALSE = Key[str](
    "if_false",
    lambda node: node.text("if_false"),
    "Of a `bool`: the C value that is passed for False.",
    TEXT,
    "{arg: bool descending, if_true: 1, if_false: 0}",
)


def _is_number(text: str) -> bool:
    return bool(NUMBER.match(text)) or text in ("true", "false")


def _value(text: str) -> str:
    return text if _is_number(text) else quoted(text.strip("\"'"))


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        yes, no = arg.options.has(IF_TRUE), arg.options.has(IF_FALSE)
        if (yes or no) and arg.type.name != "bool":
            raise op.error(
                IF_TRUE if yes else IF_FALSE, f"if_true and if_false are for bool, not '{arg}'", arg
            )
        if yes != no:
            missing = "if_false" if yes else "if_true"
            raise op.error(None, f"'{arg}' needs {missing} too", arg)
        if yes and _is_number(arg[IF_TRUE] or "") != _is_number(arg[IF_FALSE] or ""):
            message = "expected if_true and if_false as two numbers or two texts"
            raise op.error(IF_FALSE, f"{message}, got '{arg[IF_TRUE]}' and '{arg[IF_FALSE]}'", arg)
    return (op,)


def _weave(op: Op, body: Body) -> Body:
    for arg in op.args:
        yes, no = arg[IF_TRUE], arg[IF_FALSE]
        if yes is not None and no is not None:
            body = body.passing(arg, f"({arg.cname} ? {_value(yes)} : {_value(no)})", exact=True)
    return body


PLUGIN = Plugin("BoolOption", __doc__, arg_keys=(IF_TRUE, IF_FALSE), rewrite=_rewrite, weave=_weave)
