/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The product of matrices by the BLAS library; included by TH/ops/THGemm.c for Float and Double. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THGemm.c instead"
#endif

#define THBlas_(name) TH_CONCAT_4(TH, Real, Blas_, name)
#define TH_CBLAS(name) TH_CONCAT_3(name, _, Real)

/* How many columns are multiplied as vectors, one by one. */
static int64_t THBlas_(mostVectors)(const THGemm *gemm)
{
    const bool lines = gemm->aColumn == 1 && !THBlas_(linear)()->isSlender(gemm);
    return lines ? GEMM_FLOATS * (int64_t)sizeof(float) / (int64_t)sizeof(scalar_t) : 1;
}

typedef struct THBlas_(Parts) {
    const THBlasTable *blas;
    const THGemm *gemm;
    const Operand *a, *b;
    int64_t count; /* of parts */
} THBlas_(Parts);

/* Where a part begins; the last one has what is left. */
static int64_t THBlas_(partRow)(const THBlas_(Parts) * parts, int64_t part)
{
    const int64_t m = parts->gemm->m, units = m / GEMM_PART;
    return part == parts->count ? m : (units * part + parts->count - 1) / parts->count * GEMM_PART;
}

static void THBlas_(parts)(int64_t begin, int64_t end, void *context)
{
    const THBlas_(Parts) *parts = context;
    const THGemm *gemm = parts->gemm;
    const Operand *a = parts->a, *b = parts->b;
    const scalar_t beta = gemm->fresh ? 0 : *(const scalar_t *)gemm->beta;
    const int64_t first = THBlas_(partRow)(parts, begin);
    const int64_t rows = THBlas_(partRow)(parts, end) - first;
    THGemm part = *gemm;
    part.m = rows;
    part.c = (scalar_t *)gemm->c + first * gemm->cRow;
    part.self = (const scalar_t *)gemm->self + first * gemm->selfRow;
    copySelf(&part, sizeof(scalar_t));
    parts->blas->TH_CBLAS(gemm)(ROW_MAJOR, a->transposed ? TRANSPOSED : PLAIN,
                                b->transposed ? TRANSPOSED : PLAIN, (int)rows, (int)gemm->n,
                                (int)gemm->k, *(const scalar_t *)gemm->alpha,
                                (const scalar_t *)a->data + first * gemm->aRow, (int)a->leading,
                                b->data, (int)b->leading, beta, part.c, (int)gemm->cRow);
}

static void THBlas_(divide)(const THBlasTable *blas, const THGemm *gemm, const Operand *a,
                            const Operand *b)
{
    THBlas_(Parts) parts = {.blas = blas, .gemm = gemm, .a = a, .b = b};
    const double unit = (double)gemm->n * (double)gemm->k * GEMM_PART;
    const int64_t most = gemm->m / GEMM_PART / ((int64_t)(GEMM_LEAST / unit) + 1);
    parts.count = most > 1 ? THSize_min(most, THThreads_get()) : 1;
    TH_parallel_for(parts.count, 1, THBlas_(parts), &parts);
}

static void THBlas_(someColumns)(int64_t begin, int64_t end, void *context)
{
    THGemm gemm = *(const THGemm *)context;
    gemm.n = end - begin;
    gemm.b = (const scalar_t *)gemm.b + begin * gemm.bColumn;
    gemm.c = (scalar_t *)gemm.c + begin;
    gemm.self = (const scalar_t *)gemm.self + begin;
    gemm.diagonal -= begin;
    THBlas_(linear)()->multiply(&gemm, 1);
}

/* Whether a product is shared by columns, `wide` vectors of them each, rather than by `high` rows:
 * where that is more even. What is copied of B is copied for each part of the rows, but parts of
 * narrow rows lie in the same lines of the caches, for which cores would wait. */
static bool THBlas_(sharesColumns)(int64_t wide, int64_t vectors, int64_t high, int64_t m)
{
    const bool narrow = vectors < GEMM_NARROW * THThreads_get();
    return narrow ? 8 * wide * m <= 7 * high * vectors : wide * m <= high * vectors;
}

