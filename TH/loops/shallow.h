/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to linear.h: products of few terms and nothing else, in rows of C one at a time, or two
 * that begin alike in their lines, of which vectors fill whole ones: a store to two takes twice.
 * There is little to sum and much to write: tiles would write pieces of eight rows by turns, which
 * takes longer where C is beyond the first-level cache. Each element is summed in the order of k,
 * as tiles sum it. */
#define SHALLOW_TERMS 5
#define SHALLOW_COLUMNS (4 * LANES) /* that are worth the vectors of factors */
#define SHALLOW_BYTES 16384         /* of B, columns of which the first-level cache keeps */
#define SHALLOW_LOW 4               /* rows for which a larger B is taken in strips, unless far, */
#define SHALLOW_FACTORS 16          /* and elements of A */
#define SHALLOW_COPIED 32           /* rows worth a copy of a B that does not lie in whole lines */
#if VECTOR_BYTES == 64
#define SHALLOW_ROWS 2 /* for whose factors there are registers */
#else
#define SHALLOW_ROWS 1
#endif

/* Some columns of a product; those of B are `bRow` apart. */
typedef struct Shallow {
    const THGemm *gemm;
    const lane_t *b;
    int64_t n, bRow;
} Shallow;

/* `count` columns of `rows` rows. `k` and `rows` are constants. */
INLINE void sumShallow(int k, int rows, const Shallow *part, Words x[][SHALLOW_TERMS],
                       const lane_t *b, lane_t *c, int count)
{
    Words sum[SHALLOW_ROWS] = {{0}};
#pragma GCC unroll 5
    for (int p = 0; p < k; p++) {
        const Words row =
            count == LANES ? loadRow(b + p * part->bRow) : loadPart(b + p * part->bRow, count);
#pragma GCC unroll 2
        for (int i = 0; i < rows; i++)
            sum[i] = fused(x[i][p], row, sum[i]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < rows; i++)
        storePart(c + i * part->gemm->cRow, sum[i], count);
}

INLINE void shallowRows(int k, int rows, const Shallow *part, const lane_t *a, lane_t *c)
{
    const int64_t n = part->n;
    const lane_t *b = part->b;
    Words x[SHALLOW_ROWS][SHALLOW_TERMS];
    /* columns before the first line that begins */
    int64_t j = LANES_MASKED ? -((intptr_t)c / LANE_BYTES) & (LANES - 1) : 0;
    j = j < n ? j : n;
#pragma GCC unroll 2
    for (int i = 0; i < rows; i++) {
#pragma GCC unroll 5
        for (int p = 0; p < k; p++)
            x[i][p] = spread(a[i * part->gemm->aRow + p * part->gemm->aColumn]);
    }
    if (j > 0)
        sumShallow(k, rows, part, x, b, c, (int)j);
    for (; j + LANES <= n; j += LANES)
        sumShallow(k, rows, part, x, b + j, c + j, LANES);
    if (j < n)
        sumShallow(k, rows, part, x, b + j, c + j, (int)(n - j));
}

/* `k` is a constant. */
INLINE void shallowColumns(int k, const Shallow *part, const lane_t *a, lane_t *c)
{
    const THGemm *gemm = part->gemm;
    int64_t i = 0;
    const bool together = !LANES_MASKED || gemm->cRow % LANES == 0;
    for (; together && i + SHALLOW_ROWS <= gemm->m; i += SHALLOW_ROWS)
        shallowRows(k, SHALLOW_ROWS, part, a + i * gemm->aRow, c + i * gemm->cRow);
    for (; i < gemm->m; i++)
        shallowRows(k, 1, part, a + i * gemm->aRow, c + i * gemm->cRow);
}

#define SHALLOW(k)                                                          \
    static void shallow##k(const Shallow *part, const lane_t *a, lane_t *c) \
    {                                                                       \
        shallowColumns(k, part, a, c);                                      \
    }
SHALLOW(1)
SHALLOW(2)
SHALLOW(3)
SHALLOW(4)
SHALLOW(5)

typedef void ShallowColumns(const Shallow *part, const lane_t *a, lane_t *c);

/* Of a B whose rows do not begin with lines of the caches, each of its vectors would be read from
 * two of them for every row of A. */
static __attribute__((noinline)) void copiedShallow(ShallowColumns *columns, int64_t k,
                                                    const Shallow *from, const lane_t *a, lane_t *c)
{
    _Alignas(VECTOR_BYTES) lane_t room[SHALLOW_BYTES / LANE_BYTES];
    Shallow part = *from;
    part.b = room;
    part.bRow = (part.n + LANES - 1) / LANES * LANES;
    for (int64_t p = 0; p < k; p++)
        memcpy(room + p * part.bRow, from->b + p * from->bRow, (size_t)part.n * LANE_BYTES);
    columns(&part, a, c);
}

static bool multiplyShallow(const THGemm *gemm, int64_t count)
{
    static ShallowColumns *const columnsOf[SHALLOW_TERMS] = {shallow1, shallow2, shallow3, shallow4,
                                                             shallow5};
    const int64_t k = gemm->k, n = gemm->n, most = SHALLOW_BYTES / LANE_BYTES;
    const lane_t *a = gemm->a, *b = gemm->b;
    lane_t *c = gemm->c;
    if (k > SHALLOW_TERMS || n < SHALLOW_COLUMNS || gemm->bColumn != 1 ||
        (k * n > most && (gemm->isFar || gemm->m > SHALLOW_LOW || gemm->m * k > SHALLOW_FACTORS)) ||
        !gemm->fresh || *(const lane_t *)gemm->alpha != 1)
        return false;
    const int64_t strip = most / k / LANES * LANES;
    const bool isWhole = (uintptr_t)b % VECTOR_BYTES == 0 && gemm->bRow % LANES == 0;
    const bool copies = LANES_MASKED && !isWhole && gemm->m >= SHALLOW_COPIED;
    for (; count > 0; count--) {
        for (int64_t j = 0; j < n; j += strip) {
            const Shallow part = {gemm, b + j, n - j < strip ? n - j : strip, gemm->bRow};
            if (copies)
                copiedShallow(columnsOf[k - 1], k, &part, a, c + j);
            else
                columnsOf[k - 1](&part, a, c + j);
        }
        a += gemm->aStep;
        b += gemm->bStep;
        c += gemm->cStep;
    }
    return true;
}
