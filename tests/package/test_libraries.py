"""Functions of existing libraries: every form of `call:`, failures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

import thwrap as th
import wrapgen

HEADER = """\
#include <stdint.h>
#define OWN_TWICE 2
double own_mean(const double *x, int64_t stride, unsigned int n);
float own_meanf(const float *x, int64_t stride, unsigned int n);
int own_smallest(const double *x, int n, double *smallest);
double own_sorted_middle(double *x, int n, double *work);
int own_reversed(double *x, int n, int positive);
double own_scaled(double x, int factor, double y);
const char *own_error(int status);
double own_setting(void);
void own_prepare(void);
int own_extent(const double *x, int64_t n, double *mean, double *ends, int64_t *used);
int64_t own_positive(const double *x, int64_t n, double *kept);
double own_split(double x, double *rest);
typedef struct own_sum {
    double total;
    int64_t count, limit;
} own_sum;
extern int own_open;
int own_begin(own_sum *sum, int64_t limit);
int own_add(own_sum *sum, const double *x, int64_t n);
int own_end(own_sum *sum);
own_sum *own_new(int64_t limit);
void own_delete(own_sum *sum);
int own_still_open(void);
"""
SOURCE = """\
#include "own.h"
#include <stdlib.h>
#include <string.h>
static double setting;
double own_mean(const double *x, int64_t stride, unsigned int n)
{
    double sum = 0;
    for (unsigned int i = 0; i < n; i++)
        sum += x[i * stride];
    return sum / n;
}
float own_meanf(const float *x, int64_t stride, unsigned int n)
{
    double sum = 0;
    for (unsigned int i = 0; i < n; i++)
        sum += x[i * stride];
    return (float)(sum / n);
}
int own_smallest(const double *x, int n, double *smallest)
{
    if (n == 0)
        return 7;
    *smallest = x[0];
    for (int i = 1; i < n; i++)
        *smallest = x[i] < *smallest ? x[i] : *smallest;
    return *smallest < 0 ? -3 : 0;
}
double own_sorted_middle(double *x, int n, double *work)
{
    memcpy(work, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        for (int k = i; k > 0 && work[k] < work[k - 1]; k--) {
            const double other = work[k];
            work[k] = work[k - 1];
            work[k - 1] = other;
        }
    for (int i = 0; i < n; i++)
        x[i] = -1;
    return work[n / 2];
}
int own_reversed(double *x, int n, int positive)
{
    for (int i = 0; i < n / 2; i++) {
        const double other = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = other;
    }
    return n > 0 && x[0] < 0 ? (positive ? 5 : -5) : positive ? 0 : 2;
}
double own_scaled(double x, int factor, double y) { return x * factor + y; }
const char *own_error(int status) { return status == 7 ? "there is nothing" : "it is negative"; }
double own_setting(void) { return setting; }
void own_prepare(void) { setting = 42; }
int own_extent(const double *x, int64_t n, double *mean, double *ends, int64_t *used)
{
    *mean = own_mean(x, 1, (unsigned int)n);
    ends[0] = ends[1] = x[0];
    for (int64_t i = 1; i < n; i++) {
        ends[0] = x[i] < ends[0] ? x[i] : ends[0];
        ends[1] = x[i] > ends[1] ? x[i] : ends[1];
    }
    *used = n;
    return *mean < 0 ? -3 : 0;
}
int64_t own_positive(const double *x, int64_t n, double *kept)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (x[i] > 0)
            kept[count++] = x[i];
    return n > 0 && x[0] == 99 ? -9 : n > 0 && x[0] == 98 ? n + 1 : count;
}
double own_split(double x, double *rest)
{
    *rest = x - (int64_t)x;
    return (double)(int64_t)x;
}
int own_open;
int own_begin(own_sum *sum, int64_t limit)
{
    sum->limit = limit;
    own_open += limit >= 0;
    return limit < 0 ? -3 : 0;
}
int own_add(own_sum *sum, const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++, sum->count++)
        sum->total += x[i];
    return sum->count > sum->limit ? 7 : 0;
}
int own_end(own_sum *sum)
{
    own_open--;
    return (int)sum->count;
}
own_sum *own_new(int64_t limit)
{
    own_sum *made = limit < 0 ? NULL : calloc(1, sizeof *made);
    return made != NULL && own_begin(made, limit) == 0 ? made : NULL;
}
void own_delete(own_sum *sum)
{
    own_end(sum);
    free(sum);
}
int own_still_open(void) { return own_open; }
"""
DECLARATIONS = """\
- sources: [own.c]
- library: own
  headers: [own.h]
  include_dirs: [.]
  setup: |
    own_prepare();
  message: own_error(status)

