"""`kernel: expression`: a scalar C expression over the arguments' names makes a complete pointwise
operation.

The loop, its per-dtype function, broadcasting of all operands, promotion, in-place form and out=
follow from it. Names have the computing type (`scalar_t`; float for Half), functions are those of
math.yaml for that type and those of `c:` entries, floating literals are retyped; division,
remainder and shifts of integers are defined for every value. `has_x` says whether the nullable
tensor `x` was given, `number_x` whether tensor `x` is a Python number.

`kernel: "a = expression; b = expression;"`: several statements, each of which names a value: a
result, or a local of the computing type for statements after it. All results must be assigned;
there may be several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from wrapgen import tables
from wrapgen.dtypes import Dtype
from wrapgen.errors import DeclarationError, Loc
from wrapgen.model import Arg, Body, Kernel, Key, Op, Plugin, Result, Step, kernel_name
from wrapgen.plugins.common import MAX_OPERANDS, PARAM_TYPES
from wrapgen.plugins.inplace import INPLACE
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import DTYPE, OUTPUT, outputs_of
from wrapgen.plugins.promote import NUMBER, PROMOTE
from wrapgen.plugins.types import dtypes_of, fixed_dtype
from wrapgen.syntax import expression, statements, traits
from wrapgen.syntax.calls import LIBRARY
from wrapgen.syntax.expression import Assignment
from wrapgen.syntax.node import Node, Text
from wrapgen.syntax.printer import Printer
from wrapgen.syntax.values import TEXT
from wrapgen.tables import MathFunction
from wrapgen.types import TYPES


@dataclass(frozen=True)
class Expression:
    """The text with its place, the statements of it, and the results' arguments once they are known."""

    text: Text
    statements: tuple[Assignment, ...]
    outputs: tuple[Arg, ...] = ()
    what: str = "kernel"  # the key that it is of

    def __str__(self) -> str:
        return self.text.text

    @property
    def trees(self) -> tuple[expression.Node, ...]:
        return tuple(statement.value for statement in self.statements)


def parse(node: Node) -> Expression:
    text = node.placed("kernel")
    try:
        return Expression(text, expression.parse_statements(text.text))
    except expression.ExpressionError as error:
        raise DeclarationError(text.at(error.offset), f"in kernel: {error.message}") from None


KERNEL = Key[Expression](
    "kernel",
    parse,
    "A scalar C expression over the arguments' names, or statements `name = expression;`:"
    " no C function is needed.",
    TEXT,
    'kernel: "self > 0 ? self : weight * self"',
)
COSTLY = 8  # elementary steps from which on the engine (TH_COSTLY_STEPS) prefers the widest vectors
_KINDS = {"real": "real", "accreal": "real", "double": "float", "float": "float"}


def functions_of(op: Op) -> dict[str, MathFunction]:
    """The functions for every dtype, and the package's own: for no dtype where they return no number."""
    known = dict(tables.math())
    vectors = {name for name, function in known.items() if function.vector}
    for snippet in op.units.snippets:
        vector = not vectors.isdisjoint(snippet.words)
        for each in snippet.functions:
            group = "all" if each.kind else ""
            known[each.name] = MathFunction(each.name, each.parameters, group, vector, own=True)
    for name, arguments in _foreign(op):
        known.setdefault(name, MathFunction(name, arguments, "all", vector=False, foreign=True))
    return known


def _foreign(op: Op) -> list[tuple[str, int]]:
    """The functions that are called, and how many arguments they get: of a library any may be."""
    source = op[KERNEL]
    found: list[tuple[str, int]] = []

    def visit(node: expression.Node) -> None:
        if node.kind == "call":
            found.append((node.text, len(node.children)))

    for tree in source.trees if source is not None and op.options.has(LIBRARY) else ():
        expression.walk(tree, visit)
    return found


def words_of(op: Op) -> set[str]:
    """The names that a kernel calls."""
    source = op[KERNEL]
    return set() if source is None else {n for t in source.trees for n in expression.calls_in(t)}


def _check(op: Op, source: Expression, checks: Callable[[], None]) -> None:
    """Errors point into the text."""
    try:
        checks()
    except expression.ExpressionError as error:
        message = f"op '{op.name}': in {source.what}: {error.message}"
        raise DeclarationError(source.text.at(error.offset), message) from None


def _early(op: Op) -> None:
    """Functions and names are known, and every value has its use."""
    source = op[KERNEL]
    if source is None:
        return
    known, outputs = functions_of(op), [arg.name for arg in outputs_of(op)]
    for tree in source.trees:
        _check(op, source, partial(expression.check_calls, tree, known))
    results = outputs or [_result_name(op)]
    _check(op, source, partial(statements.check, source.statements, _names(op), results, known))


