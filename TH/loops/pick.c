/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements from places in any order to one run (THMove.h), by element size. Several are put
 * together in a register: a store for each one would fill the queue of stores, behind which no
 * more loads begin, so that fewer lines that are far away are on their way at once. */
#include <TH/THIsa.h>
#include <TH/engine/THMove.h>

#include <string.h>

#define PICKED 16 /* bytes put together */
#define INLINE static inline __attribute__((always_inline)) void

/* Instructions that gather are slower than single loads. */
#define ONE_BY_ONE __asm__ volatile("" ::: "memory")

/* Into a register by way of memory. Where elements are far, more loads at once than there are lines
 * on their way are tried again and again: on Xeons, where asking ahead gains nothing (10^6 float32
 * of 10^7 5.9 ms, so 5.3; float64 7.4, so 6.5; fifth generation), each one takes some steps more.
 */
#define PUT_ASIDE(place, value)              \
    do {                                     \
        (place) = (value);                   \
        __asm__ volatile("" : : "m"(place)); \
    } while (0)

/* Whether some of the places are so far apart that they are not in the second cache. Of so many
 * indices at a time: in order, or among few places, they are near though the tensor is large (1.8
 * million of as many float64 by indices below 1000: 9.0 ms as far ones, so 2.5; Xeon). */
#define SOME 1024
#define SAMPLES 8
static bool areApart(const THPicked *p, int64_t begin, int64_t n)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int64_t k = 0; k < SAMPLES; k++) {
        const int64_t i = begin + k * n / SAMPLES;
        const int64_t place = THIndex_at(p->index[i], p->wrap) * p->scale + i * p->step;
        least = THSize_min(least, place);
        most = place > most ? place : most;
    }
    return most - least > TH_SECOND_BYTES;
}

#define DEFINE_PICK(Word, bits)                                                                   \
    typedef uint##bits##_t __attribute__((may_alias, aligned(1))) Word;                           \
    INLINE pick##Word(const THPicked *p, int64_t begin, int64_t end, int64_t scale, int64_t step, \
                      int64_t wrap, bool asks, bool paced)                                        \
    {                                                                                             \
        typedef Word __attribute__((vector_size(PICKED))) Vector;                                 \
        const int64_t lanes = PICKED / (int64_t)sizeof(Word), *const index = p->index;            \
        const char *from = p->from + begin * step;                                                \
        Word *const to = (Word *)p->to;                                                           \
        int64_t i = begin;                                                                        \
        for (; i + lanes <= end; i += lanes) {                                                    \
            Vector vector = {0};                                                                  \
            for (int64_t k = 0; asks && k < lanes; k++) {                                         \
                const int64_t later = THIndex_at(index[i + k + TH_PICK_AHEAD], wrap);             \
                const int64_t there = later * scale + (k + TH_PICK_AHEAD) * step;                 \
                __builtin_prefetch((const void *)((uintptr_t)from + (uintptr_t)there));           \
            }                                                                                     \
            Word word[PICKED / sizeof(Word)];                                                     \
            for (int64_t k = 0; k < lanes; k++) {                                                 \
                const int64_t place = THIndex_at(index[i + k], wrap) * scale + k * step;          \
                if (paced)                                                                        \
                    PUT_ASIDE(word[k], *(const Word *)(from + place));                            \
                else                                                                              \
                    vector[k] = *(const Word *)(from + place);                                    \
            }                                                                                     \
            if (paced)                                                                            \
                memcpy(&vector, word, PICKED);                                                    \
            memcpy(to + i, &vector, PICKED);                                                      \
            from += lanes * step;                                                                 \
            ONE_BY_ONE;                                                                           \
        }                                                                                         \
        for (; i < end; i++, from += step) {                                                      \
            to[i] = *(const Word *)(from + THIndex_at(index[i], wrap) * scale);                   \
            ONE_BY_ONE;                                                                           \
        }                                                                                         \
    }                                                                                             \
    INLINE pickBy##Word(const THPicked *p, int64_t scale, int64_t step, int64_t wrap)             \
    {                                                                                             \
        for (int64_t begin = 0, end; begin < p->n; begin = end) {                                 \
            end = begin < p->asked ? THSize_min(begin + SOME, p->asked) : p->n;                   \
            const bool far = begin < p->asked && areApart(p, begin, end - begin);                 \
            if (far && step == 0 && THMachine_asksForWrites)                                      \
                pick##Word(p, begin, end, scale, step, wrap, false, true);                        \
            else if (far)                                                                         \
                pick##Word(p, begin, end, scale, step, wrap, true, false);                        \
            else                                                                                  \
                pick##Word(p, begin, end, scale, step, wrap, false, false);                       \
        }                                                                                         \
    }                                                                                             \
    THPick TH_ISA_(th_pick##bits);                                                                \
    void TH_ISA_(th_pick##bits)(const THPicked *p)                                                \
    {                                                                                             \
        const int64_t item = (int64_t)sizeof(Word);                                               \
        if (p->step != 0)                                                                         \
            pickBy##Word(p, p->scale, p->step, p->wrap);                                          \
        else if (p->scale != item && p->wrap != 0)                                                \
            pickBy##Word(p, p->scale, 0, p->wrap);                                                \
        else if (p->scale != item)                                                                \
            pickBy##Word(p, p->scale, 0, 0);                                                      \
        else if (p->wrap != 0)                                                                    \
            pickBy##Word(p, item, 0, p->wrap);                                                    \
        else                                                                                      \
            pickBy##Word(p, item, 0, 0);                                                          \
    }
DEFINE_PICK(Word1, 8)
DEFINE_PICK(Word2, 16)
DEFINE_PICK(Word4, 32)
DEFINE_PICK(Word8, 64)
