/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C = beta C + alpha A B for every dtype: by the BLAS library for float and double, in float for
 * Half, by loops of our own for the others and where a call of the library would cost more than the
 * product. */
#include <limits.h>
#include <string.h>

#include <TH/THBlas.h>
#include <TH/THMachine.h>
#include <TH/THThreads.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THLinear.h>

#define GEMM_DEPTH 256 /* of a packed block: its panel of B stays in the first-level cache */
#define GEMM_HEIGHT 64
/* Multiplications that the library does not do faster; nor any number for GEMM_COLUMNS columns
 * or TH_GEMM_FEW rows. */
#define GEMM_SMALL (1 << 27)

#define GEMM_VECTOR 16384    /* of matrices and vectors: few */
#define GEMM_VECTORS 8       /* so many are multiplied one by one */
#define GEMM_FLOATS 2        /* of float, whose matrix's rows are lines; of double only one */
#define GEMM_SHORT 16        /* terms that are too few for either */
#define GEMM_DOTS 10         /* so many with as many lines */
#define GEMM_LINES 12        /* rows, as lines or copied to such, times lines of B */
#define GEMM_LONG 128        /* if these have so many bytes */
#define GEMM_MORE_LINES 24   /* so many, */
#define GEMM_LONGER 384      /* if they have so many */
#define GEMM_SHORT_LINE 512  /* bytes of lines that are short */
#define GEMM_ROW 1024        /* bytes of a row that is done alone */
#define GEMM_ASKED (4 << 20) /* bytes that lines are asked for among */
#define GEMM_ROOM 8192       /* elements of A or B that are copied as lines */
/* Integers are multiplied row by row where there are so few terms, rows or multiplications. */
#define GEMM_SHALLOW 16
#define GEMM_LOW 4
#define GEMM_PLAIN (1 << 18)
#define GEMM_GRAIN 16384 /* such that are worth a thread */
#define GEMM_UNIT 4      /* rows that a thread takes whole numbers of */
#define GEMM_HIGH 16     /* rows for which the last columns may be done by vectors */
#define GEMM_NARROW 4    /* vectors of columns for each thread */
#define GEMM_COLUMNS 64
/* Bytes of B that the second-level cache does not keep. */
#define GEMM_FAR (THMachine_asksForWrites ? 3 << 19 : 1 << 20)
#define GEMM_FAR_PART (3 << 17) /* bytes of each B of a batch that is not kept, */
#define GEMM_FAR_ROW 1024       /* and of its rows, for which far loops are worth it */
#define GEMM_ROWS 8
/* Bytes from one row of B to the next of which multiples fall on few sets of the caches, rows that
 * are more than these keep, and bytes of a row and of a B that is copied then (a transpose times
 * the first 10 columns of 2048 x 2048 float64: 4.9 ms, so 1.8; EPYC 9005). */
#define COLLIDING 2048
#define COLLIDING_ROWS 256
#define COLLIDING_ROW 256
#define COLLIDING_BYTES (1 << 20)

#define HALF_TERMS 2048 /* converted at once */
#define HALF_CHUNK 4096 /* elements of eight rows */
#define HALF_COLUMNS 8  /* of B, with which that is no loss */
#define HALF_SHORT 64   /* elements of lines that are gathered before they are converted */
#define HALF_LINE 512   /* elements of a row that is multiplied as it lies */
#define HALF_TURNED 64  /* of columns that are converted at once */
#define HALF_BATCH 4096 /* elements of each operand of small products, converted at once */