def _check_types(op: Op, source: Expression) -> None:
    """What is written goes with the dtypes the op exists for."""
    kinds, misfit = _kinds(op, source), partial(_misfit, op)
    for tree in source.trees:
        for function in expression.calls_in(tree):
            _check_function(op, function)
        _check(op, source, partial(expression.check_integers, tree, kinds, _integral(op)))
        _check(op, source, partial(expression.check_literals, tree, misfit))


def check(op: Op) -> None:
    """The kernel of an op whose results are known is right for all its dtypes."""
    source = op[KERNEL]
    if source is not None:
        _early(op)
        _check_types(op, source)


def _misfit(op: Op, value: float) -> str:
    """The dtype of the op that does not hold a value, as Python names it."""
    for row in (tables.dtypes()[name] for name in dtypes_of(op)):
        if row.category == "floating":
            continue
        low, high = (-(1 << row.bits - 1), 1 << row.bits - 1) if row.signed else (0, 1 << row.bits)
        if value != value or not low <= value < high or value != int(value):
            return row.python
    return ""


def numbers_of(op: Op) -> list[Arg]:
    """The tensors that a Python number may be passed for, by default all but the first; `number_x` asks."""
    inputs = [arg for arg in op.args if arg.type.tensor and not arg[OUTPUT]]
    return [
        arg
        for arg in inputs
        if (arg[NUMBER] if arg.options.has(NUMBER) else arg is not inputs[0])
        and not op.arg(f"number_{arg.name}")
    ]


def _names(op: Op) -> dict[str, str]:
    """Names of the expression and what they are: real (scalar_t), float or int."""
    names = dict.fromkeys(_constants(op), "int")
    for arg in op.args:
        if arg.type.tensor and not arg[OUTPUT]:
            fixed = fixed_dtype(arg)
            floating = fixed and tables.dtypes()[fixed].category == "floating"
            names[arg.name] = "float" if floating else "int" if fixed else "real"
            if arg in numbers_of(op):
                names[f"number_{arg.name}"] = "int"
            if may_be_null(arg):
                if op.arg(f"has_{arg.name}"):
                    what = f"says whether '{arg.name}' is given"
                    raise op.error(KERNEL, f"'has_{arg.name}' {what}; it cannot be an argument")
                names[f"has_{arg.name}"] = "int"
        elif not arg[OUTPUT]:
            names[arg.name] = _KINDS.get(arg.type.name, "int")
    return names


def _constants(op: Op) -> set[str]:
    """The constants of a library: names in capitals."""
    source = op[KERNEL]
    if source is None or not op.options.has(LIBRARY):
        return set()
    found = set().union(*map(expression.names_in, source.trees))
    return {name for name in found - expression.CONSTANTS if name.isupper() and not op.arg(name)}


def _kinds(op: Op, source: Expression) -> dict[str, str]:
    """The same for all that may be used: arguments, results, the values of functions."""
    kinds = _names(op)
    for arg in source.outputs:
        fixed = _fixed(op, arg)
        floating = fixed and tables.dtypes()[fixed].category == "floating"
        kinds[arg.name] = "float" if floating else "int" if fixed else "real"
    for snippet in op.units.snippets:
        kinds.update({f"{each.name}()": each.kind for each in snippet.functions if each.kind})
    known = functions_of(op)
    kinds.update({f"{name}()": "float" for name, _ in _foreign(op) if known[name].foreign})
    return kinds


def _integral(op: Op) -> bool:
    return all(tables.dtypes()[name].category != "floating" for name in dtypes_of(op))


def _check_function(op: Op, name: str) -> None:
    """The function exists for all the op's dtypes."""
    table = tables.dtypes()
    group = functions_of(op)[name].types
    if not group:
        raise op.error(KERNEL, f"{name}() returns no number, so a kernel cannot call it")
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
        if not arg.type.tensor and arg.type.name not in PARAM_TYPES:
            raise op.error(None, f"a kernel cannot use '{arg}': it takes tensors and numbers", arg)
    if len(outputs_of(op)) > 1 and op.name.endswith("_"):
        raise op.error(
            KERNEL, f"is in place, so its kernel has one output, got {len(outputs_of(op))}"
        )
    for output in outputs_of(op):
        if output[DTYPE] in ("accumulate", "truth"):
            message = "a kernel's output is of the computing dtype or of a named one"
            raise op.error(DTYPE, f"{message}, got '{output[DTYPE]}'", output)
    if not any(arg.type.tensor and not arg[OUTPUT] for arg in op.args):
        raise op.error(KERNEL, "a kernel needs a tensor argument")
    if all(may_be_null(arg) for arg in op.args if arg.type.tensor and not arg[OUTPUT]):
        raise op.error(
            KERNEL, "a kernel needs a tensor argument that is always there: all may be None"
        )
    if tensors > MAX_OPERANDS:
        raise op.error(KERNEL, f"a kernel has at most {MAX_OPERANDS} tensors, got {tensors}")


