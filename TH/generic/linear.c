/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vectors times vectors and matrices, divided among threads by their sizes alone; included by
 * TH/ops/THGemm.c for each dtype but Bool, Byte and Half. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THGemm.c instead"
#endif

#define THBlas_(name) TH_CONCAT_4(TH, Real, Blas_, name)
#define sum_t TH_CONCAT_2(GEMM_SUM_, Real)

typedef struct THBlas_(Dot) { /* large: no initialiser */
    const THGemm *gemm;
    int64_t size; /* of a part */
    accreal sums[DOT_PARTS];
} THBlas_(Dot);

static void THBlas_(dotParts)(int64_t begin, int64_t end, void *context)
{
    THBlas_(Dot) *dot = context;
    const THGemm *gemm = dot->gemm;
    for (int64_t part = begin; part < end; part++) {
        const int64_t first = part * dot->size;
        dot->sums[part] =
            THBlas_(lines)(THSize_min(gemm->k - first, dot->size),
                           (const scalar_t *)gemm->a + first * gemm->aColumn, gemm->aColumn,
                           (const scalar_t *)gemm->b + first * gemm->bRow, gemm->bRow);
    }
}

static void THBlas_(dot)(const THGemm *gemm)
{
    THBlas_(Dot) dot;
    dot.gemm = gemm;
    dot.size = partSize(gemm->k, DOT_LEAST, DOT_PARTS);
    const int64_t parts = (gemm->k - 1) / dot.size + 1;
    TH_parallel_for(parts, dotGrain(parts), THBlas_(dotParts), &dot);
    for (int64_t part = 1; part < parts; part++)
        dot.sums[0] += dot.sums[part];
    const sum_t sum = (sum_t)dot.sums[0];
    THBlas_(store)(gemm, gemm->c, 1, 1, &sum, false);
}

/* Sums that are the result, or are put into it. */
static void THBlas_(put)(const THGemm *gemm, int64_t first, int64_t count, const sum_t *sums)
{
    scalar_t *c = (scalar_t *)gemm->c + first * gemm->cRow;
    if ((const void *)sums != (void *)c)
        THBlas_(store)(gemm, c, gemm->cRow, count, sums, false);
}

static bool THBlas_(isPlain)(const THGemm *gemm)
{
    return gemm->fresh && gemm->cRow == 1 && *(const scalar_t *)gemm->alpha == 1 &&
           sizeof(sum_t) == sizeof(scalar_t);
}

/* Rows whose elements are no neighbours, or few, times a vector: by a copy, of columns where these
 * are nearer to being lines. */
static void THBlas_(gatheredRows)(const THGemm *gemm, int64_t rows, const scalar_t *a, sum_t *sums)
{
    scalar_t room[GEMM_ROOM];
    const THLinearLoops *loops = THBlas_(linear)();
    const int64_t k = gemm->k, most = GEMM_ROOM / k;
    for (int64_t i = 0; i < rows; i += most, a += most * gemm->aRow) {
        const int64_t n = THSize_min(rows - i, most);
        if (gemm->aRow < gemm->aColumn) {
            copyLines(room, a, sizeof(scalar_t), k, gemm->aColumn, n, gemm->aRow);
            loops->columns(k, n, room, n, gemm->b, sums + i);
        } else {
            copyLines(room, a, sizeof(scalar_t), n, gemm->aRow, k, gemm->aColumn);
            loops->rows(n, k, room, k, gemm->b, sums + i);
        }
    }
}

/* Are rows few elements that lie apart? A copy of them, side by side, takes less time than they do
 * (50000 rows of 2 float32: 38 us, so 12; EPYC 9005). */
static bool THBlas_(isNarrow)(const THGemm *gemm)
{
    return gemm->aColumn == 1 && gemm->aRow != gemm->k &&
           gemm->k * (int64_t)sizeof(scalar_t) <= NARROW_BYTES;
}

