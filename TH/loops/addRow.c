/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows added to others where they are, and single elements, for indexed access. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/loops/half.h>
#include <TH/loops/widened.h>
#include <TH/ops/THIndexing.h>

/* What is added so many bytes later in a long row is asked for where the machine by itself does not
 * look beyond a page. */
#define PART_BYTES 512
#define PART (PART_BYTES / (int64_t)sizeof(storage_t))
#define AHEAD (2 * PART)
#define LONG (8 * PART)
#define SHORT 16 /* elements of a line that takes no longer than to begin with the next one */

#define TH_GENERIC_FILE "TH/loops/addRow.c"
#include <TH/THGenerateLoopTypes.h>

/* Half too, which most loops have from Float: a sum is rounded for each index. */
#define TH_GENERIC_FILE "TH/loops/addRow.c"
#include <TH/THGenerateHalfType.h>
#undef TH_GENERIC_FILE

#else

#if defined(TH_REAL_IS_HALF)
#define LOAD_ONE TH_HALF_LOAD
#define STORE_ONE TH_HALF_STORE
#define ADDED(sum, factor, term) ((sum) + (scalar_t)((factor) * (term)))
#define BLOCK TH_WIDENED_LANES
#elif defined( \
    TH_REAL_IS_BOOL) /* in the way of numbers gcc compares, multiplies and compares again */
#define LOAD_ONE TH_LOAD
#define STORE_ONE(p, value) (*(p) = (storage_t)(value))
#define ADDED(sum, factor, term) ((sum) | ((factor) & (term)))
#else
#define LOAD_ONE TH_LOAD
#define STORE_ONE TH_STORE
#define ADDED(sum, factor, term) ((sum) + (scalar_t)((factor) * (term)))
#endif

static inline scalar_t THLoop_(alphaOf)(const void *alpha)
{
    const scalar_t factor = *(const scalar_t *)alpha;
#if defined(TH_REAL_IS_BOOL)
    return factor != 0;
#else
    return factor;
#endif
}

static inline __attribute__((always_inline)) void THLoop_(addPart)(int64_t n,
                                                                   storage_t *restrict sum,
                                                                   const storage_t *restrict term,
                                                                   scalar_t factor)
{
    int64_t i = 0;
#ifdef BLOCK
    for (; i + BLOCK <= n; i += BLOCK) {
        TH_WIDENED_BLOCK(sums);
        TH_WIDENED_BLOCK(terms);
        THHalf_widen(sums, sum, i);
        THHalf_widen(terms, term, i);
        for (int k = 0; k < BLOCK; k++)
            sums[k] = ADDED(sums[k], factor, terms[k]);
        THHalf_narrow(sum, sums, i);
    }
#endif
    for (; i < n; i++)
        STORE_ONE(sum + i, ADDED(LOAD_ONE(sum + i), factor, LOAD_ONE(term + i)));
}

TH_ADD_ROW_DECLARE(THLoop_(addRow));
void THLoop_(addRow)(int64_t n, void *to, const void *from, const void *alpha)
{
    storage_t *restrict sum = to;
    const storage_t *restrict term = from;
    const scalar_t factor = THLoop_(alphaOf)(alpha);
    const int64_t part = n < LONG ? n : PART;
    const bool asks = THMachine_readAhead > 0;
    for (int64_t begin = 0, end; begin < n; begin = end) {
        end = THSize_min(begin + part, n);
        if (asks && end + AHEAD <= n) {
            THMove_prefetch(sum + begin + AHEAD, PART_BYTES, true);
            THMove_prefetch(term + begin + AHEAD, PART_BYTES, false);
        }
        THLoop_(addPart)(end - begin, sum + begin, term + begin, factor);
    }
}

/* An index for each element, all adjacent. */
static inline __attribute__((always_inline)) void
THLoop_(addDense)(const THLine *line, int64_t begin, int64_t end, bool far)
{
    const scalar_t alpha = THLoop_(alphaOf)(((const THAddIndexing *)line->context)->alpha);
    const int64_t *index = (const int64_t *)(const void *)line->data[0];
    const storage_t *from = (const storage_t *)(const void *)line->data[1];
    storage_t *to = (storage_t *)(void *)line->data[2];
    int64_t i = begin;
#ifdef BLOCK
    for (; i + BLOCK <= end; i += BLOCK) {
        TH_WIDENED_BLOCK(terms);
        THHalf_widen(terms, from, i);
        for (int k = 0; k < BLOCK; k++) {
            storage_t *element = to + index[i + k];
            if (far)
                __builtin_prefetch(to + index[i + k + TH_WRITE_AHEAD], 1);
            STORE_ONE(element, ADDED(LOAD_ONE(element), alpha, terms[k]));
        }
    }
#endif
#pragma GCC unroll 4
    for (; i < end; i++) {
        if (far)
            __builtin_prefetch(to + index[i + TH_WRITE_AHEAD], 1);
        STORE_ONE(to + index[i], ADDED(LOAD_ONE(to + index[i]), alpha, LOAD_ONE(from + i)));
    }
}

