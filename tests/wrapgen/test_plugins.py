"""The chain of plugins as a whole: each only adds, none depends on another's run."""

from __future__ import annotations

from dataclasses import replace

from declaring import Declared
from weaving import RESULT, entry, rewritten

from wrapgen import chain
from wrapgen.model import SLOTS
from wrapgen.plugins import CHAIN
from wrapgen.plugins.kernel import KERNEL


def test_plugins_only_add(declared: Declared) -> None:
    """No plugin takes back what an earlier one wove; every statement knows who asked for it, and where."""
    text = entry(
        f"{RESULT}, {{arg: THTensor* self, broadcast: {{with: x}}}}, THTensor* x, {{arg: long dim, wrap_dim: self}}, "
        "real alpha",
        "promote: float", "inplace: direct", "before_call: f($arg1);",
    )  # fmt: skip
    for operation in declared.run(text).values():
        for form in operation.forms:
            body = chain.start(form.op)
            for step in form.steps:
                for slot in SLOTS:
                    assert getattr(step.body, slot)[: len(getattr(body, slot))] == getattr(
                        body, slot
                    )
                    new = getattr(step.body, slot)[len(getattr(body, slot)) :]
                    assert {statement.plugin for statement in new} <= {step.plugin}
                    assert all(statement.loc.line in (1, 2, 3, 4, 5) for statement in new)
                body = step.body


def test_a_chain_of_no_plugins_changes_nothing(declared: Declared) -> None:
    (ops,) = declared.load(entry("THTensor* self"))
    assert chain.rewrite(ops, ()) == (ops, ())
    assert chain.weave(ops[0], ()).body == chain.start(ops[0])


def test_rewrites_are_idempotent(declared: Declared) -> None:
    """A kernel that was completed stays as it is."""
    (op,) = rewritten(
        declared, entry("THTensor* self, THTensor* x", 'kernel: "self + x"'), "Kernel"
    )
    kernel = next(plugin for plugin in CHAIN if plugin.name == "Kernel")
    assert kernel.rewrite is not None
    assert kernel.rewrite(replace(op, declared=op.declared)) == (op,)
    assert str(op[KERNEL]) == "self + x"
