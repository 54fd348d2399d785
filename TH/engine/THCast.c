/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of conversion loops, and conversion between any strides. The file includes itself for
 * each dtype as the source of one row. */
#if !defined(TH_GENERIC_FILE)

#include <TH/engine/THMove.h>

#include <string.h>

/* Strided runs are converted through buffers of so many elements. */
#define CHUNK 512

#define TH_GENERIC_FILE "TH/engine/THCast.c"
#include <TH/THGenerateAllTypes.h>

#define ROW(from, code) [code] = castsFrom##from,
static const THLoop (*const casts[TH_DTYPE_LIMIT])[TH_ISA_COUNT] = {TH_FORALL_DTYPES(ROW)};

TH_ISA_DECLARE(TH_LOOP_DECLARE, th_widen);
TH_ISA_DECLARE(TH_LOOP_DECLARE, th_narrow);
static const THLoop widen[TH_ISA_COUNT] = TH_ISA_TABLE(th_widen);
static const THLoop narrow[TH_ISA_COUNT] = TH_ISA_TABLE(th_narrow);

#define DEFINE_COPY(size)                         \
    static TH_LOOP_DECLARE(copy##size)            \
    {                                             \
        (void)params;                             \
        THMove_run(data[0], data[1], n * (size)); \
    }
DEFINE_COPY(1)
DEFINE_COPY(2)
DEFINE_COPY(4)
DEFINE_COPY(8)

static THLoop copyLoop(int64_t size)
{
    return size == 1 ? copy1 : size == 2 ? copy2 : size == 4 ? copy4 : copy8;
}

/* Between int64 and floating point, for which AVX2 has no instruction: by AVX-512's few elements,
 * and those that are streamed, take less time, too (24 MB of float32 to int64: 4 ms, so 1.8). */
static bool convertsLong(THDtype to, THDtype from)
{
    const THDtype other = to == TH_LONG ? from : to;
    return (to == TH_LONG || from == TH_LONG) && THDtype_category(other) == TH_CATEGORY_FLOATING;
}

THLoop THCast_loopFor(THDtype to, THDtype from, int isa)
{
    if (to == from)
        return copyLoop(THDtype_size(to));
    if (convertsLong(to, from))
        isa = THIsa_current;
    if (to == TH_FLOAT && from == TH_HALF)
        return widen[isa];
    if (to == TH_HALF && from == TH_FLOAT)
        return narrow[isa];
    return casts[from][to][isa];
}

THLoop THCast_loop(THDtype to, THDtype from)
{
    return THCast_loopFor(to, from, THIsa_current);
}

void THCast_through(int64_t n, void *to, THDtype toDtype, THDtype via, void *room, const void *from,
                    THDtype fromDtype)
{
    void *source = (void *)(uintptr_t)from; /* loops take all operands as writable */
    if (via != fromDtype) {
        THCast_loopFor(via, fromDtype, THIsa_for(n))(n, (void *[]){room, source}, NULL);
        source = room;
    }
    THCast_loopFor(toDtype, via, THIsa_for(n))(n, (void *[]){to, source}, NULL);
}

void THCast(int64_t n, void *to, THDtype toDtype, int64_t toStride, const void *from,
            THDtype fromDtype, int64_t fromStride)
{
    _Alignas(64) char loaded[CHUNK * 8], made[CHUNK * 8];
    const int64_t toSize = THDtype_size(toDtype), fromSize = THDtype_size(fromDtype);
    const bool toRun = toStride == toSize || n == 1, fromRun = fromStride == fromSize || n == 1;
    const THLoop loop = THCast_loop(toDtype, fromDtype);
    const int64_t chunk = toRun && fromRun ? n : CHUNK;

    for (int64_t i = 0; i < n; i += chunk) {
        const int64_t m = n - i < chunk ? n - i : chunk;
        char *target = (char *)to + i * toStride;
        const char *source = (const char *)from + i * fromStride;
        void *data[2] = {toRun ? target : made, fromRun ? (void *)(uintptr_t)source : loaded};
        if (!fromRun)
            THMove_gather(fromSize, loaded, source, 1, 0, m, fromStride);
        loop(m, data, NULL);
        if (!toRun)
            THMove_scatter(toSize, target, made, 1, 0, m, toStride);
    }
}

#else

#define DECLARE_CAST(to, code) TH_ISA_DECLARE(TH_LOOP_DECLARE, TH_CONCAT_3(th_cast_, Real, _##to));
#define CELL(to, code) [code] = TH_ISA_TABLE(TH_CONCAT_3(th_cast_, Real, _##to)),
TH_FORALL_DTYPES(DECLARE_CAST)
static const THLoop TH_CONCAT_2(castsFrom,
                                Real)[TH_DTYPE_LIMIT][TH_ISA_COUNT] = {TH_FORALL_DTYPES(CELL)};
#undef DECLARE_CAST
#undef CELL

#endif
