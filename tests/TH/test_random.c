/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random numbers: the sequences of the reference generator (taken from numpy.random.RandomState),
 * the distributions, and states. */
#include "check.h"

#include <math.h>

static void testSequences(void)
{
    static const struct {
        uint64_t seed;
        uint32_t first[4], number999, number1999;
    } known[] = {
        {5489, {3499211612u, 581869302u, 3890346734u, 3586334585u}, 1341017984u, 3949147603u},
        {0, {2357136044u, 2546248239u, 3071714933u, 3626093760u}, 3043451800u, 3856691381u},
        {42, {1608637542u, 3421126067u, 4083286876u, 787846414u}, 1946654618u, 2238969328u},
        {4294967295u, {419326371u, 479346978u, 3918654476u, 2416749639u}, 2673539693u, 1762272365u},
        {UINT64_C(530242872211826865), /* RandomState([987654321, 123456789]) */
         {1833867823u, 3883231660u, 874422791u, 1806379638u},
         2942712946u,
         2146702763u},
    };
    THGenerator *self = NULL;
    CHECK_OK(THGenerator_new(&self));
    CHECK(THGenerator_initialSeed(self) == 5489);
    for (int i = 0; i < 5; i++) {
        if (i > 0)
            THGenerator_manualSeed(self, known[i].seed);
        CHECK(THGenerator_initialSeed(self) == known[i].seed);
        for (int k = 0; k < 2000; k++) {
            const uint32_t number = THRandom_random(self);
            if (k < 4)
                CHECK(number == known[i].first[k]);
            CHECK(self->left + (int64_t)self->next == 624);
            if (k == 999 || k == 1999)
                CHECK(number == (k == 999 ? known[i].number999 : known[i].number1999));
        }
    }
    THGenerator_manualSeed(self, 5489);
    CHECK(THRandom_random64(self) == ((uint64_t)3499211612u << 32 | 581869302u));
    CHECK(THRandom_uniformFloat(self) == (float)(3890346734u >> 8) / 16777216.0f);
    THGenerator_retain(self);
    THGenerator_free(self);
    THGenerator_free(self);
    THGenerator_free(NULL);
}

static void testBelow(THGenerator *self)
{
    const uint64_t bounds[] = {
        1, 2, 3, 10, 1000, UINT32_MAX, UINT64_C(1) << 32, (UINT64_C(1) << 63) + 1, UINT64_MAX};
    int64_t counts[10] = {0};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 1000; k++)
            if (THRandom_below(self, bounds[i]) >= bounds[i])
                CHECK(!"below the bound");
    CHECK(THRandom_below(self, 0) == 0);
    for (int k = 0; k < 100000; k++)
        counts[THRandom_below(self, 10)]++;
    for (int i = 0; i < 10; i++)
        CHECK(counts[i] > 9500 && counts[i] < 10500);
    /* Of a bound just above 2^63 nearly half of all words are drawn again. */
    double sum = 0;
    for (int k = 0; k < 20000; k++)
        sum += (double)THRandom_below(self, (UINT64_C(1) << 63) + 1) / 9223372036854775808.0;
    CHECK(fabs(sum / 20000 - 0.5) < 0.01);
}

/* Many draws at once are those of one after the other: of the largest bounds a third of all words
 * is drawn again. */
static void testRising(THGenerator *self)
{
    enum { N = 700 };
    const uint32_t first[] = {2, 1000, 3000000000u};
    uint32_t numbers[N];
    THGenerator *twin = NULL;
    CHECK_OK(THGenerator_new(&twin));
    for (int k = 0; k < 3; k++) {
        THGenerator_manualSeed(self, 7);
        THGenerator_manualSeed(twin, 7);
        THRandom_wordsBelowRising(self, N, first[k], numbers);
        for (uint32_t i = 0; i < N; i++)
            if (numbers[i] != THRandom_below(twin, first[k] + i))
                CHECK(!"the same numbers");
        CHECK(THRandom_random(self) == THRandom_random(twin));
    }
    THGenerator_free(twin);
}

static void testDistributions(THGenerator *self)
{
    enum { N = 100000 };
    double sum = 0, squares = 0, fourth = 0;
    for (int i = 0; i < N; i++) {
        const double u = THRandom_uniform(self);
        const float f = THRandom_uniformFloat(self);
        if (!(u >= 0 && u < 1 && f >= 0 && f < 1))
            CHECK(!"uniform numbers are in [0, 1)");
        sum += u + (double)f;
    }
    CHECK(fabs(sum / N - 1) < 0.01);
    sum = 0;
    for (int i = 0; i < N; i++) {
        const double x = THRandom_normal(self);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    CHECK(fabs(sum / N) < 0.02 && fabs(squares / N - 1) < 0.03 && fabs(fourth / N - 3) < 0.2);
}

/* Own logarithm and cosine against those of libm, and the very bits, which no machine may change.
 */
static void testNormals(THGenerator *self)
{
    uint64_t hash = UINT64_C(14695981039346656037), bits;
    THGenerator_manualSeed(self, 1);
    THGenerator *twin = NULL;
    CHECK_OK(THGenerator_new(&twin));
    THGenerator_manualSeed(twin, 1);
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
        const double radius = sqrt(-2 * log(1 - THRandom_uniform(twin)));
        const double angle = 6.283185307179586 * THRandom_uniform(twin);
        for (int k = 0; k < 2; k++) {
            const double x = THRandom_normal(self);
            worst = fmax(worst, fabs(x - radius * (k == 0 ? cos(angle) : sin(angle))));
            memcpy(&bits, &x, sizeof bits);
            hash = (hash ^ bits) * UINT64_C(1099511628211);
        }
    }
    CHECK(worst < 4e-15);
    CHECK(hash == UINT64_C(13369299519571708649));
    THGenerator_free(twin);
}

