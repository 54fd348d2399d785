"""What is said where a library, or something of it, is missing; what packages of libraries carry."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import thwrap as th
import wrapgen
from wrapgen.__main__ import main
from wrapgen.errors import BuildError, DeclarationErrors
from wrapgen.packages import building, project
from wrapgen.toolchain import doctor


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WRAPGEN_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


MISSING = """\
- library: absent
  headers: [absent/header.h]
  link: [-lm]
  hint: make one
- name: f
  library: absent
  types: [Double]
  arguments: [THTensor* self]
  call: absent_f(self)
"""


def errors(text: str, **options: object) -> str:
    with pytest.raises(DeclarationErrors) as caught:
        wrapgen.inline(text, "missing", **options)
    return str(caught.value).replace("<inline>", "missing.yaml")


def shown(text: str) -> str:
    """Without the place in this file."""
    return text[text.index(": error: ") + 2 :]


def test_a_header_is_missing() -> None:
    expected = "tried -lm: absent/header.h: No such file or directory; make one"
    assert shown(errors(MISSING)) == f"error: library 'absent' was not found: {expected}"


def test_a_library_is_missing() -> None:
    text = MISSING.replace("absent/header.h", "math.h").replace("-lm", "-labsent_library")
    assert shown(errors(text.replace("absent_f", "cos"))) == (
        "error: library 'absent' was not found: tried -labsent_library: cannot find "
        "-labsent_library: No such file or directory; make one"
    )


def test_a_module_of_pkg_config_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = MISSING.replace("link: [-lm]", "pkg_config: no-such-module")
    assert "tried pkg-config no-such-module: " in errors(text)
    monkeypatch.setenv("PKG_CONFIG", "no-such-pkg-config")
    assert shown(errors(text)) == (
        "error: library 'absent' was not found: tried pkg-config no-such-module, "
        "but there is no no-such-pkg-config; install pkg-config; make one"
    )


def test_what_pkg_config_does_not_know_is_linked_as_declared() -> None:
    text = MISSING.replace("link:", "pkg_config: no-such-module\n  link:")
    text = text.replace("absent/header.h", "math.h").replace("absent_f", "cos")
    module = wrapgen.inline(text, "linked")
    assert module.f(th.tensor(0.0, dtype=th.float64)).item() == 1


def test_other_places_are_missing() -> None:
    text = MISSING.replace("link: [-lm]", "include_dirs: [no/such/folder]")
    assert "there is no folder " in errors(text)
    text = MISSING.replace("link: [-lm]", "python: no_such_package")
    assert "tried the Python package no_such_package, which is not installed" in errors(text)


def test_a_function_is_missing() -> None:
    """Declared, or not; the linker alone would say nothing."""
    text = MISSING.replace("absent/header.h", "zlib.h").replace(
        "absent_f(self)", "absent_f(self, self)"
    )
    with pytest.raises(BuildError, match=r"error: implicit declaration of function .absent_f"):
        wrapgen.inline(text, "missing")
    text = text.replace("absent_f(self, self)", "crc32_combine(self, 1, 1)")
    assert shown(errors(text)) == (
        "error: op 'f': library 'absent' has no crc32_combine(), or needs another `link:`"
    )
    module = wrapgen.inline(text.replace("-lm", "-lz"), "there")
    expected = zlib.crc32(b"ab")
    first, second = zlib.crc32(b"a"), zlib.crc32(b"b")
    text = text.replace("crc32_combine(self, 1, 1)", f"crc32_combine(self, {second}, 1)")
    module = wrapgen.inline(text.replace("-lm", "-lz"), "there")
    assert module.f(th.tensor(float(first), dtype=th.float64)).item() == expected


def test_an_error_in_a_call_is_told_where_it_stands() -> None:
    text = MISSING.replace("absent/header.h", "math.h").replace("absent_f(self)", "frexp(self)")
    with pytest.raises(BuildError, match=r"error: too few arguments to function .frexp") as caught:
        wrapgen.inline(text, "wrong")
    assert "gen/" not in str(caught.value)


def package(root: Path, text: str) -> Path:
    (root / "declarations").mkdir()
    (root / "pk").mkdir()
    (root / "pk/__init__.py").write_text("")
    (root / "declarations/ops.yaml").write_text(text)
    (root / "pyproject.toml").write_text('[project]\nname = "pk"\n[tool.wrapgen]\n')
    return root


CARRIED = """\
- library: blas
  python: scipy_openblas32
  headers: [lapacke.h]
  include_dirs: [include]
  library_dirs: [lib]
  link: [-lscipy_openblas]
"""


def test_wheels_look_beside_themselves_only(tmp_path: Path) -> None:
    """A module built in place also looks where the library is on this machine."""
    root = package(tmp_path, CARRIED + MISSING[MISSING.index("- name") :].replace("absent", "blas"))
    texts = {}
    for profile in ("release", "wheel"):
        building.prepare(building.of_project(project.read(root), profile))
        path = root / ("build.ninja" if profile == "release" else "build/wheel/build.ninja")
        texts[profile] = path.read_text()
        assert "-Wl,-rpath,$$ORIGIN/../scipy_openblas32/lib" in texts[profile]
    assert texts["release"].count("-Wl,-rpath,/") == 1
    assert "-Wl,-rpath,/" not in texts["wheel"]


def test_doctor_tells_of_a_packages_libraries(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(package(tmp_path, CARRIED + MISSING))
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    (there,) = (line for line in lines if "library blas" in line)
    assert (
        there.split()
        == "ok library blas -lscipy_openblas, in the Python package scipy_openblas32".split()
    )
    place = next(i for i, line in enumerate(lines) if "library absent" in line)
    assert lines[place].split()[0] == "NO"
    assert lines[place].endswith("tried -lm: absent/header.h: No such file or directory")
    assert lines[place + 1].strip() == "-> make one"
    assert doctor.libraries(tmp_path / "declarations") == []
