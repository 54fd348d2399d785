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

#if defined(TH_REAL_IS_HALF)
/* A row of neighbours in blocks of floats, between which loops for their dtypes convert. */
static void THTensor_(outerBlocks)(const THOuterRow *row, scalar_t factor, scalar_t beta)
{
    const THLoop widen = THCast_loop(TH_FLOAT, TH_HALF), narrow = THCast_loop(TH_HALF, TH_FLOAT);
    scalar_t terms[STAGED], sums[STAGED];
    for (int64_t j = 0; j < row->n; j += STAGED) {
        const int64_t count = THSize_min(row->n - j, STAGED);
        widen(count, (void *const[]){terms, (storage_t *)row->right + j}, NULL);
        for (int64_t i = 0; i < count; i++)
            terms[i] *= factor;
        if (row->self != NULL) {
            widen(count, (void *const[]){sums, (storage_t *)row->self + j}, NULL);
            for (int64_t i = 0; i < count; i++)
                terms[i] = beta * sums[i] + terms[i];
        }
        narrow(count, (void *const[]){(storage_t *)row->result + j, terms}, NULL);
    }
}
#endif

/* One row of the result; what is NULL is not read. */
static void THTensor_(outerRow)(const THOuterRow *row, scalar_t factor, scalar_t beta)
{
#if defined(TH_REAL_IS_HALF)
    if (row->right != NULL && row->n >= SHORT && row->stride == 1 &&
        (row->self == NULL || row->selfStride == 1)) {
        THTensor_(outerBlocks)(row, factor, beta);
        return;
    }
#endif
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
    const THTensor *result, *self, *left, *right; /* left and right are contiguous */
    scalar_t beta, alpha;
    int rowDim; /* what its lines run along is the other dim */
} THTensor_(Outer);

/* `count` elements from `first` of the lines, which are short, or of all of them. */
static void THTensor_(outerLines)(const THTensor_(Outer) * outer, int64_t line, int64_t end,
                                  int64_t first, int64_t count)
{
    const THTensor *result = outer->result, *self = outer->self;
    const int rowDim = outer->rowDim;
    const storage_t *factors = THTensor_data(rowDim == 0 ? outer->left : outer->right);
    const storage_t *right = THTensor_data(rowDim == 0 ? outer->right : outer->left);
    THOuterRow row = {.n = count, .stride = result->stride[1 - rowDim]};
    row.right = outer->alpha == 0 ? NULL : right + first;
    row.selfStride = self ? self->stride[1 - rowDim] : 0;
    for (; line < end; line++) {
        row.result =
            (storage_t *)THTensor_data(result) + line * result->stride[rowDim] + first * row.stride;
        row.self = self ? (storage_t *)THTensor_data(self) + line * self->stride[rowDim] +
                              first * row.selfStride
                        : NULL;
        const scalar_t factor = (scalar_t)(outer->alpha * TH_LOAD(factors + line));
        THTensor_(outerRow)(&row, factor, outer->beta);
    }
}

static void THTensor_(outerRows)(int64_t begin, int64_t end, void *context)
{
    const THTensor_(Outer) *outer = context;
    const int64_t columns = outer->result->size[1], block = BLOCK / (columns + 1);
    if (outer->rowDim == 0)
        THTensor_(outerLines)(outer, begin, end, 0, columns);
    for (int64_t i = begin; i < end && outer->rowDim == 1; i += block)
        THTensor_(outerLines)(outer, 0, columns, i, THSize_min(end - i, block));
}

static int THTensor_(outer)(const char *op, THTensor_(Outer) * outer, THTensor *result,
                            THTensor *left, THTensor *right)
{
    const int64_t size[] = {left->size[0], right->size[0]};
    THTensor *lines = NULL, *contiguous = NULL;
    int status = TH_OK;
    if (result != outer->self)
        TH_TRY(THTensor_resizeOutput(op, result, 2, size));
    TH_TRY(THTensor_newContiguous(&lines, left));
    TH_TRY(THTensor_newContiguous(&contiguous, right));
    outer->result = result;
    outer->left = lines;
    outer->right = contiguous;
    outer->rowDim = size[1] < SHORT && size[1] < size[0];
    TH_parallel_for(size[0], GRAIN / (size[1] + 1) + 1, THTensor_(outerRows), outer);
done:
    THTensor_free(lines);
    THTensor_free(contiguous);
    return status;
}

int THTensor_(ger)(THTensor *result, THTensor *self, THTensor *vec2)
{
    THTensor_(Outer) outer = {.alpha = 1};
    const int status = checkVectors("ger", "self", self, vec2);
    return status ? status : THTensor_(outer)("ger", &outer, result, self, vec2);
}

int THTensor_(addr)(THTensor *result, THTensor *self, THTensor *vec1, THTensor *vec2, scalar_t beta,
                    scalar_t alpha)
{
    THTensor_(Outer) outer = {.beta = beta, .alpha = alpha};
    int status = checkVectors("addr", "vec1", vec1, vec2);
    if (status)
        return status;
    const int64_t size[] = {vec1->size[0], vec2->size[0]};
    TH_CHECK(THTensor_isSize(self, 2, size), TH_ERROR_VALUE,
             "addr: expected self of shape %s, got %s", THSize_desc(2, size).str,
             THTensor_sizeDesc(self).str);
    outer.self = beta == 0 ? NULL : self;
    return THTensor_(outer)("addr", &outer, result, vec1, vec2);
}
