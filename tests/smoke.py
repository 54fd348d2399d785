"""What `make wheel` runs, with the Python of an environment that has the wheel and nothing else.

`python -I tests/smoke.py`: the package works without NumPy and away from the source tree, C programs
and op packages build against it, wrapgen checks declarations.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import thwrap as th
import wrapgen

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(th.__file__).parent


def output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_place() -> None:
    """Everything comes from the environment, nothing from the source tree."""
    for module in (th, th._C, wrapgen):
        assert Path(module.__file__).is_relative_to(sys.prefix), module.__file__
    assert importlib.util.find_spec("numpy") is None
    names = {path.name for path in PACKAGE.iterdir()}
    assert {"py.typed", "_C.pyi", "_functions.py", "libTH.so", "_C.abi3.so"} <= names


def check_operations() -> None:
    x = th.tensor([[-2.0, 4.0], [1.0, -8.0]])
    assert th.prelu(x, th.tensor(0.25)).tolist() == [[-0.5, 4], [1, -2]]
    assert th.addmm(th.ones(2), x, x, beta=3).tolist() == [[11, -37], [-7, 71]]
    values, indices = x.flatten().sort(descending=True)
    assert values.tolist() == [4, 1, -2, -8]
    assert indices.tolist() == [1, 2, 0, 3]
    assert repr(x.long()) == "tensor([[-2,  4],\n        [ 1, -8]])"
    assert (th.ones(300, 300) @ th.ones(300, 300)).sum().item() == 300**3
    assert "none" not in dict(line.split(None, 1) for line in th.show_config().splitlines())["BLAS"]


def check_libraries() -> None:
    """No folder of the machine that built them is in the libraries; thwrap._C looks beside itself."""
    for name in ("libTH.so", "_C.abi3.so"):
        path = PACKAGE / name
        assert str(ROOT).encode() not in path.read_bytes(), name
        lines = output("readelf", "-d", path).splitlines()
        paths = [line.split("[")[1].rstrip("]") for line in lines if "PATH)" in line]
        assert paths == (["$ORIGIN"] if name == "_C.abi3.so" else []), paths


def check_headers() -> None:
    headers = {
        str(path.relative_to(th.get_include())) for path in Path(th.get_include()).rglob("*.h")
    }
    assert {"TH/TH.h", "TH/THOps.h", "TH/THMath.h", "TH/THGenerateAllTypes.h"} <= headers
    assert not [header for header in headers if "Private" in header]


def check_program(folder: Path) -> None:
    """The example in C, against the wheel's headers and library."""
    program = folder / "layer"
    output("make", "-s", "-C", ROOT / "examples/c", f"PYTHON={sys.executable}", f"OUT={program}")
    lines = output(program).splitlines()
    assert lines[-1] == "tensors left: 0", lines


def check_wrapgen(folder: Path) -> None:
    script = Path(sys.executable).parent / "wrapgen"
    good, bad = folder / "good.yaml", folder / "bad.yaml"
    good.write_text('- {name: twice, arguments: [THTensor* self], kernel: "2 * self"}\n')
    bad.write_text('- {name: twice, argumnets: [THTensor* self], kernel: "2 * self"}\n')
    assert output(script, "check", good).endswith(" 2 forms: all right\n")
    wrong = subprocess.run([script, "check", bad], capture_output=True, text=True)
    assert wrong.returncode == 1
    assert "unknown key 'argumnets'; did you mean 'arguments'?" in wrong.stderr, wrong.stderr


def check_package(folder: Path) -> None:
    """An op package, scaffolded and built from what is in the wheel; then ops from a text."""
    script = Path(sys.executable).parent / "wrapgen"
    assert output(script, "doctor").endswith("All right.\n")
    subprocess.run([script, "new", "smoked", "--generic", "--sources"], cwd=folder, check=True)
    subprocess.run([script, "build", "smoked"], cwd=folder, check=True)
    sys.path.insert(0, str(folder / "smoked"))
    import smoked

    assert smoked.reversed(th.arange(3)).tolist() == [2, 1, 0]
    assert smoked.running_max(th.tensor([1.0, 3.0, 2.0])).tolist() == [1, 3, 3]
    os.environ["WRAPGEN_CACHE"] = str(folder / "cache")
    text = '- {name: twice, arguments: [THTensor* self], kernel: "2 * self"}'
    assert wrapgen.inline(text).twice(th.arange(3)).tolist() == [0, 2, 4]


def main() -> None:
    check_place()
    check_operations()
    check_libraries()
    check_headers()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package").mkdir()
        check_program(folder)
        check_wrapgen(folder)
        check_package(folder / "package")
    size = sum(path.stat().st_size for path in PACKAGE.rglob("*") if path.is_file())
    print(f"thwrap {th.__version__} in {os.path.relpath(PACKAGE)}, {size / 1e6:.1f} MB: all right")


if __name__ == "__main__":
    main()