/* A matrix times a vector, its rows being lines. */
static void THBlas_(vectorRows)(int64_t begin, int64_t end, void *context)
{
    const THGemm *gemm = context;
    sum_t few[NARROW_ROWS];
    const bool narrow = THBlas_(isNarrow)(gemm);
    const bool gathers = narrow || (gemm->aColumn != 1 && gemm->k <= TH_LINEAR_CHUNK);
    const int64_t stride = gemm->aRow * (int64_t)sizeof(scalar_t);
    const int64_t gap = stride - gemm->k * (int64_t)sizeof(scalar_t);
    const bool apart = gemm->aColumn == 1 && gap >= TH_LINE_BYTES;
    const bool asks = THMachine_readAhead > 0 && stride <= VECTOR_ASKED &&
                      gemm->m * stride >= VECTOR_FAR && !(apart && THMachine_readsInTurn);
    const int64_t most = narrow || (apart && !asks) ? NARROW_ROWS : VECTOR_ROWS;
    const int64_t block = most * stride;
    for (int64_t row = begin; row < end; row += most) {
        const int64_t rows = THSize_min(end - row, most);
        const scalar_t *a = (const scalar_t *)gemm->a + row * gemm->aRow;
        if (asks && (gemm->m - row - rows) * stride >= THMachine_readAhead)
            THMove_prefetch((const char *)a + THMachine_readAhead, block, false);
        sum_t *sums = THBlas_(isPlain)(gemm) ? (sum_t *)gemm->c + row : few;
        if (gathers)
            THBlas_(gatheredRows)(gemm, rows, a, sums);
        else if (gemm->aColumn == 1)
            THBlas_(linear)()->rows(rows, gemm->k, a, gemm->aRow, gemm->b, sums);
        for (int64_t i = 0; i < rows && gemm->aColumn != 1 && !gathers; i++)
            sums[i] = (sum_t)THBlas_(lines)(gemm->k, a + i * gemm->aRow, gemm->aColumn, gemm->b, 1);
        THBlas_(put)(gemm, row, rows, sums);
    }
}

/* A matrix of few long rows times a vector: parts of the rows. */
typedef struct THBlas_(Long) { /* large: no initialiser */
    const THGemm *gemm;
    int64_t size; /* terms of a part */
    sum_t sums[VECTOR_PARTS][VECTOR_ROWS];
} THBlas_(Long);

static void THBlas_(longParts)(int64_t begin, int64_t end, void *context)
{
    THBlas_(Long) *rows = context;
    const THGemm *gemm = rows->gemm;
    for (int64_t part = begin; part < end; part++) {
        const int64_t first = part * rows->size;
        THBlas_(linear)()->rows(gemm->m, THSize_min(gemm->k - first, rows->size),
                                (const scalar_t *)gemm->a + first, gemm->aRow,
                                (const scalar_t *)gemm->b + first, rows->sums[part]);
    }
}

static void THBlas_(longRows)(const THGemm *gemm)
{
    THBlas_(Long) rows;
    rows.gemm = gemm;
    rows.size = partSize(gemm->k, TH_LINEAR_CHUNK, VECTOR_PARTS);
    const int64_t parts = (gemm->k - 1) / rows.size + 1;
    TH_parallel_for(parts, VECTOR_WORK / (gemm->m * rows.size) + 1, THBlas_(longParts), &rows);
    for (int64_t i = 0; i < gemm->m; i++) {
        accreal total = 0;
        for (int64_t part = 0; part < parts; part++)
            total += (accreal)rows.sums[part][i];
        rows.sums[0][i] = (sum_t)total;
    }
    THBlas_(put)(gemm, 0, gemm->m, rows.sums[0]);
}

/* A matrix times a vector, its columns being lines: parts of the lines and of the columns. */
typedef struct THBlas_(Columns) {
    const THGemm *gemm;
    int64_t lines; /* of a part */
    sum_t *sums;   /* (part, m) */
} THBlas_(Columns);

static void THBlas_(vectorColumns)(int64_t begin, int64_t end, void *context)
{
    const THBlas_(Columns) *columns = context;
    const THGemm *gemm = columns->gemm;
    const int64_t blocks = (gemm->m - 1) / VECTOR_COLUMNS + 1;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = i / blocks * columns->lines, column = i % blocks * VECTOR_COLUMNS;
        const int64_t count = THSize_min(gemm->m - column, VECTOR_COLUMNS);
        sum_t *sums = columns->sums + i / blocks * gemm->m + column;
        THBlas_(linear)()->columns(THSize_min(gemm->k - first, columns->lines), count,
                                   (const scalar_t *)gemm->a + first * gemm->aColumn + column,
                                   gemm->aColumn, (const scalar_t *)gemm->b + first, sums);
    }
}