/* Is a small B of one product a part of rows that lie so far apart that caches keep few of them?
 * All of it is read for each of a few rows of A. */
static bool THBlas_(collides)(const THGemm *gemm)
{
    const int64_t stride = gemm->bRow * (int64_t)sizeof(scalar_t);
    return gemm->count == 1 && gemm->bColumn == 1 && gemm->bRow > gemm->n &&
           stride % COLLIDING == 0 && gemm->k >= COLLIDING_ROWS && gemm->m >= GEMM_HIGH &&
           gemm->n * (int64_t)sizeof(scalar_t) <= COLLIDING_ROW &&
           gemm->n * gemm->k <= COLLIDING_BYTES / (int64_t)sizeof(scalar_t);
}

/* Products by our own loops, in parts of columns or of rows. */
static void THBlas_(tiles)(const THGemm *gemm)
{
    const int64_t lanes = TH_GEMM_LINE / (int64_t)sizeof(scalar_t);
    const int64_t vectors = (gemm->n - 1) / lanes + 1;
    const double lines = (double)gemm->m * (double)vectors * (double)gemm->k;
    const size_t room = (size_t)(gemm->k * gemm->n) * sizeof(scalar_t);
    scalar_t *const copy = THBlas_(collides)(gemm) ? THAlloc(room) : NULL;
    THGemm one = *gemm;
    if (copy != NULL) {
        copyLines(copy, gemm->b, sizeof(scalar_t), gemm->k, gemm->bRow, gemm->n, 1);
        one.b = copy;
        one.bRow = gemm->n;
    }
    one.isHigh = gemm->m >= GEMM_HIGH && gemm->n > lanes;
    if (lines < 2 * GEMM_GRAIN || THThreads_get() == 1) {
        THBlas_(linear)()->multiply(&one, gemm->count);
        THFree(copy);
        return;
    }
    const int64_t wide = shareOf(vectors, lines, 1), high = shareOf(gemm->m, lines, GEMM_UNIT);
    for (int64_t i = 0; i < gemm->count; i++) {
        if (THBlas_(sharesColumns)(wide, vectors, high, gemm->m))
            TH_parallel_for(gemm->n, wide * lanes, THBlas_(someColumns), &one);
        else
            TH_parallel_for(gemm->m, high, THBlas_(someRows), &one);
        one.a = (const scalar_t *)one.a + gemm->aStep;
        one.b = (const scalar_t *)one.b + gemm->bStep;
        one.c = (scalar_t *)one.c + gemm->cStep;
        one.self = (const scalar_t *)one.self + gemm->selfStep;
    }
    THFree(copy);
}

/* A column times a row that is long, row by row: tiles would write to many pages at once. They ask
 * for what they write, though, where machines gain by that. */
static void THBlas_(outerRows)(int64_t begin, int64_t end, void *context)
{
    const THGemm *gemm = context;
    const scalar_t *a = (const scalar_t *)gemm->a + begin * gemm->aRow;
    scalar_t *c = (scalar_t *)gemm->c + begin * gemm->cRow;
    for (int64_t i = begin; i < end; i++, a += gemm->aRow, c += gemm->cRow)
        THBlas_(linear)()->columns(1, gemm->n, gemm->b, 0, a, c);
}

static bool THBlas_(fewOuter)(const THGemm *gemm)
{
    if (gemm->k != 1 || gemm->count > 1 || gemm->bColumn != 1 || !gemm->fresh ||
        *(const scalar_t *)gemm->alpha != 1 || gemm->n * (int64_t)sizeof(scalar_t) < GEMM_ROW ||
        (THMachine_asksForWrites && gemm->m * gemm->n > GEMM_ASKED / (int64_t)sizeof(scalar_t)))
        return false;
    TH_parallel_for(gemm->m, VECTOR_WORK / gemm->n + 1, THBlas_(outerRows), (void *)gemm);
    return true;
}

