"""The text of build.ninja files: escaping, build statements, templates with @holes@."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from wrapgen.errors import UserError


def path(name: object) -> str:
    """A path in a build statement."""
    text = str(name)
    if "\n" in text:
        raise UserError(f"a path with a line break cannot be built: {text!r}")
    return text.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def depfile_path(name: object) -> str:
    """A path in a file of dependencies, as make writes them."""
    return str(name).replace("\\", "\\\\").replace(" ", "\\ ").replace("$", "$$")


def words(*arguments: object) -> str:
    """Words of a command as the value of a variable, quoted for the shell."""
    return shlex.join(str(argument) for argument in arguments).replace("$", "$$")


@dataclass
class Edges:
    """Build statements in the making. Names are as ninja reads them: `$gen/x.c`, or through path()."""

    lines: list[str] = field(default_factory=list)

    def build(
        self,
        output: str,
        rule: str,
        inputs: Iterable[str],
        after: Iterable[str] = (),
        order: Iterable[str] = (),
        **variables: str,
    ) -> str:
        text = f"build {output}: {rule} {' '.join(inputs)}".rstrip()
        after, order = tuple(after), tuple(order)
        text += f" | {' '.join(after)}" if after else ""
        text += f" || {' '.join(order)}" if order else ""
        self.lines.append(text)
        self.lines += [f"  {name} = {value}".rstrip() for name, value in variables.items() if value]
        return output


def fill(template: str, holes: Mapping[str, str]) -> str:
    """A template with its @holes@ filled, each of which it has to have."""
    text = template
    for name, value in holes.items():
        if f"@{name}@" not in text:
            raise KeyError(f"hole not in the template: {name}")
        text = text.replace(f"@{name}@", value)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())