#define DOT_LEAST 8192 /* elements of a part */
#define DOT_FEW 4      /* fewer parts are not worth a thread */
#define DOT_PARTS 64
#define DOT_ROOM 256  /* elements of a line that are copied as neighbours; */
#define DOT_SHORT 256 /* of shorter lines no copy is worth it, */
#define DOT_DENSE 4   /* nor of elements that are farther apart */
#define VECTOR_ROWS 64
#define VECTOR_ASKED 1024     /* bytes of rows that memory is asked for ahead of them */
#define VECTOR_FAR (12 << 20) /* ... of all rows, from which on it is */
#define VECTOR_GROUP 8        /* rows that loops take at once; threads take whole groups */
#define NARROW_BYTES 16       /* of rows that take longer than a copy of them */
#define NARROW_ROWS 512
#define VECTOR_COLUMNS 1024 /* sums that stay in the first-level cache beside eight lines */
#define VECTOR_PARTS 16
#define PAGE_BYTES 4096
#define VECTOR_WORK 32768 /* multiplications that are worth a thread */

/* The library does not divide its work, so that results are the same for any number of threads:
 * a product in parts of rows, multiples of GEMM_PART, has the bits of the whole as long as each
 * part has more than GEMM_LEAST multiplications (below, it takes other loops). Its kernels take up
 * to 24 rows at once. */
#define GEMM_PART 24
#define GEMM_LEAST 1000000

typedef struct Packed {
    const THGemm *gemm;
    THGemmTile tile;
    void *b;
    THScratch scratch; /* of blocks of rows */
} Packed;

/* A matrix as CBLAS takes it. */
typedef struct Operand {
    const void *data;
    int64_t leading;
    bool transposed;
} Operand;
enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };

/* What products of a dtype are summed in, and its loops. */
#define GEMM_SUM_Char int16_t
#define GEMM_SUM_Short int16_t
#define GEMM_SUM_Int int32_t
#define GEMM_SUM_Long int64_t
#define GEMM_SUM_Float float
#define GEMM_SUM_Double double
#define GEMM_LOOPS_Char THByteLinear_loops
#define GEMM_LOOPS_Short THShortLinear_loops
#define GEMM_LOOPS_Int THIntLinear_loops
#define GEMM_LOOPS_Long THLongLinear_loops
#define GEMM_LOOPS_Float THFloatLinear_loops
#define GEMM_LOOPS_Double THDoubleLinear_loops

/* Whether the library, if there is one, does large products better than our own loops. */
static bool isWorth(const THBlasTable *blas)
{
    return blas != NULL && !(blas->isNarrow && strcmp(THIsa_name(THIsa_current), "avx512") == 0);
}

static bool fitsInts(const THGemm *gemm)
{
    return gemm->m <= INT_MAX && gemm->n <= INT_MAX && gemm->k <= INT_MAX && gemm->cRow <= INT_MAX;
}

/* Whether a product is done best as a matrix times few vectors, `most`, for which it is turned
 * upright: its rows are the lines then. *cColumn: elements from the result of one to that of the
 * next. */
static bool asVectors(THGemm *gemm, int64_t *cColumn, int64_t most)
{
    const bool lines = gemm->aColumn == 1 && gemm->bRow == 1 && gemm->k >= GEMM_SHORT;
    *cColumn = 1;
    if (gemm->n == 1)
        return true;
    if (gemm->m == 1 || (lines && gemm->m <= most && gemm->m < gemm->n)) {
        *cColumn = gemm->cRow;
        *gemm = THGemm_flip(gemm);
        return true;
    }
    return (gemm->n <= most && gemm->k >= GEMM_SHORT && (lines || gemm->m > GEMM_ROWS)) ||
           (lines && gemm->n <= GEMM_DOTS && gemm->m <= GEMM_DOTS);
}

/* What each thread gets of n rows or columns: multiples of `unit`, and worth it. `work` is that of
 * all of them, in lines. */
static int64_t shareOf(int64_t n, double work, int64_t unit)
{
    const int64_t even = (n - 1) / THThreads_get() + 1;
    const int64_t least = (int64_t)(GEMM_GRAIN / work * (double)n) + 1;
    return ((even > least ? even : least) + unit - 1) / unit * unit;
}