static void THBlas_(linesOfRows)(int64_t begin, int64_t end, void *context)
{
    THGemm gemm = *(const THGemm *)context;
    gemm.m = end - begin;
    gemm.a = (const scalar_t *)gemm.a + begin * gemm.aRow;
    gemm.c = (scalar_t *)gemm.c + begin * gemm.cRow;
    gemm.self = (const scalar_t *)gemm.self + begin * gemm.selfRow;
    THBlas_(linear)()->lines(&gemm, gemm.count);
}

static void THBlas_(linesOfColumns)(int64_t begin, int64_t end, void *context)
{
    THGemm gemm = *(const THGemm *)context;
    gemm.n = end - begin;
    gemm.b = (const scalar_t *)gemm.b + begin * gemm.bColumn;
    gemm.c = (scalar_t *)gemm.c + begin;
    gemm.self = (const scalar_t *)gemm.self + begin * gemm.selfColumn;
    THBlas_(linear)()->lines(&gemm, gemm.count);
}

/* Few rows times a matrix whose columns are lines, or few columns the other way round; more where
 * these are long. */
static bool THBlas_(areFewLines)(const THGemm *gemm)
{
    const int64_t few = THSize_min(gemm->m, gemm->n);
    const int64_t bytes = gemm->k * (int64_t)sizeof(scalar_t);
    return gemm->aColumn == 1 && gemm->bRow == 1 && bytes >= GEMM_LONG &&
           gemm->k <= TH_LINEAR_CHUNK && few >= 2 &&
           few <= (bytes >= GEMM_LONGER ? GEMM_MORE_LINES : GEMM_LINES);
}

static bool THBlas_(fewLines)(const THGemm *gemm)
{
    const int64_t few = THSize_min(gemm->m, gemm->n);
    if (!THBlas_(areFewLines)(gemm))
        return false;
    const int64_t grain =
        (VECTOR_WORK / (few * gemm->k * gemm->count) / VECTOR_GROUP + 1) * VECTOR_GROUP;
    if (gemm->n < gemm->m)
        TH_parallel_for(gemm->m, grain, THBlas_(linesOfRows), (void *)gemm);
    else
        TH_parallel_for(gemm->n, grain, THBlas_(linesOfColumns), (void *)gemm);
    return true;
}

/* Few lines times few lines, all of them long: parts of the lines. */
typedef struct THBlas_(LongLines) { /* large: no initialiser */
    const THGemm *gemm;
    int64_t size; /* terms of a part */
    double sums[VECTOR_PARTS][GEMM_LINES * GEMM_LINES];
} THBlas_(LongLines);

static void THBlas_(linesParts)(int64_t begin, int64_t end, void *context)
{
    THBlas_(LongLines) *lines = context;
    const THGemm *gemm = lines->gemm;
    const int64_t count = gemm->m * gemm->n;
    const scalar_t one = 1;
    scalar_t few[GEMM_LINES * GEMM_LINES];
    THGemm chunk = *gemm;
    chunk.c = few;
    chunk.cRow = gemm->n;
    chunk.alpha = &one;
    chunk.fresh = true;
    THGemm_beginAtC(&chunk);
    for (int64_t part = begin; part < end; part++) {
        double *sums = lines->sums[part];
        const int64_t last = THSize_min(gemm->k, (part + 1) * lines->size);
        for (int64_t i = 0; i < count; i++)
            sums[i] = 0;
        for (int64_t first = part * lines->size; first < last; first += TH_LINEAR_CHUNK) {
            chunk.k = THSize_min(last - first, TH_LINEAR_CHUNK);
            chunk.a = (const scalar_t *)gemm->a + first;
            chunk.b = (const scalar_t *)gemm->b + first;
            THBlas_(linear)()->lines(&chunk, 1);
            for (int64_t i = 0; i < count; i++)
                sums[i] += (double)few[i];
        }
    }
}

