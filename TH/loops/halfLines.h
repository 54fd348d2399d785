/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines of halves for loops of reductions that read floats: a block of them is widened at a time.
 */
#ifndef TH_LOOPS_HALF_LINES_H
#define TH_LOOPS_HALF_LINES_H

#include <TH/THEngine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THReduction.h>

TH_LOOP_DECLARE(TH_ISA_(th_widen));

static void widen(int64_t n, float *to, const void *from)
{
    void *const data[2] = {to, (void *)(uintptr_t)from};
    TH_ISA_(th_widen)(n, data, NULL);
}

/* Lines from this length on are widened where they lie, shorter ones side by side (amax of 33333 x
 * 3 out of 33333 x 6 640 us, so 47; Xeon). */
#define WIDENED_ALONE 64

static void widenBlock(int64_t nlines, int64_t n, const char *from, int64_t stride, float *block)
{
    const int64_t size = (int64_t)sizeof(THHalf);
    THHalf halves[TH_REDUCE_CHUNK];
    if (stride != n * size && n < WIDENED_ALONE) {
        THMove_gather(size, (char *)halves, from, nlines, stride, n, size);
        from = (const char *)halves;
        stride = n * size;
    }
    if (stride == n * size) {
        n *= nlines;
        nlines = 1;
    }
    for (int64_t i = 0; i < nlines; i++)
        widen(n, block + i * n, from + i * stride);
}

/* Lines of at most TH_REDUCE_CHUNK elements, of each of which `accSize` bytes are accumulated. */
static void widenedLines(const THReduceLoops *floats, int64_t accSize, int64_t nlines, int64_t n,
                         const char *data, int64_t stride, void *acc, const THReduceTerm *term)
{
    (void)term;
    const THReduceTerm near = {.far = false};
    const int64_t most = n > 0 ? TH_REDUCE_CHUNK / n : nlines;
    _Alignas(64) float block[TH_REDUCE_CHUNK];
    for (int64_t line = 0; line < nlines; line += most) {
        const int64_t count = nlines - line < most ? nlines - line : most;
        widenBlock(count, n, data + line * stride, stride, block);
        floats->lines(count, n, block, n * (int64_t)sizeof *block, (char *)acc + line * accSize,
                      &near);
    }
}

#endif