def _rewrite(op: Op) -> tuple[Op, ...]:
    source = op[KERNEL]
    if source is None:
        return (op,)
    loc = op.options.loc(KERNEL) or op.loc
    if not op.dispatched:
        raise op.error("cname", f"has a kernel, so cname '{op.cname}' would never be called")
    if not outputs_of(op):
        op = replace(op, args=(_result(op, loc), *op.args))
    _check_args(op)
    source = replace(source, outputs=outputs_of(op))
    check(replace(op, options=op.options.plus(KERNEL, source, loc)))
    if all(fixed_dtype(arg) for arg in op.args if arg.type.tensor and not arg[OUTPUT]):
        raise op.error(
            KERNEL,
            "all tensors have a fixed dtype, so there is none to compute in; declare one as THTensor*",
        )
    options = op.options.plus(KERNEL, source, loc)
    if not options.has(PROMOTE):
        options = options.plus(PROMOTE, "arithmetic", loc)
    first = next(arg for arg in op.args if arg.type.tensor and not arg[OUTPUT])
    if not options.has(INPLACE) and not op.name.endswith("_"):
        derive = first.name == "self" and not first.type.dtype and len(source.outputs) == 1
        options = options.plus(INPLACE, "direct" if derive else "false", loc)
    args = tuple(_with_number(arg, arg is first) for arg in op.args)
    cname = f"{op.cname}_{op.overload}" if op.overload else op.cname
    return (replace(op, args=args, options=options, cname=cname),)


def _result_name(op: Op) -> str:
    """A name that no argument has."""
    name = "result"
    while op.arg(name):
        name += "_"
    return name


def _result(op: Op, loc: Loc) -> Arg:
    """The output of an entry that names none."""
    arg = Arg(TYPES["THTensor*"], _result_name(op), loc)
    return replace(arg, options=arg.options.plus(OUTPUT, True, loc))


def _with_number(arg: Arg, first: bool) -> Arg:
    if first or not arg.type.tensor or arg[OUTPUT] or arg.options.has(NUMBER):
        return arg
    return replace(arg, options=arg.options.plus(NUMBER, True, arg.loc))


def _params(op: Op) -> list[tuple[str, str, str]]:
    """The expression's names that are the same for all elements: name, C type, C expression of the value.

    Whether an operand is there is a number of the elements' type: gcc takes no bool that is the same for all of them
    for a condition by which it could choose among vectors.
    """
    numbers = [arg for arg in op.args if not arg.type.tensor]
    given = [arg for arg in op.args if arg.type.tensor and may_be_null(arg)]
    return [
        *((arg.name, PARAM_TYPES[arg.type.name], arg.kernel_name) for arg in numbers),
        *((f"has_{arg.name}", "scalar_t", f"{arg.kernel_name} != NULL") for arg in given),
        *(
            (f"number_{arg.name}", "bool", f"THTensor_isNumber({arg.kernel_name})")
            for arg in numbers_of(op)
        ),
    ]


def _printer(op: Op, source: Expression) -> Printer:
    categories = {tables.dtypes()[name].category for name in dtypes_of(op)}
    names = {statement.name: kernel_name(statement.name) for statement in source.statements}
    names |= {arg.name: arg.kernel_name for arg in op.args}
    names |= {name: name for name, _, _ in _params(op) if name not in names}
    integers, floating = categories != {"floating"}, "floating" in categories
    kinds = _kinds(op, source)
    return Printer(functions_of(op), integers, kinds, names, floating=floating)


def _fixed(op: Op, output: Arg) -> str:
    """The dtype of a result, unless it is the computing one."""
    word = output.type.dtype or output[DTYPE] or "compute"
    if word != "compute":
        return word
    return "Bool" if op[PROMOTE] == "comparison" else ""


