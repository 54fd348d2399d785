"""Reads declarations: YAML with positions in, Ops out. Every error of all files is collected before any is raised."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from wrapgen.errors import DeclarationError, DeclarationErrors, Loc, listing, nearest
from wrapgen.model import MACROS, Arg, Key, Op, Options, Plugin
from wrapgen.node import Node, compose
from wrapgen.plugins import CHAIN
from wrapgen.types import TYPES, ArgType

CORE_KEYS = [
    "name",
    "cname",
    "python_name",
    "doc",
    "variants",
    "arguments",
    "options",
    "overload",
    "return",
    "operator",
    "reference",
    "sample",
    "test",
]
_SHARED_FILES = frozenset(("dtypes.yaml", "math.yaml"))
OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "@",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "-x",
    "+x",
    "~x",
    "abs(x)",
)


class Loader:
    """Reads files against the keys of a chain of plugins."""

    def __init__(self, chain: Iterable[Plugin] = CHAIN) -> None:
        plugins = tuple(chain)
        self.op_keys: dict[str, Key[Any]] = {key.name: key for p in plugins for key in p.op_keys}
        self.arg_keys: dict[str, Key[Any]] = {key.name: key for p in plugins for key in p.arg_keys}
        self.errors: list[DeclarationError] = []

    def load(self, files: Iterable[tuple[Path, str]]) -> list[tuple[Op, ...]]:
        """The declarations of (path, shown name) pairs, each as the tuple of its forms."""
        declarations: list[tuple[Op, ...]] = []
        names: dict[str, Op] = {}
        for path, shown in files:
            for ops in self._file(path, shown):
                first = names.setdefault(ops[0].name, ops[0])
                if first is not ops[0]:
                    message = f"op '{ops[0].name}' is declared already, in {first.loc}"
                    self.errors.append(DeclarationError(ops[0].loc, message))
                    continue
                declarations.append(ops)
        if self.errors:
            raise DeclarationErrors(self.errors)
        return declarations

    def _try(self, parse: Callable[[], Any], default: Any = None) -> Any:
        """The result, or the default after noting the error."""
        try:
            return parse()
        except DeclarationError as error:
            self.errors.append(error)
            return default

    def _file(self, path: Path, shown: str) -> list[tuple[Op, ...]]:
        document = self._try(lambda: compose(path, shown))
        if document is None or document.is_null():
            return []
        self._try(lambda: _check_chapter(path.stem, shown))
        entries = self._try(lambda: document.sequence("a declarations file"), [])
        result = []
        for entry in entries:
            before = len(self.errors)
            ops = self._try(lambda entry=entry: self._entry(entry, path.stem))  # type: ignore[misc]
            if ops and len(self.errors) == before:
                result.append(ops)
        return result

    def _entry(self, entry: Node, chapter: str) -> tuple[Op, ...]:
        fields, options = self._fields(entry, "an entry")
        if "name" not in fields:
            raise entry.error("the entry has no name")
        name = self._op_name(fields["name"][1])
        if "overload" in fields:
            raise fields["overload"][0].error(
                "key 'overload' belongs to each of the options, not to the entry"
            )
        if "options" not in fields:
            return (self._op(name, chapter, entry.loc, fields, options),)
        if "arguments" in fields:
            raise fields["arguments"][0].error(
                "expected arguments in each of the options, got both"
            )
        forms = fields["options"][1].sequence("options")
        if not forms:
            raise fields["options"][1].error("options is empty")
        parsed = [
            self._try(lambda form=form: self._form(name, chapter, form, fields, options))  # type: ignore[misc]
            for form in forms
        ]
        ops = [op for op in parsed if op is not None]
        self._check_overloads(ops)
        return tuple(ops)

    def _form(
        self,
        name: str,
        chapter: str,
        form: Node,
        fields: dict[str, tuple[Node, Node]],
        options: Options,
    ) -> Op:
        """One of an entry's options, with what it inherits."""
        own_fields, own_options = self._fields(form, "an option")
        for forbidden in ("name", "options", "python_name", "variants"):
            if forbidden in own_fields:
                raise own_fields[forbidden][0].error(
                    f"key '{forbidden}' belongs to the entry, not to an option"
                )
        own = {key for key, _, _ in own_options.values}
        inherited = (item for item in options.values if item[0] not in own)
        both = Options((*inherited, *own_options.values))
        return self._op(name, chapter, form.loc, {**fields, **own_fields}, both)

    def _check_overloads(self, ops: list[Op]) -> None:
        seen: dict[str, Op] = {}
        for op in ops:
            if op.variants != ops[0].variants:
                mine, first_ones = (" or ".join(each.variants) for each in (op, ops[0]))
                message = (
                    f"op '{op.name}': this option can be a {mine}, the first one a {first_ones}"
                )
                self.errors.append(
                    DeclarationError(op.loc, f"{message}; say `variants:` in the entry")
                )
            first = seen.setdefault(op.overload, op)
            if first is not op:
                what = f"overload '{op.overload}'" if op.overload else "an option without overload"
                self.errors.append(
                    DeclarationError(op.loc, f"op '{op.name}': {what} is there twice")
                )

    def _fields(self, entry: Node, what: str) -> tuple[dict[str, tuple[Node, Node]], Options]:
        """The core keys of an entry as nodes, and the plugins' keys parsed."""
        core: dict[str, tuple[Node, Node]] = {}
        options = Options()
        for key, value in entry.mapping(what):
            name = key.text("a key")
            if name in CORE_KEYS:
                core[name] = (key, value)
            elif name in self.op_keys:
                parsed = self._try(lambda n=name, v=value: (self.op_keys[n].parse(v),))  # type: ignore[misc]
                if parsed:
                    options = options.plus(self.op_keys[name], parsed[0], value.loc)
            else:
                self.errors.append(self._unknown_key(key, name, [*CORE_KEYS, *self.op_keys]))
        return core, options

    def _op_name(self, node: Node) -> str:
        name = node.identifier("name")
        if not re.match(r"_?[a-z]", name):
            raise node.error(f"expected a name that begins with a lower-case letter, got '{name}'")
        return name

    def _unknown_key(self, key: Node, name: str, known: list[str]) -> DeclarationError:
        hint = nearest(name, known)
        if not hint and name in self.arg_keys:
            hint = " here; it is a key of arguments"
        elif not hint:
            hint = f"; known keys: {listing(sorted(known))}"
        return key.error(f"unknown key '{name}'{hint}")

    def _op(
        self,
        name: str,
        chapter: str,
        loc: Loc,
        fields: dict[str, tuple[Node, Node]],
        options: Options,
    ) -> Op:
        def text(key: str, default: str = "") -> str:
            return fields[key][1].text(key) if key in fields else default

        args: tuple[Arg, ...] = ()
        if "arguments" in fields:
            args = self._args(name, fields["arguments"][1])
        operator = text("operator")
        if operator:
            fields["operator"][1].word("operator", OPERATORS)
        return Op(
            name=name,
            chapter=chapter,
            loc=loc,
            args=args,
            declared=args,
            overload=fields["overload"][1].identifier("overload") if "overload" in fields else "",
            doc=text("doc").strip(),
            cname=self._cname(name, fields),
            python_name=self._python_name(name, fields),
            variants=self._variants(fields, args),
            returns=text("return"),
            operator=operator,
            reference=text("reference").strip(),
            sample=fields["sample"][1].plain() if "sample" in fields else None,
            test=text("test"),
            options=options,
        )

    def _cname(self, name: str, fields: dict[str, tuple[Node, Node]]) -> str:
        place = fields["cname" if "cname" in fields else "name"][1]
        cname = place.identifier("cname") if "cname" in fields else name.removesuffix("_")
        if cname in MACROS:
            raise place.error(
                f"'{cname}' is a macro of C, so no function can have this name; give another cname"
            )
        return cname

    def _python_name(self, name: str, fields: dict[str, tuple[Node, Node]]) -> str:
        place = fields["python_name" if "python_name" in fields else "name"][1]
        python_name = place.identifier("python_name")
        if keyword.iskeyword(python_name):
            raise place.error(f"'{python_name}' is a keyword of Python; give another python_name")
        return python_name

    def _variants(
        self, fields: dict[str, tuple[Node, Node]], args: tuple[Arg, ...]
    ) -> tuple[str, ...]:
        """Methods have a receiver, the tensor argument `self`."""
        receiver = any(arg.name == "self" and arg.type.tensor for arg in args)
        if "variants" not in fields:
            return ("method", "function") if receiver else ("function",)
        node = fields["variants"][1]
        items = node.sequence("variants") if node.is_sequence() else [node]
        words = tuple(item.word("a variant", ("method", "function")) for item in items)
        if not words:
            raise node.error("variants is empty: the op could not be called")
        if "method" in words and not receiver:
            raise node.error("a method needs a tensor argument 'self'")
        return words

    def _args(self, op: str, node: Node) -> tuple[Arg, ...]:
        args: list[Arg] = []
        for item in node.sequence("arguments"):
            arg = self._try(lambda item=item: self._arg(item))  # type: ignore[misc]
            if arg is None:
                continue
            if arg.visible and any(arg.name == other.name for other in args):
                self.errors.append(item.error(f"op '{op}': argument '{arg.name}' is there twice"))
            args.append(arg)
        return tuple(args)

    def _arg(self, item: Node) -> Arg:
        if not item.is_mapping():
            return self._typed(item)
        arg: Arg | None = None
        options = Options()
        for key, value in item.mapping("an argument"):
            name = key.text("a key")
            if name == "arg":
                arg = self._typed(value)
            elif name in self.arg_keys:
                parsed = self._try(lambda n=name, v=value: (self.arg_keys[n].parse(v),))  # type: ignore[misc]
                if parsed:
                    options = options.plus(self.arg_keys[name], parsed[0], value.loc)
            else:
                known = ["arg", *self.arg_keys]
                hint = nearest(name, known) or f"; known keys: {listing(sorted(known))}"
                self.errors.append(key.error(f"unknown key '{name}'{hint}"))
        if arg is None:
            raise item.error("the argument has no `arg: type name`")
        if options.values and not arg.visible:
            name, _, loc = options.values[0]
            raise DeclarationError(loc, f"'{arg}' takes no keys, got '{name}'")
        return replace(arg, options=options)

    def _typed(self, node: Node) -> Arg:
        """`type name`, split at the first space that follows the type."""
        text = node.text("an argument `type name`").strip()
        match = re.fullmatch(r"(const )?([A-Za-z_]\w*)\s*(\*?)\s*(\S.*)?", text)
        if match is None:
            raise node.error(f"expected an argument as `type name`, got '{text}'")
        spelled = match[2] + match[3]
        kind = TYPES.get(spelled)
        if kind is None:
            raise node.error(
                f"unknown type '{spelled}'{nearest(spelled, TYPES) or '; known: ' + listing(TYPES)}"
            )
        return Arg(kind, self._name(node, kind, (match[4] or "").strip()), node.loc)

    def _name(self, node: Node, kind: ArgType, name: str) -> str:
        if not name:
            raise node.error(f"expected a name after '{kind.name}'")
        if kind.name == "CONSTANT":
            return name
        if kind.name == "argument":
            if not re.fullmatch(r"\d{1,4}", name):
                raise node.error(f"expected a number after 'argument', got '{name}'")
            return name
        if not re.fullmatch(r"[A-Za-z]\w*", name) or not name.isascii():
            raise node.error(f"expected a C identifier as the argument's name, got '{name}'")
        return name


def _check_chapter(stem: str, shown: str) -> None:
    """The file's name is part of C names and of the names of generated files."""
    loc = Loc(shown, 1, 1)
    if not re.fullmatch(r"[A-Za-z]\w*", stem, re.ASCII):
        raise DeclarationError(loc, f"expected the file's name as a C identifier, got '{stem}'")
    if stem in ("module", "cffi", "THDtypeTables") or stem.startswith("py_"):
        raise DeclarationError(
            loc, f"the file cannot be called '{stem}': wrapgen writes {stem}.c itself"
        )


def declaration_files(folder: Path) -> list[Path]:
    """The declaration files of a folder, in name order."""
    return sorted(path for path in folder.glob("*.yaml") if path.name not in _SHARED_FILES)


def load(
    files: Iterable[tuple[Path, str]], chain: Iterable[Plugin] = CHAIN
) -> list[tuple[Op, ...]]:
    """Reads declarations; DeclarationErrors with all that is wrong."""
    return Loader(chain).load(files)
