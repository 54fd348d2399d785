"""What argument readers say of calls that do not go; test_errors.py makes the calls."""

from __future__ import annotations

from library_messages import Case

# Which arguments there are

KEYWORDS: list[Case] = [
    (
        "a.sum(dims=1)",
        TypeError,
        "sum() got an unexpected keyword argument 'dims'; did you mean 'dim'?",
    ),
    (
        "th.add(a, a, alpah=2)",
        TypeError,
        "add() got an unexpected keyword argument 'alpah'; did you mean 'alpha'?",
    ),
    ("a.add(a, nothing=2)", TypeError, "add() got an unexpected keyword argument 'nothing'"),
    ("a.sum(1, dim=0)", TypeError, "sum() got multiple values for argument 'dim'"),
    ("th.mm(a, a, mat2=a)", TypeError, "mm() got multiple values for argument 'mat2'"),
    ("a.mm(input=a, mat2=a)", TypeError, "mm() got multiple values for argument 'input'"),
    (
        "a.sum(dim=0, axis=0)",
        TypeError,
        "sum() got both 'dim' and 'axis', which are the same argument",
    ),
    (
        "a.sum(keepdim=True, keepdims=True)",
        TypeError,
        "sum() got both 'keepdim' and 'keepdims', which are the same argument",
    ),
    (
        "th.mm(input=a, self=a, mat2=a)",
        TypeError,
        "mm() got both 'input' and 'self', which are the same argument",
    ),
    ("a.sum(**{1: 2})", TypeError, "keywords must be strings"),
]

COUNTS: list[Case] = [
    ("a.add()", TypeError, "add() missing required argument 'other' (position 1)"),
    ("th.add()", TypeError, "add() missing required argument 'input' (position 1)"),
    ("th.add(a)", TypeError, "add() missing required argument 'other' (position 2)"),
    ("a.addmv(a)", TypeError, "addmv() missing required argument 'vec' (position 2)"),
    ("a.view()", TypeError, "view() missing required argument 'size' (position 1)"),
    ("a.add(1, 2, 3)", TypeError, "add() takes at most 1 positional argument (3 given)"),
    ("a.softmax(0, 1, 2)", TypeError, "softmax() takes at most 2 positional arguments (3 given)"),
    ("a.contiguous(7)", TypeError, "contiguous() takes no positional arguments (1 given)"),
    ("a.view((2, 3), 1)", TypeError, "view() takes at most 1 positional argument (2 given)"),
]

# What kind they are of

