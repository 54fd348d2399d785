/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores that go past the caches, by the longest registers. */
#ifndef TH_LOOPS_STREAMED_H
#define TH_LOOPS_STREAMED_H

#include <TH/engine/THMove.h>
#include <string.h>

#if defined(__AVX512F__)
#define TH_STREAMED_BYTES 64
#define TH_STREAMED_STORE __builtin_ia32_movntdq512
#elif defined(__AVX__)
#define TH_STREAMED_BYTES 32
#define TH_STREAMED_STORE __builtin_ia32_movntdq256
#else
#define TH_STREAMED_BYTES 16
#define TH_STREAMED_STORE __builtin_ia32_movntdq
#endif
typedef long long __attribute__((vector_size(TH_STREAMED_BYTES), may_alias)) THStreamed;

/* A whole line of the caches, which begins at `place`. */
static inline __attribute__((always_inline)) void streamLine(char *place, const char *from)
{
    for (int at = 0; at < TH_LINE_BYTES; at += TH_STREAMED_BYTES) {
        THStreamed part;
        memcpy(&part, from + at, sizeof part);
#if defined(__clang__)
        __builtin_nontemporal_store(part, (THStreamed *)(place + at));
#elif defined(__SSE2__)
        TH_STREAMED_STORE((THStreamed *)(place + at), part);
#else
        memcpy(place + at, &part, sizeof part);
#endif
    }
}

#endif
