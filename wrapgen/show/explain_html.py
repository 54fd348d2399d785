"""`wrapgen explain NAME --html`: the steps from a declaration to its C side by side, as one page that stands alone.

On the left stands the declaration; every line of every step links to the line of it that asked for the step's line.
Works without its script, which moves between steps by the arrow keys and keeps the page where it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from wrapgen import chain
from wrapgen.chain import Form
from wrapgen.emit import calls, kernels, readers, wrappers
from wrapgen.emit.template import fill
from wrapgen.errors import Loc
from wrapgen.model import SLOTS, Body, Op, Plugin
from wrapgen.plugins import CHAIN
from wrapgen.plugins.core import BODY, CORE
from wrapgen.plugins.kernel import KERNEL
from wrapgen.plugins.types import TYPES
from wrapgen.show.explain import Found, describe, facts
from wrapgen.syntax.calls import CALL


@dataclass(frozen=True)
class Line:
    """A line of a step."""

    text: str
    plugin: str = ""
    loc: Loc | None = None
    new: bool = False


@dataclass(frozen=True)
class Step:
    """A column of the page."""

    title: str
    note: str
    lines: tuple[Line, ...]


PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
$style
</style>
</head>
<body>
<header>
<h1>$title</h1>
<p>$place. A mark at a line says that the step added it; a line number leads to the line of the declaration that asked
for it. <kbd>←</kbd> <kbd>→</kbd> go from step to step.</p>
</header>
<div id="sides">
<section id="entry" aria-label="the declaration" tabindex="0">
<h2>The declaration</h2>
<ol class="code" start="$first">
$entry
</ol>
</section>
<main>
$rows
</main>
</div>
<script>
$script
</script>
</body>
</html>
"""

STYLE = """\
:root { color-scheme: light dark;
  --ground: #fdfdfc; --text: #1c1e21; --faint: #62676e; --line: #d8dadd; --panel: #f4f5f6;
  --new: #e2f3e4; --mark: #2c7a39; --link: #0b57a4; --target: #fff0b8; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #16181b; --text: #dfe2e6; --faint: #9aa1a9; --line: #363b41; --panel: #1e2125;
  --new: #1c3423; --mark: #7fcf8d; --link: #83b9f3; --target: #4d431a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.45 system-ui, sans-serif; }
header { padding: 1rem 1.25rem 0; }
h1 { font-size: 1.4rem; margin: 0; }
header p { color: var(--faint); margin: .3rem 0 .8rem; max-width: 70rem; }
h2 { font-size: 1rem; margin: 0; }
h3 { font-size: .95rem; margin: 0; }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3em; }
#sides { display: grid; grid-template-columns: minmax(20rem, 30rem) minmax(0, 1fr); gap: 1rem;
  padding: 0 1.25rem 1.25rem; align-items: start; }
#entry { position: sticky; top: .75rem; max-height: calc(100vh - 1.5rem); overflow: auto; }
#entry, .step { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  padding: .75rem; }
.row { margin-bottom: 1.25rem; }
.strip { display: flex; gap: .75rem; overflow-x: auto; padding: .5rem 2px 1rem;
  align-items: flex-start; }
.step { flex: 0 0 auto; max-width: min(60rem, 96%); min-width: 16rem; }
.note { color: var(--faint); margin: .1rem 0 .5rem; font-size: .9rem; }
.code { font: 13px/1.5 ui-monospace, monospace; margin: .5rem 0 0; padding: 0; overflow-x: auto;
  list-style: none; counter-reset: none; }
.step .code { max-height: 36rem; overflow: auto; }
.code li { white-space: pre; padding: 0 .4rem 0 0; min-height: 1.5em; width: max-content;
  min-width: 100%; }
.code li > a, .code li > span.at { display: inline-block; width: 4.2em; margin-right: .7em;
  text-align: right; color: var(--link); text-decoration: none; user-select: none; }
.code li > span.at { color: var(--faint); }
.code li > a:hover { text-decoration: underline; }
.code li.new { background: var(--new); box-shadow: inset 3px 0 var(--mark); }
.code li.slot { color: var(--faint); font-style: italic; }
.code li:target, .code li.asked { background: var(--target); }
.c { color: var(--faint); } .s { color: var(--mark); } .k { font-weight: 600; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem .8rem; list-style: none; margin: .3rem 0; padding: 0;
  font-size: .9rem; }
a { color: var(--link); }
@media (max-width: 60rem) { #sides { grid-template-columns: minmax(0, 1fr); }
  #entry { max-height: 40vh; } }
@media print { body { font-size: 10pt; background: none; color: #000; }
  #sides { display: block; } #entry { position: static; max-height: none; }
  .strip { display: block; overflow: visible; }
  #entry, .step { max-width: none; margin-bottom: .8rem; background: none; }
  .step .code { font-size: 8pt; overflow: visible; max-height: none; }
  .code li { white-space: pre-wrap; width: auto; break-inside: avoid; }
  nav, header p kbd { display: none; } }"""