/* Elements in each of at most `most` parts of n, chunks of `least`. */
static int64_t partSize(int64_t n, int64_t least, int64_t most)
{
    const int64_t chunks = (n - 1) / least + 1;
    return ((chunks - 1) / most + 1) * least;
}

/* Of parts of vectors, what is worth a thread. */
static int64_t dotGrain(int64_t parts)
{
    return parts < DOT_FEW ? parts : 1;
}

/* One stride must be 1, the other at least the row's length; strides of dims of size 1 are set to
 * what fits. */
static bool fitsLibrary(Operand *operand, const void *data, int64_t rows, int64_t columns,
                        int64_t *rowStride, int64_t *columnStride)
{
    if (columns == 1 && *rowStride != 1)
        *columnStride = 1;
    if (rows == 1 && *columnStride != 1)
        *rowStride = 1;
    if (columns == 1 && *rowStride == 1 && rows > 1)
        *columnStride = rows;
    if (rows == 1 && *columnStride == 1)
        *rowStride = columns;
    operand->data = data;
    operand->transposed = *columnStride != 1 || *rowStride < columns;
    operand->leading = operand->transposed ? *columnStride : *rowStride;
    return operand->leading <= INT_MAX &&
           (operand->transposed ? *rowStride == 1 && *columnStride >= rows
                                : *columnStride == 1 && *rowStride >= columns);
}

/* Lines of `n` elements as one run; strides in elements. */
static void copyLines(void *to, const void *from, int64_t itemSize, int64_t lines, int64_t line,
                      int64_t n, int64_t step)
{
    THMove_gather(itemSize, to, from, lines, line * itemSize, n, step * itemSize);
}

/* A contiguous copy of a matrix. */
static int gather(void **out, const void *from, int64_t itemSize, int64_t rows, int64_t columns,
                  int64_t *rowStride, int64_t *columnStride)
{
    int64_t bytes;
    TH_CHECK(THSize_mul(rows, columns, &bytes) && THSize_mul(bytes, itemSize, &bytes),
             TH_ERROR_MEMORY, "not enough memory for a product of matrices");
    *out = THAlloc((size_t)bytes);
    if (*out == NULL)
        return TH_ERROR_MEMORY;
    copyLines(*out, from, itemSize, rows, *rowStride, columns, *columnStride);
    *rowStride = columns;
    *columnStride = 1;
    return TH_OK;
}

/* Copies self to C. */
static void copySelf(THGemm *gemm, int64_t itemSize)
{
    const int64_t rows = gemm->cRow == gemm->n ? gemm->m : 1;
    for (int64_t i = 0; i < gemm->count && !gemm->fresh && gemm->self != gemm->c; i++) {
        for (int64_t row = 0; row < gemm->m; row += rows)
            THMove_gather(
                itemSize, (char *)gemm->c + (i * gemm->cStep + row * gemm->cRow) * itemSize,
                (const char *)gemm->self + (i * gemm->selfStep + row * gemm->selfRow) * itemSize,
                rows, gemm->selfRow * itemSize, gemm->n, gemm->selfColumn * itemSize);
    }
    THGemm_beginAtC(gemm);
}

#define TH_GENERIC_FILE <TH/generic/gemm.c>
#include <TH/THGenerateCharType.h>
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#include <TH/THGenerateIntType.h>
#include <TH/THGenerateLongType.h>
#include <TH/THGenerateShortType.h>
#undef TH_GENERIC_FILE

#define TH_GENERIC_FILE <TH/generic/linear.c>
#include <TH/THGenerateCharType.h>
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#include <TH/THGenerateIntType.h>
#include <TH/THGenerateLongType.h>
#include <TH/THGenerateShortType.h>
#undef TH_GENERIC_FILE

#define TH_GENERIC_FILE <TH/generic/gemmLibrary.c>
#include <TH/THGenerateDoubleType.h>
#include <TH/THGenerateFloatType.h>
#undef TH_GENERIC_FILE

/* In float a contiguous matrix; its rows are the columns where these are the runs. Short lines and
 * such of steps are gathered first. */
