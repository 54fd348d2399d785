"""`wrapgen explain NAME --html`: one page that stands alone, every line linked to the declaration."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from declaring import HERE, ROOT, Declared

from wrapgen import loader
from wrapgen.__main__ import main
from wrapgen.model import Op
from wrapgen.show import explain, explain_html

VOID = {"meta", "link", "br", "img", "input", "hr"}
NAMES = (
    "prelu", "add", "addmv_", "max", "sum", "narrow", "normal_", "randn", "where", "equal",
    "cat", "index_select", "clamp", "sort", "resize_", "pow", "eq", "zeros",
)  # fmt: skip


class Page(HTMLParser):
    """What is in a page; unbalanced tags are an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        assert "src" not in values
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name == "href" and value]
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def declarations() -> list[tuple[Op, ...]]:
    files = loader.declaration_files(ROOT / "declarations")
    return loader.load((path, str(path)) for path in files)


@pytest.mark.parametrize("name", NAMES)
def test_pages(name: str, declarations: list[tuple[Op, ...]]) -> None:
    found = explain.find(name, declarations)
    text = explain_html.page(name, found)
    page = Page(text)
    assert len(set(page.ids)) == len(page.ids)
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not re.search(r"https?:|url\(|@import|<link|<img", text)
    assert f"wrapgen explain {name}" in page.text
    for line in found.entry.split("\n"):
        assert line in page.text
    for operation in found.operations:
        for form in operation.forms:
            for step in form.steps:
                assert f"<h3>{step.plugin}</h3>" in text
            assert f"<h3>TH_{form.op.symbol}</h3>" in text
            assert f"<h3>THPRun_{form.op.symbol}</h3>" in text
            assert ("void THLoop_(" in page.text) == any(
                each.body.kernel for op in found.operations for each in op.forms
            )
    assert len([link for link in page.links if link.startswith("#y")]) > 5


def test_every_statement_leads_to_the_declaration(declarations: list[tuple[Op, ...]]) -> None:
    found = explain.find("addmv", declarations)
    text = explain_html.page("addmv", found)
    statements = re.findall(r"<li[^>]*>(<a|<span class=\"at\">)[^\n]*?TH_TRY", text)
    assert len(statements) > 20
    assert set(statements) == {"<a"}


def test_added_lines_are_marked(declarations: list[tuple[Op, ...]]) -> None:
    text = explain_html.page("prelu", explain.find("prelu", declarations))
    column = text[text.index("<h3>Broadcast</h3>") :]
    column = column[: column.index("</article>")]
    marked = [line for line in column.split("\n") if line.startswith('<li class="new">')]
    plain = [line for line in column.split("\n") if line.startswith("<li>")]
    assert [line for line in marked if "THShape_broadcast" in line]
    assert [line for line in plain if "THPromote" in line]
    assert 'title="Broadcast: ' in "".join(marked)


def test_styles() -> None:
    """Light, dark, paper; the keyboard reaches every step."""
    for text in ("color-scheme: light dark", "prefers-color-scheme: dark", "@media print"):
        assert text in explain_html.STYLE
    assert ":focus-visible" in explain_html.STYLE
    assert 'tabindex="0"' in explain_html.STEP


def test_text_is_escaped(declared: Declared, monkeypatch: pytest.MonkeyPatch) -> None:
    declarations = declared.load(
        "- name: odd\n  doc: \"<script>alert('&amp;')</script>\"\n"
        "  arguments: [THTensor* self]\n  kernel: 'self < 1 && self > 0'\n"
    )
    monkeypatch.chdir(declared.folder)
    text = explain_html.page("odd", explain.find("odd", declarations))
    page = Page(text)
    assert page.tags.count("script") == 1
    assert "self < 1 && self > 0" in page.text


def test_command(
    declared: Declared, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(declared.folder.parent)
    declared.write((HERE / "golden/Kernel.yaml").read_text(encoding="utf-8"), "sample.yaml")
    assert main(["explain", "prelu", "--html"]) == 0
    assert capsys.readouterr().out == "wrapgen: wrote prelu.html\n"
    assert main(["explain", "prelu", "--html", "pages/other.html"]) == 0
    assert Path("pages/other.html").read_text() == Path("prelu.html").read_text()
    assert main(["explain", "prelo", "--html"]) == 1
    assert "did you mean 'prelu'?" in capsys.readouterr().err
    assert main(["explain", "prelu", "--declarations", "declarations/sample.yaml"]) == 0
    assert main(["explain", "prelu", "--declarations", "nowhere"]) == 1
    assert capsys.readouterr().err == "wrapgen: explain: no declarations in nowhere\n"


BODY = """\
- name: halves
  types: [Float]
  arguments: [THTensor* self]
  core: (n)->(n)
  body: |
    for (int64_t i = 0; i < n; i++)
        result[i] = self[i] / 2;
- name: peak
  arguments: [THTensor* self]
  core: (n)->()
  cname: {Float: void peak_float, Double: void peak_double}
"""


def test_lines_of_a_body_lead_to_theirs(tmp_path: Path) -> None:
    """Indented below their key; a core operation names the functions that it calls."""
    (tmp_path / "ops.yaml").write_text(BODY)
    halves, peak = loader.load([(tmp_path / "ops.yaml", "ops.yaml")])
    rows = [(text, loc.line) for text, loc in explain.describe(halves[0])]
    assert rows[-3:] == [
        ("    body: |", 5),
        ("        for (int64_t i = 0; i < n; i++)", 6),
        ("            result[i] = self[i] / 2;", 7),
    ]
    called = "C functions peak_float for Float, peak_double for Double, returns its outputs"
    assert explain.describe(peak[0])[0][0] == f"peak  ({called})"