SCRIPT = """\
addEventListener('keydown', (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const steps = [...document.querySelectorAll('.step')];
  const at = steps.indexOf(document.activeElement.closest('.step'));
  const next = steps[at < 0 ? 0 : at + by];
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
});
// The declaration is in view already: only it is scrolled, not the page.
addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#y"]');
  if (!link) return;
  event.preventDefault();
  document.querySelector('.asked')?.classList.remove('asked');
  const entry = document.getElementById('entry'), line = document.querySelector(link.hash);
  line.classList.add('asked');
  entry.scrollTop = line.offsetTop - entry.clientHeight / 2;
});"""

ROW = """\
<section class="row" aria-label="$name">
<h2>$name</h2>
<nav aria-label="steps of $name"><ul>$links</ul></nav>
<div class="strip">
$steps
</div>
</section>
"""

STEP = """\
<article class="step" id="$id" tabindex="0" aria-label="$title">
<h3>$title</h3>
<p class="note">$note</p>
<ol class="code">
$lines
</ol>
</article>
"""

_TOKEN = re.compile(
    r'(?P<c>/\*.*?\*/|//.*|^ ?\*(?: .*|/)?$)|(?P<s>"(?:\\.|[^"\\])*")'
    r"|(?P<k>\b(?:if|else|for|return|switch|case|default|goto|break|static|const|struct|typedef|void)\b)"
)


def _coloured(text: str) -> str:
    """C with its comments, strings and keywords marked."""
    parts, at = [], 0
    for match in _TOKEN.finditer(text):
        parts.append(html.escape(text[at : match.start()], quote=False))
        parts.append(f'<span class="{match.lastgroup}">{html.escape(match[0], quote=False)}</span>')
        at = match.end()
    return "".join([*parts, html.escape(text[at:], quote=False)])


def _line(line: Line, known: range) -> str:
    """A line with the way back to the declaration, where that says so."""
    at = '<span class="at"></span>'
    if line.loc is not None:
        title = html.escape(f"{line.plugin}: {line.loc.file}:{line.loc.line}")
        number = line.loc.line
        at = (
            f'<a href="#y{number}" title="{title}">{number}</a>'
            if number in known
            else f'<span class="at" title="{title}">{number}</span>'
        )
    new = ' class="new"' if line.new else ""
    return f"<li{new}>{at}{_coloured(line.text)}</li>"


def _described(ops: Iterable[Op], before: Iterable[Op]) -> tuple[Line, ...]:
    """Ops after a rewrite; what the step before did not have is new."""
    old = {text for op in before for text, _ in describe(op)}
    rows = (row for op in ops for row in describe(op))
    return tuple(Line(text, "declared", place, text not in old) for text, place in rows)


def _key_place(op: Op, plugin: str, plugins: Iterable[Plugin]) -> Loc:
    """Where the op has a key of the plugin's."""
    keys = [key for each in plugins if each.name == plugin for key in each.op_keys]
    return next((loc for key in keys if (loc := op.options.loc(key))), op.loc)


def _body(before: Body, after: Body, plugin: str, place: Loc) -> tuple[Line, ...]:
    """What a weave settled, and all statements there are after it, in print order."""
    settled = facts(before, after)
    lines = [Line(f"{what}: {text}", plugin, place, True) for what, text in settled]
    for slot in SLOTS:
        old = len(getattr(before, slot))
        for index, statement in enumerate(getattr(after, slot)):
            for text in statement.text.splitlines():
                lines.append(Line(text, statement.plugin, statement.loc, index >= old))
    return tuple(lines)


def _wrapper(form: Form) -> tuple[Line, ...]:
    """The wrapper in C: its lines are those of the statements, or follow from the op."""
    op, body = form.op, form.body
    owners: dict[str, tuple[str, Loc]] = {}
    for slot in SLOTS:
        for statement in getattr(body, slot):
            for text in wrappers.statement_lines(statement):
                owners.setdefault(text.strip(), (statement.plugin, statement.loc))
    for text in wrappers.call(op, body):
        owners.setdefault(text.strip(), ("Types", op.options.loc(TYPES) or op.loc))
    lines = []
    for text in wrappers.function(form).splitlines():
        plugin, loc = owners.get(text.strip(), ("", None))
        if loc is None and "work" in text.lower() and body.unlocked:
            plugin, loc = "GILRelease", op.loc
        lines.append(Line(text, plugin, loc))
    return tuple(lines)


