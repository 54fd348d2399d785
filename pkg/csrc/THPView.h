/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What stands in the brackets of tensor[...], as a view of the tensor (ints, slices, None,
 * Ellipsis) and a list of index tensors (integer tensors, masks, lists), one for each dim of the
 * view that is indexed so. Placement of the indexed dims is PyTorch's: ints are applied before
 * tensors. Functions that return an int return -1 with an exception. */
#ifndef THP_VIEW_H
#define THP_VIEW_H

#include "THPInternal.h"

#define THP_VIEW_ITEMS (2 * TH_MAX_DIMS)

/* One item of an index. A tensor is the key's, which outlives the items, unless it is `owned`. */
typedef struct THPViewItem {
    enum { INT, SLICE, NEW_DIM, ELLIPSIS, TRUTH, TENSOR } kind;
    int dims; /* of self that it takes */
    int64_t number;
    Py_ssize_t start, stop, step;
    THTensor *tensor;
    bool owned;
} THPViewItem;

typedef struct THPView {
    THTensor *self;
    int source; /* next dim of self */
    int n, nindices;
    int64_t offset;
    int64_t size[TH_MAX_DIMS], stride[TH_MAX_DIMS];
    THTensor *indices[TH_MAX_DIMS]; /* borrowed from the items */
} THPView;

/* The items of an index, which is a tuple or a single item; their number. Only this runs Python
 * code, so that nothing changes under the view being made. */
int THPView_parse(PyObject *key, THPViewItem *items);
void THPView_free(THPViewItem *items, int n);
/* The view of self that n items lead to; dims that none of them takes are left to the Ellipsis or
 * to the end. */
int THPView_make(THPView *view, THTensor *self, THPViewItem *items, int n);
/* Whether the view has self's dims as they are. */
bool THPView_isSelf(const THPView *view);
/* NULL with an exception. */
THTensor *THPView_tensor(const THPView *view);

/* What an int, or a tuple of ints, leads to in the first dims: how many these are, and the offset
 * there; -1 without an exception where the key is anything else, or out of bounds. */
int THPView_offset(const THTensor *self, PyObject *key, int64_t *offset);
/* The first dim's slice at an index that may be negative, as a new tensor; NULL with an exception.
 */
THTensor *THPView_row(THTensor *self, int64_t index);
/* The same of a slice object. */
THTensor *THPView_slice(THTensor *self, PyObject *slice);

#endif
