"""`wrapgen build`: what is wrong is told at the user's line, and what pyproject.toml may say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from wrapgen.__main__ import main
from wrapgen.errors import UserError
from wrapgen.packages import building, project

OP = """\
- name: twice
  types: [Float]
  arguments: [THTensor* self]
  kernel: "2 * self"
"""
CALLS = """\
- generic: ../own.c
- name: own
  types: [Float]
  arguments:
    - {arg: THTensor* result, output: true}
    - THTensor* self
"""


def write(root: Path, declarations: str = OP, settings: str = "", **files: str) -> Path:
    """A package of little but its declarations."""
    (root / "declarations").mkdir(parents=True)
    (root / "pk").mkdir()
    (root / "pk/__init__.py").write_text("import thwrap\nfrom pk._C import *\n")
    (root / "declarations/ops.yaml").write_text(declarations)
    table = f'[project]\nname = "pk"\nversion = "1"\n[tool.wrapgen]\n{settings}\n'
    (root / "pyproject.toml").write_text(table)
    for name, text in files.items():
        (root / name.replace("_", ".")).write_text(text)
    return root


def build(root: Path, capfd: pytest.CaptureFixture[str], *options: str) -> str:
    """What a build that fails says."""
    assert main(["build", "--native", *options, str(root)]) == 1
    shown = capfd.readouterr().err
    return shown.removeprefix("wrapgen: building pk._C ...\n")


def test_an_error_in_c_is_told_once_where_it_is(tmp_path: Path, capfd) -> None:
    text = "int THTensor_(own)(THTensor *result, THTensor *self)\n{\n    return nothing;\n}\n"
    shown = build(write(tmp_path, CALLS, own_c=text), capfd)
    lines = shown.splitlines()
    assert lines[0].startswith("wrapgen: own.c:3:12: error: ")
    assert "nothing" in lines[0]
    assert "    3 |     return nothing;" in lines
    assert shown.count(": error: ") == 1
    for frame in ("FAILED", "build/gen", "THGenerate", "In file included", "ninja"):
        assert frame not in shown


def test_another_signature_than_the_declared_one(tmp_path: Path, capfd) -> None:
    """What the declaration asks for is shown beside."""
    text = "int THTensor_(own)(THTensor *result)\n{\n    (void)result;\n    return TH_OK;\n}\n"
    shown = build(write(tmp_path, CALLS, own_c=text), capfd)
    assert shown.startswith("wrapgen: own.c:1:5: error: conflicting types for")
    assert "(THTensor *, THTensor *)" in shown
    assert "build/gen" not in shown


OTHER = """\
- sources: [../tops.%s]
- name: tops
  types: [Double]
  arguments: [THTensor* self, long k]
  core: "(n)->()"
  cname: int tops
"""


def test_another_signature_than_a_core_operation_calls(tmp_path: Path, capfd) -> None:
    """C's compiler sees it, and the entry says what it calls; in C++ it is another function."""
    text = "int tops(long n, const double *x, double *y)\n{\n    *y = n > 0 ? *x : 0;\n    return 0;\n}\n"
    root = write(tmp_path / "c", OTHER % "c", tops_c=text)
    lines = build(root, capfd).splitlines()
    assert lines[0].startswith("wrapgen: tops.c:1:5: error: conflicting types for")
    note = "declarations/ops.yaml:6: note: what the entry calls is "
    assert [re.sub("[‘’']", "", line) for line in lines if line.startswith(note)] == [
        f"{note}int(int64_t, const double *, int64_t, double *, int64_t)"
    ]
    root = write(tmp_path / "cpp", OTHER % "cpp", tops_cpp=text)
    assert build(root, capfd) == (
        "declarations/ops.yaml:2:3: error: op 'tops': no file of `generic` or `sources` defines "
        "int tops(int64_t n, const double *self, int64_t self_stride0, double *result, int64_t k)\n"
        "wrapgen: 1 error\n"
    )


def test_a_function_that_is_missing(tmp_path: Path, capfd) -> None:
    """A second build says it again."""
    root = write(tmp_path, CALLS, own_c="/* nothing */\n")
    for _ in range(2):
        assert build(root, capfd) == (
            "declarations/ops.yaml:2:3: error: op 'own': no file of `generic` or `sources` defines "
            "THFloatTensor_own()\nwrapgen: 1 error\n"
        )