- name: mean
  library: own
  arguments: [{arg: THTensor* self, assert_ndim: 1}]
  cname: {Float: own_meanf, Double: own_mean}
  call: (data(self), stride(self, 0), uint(size(self, 0)))
  return: double

- name: mean_of_all
  library: own
  types: [Double]
  arguments: [THTensor* self]
  call: own_mean(data(self), 1, uint(count(self)))
  return: double

- name: smallest
  library: own
  types: [Double]
  arguments: [THTensor* self]
  call: own_smallest(data(self), int(count(self)), &result)
  fails: nonzero
  return: double

- name: middle
  library: own
  types: [Double]
  arguments: [THTensor* self]
  call: own_sorted_middle(copy(self), int(count(self)), work(double, 2 * count(self)))
  return: double

- name: rows
  library: own
  types: [Double]
  arguments: [THTensor* self, long extra]
  call: own_mean(data(self), (int64_t)0 * ndim(self) + 1, uint(size(self, 1) + extra - extra))
  return: double

- name: check_all
  library: own
  arguments: [THTensor* self, bool positive]
  types: [Double]
  call: own_reversed(copy(self), int(nbytes(self) / 8), positive)
  fails: negative
  message: "100% wrong \\"way\\""
  return: void

- name: backwards
  library: own
  types: [Double]
  arguments: [THTensor* self, {arg: bool positive, default: true}]
  core: "(n)->(n)"
  call: own_reversed(data(result = self), int(n), positive)
  fails: nonzero

- name: backwards_unless
  library: own
  types: [Double]
  arguments: [THTensor* self, {arg: bool positive, default: false}]
  core: "(n)->(n)"
  call: own_reversed(data(result = self), int(count(self) + 0 * nbytes(self)), positive)
  fails: negative
  message: it begins with a negative number

- name: middles
  library: own
  types: [Double]
  arguments: [THTensor* self]
  core: "(n)->(n)"
  call: own_sorted_middle(copy(self), int(n), data(result))

- name: too_large
  library: own
  types: [Double]
  arguments: [THTensor* self]
  core: "(n)->()"
  call: own_smallest(data(self), int(4000000000 * n), data(result))

- name: scaled
  library: own
  arguments: [THTensor* self, long factor, THTensor* other]
  call: own_scaled(self, factor, other)

- name: twice
  library: own
  types: [floating_point]
  promote: float
  arguments: [THTensor* self]
  kernel: "own_scaled(self, OWN_TWICE, 0) + own_setting() - exp(log(42.0))"

- name: own_body
  library: own
  types: [Double]
  arguments: [THTensor* self]
  core: "(n)->()"
  body: "*result = own_mean(self, 1, (unsigned int)n);"

- name: extent
  library: own
  types: [Double]
  arguments:
    - {arg: THTensor* mean, output: true}
    - {arg: THTensor* ends, output: true, shape: [2]}
    - {arg: THIndexTensor* used, output: true}
    - THTensor* self
  call: own_extent(data(self), count(self), data(mean), data(ends), data(used))
  fails: nonzero

- name: positive
  library: own
  types: [Double]
  arguments: [{arg: THTensor* result, output: true, shape: self, filled: status}, THTensor* self]
  call: own_positive(data(self), count(self), data(result))
  fails: negative

- name: turned_about
  library: own
  types: [Double]
  arguments: [{arg: THTensor* result, output: true, shape: self}, THTensor* self]
  call: own_reversed(data(result = self), int(count(result)), true)

- name: split
  library: own
  types: [Double]
  arguments:
    - {arg: THTensor* whole, output: true}
    - {arg: THTensor* rest, output: true}
    - THTensor* self
  core: "()->(),()"
  call: whole = own_split(*data(self), data(rest))

- name: split_one
  library: own
  arguments:
    - {arg: THTensor* whole, output: true, dtype: Long}
    - {arg: THTensor* rest, output: true, dtype: Double}
    - double x
  call: whole = own_split(x, data(rest))

- name: extents
  library: own
  types: [Double]
  arguments:
    - {arg: THTensor* mean, output: true}
    - {arg: THTensor* ends, output: true}
    - {arg: THIndexTensor* used, output: true}
    - THTensor* self
  core: "(n)->(),(2),()"
  call: own_extent(data(self), n, data(mean), data(ends), data(used))
  fails: status < 0 || status > 5

- name: fills
  library: own
  types: [Double]
  arguments: [THTensor* self, long limit]
  locals:
    sum: {type: own_sum *, value: own_new(limit), close: own_delete(sum)}
  call: own_add(sum, data(self), count(self))
  fails: nonzero
  return: void

