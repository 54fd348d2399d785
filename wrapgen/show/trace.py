"""`wrapgen trace NAME`: the way of an op's name from Python to the line that computes, read from the map.

The map of thwrap lies in the build folder of the source tree or, in an installed wheel, in thwrap/share; an op
package's lies in the package. What it says of files that are there is brought up to date: lines may have moved.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import zlib
from pathlib import Path
from typing import Any

from wrapgen.errors import UnknownOperation, UserError, nearest

FORMAT = 1
# Where a package may keep its map, from its folder: op packages, wheels, the source tree and its further builds.
_PLACES = (
    "_map.json",
    "share/map.json.gz",
    "../../build/gen/map.json",
    "../../gen/map.json",
)

TITLES = {
    "declared": "as declared",
    "stub": "what Python's type checkers see",
    "method table": "the method table",
    "operator": "the operator's slot",
    "arguments sorted": "called by the interpreter: sorts the arguments into parameters",
    "signature": "the parameters",
    "arguments read": "reads the arguments, calls the wrapper, wraps the result",
    "wrapper": "the wrapper in C: checks, promotion, results",
    "dtype switch": "one function for each dtype",
    "result": "the result",
    "function": "the function",
    "generic function": "the function, written once for all dtypes",
    "inner loop": "the inner loop",
}


class NoMap(UserError):
    """There is no map, or none that can be read."""


def package_folder(package: str) -> Path:
    """The folder of an importable package, which is not imported."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise NoMap(f"trace: no package '{package}' can be imported here")
    return Path(next(iter(spec.submodule_search_locations)))


def find_map(folder: Path) -> Path | None:
    """The map of the package in this folder."""
    return next((folder / place for place in _PLACES if (folder / place).is_file()), None)


def read_map(path: Path) -> dict[str, Any]:
    """The map's content."""
    try:
        data = path.read_bytes()
        result = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise NoMap(f"trace: cannot read {path}: {error}") from None
    if not isinstance(result, dict) or result.get("format") != FORMAT:
        raise NoMap(
            f"trace: {path} is not a map of this version of wrapgen; build the package again"
        )
    return result


def load_map(package: str) -> tuple[dict[str, Any], Path]:
    """A package's map, and the folder its file names are relative to where they are there at all."""
    folder = package_folder(package)
    path = find_map(folder)
    if path is None:
        raise NoMap(f"trace: '{package}' has no map; build it again")
    above = path.resolve().parents if path.parent.name == "gen" else ()
    tree = next((place for place in above if (place / "declarations").is_dir()), folder.parent)
    return read_map(path), tree


def parse_name(name: str) -> tuple[str, str]:
    """`prelu`, `th.prelu`, `Tensor.prelu_`, `hydro.runoff`: the package and the op."""
    package, _, op = name.rpartition(".")
    return (
        "thwrap" if package in ("", "th", "Tensor", "th.Tensor", "thwrap.Tensor") else package
    ), op


def find_op(content: dict[str, Any], name: str) -> str:
    """The op of this name in Python or C."""
    ops = content["ops"]
    if name in ops:
        return name
    for known, op in ops.items():
        if name == op["python_name"] or name in [form["symbol"] for form in op["forms"]]:
            return str(known)
    names = {*ops, *(op["python_name"] for op in ops.values())}
    raise UnknownOperation(f"no operation '{name}' in {content['module']}{nearest(name, names)}")


def _current_line(tree: Path, file: str, line: int, text: str) -> int:
    """Where the lines are now: first where they were, then anywhere in the file."""
    try:
        content = (tree / file).read_text()
    except (OSError, ValueError):
        return line
    lines = content.split("\n")
    if "\n".join(lines[line - 1 :]).startswith(text):
        return line
    place = content.find(text)
    return content.count("\n", 0, place) + 1 if place >= 0 else line


def _names(content: dict[str, Any], op: dict[str, Any]) -> str:
    package = content["module"].removesuffix("._C")
    names = []
    if "function" in op["variants"]:
        names.append(f"{'th' if package == 'thwrap' else package}.{op['python_name']}")
    if "method" in op["variants"]:
        names.append(f"Tensor.{op['python_name']}")
    if op["operator"]:
        names.append(f"operator {op['operator']}")
    return ", ".join(names)


def _compiled(form: dict[str, Any]) -> str:
    """What instruction sets the loops of a form are there for."""
    if not form["isas"]:
        return ""
    files = f" ({', '.join(form['loops'])})" if form["loops"] else ""
    return f"inner loops{files} compiled for {', '.join(form['isas'])}"


def trace(name: str, content: dict[str, Any], tree: Path) -> str:
    """The way of a name, as text."""
    op = content["ops"][find_op(content, name)]
    parts = [f"{_names(content, op)}\n"]
    several = len(op["forms"]) > 1
    for what, file, line, text in op["steps"]:
        kind = next(title for title in TITLES if what == title or what.startswith(f"{title} "))
        form = f" of {what[len(kind) + 1 :]}" if what != kind else ""
        line = _current_line(tree, file, line, text)
        parts.append(f"\n{file}:{line}: {TITLES[kind]}{form}\n")
        parts += [f"    {each}\n" if each else "\n" for each in text.split("\n")]
    for form in op["forms"]:
        label = f"TH_{form['symbol']}: " if several else ""
        compiled = _compiled(form)
        parts.append(f"\n{label}{compiled}\n" if compiled else "")
    return "".join(parts)
