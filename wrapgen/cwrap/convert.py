"""Declarations of .cwrap files as entries that the loader and the chain accept, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from wrapgen import chain
from wrapgen.cwrap import joining, parsing, reader
from wrapgen.cwrap.arguments import Unsupported
from wrapgen.cwrap.declarations import Declaration
from wrapgen.cwrap.entries import Entry, name_of
from wrapgen.cwrap.reader import Source
from wrapgen.cwrap.results import Result, same, signature
from wrapgen.cwrap.translate import split, translate
from wrapgen.errors import DeclarationError, DeclarationErrors
from wrapgen.loader import Loader
from wrapgen.model import Op, Plugin
from wrapgen.plugins import CHAIN


class Converter:
    """Translates the declarations of a file one by one, then looks at them together."""

    def __init__(self, chapter: str, plugins: tuple[Plugin, ...]) -> None:
        self.chapter = chapter
        self.plugins = plugins
        self.results: list[Result] = []
        self.errors: list[DeclarationError] = []

    def add(self, declaration: Declaration) -> None:
        result = Result(declaration, declaration.python_name or declaration.name)
        result.notes += declaration.notes
        self.results.append(result)
        try:
            if declaration.only_register:
                raise Unsupported("hand-written C", "its wrapper is hand-written C")
            named = name_of(declaration)
        except Unsupported as problem:
            result.missing.append((declaration.loc, problem))
            return
        result.name = named.name
        if named.operator:
            result.keys["operator"] = named.operator
        for form in (each for one in declaration.forms for each in split(one)):
            try:
                result.forms.append(translate(declaration, form))
            except Unsupported as problem:
                result.missing.append((problem.loc or form.loc, problem))
        self.distinct(result)
        for entry in list(result.forms):
            self.check_form(result, entry)
        for note in (note for entry in result.forms for note in entry.notes):
            result.note(note)

    def distinct(self, result: Result) -> None:
        """Forms that callers cannot tell apart: the first is taken."""
        seen: set[object] = set()
        for form in list(result.forms):
            if signature(form) in seen:
                result.forms.remove(form)
                result.note(same(form))
            seen.add(signature(form))

    def check_form(self, result: Result, form: Entry) -> None:
        """The loader and the chain have the last word; what is wrong in keys of our own files is an error."""
        alone = replace(result, forms=[form], missing=[])
        problem = self.problem(alone)
        if problem is None:
            return
        kind = "malformed" if form.own else "other"
        result.drop(form, Unsupported(kind, problem.message, problem.loc))
        if form.own:
            self.errors.append(problem)

    def problem(self, result: Result) -> DeclarationError | None:
        try:
            result.ops = self.load(result)
            chain.run(result.ops, self.plugins)
        except DeclarationErrors as errors:
            return errors.errors[0]
        except DeclarationError as error:
            return error
        return None

    def load(self, result: Result) -> tuple[Op, ...]:
        node = result.block.node
        return Loader(self.plugins).entry(node.child(result.tree()), self.chapter)

    def finish(self) -> list[Result]:
        """All of them together, each as the loader and the chain accept it."""
        joining.join(self.results, self.problem)
        joining.fold(self.results)
        for result in self.results:
            problem = self.problem(result) if result.speaks else None
            while problem is not None and result.forms:
                result.drop(result.forms[-1], Unsupported("other", problem.message))
                problem = self.problem(result) if result.forms else None
        joining.unclash(self.results, self.plugins)
        return self.results


@dataclass
class Converted:
    """A file and what became of its declarations; `errors` are those of malformed ones."""

    source: Source
    results: list[Result]
    errors: list[DeclarationError]

    @property
    def ops(self) -> list[tuple[Op, ...]]:
        """The declarations that are supported."""
        return [result.ops for result in self.results if result.speaks]


def survey(path: Path, shown: str, plugins: tuple[Plugin, ...] = CHAIN) -> Converted:
    """Reads and translates a file, as far as it is well formed."""
    source = reader.read(path, shown)
    errors = list(source.errors)
    converter = Converter(path.stem, plugins)
    loader = Loader(plugins)
    for block in source.blocks:
        declaration, found = parsing.parse(block, loader)
        errors += found
        if declaration is not None:
            converter.add(declaration)
    return Converted(source, converter.finish(), [*errors, *converter.errors])


def convert(path: Path, shown: str, plugins: tuple[Plugin, ...] = CHAIN) -> Converted:
    """Reads and translates a file; DeclarationErrors where it is malformed."""
    converted = survey(path, shown, plugins)
    if converted.errors:
        raise DeclarationErrors(converted.errors)
    return converted
