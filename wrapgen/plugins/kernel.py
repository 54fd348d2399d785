"""`kernel: expression`: a scalar C expression over the arguments' names makes a complete pointwise
operation.

The loop, its per-dtype function, broadcasting of all operands, promotion, in-place form and out=
follow from it. Names have the computing type (`scalar_t`; float for Half), functions are those of
math.yaml for that type, floating literals are retyped; division, remainder and shifts of integers
are defined for every value. `has_x` says whether the nullable tensor `x` was given.
"""

from __future__ import annotations

from dataclasses import replace

from wrapgen import expression, tables
from wrapgen.errors import DeclarationError, Loc
from wrapgen.model import Arg, Body, Kernel, Key, Op, Plugin
from wrapgen.plugins.inplace import INPLACE
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import DTYPE, OUTPUT, outputs_of
from wrapgen.plugins.promote import NUMBER, PROMOTE
from wrapgen.plugins.types import dtypes_of, fixed_dtype
from wrapgen.types import TYPES

KERNEL = Key[str]("kernel", lambda node: node.text("kernel"), "a scalar C expression")
_PARAM_TYPES = {
    "real": "scalar_t",
    "accreal": "accreal",
    "double": "double",
    "float": "double",
    "long": "int64_t",
    "int": "int64_t",
    "bool": "bool",
}
_KINDS = {"real": "real", "accreal": "real", "double": "float", "float": "float"}
_MAX_OPERANDS = 8


def _tree(op: Op) -> expression.Node:
    """The checked tree; errors point into the YAML."""
    text = op[KERNEL] or ""
    names = _names(op)
    try:
        tree = expression.parse(text)
        expression.check(tree, names, tables.math())
        for function in expression.calls_in(tree):
            _check_function(op, function)
        expression.check_integers(tree, names, _integral(op))
    except expression.ExpressionError as error:
        loc = op.options.loc(KERNEL) or op.loc
        caret = f"in kernel at column {error.offset + 1}: {error.message}"
        raise DeclarationError(loc, f"op '{op.name}': {caret}") from None
    return tree


def _names(op: Op) -> dict[str, str]:
    """Names of the expression and what they are: real (scalar_t), float or int."""
    names = {}
    for arg in op.args:
        if arg.type.tensor and not arg[OUTPUT]:
            fixed = fixed_dtype(arg)
            floating = fixed and tables.dtypes()[fixed].category == "floating"
            names[arg.name] = "float" if floating else "int" if fixed else "real"
            if may_be_null(arg):
                if op.arg(f"has_{arg.name}"):
                    what = f"says whether '{arg.name}' is given"
                    raise op.error(KERNEL, f"'has_{arg.name}' {what}; it cannot be an argument")
                names[f"has_{arg.name}"] = "int"
        elif not arg[OUTPUT]:
            names[arg.name] = _KINDS.get(arg.type.name, "int")
    return names


def _integral(op: Op) -> bool:
    return all(tables.dtypes()[name].category != "floating" for name in dtypes_of(op))


def _check_function(op: Op, name: str) -> None:
    """The function exists for all the op's dtypes."""
    table = tables.dtypes()
    group = tables.math()[name].types
    known = {*table.groups()[group], *(("Bool",) if group == "integral" else ())}
    missing = [dtype for dtype in dtypes_of(op) if dtype not in known]
    if missing:
        problem = f"{name}() is for {group} dtypes only, but the op exists for {missing[0]} too"
        raise op.error(KERNEL, f"{problem}; add `types: [{group}]`")


def _check_args(op: Op) -> None:
    tensors = 0
    for arg in op.args:
        if not arg.visible:
            raise op.error(None, f"a kernel has no use for '{arg}'", arg)
        tensors += arg.type.tensor
        if not arg.type.tensor and arg.type.name not in _PARAM_TYPES:
            raise op.error(None, f"a kernel cannot use '{arg}': it takes tensors and numbers", arg)
    if len(outputs_of(op)) > 1:
        raise op.error(KERNEL, "a kernel has one output")
    if not any(arg.type.tensor and not arg[OUTPUT] for arg in op.args):
        raise op.error(KERNEL, "a kernel needs a tensor argument")
    if all(may_be_null(arg) for arg in op.args if arg.type.tensor and not arg[OUTPUT]):
        raise op.error(
            KERNEL, "a kernel needs a tensor argument that is always there: all may be None"
        )
    if tensors > _MAX_OPERANDS:
        raise op.error(KERNEL, f"a kernel has at most {_MAX_OPERANDS} tensors, got {tensors}")


