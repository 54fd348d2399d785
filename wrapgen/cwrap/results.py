"""What became of a declaration, and the entry it is now."""

from __future__ import annotations

from dataclasses import dataclass, field

import yaml

from wrapgen.cwrap import trees
from wrapgen.cwrap.arguments import Ours, Unsupported
from wrapgen.cwrap.declarations import Declaration
from wrapgen.cwrap.entries import Entry
from wrapgen.cwrap.reader import Block
from wrapgen.errors import Loc
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
    variants: tuple[str, ...] = ()  # with those of declarations that are part of it
    inplace_of: Result | None = None  # the op whose in-place form says all of it
    part_of: Result | None = None  # the first declaration of its name, which has its forms too
    keys: dict[str, str] = field(default_factory=dict)  # further keys of the entry
    ops: tuple[Op, ...] = ()

    def __post_init__(self) -> None:
        self.variants = self.variants or self.declaration.variants

    @property
    def said_by(self) -> Result | None:
        """The declaration whose entry says what this one does."""
        return self.inplace_of or self.part_of

    @property
    def speaks(self) -> bool:
        """It has an entry of its own."""
        return bool(self.forms) and self.said_by is None

    @property
    def block(self) -> Block:
        return self.declaration.block

    @property
    def supported(self) -> bool:
        return bool(self.forms) and not self.missing

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

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
        if set(self.variants) != {"method", "function"}:
            words = (trees.scalar(word, at) for word in self.variants)
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


def signature(form: Entry) -> object:
    """What a caller can tell forms apart by."""

    def kind(arg: Ours) -> object:
        dtype = arg.keys.get("dtype")
        named = arg.name if arg.has("kwarg_only") else ""
        return arg.type, plain(dtype) if dtype else "", arg.has("default"), named

    return tuple(kind(arg) for arg in form.inputs)


def same(form: Entry) -> str:
    """The note for a form that has the signature of an earlier one."""
    return f"the form in line {form.loc.line} is left out, callers could not tell it from an earlier one"
