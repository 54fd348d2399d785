"""examples/packages: each is a package of its own that builds, passes its own tests and runs its README."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_hatch import environment, pip  # noqa: F401 - a fixture

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "packages"
# What an example needs that a machine may lack: a module of pkg-config, and what is said where it is missing.
NEEDS = {"gsl": "GSL is not installed", "zlib": "zlib is not installed, or pkg-config"}
# What explain shows of each op of an example.
SHOWN = {
    "units": "TH_REQUIRE(",
    "zlib": "int THCall_",
    "gsl": "gsl_sf_",
    "lapack": "scipy_LAPACKE_s",
}
PACKAGES = sorted(path.parent.name for path in EXAMPLES.glob("*/pyproject.toml"))


def run(*command: str, folder: Path, **options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, **options},
        capture_output=True,
        text=True,
        check=False,
    )


def test_all_are_known() -> None:
    assert set(SHOWN) <= set(PACKAGES)
    assert set(PACKAGES) == {path.name for path in EXAMPLES.iterdir() if path.is_dir()}


@pytest.fixture(scope="module", params=PACKAGES)
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of an example, built in place."""
    name = request.param
    if name in NEEDS:
        known = (
            shutil.which("pkg-config")
            and not subprocess.run(["pkg-config", "--exists", name]).returncode
        )
        if not known:
            pytest.skip(NEEDS[name])
    folder = tmp_path_factory.mktemp("examples") / name
    ignored = shutil.ignore_patterns("build", "build.ninja", "*.so", "_C.pyi", "__pycache__")
    shutil.copytree(EXAMPLES / name, folder, ignore=ignored)
    done = run("-m", "wrapgen", "build", "--native", folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("wrapgen: built ")
    return folder


def test_its_own_tests_pass(example: Path) -> None:
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=example)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d+ passed", done.stdout), done.stdout


def test_its_readme_runs(example: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (example / "README.md").read_text(), re.S)
    done = run("-c", code, folder=example)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_it_is_checked_and_explained(example: Path) -> None:
    """Every op, with what is the example's own."""
    done = run("-m", "wrapgen", "check", folder=example)
    assert done.stdout.endswith("all right\n"), done.stderr
    (declarations,) = (example / "declarations").glob("*.yaml")
    for name in re.findall(r"^- name: (\w+)", declarations.read_text(), re.M):
        done = run("-m", "wrapgen", "explain", name, folder=example)
        assert done.returncode == 0, done.stderr
        assert SHOWN.get(example.name, "") in done.stdout


def test_a_carried_library_is_found_beside_the_package(
    tmp_path: Path,
    environment: dict[str, str],  # noqa: F811
) -> None:
    """A wheel knows no folder of the machine that built it."""
    import scipy_openblas32

    folder = shutil.copytree(EXAMPLES / "lapack", tmp_path / "source")
    options = ["--no-build-isolation", "--no-deps", "--target", tmp_path / "target"]
    done = pip("install", *options, folder, environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    module = (tmp_path / "target/lapack/_C.abi3.so").read_bytes()
    carrier = Path(scipy_openblas32.__file__).parent
    assert b"$ORIGIN/../scipy_openblas32/lib" in module
    assert str(carrier).encode() not in module
    (tmp_path / "target/scipy_openblas32").symlink_to(carrier)
    program = (
        "import lapack, thwrap as th; print(lapack.solve(2 * th.eye(1), th.ones(1, 1)).tolist())"
    )
    paths = os.pathsep.join([str(tmp_path / "target"), environment["PYTHONPATH"]])
    done = run("-c", program, folder=tmp_path, PYTHONPATH=paths)
    assert done.stdout == "[[0.5]]\n", done.stderr
