/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sequences of numbers. Every element is computed from its position alone, in accreal or double, so
 * rounding does not build up and threads do not matter. */
#ifndef TH_GENERIC_FILE
#error "compile TH/ops/THCreate.c instead"
#endif

#ifdef TH_CATEGORY_IS_FLOATING
#define SCALAR_TO_ACCREAL THScalar_toDouble
#define SCALAR_FROM_ACCREAL THScalar_fromDouble
#define DOUBLE_TO_ELEMENT(x) (scalar_t)(x)
#else
#define SCALAR_TO_ACCREAL THScalar_toLong
#define SCALAR_FROM_ACCREAL THScalar_fromLong
#ifdef TH_CATEGORY_IS_BOOL
#define DOUBLE_TO_ELEMENT(x) ((x) != 0)
#else
#define DOUBLE_TO_ELEMENT(x) (scalar_t) THDouble_toLong(x)
#endif
#endif

typedef struct THTensor_(Arange) {
    storage_t *data;
    accreal start, step;
} THTensor_(Arange);

/* Positions are counted from those of pieces, as an int: a number that every instruction set turns
 * into doubles in vectors, and sums that are exact. */
static void THTensor_(arangePart)(int64_t begin, int64_t end, void *context)
{
    const THTensor_(Arange) arange = *(const THTensor_(Arange) *)context;
    for (int64_t first = begin; first < end; first += SEQUENCE_PIECE) {
        const int64_t n = THSize_min(SEQUENCE_PIECE, end - first);
        const accreal before = (accreal)first;
        for (int i = 0; i < n; i++)
            TH_STORE(arange.data + first + i,
                     (scalar_t)(arange.start + (before + (accreal)i) * arange.step));
    }
}

void THTensor_(fillArange)(THTensor *result, THScalar start, THScalar step)
{
    THTensor_(Arange)
        arange = {THTensor_data(result), SCALAR_TO_ACCREAL(start), SCALAR_TO_ACCREAL(step)};
    TH_parallel_for(THTensor_nElement(result), SEQUENCE_GRAIN, THTensor_(arangePart), &arange);
}

typedef struct THTensor_(Linspace) {
    storage_t *data;
    int64_t n;
    double start, end, step, base;
} THTensor_(Linspace);

/* Elements whose distances from `origin` are so many steps, and `sign` more for each. */
static void THTensor_(linspacePiece)(int64_t n, storage_t *to, double base, double origin,
                                     double step, double distance, double sign)
{
    double numbers[SEQUENCE_PIECE];
    if (base == 0) {
        for (int i = 0; i < n; i++)
            TH_STORE(to + i, DOUBLE_TO_ELEMENT(origin + step * (distance + sign * (double)i)));
        return;
    }
    for (int i = 0; i < n; i++)
        numbers[i] = origin + step * (distance + sign * (double)i);
    for (int64_t i = n; i % 8 != 0; i++)
        numbers[i] = 0;
    powers[THIsa_current]((n + 7) / 8 * 8, base, numbers);
    for (int i = 0; i < n; i++)
        TH_STORE(to + i, DOUBLE_TO_ELEMENT(numbers[i]));
}

/* The first half is counted from the start, the second from the end. */
static void THTensor_(linspacePart)(int64_t begin, int64_t end, void *context)
{
    const THTensor_(Linspace) *line = context;
    const int64_t half = line->n / 2;
    for (int64_t first = begin, n; first < end; first += n) {
        const int64_t left = (first < half ? THSize_min(half, end) : end) - first;
        n = THSize_min(SEQUENCE_PIECE, left);
        if (first < half)
            THTensor_(linspacePiece)(n, line->data + first, line->base, line->start, line->step,
                                     (double)first, 1);
        else
            THTensor_(linspacePiece)(n, line->data + first, line->base, line->end, -line->step,
                                     (double)(line->n - 1 - first), -1);
    }
}

void THTensor_(fillLinspace)(THTensor *result, THScalar start, THScalar end, double base)
{
    const int64_t n = THTensor_nElement(result);
    THTensor_(Linspace) line = {THTensor_data(result),          n, (double)SCALAR_TO_ACCREAL(start),
                                (double)SCALAR_TO_ACCREAL(end), 0, base};
    if (n > 1)
        line.step = (line.end - line.start) / (double)(n - 1);
    else
        line.end = line.start;
    TH_parallel_for(n, SEQUENCE_GRAIN, THTensor_(linspacePart), &line);
}

int THTensor_(trace)(THTensor *result, THTensor *self)
{
    int status = THCheck_ndim("trace", "self", self, 2);
    if (status || (status = THTensor_resizeOutput("trace", result, 0, self->size)))
        return status;
    const int64_t n = self->size[0] < self->size[1] ? self->size[0] : self->size[1];
    const int64_t stride = self->stride[0] + self->stride[1];
    const storage_t *data = THTensor_data(self);
    accreal sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (accreal)TH_LOAD(data + i * stride);
    THTensor_setAt(result, result->storageOffset, SCALAR_FROM_ACCREAL(sum));
    return TH_OK;
}

#undef SCALAR_TO_ACCREAL
#undef SCALAR_FROM_ACCREAL
#undef DOUBLE_TO_ELEMENT
