"""`wrapgen.load` and `wrapgen.inline`: from a text to ops, and what the cache promises."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import thwrap as th
import wrapgen
from wrapgen.packages import caching, loading

PRELU = """\
- name: prelu
  types: [Float, Double]
  arguments: [THTensor* self, THTensor* weight]
  kernel: "self > 0 ? self : weight * self"
"""
SCALED = "- {{name: scaled, arguments: [THTensor* self], kernel: 'self * {}'}}\n"


pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture
def yaml(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A declarations file whose name, the package's in `th.ops`, no other test has."""
    name = re.sub(r"\W+", "_", request.node.name.removeprefix("test_")).strip("_")
    return tmp_path / f"{name}.yaml"


def modules(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.glob("*/*.abi3.so"))


def python(program: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_module_is_a_whole_package(yaml: Path) -> None:
    """Functions, broadcasting, out=, errors, the cffi door; the same module when nothing changed."""
    yaml.write_text(PRELU)
    nets = wrapgen.load(yaml)
    x = th.tensor([1.0, -2.0])
    assert nets.prelu(x, th.tensor([[0.5], [0.25]])).tolist() == [[1, -1], [1, -0.5]]
    out = th.empty(2)
    assert nets.prelu(x, 0.5, out=out) is out
    with pytest.raises(TypeError, match=r"prelu\(\) got an unexpected keyword argument"):
        nets.prelu(x, 0.5, weigth=1)
    result = nets.ffi.new("THTensor **")
    cast = nets.ffi.cast("THTensor *", x._cdata)
    assert nets.lib.TH_prelu(result, cast, cast) == 0
    nets.lib.THTensor_free(result[0])
    assert nets.__name__ == yaml.stem
    assert wrapgen.load(yaml) is nets
    assert wrapgen.load(str(yaml), "other").__name__ == "other"


PROGRAM = """\
import sys, wrapgen
module = wrapgen.load(sys.argv[1])
import thwrap as th
print(module.prelu(th.tensor([-2.0]), 0.5).tolist())
print(sorted(name for name in sys.modules if name.startswith(("wrapgen", "yaml", "cffi", "subprocess", "dataclasses"))))
"""


def test_a_cached_load_imports_no_generator(yaml: Path) -> None:
    """Neither it nor the YAML reader."""
    yaml.write_text(PRELU)
    wrapgen.load(yaml)
    output, error = python(PROGRAM, str(yaml)).communicate()
    imported = ["wrapgen", "wrapgen.packages", "wrapgen.packages.loading"]
    assert output.splitlines() == ["[-1.0]", str(imported)], error


def test_a_name_that_a_library_has_stays_the_librarys(tmp_path: Path, cache: Path) -> None:
    """`random` is Python's after `random.yaml` was loaded, whether or not it was imported before."""
    program = """
import sys, wrapgen
{first}
module = wrapgen.load("random.yaml")
import random
print(module.prelu.__module__, random.randint(3, 3), "random.lib" in sys.modules)
"""
    (tmp_path / "random.yaml").write_text(PRELU)
    for first in ("", "import random"):
        source = f"import os\nos.chdir({str(tmp_path)!r})\n" + program.format(first=first)
        output, error = python(source).communicate()
        assert output == "random 3 False\n", error


def test_an_edit_rebuilds_in_the_same_process(yaml: Path, cache: Path) -> None:
    """What was loaded before goes on working, and an edit that is undone is found in the cache."""
    yaml.write_text(SCALED.format(2))
    double = wrapgen.load(yaml)
    yaml.write_text(SCALED.format(3))
    triple = wrapgen.load(yaml)
    x = th.ones(1)
    assert (double.scaled(x).item(), triple.scaled(x).item()) == (2, 3)
    yaml.write_text(SCALED.format(2))
    before = modules(cache)
    again = wrapgen.load(yaml)
    assert again.scaled(x).item() == 2
    assert modules(cache) == before
    assert len(before) == 2
    assert len(list(cache.iterdir())) == 1  # one place, one build folder
    del double, triple
    assert again.scaled(x).item() == 2


def test_an_edit_compiles_only_what_it_touched(yaml: Path, cache: Path) -> None:
    yaml.write_text(SCALED.format(2))
    wrapgen.load(yaml)
    (folder,) = cache.iterdir()
    before = {file.name: file.stat().st_mtime_ns for file in folder.rglob("obj/**/*.o")}
    yaml.write_text(SCALED.format(3))
    wrapgen.load(yaml)
    after = {file.name: file.stat().st_mtime_ns for file in folder.rglob("obj/**/*.o")}
    unchanged = {name for name in before if before[name] == after[name]}
    assert {"cffi.o", f"py_{yaml.stem}.o", "py_module.o"} <= unchanged


def test_files_the_yaml_names_count(yaml: Path, tmp_path: Path) -> None:
    """A C file, and a header it includes."""
    yaml.write_text(
        "- generic: own.c\n- name: own\n  types: [Float]\n  arguments:\n"
        "    - {arg: THTensor* result, output: true}\n    - THTensor* self\n"
    )
    (tmp_path / "value.h").write_text("#define VALUE 1\n")
    code = (
        '#include "value.h"\n'
        "int THTensor_(own)(THTensor *result, THTensor *self)\n{\n    (void)self;\n"
        '    const int status = THTensor_resizeOutput("own", result, 0, NULL);\n'
        "    if (status == TH_OK)\n"
        "        TH_STORE((storage_t *)THTensor_data(result), VALUE + 0);\n    return status;\n}\n"
    )
    (tmp_path / "own.c").write_text(code)
    x = th.zeros(1)
    first = wrapgen.load(yaml)
    assert first.own(x).item() == 1
    assert wrapgen.load(yaml) is first
    (tmp_path / "value.h").write_text("#define VALUE 2\n")
    assert wrapgen.load(yaml).own(x).item() == 2
    (tmp_path / "own.c").write_text(code.replace("+ 0", "+ 5"))
    assert wrapgen.load(yaml).own(x).item() == 7


def test_options_are_part_of_the_key(yaml: Path, tmp_path: Path, cache: Path) -> None:
    yaml.write_text(SCALED.format(2))
    wrapgen.load(yaml)
    wrapgen.load(yaml, cflags="-DNOTHING -O1")
    wrapgen.load(yaml, cflags=["-DNOTHING=a b"])
    assert len(modules(cache)) == 3
    program = f"import wrapgen; wrapgen.load({str(yaml)!r})"
    process = python(program, TH_ISA="base")
    process.communicate()
    assert process.returncode == 0
    assert len(modules(cache)) == (3 if th._C._isa() == "base" else 4)
    with pytest.raises(ValueError, match="expected results 'tensor' or 'like', got 'numpy'"):
        wrapgen.load(yaml, results="numpy")
    with pytest.raises(ValueError, match="expected a name that is a Python identifier, got 'a-b'"):
        wrapgen.load(yaml, "a-b")
    with pytest.raises(FileNotFoundError):
        wrapgen.load(tmp_path / "nothing.yaml")


RACE = """\
import sys, time, wrapgen
while time.time() < float(sys.argv[2]):
    pass
module = wrapgen.load(sys.argv[1])
import thwrap as th
print(module.prelu(th.tensor([-2.0]), 0.5).tolist())
"""


def test_several_processes_at_once(yaml: Path, cache: Path) -> None:
    yaml.write_text(PRELU)
    start = str(time.time() + 0.3)
    processes = [python(RACE, str(yaml), start) for _ in range(4)]
    for process in processes:
        output, error = process.communicate()
        assert output == "[-1.0]\n", error
    assert len(modules(cache)) == 1
    (folder,) = cache.iterdir()
    links = [
        line for line in (folder / ".ninja_log").read_text().splitlines() if "module.so" in line
    ]
    assert len(links) == 1


@pytest.mark.parametrize("moment", ["obj/**/*.o", "gen/cffi.c", "build.ninja"])
def test_a_builder_that_is_killed_breaks_nothing(moment: str, yaml: Path, cache: Path) -> None:
    yaml.write_text(PRELU)
    process = subprocess.Popen(
        [sys.executable, "-c", f"import wrapgen; wrapgen.load({str(yaml)!r})"],
        start_new_session=True,
    )
    while process.poll() is None and not list(cache.glob(f"*/{moment}")):
        time.sleep(0.002)
    with contextlib.suppress(ProcessLookupError):  # on a busy machine it may be done
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert wrapgen.load(yaml).prelu(th.tensor([-2.0]), 0.5).item() == -1


def test_a_module_that_vanished_is_built_again(yaml: Path, cache: Path) -> None:
    yaml.write_text(SCALED.format(2))
    wrapgen.load(yaml)
    for file in cache.glob("*/*.abi3.so"):
        file.unlink()
    assert wrapgen.load(yaml).scaled(th.ones(1)).item() == 2
    assert len(modules(cache)) == 1


def test_old_modules_are_forgotten(
    yaml: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching, "_KEPT", 2)
    for factor in range(2, 6):
        yaml.write_text(SCALED.format(factor))
        assert wrapgen.load(yaml).scaled(th.ones(1)).item() == factor
    assert len(modules(cache)) == 2
    assert len(list(cache.glob("*/*.files"))) == 2


def test_progress_after_a_second(yaml: Path, tmp_path: Path) -> None:
    compiler = tmp_path / "slow"
    compiler.write_text('#!/bin/sh\nsleep 0.6\nexec cc "$@"\n')
    compiler.chmod(0o755)
    yaml.write_text(SCALED.format(2))
    process = python(f"import wrapgen; wrapgen.load({str(yaml)!r})", CC=str(compiler))
    assert process.communicate() == ("", f"wrapgen: building {yaml.stem} ...\n")


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WRAPGEN_CACHE", str(tmp_path / "file/cache"))
    with pytest.raises(wrapgen.UserError, match=r"cannot be used: .*; WRAPGEN_CACHE names another"):
        wrapgen.inline(PRELU)


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WRAPGEN_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert loading.cache_folder() == "/somewhere/wrapgen"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert loading.cache_folder() == os.path.expanduser("~/.cache/wrapgen")


def test_errors_point_into_the_file(yaml: Path) -> None:
    yaml.write_text(PRELU.replace("types", "tipes"))
    with pytest.raises(wrapgen.DeclarationErrors) as caught:
        wrapgen.load(yaml)
    assert str(caught.value).startswith(f"{yaml}:2:3: error: unknown key 'tipes'; did you mean")
    yaml.write_text(PRELU + "  before_call: TH_TRY(nothing());\n")
    with pytest.raises(wrapgen.BuildError) as failed:
        wrapgen.load(yaml)
    assert str(failed.value).startswith(f"{yaml}:5: error: ")
    assert len(str(failed.value).splitlines()) == 1


def test_inline() -> None:
    """With a name the place is the caller's file, and the next text replaces it; without one the text is the name."""
    first = wrapgen.inline(SCALED.format(2), "factors")
    second = wrapgen.inline(SCALED.format(3), "factors")
    assert (first.__name__, second.__name__) == ("factors", "factors")
    assert second.scaled(th.ones(1)).item() == 3
    unnamed = wrapgen.inline(SCALED.format(4))
    assert unnamed.__name__.startswith("inline_")
    assert wrapgen.inline(SCALED.format(4)) is unnamed


SUMS = """\
import wrapgen
import thwrap as th

def module():
    return wrapgen.inline('''
- sources: [csrc/sums.c]
- name: sums
  types: [Double]
  arguments: [THTensor* self]
  core: (n)->()
  cname: void sums
''', "sums")
"""
SUMS_C = """\
#include "start.h"
#include <stdint.h>

void sums(int64_t n, const double *self, int64_t stride, double *result)
{
    *result = START;
    for (int64_t i = 0; i < n; i++)
        *result += self[i * stride];
}
"""


def test_paths_in_inline_are_relative_to_the_caller(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To its file, wherever it is run; in a notebook to the working directory, which has a place of its own."""
    for name, value in (("one", 1), ("two", 2)):
        (tmp_path / name / "csrc").mkdir(parents=True)
        (tmp_path / name / "csrc/sums.c").write_text(SUMS_C)
        (tmp_path / name / "csrc/start.h").write_text(f"#define START {value}\n")
    script = tmp_path / "one/script.py"
    script.write_text(f"{SUMS}print(module().sums(th.ones(3, dtype=th.float64)).item())\n")
    for folder in (tmp_path, tmp_path / "one"):
        done = subprocess.run(
            [sys.executable, script], cwd=folder, capture_output=True, text=True, check=True
        )
        assert done.stdout == "4.0\n"
    cell: dict[str, Any] = {}
    exec(compile(SUMS, "<cell 1>", "exec"), cell)
    for folder, expected in (("one", 4), ("two", 5), ("one", 4)):
        monkeypatch.chdir(tmp_path / folder)
        assert cell["module"]().sums(th.ones(3, dtype=th.float64)).item() == expected
    assert len(modules(cache)) == 3


def test_errors_in_files_of_inline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are named as the caller names them."""
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc/sums.c").write_text(SUMS_C)
    monkeypatch.chdir(tmp_path)
    cell: dict[str, Any] = {}
    exec(compile(SUMS, "<cell 1>", "exec"), cell)
    with pytest.raises(wrapgen.BuildError, match=r"\Acsrc/sums.c:1:10: fatal error: start.h"):
        cell["module"]()
    exec(compile(SUMS.replace("sums.c", "sun.c"), "<cell 1>", "exec"), cell)
    with pytest.raises(wrapgen.DeclarationErrors) as caught:
        cell["module"]()
    assert str(caught.value) == (
        "<inline>:2:13: error: no such file: 'csrc/sun.c'; did you mean 'csrc/sums.c'?"
    )


def test_errors_of_inline_point_to_the_caller(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    text = '\n- name: twice\n  arguments: [THTensor* self]\n  kernal: "2 * self"\n'
    script.write_text(f'import wrapgen\n\nwrapgen.inline("""{text}""")\n')
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert f"{script}:6:3: error: unknown key 'kernal'" in run.stderr
    assert "During handling" not in run.stderr
    with pytest.raises(wrapgen.DeclarationErrors) as caught:
        wrapgen.inline(text.replace("twice", "thrice"))
    assert str(caught.value).startswith("<inline>:4:3: error: unknown key 'kernal'")


class Shell:
    """What load_ipython_extension needs of IPython."""

    def __init__(self) -> None:
        self.magics: dict[tuple[str, str], object] = {}
        self.names: dict[str, object] = {}

    def register_magic_function(self, function: object, kind: str, name: str) -> None:
        self.magics[kind, name] = function

    def push(self, names: dict[str, object]) -> None:
        self.names.update(names)


def test_cells() -> None:
    shell = Shell()
    wrapgen.load_ipython_extension(shell)
    magic = shell.magics["cell", "wrapgen"]
    magic("", SCALED.format(2))
    assert shell.names["scaled"](th.ones(1)).item() == 2
    assert "ffi" not in shell.names
    magic("cells", SCALED.format(3))
    magic("cells", SCALED.format(5))
    assert shell.names["scaled"](th.ones(1)).item() == 5
    assert shell.names["cells"].__name__ == "cells"
    with pytest.raises(wrapgen.DeclarationErrors, match=r"<cell>:3:3: error: "):
        magic("", SCALED.format(2) + "- 3\n")
    with pytest.raises(ValueError, match=r"expected `%%wrapgen \[name\]`, got 'a b'"):
        magic("a b", "")


def test_importing_wrapgen_imports_nothing() -> None:
    program = (
        "import json, sys; before = set(sys.modules); import wrapgen; "
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    output, _ = python(program).communicate()
    assert json.loads(output) == ["wrapgen"]
