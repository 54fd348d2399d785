/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to loops: integers of 64 bits as doubles, rounded once. Without AVX-512 machines have no
 * vectors for that. */
#ifndef TH_LOOPS_LONGS_H
#define TH_LOOPS_LONGS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Halves of x in the last bits of 2^52 and 2^84, which are taken away again; only the last sum
 * rounds. The sign is one of the upper half's bits. */
static inline __attribute__((always_inline, unused)) double THDouble_ofBits64(uint64_t x,
                                                                              bool isSigned)
{
#if defined(__AVX512DQ__)
    return isSigned ? (double)(int64_t)x : (double)x;
#else
    const uint64_t sign = isSigned ? UINT64_C(0x80000000) : 0;
    const uint64_t bits[2] = {(x & UINT32_MAX) | UINT64_C(0x4330000000000000),
                              (x >> 32 ^ sign) | UINT64_C(0x4530000000000000)};
    double low, high;
    memcpy(&low, &bits[0], sizeof low);
    memcpy(&high, &bits[1], sizeof high);
    return high - (isSigned ? 0x1.00000801p84 : 0x1.00000001p84) + low;
#endif
}

#endif
