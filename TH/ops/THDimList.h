/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dims as reductions and scans walk them: sizes with byte strides of one input and two outputs. */
#ifndef TH_DIM_LIST_H
#define TH_DIM_LIST_H

#include <TH/THTensor.h>

#define TH_DIM_OUTPUTS 2

typedef struct THDim {
    int64_t size, in, out[TH_DIM_OUTPUTS];
} THDim;

/* Outermost first. */
typedef struct THDimList {
    int count;
    THDim dim[TH_MAX_DIMS];
} THDimList;

/* Dim `dim` of self, which is dim `position` of the outputs (those may be NULL; position -1: none
 * has it). */
THDim THDim_of(const THTensor *self, int dim, THTensor *const *outputs, int noutputs, int position);

/* Whether elements lie nearer to each other along `inner` in the input: an expanded dim, which has
 * the same ones again and again, is the outermost. */
static inline bool THDim_isWithin(const THDim *inner, const THDim *outer)
{
    return (uint64_t)inner->in - 1 < (uint64_t)outer->in - 1;
}
/* The outermost in this sense first. */
void THDimList_sort(THDimList *dims);
/* Makes one of neighbours that can be walked as one. */
void THDimList_merge(THDimList *dims);
/* The input offset of element `index` in row-major order, and its coordinates. */
int64_t THDimList_locate(const THDimList *dims, int64_t index, int64_t *coordinates);
/* The input offset after the innermost dim has been walked to its end. */
int64_t THDimList_nextRun(const THDimList *dims, int64_t *coordinates);
/* The offset of these coordinates in an output. */
int64_t THDimList_outOffset(const THDimList *dims, int output, const int64_t *coordinates);

#endif
