"""`wrapgen trace NAME`: the way of an op's name from Python to the line that computes, read from the map.

The map of thwrap lies in the build folder of the source tree or, in an installed wheel, in thwrap/share; an op
package's lies in the package, that of a module of `wrapgen.load` beside it in the cache. What it says of files that
are there is brought up to date: lines may have moved. Of other files it is told that they are not here.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import zlib
from pathlib import Path
from typing import Any

from wrapgen.errors import UnknownOperation, UserError, nearest
from wrapgen.packages.loading import cache_folder

FORMAT = 1
# Where a package may keep its map, from its folder: op packages, wheels, the source tree, selective and further builds.
_PLACES = (
    "_map.json",
    "share/map.json.gz",
    "../../build/gen/map.json",
    "../gen/map.json",
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


def package_folder(package: str) -> Path | None:
    """The folder of a package, built here or importable; it is not imported."""
    if (Path(package) / _PLACES[0]).is_file():
        return Path(package).resolve()
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def loaded_map(name: str) -> Path | None:
    """The map of the module of this name that `wrapgen.load`, `wrapgen.inline` or a cell built last."""
    maps = Path(cache_folder()).glob(f"{name}-*/{name}.*.abi3.json") if name.isidentifier() else ()
    return max(maps, key=lambda path: path.stat().st_mtime_ns, default=None)


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
    """The map of a package, or of a loaded module, and the folder its file names are relative to."""
    folder = package_folder(package)
    path = find_map(folder) if folder else loaded_map(package)
    if path is None and folder is not None:
        raise NoMap(f"trace: '{package}' has no map; build it again")
    if path is None:
        raise NoMap(
            f"trace: no package '{package}' can be imported here, and wrapgen.load built none of this name"
        )
    content = read_map(path)
    if content.get("root"):
        return content, Path(content["root"])
    above = path.resolve().parents if path.parent.name == "gen" else ()
    own = (folder or path.parent).parent
    return content, next((place for place in above if (place / "declarations").is_dir()), own)


def map_of(module: str, file: str) -> dict[str, Any]:
    """The map of an imported module."""
    beside = Path(file).with_suffix(".json")
    return read_map(beside) if beside.is_file() else load_map(module.removesuffix("._C"))[0]


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


def _file(tree: Path, name: str) -> Path:
    """Where a file is; in a wheel the stub lies in the package, whatever folder that was built in."""
    return next(
        (path for path in (tree / name, tree / name.removeprefix("pkg/")) if path.is_file()),
        tree / name,
    )


def _place(tree: Path, name: str, line: int, text: str) -> str:
    """`file:line` as the file is now: the lines are looked for where they were, then anywhere in it."""
    path = _file(tree, name)
    try:
        content = path.read_text()
    except (OSError, ValueError):
        return f"{name}:{line} (not on this machine)"
    shown = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    if "\n".join(content.split("\n")[line - 1 :]).startswith(text):
        return f"{shown}:{line}"
    place = content.find(text)
    if place < 0:
        return f"{shown}:{line} (changed since it was built)"
    return f"{shown}:{content.count(chr(10), 0, place) + 1}"


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
        parts.append(f"\n{_place(tree, file, line, text)}: {TITLES[kind]}{form}\n")
        parts += [f"    {each}\n" if each else "\n" for each in text.split("\n")]
    for form in op["forms"]:
        label = f"TH_{form['symbol']}: " if several else ""
        compiled = _compiled(form)
        parts.append(f"\n{label}{compiled}\n" if compiled else "")
    return "".join(parts)
