"""The model: what a declaration says (Op, Arg) and what its wrapper will do (Body). No YAML, no C text templates.

Everything is frozen. Plugins rewrite Ops into Ops and weave statements into a Body; the emitters print.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wrapgen.errors import DeclarationError, Loc
from wrapgen.syntax.node import Node
from wrapgen.syntax.values import Schema
from wrapgen.types import ArgType
from wrapgen.units import Message, Units

if TYPE_CHECKING:
    from wrapgen.syntax.call_parts import Shape, Variable
    from wrapgen.syntax.calls import Call, Form, Formula

# Keywords and macros of C.
C_WORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline "
    "int long register restrict return short signed sizeof static struct switch typedef union unsigned "
    "void volatile while bool true false I errno stdin stdout stderr linux unix complex imaginary asm "
    "alignas alignof assert noreturn static_assert thread_local typeof typeof_unqual nullptr "
    "constexpr".split()
)
# Those, keywords of C++ (the header is for both), and what wrappers call their own things.
RESERVED = C_WORDS | frozenset(
    "and bitand bitor catch class compl concept consteval constinit const_cast decltype delete "
    "dynamic_cast explicit export friend mutable namespace new noexcept not operator or private "
    "protected public reinterpret_cast requires static_cast template this throw try typeid typename "
    "using virtual xor final override import module "
    "status dtype shape work operands inputs others broadcast touched done out objects results "
    "outcome Real accreal".split()
)
# Macros that would be replaced in THTensor_(name).
MACROS = frozenset(
    "bool true false NULL I errno stdin stdout stderr linux unix complex imaginary alignas alignof noreturn "
    "static_assert thread_local INFINITY NAN Real accreal scalar_t storage_t".split()
)
# Wrappers derive names from arguments by these endings alone; `_` at the end is how names move out of the way.
_MOVED = re.compile(
    r".*(_|_t|_n|_out|_given|_cast|_expanded|_mask|_size|_result|_number|_data|_params|_signature|_type)"
    r"|(TH|Py|PY|cffi).*|[A-Z][A-Z0-9_]+"
)
# What else the functions of kernels call their own things.
_KERNEL_LOCALS = frozenset("n i data params kernel pair bits plain numbers isPlain".split())


def moved(name: str) -> str:
    """A name out of the way of C's and the wrapper's own."""
    return f"{name}_" if name in RESERVED or _MOVED.fullmatch(name) else name


def kernel_name(name: str) -> str:
    """A name in the functions of a kernel."""
    return f"{name}_" if name in _KERNEL_LOCALS else moved(name)


T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Key(Generic[T_co]):
    """A key of the declarations, owned by one plugin (or by the loader)."""

    name: str
    parse: Callable[[Node], T_co]
    doc: str
    schema: Schema = field(default_factory=dict, hash=False)  # of the value, for editors
    example: str = ""  # an entry's key with a value, or an argument that has it


@dataclass(frozen=True)
class Options:
    """Values of the keys that were written, each with its place."""

    values: tuple[tuple[str, Any, Loc], ...] = ()

    def get(self, key: Key[T]) -> T | None:
        value: T
        for name, value, _ in self.values:  # not a generator: everything asks
            if name == key.name:
                return value
        return None

    def loc(self, key: Key[T]) -> Loc | None:
        return next((loc for name, _, loc in self.values if name == key.name), None)

    def has(self, key: Key[T]) -> bool:
        return any(name == key.name for name, _, _ in self.values)

    def plus(self, key: Key[T], value: T, loc: Loc) -> Options:
        """With another value of a key, in its place."""
        item = (key.name, value, loc)
        if not self.has(key):
            return Options((*self.values, item))
        return Options(tuple(item if each[0] == key.name else each for each in self.values))


@dataclass(frozen=True)
class Arg:
    """An argument as declared."""

    type: ArgType
    name: str  # for CONSTANT the text, for `argument N` the number
    loc: Loc
    options: Options = Options()

    def __getitem__(self, key: Key[T]) -> T | None:
        return self.options.get(key)

    def __str__(self) -> str:
        return f"{self.type.name} {self.name}"

    @property
    def visible(self) -> bool:
        """Callers pass it: neither a constant nor another argument again."""
        return self.type.name not in ("CONSTANT", "argument")

    @property
    def cname(self) -> str:
        """Its name as a C parameter, moved out of the way of C's and the wrapper's own names."""
        if self.type.name == "THDtype" and self.name == "dtype":
            return "dtype_given"
        return moved(self.name) if self.visible else self.name

    @property
    def kernel_name(self) -> str:
        """Its name in the functions of a kernel."""
        return f"{self.name}_" if self.name in _KERNEL_LOCALS else self.cname


@dataclass(frozen=True)
class CFunction:
    """A C function that a core operation calls: for a dtype, or "" for all there are."""

    dtype: str
    name: str
    result: str  # void, int, or "" where that has to be found out
    loc: Loc


@dataclass(frozen=True)
class Op:
    """One form of a declared operation."""

    name: str
    chapter: str
    loc: Loc
    args: tuple[Arg, ...]
    declared: tuple[Arg, ...] = ()  # args as written: what `argument N` and $argN count
    overload: str = ""
    doc: str = ""
    cname: str = ""
    python_name: str = ""
    aliases: tuple[str, ...] = ()  # further names, each an op of its own
    alias_of: str = ""  # the name whose alias this is
    variants: tuple[str, ...] = ("method", "function")
    # "" is the outputs; "self", "void", "argument 0,1" or a name of types.RETURNS
    returns: str = ""
    operator: str = ""
    reference: str = ""
    sample: Any = None
    tolerance: tuple[str | int, ...] | None = None  # None: what follows from the kind of op
    test: str = ""
    options: Options = Options()
    inplace: str = ""  # how self is the result: "" not, "self" declared so, "direct", "copy"
    rank: int = 0  # checked arguments: overloads are tried in descending order
    places: tuple[tuple[str, Loc], ...] = ()  # of the core keys that plugins speak of
    units: Units = field(default_factory=Units)  # what is declared beside all ops
    functions: tuple[CFunction, ...] = ()  # a cname that is no bare name

    def __getitem__(self, key: Key[T]) -> T | None:
        return self.options.get(key)

    @property
    def symbol(self) -> str:
        """`add`, `add_`, `max_dim`: what follows TH_ in C."""
        return f"{self.name}_{self.overload}" if self.overload else self.name

    @property
    def dispatched(self) -> bool:
        """Calls TH<Real>Tensor_<cname>, not a function named in full."""
        return not self.cname.startswith("TH")

    def arg(self, name: str) -> Arg | None:
        return next((arg for arg in self.args if arg.name == name), None)

    def error(
        self, key: Key[Any] | str | None, message: str, arg: Arg | None = None
    ) -> DeclarationError:
        """An error at the key's place in the op or the argument; core keys are given by name."""
        owner = arg or self
        named = dict(self.places).get(key) if isinstance(key, str) else None
        loc = owner.options.loc(key) if isinstance(key, Key) else named
        return DeclarationError(loc or owner.loc, f"op '{self.name}': {message}")


