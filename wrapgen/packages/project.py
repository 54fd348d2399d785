"""What an op package says of itself: `[project] name` and `[tool.wrapgen]` of its pyproject.toml."""

from __future__ import annotations

import keyword
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wrapgen import loader
from wrapgen.errors import UserError, listing, nearest, shorten
from wrapgen.model import Plugin
from wrapgen.packages import extending
from wrapgen.packages.extending import Extended
from wrapgen.plugins import CHAIN

FILE = "pyproject.toml"


@dataclass(frozen=True)
class Project:
    """An op package, as its author describes it."""

    root: Path
    package: str
    declarations: tuple[Path, ...]
    results: str = "tensor"
    methods: bool = False
    plugins: tuple[str, ...] = ()
    watched: tuple[Path, ...] = ()  # folders where a new declarations file may appear

    @property
    def module(self) -> str:
        return f"{self.package}._C"

    @property
    def out(self) -> Path:
        """The folder of the Python package."""
        return self.root / self.package

    def extended(self) -> Extended:
        """The plugins, with the project's own where it wants them."""
        if not self.plugins:
            return Extended()
        return extending.extend(self.plugins, self.root, f"{FILE}, [tool.wrapgen]")

    def chain(self) -> tuple[Plugin, ...]:
        return self.extended().chain


def _error(message: str) -> UserError:
    return UserError(f"{FILE}, [tool.wrapgen]: {message}")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of texts")
    return tuple(value)


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _results(value: object) -> str:
    if value not in ("tensor", "like"):
        raise ValueError('"tensor" or "like"')
    return str(value)


def _places(value: object) -> str | tuple[str, ...]:
    return value if isinstance(value, str) else _texts(value)


def _package(value: object) -> str:
    name = _text(value)
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise ValueError("a Python identifier")
    return name


_KEYS: dict[str, Callable[[object], Any]] = {
    "package": _package,
    "declarations": _places,
    "results": _results,
    "methods": _boolean,
    "plugins": _texts,
}


def _read_toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(
            f"no {FILE} in {path.parent}; `wrapgen new NAME` makes a package, "
            "and the other verbs work in its folder"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{FILE}: {error}") from None


def _table(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise UserError(f"{FILE}: expected [{name}] as a table")
    return table


def _values(table: object) -> dict[str, Any]:
    """The table's keys, checked."""
    if not isinstance(table, dict):
        raise UserError(f"{FILE}: expected [tool.wrapgen] as a table")
    values = {}
    for key, value in table.items():
        if key not in _KEYS:
            hint = nearest(key, _KEYS) or f"; known keys: {listing(sorted(_KEYS))}"
            raise _error(f"unknown key '{key}'{hint}")
        try:
            values[key] = _KEYS[key](value)
        except ValueError as expected:
            got = shorten(repr(value))
            raise _error(f"expected '{key}' as {expected}, got {got}") from None
    return values


def _declarations(
    root: Path, places: str | tuple[str, ...]
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The declarations files and the folders among the places."""
    files: list[Path] = []
    folders: list[Path] = []
    for place in (places,) if isinstance(places, str) else places:
        path = root / place
        if path.is_dir():
            folders.append(path)
            files += loader.declaration_files(path)
        elif path.is_file() and path.suffix not in (".yaml", ".yml", ".cwrap"):
            raise _error(f"'declarations': expected .yaml or .cwrap files, got '{place}'")
        elif path.is_file():
            files.append(path)
        else:
            raise _error(f"'declarations': no such file or folder: '{place}'")
    if not files:
        raise _error(f"'declarations': there is no .yaml or .cwrap file in {places!r}")
    stems: dict[str, Path] = {}
    for path in files:
        first = stems.setdefault(path.stem, path)
        if first == path and first is not path:
            raise _error(f"'declarations': '{os.path.relpath(path, root)}' is there twice")
        if first is not path:
            names = " and ".join(os.path.relpath(each, root) for each in (first, path))
            raise _error(f"'declarations': {names} have the same name; keep one, or rename one")
    return tuple(files), tuple(folders)


def is_package(root: Path) -> bool:
    """Whether the folder has a pyproject.toml with [tool.wrapgen]."""
    path = root / FILE
    return path.is_file() and "wrapgen" in _table(_read_toml(path), "tool")


def read(root: Path) -> Project:
    """The project of a folder."""
    root = root.resolve()
    document = _read_toml(root / FILE)
    values = _values(_table(document, "tool").get("wrapgen", {}))
    package = values.get("package")
    if package is None:
        name = _table(document, "project").get("name")
        if not isinstance(name, str):
            raise UserError(
                f"{FILE}: expected [project] with a name, or `package` in [tool.wrapgen]"
            )
        try:
            package = _package(re.sub(r"[-.]", "_", name))
        except ValueError:
            raise _error(f"'{name}' is no name of a Python package; give `package`") from None
    if not (root / package).is_dir():
        raise _error(f"package '{package}': there is no folder '{package}' in {root}")
    files, folders = _declarations(root, values.get("declarations", "declarations"))
    return Project(
        root=root,
        package=package,
        declarations=files,
        results=values.get("results", "tensor"),
        methods=values.get("methods", False),
        plugins=values.get("plugins", ()),
        watched=folders,
    )


def chain_of(folder: Path) -> tuple[tuple[Plugin, ...], tuple[Path, ...]]:
    """The plugins that a folder's declarations are read with, and the files: those of a package, or thwrap's own."""
    if is_package(folder):
        package = read(folder)
        return package.chain(), package.declarations
    return CHAIN, tuple(loader.declaration_files(folder / "declarations"))