- name: rows_fill
  library: own
  types: [Double]
  arguments: [{arg: THTensor* result, output: true}, THTensor* self, long limit]
  core: "(n)->(n)"
  locals:
    sum: {type: own_sum, open: "own_begin(&sum, limit)", close: own_end(&sum)}
  call: own_add(&sum, data(result = self), n)
  fails: nonzero

- name: still_open
  library: own
  return: long
  call: own_still_open()
"""


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WRAPGEN_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("with space")
    for name, text in (("own.h", HEADER), ("own.c", SOURCE), ("own.yaml", DECLARATIONS)):
        (folder / name).write_text(text)
    return wrapgen.load(folder / "own.yaml")


X = np.random.default_rng(0).random((4, 6)) + 0.5


def test_a_function_for_each_dtype(own: ModuleType) -> None:
    """Strides are the tensor's own."""
    for dtype in ("float32", "float64"):
        x = th.from_numpy(X.astype(dtype))[:, 2]
        assert own.mean(x) == pytest.approx(X[:, 2].mean(), rel=1e-6)
    with pytest.raises(TypeError, match="mean: expected float32 or float64, got int64"):
        own.mean(th.arange(3))


def test_whole_tensors(own: ModuleType) -> None:
    """Elements in order, of any layout; what the function may overwrite is a copy."""
    x = th.from_numpy(X.copy())
    assert own.mean_of_all(x.t()) == pytest.approx(X.mean())
    assert own.middle(x) == np.sort(X, axis=None)[X.size // 2]
    assert own.middle(x.t()) == own.middle(x)
    assert x.tolist() == X.tolist()
    assert own.rows(x, 3) == pytest.approx(X[0].mean())


def test_a_dim_that_is_not_there(own: ModuleType) -> None:
    message = "rows: expected self to have at least 2 dims, got shape (3,)"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        own.rows(th.ones(3, dtype=th.float64), 0)


def test_numbers_have_to_fit(own: ModuleType) -> None:
    message = "expected size(self, 1) + extra - extra to fit a C unsigned int, got 4294967296"
    with pytest.raises(ValueError, match=f"^rows: {re.escape(message)}$"):
        own.rows(th.empty(0, 1 << 32, dtype=th.float64), 0)
    with pytest.raises(ValueError, match="too_large: a size is too large for the function"):
        own.too_large(th.ones(1, dtype=th.float64))


def test_failures(own: ModuleType) -> None:
    x = th.from_numpy(X)
    assert own.smallest(x) == X.min()
    for values, message in (
        ([], "there is nothing (code 7)"),
        ([-1.0], "it is negative (code -3)"),
    ):
        with pytest.raises(RuntimeError) as caught:
            own.smallest(th.tensor(values, dtype=th.float64))
        assert str(caught.value) == f"smallest: {message}"
    assert own.check_all(x, False) is None
    assert own.check_all(-x, True) is None
    with pytest.raises(RuntimeError) as caught:
        own.check_all(-x, False)
    assert str(caught.value) == 'check_all: 100% wrong "way" (code -5)'


def test_items_of_a_batch(own: ModuleType) -> None:
    x = th.from_numpy(X)
    assert own.backwards(x).tolist() == X[:, ::-1].tolist()
    assert own.backwards(x.t()).tolist() == X.T[:, ::-1].tolist()
    assert own.backwards_unless(x).tolist() == X[:, ::-1].tolist()
    middle = np.sort(X, axis=1)
    assert own.middles(x).tolist() == middle.tolist()
    assert own.own_body(x).tolist() == pytest.approx(X.mean(axis=1).tolist())
    bad = X.copy()
    bad[2, -1] = -1
    with pytest.raises(RuntimeError) as caught:
        own.backwards(th.from_numpy(bad))
    assert str(caught.value) == "backwards: it is negative (code 5) at batch index (2,)"
    with pytest.raises(RuntimeError) as caught:
        own.backwards_unless(th.from_numpy(bad[2]))
    expected = "backwards_unless: it begins with a negative number (code -5)"
    assert str(caught.value) == expected


def test_elements(own: ModuleType) -> None:
    """Broadcast and promoted; a number of C's int is converted as C does; constants and own functions too."""
    x, y = th.tensor([[1], [2]]), th.tensor([0.5, 1.5], dtype=th.float16)
    assert own.scaled(x, 3, y).tolist() == [[3.5, 4.5], [6.5, 7.5]]
    assert own.scaled(x, 3, y).dtype == th.float16
    assert own.scaled(x, 3, 1).dtype == th.float32
    assert own.twice(th.tensor([1, 2])).tolist() == pytest.approx([2, 4], abs=1e-5)
    assert math.isnan(own.scaled(th.tensor(math.nan), 1, 0).item())


def test_results_that_are_tensors(own: ModuleType) -> None:
    """Of declared shapes; several numbers are results without dims."""
    x = th.from_numpy(X)
    mean, ends, used = result = own.extent(x)
    assert (mean.item(), ends.tolist()) == (pytest.approx(X.mean()), [X.min(), X.max()])
    assert (used.item(), used.dtype) == (X.size, th.int64)
    assert type(result) is own.return_types.extent
    assert own.turned_about(x.t()).tolist() == X.T.ravel()[::-1].reshape(X.T.shape).tolist()
    whole, rest = own.split_one(2.75)
    assert (whole.tolist(), whole.dtype, rest.tolist()) == (2, th.int64, 0.75)


def test_as_many_as_the_function_says(own: ModuleType) -> None:
    x = th.tensor([1.0, -2, 3], dtype=th.float64)
    assert own.positive(x).tolist() == [1, 3]
    assert own.positive(-x).tolist() == [2]
    assert own.positive(x[:0]).tolist() == []
    out = th.full((2, 4), 7, dtype=th.float64)
    assert own.positive(x, out=out[:, 0]) is not None
    assert out.tolist() == [[1, 7, 7, 7], [3, 7, 7, 7]]
    array = np.full(3, 7.0)
    message = "positive: expected an out array of shape (2,), got (3,)"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        own.positive(x, out=array)
    assert array.tolist() == [7, 7, 7]
    with pytest.raises(RuntimeError) as caught:
        own.positive(x + 97, out=out)
    assert str(caught.value) == (
        "positive: the function says that it stored 4 elements of result, got room for 3"
    )
    with pytest.raises(RuntimeError, match=r"^positive: it is negative \(code -9\)$"):
        own.positive(x + 98, out=out)
    assert out.tolist() == [[1, 7, 7, 7], [3, 7, 7, 7]]


def test_what_fails_writes_no_result(own: ModuleType) -> None:
    """Neither whole tensors, nor where one of several results cannot be written."""
    x = th.from_numpy(X)
    out = (
        th.zeros((), dtype=th.float64),
        th.zeros(2, dtype=th.float64),
        th.zeros((), dtype=th.long),
    )
    with pytest.raises(RuntimeError, match=r"^extent: it is negative \(code -3\)$"):
        own.extent(-x, out=out)
    wrong = (out[0], out[1], np.zeros(3, "i8"))
    with pytest.raises(
        ValueError, match=r"^extent: expected an out array of shape \(\), got \(3,\)$"
    ):
        own.extent(x, out=wrong)
    assert [t.sum().item() for t in out] == [0, 0, 0]
    assert own.extent(x, out=out) is out
    assert out[2].item() == X.size


def test_items_with_several_results(own: ModuleType) -> None:
    x = th.from_numpy(X)
    mean, ends, used = own.extents(x)
    assert mean.tolist() == pytest.approx(X.mean(1).tolist())
    assert ends.tolist() == np.stack([X.min(1), X.max(1)], 1).tolist()
    assert used.tolist() == [X.shape[1]] * len(X)
    with pytest.raises(
        RuntimeError, match=r"^extents: it is negative \(code -3\) at batch index \(0,\)$"
    ):
        own.extents(-x)
    whole, rest = own.split(x * 3)
    assert whole.tolist() == np.trunc(X * 3).tolist()
    assert rest.tolist() == (X * 3 - np.trunc(X * 3)).tolist()


def test_what_is_opened_is_closed(own: ModuleType) -> None:
    """Also where the call fails; not where it could not be opened."""
    x = th.from_numpy(X)
    assert own.fills(x, X.size) is None
    with pytest.raises(RuntimeError, match=r"^fills: there is nothing \(code 7\)$"):
        own.fills(x, 3)
    with pytest.raises(RuntimeError, match=r"^fills: the library made no sum$"):
        own.fills(x, -1)
    assert own.rows_fill(x, 6).tolist() == X.tolist()
    with pytest.raises(
        RuntimeError, match=r"^rows_fill: there is nothing \(code 7\) at batch index \(0,\)$"
    ):
        own.rows_fill(x, 5)
    with pytest.raises(
        RuntimeError, match=r"^rows_fill: it is negative \(code -3\) at batch index \(0,\)$"
    ):
        own.rows_fill(x, -1)
    assert own.still_open() == 0


def test_explained_calls_call_nothing(own: ModuleType) -> None:
    x = th.tensor([99.0], dtype=th.float64)
    assert "positive" in str(th.explain(own.positive, x))