static void THBlas_(ofLongLines)(const THGemm *gemm)
{
    THBlas_(LongLines) lines;
    THGemm whole = *gemm;
    scalar_t few[GEMM_LINES];
    lines.gemm = gemm;
    lines.size = partSize(gemm->k, TH_LINEAR_CHUNK, VECTOR_PARTS);
    const int64_t parts = (gemm->k - 1) / lines.size + 1;
    TH_parallel_for(parts, VECTOR_WORK / (gemm->m * gemm->n * lines.size) + 1, THBlas_(linesParts),
                    &lines);
    copySelf(&whole, sizeof(scalar_t));
    for (int64_t i = 0; i < gemm->m; i++) {
        for (int64_t j = 0; j < gemm->n; j++) {
            const int64_t place = i * gemm->n + j;
            double sum = 0;
            for (int64_t part = 0; part < parts; part++)
                sum += lines.sums[part][place];
            few[j] = (scalar_t)sum;
        }
        THBlas_(store)(&whole, (scalar_t *)gemm->c + i * gemm->cRow, 1, gemm->n, few, false);
    }
}

static bool THBlas_(longLines)(const THGemm *gemm)
{
    if (gemm->aColumn != 1 || gemm->bRow != 1 || gemm->k <= TH_LINEAR_CHUNK || gemm->m < 2 ||
        gemm->n < 2 || gemm->m > GEMM_LINES || gemm->n > GEMM_LINES || gemm->m * gemm->n == 4)
        return false;
    THGemm one = *gemm;
    one.count = 1;
    for (int64_t i = 0; i < gemm->count; i++) {
        THBlas_(ofLongLines)(&one);
        THGemm_next(&one, sizeof(scalar_t));
    }
    return true;
}

/* Whether our own loops do best. */
static bool THBlas_(fewTiles)(const THGemm *gemm)
{
    const double work = (double)gemm->m * (double)gemm->n * (double)gemm->k;
    return work <= GEMM_SMALL || gemm->n <= GEMM_COLUMNS || gemm->m <= TH_GEMM_FEW;
}

/* Products of which the rows of A, those to the `left`, or the columns of B become lines by a copy,
 * of many of a batch at once. */
static void THBlas_(copiedLines)(const THGemm *gemm, bool left)
{
    const int64_t n = left ? gemm->m : gemm->n, size = n * gemm->k;
    const int64_t line = left ? gemm->aRow : gemm->bColumn;
    const int64_t term = left ? gemm->aColumn : gemm->bRow;
    const int64_t step = left ? gemm->aStep : gemm->bStep;
    const scalar_t *data = left ? gemm->a : gemm->b;
    scalar_t room[GEMM_ROOM];
    THGemm one = *gemm;
    *(left ? &one.a : &one.b) = room;
    *(left ? &one.aRow : &one.bColumn) = gemm->k;
    *(left ? &one.aColumn : &one.bRow) = 1;
    *(left ? &one.aStep : &one.bStep) = step == 0 ? 0 : size;
    const int64_t most = step == 0 ? gemm->count : GEMM_ROOM / size;
    for (int64_t i = 0; i < gemm->count; i += one.count) {
        one.count = THSize_min(gemm->count - i, most);
        const int64_t copies = step == 0 ? 1 : one.count;
        const int64_t together = step == n * line ? copies : 1;
        for (int64_t p = 0; p < copies; p += together)
            copyLines(room + p * size, data + (i + p) * step, sizeof(scalar_t), together * n, line,
                      gemm->k, term);
        if (left)
            one.b = (const scalar_t *)gemm->b + i * gemm->bStep;
        else
            one.a = (const scalar_t *)gemm->a + i * gemm->aStep;
        one.c = (scalar_t *)gemm->c + i * gemm->cStep;
        one.self = (const scalar_t *)gemm->self + i * gemm->selfStep;
        THBlas_(fewLines)(&one);
    }
}

