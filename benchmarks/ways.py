"""The ways to get prelu(x, w) into Python that `make peers` compares, each a folder of benchmarks/peers.

`build.sh`, where there is one, builds the op; `use.py`, or that of its kind of array, has it as `prelu`, and
`make(values, dtype)`. All else in the folder is what a user writes.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "benchmarks/peers"
PROGRAMS = ROOT / "benchmarks/programs"
SOURCES = (".c", ".cpp", ".py", ".pyx", ".f90", ".yaml", ".build", ".txt", ".toml")
NOT_COUNTED = ("use.py", "build.sh")
THRESHOLD = re.compile(r"(?<=> )((?:\w+\()?)\d+\.\d+")
LONGEST_SECONDS = 300.0


class Failure(Exception):
    """A peer's build or program failed; the message is one line, `output` what it had printed."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


@dataclass(frozen=True)
class Way:
    """A folder, what it is called in tables, and the programs and Python modules that it needs."""

    folder: str
    title: str
    needs: tuple[str, ...]
    ours: bool = False

    def missing(self) -> str:
        """The first that is not there."""
        places = path_variable()
        for name in self.needs:
            if shutil.which(name, path=places) is None and importlib.util.find_spec(name) is None:
                return name
        return ""

    def files(self) -> Iterator[Path]:
        """What a user writes, relative to the folder."""
        folder = PEERS / self.folder
        for path in sorted(folder.rglob("*")):
            if path.suffix in SOURCES and path.name not in NOT_COUNTED:
                yield path.relative_to(folder)

    def lines(self, suffix: str = "") -> int:
        """Those that are not blank, build files included, the command that builds not."""
        names = (name for name in self.files() if name.name.endswith(suffix))
        texts = ((PEERS / self.folder / name).read_text() for name in names)
        return sum(bool(line.strip()) for text in texts for line in text.splitlines())


WAYS = (
    Way("thwrap_load", "`wrapgen.load`, float32 and float64", ("cc",), ours=True),
    Way("thwrap_load_all", "`wrapgen.load`, all dtypes", ("cc",), ours=True),
    Way("thwrap_build", "`wrapgen build`, float32 and float64", ("cc",), ours=True),
    Way("thwrap_build_all", "`wrapgen build`, all dtypes", ("cc",), ours=True),
    Way("ufunc_c", "NumPy C ufunc by hand", ("gcc",)),
    Way("ufunc_c_specialised", "the same, loops specialised by hand", ("gcc",)),
    Way("ufunc_meson", "NumPy C ufunc with meson", ("gcc", "meson", "ninja")),
    Way("numba", "numba `@vectorize`, cached", ("numba",)),
    Way("jax", "JAX `jit`", ("jax",)),
    Way("cffi", "cffi API mode by hand", ("gcc", "cffi", "setuptools")),
    Way("cython_ufunc", "Cython ufunc", ("gcc", "Cython", "setuptools")),
    Way("f2py", "f2py", ("gfortran", "gcc", "meson", "ninja")),
    Way("pybind11", "pybind11 `vectorize`", ("g++", "pybind11")),
    Way("nanobind", "nanobind", ("g++", "nanobind", "cmake", "ninja")),
    Way("torch_stable", "PyTorch C++, stable ABI", ("g++", "torch")),
    Way("torch_library", "PyTorch C++, TORCH_LIBRARY, TensorIterator", ("g++", "torch")),
    Way("torch_extension", "PyTorch cpp_extension, pybind11", ("g++", "torch", "ninja")),
    Way("torch_compile", "`torch.compile`", ("g++", "torch")),
)


class Copy:
    """A fresh copy of a folder with caches of its own."""

    def __init__(self, way: Way, place: Path) -> None:
        self.way, self.folder, self.cache = way, place / "copy", place / "cache"
        shutil.copytree(PEERS / way.folder, self.folder)
        if not (self.folder / "use.py").exists():
            kind = "torch" if way.folder.startswith("torch") else "numpy"
            shutil.copy(PEERS / f"use_{kind}.py", self.folder / "use.py")
        self.cache.mkdir()
        self.built = 0.0

    def edit(self, threshold: str) -> None:
        """Puts another threshold into the sources, in a later second than the last build: some compare whole ones."""
        time.sleep(max(0.0, int(self.built) + 1.01 - time.time()))
        for name in self.way.files():
            path = self.folder / name
            text = path.read_text()
            changed = THRESHOLD.sub(rf"\g<1>{threshold}", text)
            if changed != text:
                path.write_text(changed)

    def build_and_run(self, program: str, *arguments: str) -> str:
        """As a user does after an edit."""
        script = 'if [ -f build.sh ]; then sh ./build.sh || exit 1; fi; exec python "$@"'
        try:
            return self._shell(script, str(PROGRAMS / program), *arguments)
        finally:
            self.built = time.time()

    def run(self, program: str, *arguments: str) -> str:
        """What a program printed."""
        return self._shell('exec python "$@"', str(PROGRAMS / program), *arguments)

    def _shell(self, script: str, *arguments: str) -> str:
        """In a process group of its own, all of which ends when it takes too long."""
        process = subprocess.Popen(
            ["sh", "-c", script, "sh", *arguments],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(timeout=LONGEST_SECONDS)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            if isinstance(error, subprocess.TimeoutExpired):
                raise Failure(f"took longer than {LONGEST_SECONDS:g} s") from None
            raise
        if process.returncode != 0:
            raise Failure(_reason(process.returncode, errors.strip() or output.strip()), output)
        return output

    def _environment(self) -> dict[str, str]:
        """Empty caches, no ccache, one thread, the peers' Python first."""
        kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        names = {
            "BEGAN": repr(time.perf_counter()),
            "CCACHE_DISABLE": "1",
            "PATH": path_variable(),
            "PYTHONPATH": f"{ROOT / 'pkg'}{os.pathsep}{ROOT}",
            "TORCHINDUCTOR_CACHE_DIR": str(self.cache / "inductor"),
            "TORCH_EXTENSIONS_DIR": str(self.cache / "extensions"),
            "XDG_CACHE_HOME": str(self.cache),
            "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
        }
        return kept | names | {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def path_variable() -> str:
    """PATH with the peers' programs first."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def _reason(status: int, text: str) -> str:
    """Why it failed: the signal, the first error of a compiler, or what was said last."""
    if status < 0:
        return f"ended by signal {-status}"
    lines = text.splitlines()
    errors = [line for line in lines if " error: " in line]
    return (errors[:1] or lines[-1:] or [f"exit status {status}"])[0].strip()[:120]
