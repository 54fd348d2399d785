"""`wrapgen test`: the laws hold for what `wrapgen new` writes, and catch what is wrong with a package."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import breaking
import pytest

import wrapgen.testing.run
from wrapgen.__main__ import main
from wrapgen.toolchain import machine


def wrapgen_(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wrapgen", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def write(root: Path, declarations: str, generic: str = "", settings: str = "") -> Path:
    """A package `mine`."""
    (root / "declarations").mkdir(parents=True)
    (root / "mine").mkdir()
    (root / "pyproject.toml").write_text(
        f'[project]\nname = "mine"\nversion = "1"\n\n[tool.wrapgen]\n{settings}'
    )
    (root / "declarations/ops.yaml").write_text(declarations)
    if generic:
        (root / "declarations/own.c").write_text(generic)
    (root / "mine/__init__.py").write_text("import thwrap\nfrom mine._C import *\n")
    return root


def counts(output: str, op: str) -> dict[str, str]:
    """A row of the table."""
    lines = output.splitlines()
    head = next(line for line in lines if line.startswith("op ")).split()
    row = next(line for line in lines if line.startswith(f"{op} ")).split()
    return dict(zip(head[3:], row[2:], strict=True))  # after "op", "declared", "in"


@pytest.fixture(scope="module")
def scaffolded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a folder")
    made = wrapgen_("new", "hydro", "--generic", "--sources", folder=folder)
    assert made.returncode == 0, made.stderr
    return folder / "hydro"


def test_a_new_package_is_right(scaffolded: Path) -> None:
    """All instruction sets; nothing is left beside the build; pytest's arguments are handed on."""
    done = wrapgen_("test", "-p", "no:cacheprovider", folder=scaffolded)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests/test_hydro.py ...." in done.stdout
    row = counts(done.stdout, "swish")
    assert set(row) == {
        *("api", "broadcasting", "foreign", "layouts", "memory", "overlap", "promotion"),
        *("specials", "values", "variants"),
    }
    assert all(cell.isdecimal() for cell in row.values())
    assert counts(done.stdout, "reversed")["promotion"] == "-"
    names = {path.name for path in scaffolded.iterdir()}
    assert not {".hypothesis", ".pytest_cache"} & names
    one = wrapgen_("test", "-k", "values and swish", folder=scaffolded)
    assert "2 passed" in one.stdout, one.stdout + one.stderr


