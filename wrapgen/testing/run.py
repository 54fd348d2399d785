"""`wrapgen test`: builds a package and runs pytest on the laws and on the package's own tests, in a process of its own.

What ends that process, a signal or the address sanitizer, is told with the law and the op it was about.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wrapgen.errors import UserError, listing
from wrapgen.packages import building
from wrapgen.packages.building import Build
from wrapgen.packages.project import Project

NEEDED = ("pytest", "hypothesis", "numpy")
SANITIZERS = ("libasan.so", "libubsan.so")
# A frame of a report: the function, and its line or only the library it is in.
_FRAME = re.compile(
    r"#\d+ 0x[0-9a-f]+ in (?P<name>\S+) \(?(?P<path>[^\s:+]+)(?P<line>:\d+)?", re.MULTILINE
)
_ACCESS = re.compile(r"^(?:READ|WRITE) of size \d+", re.MULTILINE)
_ERROR = re.compile(r"ERROR: AddressSanitizer:? (?P<asan>.*)|runtime error: (?P<ubsan>.*)")
_MOST_FRAMES = 3


def check_installed() -> None:
    """An error for what has to be installed first."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UserError(
            f"`wrapgen test` needs {listing(missing)}: install with `pip install thwrap[test]`"
        )


@dataclass(frozen=True)
class Run:
    """A run of pytest on a package that is built."""

    project: Project
    build: Build
    sanitized: bool
    arguments: Sequence[str]

    @property
    def folder(self) -> Path:
        """Where a run leaves its notes."""
        return self.project.root / self.build.builddir / "test"

    @property
    def note(self) -> Path:
        return self.folder / "running.json"

    @property
    def command(self) -> list[str]:
        options = {
            "--wrapgen-project": self.project.root,
            "--wrapgen-module": self.project.root / self.build.target,
            "--wrapgen-note": self.note,
        }
        return [
            sys.executable,
            *("-m", "pytest", "-p", "wrapgen.testing.plugin", "-p", "no:faulthandler"),
            *("-o", f"cache_dir={self.folder / 'pytest'}"),
            *(f"{name}={value}" for name, value in options.items()),
            *self.arguments,
        ]

    @property
    def environment(self) -> dict[str, str]:
        environment = {**os.environ, "PYTHONPATH": building.python_path()}
        if self.sanitized:
            report = f'log_path="{self.folder / "report"}"'
            environment["LD_PRELOAD"] = " ".join(map(str, _sanitizers(self.build.cc)))
            environment["ASAN_OPTIONS"] = f"detect_leaks=0:allocator_may_return_null=1:{report}"
            environment["UBSAN_OPTIONS"] = f"print_stacktrace=1:{report}"
            environment["PYTHONMALLOC"] = "malloc"
        return environment


def _sanitizers(cc: str) -> list[Path]:
    """The sanitizers' libraries, which have to be loaded before Python."""
    found = []
    for name in SANITIZERS:
        command = [*shlex.split(cc), f"-print-file-name={name}"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        path = Path(run.stdout.strip())
        if not path.is_absolute() or not path.is_file():
            raise UserError(f"--asan: {cc} has no {name}; install gcc, whose sanitizers are used")
        found.append(path)
    return found


def run(project: Project, build: Build, sanitized: bool, arguments: Sequence[str]) -> int:
    """Builds and tests; the exit status."""
    check_installed()
    job = Run(project, build, sanitized, arguments)
    environment = job.environment  # says what is missing before anything is built
    progress = building.Progress(f"building {project.module} ...")
    building.run(build, building.prepare(build), progress)
    shutil.rmtree(job.folder, ignore_errors=True)
    job.folder.mkdir(parents=True)
    status = subprocess.run(job.command, cwd=project.root, env=environment, check=False).returncode
    if job.note.is_file():
        print(_ended(job, status), file=sys.stderr)
        return 1
    return status


def _ended(job: Run, status: int) -> str:
    """Which test ended the process, and how."""
    with contextlib.suppress(ValueError):
        note = json.loads(job.note.read_text())
        name = note["law"] or f"wrapgen: {note['test']} failed"
        return f"\n{name}\n  {_cause(job, status)}"
    return f"\nwrapgen: pytest ended: {_cause(job, status)}"


def _cause(job: Run, status: int) -> str:
    for path in sorted(job.folder.glob("report.*")):
        found = _report(job, path.read_text(errors="replace"))
        if found:
            return f"{found}\n  the whole report is in {os.path.relpath(path, job.project.root)}"
    if status < 0:
        name = signal.Signals(-status).name
        hint = "" if job.sanitized else "; `wrapgen test --asan` may say where"
        return f"the process was ended by {name}{hint}"
    return f"the process ended with status {status}"


def _report(job: Run, text: str) -> str:
    """A sanitizer's finding and the frames that are no one else's."""
    error = _ERROR.search(text)
    if error is None:
        return ""
    words = (error["asan"] or error["ubsan"]).split(" on address", 1)[0].split(" (pc ", 1)[0]
    access = _ACCESS.search(text)
    lines = [f"sanitizer: {words}{', ' + access[0] if access else ''}"]
    for frame in _FRAME.finditer(text, error.end()):
        path = Path(os.path.normpath(job.project.root / frame["path"]))
        if path.is_relative_to(job.project.root) and path.is_file():
            place = os.path.relpath(path, job.project.root)
            lines.append(f"  in {frame['name']}, {place}{frame['line'] or ''}")
    return "\n  ".join(lines[: 1 + _MOST_FRAMES])