@dataclass(frozen=True)
class Statement:
    """A line or more of C, with the plugin that wove it and the place in the YAML that asked for it."""

    text: str
    plugin: str
    loc: Loc
    quoted: bool = False  # the text stands in the YAML, from the line of `loc` on


# In print order. Inputs are converted and expanded, which may fail, before results are touched.
SLOTS = ("locals", "checks", "prepare", "inputs", "outputs", "call", "record", "after", "cleanup")


@dataclass(frozen=True)
class Param:
    """An argument as Python sees it."""

    arg: Arg
    name: str
    alias: str = ""
    kind: str = ""
    default: str = ""  # C expression when absent; "" is required
    shown_default: str = ""  # the same as a Python literal
    kwarg_only: bool = False
    nullable: bool = False
    varargs: bool = False
    annotation: str = ""
    shown: str = ""

    @property
    def identifier(self) -> str:
        """Its name where Python's grammar wants one that is no keyword: `from` is called by position."""
        return f"{self.name}_" if keyword.iskeyword(self.name) else self.name


@dataclass(frozen=True)
class Actual:
    """What is handed to the C function for an argument: a C expression, or the type's own way to pass a name."""

    arg: Arg
    name: str  # C local
    exact: bool = False  # `name` is the whole expression

    def expressions(self, real: Any) -> tuple[str, ...]:
        return (self.name,) if self.exact else self.arg.type.hand_on(self.name, real)