static void toFloat(float *to, const THHalf *from, int64_t rows, int64_t columns,
                    int64_t *rowStride, int64_t *columnStride)
{
    const bool flips = *rowStride == 1 && (*columnStride != 1 || columns == 1);
    const int64_t line = flips ? *columnStride : *rowStride, step = flips ? 1 : *columnStride;
    const bool joined = step == 1 && line == (flips ? rows : columns);
    const int64_t lines = joined ? 1 : flips ? columns : rows;
    const int64_t n = joined ? rows * columns : flips ? rows : columns;
    const bool direct = step == 1 && (joined || n >= HALF_SHORT);
    const int64_t most = !direct && n > 0 && n < HALF_TERMS ? HALF_TERMS / n : 1;
    const int64_t terms = direct ? n : HALF_TERMS, item = sizeof(THHalf);
    const THLoop cast = THCast_loop(TH_FLOAT, TH_HALF);
    THHalf gathered[HALF_TERMS];
    *rowStride = flips ? 1 : columns;
    *columnStride = flips ? rows : 1;
    for (int64_t i = 0; i < lines; i += most, from += most * line) {
        const int64_t some = THSize_min(lines - i, most);
        for (int64_t j = 0; j < n; j += terms) {
            const int64_t count = THSize_min(n - j, terms);
            const THHalf *const first = from + j * step;
            void *const data[] = {to, direct ? (void *)first : gathered};
            if (!direct)
                THMove_gather(item, (char *)gathered, (const char *)first, some, line * item, count,
                              step * item);
            cast(some * count, data, NULL);
            to += some * count;
        }
    }
}

/* C of some products from contiguous matrices. */
static void fromFloat(const THGemm *gemm, int64_t count, float *from)
{
    const int64_t m = gemm->m, n = gemm->n, all = count * m * n;
    const bool joined = gemm->cRow == n && (count == 1 || gemm->cStep == m * n);
    const int64_t line = joined ? all : n;
    for (int64_t i = 0; i < all; i += line) {
        const int64_t row = i / n;
        void *const data[] = {(THHalf *)gemm->c + row / m * gemm->cStep + row % m * gemm->cRow,
                              from + i};
        THCast_loop(TH_HALF, TH_FLOAT)(line, data, NULL);
    }
}

/* Whether A's rows and B's columns are lines that the machine multiplies as they lie. */
static bool areHalfLines(const THGemm *gemm)
{
    return THFloatBlas_linear()->dotHalves != NULL && gemm->aColumn == 1 && gemm->bRow == 1;
}

/* The sum of the products of a row, which is gathered if it lies in steps, and a line. */
static double dotHalfRow(const THGemm *gemm, const THHalf *row)
{
    const THLinearLoops *loops = THFloatBlas_linear();
    const int64_t terms = gemm->aColumn == 1 ? gemm->k : HALF_TERMS, item = sizeof(THHalf);
    THHalf gathered[HALF_TERMS];
    double sum = 0, part;
    for (int64_t i = 0; i < gemm->k; i += terms) {
        const int64_t count = THSize_min(gemm->k - i, terms);
        if (gemm->aColumn != 1)
            THMove_gather(item, (char *)gathered, (const char *)(row + i * gemm->aColumn), 1, 0,
                          count, gemm->aColumn * item);
        loops->dotHalves(count, gemm->aColumn == 1 ? row : gathered, (const THHalf *)gemm->b + i,
                         &part);
        sum += part;
    }
    return sum;
}

/* Whether rows were multiplied by a vector without being converted: long ones, as each is rounded
 * by itself. */
