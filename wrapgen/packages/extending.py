"""Plugins of a package's own: `module:NAME after Other`, imported from the package's folder and put into the chain.

They are anybody's code: what is wrong with them is told as an error of the package, never as a traceback of wrapgen's
(`--verbose` shows theirs). They are imported anew each time, so that an edit counts.
"""

from __future__ import annotations

import importlib
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from wrapgen.errors import (
    DeclarationError,
    DeclarationErrors,
    Loc,
    UserError,
    listing,
    nearest,
    shorten,
)
from wrapgen.loader import CORE_KEYS
from wrapgen.model import SLOTS, Arg, Body, Key, Op, Plugin, Statement
from wrapgen.plugins import CHAIN
from wrapgen.syntax.node import Node

_ENTRY = re.compile(r"(?P<module>[\w.]+):(?P<name>\w+) +(?P<side>after|before) +(?P<other>\w+)")
# What an earlier import of a plugin's module brought from its folder.
_imported: dict[tuple[Path, str], set[str]] = {}
T = TypeVar("T")


@dataclass(frozen=True)
class Extended:
    """The chain with a package's own plugins, and the files they are in."""

    chain: tuple[Plugin, ...] = CHAIN
    files: tuple[Path, ...] = ()


def extend(entries: Iterable[str], root: Path, where: str) -> Extended:
    """The chain with the plugins of `root` in their places; `where` says in messages who asks for them."""
    chain, files = list(CHAIN), dict[Path, None]()
    for entry in entries:
        try:
            plugin, found = _load(entry, root)
            place = _place(chain, entry, plugin)
        except UserError as error:
            raise UserError(f"{where}: {error}") from error.__cause__
        chain.insert(place, plugin)
        files.update(dict.fromkeys(found))
    own = {plugin.name for plugin in chain} - {plugin.name for plugin in CHAIN}
    return Extended(
        tuple(_guarded(plugin, own) for plugin in chain) if own else CHAIN, tuple(files)
    )


def _load(entry: str, root: Path) -> tuple[Plugin, list[Path]]:
    """The plugin that an entry names, and the files it comes from."""
    match = _ENTRY.fullmatch(entry.strip())
    if match is None:
        raise UserError(f"expected a plugin as 'module:NAME after Other', got '{shorten(entry)}'")
    try:
        module, files = _import(match["module"], root)
    except (Exception, SystemExit) as error:
        raise UserError(f"plugin '{entry}' cannot be imported: {_said(error, root)}") from error
    if not hasattr(module, match["name"]):
        names = [name for name, value in vars(module).items() if isinstance(value, Plugin)]
        hint = nearest(match["name"], names) or (
            f" (its plugins: {listing(names)})" if names else ""
        )
        raise UserError(f"plugin '{entry}': {match['module']} has no '{match['name']}'{hint}")
    plugin = getattr(module, match["name"])
    if not isinstance(plugin, Plugin):
        raise UserError(f"plugin '{entry}': expected a Plugin, got {type(plugin).__name__}")
    problem = _malformed(plugin)
    if problem:
        raise UserError(f"plugin '{entry}': {problem}")
    return plugin, files


def _import(name: str, root: Path) -> tuple[ModuleType, list[Path]]:
    """The module as it is now, and what it brought from the folder."""
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    top = root / name.partition(".")[0]
    if top.is_dir() or top.with_suffix(".py").is_file():
        known = _imported.get((root, name), set())
        stale = [
            word
            for word in sys.modules
            if word in known or word == name or name.startswith(f"{word}.")
        ]
        for word in stale:
            del sys.modules[word]
    before, written = set(sys.modules), sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # which would hide an edit made in the same second
    try:
        module = importlib.import_module(name)
    finally:
        sys.dont_write_bytecode = written
    files = {word: _file(sys.modules[word]) for word in {*(set(sys.modules) - before), name}}
    own = {word: path for word, path in files.items() if path and path.is_relative_to(root)}
    _imported[root, name] = set(own)
    return module, sorted(path for path in own.values() if path)


def _file(module: ModuleType) -> Path | None:
    name = getattr(module, "__file__", None)
    return Path(name).resolve() if name else None


def _said(error: BaseException, root: Path) -> str:
    """What an exception says, and the line of the package where it was raised."""
    text = " ".join(f"{type(error).__name__}: {error}".removesuffix(": ").split())
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(root)]
    return f"{text} ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else text


def _malformed(plugin: Plugin) -> str:
    """What is wrong with a plugin as such."""
    if not isinstance(plugin.name, str) or not re.fullmatch(r"[A-Za-z]\w*", plugin.name, re.ASCII):
        return f"expected a name like 'WrapDim', got {plugin.name!r}"
    for field in ("op_keys", "arg_keys"):
        keys = getattr(plugin, field)
        if not isinstance(keys, tuple) or not all(isinstance(key, Key) for key in keys):
            return f"expected {field} as a tuple of Key"
        for key in keys:
            if not isinstance(key.name, str) or not re.fullmatch(r"[a-z]\w*", key.name, re.ASCII):
                return f"expected a key's name like 'wrap_dim', got {key.name!r}"
            if not callable(key.parse):
                return f"expected a function that reads key '{key.name}', got {key.parse!r}"
    for field in ("rewrite", "weave", "early"):
        function = getattr(plugin, field)
        if function is not None and not callable(function):
            return f"expected {field} as a function, got {function!r}"
    return ""


