"""Reads the keys of a block: what cwrap's plugins and ATen's parser knew, in every spelling between v0.1 and v1.0.

Keys are checked, which cwrap did not: an unknown one is an error. Those that only said something to ATen or to
another plugin of the time are known and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from wrapgen.cwrap import backends, languages
from wrapgen.cwrap.backends import BACKENDS, Fields, items_of
from wrapgen.cwrap.declarations import Argument, Declaration, Form
from wrapgen.cwrap.languages import Typed
from wrapgen.cwrap.reader import Block
from wrapgen.errors import DeclarationError, listing, nearest, shorten
from wrapgen.loader import CORE_KEYS, Loader
from wrapgen.syntax.node import Node

T = TypeVar("T")
_SIZES = ("THSize*", "THLongStorage*")
_VOID: tuple[str, tuple[int, ...]] = ("void", ())
_TRUE = frozenset(("true", "yes", "on"))
_FALSE = frozenset(("false", "no", "off"))

# Keys of declarations and options that have a meaning here, beside those of our own files.
OP_KEYS = frozenset(
    "name return arguments options variants with_stateless only_stateless cname python_name sparse only_register "
    "defined_if before_call after_call before_arg_assign with_gil docstring_method docstring_stateless "
    "long_args".split()
).union(backends.KEYS)
# Known, without a meaning here: marks for ATen, for the C API of the time, or filled in by plugins.
OP_IGNORED = frozenset(
    "cpu_half cpu_bool cuda_bool cpu_bfloat16 cuda_bfloat16 auto_gpu device_guard method_flags "
    "override_method_flags aten_sparse aten_dense_sparse scalar_check zero_dim_tensor_only "
    "zero_dim_dispatch_when_scalar aten_custom_call api_name no_kwargs variables init mode num_checked_args "
    "argcount_offset has_output output_provided output_count has_full_argument_list".split()
)
ARG_KEYS = frozenset(
    "arg type name output allocate default broadcast wrap_dim kwarg_only if_true if_false long_args assert_ndim "
    "nullable".split()
)
ARG_IGNORED = frozenset(
    "resize cpu_zero python_default_init resize_scalar idx ignore_check no_idx no_kwargs is_reference "
    "is_bool_option assign_name assign_type output_idx declared_type is_nullable zero_dim_scalar".split()
)


def boolean(node: Node, what: str) -> bool:
    """YAML's older words for truth too: yes, on, no, off, 1, 0."""
    text = node.text(what)
    if text.lower() in _TRUE or text == "1":
        return True
    if text.lower() in _FALSE or text == "0":
        return False
    raise node.error(f"expected {what} as true or false, got '{shorten(text)}'")


