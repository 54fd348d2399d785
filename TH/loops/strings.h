/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long runs by the processor's own loops, `rep movsb` and `rep stosq`: where they are fastest
 * (THMachine_stringFrom). */
#ifndef TH_LOOPS_STRINGS_H
#define TH_LOOPS_STRINGS_H

#include <stdint.h>
#include <string.h>

static inline void moveString(char *restrict to, const char *restrict from, int64_t bytes)
{
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
    memcpy(to, from, (size_t)bytes);
#endif
}

/* `word` from `to` on: of elements of 1, 2, 4 or 8 bytes, which divide `bytes`. */
static inline void fillString(char *to, int64_t bytes, uint64_t word)
{
    int64_t words = bytes / (int64_t)sizeof word;
    const size_t rest = (size_t)bytes % sizeof word;
#if defined(__x86_64__)
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(word) : "memory");
#else
    for (; words > 0; words--, to += sizeof word)
        memcpy(to, &word, sizeof word);
#endif
    memcpy(to, &word, rest);
}

#endif