static bool halfVector(const THGemm *gemm)
{
    if (gemm->n != 1 || gemm->k < HALF_LINE || *(const float *)gemm->alpha == 0 ||
        THFloatBlas_linear()->dotHalves == NULL || gemm->bRow != 1 ||
        (gemm->aColumn != 1 && gemm->aRow == 1))
        return false;
    for (int64_t i = 0; i < gemm->m; i++) {
        THHalf *const c = (THHalf *)gemm->c + i * gemm->cRow;
        float to = gemm->fresh ? 0 : THHalf_toFloat(*c);
        const float sum = (float)dotHalfRow(gemm, (const THHalf *)gemm->a + i * gemm->aRow);
        THFloatBlas_store(gemm, &to, 1, 1, &sum, false);
        *c = THHalf_fromFloat(to);
    }
    return true;
}

/* The product of some rows. Rounds once: the sums stay in float to the end. */
static int halfRows(const THGemm *gemm)
{
    int status = TH_OK;
    const int64_t m = gemm->m, n = gemm->n, k = gemm->k;
    const int64_t sizes[] = {m, k, k, n, m, n};
    int64_t one = 1;
    float *operand[3] = {NULL, NULL, NULL};
    THGemm wide = *gemm;
    if (halfVector(gemm))
        return TH_OK;
    for (int i = 0; i < 3; i++) {
        int64_t bytes;
        TH_REQUIRE(THSize_mul(sizes[2 * i], sizes[2 * i + 1], &bytes) &&
                       THSize_mul(bytes, sizeof(float), &bytes),
                   TH_ERROR_MEMORY, "not enough memory for a product of matrices");
        operand[i] = THAlloc((size_t)bytes);
        TH_TRY(operand[i] == NULL ? TH_ERROR_MEMORY : TH_OK);
    }
    toFloat(operand[0], gemm->a, m, k, &wide.aRow, &wide.aColumn);
    toFloat(operand[1], gemm->b, k, n, &wide.bRow, &wide.bColumn);
    if (!gemm->fresh)
        toFloat(operand[2], gemm->c, m, n, &wide.cRow, &one);
    wide.a = operand[0];
    wide.b = operand[1];
    wide.c = operand[2];
    wide.cRow = n;
    wide.count = wide.batch = 1;
    THGemm_beginAtC(&wide);
    TH_TRY(THGemm_run(TH_FLOAT, &wide));
    fromFloat(gemm, 1, operand[2]);
done:
    for (int i = 0; i < 3; i++)
        THFree(operand[i]);
    return status;
}

/* A product in chunks of rows that the cache keeps. */
typedef struct HalfChunks {
    const THGemm *gemm;
    int64_t rows;
    int status; /* atomic */
} HalfChunks;

static void halfChunks(int64_t begin, int64_t end, void *context)
{
    HalfChunks *chunks = context;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        THGemm gemm = *chunks->gemm;
        const int64_t first = chunk * chunks->rows;
        gemm.m = THSize_min(gemm.m - first, chunks->rows);
        gemm.a = (const THHalf *)gemm.a + first * gemm.aRow;
        gemm.c = (THHalf *)gemm.c + first * gemm.cRow;
        const int status = halfRows(&gemm);
        if (status != TH_OK)
            __atomic_store_n(&chunks->status, status, __ATOMIC_RELAXED);
    }
}

typedef struct HalfDot { /* large: no initialiser */
    const THGemm *gemm;
    int64_t size; /* of a part */
    double sums[DOT_PARTS];
} HalfDot;

static void halfDots(int64_t begin, int64_t end, void *context)
{
    HalfDot *dot = context;
    const THGemm *gemm = dot->gemm;
    const THLinearLoops *loops = THFloatBlas_linear();
    const bool direct = areHalfLines(gemm);
    float x[HALF_TERMS], y[HALF_TERMS];
    for (int64_t part = begin; part < end; part++) {
        const int64_t first = part * dot->size;
        const int64_t last = THSize_min(gemm->k, first + dot->size);
        dot->sums[part] = 0;
        if (direct)
            loops->dotHalves(last - first, (const THHalf *)gemm->a + first,
                             (const THHalf *)gemm->b + first, &dot->sums[part]);
        for (int64_t i = first; i < last && !direct; i += HALF_TERMS) {
            const int64_t count = THSize_min(last - i, HALF_TERMS);
            double sum;
            int64_t none = count, xStep = gemm->aColumn, yStep = gemm->bRow;
            toFloat(x, (const THHalf *)gemm->a + i * xStep, 1, count, &none, &xStep);
            toFloat(y, (const THHalf *)gemm->b + i * yStep, 1, count, &none, &yStep);
            loops->dot(count, x, y, &sum);
            dot->sums[part] += sum;
        }
    }
}

