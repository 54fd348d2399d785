/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For moves of elements: every second, third or fourth word to one run, all by whole vectors.
 * Compilers leave the last ones to single stores, as nothing may lie beyond the last word, and a
 * loop that next reads these as a vector waits for all of them (1000 float64 of step 2 added: 0.4
 * us more with steps of 64 elements; EPYC 9004). Here the last vector ends with the last word. */
#ifndef TH_LOOPS_EVERY_H
#define TH_LOOPS_EVERY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EVERY static inline __attribute__((always_inline))
#define EIGHT(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
#define SIXTEEN(n) EIGHT(n), EIGHT(n + 8)
#define NUMBERS2 0, 1
#define NUMBERS4 0, 1, 2, 3
#define NUMBERS8 EIGHT(0)
#define NUMBERS16 SIXTEEN(0)
#define NUMBERS32 SIXTEEN(0), SIXTEEN(16)
#define NUMBERS64 NUMBERS32, SIXTEEN(32), SIXTEEN(48)

/* Lane i of the result is lane place[i] of the two as one. */
#if defined(__clang__) /* which has no shuffle by a vector */
#define PICK(Word, Vector, a, b, place)                               \
    __extension__({                                                   \
        const Vector one = a, other = b;                              \
        const __typeof__(place) at = place;                           \
        const int many = (int)(sizeof(Vector) / sizeof(Word));        \
        Vector picked = {0};                                          \
        for (int i = 0; i < many; i++) {                              \
            const int lane = (int)at[i];                              \
            picked[i] = lane < many ? one[lane] : other[lane - many]; \
        }                                                             \
        picked;                                                       \
    })
#else
#define PICK(Word, Vector, a, b, place) __builtin_shuffle(a, b, place)
#endif

typedef uint32_t EveryPlace __attribute__((vector_size(32)));
typedef float EveryFloat __attribute__((vector_size(32)));
typedef uint64_t EveryLong __attribute__((vector_size(32)));

/* Of `step` vectors the words first, first + step, ...: as many as one vector has. n of them to one
 * run, and of two operands in turns; less than two vectors is not worth it: false. Words of 4 bytes
 * are chosen within halves of 32 first, by one instruction for floats, then as pairs by another
 * one: not by two of twice the steps and a choice (50000 float32 of step 2 times a number: 12.8
 * us, so 10.6; EPYC 7003). */
#define TH_DEFINE_EVERY(Word, LANES, NUMBERS)                                                 \
    typedef Word __attribute__((vector_size(LANES * sizeof(Word)))) Every##Word;              \
    EVERY Every##Word second##Word(Every##Word a, Every##Word b, int first)                   \
    {                                                                                         \
        const Every##Word number = {NUMBERS};                                                 \
        if (sizeof a != 32 || sizeof(Word) != 4)                                              \
            return PICK(Word, Every##Word, a, b, number * 2 + (Word)first);                   \
        const EveryPlace within = {0, 2, 8, 10, 4, 6, 12, 14};                                \
        const EveryLong across = {0, 2, 1, 3};                                                \
        const size_t bytes = sizeof a < sizeof(EveryFloat) ? sizeof a : sizeof(EveryFloat);   \
        EveryFloat v[2] = {{0}};                                                              \
        memcpy(v, &a, bytes);                                                                 \
        memcpy(v + 1, &b, bytes);                                                             \
        v[0] = PICK(float, EveryFloat, v[0], v[1], within + (uint32_t)first);                 \
        EveryLong pairs = (EveryLong)v[0];                                                    \
        pairs = PICK(uint64_t, EveryLong, pairs, pairs, across);                              \
        memcpy(&a, &pairs, bytes);                                                            \
        return a;                                                                             \
    }                                                                                         \
    EVERY Every##Word every##Word(const char *from, int64_t step, int first)                  \
    {                                                                                         \
        const Every##Word number = {NUMBERS};                                                 \
        Every##Word v[4];                                                                     \
        _Pragma("GCC unroll 4") for (int i = 0; i < step; i++)                                \
            memcpy(v + i, from + i * (int64_t)sizeof *v, sizeof *v);                          \
        if (step == 2)                                                                        \
            return second##Word(v[0], v[1], first);                                           \
        if (step == 3) {                                                                      \
            const Every##Word place = number * 3 + (Word)first;                               \
            const Every##Word there = (Every##Word)(place < 2 * LANES);                       \
            const Every##Word two = PICK(Word, Every##Word, v[0], v[1], place & there);       \
            return PICK(Word, Every##Word, two, v[2],                                         \
                        (number & there) + ((place - LANES) & ~there));                       \
        }                                                                                     \
        v[0] = second##Word(v[0], v[1], first & 1);                                           \
        v[1] = second##Word(v[2], v[3], first & 1);                                           \
        return second##Word(v[0], v[1], first >> 1);                                          \
    }                                                                                         \
    EVERY void storeEvery##Word(char *to, const char *from, int64_t step, int first)          \
    {                                                                                         \
        const Every##Word some = every##Word(from, step, first);                              \
        memcpy(to, &some, sizeof some);                                                       \
    }                                                                                         \
    EVERY bool gatherEvery##Word(char *to, const char *from, int64_t rows, int64_t rowStride, \
                                 int64_t n, int64_t step)                                     \
    {                                                                                         \
        const int64_t size = (int64_t)sizeof(Word), bytes = n * size, part = LANES * size;    \
        const int64_t rest = bytes - part, last = (rest - size) * step + size;                \
        if (n < 2 * LANES)                                                                    \
            return false;                                                                     \
        for (int64_t r = 0; r < rows; r++, to += bytes, from += rowStride) {                  \
            for (int64_t at = 0; at < rest; at += part)                                       \
                storeEvery##Word(to + at, from + at * step, step, 0);                         \
            storeEvery##Word(to + rest, from + last, step, (int)step - 1);                    \
        }                                                                                     \
        return true;                                                                          \
    }                                                                                         \
    EVERY bool gatherEveryPair##Word(char *const to[2], const char *const from[2], int64_t n, \
                                     int64_t step)                                            \
    {                                                                                         \
        const int64_t size = (int64_t)sizeof(Word), bytes = n * size, part = LANES * size;    \
        const int64_t rest = bytes - part, last = (rest - size) * step + size;                \
        char *const one = to[0], *const other = to[1];                                        \
        const char *const ones = from[0], *const others = from[1];                            \
        if (n < 2 * LANES)                                                                    \
            return false;                                                                     \
        for (int64_t at = 0; at < rest; at += part) {                                         \
            storeEvery##Word(one + at, ones + at * step, step, 0);                            \
            storeEvery##Word(other + at, others + at * step, step, 0);                        \
        }                                                                                     \
        storeEvery##Word(one + rest, ones + last, step, (int)step - 1);                       \
        storeEvery##Word(other + rest, others + last, step, (int)step - 1);                   \
        return true;                                                                          \
    }

#endif
