"""Reading tables, and writing files so that nobody ever sees half of one, and none is newer than its content."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from wrapgen.errors import UserError


def table(path: Path) -> list[dict[str, Any]]:
    """The rows of a YAML file of wrapgen's own, read by libyaml where it is there."""
    import yaml

    rows: list[dict[str, Any]] = yaml.load(
        path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return rows


def write_if_changed(path: Path, text: str) -> bool:
    """Writes through a temporary file; false when the content is there already."""
    if path.is_file() and path.read_text() == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text)
    temporary.replace(path)
    return True


def put(text: str, target: str | None) -> None:
    """What a verb was asked for: into the file named, or printed."""
    if target is None:
        print(text, end="")
        return
    try:
        write_if_changed(Path(target), text)
    except OSError as error:
        raise UserError(f"cannot write {target}: {error.strerror}") from None