KINDS: list[Case] = [
    (
        "a.add('x')",
        TypeError,
        "add(): argument 'other' (position 1) must be Tensor or number, not str",
    ),
    (
        "th.add(a, None)",
        TypeError,
        "add(): argument 'other' (position 2) must be Tensor or number, not None",
    ),
    (
        "th.pow('x', 2)",
        TypeError,
        "pow(): argument 'input' (position 1) must be Tensor or number, not str",
    ),
    ("a.add(a, alpha='x')", TypeError, "add(): argument 'alpha' must be number, not str"),
    ("th.mm(a, 1)", TypeError, "mm(): argument 'mat2' (position 2) must be Tensor, not int"),
    ("th.mm(1, a)", TypeError, "mm(): argument 'input' (position 1) must be Tensor, not int"),
    ("a @ 1", TypeError, "matmul(): argument 'other' (position 2) must be Tensor, not int"),
    (
        "th.where(1, a, a)",
        TypeError,
        """where(): no form accepts (int, Tensor, Tensor); the forms are:
  where(Tensor condition, Tensor or number input, Tensor or number other, *, Tensor out=None)
      argument 'condition' must be Tensor, not int
  where(Tensor condition)
      too many arguments: expected at most 1, got 3""",
    ),
    (
        "a.index_select(0, [1])",
        TypeError,
        "index_select(): argument 'index' (position 2) must be Tensor, not list",
    ),
    ("a.copy_(1)", TypeError, "copy_(): argument 'src' (position 1) must be Tensor, not int"),
    (
        "th.cat(a)",
        TypeError,
        "cat(): argument 'tensors' (position 1) must be sequence of Tensors, not Tensor",
    ),
    (
        "th.cat([a, 1])",
        TypeError,
        "cat(): argument 'tensors' (position 1) must be sequence of Tensors, but item 1 is int",
    ),
    ("th.sum(a, dtype='x')", TypeError, "sum(): argument 'dtype' must be dtype, not str"),
    (
        "a.to('x')",
        TypeError,
        "to(): no form accepts (str); the forms are:\n"
        "  to(dtype dtype, *, bool copy=False)\n"
        "      argument 'dtype' must be dtype, not str\n"
        "  to(Tensor other, *, bool copy=False)\n"
        "      argument 'other' must be Tensor, not str",
    ),
    (
        "th.randn(2, generator=1)",
        TypeError,
        "randn(): argument 'generator' must be Generator, not int",
    ),
    (
        "a.normal_(0, 'x')",
        TypeError,
        "normal_(): argument 'std' (position 2) must be float, not str",
    ),
    (
        "th.full((2,), 'x')",
        TypeError,
        "full(): argument 'fill_value' (position 2) must be number, not str",
    ),
    ("th.manual_seed('x')", TypeError, "manual_seed(): argument 'seed' must be int, not str"),
    ("a + 'x'", TypeError, "unsupported operand type(s) for +: 'thwrap.Tensor' and 'str'"),
    (
        "a < None",
        TypeError,
        "'<' not supported between instances of 'thwrap.Tensor' and 'NoneType'",
    ),
    ("th.tensor('x')", TypeError, "tensor: elements are numbers, not str"),
    ("th.tensor([1, None])", TypeError, "tensor: elements are numbers, not None"),
    (
        "th.promote_types(th.int8, 2)",
        TypeError,
        "promote_types(): argument 'type2' (position 2) must be dtype, not int",
    ),
    ("th.from_numpy(1)", TypeError, "from_numpy: expected numpy.ndarray, got int"),
    (
        "th.set_default_dtype('f4')",
        TypeError,
        "set_default_dtype(): argument 'dtype' must be dtype, not str",
    ),
    (
        "a.as_subclass(list)",
        TypeError,
        "as_subclass(): argument 'cls' must be a subclass of thwrap.Tensor, not <class 'list'>",
    ),
    (
        "th.Generator().set_state([1])",
        TypeError,
        "set_state(): argument 'state' must be Tensor, not list",
    ),
    (
        "th.Generator().set_state(a)",
        TypeError,
        "set_state(): expected a state of dtype uint8, got float32",
    ),
    (
        "a.__dlpack__(stream=1)",
        BufferError,
        "__dlpack__(): expected no stream, which the CPU has none of, got 1",
    ),
    (
        "a.__dlpack__(dl_device=(2, 0))",
        BufferError,
        "__dlpack__(): expected dl_device (1, 0), the CPU, got (2, 0)",
    ),
    ("th.Tensor(2, 'x')", TypeError, "use thwrap.tensor(...) to make a tensor"),
    ("a.nothing", AttributeError, "'thwrap.Tensor' object has no attribute 'nothing'"),
    ("th.nothing", AttributeError, "module 'thwrap' has no attribute 'nothing'"),
]

OUT: list[Case] = [
    ("th.add(a, a, out=1)", TypeError, "add(): argument 'out' must be Tensor, not int"),
    ("th.add(a, a, out=(a,))", TypeError, "add(): argument 'out' must be Tensor, not tuple"),
    (
        "th.sort(a, out=a)",
        TypeError,
        "sort(): argument 'out' must be tuple of 2 Tensors, not Tensor",
    ),
    (
        "th.add(a, a, out=i)",
        TypeError,
        "add: result of dtype float32 cannot be cast to the out tensor's int64",
    ),
    (
        "th.ones(2, out=th.zeros(5))",
        UserWarning,
        "ones: out of shape (5,) is resized to (2,); pass an empty tensor or one of the result's shape",
    ),
    ("th.sort(i, out=(i, i))", RuntimeError, "sort: out tensors share memory"),
    ("th.max(a, 0, out=(a[0], a[1]))", RuntimeError, "max: out tensors share memory"),
    (
        "th.add(a[0], 1, out=a.view(6)[1:4])",
        RuntimeError,
        "add: out tensor overlaps an input partly",
    ),
    (
        "th.add(a, a, out=th.ones(1, 3).expand(2, 3))",
        RuntimeError,
        "add: out tensor overlaps itself (expanded); clone() it first",
    ),
]

