"""`wrapgen reference`: the manual of keys, types and plugins as Markdown, from the records the generator works with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from wrapgen import keys, tables
from wrapgen.chain import Operation
from wrapgen.keys import Described
from wrapgen.model import SLOTS, Body, Plugin
from wrapgen.types import RETURNS, TYPES

HEAD = """\
<!-- Written by `wrapgen reference -o docs/reference.md`; edit what it says in wrapgen/ and declarations/math.yaml. -->
# Reference of declarations

A declarations file is a YAML list of entries. Those with `name` are operations, the others are units: C and libraries
beside them. [Keys of an entry](#keys-of-an-entry), [keys of an argument](#keys-of-an-argument), [units](#units),
[argument types](#argument-types), [return forms](#return-forms), [functions of kernels](#functions-of-kernels),
[plugins](#plugins), [editors](#editors).

Every key has one owner: the loader, which makes an operation of the entry, or one of the plugins, which then work on
it one after the other.
"""

ARGUMENTS = """\
An argument is `- type name` or, with keys, a mapping with `arg: type name`.
"""

UNITS = """\
An entry without `name` begins with one of these keys and brings what it says; `library:` has further keys.
"""

TYPES_HEAD = """\
`TH_<op>` is the wrapper that C programs call, `TH<Real>Tensor_<op>` the function that it calls for a dtype. A dim
argument named `dim` is `axis` too, `keepdim` is `keepdims` too, `self` is `input` in functions.
"""

TYPES_TAIL = """\
Two more forms have no parameter: `CONSTANT text` passes the text as it is, `argument N` passes argument N (counted
from 0) once more.
"""

RETURNS_TAIL = """\
`void` gives None. `argument 0,1` picks results by the numbers of their arguments, `self` is the receiver. Without
`return:` a call gives its results (several as a named tuple).
"""

MATH_HEAD = """\
Functions that kernels, bodies and `c:` entries call by these names, for the dtype that is computed in. The error bound
is in units in the last place, on any instruction set; 0 is exact.
"""

PLUGINS_HEAD = """\
In the order in which they work. A plugin rewrites operations (several may come of one), then weaves statements into the
slots of their wrappers, which are printed in this order: {slots}.
"""

EDITORS = """\
`wrapgen schema -o declarations.schema.json` writes a JSON Schema of all this (in the folder of an op package: with the
keys of its own plugins). Editors with a YAML language server, as VS Code with the YAML extension, complete and check
a file whose first line names it:

    # yaml-language-server: $schema=../declarations.schema.json
"""

LOADER = "the loader"


def _cell(text: str) -> str:
    """A text in a table's cell."""
    return " ".join(text.split()).replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"
    yield ""


def _keys(owned: Iterable[tuple[Described, str]]) -> Iterator[str]:
    rows = (
        (_code(key.name), key.doc, _code(key.example) if key.example else "", owner)
        for key, owner in owned
    )
    return _table(("key", "meaning", "example", "of"), rows)


def _owner(plugin: Plugin) -> str:
    return f"[{plugin.name}](#{plugin.name.lower()})"


def _argument(text: str) -> str:
    return _code(_spaced(text)) if text else "none"


def _types() -> Iterator[str]:
    rows = []
    for kind in TYPES.values():
        if kind.kind:
            name = kind.name
            wrapper, generic = (
                ", ".join(form) for form in (kind.declare(""), kind.declare_generic(""))
            )
            python = kind.python.replace("_int", "int").replace("_float", "float")
            python = python.replace("_bool", "bool").replace("_dtype", "dtype")
            only = f", {kind.dtype} only" if kind.dtype else ""
            rows.append((_code(name), _argument(wrapper), _argument(generic), f"`{python}`{only}"))
    return _table(("type", "in `TH_<op>`", "in `TH<Real>Tensor_<op>`", "in Python"), rows)


def _spaced(declared: str) -> str:
    """Types of nameless parameters."""
    return re.sub(r"_n\b", "", re.sub(r" +(?=,|$)", "", declared)).replace(" ,", ",").strip()


def _returns() -> Iterator[str]:
    rows = (
        (_code(row.name), _code(f"{row.c}*"), _code(row.python.replace("_", "")))
        for row in RETURNS.values()
    )
    return _table(("return", "first parameter of the C function", "in Python"), rows)


def _functions() -> Iterator[str]:
    rows = (
        (_code(row.name), str(row.arguments), row.types, f"{row.ulp:g}", row.doc)
        for row in tables.math().values()
    )
    return _table(("function", "arguments", "dtypes", "ulp", ""), rows)


def woven(plugin: Plugin, bodies: Iterable[Body]) -> list[str]:
    """The slots into which a plugin puts statements, in print order."""
    found = {
        slot
        for body in bodies
        for slot in SLOTS
        for statement in getattr(body, slot)
        if statement.plugin == plugin.name
    }
    return [slot for slot in SLOTS if slot in found]


def _plugin(number: int, plugin: Plugin, bodies: Sequence[Body]) -> Iterator[str]:
    yield f"### {plugin.name}"
    yield ""
    slots = woven(plugin, bodies)
    steps = ["rewrites operations"] if plugin.rewrite else []
    if slots:
        steps.append(f"weaves into {', '.join(slots)}")
    elif plugin.weave:
        steps.append("leaves facts for plugins that follow and for what is printed")
    owned = [key.name for key in (*plugin.op_keys, *plugin.arg_keys)]
    facts = [f"Step {number}", "; ".join(steps) or "does nothing yet"]
    facts += [f"keys {', '.join(map(_code, owned))}"] if owned else []
    facts += [f"types {', '.join(map(_code, plugin.types))}"] if plugin.types else []
    yield f"*{'. '.join(facts)}.*"
    yield ""
    yield plugin.doc.strip()
    yield ""


def _owned(chain: Sequence[Plugin]) -> tuple[list[tuple[Described, str]], ...]:
    """The keys of entries and of arguments, each with its owner."""
    entry: list[tuple[Described, str]] = [(key, LOADER) for key in keys.ENTRY]
    entry += [(key, _owner(plugin)) for plugin in chain for key in plugin.op_keys]
    argument: list[tuple[Described, str]] = [(key, LOADER) for key in keys.ARGUMENT]
    argument += [(key, _owner(plugin)) for plugin in chain for key in plugin.arg_keys]
    return entry, argument


def reference(chain: Sequence[Plugin], operations: Iterable[Operation]) -> str:
    """The manual for a chain; what plugins weave is seen in these operations."""
    bodies = [form.body for operation in operations for form in operation.forms]
    entry, argument = _owned(chain)
    units, library = ([(key, LOADER) for key in group] for group in (keys.UNITS, keys.LIBRARY))
    plugins = [
        line for number, plugin in enumerate(chain, 1) for line in _plugin(number, plugin, bodies)
    ]
    sections: dict[str, list[str]] = {
        "Keys of an entry": [*_keys(entry)],
        "Keys of an argument": [ARGUMENTS, *_keys(argument)],
        "Units": [UNITS, *_keys(units), "Keys of a library:", "", *_keys(library)],
        "Argument types": [TYPES_HEAD, *_types(), TYPES_TAIL],
        "Return forms": [*_returns(), RETURNS_TAIL],
        "Functions of kernels": [MATH_HEAD, *_functions()],
        "Plugins": [PLUGINS_HEAD.format(slots=", ".join(SLOTS)), *plugins],
        "Editors": [EDITORS],
    }
    lines = [HEAD]
    for title, content in sections.items():
        lines += [f"## {title}", "", *content]
    return "\n".join(lines).rstrip("\n") + "\n"