def _place(chain: list[Plugin], entry: str, plugin: Plugin) -> int:
    """Where the plugin goes, among others that it does not clash with."""
    match = _ENTRY.fullmatch(entry.strip())
    assert match is not None
    names = [other.name for other in chain]
    if match["other"] not in names:
        hint = nearest(match["other"], names) or f"; known: {listing(names)}"
        raise UserError(f"plugin '{entry}': there is no plugin '{match['other']}'{hint}")
    if plugin.name in names:
        raise UserError(f"plugin '{entry}': there is a plugin '{plugin.name}' already")
    for what, mine, others, own in (
        (
            "an entry",
            plugin.op_keys,
            [(o.name, k.name) for o in chain for k in o.op_keys],
            CORE_KEYS,
        ),
        (
            "an argument",
            plugin.arg_keys,
            [(o.name, k.name) for o in chain for k in o.arg_keys],
            ["arg"],
        ),
    ):
        owners = {key: f"plugin '{name}' has" for name, key in others} | dict.fromkeys(
            own, "wrapgen itself has"
        )
        clash = next((key.name for key in mine if key.name in owners), "")
        if clash:
            raise UserError(
                f"plugin '{entry}': key '{clash}' of {what} is one that {owners[clash]} already"
            )
    return names.index(match["other"]) + (match["side"] == "after")


def _guarded(plugin: Plugin, own: set[str]) -> Plugin:
    """The plugin with its functions watched; others too, which may get what they cannot expect."""
    what = f"plugin '{plugin.name}'" + (
        "" if plugin.name in own else f", after {listing(sorted(own))},"
    )

    def watched(
        step: str, function: Callable[..., T], check: Callable[[Any], str]
    ) -> Callable[..., T]:
        def call(op: Op, *rest: Any) -> T:
            try:
                result = function(op, *rest)
                problem = check(result)
            except (DeclarationError, DeclarationErrors):
                raise
            except Exception as error:
                message = (
                    f"op '{op.name}': {what} failed in {step}: {_said(error, _root(function))}"
                )
                raise DeclarationError(op.loc, message) from error
            if problem:
                raise DeclarationError(
                    op.loc, f"op '{op.name}': {what} failed in {step}: {problem}"
                )
            return result

        return call

    def reading(key: Key[Any]) -> Key[Any]:
        return replace(key, parse=_reading(what, key)) if plugin.name in own else key

    steps = {"rewrite": _check_ops, "weave": _check_body, "early": lambda result: ""}
    functions = {
        step: watched(step, getattr(plugin, step), check)
        for step, check in steps.items()
        if getattr(plugin, step) is not None
    }
    op_keys, arg_keys = tuple(map(reading, plugin.op_keys)), tuple(map(reading, plugin.arg_keys))
    return replace(plugin, op_keys=op_keys, arg_keys=arg_keys, **functions)  # type: ignore[arg-type]


def _root(function: Callable[..., object]) -> Path:
    """The folder of the file that a function is in."""
    code = getattr(function, "__code__", None)
    return Path(code.co_filename).parent if code else Path("/")


def _reading(what: str, key: Key[Any]) -> Callable[[Node], Any]:
    def parse(node: Node) -> Any:
        try:
            return key.parse(node)
        except (DeclarationError, DeclarationErrors):
            raise
        except Exception as error:
            message = f"{what} failed to read '{key.name}': {_said(error, _root(key.parse))}"
            raise DeclarationError(node.loc, message) from error

    return parse


def _check_ops(result: object) -> str:
    """What later plugins rely on."""
    if not isinstance(result, tuple) or not all(isinstance(op, Op) for op in result):
        return f"expected a tuple of Op, got {shorten(repr(result))}"
    for op in result:
        texts = (op.name, op.cname, op.python_name, op.doc, op.returns, op.overload, op.chapter)
        if not all(isinstance(text, str) for text in texts) or not isinstance(op.loc, Loc):
            return "expected names and texts of an Op as str"
        if not isinstance(op.args, tuple) or not all(isinstance(arg, Arg) for arg in op.args):
            return "expected args of an Op as a tuple of Arg"
    return "" if result else "expected at least one Op"


def _check_body(result: object) -> str:
    """What emitters rely on."""
    if not isinstance(result, Body):
        return f"expected a Body, got {shorten(repr(result))}"
    for slot in SLOTS:
        for statement in getattr(result, slot):
            if not isinstance(statement, Statement) or not isinstance(statement.text, str):
                return f"expected statements of text in '{slot}', got {shorten(repr(statement))}"
            if not isinstance(statement.loc, Loc):
                return f"expected a Loc with a statement in '{slot}', got {shorten(repr(statement.loc))}"
    return ""


def show_causes(errors: Iterable[BaseException]) -> None:
    """The tracebacks behind errors, for `--verbose`."""
    for error in errors:
        if error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