OVERLOADS: list[Case] = [
    (
        "th.max(a, 0, 1, 2)",
        TypeError,
        """max(): no form accepts (Tensor, int, int, int); the forms are:
  max(Tensor input, int dim, bool keepdim=False, *, tuple of Tensors out=None)
      too many arguments: expected at most 3, got 4
  max(Tensor input, Tensor or number other, *, Tensor out=None)
      too many arguments: expected at most 2, got 4
  max(Tensor input, *, Tensor out=None)
      too many arguments: expected at most 1, got 4""",
    ),
    (
        "a.max('x')",
        TypeError,
        """max(): no form accepts (str); the forms are:
  max(int dim, bool keepdim=False, *, tuple of Tensors out=None)
      argument 'dim' must be int, not str
  max(Tensor or number other, *, Tensor out=None)
      argument 'other' must be Tensor or number, not str
  max(*, Tensor out=None)
      too many arguments: expected at most 0, got 1""",
    ),
    (
        "a.std(dim=0, corection=2)",
        TypeError,
        """std(): no form accepts (dim=int, corection=int); the forms are:
  std(int or tuple of ints dim=None, *, float correction=1, bool keepdim=False, Tensor out=None)
      got an unexpected keyword argument 'corection'; did you mean 'correction'?
  std(int or tuple of ints dim, bool unbiased, bool keepdim=False, *, Tensor out=None)
      got an unexpected keyword argument 'corection'
  std(bool unbiased, *, Tensor out=None)
      got an unexpected keyword argument 'dim'""",
    ),
    (
        "th.max(a, 0, out=(a,))",
        TypeError,
        """max(): no form accepts (Tensor, int, out=tuple); the forms are:
  max(Tensor input, int dim, bool keepdim=False, *, tuple of Tensors out=None)
      argument 'out' must be tuple of 2 Tensors, not tuple
  max(Tensor input, Tensor or number other, *, Tensor out=None)
      argument 'out' must be Tensor, not tuple
  max(Tensor input, *, Tensor out=None)
      too many arguments: expected at most 1, got 2""",
    ),
    (
        "th.arange()",
        TypeError,
        """arange(): no form accepts (); the forms are:
  arange(Number start, Number end, Number step=1, *, dtype dtype=None, Tensor out=None)
      missing required argument 'start' (position 1)
  arange(Number end, *, dtype dtype=None, Tensor out=None)
      missing required argument 'end' (position 1)""",
    ),
    (
        "a.set_(1)",
        TypeError,
        """set_(): no form accepts (int); the forms are:
  set_(Storage storage, int storage_offset, tuple of ints size, tuple of ints stride=None)
      missing required argument 'storage_offset' (position 2)
  set_(Tensor source)
      argument 'source' must be Tensor, not int
  set_(Storage storage)
      argument 'storage' must be Storage, not int
  set_()
      too many arguments: expected at most 0, got 1""",
    ),
]

# Numbers: bool is no int, ints fit 64 bits, NaN is no size