def test_a_new_package_is_right_under_the_sanitizers(scaffolded: Path) -> None:
    done = wrapgen_("test", "--asan", folder=scaffolded)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (scaffolded / "build/asan/hydro/_C.abi3.so").is_file()


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of a package with a defect in each op."""
    root = write(tmp_path_factory.mktemp("broken"), breaking.DECLARATIONS, breaking.GENERIC)
    done = wrapgen_("test", "--native", folder=root)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("op", "subject", "law", "message"),
    [
        ("apart", "values", "test_values", r"18 of 24 elements are wrong"),
        ("misspelt", "values", "test_values", "NameError: name 'nunpy' is not defined"),
        ("doubled", "values", "test_values", r"doubled\(self=int16\(\d+,\)\): \d+ of"),
        ("forgetful", "memory", "test_nothing_stays", r"leave \d+ live_tensors, \d+ live_storages"),
        ("hoarding", "memory", "test_malloc_is_freed", "112 bytes stay with each call"),
        ("strideless", "layouts", "test_layouts", "sliced gives another result"),
        ("strideless", "foreign", "test_arrays_are_operands", "sliced arrays give another result"),
        ("narrow", "variants", "test_out", "with out=sliced"),
        ("summed", "values", "test_values", "if the op rounds, say `tolerance: sum`"),
        ("untested", "api", "test_tested", "has no `reference:` to compare with"),
        ("elsewhere", "api", "test_tested", "there is no function test_elsewhere in tests/"),
    ],
)
def test_what_is_wrong_is_told(broken: str, op: str, subject: str, law: str, message: str) -> None:
    """Where the op is declared, which law, what was found."""
    lines = breaking.DECLARATIONS.splitlines()
    place = f"declarations/ops.yaml:{lines.index(f'- name: {op}') + 1}:3"
    said = f"{place}: error: op '{op}' breaks a law of {subject}, {law}\n"
    assert said in broken
    assert re.search(message, broken.split(said)[1].split("\n___")[0])
    passed, _, run = counts(broken, op)[subject].partition("/")
    assert int(passed) < int(run)


def test_what_is_right_beside_it_passes(broken: str) -> None:
    assert counts(broken, "doubled")["values"] == "1/2"
    assert counts(broken, "doubled")["layouts"].isdecimal()


@pytest.fixture(scope="module")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("faults"), breaking.FAULTS, breaking.FAULTS_C)


@pytest.mark.parametrize(
    ("op", "file", "function", "finding"),
    [
        ("overrun", "own.c", "THFloatTensor_copied", "heap-buffer-overflow, WRITE of size 4"),
        ("overread", "own.c", "THFloatTensor_copied", "heap-buffer-overflow, READ of size 4"),
        ("stale", "own.c", "THFloatTensor_stale", "heap-use-after-free, READ of size 4"),
        ("body_behind", "ops.yaml", "", "heap-buffer-overflow, WRITE of size 8"),
    ],
)
def test_memory_that_is_not_the_kernels(
    op: str, file: str, function: str, finding: str, faults: Path
) -> None:
    """libTH is not instrumented, but its memory is: the line that goes beyond a tensor of ten elements is told."""
    done = wrapgen_("test", "--asan", "-k", op, folder=faults)
    assert done.returncode == 1, done.stdout
    lines = (faults / "declarations" / file).read_text().splitlines()
    line = 1 + next(i for i, text in enumerate(lines) if re.search(rf"/[/*] {op}\b", text))
    assert f"error: op '{op}' breaks a law of " in done.stderr
    assert f"sanitizer: {finding}\n" in done.stderr
    assert f"in {function}" in done.stderr
    assert f", declarations/{file}:{line}\n" in done.stderr
    (report,) = re.findall("the whole report is in (.*)", done.stderr)
    assert (faults / report).is_file()


def test_a_crash(tmp_path: Path) -> None:
    root = write(tmp_path, breaking.CRASHING, breaking.CRASHING_C)
    done = wrapgen_("test", "--native", folder=root)
    assert done.returncode == 1, done.stdout
    assert "declarations/ops.yaml:4:3: error: op 'crash' breaks a law of " in done.stderr
    assert "ended by SIGSEGV; `wrapgen test --asan` may say where\n" in done.stderr


def test_every_kind_of_op(tmp_path: Path) -> None:
    """Several results, functions beside kernels, core dims, arrays as results, methods."""
    settings = 'results = "like"\nmethods = true\n'
    root = write(tmp_path, breaking.KINDS, settings=settings)
    done = wrapgen_("test", "--native", folder=root)
    assert done.returncode == 0, done.stdout + done.stderr
    for op in ("polar_parts", "softclip", "tiled", "weighted_mean"):
        assert counts(done.stdout, op)["values"].isdecimal()
    assert counts(done.stdout, "weighted_mean")["cores"].isdecimal()


def test_samples_are_checked_first(tmp_path: Path) -> None:
    root = write(tmp_path, breaking.SAMPLES)
    done = wrapgen_("test", "--native", folder=root)
    assert done.returncode == 4
    assert done.stdout == ""
    said = done.stderr.replace("ERROR: ", "").splitlines()
    assert [line for line in said if line.startswith("declarations/")] == [
        "declarations/ops.yaml:2:3: error: op 'misnamed': `sample:` names no argument: 'slef'; "
        "did you mean 'self'?",
        "declarations/ops.yaml:8:3: error: op 'misspelt': `sample:` of 'self': expected a shape, a "
        "range, or one of positive, nonzero, got 'postive'",
        "declarations/ops.yaml:14:3: error: op 'half': `sample:` of 'self': unknown key 'upto'; "
        "known: shape, from, to, values, dtype",
        "declarations/ops.yaml:14:3: error: op 'half': `sample:` of 'self': expected a number for "
        "each of from and to",
        "declarations/ops.yaml:14:3: error: op 'half': `sample:` of 'self': unknown dtype "
        "'float23'; did you mean 'float32'?",
        "declarations/ops.yaml:20:3: error: op 'text': expected `sample:` as a mapping from "
        "arguments, or a list of mappings",
        "declarations/ops.yaml:26:3: error: op 'sized': argument 'size' has no default: `sample:` "
        "must say what tests pass",
    ]


def test_what_has_to_be_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(wrapgen.testing.run, "NEEDED", ("pytest", "nothing_of_this_name"))
    assert main(["test"]) == 1
    assert capsys.readouterr().err == (
        "wrapgen: `wrapgen test` needs nothing_of_this_name: install with `pip install thwrap[test]`\n"
    )


def test_other_verbs_refuse_further_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "--verbos"])
    assert "unrecognized arguments: --verbos" in capsys.readouterr().err


def test_no_sanitizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wrapgen.testing.run, "SANITIZERS", ("libnothing.so",))
    with pytest.raises(wrapgen.testing.run.UserError, match=r"--asan: cc has no libnothing\.so"):
        wrapgen.testing.run._sanitizers(machine.c_compiler())