def test_an_error_in_c_of_the_declarations(tmp_path: Path, capfd) -> None:
    text = OP + "  before_call: |\n    TH_TRY(TH_OK);\n    TH_TRY(nothing($arg0));\n"
    shown = build(write(tmp_path, text), capfd)
    assert shown.startswith("wrapgen: declarations/ops.yaml:7: error: ")
    assert "nothing" in shown
    assert len(shown.splitlines()) == 1


def test_generated_c_says_where_its_text_stands(tmp_path: Path) -> None:
    """A kernel's expression, and after it the generated file's own lines, which are numbered right."""
    root = write(tmp_path)
    building.prepare(building.of_project(project.read(root)))
    lines = (root / "build/gen/kernels/ops.c").read_text().splitlines()
    place = next(i for i, line in enumerate(lines) if line.strip().startswith("#line"))
    assert lines[place].strip() == '#line 4 "declarations/ops.yaml"'
    assert "2 * self" in lines[place + 1]
    assert lines[place + 2] == f'#line {place + 4} "build/gen/kernels/ops.c"'


def test_an_error_in_the_declarations(tmp_path: Path, capfd) -> None:
    shown = build(write(tmp_path, OP.replace("kernel", "kernal")), capfd)
    assert shown.startswith("declarations/ops.yaml:4:3: error: unknown key 'kernal'")


def test_files_that_are_not_there(tmp_path: Path, capfd) -> None:
    shown = build(write(tmp_path, "- generic: ../own.c\n- sources: [fast.py]\n" + OP), capfd)
    assert shown.splitlines()[:2] == [
        "declarations/ops.yaml:1:12: error: no such file: '../own.c'",
        "declarations/ops.yaml:2:13: error: expected a source as a file .c, .cpp, .cc, .cxx, got 'fast.py'",
    ]


def test_compilers_that_are_not_there(tmp_path: Path, capfd) -> None:
    cxx = "#include <TH/TH.h>\n"
    root = write(tmp_path, "- sources: [../own.cpp]\n" + OP, own_cpp=cxx)
    assert "no C compiler: 'no-cc' is not on the PATH" in build(root, capfd, "--cc", "no-cc")
    assert "no C++ compiler: 'no-cxx' is not on the PATH" in build(root, capfd, "--cxx", "no-cxx")


def test_no_package(tmp_path: Path, capfd) -> None:
    shown = build(tmp_path, capfd)
    assert shown == (
        f"wrapgen: no pyproject.toml in {tmp_path}; `wrapgen new NAME` makes a package, "
        "and the other verbs work in its folder\n"
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('declaratons = "x"', "unknown key 'declaratons'; did you mean 'declarations'?"),
        ("methods = 1", "expected 'methods' as true or false, got 1"),
        ('results = "numpy"', "expected 'results' as \"tensor\" or \"like\", got 'numpy'"),
        ('package = "a b"', "expected 'package' as a Python identifier, got 'a b'"),
        ('package = "other"', "there is no folder 'other' in "),
        ('declarations = "nowhere"', "no such file or folder: 'nowhere'"),
        ('declarations = "pk"', "there is no .yaml or .cwrap file in 'pk'"),
        ('declarations = "pyproject.toml"', "expected .yaml or .cwrap files, got 'pyproject.toml'"),
        (
            'declarations = ["declarations", "declarations/ops.yaml"]',
            "'declarations': 'declarations/ops.yaml' is there twice",
        ),
        ("declarations = [1]", "expected 'declarations' as a list of texts, got [1]"),
        ('plugins = ["x"]', "expected a plugin as 'module:NAME after Other', got 'x'"),
        ('plugins = ["nowhere:X after Kernel"]', "No module named 'nowhere'"),
        ('plugins = ["json:X after Kernel"]', "json has no 'X'"),
        ('plugins = ["json:loads after Kernel"]', "expected a Plugin, got function"),
        ('plugins = ["wrapgen.plugins.types:PLUGIN after Kernal"]', "did you mean 'Kernel'?"),
        ("x = ", "pyproject.toml: Invalid value"),
    ],
)
def test_settings_are_checked(settings: str, message: str, tmp_path: Path) -> None:
    root = write(tmp_path, settings=settings)
    with pytest.raises(UserError) as caught:
        project.read(root).chain()
    assert str(caught.value).startswith("pyproject.toml")
    assert message in str(caught.value)


