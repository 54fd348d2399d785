/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Staging: moving an operand's elements into a buffer, as the kernel's dtype, and back. */
#include <TH/engine/THRun.h>

/* Rows of planes of up to so many elements are moved in turns, where they are not runs, too; of
 * twice as many where these have less than 8 bytes and rows are no shorter than columns. */
#define TURNED_ELEMENTS 16
#define TURNED_BYTES 2048 /* at once */

/* Dividing 64 bits takes several times as long. */
static inline int64_t quotient(int64_t a, int64_t b)
{
    return (a | b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

/* Where place `at` of the inner dims of operand k is, all but the last of which have this index. */
static char *locate(const THPlan *plan, int k, char *base, int64_t at, int64_t *index)
{
    const int inner = plan->nDimension - 1;
    const int64_t *stride = plan->stride[k], *size = plan->size;
    if (plan->outer == inner)
        return base + at * stride[inner];
    int64_t place = quotient(at, size[inner]);
    for (int d = inner - 1; d >= plan->outer; d--) {
        const int64_t next = d > plan->outer ? quotient(place, size[d]) : 0;
        index[d] = place - next * size[d];
        base += index[d] * stride[d];
        place = next;
    }
    return base;
}

/* The next index of dim d, of which `steps` are done. */
static char *advance(const THPlan *plan, int k, char *base, int64_t *index, int d, int64_t steps)
{
    const int64_t *stride = plan->stride[k], *size = plan->size;
    base += (steps - 1) * stride[d];
    index[d] += steps - 1;
    for (; d >= plan->outer; d--) {
        base += stride[d];
        if (++index[d] < size[d])
            break;
        base -= size[d] * stride[d];
        index[d] = 0;
    }
    return base;
}

/* Rows of n elements that lie in `planes` planes of `count`, one of each plane at a time. Those
 * that are not runs by way of a buffer, of many at once. */
typedef struct Turns {
    char *base, *run;
    int64_t planes, apart, count, step, n, stride;
} Turns;

static void moveTurn(const Turns *turns, int64_t size, char *row, char *run, bool load)
{
    _Alignas(TH_LINE_BYTES) char room[TURNED_BYTES];
    const int64_t bytes = turns->n * size, whole = turns->count * bytes, apart = turns->apart;
    int64_t some = TURNED_BYTES / bytes;
    for (int64_t left = turns->planes; left > 0; left -= some, row += some * apart) {
        some = THSize_min(some, left);
        if (load) {
            THMove_gather(size, room, row, some, apart, turns->n, turns->stride);
            THMove_rows(run, whole, room, bytes, some, bytes);
        } else {
            THMove_rows(room, bytes, run, whole, some, bytes);
            THMove_scatter(size, row, room, some, apart, turns->n, turns->stride);
        }
        run += some * whole;
    }
}

static void moveTurns(const Turns *turns, int64_t size, bool load)
{
    const int64_t bytes = turns->n * size, whole = turns->count * bytes;
    for (int64_t i = 0; i < turns->count; i++) {
        char *const row = turns->base + i * turns->step, *const run = turns->run + i * bytes;
        if (turns->stride != size)
            moveTurn(turns, size, row, run, load);
        else if (load)
            THMove_rows(run, whole, row, turns->apart, turns->planes, bytes);
        else
            THMove_rows(row, turns->apart, run, whole, turns->planes, bytes);
    }
}

/* Moves n elements of operand k, from place `at` of the inner dims on, to or from a run of its
 * dtype: whole rows, as many at once as the next dim has left; where that has less than the one
 * before it, and rows are adjacent elements or both are little, those of each of its places. */
static void moveBlock(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *run,
                      bool load)
{
    void (*const move)(int64_t, char *, const char *, int64_t, int64_t, int64_t, int64_t) =
        load ? THMove_gather : THMove_scatter;
    const int inner = plan->nDimension - 1;
    const int64_t *stride = plan->stride[k], *size = plan->size;
    const int64_t itemSize = THDtype_size((THDtype)plan->dtype[k]);
    int64_t index[TH_MAX_DIMS];

    base = locate(plan, k, base, at, index);
    if (plan->outer == inner) {
        move(itemSize, load ? run : base, load ? base : run, 1, 0, n, stride[inner]);
        return;
    }
    const int64_t count = size[inner - 1], bytes = size[inner] * itemSize;
    const int64_t most = TURNED_ELEMENTS * (itemSize < 8 && count <= size[inner] ? 2 : 1);
    const bool turn =
        inner - 1 > plan->outer && (stride[inner] == itemSize || count * size[inner] <= most);
    for (int64_t left = quotient(n, size[inner]), rows; left > 0; left -= rows) {
        int64_t planes = 0;
        if (turn && index[inner - 1] == 0 && left > count * count)
            planes = THSize_min(quotient(left, count), size[inner - 2] - index[inner - 2]);
        if (planes > count) {
            moveTurns(&(Turns){base, run, planes, stride[inner - 2], count, stride[inner - 1],
                               size[inner], stride[inner]},
                      itemSize, load);
            rows = planes * count;
            base = advance(plan, k, base, index, inner - 2, planes);
        } else {
            rows = THSize_min(left, count - index[inner - 1]);
            move(itemSize, load ? run : base, load ? base : run, rows, stride[inner - 1],
                 size[inner], stride[inner]);
            base = advance(plan, k, base, index, inner - 1, rows);
        }
        run += rows * bytes;
    }
}

void THStage_gather(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *run)
{
    moveBlock(plan, k, base, at, n, run, true);
}

void THStage_scatter(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *run)
{
    moveBlock(plan, k, base, at, n, run, false);
}

/* Where n elements lie if they are a run of memory, else NULL: those of a row, or of rows of which
 * each begins where the one before it ends. */
static char *runOf(const THPlan *plan, int k, char *base, int64_t at, int64_t n)
{
    const int inner = plan->nDimension - 1;
    const int64_t *stride = plan->stride[k], *size = plan->size;
    int64_t index[TH_MAX_DIMS];
    if (stride[inner] != THDtype_size((THDtype)plan->dtype[k]))
        return NULL;
    for (int d = inner - 1; d >= plan->outer && n > size[inner]; d--)
        if (stride[d] != size[d + 1] * stride[d + 1])
            return NULL;
    return locate(plan, k, base, at, index);
}

/* A run of operand k's dtype to the kernel's, and back. */
static void convertIn(const THPlan *plan, int k, int64_t n, char *to, const char *from, char *raw)
{
    THCast_through(n, to, (THDtype)plan->kernel->dtype[k], (THDtype)plan->via[k], raw + n * 8, from,
                   (THDtype)plan->dtype[k]);
}

static void convertOut(const THPlan *plan, int k, int64_t n, char *to, char *from)
{
    void *data[2] = {to, from};
    THCast_loop((THDtype)plan->dtype[k], (THDtype)plan->kernel->dtype[k])(n, data, NULL);
}

/* Rows of one element each, of one dim: these are converted, and then spread. */
static void loadRows(const THPlan *plan, int k, const char *base, int64_t at, int64_t n,
                     char *buffer, char *raw)
{
    const int inner = plan->nDimension - 1;
    const int64_t row = plan->size[inner], rows = quotient(n, row);
    const int64_t size = THDtype_size((THDtype)plan->kernel->dtype[k]);
    const int64_t step = plan->stride[k][plan->outer];
    char *const converted = raw + 2 * rows * 8; /* behind what convertIn needs */
    THMove_gather(THDtype_size((THDtype)plan->dtype[k]), raw, base + quotient(at, row) * step, 1, 0,
                  rows, step);
    convertIn(plan, k, rows, converted, raw, raw);
    THMove_gather(size, buffer, converted, rows, size, row, 0);
}

void THStage_load(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *buffer,
                  char *raw)
{
    const int inner = plan->nDimension - 1;
    if (!(plan->convert >> k & 1)) {
        moveBlock(plan, k, base, at, n, buffer, true);
        return;
    }
    if (plan->stride[k][inner] == 0 && plan->outer == inner - 1) {
        loadRows(plan, k, base, at, n, buffer, raw);
        return;
    }
    const char *from = runOf(plan, k, base, at, n);
    if (from == NULL) {
        moveBlock(plan, k, base, at, n, raw, true);
        from = raw;
    }
    convertIn(plan, k, n, buffer, from, raw);
}

void THStage_store(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *buffer,
                   char *raw)
{
    if (!(plan->convert >> k & 1)) {
        moveBlock(plan, k, base, at, n, buffer, false);
        return;
    }
    char *const to = runOf(plan, k, base, at, n);
    convertOut(plan, k, n, to ? to : raw, buffer);
    if (to == NULL)
        moveBlock(plan, k, base, at, n, raw, false);
}

void THStage_loadRow(const THPlan *plan, int k, const char *row, int64_t stride, int64_t n,
                     char *buffer, char *raw)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
    const bool converts = plan->convert >> k & 1, run = stride == size || n == 1;
    if (!converts || !run)
        THMove_gather(size, converts ? raw : buffer, row, 1, 0, n, stride);
    if (converts)
        convertIn(plan, k, n, buffer, run ? row : raw, raw);
}

void THStage_storeRow(const THPlan *plan, int k, char *row, int64_t stride, int64_t n, char *buffer,
                      char *raw)
{
    const int64_t size = THDtype_size((THDtype)plan->dtype[k]);
    const bool converts = plan->convert >> k & 1, run = stride == size || n == 1;
    if (converts)
        convertOut(plan, k, n, run ? row : raw, buffer);
    if (!converts || !run)
        THMove_scatter(size, row, converts ? raw : buffer, 1, 0, n, stride);
}
