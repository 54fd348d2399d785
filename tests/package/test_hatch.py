"""A scaffolded package as a wheel, through pip and hatchling's own way to find a build hook."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import wrapgen
from wrapgen.packages import scaffold

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The source tree as an installed distribution: the entry points of its pyproject.toml."""
    folder = tmp_path_factory.mktemp("installed")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    info = folder / f"thwrap-{wrapgen.__version__}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: thwrap\nVersion: {wrapgen.__version__}\n")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    places = os.pathsep.join([str(folder), str(ROOT / "pkg"), str(ROOT)])
    return {**os.environ, "PYTHONPATH": places, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def pip(*arguments: str | Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_wheel(tmp_path: Path, environment: dict[str, str]) -> None:
    """One abi3 wheel with module, stub and marker, built apart from the source; installed, it works."""
    root = scaffold.create(tmp_path, "hydro", ("generic",))
    options = ["--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path]
    done = pip("wheel", *options, root, environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith("hydro-0.1.0-cp311-abi3-linux_")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if "dist-info" not in name}
        module = archive.read("hydro/_C.abi3.so")
        assert b"Root-Is-Purelib: false" in archive.read("hydro-0.1.0.dist-info/WHEEL")
    expected = {"hydro/__init__.py", "hydro/_C.abi3.so", "hydro/_C.pyi", "hydro/py.typed"}
    assert expected <= names <= expected | {"hydro/_map.json"}
    assert b"$ORIGIN/../thwrap" in module
    for folder in (root, ROOT):
        assert str(folder).encode() not in module
    assert not (root / "hydro/_C.abi3.so").exists()
    target = tmp_path / "target"
    done = pip("install", "--no-deps", "--target", target, wheel, environment=environment)
    assert done.returncode == 0, done.stderr
    program = (
        "import hydro, thwrap as th; print(hydro.__file__, hydro.reversed(th.arange(2)).tolist())"
    )
    paths = os.pathsep.join([str(target), environment["PYTHONPATH"]])
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout == f"{target}/hydro/__init__.py [1, 0]\n", run.stderr


def test_editable(tmp_path: Path, environment: dict[str, str]) -> None:
    """Built in place; the wheel only points there."""
    root = scaffold.create(tmp_path, "hydro")
    program = "import hatchling.build; print(hatchling.build.build_editable('..'))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (root / "hydro/_C.abi3.so").is_file()
    with zipfile.ZipFile(tmp_path / done.stdout.splitlines()[-1]) as archive:
        pointer = archive.read("_hydro.pth").decode()
        assert not [name for name in archive.namelist() if name.endswith((".so", ".pyi"))]
    assert pointer.strip() == str(root)


def test_an_error_ends_the_build(tmp_path: Path, environment: dict[str, str]) -> None:
    root = scaffold.create(tmp_path, "hydro")
    path = root / "declarations/hydro.yaml"
    path.write_text(path.read_text().replace("kernel", "kernal"))
    options = ["--no-build-isolation", "--no-deps", "--wheel-dir", tmp_path]
    done = pip("wheel", *options, root, environment=environment)
    shown = done.stdout + done.stderr
    assert done.returncode != 0
    assert "wrapgen: declarations/hydro.yaml:10:3: error: unknown key 'kernal'" in shown
    assert "wrapgen/hatch.py" not in shown
