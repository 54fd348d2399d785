/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of few rows and columns and of many terms (a.t() @ b of tall matrices): some terms at a
 * time, by several threads, each of which reads what no other one does. The parts, and so the bits,
 * are the same for any number of threads. */
#include <TH/THThreads.h>
#include <TH/ops/THGemm.h>

/* Terms that have parts of their own, an even number of them and so many at most, and what terms of
 * a part are a multiple of. */
#define TERMS 1024
#define PARTS 16
#define UNIT 16
#define TERMS_OF_SIDE 8 /* terms for each row or column */
#define WORK 32768      /* multiplications of lines, of which fewer are done sooner at once */
#define MUCH_THE_SAME 6

#define TH_GENERIC_FILE <TH/generic/gemmTerms.c>
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#undef TH_GENERIC_FILE

typedef struct Terms {
    const THGemm *gemm; /* or its transpose */
    THDtype dtype;
    int64_t size; /* of a part */
    void *sums;
    int status; /* atomic */
} Terms;

bool THGemm_isLong(THDtype dtype, const THGemm *gemm)
{
    const int64_t side = gemm->m > gemm->n ? gemm->m : gemm->n;
    const bool isSmall = gemm->m > 1 && gemm->n > 1 && side <= TH_GEMM_FEW;
    const bool isLong = gemm->k >= 2 * TERMS && gemm->k >= TERMS_OF_SIDE * side;
    const bool areLines = gemm->aColumn == 1 && gemm->bRow == 1;
    return (dtype == TH_FLOAT || dtype == TH_DOUBLE) && isSmall && isLong &&
           (!areLines || gemm->m * gemm->n >= WORK / gemm->k);
}

static void multiplyTerms(int64_t begin, int64_t end, void *context)
{
    Terms *terms = context;
    const int64_t item = THDtype_size(terms->dtype);
    for (int64_t part = begin; part < end; part++) {
        const int64_t first = part * terms->size;
        THGemm some = *terms->gemm;
        some.k = THSize_min(some.k - first, terms->size);
        some.a = (const char *)some.a + first * some.aColumn * item;
        some.b = (const char *)some.b + first * some.bRow * item;
        some.c = (char *)terms->sums + part * some.m * some.n * item;
        some.cRow = some.n;
        some.fresh = true;
        some.isTall = some.bColumn == 1;
        some.alpha = THGemm_one(terms->dtype);
        THGemm_beginAtC(&some);
        const int status = THGemm_whole(terms->dtype, &some);
        if (status != TH_OK)
            __atomic_store_n(&terms->status, status, __ATOMIC_RELAXED);
    }
}

/* Whether the transpose is multiplied, of two matrices in rows: where its own rows fill vectors
 * better, and, if that is much the same, where it has the longer ones, as B is read row after row.
 */
static bool flips(THDtype dtype, const THGemm *gemm)
{
    const int64_t lanes = TH_GEMM_LINE / THDtype_size(dtype);
    const int64_t wide = (gemm->m - 1) / lanes + 1, narrow = (gemm->n - 1) / lanes + 1;
    const int64_t plain = gemm->m * narrow, flipped = gemm->n * wide;
    const bool isBetter = gemm->m > gemm->n ? flipped <= plain + plain / MUCH_THE_SAME
                                            : flipped + flipped / MUCH_THE_SAME < plain;
    return gemm->aRow == 1 && gemm->bColumn == 1 && isBetter;
}

int THGemm_byTerms(THDtype dtype, const THGemm *gemm)
{
    const int64_t most = THSize_min(((gemm->k - 1) / TERMS + 2) & -2, PARTS);
    const bool isFlipped = flips(dtype, gemm);
    const THGemm of = isFlipped ? THGemm_flip(gemm) : *gemm;
    Terms terms = {.gemm = &of, .dtype = dtype, .size = (((gemm->k - 1) / most) | (UNIT - 1)) + 1};
    const int64_t parts = (gemm->k - 1) / terms.size + 1;
    terms.sums = THAlloc((size_t)(parts * gemm->m * gemm->n * THDtype_size(dtype)));
    if (terms.sums == NULL)
        return TH_ERROR_MEMORY;
    TH_parallel_for(parts, 1, multiplyTerms, &terms);
    if (terms.status == TH_OK && dtype == TH_FLOAT)
        THFloatBlas_addParts(gemm, isFlipped, terms.sums, parts);
    else if (terms.status == TH_OK)
        THDoubleBlas_addParts(gemm, isFlipped, terms.sums, parts);
    THFree(terms.sums);
    return terms.status;
}
