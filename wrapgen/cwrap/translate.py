"""Makes of a declaration the entry that says the same in our own files.

The C functions of then are replaced by those of today (see `functions`), so arguments may move; what has another
meaning today is kept as a note.
"""

from __future__ import annotations

import re
from dataclasses import replace

from wrapgen.cwrap import availability, code, functions, trees
from wrapgen.cwrap.arguments import Ours, Unsupported, constant, marked, ours
from wrapgen.cwrap.declarations import Declaration, Form
from wrapgen.cwrap.entries import Entry, name_of
from wrapgen.cwrap.functions import OUTPUTS, Bound, Row
from wrapgen.cwrap.languages import Typed
from wrapgen.errors import nearest
from wrapgen.syntax.node import Node
from wrapgen.types import RETURNS

_RETURNS = {
    "THIndexTensor*": "THTensor*",
    "THBoolTensor*": "THTensor*",
    "accreal": "real",
    "int": "long",
    "int64_t": "long",
    "float": "double",
}


class _Translator:
    """Translates one form."""

    def __init__(self, declaration: Declaration, form: Form) -> None:
        self.form = form
        self.conditions = (*declaration.block.conditions, *form.defined_if)
        self.at = form.node.tree
        self.name = name_of(declaration)
        self.entry = Entry(self.at, form.loc, [])
        self.entry.own = bool(form.kept) or any(arg.kept for arg in form.args)
        self.last_dims: frozenset[str] = frozenset()
        self.row: Row | None = None
        self.dims: list[tuple[str, str]] = []  # tensors with constant dims, which nothing wraps

    def run(self) -> Entry:
        for note in availability.check_backend(self.form, self.conditions):
            self.entry.note(note)
        availability.check_types(self.form)
        self.last_dims = self.find_last_dims()
        kept = {key: node.tree for key, node in self.form.kept}
        self.entry.keys.update(kept)
        if "kernel" in kept or self.form.cname.startswith("TH"):
            self.as_it_is("kernel" in kept)
        else:
            self.replaced()
        self.types()
        self.order()
        self.returns()
        if self.form.with_gil is not None:
            self.entry.set("with_gil", "true" if self.form.with_gil else "false")
        self.text("before_call", self.form.before_call)
        self.text("after_call", self.form.after_call)
        self.before_arg_assign()
        self.check_dims()
        if any(arg.broadcast and arg.broadcast.fallback for arg in self.form.args):
            self.entry.note("shapes that do not broadcast are errors")
        return self.entry

    def replaced(self) -> None:
        """By the kernel or the function of today."""
        self.row, bound = self.find_row()
        self.kernel(self.row, bound) if self.row.kernel else self.call(self.row, bound)
        self.entry.set("promote", self.row.promote)
        for key, value in (("with_gil", self.row.with_gil), ("out", self.row.out)):
            self.entry.set(key, "true" if value else "")

    def types(self) -> None:
        there = self.row.types if self.row else ()
        words, notes = availability.dtypes(self.form, self.conditions, there)
        for note in notes:
            self.entry.note(note)
        if words:
            items = (trees.scalar(word, self.at) for word in words)
            self.entry.keys["types"] = trees.sequence(items, self.at)

    def find_last_dims(self) -> frozenset[str]:
        """Names that before_call gives to the last dim; its other text is looked at later."""
        if self.form.before_call is None:
            return frozenset()
        try:
            return code.translate(self.form.before_call.text("before_call"), lambda n: n).last_dims
        except code.NotTranslated:
            return frozenset()

    def find_row(self) -> tuple[Row, dict[str, Bound]]:
        cname = self.form.cname
        rows = functions.rows().get(cname, ())
        if not rows:
            hint = nearest(cname, (*functions.rows(), *functions.absent())) or (
                "; if it is yours, give `kernel:`, or its whole name as cname (TH...)"
            )
            raise Unsupported("unknown function", f"TH had no function '{cname}'{hint}")
        for row in rows:
            bound = functions.match(row, self.form)
            if bound is not None:
                return row, bound
        known = " or ".join(row.shown() for row in rows)
        given = ", ".join(str(arg.name) for arg in self.form.args)
        reason = f"expected arguments as in {known}, got ({given})"
        raise Unsupported("kernel", reason)

    def unique(self) -> list[Ours]:
        """The arguments, each once."""
        result: dict[str, Ours] = {}
        for arg in self.form.args:
            if arg.visible and arg.name not in result:
                places = tuple(a for a in self.form.args if a.visible and a.name == arg.name)
                result[arg.name] = ours(places, self.form.args, self.last_dims)
        return list(result.values())

    def as_it_is(self, kernel: bool) -> None:
        """A kernel of our own, or a C function named in full: arguments in their order."""
        seen: dict[str, Ours] = {arg.name: arg for arg in self.unique()}
        twice = [a.name for a in self.form.args if a.visible]
        for index, arg in enumerate(self.form.args):
            if arg.visible and arg.name in seen:
                again = twice.count(arg.name) > 1 and index == self.form.args.index(arg)
                if again and index == 0 and not kernel:
                    self.entry.inplace = True
                    self.entry.args.append(self.result("out"))
                self.entry.args.append(seen.pop(arg.name))
            elif not arg.visible:
                self.entry.args.append(Ours(arg.node.tree, arg.typed.type, arg.name, place=index))
        if not kernel:
            self.entry.set("cname", self.form.cname)
            self.renumber()

    def renumber(self) -> None:
        """`argument N` counts the arguments as they are now."""
        for index, arg in enumerate(self.entry.args):
            if arg.type != "argument":
                continue
            old = self.form.args[int(arg.name)]
            new = next((i for i, a in enumerate(self.entry.args) if a.name == old.name), None)
            if new is not None:
                self.entry.args[index] = replace(arg, name=str(new))

    def kernel(self, row: Row, bound: dict[str, Bound]) -> None:
        """The expression over the names of the arguments; constants stand in it."""
        words = {
            letter: value.name if value.args else functions.operand(value.constant)
            for letter, value in bound.items()
        }
        text = re.sub(r"\b[a-z]\b", lambda match: words.get(match[0], match[0]), row.kernel)
        self.entry.inplace = "r" not in bound or not bound["r"].output
        self.entry.keys["kernel"] = trees.scalar(text, self.at)
        self.entry.args = [arg.without("broadcast") for arg in self.unique() if not arg.output]
        if "r" in bound and bound["r"].args and self.entry.inplace:
            target, first = bound["r"].name, self.entry.args[0].name if self.entry.args else ""
            if target != first:
                raise Unsupported("results", f"'{target}' is written, but no output")

    def call(self, row: Row, bound: dict[str, Bound]) -> None:
        """The arguments in the order of the function of today."""
        by_name = {arg.name: arg for arg in self.unique()}
        tensor = bound["a"].name if "a" in bound and bound["a"].args else "self"
        written = bound.get("r")
        given = [self.form.args[number] for number in self.form.returned]
        back = any(arg.typed.type == "THTensor*" and not arg.output for arg in given)
        self.entry.inplace = (
            not written.output if written is not None else self.form.returns == "self" or back
        )
        for parameter in row.now:
            self.entry.args.append(self.passed(parameter, bound, by_name, tensor))
        if row.cname != self.name.name.removesuffix("_"):
            self.entry.set("cname", row.cname)
        if written is None and any(p.mark in OUTPUTS for p in row.now) and not self.entry.inplace:
            self.entry.note("the result is a 0-d tensor")

    def passed(
        self,
        parameter: functions.Parameter,
        bound: dict[str, Bound],
        by_name: dict[str, Ours],
        tensor: str,
    ) -> Ours:
        """What the function of today gets in one place."""
        if parameter.text == "dtype":
            dtype = Ours(self.at, "THDtype", "dtype")
            return dtype.plus(default="NULL", kwarg_only="true")
        name, equals, default = parameter.text.partition("=")
        if equals:
            return Ours(self.at, parameter.mark, name).plus(default=default, kwarg_only="true")
        if not parameter.variable:
            return Ours(self.at, "CONSTANT", parameter.text)
        value = bound.get(parameter.text)
        if parameter.mark in OUTPUTS and (value is None or not value.output):
            return self.result("out" if self.entry.inplace else parameter.mark)
        assert value is not None
        if any(arg.name == value.name for arg in self.entry.args if value.args):
            place = [arg.name for arg in self.entry.args].index(value.name)
            return Ours(self.at, "argument", str(place))
        if not value.args:
            if parameter.mark == "dim":
                self.dims.append((tensor, functions.bare(value.constant)))
            return constant(value, parameter.mark, self.at, tensor, self.last_dims)
        return marked(by_name[value.name], parameter.mark, tensor)

    def result(self, mark: str) -> Ours:
        """A result that was not declared: self, written in place, or what was returned as a number."""
        name = "result"
        while any(arg.name == name for arg in self.form.args):
            name += "_"
        return marked(Ours(self.at, "THTensor*", name).plus(output="true"), mark, "")

    def order(self) -> None:
        """Callers pass what they did by position; what has moved, or may be left out before others, is a keyword."""
        furthest = -1
        for index, arg in enumerate(self.entry.args):
            if not arg.visible or arg.output or arg.has("kwarg_only"):
                continue
            rest = self.entry.args[index + 1 :]
            required = any(
                a.visible and not a.output and not a.has("default") and not a.has("kwarg_only")
                for a in rest
            )
            moved = 0 <= arg.place < furthest
            if moved or (arg.has("default") and required):
                self.entry.args[index] = arg.plus(kwarg_only="true")
                self.entry.note(f"{arg.name} by keyword only")
            else:
                furthest = max(furthest, arg.place)

    def returns(self) -> None:
        """Results and self are returned by default."""
        text = self.form.returns
        outputs = [arg for arg in self.entry.args if arg.output]
        inputs = [
            self.form.args[n].name for n in self.form.returned if not self.form.args[n].output
        ]
        if self.entry.inplace or text == "self":
            if not self.name.name.endswith("_"):
                self.entry.set("return", "self")
            return
        if outputs or "kernel" in self.entry.keys:
            if inputs:
                self.entry.note(f"gives back its results alone, without {inputs[0]}")
            return
        text = (self.row.returns if self.row else "") or text
        text = _RETURNS.get(text, text)
        if text == "THSTensor*":
            raise Unsupported("sparse", "sparse tensors are not there")
        if text not in RETURNS and text != "void":
            if inputs and self.name.name.endswith("_"):
                return
            raise Unsupported("returns", f"it cannot return '{text}'{nearest(text, RETURNS)}")
        self.entry.set("return", text)

    def text(self, key: str, node: Node | None) -> None:
        """C text around the call."""
        if node is None:
            return
        if self.row is not None and self.row.itself:
            self.entry.note(f"{key} is left out, the function does it")
            return

        def number(old: int) -> int | None:
            if old >= len(self.form.args):
                return None
            name = self.form.args[old].name
            return next((i for i, a in enumerate(self.entry.args) if a.name == name), None)

        try:
            translated = code.translate(node.text(key), number)
        except code.NotTranslated as error:
            raise Unsupported("hand-written C", f"{key} {error}", node.loc) from None
        for note in translated.notes:
            self.entry.note(note)
        if translated.text:
            value = trees.scalar(translated.text, node.tree)
            self.entry.keys[key] = value

    def check_dims(self) -> None:
        """TH checked dims, functions of today get those that are wrapped already."""
        places = {arg.name: f"$arg{index}" for index, arg in enumerate(self.entry.args)}
        lines = []
        for tensor, dim in self.dims:
            if not dim.isdecimal():
                continue
            if tensor not in places:
                raise Unsupported("constants", f"there is no tensor to check dim {dim} of")
            ndim = f"{places[tensor]}->nDimension"
            message = f"{self.name.name}: dim {dim} is out of range for a %d-d tensor"
            lines.append(f'TH_REQUIRE({ndim} > {dim}, TH_ERROR_INDEX, "{message}", {ndim});')
        if lines:
            kept = self.entry.keys.get("before_call")
            text = "\n".join([*lines, *([kept.value] if kept is not None else [])])
            self.entry.keys["before_call"] = trees.scalar(text, self.at)

    def before_arg_assign(self) -> None:
        """Text for which no argument was there yet; warnings are all that is known."""
        node = self.form.before_arg_assign
        if node is None:
            return
        self.text("before_arg_assign", node)
        if self.entry.keys.pop("before_arg_assign", None) is not None:
            raise Unsupported(
                "hand-written C", "before_arg_assign stands before the arguments", node.loc
            )


def split(form: Form) -> list[Form]:
    """A form whose first positional arguments may be left out is two: `arange(end)`, `arange(start, end)`.

    Coefficients (`AS_REAL`) become keywords instead, as they did in PyTorch.
    """
    args = form.args
    positional = [i for i, a in enumerate(args) if a.visible and not (a.output or a.kwarg_only)]
    for index in positional:
        arg = args[index]
        required = any(args[i].default is None for i in positional if i > index)
        if arg.default is None or arg.default.startswith("AS_REAL") or not required:
            continue
        constant = replace(arg, typed=Typed("CONSTANT", arg.default))
        given = replace(arg, default=None)
        both = [
            replace(form, args=(*args[:index], a, *args[index + 1 :])) for a in (constant, given)
        ]
        return [each for one in both for each in split(one)]
    return [form]


def translate(declaration: Declaration, form: Form) -> Entry:
    """A form as one of ours; Unsupported says why not."""
    return _Translator(declaration, form).run()