def _value(printer: Printer, tree: expression.Node, dtype: str) -> str:
    """The value as it is stored; Bool by what stores it."""
    row = tables.dtypes()[dtype] if dtype else None
    if row is not None and row.category != "bool":
        return printer.convert(tree, tables.dtypes()[row.compute].storage)
    floating = expression.kind_of(tree, printer.kinds) == "float"
    return printer.convert(tree, "scalar_t") if floating and row is None else printer.show(tree)


def _ctype(dtype: str) -> str:
    """The C type of a value that is stored as this dtype."""
    if not dtype:
        return "scalar_t"
    row = tables.dtypes()[dtype]
    return "bool" if row.category == "bool" else tables.dtypes()[row.compute].storage


def _steps(op: Op, source: Expression, printer: Printer) -> tuple[list[Step], list[str]]:
    """What is computed before the results are stored, and what is stored for each."""
    steps: list[Step] = []
    fixed = {arg.name: _fixed(op, arg) for arg in source.outputs}
    names = [statement.name for statement in source.statements]
    values: list[str] = []
    for place, statement in enumerate(source.statements):
        line = source.text.at(statement.offset).line
        dtype = fixed.get(statement.name or source.outputs[0].name, "")
        hoisted = len(printer.hoisted)
        value = _value(printer, statement.value, dtype)
        for name, call in printer.hoisted[hoisted:]:
            steps.append(Step("const scalar_t", name, call, line))
        if not statement.name:
            return steps, [value]
        ctype = _ctype(dtype)
        stored = ctype == "scalar_t" and "Bool" in dtypes_of(op)
        value = f"({value}) != 0" if ctype == "bool" else value
        const = names.count(statement.name) == 1 and not stored
        declared = (
            f"const {ctype}" if const else ctype if statement.name not in names[:place] else ""
        )
        steps.append(Step(declared, printer.names[statement.name], value, line, stored))
    values = [printer.names[arg.name] for arg in source.outputs]
    return steps, values


def _paired(
    op: Op, source: Expression, functions: Mapping[str, MathFunction], printer: Printer
) -> str:
    """The expression for words, of which the lower byte alone counts; "" where that is not all there is to it, or no
    gain: bytes have every operation but the product."""
    (*before, tree) = source.trees
    has_bytes = any(tables.dtypes()[name].is_byte for name in dtypes_of(op))
    if before or not has_bytes or any(_fixed(op, arg) for arg in source.outputs):
        return ""
    elements = {arg.name for arg in op.args if arg.type.tensor and not fixed_dtype(arg)}
    elements |= {arg.name for arg in op.args if arg.type.name == "real"}
    found = traits.of_lower_bits(tree, functions, elements)
    return printer.show(found) if found is not None and traits.has_product(found) else ""


def _error(op: Op, source: Expression, functions: Mapping[str, MathFunction]) -> str:
    """The errors that math.yaml states of what a floating kernel calls, as a sentence."""
    called = {name for tree in source.trees for name in expression.calls_in(tree)}
    known = sorted((functions[name] for name in called), key=lambda function: function.name)
    inexact = [function for function in known if function.ulp]
    floating = any(tables.dtypes()[name].category == "floating" for name in dtypes_of(op))
    if not (floating and inexact) or any(each.own or each.foreign for each in known):
        return ""
    (*before, tree) = source.trees
    if not before and tree.kind == "call" and all(each.kind == "name" for each in tree.children):
        return f"Error at most {functions[tree.text].ulp:g} ulp."
    errors = [f"`{each.name}` (error at most {each.ulp:g} ulp)" for each in inexact]
    return f"Computed from {' and '.join(errors)} by rounded arithmetic."


def _whole(
    op: Op, source: Expression, functions: Mapping[str, MathFunction]
) -> MathFunction | None:
    """The function, if the kernel is one call of it on all inputs, to a result of their dtype."""
    (*before, tree) = source.trees
    inputs = [arg for arg in op.args if not arg[OUTPUT]]
    if before or tree.kind != "call" or any(_fixed(op, arg) for arg in source.outputs):
        return None
    if any(fixed_dtype(arg) or not arg.type.tensor for arg in inputs):
        return None
    given = [each.text for each in tree.children if each.kind == "name"]
    return functions[tree.text] if given == [arg.name for arg in inputs] else None


def _is_light(op: Op, source: Expression, functions: Mapping[str, MathFunction], cost: int) -> bool:
    """Do little integers, if the op exists for them, take no less time in the widest vectors?"""
    integral = any(tables.dtypes()[name].category == "integral" for name in dtypes_of(op))
    light = all(traits.is_light(tree, functions) for tree in source.trees)
    return integral and light and cost < COSTLY


