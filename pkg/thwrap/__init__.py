"""Tensor operations compiled ahead of time from declarations.

Use `import thwrap as th`; names and meanings are PyTorch's. Importing takes milliseconds: nothing here imports NumPy,
cffi or even `typing` (a module's own `TYPE_CHECKING = False` is what type checkers read as true).
"""

from math import e, inf, nan, pi

from thwrap import _blas, _functions, _tensor
from thwrap._C import (
    Generator,
    Size,
    Storage,
    Tensor,
    as_tensor,
    asarray,
    bool,
    can_cast,
    default_generator,
    double,
    dtype,
    empty_cache,
    float,
    float16,
    float32,
    float64,
    from_dlpack,
    from_numpy,
    get_default_dtype,
    get_num_threads,
    get_rng_state,
    half,
    initial_seed,
    int,
    int8,
    int16,
    int32,
    int64,
    long,
    manual_seed,
    memory_stats,
    promote_types,
    result_type,
    return_types,
    seed,
    set_cache_limit,
    set_default_dtype,
    set_num_threads,
    set_rng_state,
    short,
    tensor,
    uint8,
)
from thwrap._config import get_include, get_lib, show_config
from thwrap._creation import from_file, frombuffer, normal, scalar_tensor
from thwrap._dtype import finfo, iinfo
from thwrap._functions import *  # noqa: F403 - the declared functions, one generated list
from thwrap._legacy import (
    BoolStorage,
    BoolTensor,
    ByteStorage,
    ByteTensor,
    CharStorage,
    CharTensor,
    DoubleStorage,
    DoubleTensor,
    FloatStorage,
    FloatTensor,
    HalfStorage,
    HalfTensor,
    IntStorage,
    IntTensor,
    LongStorage,
    LongTensor,
    ShortStorage,
    ShortTensor,
)
from thwrap._printing import get_printoptions, set_printoptions
from thwrap._split import split, tensor_split

__version__ = "0.1.0"

__all__ = [
    "BoolStorage",
    "BoolTensor",
    "ByteStorage",
    "ByteTensor",
    "CharStorage",
    "CharTensor",
    "DoubleStorage",
    "DoubleTensor",
    "FloatStorage",
    "FloatTensor",
    "Generator",
    "HalfStorage",
    "HalfTensor",
    "IntStorage",
    "IntTensor",
    "LongStorage",
    "LongTensor",
    "ShortStorage",
    "ShortTensor",
    "Size",
    "Storage",
    "Tensor",
    "as_tensor",
    "asarray",
    "bool",
    "can_cast",
    "default_generator",
    "double",
    "dtype",
    "e",
    "empty_cache",
    "explain",
    "finfo",
    "float",
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "from_file",
    "from_numpy",
    "frombuffer",
    "get_default_dtype",
    "get_include",
    "get_lib",
    "get_num_threads",
    "get_printoptions",
    "get_rng_state",
    "half",
    "iinfo",
    "inf",
    "initial_seed",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "long",
    "manual_seed",
    "memory_stats",
    "nan",
    "normal",
    "pi",
    "promote_types",
    "result_type",
    "return_types",
    "scalar_tensor",
    "seed",
    "set_cache_limit",
    "set_default_dtype",
    "set_num_threads",
    "set_printoptions",
    "set_rng_state",
    "short",
    "show_config",
    "split",
    "tensor",
    "tensor_split",
    "uint8",
]
__all__ += _functions.__all__

_tensor.attach()
_blas.announce()
if _functions.absent:
    from thwrap import _absent

    _absent.attach()


TYPE_CHECKING = False
if TYPE_CHECKING:
    from thwrap._explain import explain
    from thwrap.ops import _Registry

    ops: _Registry
else:
    from thwrap import ops  # noqa: F401 - not in __all__: packages, no function

    def explain(function, /, *args, **kwargs):
        """What `function(*args, **kwargs)` would do, without doing it; `thwrap._explain` tells more."""
        from thwrap._explain import explain

        return explain(function, *args, **kwargs)

    # Not in whole builds: beside a __getattr__, Python looks the name up anew in every call of `th.add`.
    if _functions.absent:

        def __getattr__(name: str) -> object:
            """Only for names that are not there."""
            raise _absent.error(name)


del TYPE_CHECKING
