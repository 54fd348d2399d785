"""The pytest plugin of `wrapgen test`: the laws are collected for a package, and what breaks one is told by its entry.

Before each test a note of it is written, so that `wrapgen test` can tell which one ended the process.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.util
import json
import sys
from collections.abc import Generator, Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from wrapgen.testing.report import Law, Table, complaint, law_of

LAWS = Path(__file__).resolve().parent / "laws"

pytest.register_assert_rewrite("wrapgen.testing.calling", "wrapgen.testing.oracle")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("wrapgen", "laws of an op package; `wrapgen test` gives these options")
    group.addoption("--wrapgen-project", metavar="FOLDER", help="the package's folder")
    group.addoption("--wrapgen-module", metavar="FILE", help="its compiled module")
    group.addoption("--wrapgen-note", metavar="FILE", help="is given the name of the running test")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds a package's module in the file that was built for the tests."""

    def __init__(self, name: str, file: str) -> None:
        self.name = name
        self.file = file

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.file)


def _use_project(config: pytest.Config) -> None:
    """The laws are about this package."""
    import os

    from wrapgen import chain
    from wrapgen.packages import project
    from wrapgen.testing import subject

    package = project.read(Path(config.getoption("--wrapgen-project")))
    file = Path(config.getoption("--wrapgen-module"))
    sys.path.insert(0, str(package.root))
    sys.meta_path.insert(0, _Finder(package.module, str(file)))
    files = [(path, os.path.relpath(path, package.root)) for path in package.declarations]
    subject.use(
        subject.Subject(
            module=importlib.import_module(package.module),
            read=lambda: chain.read(files, package.chain()),
            tests=package.root / "tests",
            stub=file.with_name("_C.pyi"),
            methods=package.methods,
            results_like=package.results == "like",
        )
    )


def _check_samples() -> None:
    """What nothing can be drawn from is told before anything is run."""
    from wrapgen.errors import DeclarationErrors
    from wrapgen.testing.declared import cases
    from wrapgen.testing.samples import problems

    told = [
        case.op.error(None, text)
        for case in cases()
        if not case.is_derived
        for text in problems(case)
    ]
    if told:
        raise pytest.UsageError(str(DeclarationErrors(told)))


def _set_hypothesis_up(home: Path) -> None:
    """The same cases every time; nothing is written into the package."""
    import hypothesis
    from hypothesis.configuration import set_hypothesis_home_dir

    set_hypothesis_home_dir(home)
    name = "wrapgen"
    hypothesis.settings.register_profile(name, deadline=None, derandomize=True, database=None)
    hypothesis.settings.load_profile(name)


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--wrapgen-project"):
        return
    note = Path(config.getoption("--wrapgen-note"))
    _use_project(config)
    _check_samples()
    _set_hypothesis_up(note.parent / "hypothesis")
    config.pluginmanager.register(Laws(note, config), "wrapgen-laws")
    laws = sorted(str(path) for path in LAWS.glob("*.py") if path.name != "__init__.py")
    own = list(config.args)
    if config.args_source is pytest.Config.ArgsSource.INVOCATION_DIR:
        folder = config.rootpath / "tests"
        own = [str(folder)] if folder.is_dir() else []
    config.args[:] = [*laws, *own]


class Laws:
    """What is done where there is a project."""

    def __init__(self, note: Path, config: pytest.Config) -> None:
        self.note = note
        self.table = Table()
        styles = ("long", "native")
        self.traces = config.option.tbstyle in styles or config.option.fulltrace

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makemodule(
        self, module_path: Path, parent: pytest.Collector
    ) -> pytest.Module | None:
        if module_path.parent != LAWS:
            return None
        nodeid = f"laws/{module_path.name}"
        module: pytest.Module = pytest.Module.from_parent(parent, path=module_path, nodeid=nodeid)
        return module

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Laws that no op of the package is subject to are not shown as skipped tests."""
        items[:] = [item for item in items if not _is_empty(item)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        law = law_of(item)
        self.note.write_text(json.dumps({"test": item.nodeid, "law": law and str(law)}))
        result = yield
        self.note.unlink(missing_ok=True)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        law = law_of(item)
        if law is not None and (report.when == "call" or report.failed):
            self._judge(law, report, call)
        return report

    def _judge(self, law: Law, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
        if report.skipped:
            return
        self.table.add(law, report.passed)
        if report.failed and call.excinfo is not None and not self.traces:
            report.longrepr = complaint(law, call.excinfo)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        lines = self.table.lines()
        if lines and terminalreporter.verbosity > -2:
            terminalreporter.section("laws by declaration: tests that passed, of how many")
            for line in lines:
                terminalreporter.write_line(line)


def _is_empty(item: pytest.Item) -> bool:
    """Stands for a test without cases."""
    callspec = getattr(item, "callspec", None)
    values = () if callspec is None else tuple(callspec.params.values())
    return law_of(item) is None and item.path.parent == LAWS and bool(values)


@pytest.fixture(autouse=True)
def _wrapgen_settings(request: pytest.FixtureRequest) -> Iterator[None]:
    """Laws leave settings as they were."""
    if request.node.path.parent != LAWS:
        context: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    else:
        from wrapgen.testing.settings import restored

        context = restored()
    with context:
        yield
