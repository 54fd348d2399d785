/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What products of matrices are made of, for TH's own files: C = beta self + alpha A B over raw
 * elements of one dtype, with any strides of A, B and self.
 *
 * For integers loops pack A into panels of TH_GEMM_ROWS rows (panel, k, row) and B into panels of
 * 64 bytes of columns (panel, k, column), both converted to the type sums are kept in and padded
 * with zeros, and call THGemm_tile for each pair of panels. */
#ifndef TH_GEMM_H
#define TH_GEMM_H

#include <TH/THDtype.h>
#include <TH/THIsa.h>

#define TH_GEMM_ROWS 4
#define TH_GEMM_COLUMN_BYTES 64
#define TH_GEMM_LINE 64 /* bytes of columns that loops of floats multiply at once */

typedef struct THGemm {
    int64_t m, n, k;
    const void *a, *b;
    void *c;
    const void *self;                     /* C, or no memory of it */
    int64_t aRow, aColumn, bRow, bColumn; /* strides in elements, >= 0 */
    int64_t selfRow, selfColumn;
    int64_t cRow;             /* columns of C are neighbours */
    const void *alpha, *beta; /* scalar_t */
    bool fresh;               /* beta is 0: self, which is C, is not read */
    bool isFar;               /* few rows times a B that is read from afar */
    bool isTall;              /* some terms of many, of few rows and columns; B lies in rows */
    bool isHigh;              /* has rows enough to sum the last columns by vectors */
    bool isLower;             /* as THGemm_lower has it */
    int64_t diagonal;
    int64_t count;                         /* so many products, */
    int64_t batch;                         /* of so many that threads share: what sums are made of
                                            * depends on these, so that bits do not on `count` */
    int64_t aStep, bStep, cStep, selfStep; /* elements from one to the next */
} THGemm;

/* A product of which C has what beta multiplies. */
static inline void THGemm_beginAtC(THGemm *gemm)
{
    gemm->self = gemm->c;
    gemm->selfRow = gemm->cRow;
    gemm->selfColumn = 1;
    gemm->selfStep = gemm->cStep;
}

/* From one product to the next. */
static inline void THGemm_next(THGemm *gemm, int64_t itemSize)
{
    gemm->a = (const char *)gemm->a + gemm->aStep * itemSize;
    gemm->b = (const char *)gemm->b + gemm->bStep * itemSize;
    gemm->c = (char *)gemm->c + gemm->cStep * itemSize;
    gemm->self = (const char *)gemm->self + gemm->selfStep * itemSize;
}

/* The transpose of one whose C has one row, or is the caller's own. */
static inline THGemm THGemm_flip(const THGemm *gemm)
{
    THGemm flipped = *gemm;
    flipped.m = gemm->n;
    flipped.n = gemm->m;
    flipped.a = gemm->b;
    flipped.b = gemm->a;
    flipped.aRow = gemm->bColumn;
    flipped.aColumn = gemm->bRow;
    flipped.bRow = gemm->aColumn;
    flipped.bColumn = gemm->aRow;
    flipped.cRow = 1;
    flipped.selfRow = gemm->selfColumn;
    flipped.selfColumn = gemm->selfRow;
    flipped.aStep = gemm->bStep;
    flipped.bStep = gemm->aStep;
    return flipped;
}

/* 1, for alpha or beta of Float or Double. */
static inline const void *THGemm_one(THDtype dtype)
{
    static const float oneFloat = 1;
    static const double oneDouble = 1;
    return dtype == TH_FLOAT ? (const void *)&oneFloat : &oneDouble;
}

/* Of floats our own loops multiply so many rows, or fewer: parts of them are too low for the
 * library. */
#define TH_GEMM_FEW 160

/* Not for Bool. MemoryError is the only error. One of few rows and columns and of many terms is the
 * sum of products of some of these each (THGemmTerms.c), any other is done at once: of a symmetric
 * product one half is multiplied (THGram.c), by the last, which multiplies the whole of any. */
int THGemm_run(THDtype dtype, const THGemm *gemm);
bool THGemm_isLong(THDtype dtype, const THGemm *gemm);
int THGemm_byTerms(THDtype dtype, const THGemm *gemm);
int THGemm_whole(THDtype dtype, const THGemm *gemm);
int THGemm_products(THDtype dtype, const THGemm *gemm);
/* One product of Float or Double, of whose C what is above the diagonal may be left unwritten: to
 * the right of column `diagonal` in the first row, of the next one in each row after. By our own
 * loops, whatever its size; of parts of 16 rows or more each element has the bits of the whole. */
void THGemm_lower(THDtype dtype, const THGemm *gemm, int64_t diagonal);

typedef void (*THGemmTile)(int64_t k, const void *a, const void *b, void *tile);
#define TH_GEMM_TILE_DECLARE(name) void name(int64_t k, const void *a, const void *b, void *tile)
TH_ISA_DECLARE(TH_GEMM_TILE_DECLARE, THGemm_tile_int16_t);
TH_ISA_DECLARE(TH_GEMM_TILE_DECLARE, THGemm_tile_int32_t);
TH_ISA_DECLARE(TH_GEMM_TILE_DECLARE, THGemm_tile_int64_t);

#endif