class _Parser:
    """Reads one block; errors are collected, so that all of them are told."""

    def __init__(self, block: Block, loader: Loader) -> None:
        self.block = block
        self.ours = frozenset((*CORE_KEYS, *loader.op_keys)) - OP_KEYS
        self.arg_ours = frozenset(loader.arg_keys) - ARG_KEYS
        self.errors: list[DeclarationError] = []
        self.notes: list[str] = []

    def attempt(self, parse: Callable[[], T], default: T) -> T:
        try:
            return parse()
        except DeclarationError as error:
            self.errors.append(error)
            return default

    def fields(self, node: Node, what: str, known: Iterable[frozenset[str]]) -> Fields:
        """Keys and values; of a key given twice the last one counts, as for YAML's own loader."""
        every = frozenset().union(*known)
        result: Fields = {}
        for key, value in node.pairs(what):
            name = key.text("a key")
            if name in result:
                self.notes.append(f"key '{name}' is given twice, the last one counts")
            if name not in every:
                hint = nearest(name, every) or f"; known keys: {listing(sorted(every))}"
                self.errors.append(key.error(f"unknown key '{shorten(name)}'{hint}"))
            result[name] = value
        return result

    def declaration(self) -> Declaration | None:
        node = self.block.node
        known = (OP_KEYS, OP_IGNORED, self.ours)
        fields = self.fields(node, "a declaration", known)
        if "name" not in fields:
            raise node.error("the declaration has no name")
        name = fields["name"].text("name")
        forms: list[Form | None] = []
        if "options" in fields and "arguments" in fields:
            raise fields["arguments"].error("expected arguments or options, got both")
        if "options" in fields:
            for option in fields["options"].sequence("options"):
                forms.append(self.attempt(lambda o=option: self.option(fields, o, known), None))  # type: ignore[misc]
            if not forms:
                raise fields["options"].error("options is empty")
        else:
            forms.append(self.attempt(lambda: self.form(node, name, fields), None))
        no_variants: tuple[str, ...] = ()
        variants = self.attempt(lambda: self.variants(fields), no_variants)
        python_name = fields["python_name"].text("python_name") if "python_name" in fields else ""
        return Declaration(
            block=self.block,
            name=name,
            python_name=python_name,
            variants=variants,
            only_register="only_register" in fields
            and self.attempt(lambda: boolean(fields["only_register"], "only_register"), True),
            doc=self.doc(fields),
            forms=tuple(form for form in forms if form is not None),
            notes=tuple(self.notes),
        )

    def doc(self, fields: Fields) -> str:
        node = fields.get("docstring_method") or fields.get("docstring_stateless")
        return self.attempt(lambda: node.text("a docstring"), "") if node else ""

    def variants(self, fields: Fields) -> tuple[str, ...]:
        """cwrap's default is a method alone."""
        if "variants" in fields:
            items = items_of(fields["variants"], "variants")
            return tuple(item.word("a variant", ("method", "function")) for item in items)
        if "only_stateless" in fields and boolean(fields["only_stateless"], "only_stateless"):
            return ("function",)
        if "with_stateless" in fields and boolean(fields["with_stateless"], "with_stateless"):
            return ("method", "function")
        return ("method",)

    def option(self, fields: Fields, option: Node, known: Iterable[frozenset[str]]) -> Form:
        own = self.fields(option, "an option", known)
        for key in ("name", "options", "variants", "python_name"):
            if own.pop(key, None) is not None:
                self.notes.append(f"key '{key}' of an option is left out")
        inherited = {key: value for key, value in fields.items() if key != "options"}
        return self.form(option, fields["name"].text("name"), {**inherited, **own})

    def form(self, node: Node, name: str, fields: Fields) -> Form:
        args = self.args(fields["arguments"]) if "arguments" in fields else ()
        returns, returned = _VOID
        if "return" in fields:
            given = fields["return"]
            returns, returned = self.attempt(lambda: languages.returned(given, len(args)), _VOID)
        self.check_references(args)
        if "long_args" in fields and boolean(fields["long_args"], "long_args"):
            args = tuple(replace(a, long_args=a.typed.type in _SIZES) for a in args)
        return Form(
            node=node,
            cname=fields["cname"].text("cname") if "cname" in fields else name,
            returns=returns,
            returned=returned,
            args=args,
            types=backends.types(fields),
            processors=backends.processors(fields),
            pairs=backends.pairs(fields),
            defined_if=tuple(
                item.text("defined_if") for item in items_of(fields["defined_if"], "defined_if")
            )
            if "defined_if" in fields
            else (),
            before_call=self.code(fields, "before_call"),
            after_call=self.code(fields, "after_call"),
            before_arg_assign=self.code(fields, "before_arg_assign"),
            sparse="sparse" in fields and boolean(fields["sparse"], "sparse"),
            with_gil=boolean(fields["with_gil"], "with_gil") if "with_gil" in fields else None,
            kept=tuple((key, value) for key, value in fields.items() if key in self.ours),
        )

    def code(self, fields: Fields, key: str) -> Node | None:
        """C text, or a mapping of texts by backend, of which the CPU's is taken."""
        node = fields.get(key)
        if node is None or not node.is_mapping():
            if node is not None:
                node.text(key)
            return node
        found = None
        for backend, text in node.pairs(key):
            text.text(key)
            if backend.word("a backend", BACKENDS) == "CPU":
                found = text
        return found

    def args(self, node: Node) -> tuple[Argument, ...]:
        args: list[Argument] = []
        for item in node.sequence("arguments"):
            arg = self.attempt(lambda i=item: self.arg(i), None)  # type: ignore[misc]
            args.append(arg or Argument(item, Typed("CONSTANT", "0")))
        return tuple(args)

    def arg(self, item: Node) -> Argument:
        if not item.is_mapping():
            return Argument(item, languages.typed(item))
        fields = self.fields(item, "an argument", (ARG_KEYS, ARG_IGNORED, self.arg_ours))
        typed = self.typed(item, fields)

        def flag(*keys: str) -> bool:
            return any(boolean(fields[key], key) for key in keys if key in fields)

        if "assert_ndim" in fields:
            fields["assert_ndim"].integer("assert_ndim")

        def text(key: str) -> str | None:
            return _default(fields[key], key) if key in fields else None

        return Argument(
            node=item,
            typed=typed,
            output=flag("output", "allocate"),
            default=text("default"),
            kwarg_only=flag("kwarg_only"),
            long_args=flag("long_args"),
            nullable=flag("nullable"),
            assert_ndim=fields.get("assert_ndim"),
            if_true=text("if_true"),
            if_false=text("if_false"),
            broadcast=languages.broadcast(fields["broadcast"]) if "broadcast" in fields else None,
            wrap_dim=languages.wrap_dim(fields["wrap_dim"]) if "wrap_dim" in fields else None,
            kept=tuple((key, value) for key, value in fields.items() if key in self.arg_ours),
        )

    def typed(self, item: Node, fields: Fields) -> Typed:
        if "arg" in fields:
            return languages.typed(fields["arg"])
        if "type" in fields and "name" in fields:
            kind, name = fields["type"].text("type"), fields["name"].text("name")
            return languages.check_typed(item, Typed(kind.replace(" ", ""), name))
        missing = "name" if "type" in fields else "type" if "name" in fields else ""
        if missing:
            raise item.error(f"the argument has no {missing}")
        raise item.error("the argument has no `arg: type name`")

    def check_references(self, args: tuple[Argument, ...]) -> None:
        """Arguments named by others are there."""
        names = [arg.name for arg in args if arg.visible]
        for arg in args:
            if arg.typed.type == "argument" and int(arg.name) >= len(args):
                message = f"expected 'argument N' with N below {len(args)} (the first is 0), got {arg.name}"
                self.errors.append(arg.node.error(message))
            others = arg.broadcast.others if arg.broadcast else ()
            for name in (*others, *((arg.wrap_dim.of,) if arg.wrap_dim else ())):
                if name not in names:
                    known = f"; arguments: {listing(dict.fromkeys(names))}" if names else ""
                    hint = nearest(name, names) or known
                    message = f"'{arg.name}' names '{name}', which is no argument{hint}"
                    self.errors.append(arg.node.error(message))


def _default(node: Node, key: str) -> str:
    """The text as it stands; nothing is NULL, as it was for cwrap."""
    text = node.text(key)
    return "NULL" if node.is_null() else text


def parse(block: Block, loader: Loader) -> tuple[Declaration | None, list[DeclarationError]]:
    """A declaration, or all that is wrong with it; keys of our own files are those of the loader."""
    parser = _Parser(block, loader)
    try:
        declaration = parser.declaration()
    except DeclarationError as error:
        parser.errors.append(error)
    return (None, parser.errors) if parser.errors else (declaration, [])