/* Such lines of few elements, one after the other. */
static inline __attribute__((always_inline)) void THLoop_(addShort)(const THLine *line)
{
    const scalar_t alpha = THLoop_(alphaOf)(((const THAddIndexing *)line->context)->alpha);
    const int64_t n = line->n, next[] = {line->apart[0], line->apart[1], line->apart[2]};
    const char *indices = line->data[0], *from = line->data[1];
    char *to = line->data[2];
    for (int64_t more = line->more; more >= 0; more--) {
        const int64_t *index = (const int64_t *)(const void *)indices;
        const storage_t *terms = (const storage_t *)(const void *)from;
        storage_t *sums = (storage_t *)(void *)to;
        for (int64_t i = 0; i < n; i++)
            STORE_ONE(sums + index[i],
                      ADDED(LOAD_ONE(sums + index[i]), alpha, LOAD_ONE(terms + i)));
        indices += next[0];
        from += next[1];
        to += next[2];
    }
}

/* `adjacent` is whether indices are, and name places in one line by none that is negative. */
static inline __attribute__((always_inline)) void
THLoop_(addSteps)(const THLine *line, int64_t begin, int64_t end, bool adjacent, bool far)
{
    const THAddIndexing *context = line->context;
    const THIndexing indexing = {context->indexing.scale, adjacent ? 0 : context->indexing.wrap, 0};
    const scalar_t alpha = THLoop_(alphaOf)(context->alpha);
    const int64_t indexStep = adjacent ? 8 : line->stride[0];
    const int64_t fromStep = line->stride[1], toStep = adjacent ? 0 : line->stride[2];
    const char *index = line->data[0] + begin * indexStep;
    const char *from = line->data[1] + begin * fromStep;
    char *to = line->data[2] + begin * toStep;
#pragma GCC unroll 4
    for (int64_t i = begin; i < end; i++) {
        if (far)
            THIndexing_ask(line, index, to);
        storage_t *element = (storage_t *)(void *)(to + THIndexing_offset(&indexing, index));
        const scalar_t term = LOAD_ONE((const storage_t *)(const void *)from);
        STORE_ONE(element, ADDED(LOAD_ONE(element), alpha, term));
        index += indexStep;
        from += fromStep;
        to += toStep;
    }
}

/* One index for all. */
static inline __attribute__((always_inline)) void THLoop_(addRun)(const THLine *line)
{
    const THAddIndexing *context = line->context;
    const scalar_t alpha = THLoop_(alphaOf)(context->alpha);
    const int64_t n = line->n, fromStep = line->stride[1], toStep = line->stride[2];
    const char *from = line->data[1];
    char *to = line->data[2] + THIndexing_offset(&context->indexing, line->data[0]);
#pragma GCC unroll 4
    for (int64_t i = 0; i < n; i++, from += fromStep, to += toStep) {
        storage_t *element = (storage_t *)(void *)to;
        const scalar_t term = LOAD_ONE((const storage_t *)(const void *)from);
        STORE_ONE(element, ADDED(LOAD_ONE(element), alpha, term));
    }
}

/* Places far away: those that come later are asked for. */
TH_ADD_ITEMS_DECLARE(THLoop_(addItems));
void THLoop_(addItems)(const THLine *first)
{
    THLine line = *first;
    const THIndexing *indexing = line.context;
    const bool dense = THLine_isDense(first, (int64_t)sizeof(storage_t)) && indexing->wrap == 0;
    const int64_t asked = THIndexing_asked(indexing, line.n);
    if (line.stride[0] == 0 && line.more == 0) {
        THLoop_(addRun)(&line);
        return;
    }
    if (dense && asked == 0 && line.n <= SHORT) {
        THLoop_(addShort)(&line);
        return;
    }
    const bool adjacent = line.stride[0] == 8 && line.stride[2] == 0 && indexing->wrap == 0;
    for (; line.more >= 0; line.more--) {
        if (dense && asked > 0)
            THLoop_(addDense)(&line, 0, asked, true);
        else if (asked > 0)
            THLoop_(addSteps)(&line, 0, asked, false, true);
        if (dense)
            THLoop_(addDense)(&line, asked, line.n, false);
        else if (adjacent)
            THLoop_(addSteps)(&line, asked, line.n, true, false);
        else
            THLoop_(addSteps)(&line, asked, line.n, false, false);
        for (int op = 0; op < TH_NEST_OPERANDS; op++)
            line.data[op] += line.apart[op];
    }
}

#undef LOAD_ONE
#undef STORE_ONE
#undef ADDED
#undef BLOCK

#endif