def _has_twins(op: Op, twin_of: Callable[[Dtype], Dtype]) -> bool:
    """Does the op exist for dtypes whose loops might be others', which it exists for, too?"""
    table = tables.dtypes()
    twins = {name: twin_of(table[name]).name for name in dtypes_of(op)}
    differ = any(name != twin for name, twin in twins.items())
    return differ and set(twins.values()) <= set(twins)


def _elements(op: Op) -> set[str]:
    return {arg.name for arg in op.args if arg.type.tensor and not fixed_dtype(arg)}


def _numbers(op: Op) -> set[str]:
    return {arg.name for arg in op.args if arg.type.name == "real"}


def _is_moved(op: Op, source: Expression) -> bool:
    """Are elements only chosen, so that loops of integers of their size are theirs, too?"""
    if not _has_twins(op, tables.dtypes().word_of) or any(
        _fixed(op, arg) for arg in source.outputs
    ):
        return False
    elements, numbers = _elements(op), _numbers(op)
    return all(traits.is_moved(tree, elements, numbers) for tree in source.trees)


def _is_signless(op: Op, source: Expression, functions: Mapping[str, MathFunction]) -> bool:
    """Are loops of signed integers those of unsigned ones of their width, which the op exists for, too?"""
    if not _has_twins(op, tables.dtypes().bits_of):
        return False
    kinds = _kinds(op, source)
    elements = _elements(op) | _numbers(op)
    integers = {name for name, kind in kinds.items() if kind == "int"}
    stored = {_fixed(op, arg) for arg in source.outputs}
    if stored != {""} and not (stored == {"Bool"} and all(map(traits.is_truth, source.trees))):
        return False
    trees = source.trees
    return all(traits.is_signless(tree, functions, elements, integers) for tree in trees)


def _cost(op: Op, source: Expression, functions: Mapping[str, MathFunction]) -> int:
    fixed = {name for name, _, _ in _params(op)}
    cost = sum(expression.cost(tree, functions, fixed) for tree in source.trees)
    return min(255, max(1, cost))


def _named(op: Op, used: set[str], printer: Printer) -> Iterator[tuple[str, str, str]]:
    """The params that are used, by the names they have in C."""
    for name, ctype, value in _params(op):
        if name in used:
            yield printer.names[name], ctype, value


def _by_function(whole: MathFunction | None) -> dict[str, Any]:
    """What a kernel says of the function that is all of it."""
    if whole is None:
        return {}
    return {
        "bits": whole.name if whole.bits else "",
        "arrays": whole.name if whole.arrays else "",
        "arrays_from": whole.arrays,
        "longs": whole.name if whole.longs == "arrays" else "",
        "longs_by": whole.name if whole.longs == "number" else "",
        "kept": whole.kept,
    }


def _weave(op: Op, body: Body) -> Body:
    source = op[KERNEL]
    if source is None:
        return body
    functions = functions_of(op)
    inputs = [arg for arg in op.args if arg.type.tensor and not arg[OUTPUT]]
    printer = _printer(op, source)
    used = set().union(*map(expression.names_in, source.trees))
    cost = _cost(op, source, functions)
    steps, values = _steps(op, source, printer)
    whole = _whole(op, source, functions)
    return replace(
        body,
        kernel=Kernel(
            steps=tuple(steps),
            results=tuple(
                Result(arg.kernel_name, _fixed(op, arg), value, source.text.at(0).line)
                for arg, value in zip(source.outputs, values, strict=True)
            ),
            inputs=tuple((arg.kernel_name, fixed_dtype(arg)) for arg in inputs),
            params=tuple(_named(op, used, printer)),
            nullable=tuple(arg.kernel_name for arg in inputs if may_be_null(arg)),
            used=tuple(arg.kernel_name for arg in inputs if arg.name in used),
            whole_vectors=any(functions[name].vector for name in words_of(op)),
            cost=cost,
            source=str(source),
            error=_error(op, source, functions),
            light=_is_light(op, source, functions, cost),
            signless=_is_signless(op, source, functions),
            moved=_is_moved(op, source),
            unread=all(traits.of_integers(tree, functions) is not None for tree in source.trees),
            divides=any(traits.has_quotient(tree, functions) for tree in source.trees),
            paired=_paired(op, source, functions, printer),
            **_by_function(whole),
        ),
    )


PLUGIN = Plugin("Kernel", __doc__, op_keys=(KERNEL,), rewrite=_rewrite, weave=_weave, early=_early)