/* The product of two long vectors. */
static int halfDot(const THGemm *gemm)
{
    HalfDot dot;
    dot.gemm = gemm;
    dot.size = partSize(gemm->k, DOT_LEAST, DOT_PARTS);
    const int64_t parts = (gemm->k - 1) / dot.size + 1;
    float *const c = &(float){gemm->fresh ? 0 : THHalf_toFloat(*(const THHalf *)gemm->c)};
    TH_parallel_for(parts, dotGrain(parts), halfDots, &dot);
    for (int64_t part = 1; part < parts; part++)
        dot.sums[0] += dot.sums[part];
    const float sum = (float)dot.sums[0];
    THFloatBlas_store(gemm, c, 1, 1, &sum, false);
    *(THHalf *)gemm->c = THHalf_fromFloat(*c);
    return TH_OK;
}

/* A matrix of each of `count` products, or one for all, in float. */
static void toFloats(float *to, const THHalf *from, int64_t count, int64_t *step, int64_t rows,
                     int64_t columns, int64_t *rowStride, int64_t *columnStride)
{
    const int64_t size = rows * columns, apart = *step, matrices = apart == 0 ? 1 : count;
    const bool joined = apart == size && *columnStride == 1 && *rowStride == columns;
    const int64_t row = *rowStride, column = *columnStride;
    for (int64_t i = 0; i < (joined ? 1 : matrices); i++) {
        *rowStride = row;
        *columnStride = column;
        toFloat(to + i * size, from + i * apart, joined ? matrices * rows : rows, columns,
                rowStride, columnStride);
    }
    *step = apart == 0 ? 0 : size;
}

/* Elements of the largest of a product, HALF_BATCH at most. */
static int64_t largestMatrix(const THGemm *gemm)
{
    const double rows = (double)gemm->m, columns = (double)gemm->n, terms = (double)gemm->k;
    const double ofB = columns * terms, others = rows * (columns > terms ? columns : terms);
    const double most = ofB > others ? ofB : others;
    return most < HALF_BATCH ? (int64_t)most : HALF_BATCH;
}

/* Small products, as many at once as there is room for. */
static int halfBatch(const THGemm *gemm)
{
    const int64_t most = HALF_BATCH / largestMatrix(gemm);
    float a[HALF_BATCH], b[HALF_BATCH], c[HALF_BATCH];
    for (int64_t i = 0; i < gemm->count; i += most) {
        int64_t one = 1;
        THGemm part = *gemm;
        part.a = (const THHalf *)gemm->a + i * gemm->aStep;
        part.b = (const THHalf *)gemm->b + i * gemm->bStep;
        part.c = (THHalf *)gemm->c + i * gemm->cStep;
        part.count = THSize_min(gemm->count - i, most);
        THGemm wide = part;
        wide.a = a;
        wide.b = b;
        wide.c = c;
        toFloats(a, part.a, part.count, &wide.aStep, wide.m, wide.k, &wide.aRow, &wide.aColumn);
        toFloats(b, part.b, part.count, &wide.bStep, wide.k, wide.n, &wide.bRow, &wide.bColumn);
        if (!gemm->fresh)
            toFloats(c, part.c, part.count, &wide.cStep, wide.m, wide.n, &wide.cRow, &one);
        wide.cRow = wide.n;
        wide.cStep = wide.m * wide.n;
        THGemm_beginAtC(&wide);
        const int status = THGemm_products(TH_FLOAT, &wide);
        if (status != TH_OK)
            return status;
        fromFloat(&part, part.count, c);
    }
    return TH_OK;
}

