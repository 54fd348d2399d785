"""Reads declarations: YAML with positions in, Ops out. Every error of all files is collected before any is raised."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from wrapgen import keys, tables, units
from wrapgen.errors import DeclarationError, DeclarationErrors, Loc, listing, nearest, shorten
from wrapgen.keys import OPERATORS, TOLERANCES
from wrapgen.model import MACROS, Arg, CFunction, Key, Op, Options, Plugin
from wrapgen.plugins import CHAIN
from wrapgen.syntax.node import Node, compose
from wrapgen.types import TYPES, ArgType

CORE_KEYS = list(keys.names(keys.ENTRY))
_SHARED_FILES = frozenset(("dtypes.yaml", "math.yaml", "cwrap.yaml"))


class Loader:
    """Reads files against the keys of a chain of plugins."""

    def __init__(self, chain: Iterable[Plugin] = CHAIN, folder: Path | None = None) -> None:
        self.chain = tuple(chain)
        self.op_keys: dict[str, Key[Any]] = {key.name: key for p in self.chain for key in p.op_keys}
        self.arg_keys: dict[str, Key[Any]] = {
            key.name: key for p in self.chain for key in p.arg_keys
        }
        self.folder = folder  # of the files that declarations name; default: that of the YAML
        self.errors: list[DeclarationError] = []
        self.units = units.Units()  # of the files read
        self.notices: list[str] = []  # for who builds
        self.damaged: list[Op] = []  # of entries with errors, but none in their arguments
        self._whole: list[
            Op
        ] = []  # forms of the entry being read, without errors in their arguments

    def read(self, files: Iterable[tuple[Path, str]]) -> list[tuple[Op, ...]]:
        """The declarations of (path, shown name) pairs, each as the tuple of its forms; `errors` has the rest."""
        declarations: list[tuple[Op, ...]] = []
        names: dict[str, Op] = {}
        for path, shown in files:
            for ops in (named for read in self._file(path, shown) for named in with_aliases(read)):
                first = names.setdefault(ops[0].name, ops[0])
                if first is not ops[0]:
                    message = f"op '{ops[0].name}' is declared already, in {first.loc}"
                    self.errors.append(DeclarationError(ops[0].loc, message))
                    continue
                declarations.append(ops)
        self.damaged = list(self._beside(self.damaged))
        return [tuple(self._beside(ops)) for ops in declarations]

    def _beside(self, ops: Iterable[Op]) -> Iterable[Op]:
        """With all units, which may stand after the ops that use them."""
        if self.units == units.Units():
            return ops
        return (replace(op, units=self.units) for op in ops)

    def _try(self, parse: Callable[[], Any], default: Any = None) -> Any:
        """The result, or the default after noting the error."""
        try:
            return parse()
        except DeclarationError as error:
            self.errors.append(error)
            return default

    def _file(self, path: Path, shown: str) -> list[tuple[Op, ...]]:
        if path.suffix == ".cwrap":
            return self._original(path, shown)
        document = self._try(lambda: _compose(path, shown))
        if document is None or document.is_null():
            return []
        self._try(lambda: _check_chapter(path.stem, shown))
        entries = self._try(lambda: document.sequence("a declarations file"), [])
        result = []
        for entry in entries:
            if units.is_unit(entry):
                add = partial(units.add, self.units, entry, self.folder or path.parent)
                self.units = self._try(add, self.units)
                continue
            before = len(self.errors)
            self._whole = []
            ops = self._try(lambda entry=entry: self._entry(entry, path.stem))  # type: ignore[misc]
            if len(self.errors) > before:
                self.damaged += self._whole
            elif ops:
                result.append(ops)
        return result

    def _original(self, path: Path, shown: str) -> list[tuple[Op, ...]]:
        """What is supported of a file in the original syntax, of which `wrapgen check` tells."""
        from wrapgen.cwrap import convert, report

        self._try(lambda: _check_chapter(path.stem, shown))
        converted = convert.survey(path, shown, self.chain)
        self.errors += converted.errors
        self.notices += filter(None, [report.notice(converted, shown)])
        return converted.ops

    def entry(self, entry: Node, chapter: str) -> tuple[Op, ...]:
        """The forms of one entry; DeclarationErrors with all that is wrong in it."""
        ops: tuple[Op, ...] | None = self._try(lambda: self._entry(entry, chapter))
        if self.errors or ops is None:
            raise DeclarationErrors(self.errors)
        return ops

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
            op = self._op(name, chapter, entry.loc, fields, options)
            for arg in op.args:
                if arg.type.chooses:
                    message = f"op '{name}': '{arg}' chooses between options, and there are none"
                    self.errors.append(DeclarationError(arg.loc, message))
            return (op,)
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
        for forbidden in ("name", "options", "python_name", "aliases", "variants"):
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
            if op.variants != ops[0].variants and not _function_beside(op, ops[0]):
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
        before = len(self.errors)
        if "arguments" in fields:
            args = self._args(name, fields["arguments"][1])
        whole = len(self.errors) == before
        op = Op(
            name=name,
            chapter=chapter,
            loc=loc,
            args=args,
            declared=args,
            overload=fields["overload"][1].identifier("overload") if "overload" in fields else "",
            doc=text("doc").strip(),
            cname=self._cname(name, fields),
            functions=_functions(fields),
            python_name=self._python_name(name, fields),
            aliases=self._aliases(fields),
            variants=self._variants(fields, args),
            returns=text("return"),
            operator=_operator(fields),
            reference=text("reference").strip(),
            sample=fields["sample"][1].plain() if "sample" in fields else None,
            tolerance=_tolerance(fields["tolerance"][1]) if "tolerance" in fields else None,
            test=text("test"),
            options=options,
            places=_places(fields),
        )
        self._whole += [op] if whole else []
        return op

    def _cname(self, name: str, fields: dict[str, tuple[Node, Node]]) -> str:
        place = fields["cname" if "cname" in fields else "name"][1]
        written = "cname" in fields and not _functions(fields)
        cname = place.identifier("cname") if written else name.removesuffix("_")
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

    def _aliases(self, fields: dict[str, tuple[Node, Node]]) -> tuple[str, ...]:
        if "aliases" not in fields:
            return ()
        return tuple(self._op_name(item) for item in fields["aliases"][1].sequence("aliases"))

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
        if kind is None and not match[4]:
            raise node.error(f"expected an argument as `THTensor* {match[2]}`, got '{text}'")
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
            default = re.fullmatch(r"([A-Za-z]\w*) *= *(\S+)", name)
            written = f"{{arg: {kind.name} {default[1]}, default: {default[2]}}}" if default else ""
            hint = f"; a default is written {written}" if default else ""
            raise node.error(f"expected a C identifier as the argument's name, got '{name}'{hint}")
        return name


def _compose(path: Path, shown: str) -> Node | None:
    """The document; a hint where it is no YAML because it is in the original syntax."""
    try:
        return compose(path, shown)
    except DeclarationError as error:
        if b"\n[[\n" not in b"\n" + path.read_bytes():
            raise
        message = f"this is not YAML: a file in the original syntax is called {path.stem}.cwrap"
        raise DeclarationError(error.loc, message) from None


def _tolerance(node: Node) -> tuple[str | int, ...]:
    """A word, a number of units in the last place, or a list of them."""
    items = node.sequence("tolerance") if node.is_sequence() else [node]
    return tuple(_tolerated(item) for item in items)


def _tolerated(item: Node) -> str | int:
    text = item.text("a tolerance")
    return int(text) if text.isdecimal() else item.word("a tolerance", TOLERANCES)


def _function_beside(op: Op, first: Op) -> bool:
    """An option without `self` is a function only, whatever the others are."""
    return op.variants == ("function",) and op.arg("self") is None and "function" in first.variants


def _operator(fields: dict[str, tuple[Node, Node]]) -> str:
    return fields["operator"][1].word("operator", OPERATORS) if "operator" in fields else ""


def _functions(fields: dict[str, tuple[Node, Node]]) -> tuple[CFunction, ...]:
    """A cname with the function's type, or of a function for each dtype."""
    if "cname" not in fields:
        return ()
    node = fields["cname"][1]
    if node.is_mapping():
        known = tables.dtypes().names
        return tuple(
            _function(key.word("a dtype", known), value) for key, value in node.mapping("cname")
        )
    return (_function("", node),) if " " in node.text("cname").strip() else ()