static int THBlas_(byColumns)(const THGemm *gemm)
{
    sum_t few[VECTOR_COLUMNS], *room = NULL;
    const bool plain = THBlas_(isPlain)(gemm);
    THBlas_(Columns) columns = {.gemm = gemm, .sums = few};
    const int64_t blocks = (gemm->m - 1) / VECTOR_COLUMNS + 1;
    const int64_t least = VECTOR_WORK / THSize_min(gemm->m, VECTOR_COLUMNS) + 1;
    columns.lines = blocks >= VECTOR_PARTS ? gemm->k : partSize(gemm->k, least, VECTOR_PARTS);
    const int64_t parts = (gemm->k - 1) / columns.lines + 1, n = parts * gemm->m;
    if (plain && parts == 1)
        columns.sums = gemm->c;
    else if (n > VECTOR_COLUMNS)
        room = columns.sums = THAlloc((size_t)n * sizeof(sum_t) + 2 * PAGE_BYTES);
    if (columns.sums == NULL)
        return TH_ERROR_MEMORY;
    if (room != NULL) { /* far from the lines in their pages: loads would wait for stores */
        const uintptr_t apart = (uintptr_t)gemm->a + PAGE_BYTES / 2 - (uintptr_t)room;
        columns.sums = room + apart % PAGE_BYTES / sizeof(sum_t);
    }
    TH_parallel_for(parts * blocks, 1, THBlas_(vectorColumns), &columns);
    sum_t *const sums = columns.sums;
    for (int64_t part = 1; part < parts; part++) {
        for (int64_t i = 0; i < gemm->m; i++)
            sums[i] = (sum_t)(sums[i] + sums[part * gemm->m + i]);
    }
    THBlas_(put)(gemm, 0, gemm->m, sums);
    THFree(room);
    return TH_OK;
}

/* A matrix times a vector. */
static int THBlas_(vector)(const THGemm *gemm)
{
    scalar_t few[TH_LINEAR_CHUNK];
    THGemm copy = *gemm;
    scalar_t *gathered = few;
    /* rows that are gathered at once, and so summed in an order that depends on their place */
    const int64_t unit = gemm->aColumn == 1 ? VECTOR_GROUP : VECTOR_ROWS;
    int status = TH_OK;
    if (gemm->bRow != 1 && gemm->k > TH_LINEAR_CHUNK)
        gathered = THAlloc((size_t)gemm->k * sizeof(scalar_t));
    if (gathered == NULL)
        return TH_ERROR_MEMORY;
    if (gemm->bRow != 1)
        copyLines(gathered, gemm->b, sizeof(scalar_t), 1, 0, gemm->k, gemm->bRow);
    copy.b = gemm->bRow == 1 ? gemm->b : gathered;
    if (gemm->aRow == 1 && gemm->aColumn != 1)
        status = THBlas_(byColumns)(&copy);
    else if (gemm->aColumn == 1 && gemm->m <= VECTOR_ROWS && gemm->k > 2 * TH_LINEAR_CHUNK)
        THBlas_(longRows)(&copy);
    else
        TH_parallel_for(gemm->m, (VECTOR_WORK / gemm->k / unit + 1) * unit, THBlas_(vectorRows),
                        &copy);
    if (gathered != few)
        THFree(gathered);
    return status;
}

/* One vector after the other. */
static int THBlas_(vectors)(const THGemm *gemm, int64_t cColumn)
{
    int status = TH_OK;
    THGemm one = *gemm;
    if (gemm->m == 1 && gemm->n == 1) {
        THBlas_(dot)(gemm);
        return TH_OK;
    }
    for (int64_t j = 0; j < gemm->n && status == TH_OK; j++) {
        status = THBlas_(vector)(&one);
        one.b = (const scalar_t *)one.b + gemm->bColumn;
        one.c = (scalar_t *)one.c + cColumn;
    }
    return status;
}

/* A small matrix times a vector, as they lie: the same bits as `vector` has. */
static void THBlas_(fewVector)(const THLinearLoops *loops, const THGemm *gemm, sum_t *sums)
{
    accreal sum;
    if (gemm->m == 1) {
        loops->dot(gemm->k, gemm->a, gemm->b, &sum);
        *sums = (sum_t)sum;
    } else if (gemm->aColumn == 1) {
        loops->rows(gemm->m, gemm->k, gemm->a, gemm->aRow, gemm->b, sums);
    } else {
        loops->columns(gemm->k, gemm->m, gemm->a, gemm->aColumn, gemm->b, sums);
    }
}

