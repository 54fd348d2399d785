/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outer products for each dtype, bool among them: one multiplication for each element, so nothing
 * is summed, and zeros keep their sign; included by TH/ops/THOuter.c. Byte has Char's loops. */
#ifndef TH_GENERIC_FILE
#error "compile TH/ops/THOuter.c instead"
#endif

#if defined(TH_REAL_IS_HALF)
/* One row of the result, in blocks of floats, between which loops for their dtypes convert. */
static void THTensor_(outerRow)(const THOuterRow *row, scalar_t factor, scalar_t beta)
{
    const THLoop widen = THCast_loop(TH_FLOAT, TH_HALF), narrow = THCast_loop(TH_HALF, TH_FLOAT);
    const int64_t size = sizeof(storage_t), stride = row->stride, selfStride = row->selfStride;
    scalar_t terms[STAGED], sums[STAGED];
    storage_t room[STAGED];
    for (int64_t j = 0; j < row->n; j += STAGED) {
        const int64_t count = THSize_min(row->n - j, STAGED);
        storage_t *result = (storage_t *)row->result + j * stride, *self = room;
        if (row->right != NULL)
            widen(count, (void *const[]){terms, (storage_t *)row->right + j}, NULL);
        for (int64_t i = 0; i < count; i++)
            terms[i] = row->right != NULL ? terms[i] * factor : 0;
        if (row->self != NULL && selfStride == 1)
            self = (storage_t *)row->self + j;
        else if (row->self != NULL)
            THMove_gather(size, (char *)room, (const char *)row->self + j * selfStride * size, 1, 0,
                          count, selfStride * size);
        if (row->self != NULL) {
            widen(count, (void *const[]){sums, self}, NULL);
            for (int64_t i = 0; i < count; i++)
                terms[i] = beta * sums[i] + terms[i];
        }
        narrow(count, (void *const[]){stride == 1 ? result : room, terms}, NULL);
        if (stride != 1)
            THMove_scatter(size, (char *)result, (const char *)room, 1, 0, count, stride * size);
    }
}
#elif !defined(TH_REAL_IS_BYTE)
/* One row of the result, of any strides. */
static void THTensor_(outerAny)(const THOuterRow *row, scalar_t factor, scalar_t beta)
{
    storage_t *const result = row->result;
    const storage_t *const self = row->self, *const right = row->right;
    const int64_t n = row->n, stride = row->stride, selfStride = row->selfStride;
    for (int64_t j = 0; j < n; j++) {
        const scalar_t term = right ? (scalar_t)(factor * TH_LOAD(right + j)) : (scalar_t)0;
        TH_STORE(result + j * stride,
                 self ? (scalar_t)(beta * TH_LOAD(self + j * selfStride)) + term : term);
    }
}

/* Vectors of two are unrolled, or they wait for the count of them. */
static void THTensor_(outerRow)(const THOuterRow *row, scalar_t factor, scalar_t beta)
{
    storage_t *const result = row->result;
    const storage_t *const self = row->self, *const right = row->right;
    const int64_t n = row->n;
    if (right == NULL || row->stride != 1 || (self != NULL && row->selfStride != 1)) {
        THTensor_(outerAny)(row, factor, beta);
        return;
    }
    if (self == NULL) {
#pragma GCC unroll 4
        for (int64_t j = 0; j < n; j++)
            TH_STORE(result + j, (scalar_t)(factor * TH_LOAD(right + j)));
        return;
    }
#pragma GCC unroll 4
    for (int64_t j = 0; j < n; j++) {
        const scalar_t term = (scalar_t)(factor * TH_LOAD(right + j));
        TH_STORE(result + j, (scalar_t)(beta * TH_LOAD(self + j)) + term);
    }
}
#endif

#if !defined(TH_REAL_IS_BYTE)
/* One row in pieces, past the caches: each ends with a line of them. */
static void THTensor_(outerStreamed)(const THOuterRow *row, scalar_t factor)
{
    _Alignas(TH_LINE_BYTES) storage_t room[(TH_STREAM_BYTES + TH_LINE_BYTES) / sizeof(storage_t)];
    const THMoves *moves = THMove_moves();
    const int64_t most = TH_STREAM_BYTES / (int64_t)sizeof(storage_t);
    THOuterRow piece = *row;
    for (int64_t j = 0; j < row->n; j += piece.n) {
        storage_t *place = (storage_t *)row->result + j;
        const int64_t first = ((uintptr_t)place & (TH_LINE_BYTES - 1)) / sizeof(storage_t);
        piece.n = THSize_min(row->n - j, most - first);
        piece.result = room + first;
        piece.right = row->right ? (const storage_t *)row->right + j : NULL;
        THTensor_(outerRow)(&piece, factor, 0);
        moves->stream((char *)place, 0, piece.result, 0, 1, piece.n * (int64_t)sizeof(storage_t));
    }
}

/* The row and those below it, each with a factor. */
static void THTensor_(outerRows)(const THOuter *outer, THOuterRow row, int64_t count,
                                 const void *factors)
{
    const scalar_t alpha = *(const scalar_t *)outer->alpha, beta = *(const scalar_t *)outer->beta;
    if (alpha == 0)
        row.right = NULL;
    for (int64_t i = 0; i < count; i++) {
        const scalar_t factor = (scalar_t)(alpha * TH_LOAD((const storage_t *)factors + i));
        if (outer->streamed)
            THTensor_(outerStreamed)(&row, factor);
        else
            THTensor_(outerRow)(&row, factor, beta);
        row.result = (storage_t *)row.result + row.step;
        row.self = row.self ? (const storage_t *)row.self + row.selfStep : NULL;
    }
}
#endif

int THTensor_(ger)(THTensor *result, THTensor *self, THTensor *vec2)
{
    const scalar_t one = 1, zero = 0;
    THOuter outer = {.alpha = &one, .beta = &zero, .fresh = true};
    return outerProduct("ger", "self", &outer, result, self, vec2);
}

int THTensor_(addr)(THTensor *result, THTensor *self, THTensor *vec1, THTensor *vec2, scalar_t beta,
                    scalar_t alpha)
{
    THOuter outer = {.self = self, .alpha = &alpha, .beta = &beta, .fresh = beta == 0};
    return outerProduct("addr", "vec1", &outer, result, vec1, vec2);
}
