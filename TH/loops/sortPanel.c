/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Short lines sorted side by side (THPanel): row i of a vector for each lane has element i of its
 * line. Each row sinks into those before it, in which every lane exchanges neighbours that are
 * strictly out of order: equal elements keep their order, and elements keep their bits. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/loops/registers.h>
#include <TH/ops/THSorting.h>

#include <string.h>

#define INLINE static inline __attribute__((always_inline))
/* Vectors of lines sorted at a time: an exchange waits for the one before it. */
#define GROUP (VECTOR_BYTES == 64 ? 4 : 2)

#define PADDED TH_PANEL_ELEMENTS /* vectors of what is left over */

/* Rows of a panel, for elements of 1, 2, 4 and 8 bytes: exchanges of wide ones take longer, and
 * there are fast networks for one line of values alone. */
#if VECTOR_BYTES == 64
#define ROWS 64, 48, 28, 27
#define ROWS_ALONE 64, 48, 28, 15
#elif VECTOR_BYTES == 32
#define ROWS 64, 48, 28, 27
#define ROWS_ALONE 48, 48, 20, 12
#else
#define ROWS 64, 48, 12, 6
#define ROWS_ALONE 48, 28, 8, 4
#endif

#define FOR_SIZE_(size, one, two, four, eight) \
    ((size) == 1 ? (one) : (size) == 2 ? (two) : (size) == 4 ? (four) : (eight))
#define FOR_SIZE(size, ...) FOR_SIZE_(size, __VA_ARGS__)

#define TH_GENERIC_FILE "TH/loops/sortPanel.c"
#include <TH/THGenerateLoopTypes.h>

#else
#if defined(TH_REAL_IS_BOOL)
#define OWN(name) TH_CONCAT_4(th_, name, _Byte_, TH_ISA) /* which was before */
#else
#define OWN(name) THLoop_(name)

#if defined(TH_REAL_IS_LONG) || defined(TH_REAL_IS_DOUBLE)
#define index_t int64_t
#elif defined(TH_REAL_IS_INT) || defined(TH_REAL_IS_FLOAT)
#define index_t int32_t
#elif defined(TH_REAL_IS_SHORT)
#define index_t int16_t
#else
#define index_t int8_t
#endif
#define LANES (VECTOR_BYTES / (int)sizeof(storage_t))
#define Row THLoop_(Row)
#define Lanes THLoop_(Lanes)
#define Group THLoop_(Group)

typedef storage_t Row
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(storage_t)), may_alias));
typedef index_t Lanes
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(storage_t)), may_alias));

/* Sorted rows, `vectors` of each, and one for what is left over. */
typedef struct Group {
    Row x[(TH_PANEL_ROWS + 1) * GROUP];
    Lanes at[(TH_PANEL_ROWS + 1) * GROUP];
} Group;

/* Lanes of a that come behind b's in a rising order. */
INLINE Lanes THLoop_(isBehind)(Row a, Row b)
{
#ifdef TH_CATEGORY_IS_FLOATING
    return ~(Lanes)(a <= b) & (Lanes)(b == b);
#else
    return (Lanes)(a > b);
#endif
}

/* How a call sorts. `byIndex` sorts by indices, which differ. */
typedef struct THLoop_(Way) {
    bool descending, indices, byIndex;
} THLoop_(Way);

/* What sinks goes below a vector of the row before it, or takes its place. */
INLINE void THLoop_(exchange)(Row *x, Lanes *at, Row *rowX, Lanes *rowAt, int vectors,
                              THLoop_(Way) way)
{
    const Row a = *rowX, b = *x;
    Lanes behind = way.descending ? THLoop_(isBehind)(b, a) : THLoop_(isBehind)(a, b);
    if (way.byIndex)
        behind = (Lanes)(*rowAt > *at);
    rowX[vectors] = TH_REGISTER_CHOOSE(behind, a, b);
    *x = TH_REGISTER_CHOOSE(behind, b, a);
    if (way.indices) {
        const Lanes atA = *rowAt, atB = *at;
        rowAt[vectors] = TH_REGISTER_CHOOSE(behind, atA, atB);
        *at = TH_REGISTER_CHOOSE(behind, atB, atA);
    }
}

/* The first `kept` of n rows in order; they come from memory, or are the group's own (`byIndex`).
 */
INLINE void THLoop_(sortRows)(Group *group, int64_t n, int64_t kept, const char *from,
                              int64_t stride, int vectors, THLoop_(Way) way)
{
    for (int64_t i = 0; i < n; i++, from += stride) {
        const Row *own = way.byIndex ? &group->x[i * vectors] : (const Row *)(const void *)from;
        Row x[GROUP];
        Lanes at[GROUP];
#pragma GCC unroll 4
        for (int g = 0; g < vectors; g++) {
            x[g] = own[g];
            at[g] = (Lanes){0} + (index_t)i;
            if (way.byIndex)
                at[g] = group->at[i * vectors + g];
        }
        for (int64_t j = ((i < kept ? i : kept) - 1) * vectors; j >= 0; j -= vectors)
#pragma GCC unroll 4
            for (int g = 0; g < vectors; g++)
                THLoop_(exchange)(&x[g], &at[g], &group->x[j + g], &group->at[j + g], vectors, way);
#pragma GCC unroll 4
        for (int g = 0; g < vectors; g++) {
            group->x[g] = x[g];
            group->at[g] = at[g];
        }
    }
}