/* Few columns that are not lines, which are copied as such: they would leave lanes empty. */
static bool THBlas_(fewColumns)(const THGemm *gemm)
{
    const int64_t lanes = TH_GEMM_LINE / (int64_t)sizeof(scalar_t), n = gemm->n, k = gemm->k;
    /* What lanes that are not empty save, in half multiplications of vectors, against the sums
     * across lanes and the copy. */
    const double saved = (double)gemm->m * (double)k * (double)(lanes - n);
    if (gemm->bRow == 1 || gemm->aColumn != 1 || n < 2 || n > GEMM_LINES || n * k > GEMM_ROOM ||
        k * (int64_t)sizeof(scalar_t) < GEMM_LONG ||
        saved <= (double)(lanes * n) * (5 * (double)gemm->m + 3 * (double)k))
        return false;
    THBlas_(copiedLines)(gemm, false);
    return true;
}

/* Rows of which neither they nor their columns are lines, times columns that are: by a copy. */
static bool THBlas_(fewRows)(const THGemm *gemm)
{
    const int64_t lanes = TH_GEMM_LINE / (int64_t)sizeof(scalar_t);
    const int64_t m = gemm->m, n = gemm->n, k = gemm->k;
    if (gemm->aColumn == 1 || gemm->aRow == 1 || m > GEMM_LINES || m * k > GEMM_ROOM)
        return false;
    THGemm copied = *gemm;
    copied.aColumn = 1;
    /* As for columns, but that B is not turned into rows, which takes as long as a copy. */
    const double empty = (double)((n + lanes - 1) / lanes * lanes - n);
    const double saved = (double)m * (double)k * empty + 3 * (double)(lanes * n) * (double)k;
    if (!THBlas_(areFewLines)(&copied) ||
        saved <= (double)(lanes * m) * (5 * (double)n + 3 * (double)k))
        return false;
    THBlas_(copiedLines)(gemm, true);
    return true;
}

/* Whether B is read from afar: one that is large, or those of a batch that are large together, if
 * each of them is worth loops that read row after row (32 of 8 x 100 by 100 x 1000 float32: 950 us,
 * so 710). */
static bool THBlas_(readsFar)(const THGemm *gemm)
{
    const double row = (double)gemm->n * sizeof(scalar_t), bytes = row * (double)gemm->k;
    const bool isPart = gemm->bStep != 0 && bytes > GEMM_FAR_PART && row >= GEMM_FAR_ROW;
    return !gemm->isTall && gemm->m <= TH_LINEAR_LOW && gemm->bColumn == 1 &&
           (isPart ? bytes * (double)gemm->batch : bytes) > GEMM_FAR;
}

/* Of which B is read where it lies, or packed by the loops. */
static void THBlas_(asTiles)(const THGemm *gemm)
{
    THGemm whole = *gemm;
    whole.isFar = THBlas_(readsFar)(gemm);
    if (whole.selfColumn != 1)
        copySelf(&whole, sizeof(scalar_t));
    THBlas_(tiles)(&whole);
}

/* A small B of which neither rows nor columns are runs: by copies, of many of a batch at once. */
static bool THBlas_(fewStrided)(const THGemm *gemm)
{
    const int64_t n = gemm->n, k = gemm->k, size = n * k;
    scalar_t room[GEMM_ROOM];
    THGemm one = *gemm;
    if (gemm->bRow == 1 || gemm->bColumn == 1 || n == 1 || size > GEMM_ROOM)
        return false;
    one.b = room;
    one.bRow = n;
    one.bColumn = 1;
    one.bStep = gemm->bStep == 0 ? 0 : size;
    const int64_t most = gemm->bStep == 0 ? gemm->count : GEMM_ROOM / size;
    for (int64_t i = 0; i < gemm->count; i += one.count) {
        one.count = THSize_min(gemm->count - i, most);
        const int64_t copies = gemm->bStep == 0 ? 1 : one.count;
        const int64_t together = gemm->bStep == k * gemm->bRow ? copies : 1;
        for (int64_t p = 0; p < copies; p += together)
            copyLines(room + p * size, (const scalar_t *)gemm->b + (i + p) * gemm->bStep,
                      sizeof(scalar_t), together * k, gemm->bRow, n, gemm->bColumn);
        one.a = (const scalar_t *)gemm->a + i * gemm->aStep;
        one.c = (scalar_t *)gemm->c + i * gemm->cStep;
        one.self = (const scalar_t *)gemm->self + i * gemm->selfStep;
        THBlas_(asTiles)(&one);
    }
    return true;
}