static void testStates(THGenerator *self)
{
    static unsigned char state[8192], again[8192];
    const int64_t size = THGenerator_stateSize();
    double numbers[1000];
    CHECK(size <= (int64_t)sizeof state);
    THGenerator_manualSeed(self, 7);
    THRandom_normal(self); /* half a pair is pending */
    THGenerator_getState(self, state);
    for (int i = 0; i < 1000; i++)
        numbers[i] = THRandom_normal(self);
    CHECK_OK(THGenerator_setState(self, state, size));
    THGenerator_getState(self, again);
    CHECK(memcmp(state, again, (size_t)size) == 0);
    CHECK(THGenerator_initialSeed(self) == 7);
    for (int i = 0; i < 1000; i++)
        if (numbers[i] != THRandom_normal(self))
            CHECK(!"the state brings the numbers back");
    CHECK(THGenerator_setState(self, state, size - 1) == TH_ERROR_VALUE);
    memset(again, 0xff, sizeof again);
    CHECK_ERROR(THGenerator_setState(self, again, size), TH_ERROR_VALUE,
                "set_state: these bytes are not the state of a generator");
    memset(again, 0, sizeof again);
    CHECK(THGenerator_setState(self, again, size) == TH_ERROR_VALUE);
    uint64_t one = 0, two = 0;
    CHECK_OK(THGenerator_seed(self, &one));
    CHECK_OK(THGenerator_seed(self, &two));
    CHECK(one != two && THGenerator_initialSeed(self) == two);
}

#define MANY 3000 /* of any number below: more than the state has words, and no multiple of it */

/* Draws of many numbers, cut anywhere, are the draws of one after the other. */
static void testMany(THGenerator *self, THGenerator *twin, const char *isa)
{
    static const int64_t cuts[] = {0, 1, 3, 622, 1000, 257, 512};
    static const uint32_t bounds[] = {2, 3, 10, 1000003, 2147483648u, 2147483649u, UINT32_MAX};
    static uint32_t words[MANY];
    static double numbers[MANY];
    CHECK_OK(THIsa_set(isa));
    THGenerator_manualSeed(self, 9);
    THGenerator_manualSeed(twin, 9);
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        const int64_t n = cuts[c];
        bool same = true;
        THRandom_words(self, n, words);
        for (int64_t i = 0; i < n; i++)
            same = same && words[i] == THRandom_random(twin);
        THRandom_uniforms(self, n, numbers);
        for (int64_t i = 0; i < n; i++)
            same = same && numbers[i] == THRandom_uniform(twin);
        THRandom_normals(self, n, numbers);
        for (int64_t i = 0; i < n; i++)
            same = same && numbers[i] == THRandom_normal(twin);
        THRandom_exponentials(self, n, numbers);
        for (int64_t i = 0; i < n; i++) {
            double number;
            THRandom_exponentials(twin, 1, &number);
            same = same && numbers[i] == number;
        }
        for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
            THRandom_wordsBelow(self, n, bounds[b], words);
            for (int64_t i = 0; i < n; i++)
                same = same && words[i] == THRandom_below(twin, bounds[b]);
        }
        if (!same)
            CHECK(!"many numbers are those of one after the other");
    }
}

static void testManyEverywhere(THGenerator *self)
{
    THGenerator *twin;
    CHECK_OK(THGenerator_new(&twin));
    const char *current = THIsa_name(THIsa_current);
    for (int isa = 0; isa < TH_ISA_COUNT; isa++)
        if (THIsa_set(THIsa_name(isa)) == TH_OK)
            testMany(self, twin, THIsa_name(isa));
    CHECK_OK(THIsa_set(current));
    THGenerator_free(twin);
}

int main(void)
{
    THGenerator *self = THGenerator_default();
    CHECK(self == THGenerator_default());
    THGenerator_lock(self);
    THGenerator_manualSeed(self, 123);
    testSequences();
    testBelow(self);
    testRising(self);
    testDistributions(self);
    testNormals(self);
    testStates(self);
    testManyEverywhere(self);
    THGenerator_unlock(self);
    THGenerator_free(self);
    return check_finish("random");
}