def _reader(form: Form) -> tuple[Line, ...]:
    """The Python side: lines about a parameter follow from its argument."""
    lines = []
    params = form.body.params
    names = [
        (re.compile(rf'\b{re.escape(p.arg.cname)}\b|"{re.escape(p.name)}"'), p) for p in params
    ]
    for text in readers.reader(form).splitlines():
        index = re.search(r"objects\[(\d+)\]", text)
        param = params[int(index[1])] if index and int(index[1]) < len(params) else None
        if param is None and f"TH_{form.op.symbol}(" not in text:
            param = next((p for pattern, p in names if pattern.search(text)), None)
        lines.append(Line(text, "Kwargs", param.arg.loc if param else None))
    return tuple(lines)


def _kernel(form: Form) -> tuple[Line, ...]:
    """The loop: operands follow from their arguments, the rest from the expression or the body."""
    op = form.op
    place = next(filter(None, map(op.options.loc, (KERNEL, BODY, CALL, CORE))), op.loc)
    plugin = "Kernel" if form.body.kernel else "Core"
    lines = []
    for text in kernels.loop_text(form).splitlines():
        arg = next((a for a in op.args if f" {a.kernel_name} = " in text), None)
        loc = arg.loc if arg else place if re.match(r"        \S", text) else None
        lines.append(Line(text, plugin, loc))
    return tuple(lines)


def _form_steps(form: Form, plugins: Iterable[Plugin]) -> list[Step]:
    steps = []
    body = chain.start(form.op)
    for weaving in form.steps:
        place = _key_place(form.op, weaving.plugin, plugins)
        lines = _body(body, weaving.body, weaving.plugin, place)
        steps.append(Step(weaving.plugin, "weave: the wrapper so far", lines))
        body = weaving.body
    steps.append(Step(f"TH_{form.op.symbol}", "the wrapper as it is compiled", _wrapper(form)))
    steps.append(Step(f"THPRun_{form.op.symbol}", "reads Python's arguments", _reader(form)))
    if calls.whole([form]):
        place = form.op.options.loc(CALL) or form.op.loc
        lines = tuple(Line(text, "Library", place) for text in calls.function(form).splitlines())
        steps.append(Step(form.op.cname, "the library's function is called", lines))
    if form.body.looped:
        steps.append(Step(f"THTensor_({form.op.cname})", "the kernel", _kernel(form)))
    return steps


def _row(name: str, steps: list[Step], prefix: str, known: range) -> str:
    ids = [f"{prefix}{index}" for index in range(len(steps))]
    links = [
        f'<li><a href="#{id}">{html.escape(step.title)}</a></li>'
        for id, step in zip(ids, steps, strict=True)
    ]
    texts = [
        fill(
            STEP,
            {
                "id": id,
                "title": html.escape(step.title),
                "note": html.escape(step.note),
                "lines": [_line(line, known) for line in step.lines],
            },
        )
        for id, step in zip(ids, steps, strict=True)
    ]
    return fill(ROW, {"name": html.escape(name), "links": "".join(links), "steps": texts})


def page(name: str, found: Found, plugins: Iterable[Plugin] = CHAIN) -> str:
    """The whole page."""
    entry = found.entry.split("\n")
    known = range(found.line, found.line + len(entry))
    numbered = [
        f'<li id="y{number}"><span class="at">{number}</span>{html.escape(text, quote=False)}</li>'
        for number, text in zip(known, entry, strict=True)
    ]
    before = found.ops
    steps = [Step("As read", "the forms of the declaration", _described(before, before))]
    for step in found.rewrites:
        steps.append(Step(step.plugin, "rewrite: the forms", _described(step.ops, before)))
        before = step.ops
    rows = [_row("The forms, rewritten", steps, "r", known)]
    forms = [form for operation in found.operations for form in operation.forms]
    for index, form in enumerate(forms):
        steps = _form_steps(form, plugins)
        rows.append(_row(wrappers.schema(form.op), steps, f"f{index}s", known))
    return fill(
        PAGE,
        {
            "title": html.escape(f"wrapgen explain {name}"),
            "style": STYLE,
            "place": html.escape(f"{found.file}:{found.line}"),
            "first": str(found.line),
            "entry": numbered,
            "rows": rows,
            "script": SCRIPT,
        },
    )
