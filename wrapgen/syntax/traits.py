"""What follows from a kernel's expression alone: for which dtypes and instruction sets its loop is another one's,
and whether bytes may be computed two at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from wrapgen.syntax.expression import Node
from wrapgen.tables import MathFunction

_COSTLY = ("/", "%", "<<", ">>", "&&", "||")
_LOWER = ("+", "-", "*", "&", "|", "^")  # each bit follows from those up to it
_ASKING = ("!", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^")
_LARGEST = 127  # of int8


def is_light(tree: Node, functions: Mapping[str, MathFunction]) -> bool:
    """Little integers take no less time in the widest vectors: nothing but what every vector has an instruction for."""
    if (tree.kind == "binary" and tree.text in _COSTLY) or tree.kind == "cast":
        return tree.text == "scalar_t" and is_light(tree.children[0], functions)
    if tree.kind == "call" and not functions[tree.text].light:
        return False
    return all(is_light(child, functions) for child in tree.children)


def is_signless(
    tree: Node,
    functions: Mapping[str, MathFunction],
    elements: Collection[str],
    integers: Collection[str],
) -> bool:
    """The bits of the value are the same, whether those of the elements are read as signed or not. `elements` are names
    of scalar_t, `integers` others."""

    def same(node: Node) -> bool:
        return is_signless(node, functions, elements, integers)

    if tree.kind == "name":
        return tree.text in elements or tree.text in integers
    if tree.kind == "binary" and tree.text in ("==", "!="):
        return all(_is_exact(child, elements) for child in tree.children)
    if tree.kind == "call":
        return functions[tree.text].signless and all(map(same, tree.children))
    if tree.kind == "ternary":
        return is_truth(tree.children[0]) and all(map(same, tree.children))
    if tree.text in ("!", "&&", "||"):
        return all(is_truth(child) and same(child) for child in tree.children)
    known = tree.kind == "int" or tree.text in ("~", "+", "-", "*", "&", "|", "^", "scalar_t")
    return known and all(map(same, tree.children))


def of_integers(tree: Node, functions: Mapping[str, MathFunction]) -> bool | None:
    """The truth that the value is, whatever integers the elements are; None: that depends on them."""
    if tree.kind == "call":
        return functions[tree.text].integers
    if tree.text not in ("!", "&&", "||"):
        return None
    known = [of_integers(child, functions) for child in tree.children]
    if tree.text == "!":
        return None if known[0] is None else not known[0]
    decisive = tree.text == "||"
    if decisive in known:
        return decisive
    return None if None in known else not decisive


def is_moved(tree: Node, elements: Collection[str], numbers: Collection[str]) -> bool:
    """The value is one of the elements, which nothing is done to; what decides has nothing of scalar_t, as they and
    `numbers`, functions, casts and floating literals do."""
    if tree.kind == "ternary":
        condition, *values = tree.children
        decided = _has_own_type(condition, {*elements, *numbers})
        return decided and all(is_moved(value, elements, numbers) for value in values)
    return tree.kind == "name" and tree.text in elements


def _has_own_type(tree: Node, computed: Collection[str]) -> bool:
    """It is the same whatever dtype is computed in, which `computed` names have."""
    if tree.kind == "name":
        return tree.text not in computed
    known = tree.kind == "int" or tree.text in _ASKING
    return known and all(_has_own_type(child, computed) for child in tree.children)


def of_lower_bits(
    tree: Node, functions: Mapping[str, MathFunction], elements: Collection[str]
) -> Node | None:
    """The expression by operators alone, if the lower bits of its value follow from those of the elements in any width;
    else None."""
    text = functions[tree.text].operator if tree.kind == "call" else tree.text
    known = {"name": text in elements, "int": True}
    if not known.get(tree.kind, text in _LOWER):
        return None
    children = [of_lower_bits(child, functions, elements) for child in tree.children]
    found = tuple(child for child in children if child is not None)
    if len(found) < len(children):
        return None
    kind = "binary" if tree.kind == "call" else tree.kind
    return Node(kind, text, found, tree.offset)


def has_product(tree: Node) -> bool:
    return (tree.kind == "binary" and tree.text == "*") or any(map(has_product, tree.children))


def has_quotient(tree: Node, functions: Mapping[str, MathFunction]) -> bool:
    """Is something divided, or made by a function that is there for arrays, as those that take long are?"""
    if tree.kind == "call" and functions[tree.text].arrays:
        return True
    here = tree.kind == "binary" and tree.text == "/"
    return here or any(has_quotient(child, functions) for child in tree.children)


def _is_exact(tree: Node, elements: Collection[str]) -> bool:
    """An element itself, or a number that every dtype has."""
    return tree.text in elements if tree.kind == "name" else _is_small(tree)


def _is_small(tree: Node) -> bool:
    return tree.kind == "int" and int(tree.text, 0) <= _LARGEST


def is_truth(tree: Node) -> bool:
    """Is it 0 for the same bits? A sum may be in one width alone."""
    if tree.kind == "binary" and tree.text in ("&", "|", "^"):
        return all(map(is_truth, tree.children))
    return tree.kind in ("name", "call") or tree.text in ("==", "!=", "!", "&&", "||")
