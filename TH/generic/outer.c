/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outer products for each dtype, bool among them: one multiplication for each element, so nothing
 * is summed, and zeros keep their sign; included by TH/ops/THOuter.c. */
#ifndef TH_GENERIC_FILE
#error "compile TH/ops/THOuter.c instead"
#endif

/* beta * self + factor * right; steps are constants where rows are one run, so that compilers
 * vectorise them. */
static inline __attribute__((always_inline)) void THTensor_(outerSum)(const THOuterRow *row,
                                                                      scalar_t factor,
                                                                      scalar_t beta, int64_t stride,
                                                                      int64_t selfStride)
{
    storage_t *const result = row->result;
    const storage_t *const self = row->self, *const right = row->right;
    const int64_t n = row->n;
    for (int64_t j = 0; j < n; j++) {
        const scalar_t term = right ? (scalar_t)(factor * TH_LOAD(right + j)) : (scalar_t)0;
        TH_STORE(result + j * stride, (scalar_t)(beta * TH_LOAD(self + j * selfStride)) + term);
    }
}

/* factor * right */
static inline __attribute__((always_inline)) void
THTensor_(outerTerm)(const THOuterRow *row, scalar_t factor, int64_t stride)
{
    storage_t *const result = row->result;
    const storage_t *const right = row->right;
    const int64_t n = row->n;
    for (int64_t j = 0; j < n; j++)
        TH_STORE(result + j * stride, (scalar_t)(factor * TH_LOAD(right + j)));
}

/* One row of the result; what is NULL is not read. */
static void THTensor_(outerRow)(const THOuterRow *row, scalar_t factor, scalar_t beta)
{
    if (row->self != NULL && row->stride == 1 && row->selfStride == 1)
        THTensor_(outerSum)(row, factor, beta, 1, 1);
    else if (row->self != NULL)
        THTensor_(outerSum)(row, factor, beta, row->stride, row->selfStride);
    else if (row->right == NULL)
        for (int64_t j = 0; j < row->n; j++)
            TH_STORE((storage_t *)row->result + j * row->stride, (scalar_t)0);
    else if (row->stride == 1)
        THTensor_(outerTerm)(row, factor, 1);
    else
        THTensor_(outerTerm)(row, factor, row->stride);
}

typedef struct THTensor_(Outer) {
    const THTensor *result, *self, *left, *right; /* right is contiguous */
    scalar_t beta, alpha;
} THTensor_(Outer);

static void THTensor_(outerRows)(int64_t begin, int64_t end, void *context)
{
    const THTensor_(Outer) *outer = context;
    const THTensor *result = outer->result, *self = outer->self;
    const storage_t *left = THTensor_data(outer->left);
    THOuterRow row = {.n = result->size[1], .stride = result->stride[1]};
    row.right = outer->alpha == 0 ? NULL : THTensor_data(outer->right);
    row.selfStride = self ? self->stride[1] : 0;
    for (int64_t i = begin; i < end; i++) {
        row.result = (storage_t *)THTensor_data(result) + i * result->stride[0];
        row.self = self ? (storage_t *)THTensor_data(self) + i * self->stride[0] : NULL;
        const scalar_t factor =
            (scalar_t)(outer->alpha * TH_LOAD(left + i * outer->left->stride[0]));
        THTensor_(outerRow)(&row, factor, outer->beta);
    }
}

static int THTensor_(outer)(const char *op, THTensor_(Outer) * outer, THTensor *result,
                            THTensor *right)
{
    const int64_t size[] = {outer->left->size[0], right->size[0]};
    THTensor *contiguous = NULL;
    int status = TH_OK;
    if (result != outer->self)
        TH_TRY(THTensor_resizeOutput(op, result, 2, size));
    TH_TRY(THTensor_newContiguous(&contiguous, right));
    outer->result = result;
    outer->right = contiguous;
    TH_parallel_for(size[0], GRAIN / (size[1] + 1) + 1, THTensor_(outerRows), outer);
done:
    THTensor_free(contiguous);
    return status;
}

int THTensor_(ger)(THTensor *result, THTensor *self, THTensor *vec2)
{
    THTensor_(Outer) outer = {.left = self, .alpha = 1};
    const int status = checkVectors("ger", "self", self, vec2);
    return status ? status : THTensor_(outer)("ger", &outer, result, vec2);
}

int THTensor_(addr)(THTensor *result, THTensor *self, THTensor *vec1, THTensor *vec2, scalar_t beta,
                    scalar_t alpha)
{
    THTensor_(Outer) outer = {.left = vec1, .beta = beta, .alpha = alpha};
    int status = checkVectors("addr", "vec1", vec1, vec2);
    if (status)
        return status;
    const int64_t size[] = {vec1->size[0], vec2->size[0]};
    TH_CHECK(THTensor_isSize(self, 2, size), TH_ERROR_VALUE,
             "addr: expected self of shape %s, got %s", THSize_desc(2, size).str,
             THTensor_sizeDesc(self).str);
    outer.self = beta == 0 ? NULL : self;
    return THTensor_(outer)("addr", &outer, result, vec2);
}