def test_plugins_of_the_package(tmp_path: Path, capfd) -> None:
    """A plugin of the package's own is placed by name, and its key is known."""
    plugin = (
        "from wrapgen.model import Key, Plugin\n"
        'UNITS = Key("units", lambda node: node.word("units", ("m", "s")), "units of the result")\n'
        'PLUGIN = Plugin("Units", "Units.", op_keys=(UNITS,))\n'
    )
    root = write(tmp_path, OP + "  units: kg\n", 'plugins = ["pk_plugins:PLUGIN after WrapDim"]')
    (root / "pk_plugins.py").write_text(plugin)
    shown = build(root, capfd)
    assert "expected units as one of m, s, got 'kg'" in shown
    names = [each.name for each in project.read(root).chain()]
    assert names[names.index("WrapDim") + 1] == "Units"


def test_profiles_are_kept_apart(tmp_path: Path) -> None:
    """A sanitized build is in a folder of its own, and instrumented."""
    root = write(tmp_path)
    command = [sys.executable, "-m", "wrapgen", "build", "--native", "--profile", "asan", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not (root / "pk/_C.abi3.so").exists()
    module = (root / "build/asan/pk/_C.abi3.so").read_bytes()
    assert b"__asan_init" in module


BUILD = """\
import sys
from wrapgen.__main__ import main
main(["build", "--native", *sys.argv[1:]])
print("generated" if "wrapgen.generate" in sys.modules else "asked ninja")
"""


def again(root: Path, *options: str) -> tuple[str, str]:
    """What a build says, and whether it needed the generator."""
    command = [sys.executable, "-c", BUILD, *options, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said, way = done.stdout.splitlines()
    return said.partition(" in ")[0], way


def test_a_build_of_which_nothing_changed(tmp_path: Path) -> None:
    """Whatever the module follows from counts, and all that a build leaves must be there."""
    built = ("wrapgen: built pk/_C.abi3.so", "generated")
    current = ("wrapgen: pk/_C.abi3.so is up to date", "asked ninja")
    code = "int THTensor_(own)(THTensor *result, THTensor *self)\n{\n    return TH_OK;\n}\n"
    root = write(tmp_path, CALLS, own_c=code)
    declarations = root / "declarations/ops.yaml"

    def stub_removed() -> None:
        (root / "pk/_C.pyi").unlink()

    def edited() -> None:
        declarations.write_text(declarations.read_text() + OP)

    def another_file() -> None:
        (root / "declarations/more.yaml").write_text(OP.replace("twice", "more"))

    def c_edited() -> None:
        (root / "own.c").write_text(code + "\n")

    def moved() -> None:
        text = (root / "build.ninja").read_text()
        (root / "build.ninja").write_text(text.replace("\nthwrap = ", "\nthwrap = /elsewhere"))

    assert again(root) == built
    for change in (stub_removed, edited, another_file, c_edited, moved):
        assert again(root) == current
        change()
        assert again(root) == built, change.__name__
    assert again(root, "--cc", "gcc") == built
    assert again(root, "--cc", "gcc") == current


def test_main_build_makes_what_packages_are_linked_with() -> None:
    """The runtime's archive, and the pkg-config file for C programs."""
    import thwrap as th

    folder = Path(th.get_lib())
    members = subprocess.run(
        ["ar", "t", folder / "libTHPackage.a"], capture_output=True, text=True, check=True
    ).stdout.split()
    runtime = Path(__file__).parents[2] / "pkg/csrc/package"
    assert sorted(members) == sorted(f"{path.stem}.o" for path in runtime.glob("*.c"))
    text = (folder / "thwrap.pc").read_text()
    assert f"Version: {th.__version__}\n" in text
    assert "Cflags: -I${prefix}/include\n" in text