#ifdef TH_CATEGORY_IS_FLOATING
/* Of n sorted rows the first that is NaN, if one is, becomes row k. */
static void THLoop_(letNanWin)(Group *group, int64_t n, int64_t k, int vectors)
{
    for (int g = 0; g < vectors; g++) {
        Row x = group->x[k * vectors + g];
        Lanes at = group->at[k * vectors + g];
        for (int64_t i = (n - 1) * vectors + g; i >= 0; i -= vectors) {
            const Lanes isNan = (Lanes)(group->x[i] != group->x[i]);
            x = TH_REGISTER_CHOOSE(isNan, group->x[i], x);
            at = TH_REGISTER_CHOOSE(isNan, group->at[i], at);
        }
        group->x[k * vectors + g] = x;
        group->at[k * vectors + g] = at;
    }
}
#endif

INLINE void THLoop_(emitIndices)(const index_t *at, int64_t n, char *to, bool wide)
{
    if (wide)
        for (int64_t i = 0; i < n; i++)
            ((int64_t *)(void *)to)[i] = at[i];
    else
        memcpy(to, at, (size_t)n * sizeof *at);
}

/* Rows [first, first + function->length) of a group, `count` lanes of each from line `column`. */
static void THLoop_(emitRows)(const THLineFunction *function, const Group *group, int64_t first,
                              const THPanel *panel, int64_t column, int64_t count, int vectors)
{
    const THSortOrder *order = function->params;
    const int64_t size = (int64_t)sizeof(storage_t);
    const int places = order->indicesOnly ? 0 : 1;
    for (int64_t r = 0; r < function->length; r++) {
        const int64_t row = (first + r) * vectors;
        if (!order->indicesOnly)
            memcpy(panel->result[0] + r * panel->resultStride[0] + column * size, &group->x[row],
                   (size_t)(count * size));
        if (places < panel->nresults) {
            const int64_t wide = panel->dtype[places] == TH_LONG;
            char *to = panel->result[places] + r * panel->resultStride[places] +
                       column * (wide ? (int64_t)sizeof(int64_t) : size);
            THLoop_(emitIndices)((const index_t *)(const void *)&group->at[row], count, to, wide);
        }
    }
}

/* Some of the lines of a panel, up to all lanes of so many vectors. */
INLINE void THLoop_(sortSome)(const THLineFunction *function, int64_t n, const THPanel *panel,
                              int64_t column, int64_t count, const char *from, int64_t stride,
                              int vectors)
{
    const THSortOrder *order = function->params;
    const int64_t first = order->one ? order->k : 0;
    const int64_t kept = THSort_ordered(function, n);
    Group group __attribute__((aligned(VECTOR_BYTES)));
    if (panel->nresults == 1 && !order->indicesOnly) {
        if (order->descending)
            THLoop_(sortRows)(&group, n, kept, from, stride, vectors,
                              (THLoop_(Way)){.descending = true});
        else
            THLoop_(sortRows)(&group, n, kept, from, stride, vectors, (THLoop_(Way)){0});
    } else {
        if (order->descending)
            THLoop_(sortRows)(&group, n, kept, from, stride, vectors,
                              (THLoop_(Way)){.descending = true, .indices = true});
        else
            THLoop_(sortRows)(&group, n, kept, from, stride, vectors,
                              (THLoop_(Way)){.indices = true});
    }
    if (order->unordered)
        THLoop_(sortRows)(&group, kept, kept, NULL, 0, vectors,
                          (THLoop_(Way)){.indices = true, .byIndex = true});
#ifdef TH_CATEGORY_IS_FLOATING
    if (order->nanWins)
        THLoop_(letNanWin)(&group, n, first, vectors);
#endif
    THLoop_(emitRows)(function, &group, first, panel, column, count, vectors);
}

/* `count` lines, up to all lanes of so many vectors, which are the last ones: rows may end there.
 */
INLINE void THLoop_(sortRest)(const THLineFunction *function, int64_t n, const THPanel *panel,
                              int64_t column, int64_t count, int vectors)
{
    const int64_t size = (int64_t)sizeof(storage_t);
    Row padded[PADDED];
    for (int64_t i = 0; i < n; i++) {
        for (int g = (int)(count / LANES); g < vectors; g++)
            padded[i * vectors + g] = (Row){0};
        memcpy(&padded[i * vectors], panel->x + i * panel->stride + column * size,
               (size_t)(count * size));
    }
    THLoop_(sortSome)(function, n, panel, column, count, (const char *)padded,
                      vectors * VECTOR_BYTES, vectors);
}

static void THLoop_(sortLines)(const THLineFunction *function, int64_t n, const THPanel *panel)
{
    const int64_t group = GROUP * LANES, rest = panel->width % group;
    int64_t column = 0;
    for (; column < panel->width - rest; column += group)
        THLoop_(sortSome)(function, n, panel, column, group,
                          panel->x + column * (int64_t)sizeof(storage_t), panel->stride, GROUP);
    if (rest > LANES && n * GROUP <= PADDED) {
        THLoop_(sortRest)(function, n, panel, column, rest, GROUP);
        return;
    }
    for (; column < panel->width; column += LANES)
        THLoop_(sortRest)(function, n, panel, column, THSize_min(panel->width - column, LANES), 1);
}

#undef index_t
#undef LANES
#undef Row
#undef Lanes
#undef Group

#endif

TH_SORT_DECLARE_PANEL(THLoop_(sortPanel));
const THSortPanel THLoop_(sortPanel)[1] = {
    {OWN(sortLines), FOR_SIZE(sizeof(storage_t), ROWS), FOR_SIZE(sizeof(storage_t), ROWS_ALONE)}};

#undef OWN

#endif
