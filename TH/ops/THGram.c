/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of matrices, of which those of a matrix and its own transpose are symmetric (Gram
 * matrices): one half of these is multiplied, the other is copied. */
#include <math.h>
#include <string.h>

#include <TH/THThreads.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THGemm.h>

/* Terms that are worth it. Rows are multiplied an eighth of all at a time, within these bounds. */
#define TERMS 8
#define ROWS_LEAST 32
#define ROWS_MOST 256
#define SQUARE 8       /* rows on the diagonal that are copied one element at a time */
#define WORK (1 << 16) /* multiplications that are worth a thread */
/* Of floats so many bytes of terms at a time, which stay in the second cache while all rows are
 * multiplied (a.t() @ a of 10000 x 300 float64: 33 ms at once, so 25; EPYC 9004). */
#define TERMS_BYTES (1 << 19)
#define TERMS_UNIT 64
#define TERMS_LEAST 256

/* Rows from which on one half is enough, 0: none. */
static const int64_t leastRows[TH_DTYPE_LIMIT] = {
    [TH_INT] = 256, [TH_LONG] = 128, [TH_HALF] = 256, [TH_FLOAT] = 24, [TH_DOUBLE] = 24,
};

/* Of fewer, products are so short that the copy is felt, unless they have so many terms for each
 * row (a.t() @ a of 2000 x 50 float64: 300 us, so 190; EPYC 7003). */
#define MANY_ROWS 64
#define TERMS_OF_ROW 4

typedef struct Gram {
    const THGemm *gemm; /* of some terms */
    THDtype dtype;
    int64_t rows; /* at a time */
    bool isLast;  /* are these terms the last ones? */
    int status;   /* atomic */
} Gram;

static bool isGram(THDtype dtype, const THGemm *gemm)
{
    const int64_t least = leastRows[dtype];
    const bool isWorth = gemm->m >= MANY_ROWS || gemm->k >= TERMS_OF_ROW * gemm->m;
    return isWorth && gemm->a == gemm->b && gemm->m == gemm->n && gemm->aRow == gemm->bColumn &&
           gemm->aColumn == gemm->bRow && gemm->aStep == gemm->bStep && least > 0 &&
           gemm->m >= least && gemm->k >= TERMS;
}

static int runSquare(THDtype dtype, const THGemm *gemm, bool isLast);

/* A square above its diagonal from below it. */
static inline __attribute__((always_inline)) void mirrorSquare(char *c, int64_t line, int64_t n,
                                                               size_t item)
{
    for (int64_t row = 1; row < n; row++)
        for (int64_t column = 0; column < row; column++)
            memcpy(c + column * line + row * (int64_t)item, c + row * line + column * (int64_t)item,
                   item);
}

/* The same of one on the diagonal: loops and libraries may sum what is above it in another order.
 */
static void mirror(int64_t size, char *c, int64_t line, int64_t n)
{
    for (int64_t first = 0, rows; first < n; first += rows, c += rows * (line + size)) {
        rows = THSize_min(n - first, SQUARE);
        if (first > 0)
            THMove_transpose(size, c - first * line, line, c - first * size, line, first, rows,
                             TH_NEXT_LINE, 0);
        if (size == 4)
            mirrorSquare(c, line, rows, 4);
        else if (size == 8)
            mirrorSquare(c, line, rows, 8);
        else
            mirrorSquare(c, line, rows, (size_t)size);
    }
}

/* Few rows, in parts. */
typedef struct Lower {
    const THGemm *gemm;
    THDtype dtype;
    int64_t parts;
} Lower;

/* What a part of the rows begins with: their products take equally long. */
static int64_t partRow(const Lower *lower, int64_t part)
{
    const int64_t m = lower->gemm->m;
    const double share = sqrt((double)part / (double)lower->parts);
    return part == lower->parts ? m : (int64_t)((double)m * share) & -SQUARE;
}

static void lowerRows(int64_t begin, int64_t end, void *context)
{
    const Lower *lower = context;
    const int64_t first = partRow(lower, begin), size = THDtype_size(lower->dtype);
    THGemm rows = *lower->gemm;
    rows.m = partRow(lower, end) - first;
    rows.a = (const char *)rows.a + first * rows.aRow * size;
    rows.c = (char *)rows.c + first * rows.cRow * size;
    THGemm_beginAtC(&rows);
    THGemm_lower(lower->dtype, &rows, first);
}

/* Few rows, which are never the library's: our own loops leave out what is above the diagonal. */
static bool isLow(THDtype dtype, const THGemm *gemm)
{
    return (dtype == TH_FLOAT || dtype == TH_DOUBLE) && gemm->m <= TH_GEMM_FEW;
}

/* Each part has 16 rows or more, as all have, or it is the only one: so it has the bits of the
 * whole. */
static void runLow(THDtype dtype, const THGemm *gemm, bool isLast)
{
    const double work = (double)gemm->m * (double)gemm->m * (double)gemm->k / 2;
    const int64_t most = THSize_min(gemm->m / ROWS_LEAST, (int64_t)(work / WORK));
    const int64_t size = THDtype_size(dtype);
    Lower lower = {gemm, dtype, most > 1 ? THSize_min(most, THThreads_get()) : 1};
    TH_parallel_for(lower.parts, 1, lowerRows, &lower);
    if (isLast)
        mirror(size, gemm->c, gemm->cRow * size, gemm->m);
}