/* Whether columns fill their vectors, short ones three quarters, and rows are many: then copies of
 * the columns take less time than sums across lanes (400 x 48 by 48 x 24 float64: 22 us, so 13;
 * Xeon of the fifth generation). */
static bool THBlas_(fillVectors)(const THGemm *gemm)
{
    const int64_t lanes = TH_GEMM_LINE / (int64_t)sizeof(scalar_t), n = gemm->n;
    const bool isShort = gemm->k * (int64_t)sizeof(scalar_t) <= GEMM_SHORT_LINE;
    return gemm->m > n && (gemm->m >= GEMM_HEIGHT || isShort) &&
           8 * n >= (isShort ? 6 : 7) * ((n + lanes - 1) / lanes * lanes);
}

static bool THBlas_(few)(const THGemm *gemm)
{
    THGemm upright = *gemm;
    int64_t cColumn;
    const bool none = gemm->k == 0 || *(const scalar_t *)gemm->alpha == 0;
    if (!none &&
        (THBlas_(fewOuter)(gemm) || (!THBlas_(fillVectors)(gemm) && THBlas_(fewLines)(gemm)) ||
         THBlas_(longLines)(gemm) || THBlas_(fewColumns)(gemm) || THBlas_(fewRows)(gemm)))
        return true;
    if (asVectors(&upright, &cColumn, THBlas_(mostVectors)(gemm)))
        return THBlas_(fewWhole)(gemm);
    if (none || !THBlas_(fewTiles)(gemm))
        return false;
    if (!THBlas_(fewStrided)(gemm))
        THBlas_(asTiles)(gemm);
    return true;
}

static int THBlas_(byLibrary)(const THBlasTable *blas, const THGemm *gemm)
{
    int status = TH_OK;
    THGemm copy = *gemm;
    Operand a, b;
    void *aCopy = NULL, *bCopy = NULL;
    if (!fitsLibrary(&a, copy.a, copy.m, copy.k, &copy.aRow, &copy.aColumn)) {
        TH_TRY(gather(&aCopy, copy.a, sizeof(scalar_t), copy.m, copy.k, &copy.aRow, &copy.aColumn));
        copy.a = aCopy;
        fitsLibrary(&a, copy.a, copy.m, copy.k, &copy.aRow, &copy.aColumn);
    }
    if (!fitsLibrary(&b, copy.b, copy.k, copy.n, &copy.bRow, &copy.bColumn)) {
        TH_TRY(gather(&bCopy, copy.b, sizeof(scalar_t), copy.k, copy.n, &copy.bRow, &copy.bColumn));
        copy.b = bCopy;
        fitsLibrary(&b, copy.b, copy.k, copy.n, &copy.bRow, &copy.bColumn);
    }
    THBlas_(divide)(blas, &copy, &a, &b);
done:
    THFree(aCopy);
    THFree(bCopy);
    return status;
}

static int THBlas_(gemm)(const THGemm *gemm)
{
    THGemm upright = *gemm, whole = *gemm;
    int64_t cColumn;
    const THBlasTable *blas = fitsInts(gemm) ? THBlas_table() : NULL;
    const bool isGeneral = gemm->k == 0 || *(const scalar_t *)gemm->alpha == 0 ||
                           asVectors(&upright, &cColumn, THBlas_(mostVectors)(gemm));
    if (!isGeneral && isWorth(blas))
        return THBlas_(byLibrary)(blas, gemm);
    if (isGeneral || gemm->selfColumn != 1)
        copySelf(&whole, sizeof(scalar_t));
    if (isGeneral)
        return THBlas_(general)(&whole);
    THBlas_(tiles)(&whole);
    return TH_OK;
}

#undef THBlas_
#undef TH_CBLAS