/* Small matrices times vectors. */
static bool THBlas_(fewVectors)(const THGemm *gemm, int64_t cColumn)
{
    const THLinearLoops *loops = THBlas_(linear)();
    sum_t few[VECTOR_ROWS];
    scalar_t line[VECTOR_ROWS];
    THGemm one = *gemm;
    const double work = (double)gemm->m * (double)gemm->n * (double)gemm->k;
    const scalar_t alpha = *(const scalar_t *)gemm->alpha;
    const scalar_t beta = gemm->fresh ? 0 : *(const scalar_t *)gemm->beta;
    const bool direct = gemm->fresh && alpha == 1 && sizeof(sum_t) == sizeof(scalar_t) &&
                        (gemm->cRow == 1 || gemm->m == 1);
    if (work > GEMM_VECTOR || (gemm->m >= NARROW_ROWS && THBlas_(isNarrow)(gemm)) ||
        (gemm->bRow != 1 && gemm->k > VECTOR_ROWS) ||
        (gemm->aColumn != 1 && (gemm->aRow != 1 || gemm->m == 1)) ||
        (!direct && gemm->m > VECTOR_ROWS))
        return false;
    for (int64_t i = 0; i < gemm->count; i++) {
        scalar_t *c = (scalar_t *)gemm->c + i * gemm->cStep;
        one.a = (const scalar_t *)gemm->a + i * gemm->aStep;
        const scalar_t *b = (const scalar_t *)gemm->b + i * gemm->bStep;
        const storage_t *self = (const storage_t *)gemm->self + i * gemm->selfStep;
        for (int64_t j = 0; j < gemm->n; j++) {
            one.b = gemm->bRow == 1 ? b : line;
            for (int64_t p = 0; p < gemm->k && gemm->bRow != 1; p++)
                line[p] = b[p * gemm->bRow];
            THBlas_(fewVector)(loops, &one, direct ? (sum_t *)c : few);
            for (int64_t row = 0; row < gemm->m && !direct; row++) {
                const scalar_t product = (scalar_t)(alpha * (scalar_t)few[row]);
                c[row * gemm->cRow] =
                    gemm->fresh ? product : (scalar_t)(beta * self[row * gemm->selfRow] + product);
            }
            b += gemm->bColumn;
            c += cColumn;
            self += gemm->selfColumn;
        }
    }
    return true;
}

static void THBlas_(someRows)(int64_t begin, int64_t end, void *context)
{
    THGemm gemm = *(const THGemm *)context;
    gemm.m = end - begin;
    gemm.a = (const scalar_t *)gemm.a + begin * gemm.aRow;
    gemm.c = (scalar_t *)gemm.c + begin * gemm.cRow;
    gemm.self = (const scalar_t *)gemm.self + begin * gemm.selfRow;
    gemm.diagonal += begin;
    THBlas_(linear)()->multiply(&gemm, 1);
}

/* Products by a small B whose columns are not neighbours: by a copy. */
static void THBlas_(gathered)(const THGemm *gemm)
{
    scalar_t room[GEMM_ROOM];
    THGemm one = *gemm;
    const int64_t row = gemm->n * gemm->k;
    one.b = room;
    one.bRow = gemm->n;
    one.bColumn = 1;
    for (int64_t i = 0; i < gemm->count; i++) {
        const scalar_t *b = (const scalar_t *)gemm->b + i * gemm->bStep;
        one.a = (const scalar_t *)gemm->a + i * gemm->aStep;
        one.c = (scalar_t *)gemm->c + i * gemm->cStep;
        one.self = one.c;
        for (int64_t p = 0; p < gemm->k && (i == 0 || gemm->bStep != 0); p++) {
            for (int64_t j = 0; j < gemm->n; j++)
                room[p * gemm->n + j] = b[p * gemm->bRow + j * gemm->bColumn];
        }
        if (gemm->count > 1)
            THBlas_(linear)()->multiply(&one, 1);
        else
            TH_parallel_for(gemm->m, 1 + VECTOR_WORK / row, THBlas_(someRows), &one);
    }
}

/* Small products of integers, and those that packing is not worth. */
static bool THBlas_(fewWhole)(const THGemm *gemm)
{
    THGemm upright = *gemm;
    int64_t cColumn;
    const double row = (double)gemm->n * (double)gemm->k, work = row * (double)gemm->m;
    if (gemm->k == 0 || *(const scalar_t *)gemm->alpha == 0)
        return false;
    if (asVectors(&upright, &cColumn, GEMM_VECTORS))
        return THBlas_(fewVectors)(&upright, cColumn);
    if ((gemm->bColumn != 1 && row > GEMM_ROOM) ||
        (gemm->k > GEMM_SHALLOW && gemm->m > GEMM_LOW && work > GEMM_PLAIN))
        return false;
    if (gemm->bColumn != 1)
        THBlas_(gathered)(gemm);
    else if (gemm->count > 1)
        THBlas_(linear)()->multiply(gemm, gemm->count);
    else
        TH_parallel_for(gemm->m, 1 + (int64_t)(VECTOR_WORK / row), THBlas_(someRows), (void *)gemm);
    return true;
}

static int THBlas_(general)(const THGemm *gemm)
{
    THGemm upright = *gemm;
    int64_t cColumn;
    if (gemm->k == 0 || *(const scalar_t *)gemm->alpha == 0 ||
        !asVectors(&upright, &cColumn, GEMM_VECTORS))
        return THBlas_(loops)(gemm);
    return THBlas_(vectors)(&upright, cColumn);
}

#undef THBlas_
#undef sum_t