/* What is left of the diagonal at once, then the square on it, which is such a product again. */
static void gramRows(int64_t begin, int64_t end, void *context)
{
    Gram *gram = context;
    const int64_t size = THDtype_size(gram->dtype), line = gram->gemm->cRow * size;
    for (int64_t first = begin; first < end; first += gram->rows) {
        THGemm rows = *gram->gemm, square = rows;
        rows.m = square.m = square.n = THSize_min(end - first, gram->rows);
        rows.n = first;
        rows.a = square.a = square.b = (const char *)rows.a + first * rows.aRow * size;
        rows.self = rows.c = (char *)rows.c + first * line;
        square.self = square.c = (char *)rows.c + first * size;
        int status = first > 0 ? THGemm_products(gram->dtype, &rows) : TH_OK;
        if (status == TH_OK)
            status = runSquare(gram->dtype, &square, gram->isLast);
        if (status != TH_OK)
            __atomic_store_n(&gram->status, status, __ATOMIC_RELAXED);
        if (gram->isLast)
            THMove_transpose(size, (char *)gram->gemm->c + first * size, line, rows.c, line, first,
                             rows.m, TH_NEXT_LINE, 0);
    }
}

/* How many terms are multiplied at a time. */
static int64_t termsOf(THDtype dtype, const THGemm *gemm)
{
    if (dtype != TH_FLOAT && dtype != TH_DOUBLE)
        return gemm->k;
    const int64_t terms = TERMS_BYTES / (gemm->m * THDtype_size(dtype)) & -TERMS_UNIT;
    return terms < TERMS_LEAST ? TERMS_LEAST : terms;
}

/* One product, so many rows at a time: to the sums of the first terms those of the next are added.
 */
static int addTerms(THDtype dtype, const THGemm *gemm, int64_t rows, bool isLast)
{
    const int64_t most = termsOf(dtype, gemm);
    const double work = (double)rows * (double)gemm->m * (double)gemm->k / 2;
    const int64_t grain = (int64_t)(WORK / work) + 1;
    THGemm some = *gemm;
    Gram gram = {.gemm = &some, .dtype = dtype, .rows = rows};
    for (int64_t first = 0; first < gemm->k && gram.status == TH_OK; first += most) {
        some.k = THSize_min(gemm->k - first, most);
        some.a = some.b = (const char *)gemm->a + first * gemm->aColumn * THDtype_size(dtype);
        gram.isLast = isLast && first + some.k == gemm->k;
        if (first > 0) {
            some.fresh = false;
            some.beta = THGemm_one(dtype);
            THGemm_beginAtC(&some);
        }
        TH_parallel_for(gemm->m, grain * rows, gramRows, &gram);
    }
    return gram.status;
}

/* Of terms that others follow only what is below the diagonal is right. */
static int runSquare(THDtype dtype, const THGemm *gemm, bool isLast)
{
    const int64_t eighth = (gemm->m / 8 + 15) & ~(int64_t)15;
    const int64_t most = THSize_min(eighth, ROWS_MOST);
    if (isLow(dtype, gemm)) {
        runLow(dtype, gemm, isLast);
        return TH_OK;
    }
    if (isGram(dtype, gemm))
        return addTerms(dtype, gemm, most < ROWS_LEAST ? ROWS_LEAST : most, isLast);
    const int status = THGemm_products(dtype, gemm);
    if (status == TH_OK && isLast && THDtype_category(dtype) == TH_CATEGORY_FLOATING)
        mirror(THDtype_size(dtype), gemm->c, gemm->cRow * THDtype_size(dtype), gemm->m);
    return status;
}

/* Whether the product of floats counts for nothing, whatever it is. */
static bool isNothing(THDtype dtype, const THGemm *gemm)
{
    return dtype == TH_FLOAT    ? *(const float *)gemm->alpha == 0
           : dtype == TH_DOUBLE ? *(const double *)gemm->alpha == 0
                                : false;
}

int THGemm_whole(THDtype dtype, const THGemm *gemm)
{
    int status = TH_OK;
    THGemm one = *gemm;
    if (!gemm->fresh || isNothing(dtype, gemm) || !isGram(dtype, gemm))
        return THGemm_products(dtype, gemm);
    one.count = 1;
    for (int64_t i = 0; i < gemm->count && status == TH_OK; i++) {
        status = runSquare(dtype, &one, true);
        THGemm_next(&one, THDtype_size(dtype));
    }
    return status;
}

int THGemm_run(THDtype dtype, const THGemm *gemm)
{
    if (!THGemm_isLong(dtype, gemm) || isNothing(dtype, gemm))
        return THGemm_whole(dtype, gemm);
    int status = TH_OK;
    THGemm one = *gemm;
    one.count = 1;
    for (int64_t i = 0; i < gemm->count && status == TH_OK; i++) {
        status = THGemm_byTerms(dtype, &one);
        THGemm_next(&one, THDtype_size(dtype));
    }
    return status;
}