def _rewrite(op: Op) -> tuple[Op, ...]:
    if op[KERNEL] is None:
        return (op,)
    loc = op.options.loc(KERNEL) or op.loc
    if not op.dispatched:
        raise op.error(KERNEL, f"has a kernel, so cname '{op.cname}' would never be called")
    outputs = outputs_of(op)
    if not outputs:
        op = replace(op, args=(_result(op, loc), *op.args))
    _check_args(op)
    _tree(op)
    if all(fixed_dtype(arg) for arg in op.args if arg.type.tensor and not arg[OUTPUT]):
        raise op.error(
            KERNEL,
            "all tensors have a fixed dtype, so there is none to compute in; declare one as THTensor*",
        )
    options = op.options
    if not options.has(PROMOTE):
        options = options.plus(PROMOTE, "arithmetic", loc)
    first = next(arg for arg in op.args if arg.type.tensor and not arg[OUTPUT])
    if not options.has(INPLACE) and not op.name.endswith("_"):
        derive = first.name == "self" and not first.type.dtype
        options = options.plus(INPLACE, "direct" if derive else "false", loc)
    args = tuple(_with_number(arg, arg is first) for arg in op.args)
    cname = f"{op.cname}_{op.overload}" if op.overload else op.cname
    return (replace(op, args=args, options=options, cname=cname),)


def _result(op: Op, loc: Loc) -> Arg:
    """An output whose name no argument has."""
    name = "result"
    while op.arg(name):
        name += "_"
    arg = Arg(TYPES["THTensor*"], name, loc)
    return replace(arg, options=arg.options.plus(OUTPUT, True, loc))


def _with_number(arg: Arg, first: bool) -> Arg:
    if first or not arg.type.tensor or arg[OUTPUT] or arg.options.has(NUMBER):
        return arg
    return replace(arg, options=arg.options.plus(NUMBER, True, arg.loc))


def _params(op: Op) -> list[tuple[str, str, str]]:
    """The expression's names that are the same for all elements: name, C type, C expression of the value."""
    numbers = [arg for arg in op.args if not arg.type.tensor]
    given = [arg for arg in op.args if arg.type.tensor and may_be_null(arg)]
    return [
        *((arg.name, _PARAM_TYPES[arg.type.name], arg.kernel_name) for arg in numbers),
        *((f"has_{arg.name}", "bool", f"{arg.kernel_name} != NULL") for arg in given),
    ]


def _weave(op: Op, body: Body) -> Body:
    if op[KERNEL] is None:
        return body
    tree = _tree(op)
    functions = tables.math()
    table = tables.dtypes()
    integers = any(table[name].category != "floating" for name in dtypes_of(op))
    kinds = _names(op)
    inputs = [arg for arg in op.args if arg.type.tensor and not arg[OUTPUT]]
    params = _params(op)
    names = {arg.name: arg.kernel_name for arg in op.args}
    names |= {name: name for name, _, _ in params if name not in names}
    printer = expression.Printer(functions, integers, kinds, names)
    text = printer.show(tree)
    used = expression.names_in(tree)
    outputs = outputs_of(op)
    output = outputs[0] if outputs else None
    result = (output.type.dtype or output[DTYPE] or "compute") if output else "compute"
    if result == "compute":
        result = "Bool" if op[PROMOTE] == "comparison" else ""
    return replace(
        body,
        kernel=Kernel(
            expression=text,
            hoisted=tuple(printer.hoisted),
            outputs=((output.kernel_name if output else "result", result),),
            inputs=tuple((arg.kernel_name, fixed_dtype(arg)) for arg in inputs),
            params=tuple(
                (names[name], ctype, value) for name, ctype, value in params if name in used
            ),
            nullable=tuple(arg.kernel_name for arg in inputs if may_be_null(arg)),
            used=tuple(arg.kernel_name for arg in inputs if arg.name in used),
            whole_vectors=any(functions[name].vector for name in expression.calls_in(tree)),
            cost=min(255, max(1, expression.cost(tree, functions))),
            source=op[KERNEL] or "",
        ),
    )


PLUGIN = Plugin("Kernel", __doc__, op_keys=(KERNEL,), rewrite=_rewrite, weave=_weave)