@dataclass(frozen=True)
class Output:
    """A result tensor of the wrapper."""

    name: str  # C local
    arg: Arg
    dtype: str  # C expression


@dataclass(frozen=True)
class Step:
    """A statement of a kernel: a value computed and named."""

    ctype: str  # with `const` where it stays; "" where the name is there already
    name: str
    value: str  # C
    line: int  # in the YAML
    stored: bool = False  # as an element is: Bool has 0 and 1 only


@dataclass(frozen=True)
class Result:
    """A result of a kernel."""

    name: str
    dtype: str  # its name, "" for the computing one
    value: str  # C
    line: int


@dataclass(frozen=True)
class Kernel:
    """Scalar expressions, ready to print."""

    steps: tuple[Step, ...]  # computed before the results
    results: tuple[Result, ...]
    inputs: tuple[tuple[str, str], ...]  # (name, dtype name or "" for the computing one)
    params: tuple[tuple[str, str, str], ...]  # (name, C type, C expression of its value)
    nullable: tuple[str, ...]  # inputs that may be NULL
    used: tuple[str, ...]  # inputs that the expressions read
    whole_vectors: bool
    cost: int
    source: str
    error: str = ""  # what is promised of it in floating point, a sentence
    specials: tuple[Special, ...] = ()
    bits: str = ""  # all that is done to elements: a function that needs not widen them
    arrays: str = ""  # the same: a function that is there for arrays of them
    arrays_from: str = ""  # from this instruction set on
    longs: str = ""  # the same: for arrays of int64
    longs_by: str = ""  # the same: for an array of int64 and a number
    light: bool = False  # little integers take no less time in the widest vectors
    signless: bool = False  # signed and unsigned integers have one loop
    moved: bool = False  # elements are only chosen: dtypes of as many bits have one loop
    kept: bool = False  # integers are left as they are
    unread: bool = False  # of integers and bool the results are the same, whatever they are
    exchanged: tuple[str, ...] = ()  # two inputs that change places where the first repeats itself
    divides: bool = False  # by `/`, or by a function with `arrays`
    paired: str = ""  # the result's value for two bytes at once, of words with one of them each


@dataclass(frozen=True)
class Special:
    """The kernel where an input is this number, between two ("1 9"), or any (""), for some of the op's dtypes; where
    several are any number."""

    names: tuple[str, ...]
    number: str
    dtypes: tuple[str, ...]
    kernel: Kernel

    @property
    def is_one_number(self) -> bool:
        return len(self.names) == 1 and len(self.number.split()) == 1

    @property
    def test(self) -> str:
        """The condition in C; "" where there is none."""
        first, *last = self.number.split() or [""]
        name = self.names[0]
        if last:
            return f"{name} >= {first} && {name} <= {last[0]}"
        return f"number_{name} && {name} == (scalar_t){first}" if first else ""


@dataclass(frozen=True)
class CoreOperand:
    """A tensor of a core operation."""

    arg: Arg
    dtype: str  # its name, "" for the computing one
    dims: tuple[int, ...]  # of Core.dims


@dataclass(frozen=True)
class CallResult:
    """A result of a call on whole tensors."""

    arg: Arg
    shape: Shape
    filled: Formula | None = None


@dataclass(frozen=True)
class LibraryCall:
    """A call of a library's function on whole arrays, ready to print."""

    call: Call
    fails: Formula | None = None  # the condition
    message: Message | None = None
    variables: tuple[Variable, ...] = ()
    results: tuple[CallResult, ...] = ()

    @property
    def forms(self) -> tuple[Form, ...]:
        """Those of all its parts."""
        parts = [formula for variable in self.variables for formula in variable.formulas]
        for result in self.results:
            parts += [*result.shape.sizes, *([result.filled] if result.filled else [])]
        parts += [self.fails] if self.fails else []
        return (*self.call.forms, *(form for part in parts for form in part.forms))

    @property
    def needs_status(self) -> bool:
        """Does something ask what the function returned?"""
        return any(form.kind == "status" for form in self.forms)

    def strided(self, tensor: str) -> bool:
        """Is the tensor passed as it lies?"""
        return any(form.kind == "stride" and form.tensor == tensor for form in self.forms)


