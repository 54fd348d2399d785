"""One op as data: its declaration in short, its rewrites, what a plugin wove. The tests of plugins share it."""

from __future__ import annotations

from declaring import Declared

from wrapgen import chain
from wrapgen.chain import Form
from wrapgen.model import SLOTS, Body, Op, Param
from wrapgen.plugins import CHAIN

RESULT = "{arg: THTensor* result, output: true}"


def entry(arguments: str, *keys: str) -> str:
    """One op `f` with these arguments and further keys."""
    return (
        "\n".join(["- name: f", f"  arguments: [{arguments}]", *(f"  {key}" for key in keys)])
        + "\n"
    )


def rewritten(declared: Declared, text: str, until: str) -> tuple[Op, ...]:
    """The ops of the first declaration after the rewrites up to a plugin."""
    (ops,) = declared.load(text)
    index = next(i for i, plugin in enumerate(CHAIN) if plugin.name == until)
    return chain.rewrite(ops, CHAIN[: index + 1])[0]


def woven(form: Form, plugin: str) -> dict[str, list[str]]:
    """The statements a plugin wove, by slot."""
    found: dict[str, list[str]] = {}
    for slot in SLOTS:
        for statement in getattr(form.body, slot):
            if statement.plugin == plugin:
                found.setdefault(slot, []).append(statement.text)
    return found


def after(form: Form, plugin: str) -> Body:
    """The body right after a plugin's weave."""
    return next(step.body for step in form.steps if step.plugin == plugin)


def params(form: Form) -> dict[str, Param]:
    return {param.name: param for param in form.body.params}


def passed(form: Form) -> list[str]:
    return [text for actual in form.body.actuals for text in actual.expressions(None)]
