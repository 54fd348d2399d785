"""Declarations of .cwrap files as entries that the loader and the chain accept, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from wrapgen import chain
from wrapgen.cwrap import declarations, reader, trees
from wrapgen.cwrap.arguments import Ours, Unsupported
from wrapgen.cwrap.declarations import Declaration
from wrapgen.cwrap.reader import Block, Source
from wrapgen.cwrap.translate import Entry, name_of, split, translate
from wrapgen.errors import DeclarationError, DeclarationErrors, Loc
from wrapgen.loader import Loader, with_aliases
from wrapgen.model import Op

_ORDER = (
    "name overload doc variants types promote operator cname return out with_gil inplace before_call "
    "arguments after_call kernel reference sample tolerance test options".split()
)
_HOISTED = ("types", "promote", "cname", "return", "out", "with_gil")


@dataclass
class Result:
    """What became of a declaration."""

    declaration: Declaration
    name: str
    forms: list[Entry] = field(default_factory=list)
    missing: list[tuple[Loc, Unsupported]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    inplace_of: str = ""  # the op whose in-place form says all of it
    keys: dict[str, str] = field(default_factory=dict)  # further keys of the entry
    ops: tuple[Op, ...] = ()

    @property
    def block(self) -> Block:
        return self.declaration.block

    @property
    def supported(self) -> bool:
        return bool(self.forms) and not self.missing

    def drop(self, form: Entry, problem: Unsupported) -> None:
        self.forms.remove(form)
        self.ops = () if not self.forms else self.ops
        self.missing.append((form.loc, problem))

    def drop_all(self, problem: Unsupported) -> None:
        for form in list(self.forms):
            self.drop(form, problem)

    def tree(self) -> yaml.MappingNode:
        """The entry; what all options say is said once."""
        at = self.block.node.tree
        pairs: dict[str, yaml.Node] = {"name": trees.scalar(self.name, at)}
        for key, text in self.keys.items():
            pairs[key] = trees.scalar(text, at)
        if self.declaration.doc:
            pairs["doc"] = trees.scalar(self.declaration.doc, at)
        variants = self.declaration.variants
        if set(variants) != {"method", "function"}:
            words = (trees.scalar(word, at) for word in variants)
            pairs["variants"] = trees.sequence(words, at)
        if len(self.forms) == 1:
            alone = {k: v for k, v in _form(self.forms[0]).items() if k != "overload"}
            return _ordered({**pairs, **alone}, at)
        forms = [_form(form) for form in self.forms]
        names = overloads(self.forms)
        for key in _HOISTED:
            values = [plain(form[key]) if key in form else None for form in forms]
            if values[0] is not None and all(value == values[0] for value in values):
                pairs[key] = forms[0][key]
                for form in forms:
                    del form[key]
        items = []
        for name, form, entry in zip(names, forms, self.forms, strict=True):
            if name and "overload" not in form:
                form["overload"] = trees.scalar(name, entry.at)
            items.append(_ordered(form, entry.at))
        pairs["options"] = trees.sequence(items, at)
        return _ordered(pairs, at)


def _form(entry: Entry) -> dict[str, yaml.Node]:
    arguments = trees.sequence((arg.tree() for arg in entry.args), entry.at)
    return {**entry.keys, "arguments": arguments}


def _ordered(pairs: dict[str, yaml.Node], at: yaml.Node) -> yaml.MappingNode:
    known = [key for key in _ORDER if key in pairs]
    rest = [key for key in pairs if key not in _ORDER]
    return trees.mapping([(key, pairs[key]) for key in (*known, *rest)], at)


def plain(node: yaml.Node) -> object:
    """A tree without its places."""
    if isinstance(node, yaml.MappingNode):
        return tuple((plain(key), plain(value)) for key, value in node.value)
    if isinstance(node, yaml.SequenceNode):
        return tuple(plain(item) for item in node.value)
    return node.value


def overloads(forms: list[Entry]) -> list[str]:
    """A name for each form: of the inputs that not all have, or of their types; one may go without."""
    names = [{arg.name: arg.type for arg in form.inputs} for form in forms]
    shared = set.intersection(*(set(each.items()) for each in names))
    common = set.intersection(*(set(each) for each in names))
    taken: list[str] = []
    for index, each in enumerate(names):
        own = [name for name in each if name not in common]
        types = [_word(kind) for name, kind in each.items() if (name, kind) not in shared]
        alone = [name for name in own[:1] if sum(name in other for other in names) == 1]
        tried = (*alone, "_".join(own), "_".join(types[:1]), "_".join(types))
        taken.append(next((name for name in tried if name not in taken), f"form_{index}"))
    return taken


def _word(kind: str) -> str:
    """A type as part of a name: tensor, indextensor, real."""
    return kind.removeprefix("TH").rstrip("*").lower()


def _signature(form: Entry) -> object:
    """What a caller can tell forms apart by."""

    def kind(arg: Ours) -> object:
        dtype = arg.keys.get("dtype")
        named = arg.name if arg.has("kwarg_only") else ""
        return arg.type, plain(dtype) if dtype else "", arg.has("default"), named

    return tuple(kind(arg) for arg in form.inputs)


class Converter:
    """Translates the declarations of a file one by one, then looks at them together."""

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self.results: list[Result] = []

    def add(self, declaration: Declaration) -> None:
        result = Result(declaration, declaration.python_name or declaration.name)
        result.notes += declaration.notes
        self.results.append(result)
        try:
            if declaration.only_register:
                raise Unsupported("hand-written C", "its wrapper is hand-written C")
            named = name_of(declaration)
        except Unsupported as problem:
            result.missing.append((declaration.loc, problem))
            return
        result.name = named.name
        if named.operator:
            result.keys["operator"] = named.operator
        for form in (each for one in declaration.forms for each in split(one)):
            try:
                result.forms.append(translate(declaration, form))
            except Unsupported as problem:
                result.missing.append((problem.loc or form.loc, problem))
        self.distinct(result)
        for entry in list(result.forms):
            self.check_form(result, entry)
        for entry in result.forms:
            result.notes += [note for note in entry.notes if note not in result.notes]

    def distinct(self, result: Result) -> None:
        """Forms that callers cannot tell apart: the first is taken."""
        seen: set[object] = set()
        for form in list(result.forms):
            signature = _signature(form)
            if signature in seen:
                result.forms.remove(form)
                result.notes.append(f"the form in line {form.loc.line} is the same for callers")
            seen.add(signature)

    def check_form(self, result: Result, form: Entry) -> None:
        """The loader and the chain have the last word."""
        alone = replace(result, forms=[form], missing=[])
        problem = self.problem(alone)
        if problem is not None:
            result.drop(form, Unsupported("other", problem.message, problem.loc))

    def problem(self, result: Result) -> DeclarationError | None:
        try:
            result.ops = self.load(result)
            chain.run(result.ops)
        except DeclarationErrors as errors:
            return errors.errors[0]
        except DeclarationError as error:
            return error
        return None

    def load(self, result: Result) -> tuple[Op, ...]:
        node = result.block.node
        return Loader().entry(node.child(result.tree()), self.chapter)

    def finish(self) -> list[Result]:
        """In-place forms are said once; names are there once."""
        self.fold()
        for result in self.results:
            if result.forms and not result.inplace_of:
                problem = self.problem(result)
                while problem is not None and result.forms:
                    result.drop(result.forms[-1], Unsupported("other", problem.message))
                    problem = self.problem(result) if result.forms else None
        self.unclash()
        return self.results

    def fold(self) -> None:
        """`name_` that says what `name` says is derived from it."""
        by_name = {result.name: result for result in reversed(self.results) if result.forms}
        for name, base in by_name.items():
            if name.endswith("_"):
                continue
            kernels = ["kernel" in form.keys for form in base.forms]
            other = by_name.get(f"{name}_")
            if other is not None and _inplace_of(other, base):
                other.inplace_of = name
                if not all(kernels):
                    base.keys["inplace"] = "direct"
            elif any(kernels):
                base.keys["inplace"] = "false"
                for form in other.forms if other is not None else ():
                    if "kernel" in form.keys and "cname" not in form.keys:
                        form.set("cname", f"{name}InPlace")

    def unclash(self) -> None:
        """Of declarations that want the same name the first has it; what is derived from others goes with them."""
        while errors := _clashes([r for r in self.results if r.forms and not r.inplace_of]):
            for error in errors:
                for result in self.results:
                    if result.block.holds(error.loc):
                        result.drop_all(Unsupported("names", error.message))
            there = {result.name for result in self.results if result.forms}
            for result in self.results:
                if result.inplace_of and result.inplace_of not in there:
                    result.drop_all(Unsupported("names", f"'{result.inplace_of}' is missing"))


def _clashes(results: list[Result]) -> list[DeclarationError]:
    """Names that two declarations have, further names too."""
    seen: dict[str, Op] = {}
    errors = []
    every = [ops for result in results for ops in with_aliases(result.ops)]
    for ops in every:
        first = seen.setdefault(ops[0].name, ops[0])
        if first is not ops[0]:
            message = f"op '{ops[0].name}' is declared already, in {first.loc}"
            errors.append(DeclarationError(ops[0].loc, message))
    if errors:
        return errors
    try:
        chain.run_all(every)
    except DeclarationErrors as found:
        return list(found.errors)
    return []


def _inplace_of(other: Result, base: Result) -> bool:
    """`other` is what the chain derives from `base` as its in-place form."""
    if not all(form.inplace for form in other.forms) or any(form.inplace for form in base.forms):
        return False
    if any(sum(arg.output for arg in form.args) > 1 for form in base.forms):
        return False
    mine, theirs = (
        dict(zip(overloads(result.forms), map(_bare, result.forms), strict=True))
        for result in (other, base)
    )
    return mine == theirs


def _bare(form: Entry) -> object:
    """A form without its output's name and what in-place forms do not expand."""
    args: list[object] = []
    for arg in form.args:
        if arg.output:
            args.append(("output", ""))
        else:
            args.append(plain(arg.without("broadcast").tree()))
    keys = {key: plain(value) for key, value in form.keys.items() if key != "out"}
    return tuple(args), tuple(sorted(keys.items(), key=str))


@dataclass
class Converted:
    """A file and what became of its declarations."""

    source: Source
    results: list[Result]


def convert(path: Path, shown: str) -> Converted:
    """Reads and translates a file; DeclarationErrors where it is malformed."""
    source = reader.read(path, shown)
    errors = list(source.errors)
    converter = Converter(path.stem)
    for block in source.blocks:
        declaration, found = declarations.parse(block)
        errors += found
        if declaration is not None and not errors:
            converter.add(declaration)
    if errors:
        raise DeclarationErrors(errors)
    return Converted(source, converter.finish())


def load(path: Path, shown: str) -> list[tuple[Op, ...]]:
    """The declarations of a file that are supported."""
    return [result.ops for result in convert(path, shown).results if result.forms and result.ops]