def _function(dtype: str, node: Node) -> CFunction:
    """`name`, `void name` or `int name`."""
    text = node.text("cname")
    match = re.fullmatch(r"\s*(?:(void|int)\s+)?([A-Za-z_]\w*)\s*", text, re.ASCII)
    if match is None or match[2] in MACROS:
        expected = "a C function as `name`, `int name` or `void name`"
        raise node.error(f"expected {expected}, got '{shorten(text)}'")
    return CFunction(dtype, match[2], match[1] or "", node.loc)


def _places(fields: dict[str, tuple[Node, Node]]) -> tuple[tuple[str, Loc], ...]:
    return tuple((key, fields[key][1].loc) for key in ("cname", "return") if key in fields)


def with_aliases(ops: tuple[Op, ...]) -> list[tuple[Op, ...]]:
    """A declaration, then the same under each of its further names: C function and kernel are shared."""
    named = [ops]
    for alias in ops[0].aliases:
        named.append(
            tuple(
                replace(
                    op,
                    name=alias,
                    python_name=alias,
                    alias_of=op.name,
                    aliases=(),
                    operator="",
                    doc=f"Another name of {op.python_name}(). {op.doc}",
                )
                for op in ops
            )
        )
    return named


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
    """The declaration files of a folder, in name order; what other files include is read with them."""
    originals = sorted(folder.glob("*.cwrap"))
    included = {path.resolve() for path in included_files(originals)}
    own = [path for path in folder.glob("*.yaml") if path.name not in _SHARED_FILES]
    return sorted([*own, *(path for path in originals if path.resolve() not in included)])


def included_files(files: Iterable[Path]) -> list[Path]:
    """What files in the original syntax include."""
    originals = [path for path in files if path.suffix == ".cwrap"]
    if not originals:
        return []
    from wrapgen.cwrap import reader

    return [path for original in originals for path in reader.included(original)]


def load(
    files: Iterable[tuple[Path, str]], chain: Iterable[Plugin] = CHAIN
) -> list[tuple[Op, ...]]:
    """Reads declarations; DeclarationErrors with all that is wrong."""
    loader = Loader(chain)
    declarations = loader.read(files)
    if loader.errors:
        raise DeclarationErrors(loader.errors)
    return declarations