NUMBERS: list[Case] = [
    (
        "a.narrow(True, 0, 1)",
        TypeError,
        "narrow(): argument 'dim' (position 1) must be int, not bool",
    ),
    (
        "a.sum(dim=True)",
        TypeError,
        "sum(): argument 'dim' (position 1) must be int or tuple of ints, not bool",
    ),
    ("a.sum(keepdim=1)", TypeError, "sum(): argument 'keepdim' (position 2) must be bool, not int"),
    (
        "th.zeros(True)",
        TypeError,
        "zeros(): argument 'size' (position 1) must be int or tuple of ints, not bool",
    ),
    (
        "a.narrow(0, 1.5, 1)",
        TypeError,
        "narrow(): argument 'start' (position 2) must be int, not float",
    ),
    (
        "th.zeros(float('nan'))",
        TypeError,
        "zeros(): argument 'size' (position 1) must be int or tuple of ints, not float",
    ),
    (
        "th.full((2, float('nan')), 1)",
        TypeError,
        "full(): argument 'size' (position 1) must be int or tuple of ints, but item 1 is float",
    ),
    ("th.arange(float('nan'))", ValueError, "arange: unsupported range: 0 -> nan"),
    (
        "a.narrow(0, 10**30, 1)",
        ValueError,
        "narrow(): argument 'start' (position 2) does not fit 64 bits",
    ),
    (
        "a.sum(dim=[0, 10**30])",
        ValueError,
        "sum(): argument 'dim' (position 1) does not fit 64 bits",
    ),
    ("th.zeros(2**100)", ValueError, "zeros(): argument 'size' (position 1) does not fit 64 bits"),
    ("th.tensor(2**70)", ValueError, "tensor: 1180591620717411303424 does not fit 64 bits"),
    ("a.__setitem__(0, 2**70)", ValueError, "__setitem__: the number does not fit 64 bits"),
    ("th.Storage(3)[2**70]", IndexError, "an index does not fit 64 bits"),
    (
        "th.set_num_threads(2**70)",
        ValueError,
        "set_num_threads(): argument 'number' does not fit 64 bits",
    ),
    ("th.finfo([])", TypeError, "finfo: expected a floating-point dtype, got []; use iinfo"),
    (
        "th.from_file(b'name', size=1)",
        TypeError,
        "from_file(): argument 'filename' (position 1) must be str, not bytes",
    ),
    ("th.manual_seed(1.5)", TypeError, "manual_seed(): argument 'seed' must be int, not float"),
    (
        "a.sort(out=[th.empty(0), th.empty(0)])",
        TypeError,
        "sort(): argument 'out' must be tuple of 2 Tensors, not list",
    ),
    (
        "th.zeros(3).permute(-2)",
        IndexError,
        "permute: expected dims between -1 and 0 for shape (3,), got -2",
    ),
    ("th.zeros(2**62)", ValueError, "zeros: shape (4611686018427387904,) has too many elements"),
    (
        "th.zeros(2**62, 2**62)",
        ValueError,
        "zeros: shape (4611686018427387904, 4611686018427387904) has too many elements",
    ),
    ("th.zeros(2, -3)", ValueError, "zeros: size -3 of dim 1 is negative"),
    ("a.resize_(-2)", ValueError, "resize_: size -2 of dim 0 is negative"),
    (
        "th.zeros([1] * 65)",
        ValueError,
        "zeros(): argument 'size' (position 1) has more than 64 items, the most dims there can be",
    ),
    (
        "a.view(*[1] * 65)",
        ValueError,
        "view(): argument 'size' (position 1) has more than 64 items, the most dims there can be",
    ),
    (
        "a.clone().resize_(10**18)",
        MemoryError,
        "resize_: cannot allocate 4000000000000000000 bytes",
    ),
    (
        "th.set_num_threads(0)",
        ValueError,
        "set_num_threads: expected a number from 1 to 1024, got 0",
    ),
    (
        "th.set_num_threads(10**10)",
        ValueError,
        "set_num_threads: expected a number from 1 to 1024, got 10000000000",
    ),
    ("th.set_cache_limit(-1)", ValueError, "set_cache_limit: expected a number >= 0, got -1"),
    (
        "a.item()",
        ValueError,
        "only a tensor with one element becomes a Python number, this one has 6",
    ),
    ("bool(a)", ValueError, "the truth value of a tensor with 6 elements is ambiguous"),
    ("len(a.sum())", TypeError, "a 0-d tensor has no len()"),
]
