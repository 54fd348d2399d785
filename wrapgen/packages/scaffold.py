"""`wrapgen new`: a package that works as it is, from the texts in templates/new."""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from wrapgen.errors import UserError

TEMPLATES = Path(__file__).parent / "templates" / "new"
# Names that are taken: by what a package imports, and by its own folders.
_TAKEN = {
    "thwrap": "thwrap itself is called so",
    "wrapgen": "wrapgen itself is called so",
    **dict.fromkeys(
        ("build", "csrc", "declarations", "dist", "generic", "tests"),
        "a folder of the package is called so",
    ),
}
FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    ".gitignore": "gitignore",
    "@name@/__init__.py": "init.py",
    "declarations/@name@.yaml": "declarations.yaml",
    "tests/test_@name@.py": "test.py",
}
PARTS = {
    "generic": ("generic/@name@.c", "generic.c"),
    "sources": ("csrc/@name@.cpp", "sources.cpp"),
}


def check_name(name: str) -> None:
    """The name is one of a Python package, a C file and a distribution, and nobody else's."""
    if not re.fullmatch(r"[a-z]([a-z0-9_]*[a-z0-9])?", name) or keyword.iskeyword(name):
        raise UserError(
            f"expected a name of lower-case letters, digits and _ that begins with a letter, got '{name}'"
        )
    if name in sys.stdlib_module_names:
        raise UserError(f"'{name}' is a module of Python's own library; choose another name")
    if name in _TAKEN:
        raise UserError(f"the package cannot be called '{name}': {_TAKEN[name]}")


def _text(template: str, name: str) -> str:
    return (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8").replace("@name@", name)


def texts(name: str, parts: tuple[str, ...] = ()) -> dict[str, str]:
    """The package's files by path."""
    files = {path.replace("@name@", name): _text(file, name) for path, file in FILES.items()}
    for hole, path, suffix in (
        ("@entries@\n", f"declarations/{name}.yaml", "yaml"),
        ("@tests@\n", f"tests/test_{name}.py", "py"),
    ):
        added = "".join(_text(f"{part}.{suffix}", name) for part in parts)
        files[path] = files[path].replace(hole, added)
    for part in parts:
        path, file = PARTS[part]
        files[path.replace("@name@", name)] = _text(file, name)
    files[f"{name}/py.typed"] = ""
    return files


def create(folder: Path, name: str, parts: tuple[str, ...] = ()) -> Path:
    """Writes the package into a new folder of its name."""
    check_name(name)
    root = folder / name
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise UserError(f"'{root}' is there already; nothing was written")
    for path, text in texts(name, parts).items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root