@dataclass(frozen=True)
class Core:
    """A function over the last dims of its operands, ready to print."""

    dims: tuple[tuple[str, int], ...]  # name and, of constants, size; else -1
    outputs: tuple[CoreOperand, ...]
    inputs: tuple[CoreOperand, ...]
    sizes: tuple[tuple[int, str], ...]  # dims that no input has, and their C
    params: tuple[tuple[str, str, Arg], ...]  # name in the params' struct, C type
    body: tuple[tuple[int, str], ...]  # lines of C, each with its line in the file
    file: str
    functions: tuple[CFunction, ...]  # or these
    own: bool  # the function is one of a `c:` entry
    declared: bool  # a prototype is needed
    contiguous: bool
    words: frozenset[str]  # names in the body
    fails: bool  # an item may fail, when others are done
    source: str
    cost: int = 16  # for each element


@dataclass(frozen=True)
class Body:
    """The wrapper TH_<symbol> in the making: slots in print order, and facts that plugins leave for others."""

    locals: tuple[Statement, ...] = ()
    checks: tuple[Statement, ...] = ()
    prepare: tuple[Statement, ...] = ()
    inputs: tuple[Statement, ...] = ()
    outputs: tuple[Statement, ...] = ()
    call: tuple[Statement, ...] = ()  # before the call itself
    record: tuple[Statement, ...] = ()
    after: tuple[Statement, ...] = ()
    cleanup: tuple[Statement, ...] = ()
    tensors: tuple[Arg, ...] = ()  # tensor arguments, in order
    operands: tuple[Arg, ...] = ()  # those of them that decide the dtype
    dispatch: tuple[str, ...] = ()  # names of the dtypes switched over
    dtype: str = ""  # C expression of the computing dtype
    result_dtype: str = ""  # C expression of what results have by default
    results: tuple[Output, ...] = ()  # outputs, in order
    actuals: tuple[Actual, ...] = ()  # the other arguments of the C function
    shaped: bool = False  # results get their shape before the call (kernels)
    unlocked: bool = False  # the GIL may be released around the call
    work: tuple[str, ...] = ()  # C locals pinned meanwhile
    finish: str = ""  # what the function returns, "status" when empty
    params: tuple[Param, ...] = ()
    kernel: Kernel | None = None
    core: Core | None = None
    library: LibraryCall | None = None

    @property
    def looped(self) -> bool:
        """It is called as a loop of its own: operands are converted on the way, not before."""
        return self.kernel is not None or self.core is not None

    @property
    def cost(self) -> int:
        """Elementary steps for each element."""
        return self.kernel.cost if self.kernel else self.core.cost if self.core else 1

    def plus(self, slot: str, plugin: str, loc: Loc, *texts: str, quoted: bool = False) -> Body:
        """With statements added to a slot."""
        added = tuple(Statement(text, plugin, loc, quoted) for text in texts)
        return replace(self, **{slot: getattr(self, slot) + added})

    def passing(self, arg: Arg, name: str, exact: bool = False) -> Body:
        """With another local handed on for an argument."""
        actuals = tuple(
            replace(actual, name=name, exact=exact) if actual.arg is arg else actual
            for actual in self.actuals
        )
        return replace(self, actuals=actuals)

    def actual(self, arg: Arg) -> str:
        return next(actual.name for actual in self.actuals if actual.arg is arg)


Rewrite = Callable[[Op], "tuple[Op, ...]"]
Weave = Callable[[Op, Body], Body]


@dataclass(frozen=True)
class Plugin:
    """One step of the chain: the keys it owns and up to two pure functions."""

    name: str
    doc: str
    op_keys: tuple[Key[Any], ...] = ()
    arg_keys: tuple[Key[Any], ...] = ()
    rewrite: Rewrite | None = None
    weave: Weave | None = None
    types: tuple[str, ...] = field(default=())  # argument types it gives a meaning to
    # A check of an op whose arguments were read but not all of its other keys: for errors told in one pass.
    early: Callable[[Op], None] | None = None
