/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of whole lines (sort, softmax, ...): every line of a tensor along one dim becomes a
 * line of each result. Lines that are not contiguous or of another dtype than the function's are
 * staged, several neighbours at a time, so that a dim of large stride is read in strips. Short
 * lines that a function takes side by side are read as rows of neighbours, of several rows if these
 * are few. */
#ifndef TH_LINES_H
#define TH_LINES_H

#include <TH/ops/THDimList.h>

/* The lines of `self` along a dim, and of the results. Results may lack the dim, then their lines
 * have one element. */
typedef struct THLines {
    THDim along;     /* sizes and strides along a line */
    THDim column;    /* from a line to its neighbour */
    THDimList outer; /* the other dims */
    int64_t rows;    /* indices of `outer` */
    const char *data;
    char *result[TH_DIM_OUTPUTS];
    THDtype dtype, resultDtype[TH_DIM_OUTPUTS];
    int nresults;
} THLines;

/* False when there are no lines or no elements in them. */
bool THLines_init(THLines *lines, THTensor *const *results, int nresults, THTensor *self,
                  int64_t dim);
/* Where column 0 of a row begins. */
const char *THLines_at(const THLines *lines, int64_t row, char *results[TH_DIM_OUTPUTS]);

struct THLineFunction;
/* Makes the lines of the results from a line of n elements. */
typedef void THLineCall(const struct THLineFunction *function, int64_t n, const void *x,
                        void *const *results, void *scratch);

/* Short lines side by side: row i has element i of each of `width` lines. Strides are in bytes. */
typedef struct THPanel {
    int64_t width, stride;
    const char *x;
    int nresults;
    THDtype dtype[TH_DIM_OUTPUTS]; /* of results */
    char *result[TH_DIM_OUTPUTS];
    int64_t resultStride[TH_DIM_OUTPUTS];
} THPanel;
typedef void THPanelCall(const struct THLineFunction *function, int64_t n, const THPanel *panel);

typedef struct THLineFunction {
    const char *op;
    THDtype from;               /* what `call` reads */
    THDtype to[TH_DIM_OUTPUTS]; /* what it writes */
    int64_t length;             /* of result lines */
    int64_t scratch;            /* bytes of memory it needs, 64-byte aligned */
    const void *params;
    THLineCall *call;
    /* Unless NULL: the same for many lines at a time. */
    THPanelCall *panel;
    int64_t panelLeast;              /* how many are worth it */
    THDtype panelTo[TH_DIM_OUTPUTS]; /* what it writes instead where results are moved afterwards */
} THLineFunction;

/* Results have their shapes already. */
int THLineFunction_run(const THLineFunction *function, THTensor *const *results, int nresults,
                       THTensor *self, int64_t dim);

#endif