static int halfMatrix(const THGemm *gemm)
{
    HalfChunks chunks = {.gemm = gemm, .rows = gemm->m};
    if (gemm->n <= HALF_COLUMNS && gemm->k > 0) {
        chunks.rows = (HALF_CHUNK / gemm->k + 1) * VECTOR_GROUP;
        if (gemm->aRow == 1 && chunks.rows < HALF_TURNED)
            chunks.rows = HALF_TURNED;
    }
    if (gemm->m <= chunks.rows)
        return halfRows(gemm);
    TH_parallel_for((gemm->m - 1) / chunks.rows + 1, 1, halfChunks, &chunks);
    return chunks.status;
}

/* A vector that lies in steps is gathered for all rows. */
static int THHalfBlas_gemm(const THGemm *gemm)
{
    if (gemm->m == 1 && gemm->n == 1 && gemm->k > HALF_TERMS && *(const float *)gemm->alpha != 0)
        return halfDot(gemm);
    if (gemm->n != 1 || gemm->bRow == 1 || gemm->k < HALF_LINE)
        return halfMatrix(gemm);
    const int64_t item = sizeof(THHalf);
    THHalf *const line = THAlloc((size_t)(gemm->k * item));
    THGemm of = *gemm;
    if (line == NULL)
        return TH_ERROR_MEMORY;
    THMove_gather(item, (char *)line, gemm->b, 1, 0, gemm->k, gemm->bRow * item);
    of.b = line;
    of.bRow = 1;
    const int status = halfMatrix(&of);
    THFree(line);
    return status;
}

/* few: all the products, if they are done best at once. Others than floats find self in C. */
typedef struct Products {
    bool (*few)(const THGemm *gemm);
    int (*one)(const THGemm *gemm);
    bool readsSelf;
} Products;

static bool notFew(const THGemm *gemm)
{
    (void)gemm;
    return false;
}

static const Products products[TH_DTYPE_LIMIT] = {
    [TH_BYTE] = {THCharBlas_fewWhole, THCharBlas_general}, /* the same bits, as sums wrap */
    [TH_CHAR] = {THCharBlas_fewWhole, THCharBlas_general},
    [TH_SHORT] = {THShortBlas_fewWhole, THShortBlas_general},
    [TH_INT] = {THIntBlas_fewWhole, THIntBlas_general},
    [TH_LONG] = {THLongBlas_fewWhole, THLongBlas_general},
    [TH_HALF] = {notFew, THHalfBlas_gemm},
    [TH_FLOAT] = {THFloatBlas_few, THFloatBlas_gemm, .readsSelf = true},
    [TH_DOUBLE] = {THDoubleBlas_few, THDoubleBlas_gemm, .readsSelf = true},
};

int THGemm_products(THDtype dtype, const THGemm *gemm)
{
    int status = TH_OK;
    const int64_t size = THDtype_size(dtype);
    THGemm one = *gemm;
    if (!products[dtype].readsSelf)
        copySelf(&one, size);
    if (dtype == TH_HALF && gemm->batch > 1 && largestMatrix(gemm) <= HALF_BATCH / 2)
        return halfBatch(&one);
    if (products[dtype].few(&one))
        return TH_OK;
    one.count = 1;
    for (int64_t i = 0; i < gemm->count && status == TH_OK; i++) {
        status = products[dtype].one(&one);
        THGemm_next(&one, size);
    }
    return status;
}

void THGemm_lower(THDtype dtype, const THGemm *gemm, int64_t diagonal)
{
    THGemm lower = *gemm;
    lower.isLower = true;
    lower.diagonal = diagonal;
    if (dtype == TH_FLOAT)
        THFloatBlas_tiles(&lower);
    else
        THDoubleBlas_tiles(&lower);
}
