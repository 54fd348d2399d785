/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MT19937, and draws from it. In a generator `next` is the index of the next word of `state` and
 * `left` how many words are left, so left + next is always 624; the words are tempered when drawn.
 * Nothing here may depend on the machine: floating point is plain IEEE arithmetic in a fixed order
 * (no fused operations, no libm but sqrt). */
#define _GNU_SOURCE
#include <TH/THRandom.h>
#include <TH/core/THPrivate.h>

#include <errno.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WORDS 624
#define SHIFT 397
#define DEFAULT_SEED 5489

/* Seeding */

static void seedWord(THGenerator *self, uint32_t seed)
{
    self->state[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++) {
        const uint32_t last = self->state[i - 1];
        self->state[i] = 1812433253u * (last ^ (last >> 30)) + i;
    }
}

/* The initialisation by a key of two words; WORDS is longer than any key of ours. */
static void seedKey(THGenerator *self, const uint32_t key[2])
{
    uint32_t *state = self->state;
    seedWord(self, 19650218u);
    uint32_t i = 1;
    for (uint32_t k = 0; k < WORDS; k++) {
        const uint32_t mixed = state[i - 1] ^ (state[i - 1] >> 30);
        state[i] = (state[i] ^ (mixed * 1664525u)) + key[k & 1] + (k & 1);
        if (++i == WORDS) {
            state[0] = state[WORDS - 1];
            i = 1;
        }
    }
    for (uint32_t k = 0; k < WORDS - 1; k++) {
        const uint32_t mixed = state[i - 1] ^ (state[i - 1] >> 30);
        state[i] = (state[i] ^ (mixed * 1566083941u)) - i;
        if (++i == WORDS) {
            state[0] = state[WORDS - 1];
            i = 1;
        }
    }
    state[0] = 0x80000000u;
}

void THGenerator_manualSeed(THGenerator *self, uint64_t seed)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    if (key[1] == 0)
        seedWord(self, key[0]);
    else
        seedKey(self, key);
    self->the_initial_seed = seed;
    self->next = WORDS;
    self->left = 0;
    self->seeded = 1;
    self->normal_y = 0;
    self->normal_is_valid = 0;
}

static uint64_t systemSeed(void)
{
    uint64_t seed;
    ssize_t got;
    do
        got = getrandom(&seed, sizeof seed, 0);
    while (got < 0 && errno == EINTR);
    if (got == (ssize_t)sizeof seed)
        return seed;
    struct timespec now; /* a kernel or sandbox without the call */
    clock_gettime(CLOCK_REALTIME, &now);
    seed = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
    return (seed ^ (uint64_t)getpid() << 40) * UINT64_C(0x9e3779b97f4a7c15);
}

int THGenerator_seed(THGenerator *self, uint64_t *seed)
{
    *seed = systemSeed();
    THGenerator_manualSeed(self, *seed);
    return TH_OK;
}

uint64_t THGenerator_initialSeed(const THGenerator *self)
{
    return self->the_initial_seed;
}

/* Generators */

static THGenerator defaultGenerator;
static pthread_once_t defaultOnce = PTHREAD_ONCE_INIT;

static void beforeFork(void)
{
    THGenerator_lock(&defaultGenerator);
}

static void afterFork(void)
{
    THGenerator_unlock(&defaultGenerator);
}

static void makeDefault(void)
{
    defaultGenerator.refcount = 1;
    THGenerator_manualSeed(&defaultGenerator, systemSeed());
    pthread_atfork(beforeFork, afterFork, afterFork);
}

THGenerator *THGenerator_default(void)
{
    pthread_once(&defaultOnce, makeDefault);
    return &defaultGenerator;
}

int THGenerator_new(THGenerator **out)
{
    THGenerator *self = THAlloc(sizeof *self);
    if (self == NULL)
        return TH_ERROR_MEMORY;
    memset(self, 0, sizeof *self);
    self->refcount = 1;
    THGenerator_manualSeed(self, DEFAULT_SEED);
    *out = self;
    return TH_OK;
}

void THGenerator_retain(THGenerator *self)
{
    __atomic_add_fetch(&self->refcount, 1, __ATOMIC_RELAXED);
}

void THGenerator_free(THGenerator *self)
{
    if (self != NULL && self != &defaultGenerator && THRefcount_drop(&self->refcount))
        THFree(self);
}

/* The lock is 0 when free, 1 when held, 2 when held and somebody may wait. */
void THGenerator_lock(THGenerator *self)
{
    int32_t was = 0;
    if (TH_LIKELY(__atomic_compare_exchange_n(&self->lock, &was, 1, false, __ATOMIC_ACQUIRE,
                                              __ATOMIC_RELAXED)))
        return;
    while (__atomic_exchange_n(&self->lock, 2, __ATOMIC_ACQUIRE) != 0)
        syscall(SYS_futex, &self->lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

void THGenerator_unlock(THGenerator *self)
{
    if (TH_UNLIKELY(__atomic_exchange_n(&self->lock, 0, __ATOMIC_RELEASE) == 2))
        syscall(SYS_futex, &self->lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* The state as bytes */

typedef struct StateBytes {
    uint64_t version, seed, next;
    double normal;
    uint32_t hasNormal;
    uint32_t state[WORDS];
    uint32_t padding;
} StateBytes;
_Static_assert(sizeof(StateBytes) == 4 * 8 + 4 + 4 * WORDS + 4, "no hidden padding");
#define STATE_VERSION 1

int64_t THGenerator_stateSize(void)
{
    return sizeof(StateBytes);
}

void THGenerator_getState(THGenerator *self, void *bytes)
{
    StateBytes state = {
        .version = STATE_VERSION,
        .seed = self->the_initial_seed,
        .next = self->next,
        .normal = self->normal_y,
        .hasNormal = (uint32_t)self->normal_is_valid,
    };
    memcpy(state.state, self->state, sizeof state.state);
    memcpy(bytes, &state, sizeof state);
}

int THGenerator_setState(THGenerator *self, const void *bytes, int64_t size)
{
    StateBytes state;
    TH_CHECK(size == (int64_t)sizeof state, TH_ERROR_VALUE,
             "set_state: expected %d bytes, got %lld", (int)sizeof state, (long long)size);
    memcpy(&state, bytes, sizeof state);
    uint32_t any = state.state[0] & 0x80000000u; /* the rest of word 0 is not part of the state */
    for (int i = 1; i < WORDS; i++)
        any |= state.state[i];
    TH_CHECK(state.version == STATE_VERSION && state.next <= WORDS && state.hasNormal <= 1 &&
                 isfinite(state.normal) && any != 0,
             TH_ERROR_VALUE, "set_state: these bytes are not the state of a generator");
    self->the_initial_seed = state.seed;
    self->next = state.next;
    self->left = (int32_t)(WORDS - state.next);
    self->seeded = 1;
    self->normal_y = state.normal;
    self->normal_is_valid = (int32_t)state.hasNormal;
    memcpy(self->state, state.state, sizeof state.state);
    return TH_OK;
}

/* Draws */

static inline uint32_t twist(uint32_t upper, uint32_t lower, uint32_t shifted)
{
    const uint32_t mixed = (upper & 0x80000000u) | (lower & 0x7fffffffu);
    return shifted ^ (mixed >> 1) ^ (-(lower & 1u) & 0x9908b0dfu);
}

static void nextState(THGenerator *self)
{
    uint32_t *state = self->state;
    int i = 0;
    for (; i < WORDS - SHIFT; i++)
        state[i] = twist(state[i], state[i + 1], state[i + SHIFT]);
    for (; i < WORDS - 1; i++)
        state[i] = twist(state[i], state[i + 1], state[i + SHIFT - WORDS]);
    state[WORDS - 1] = twist(state[WORDS - 1], state[0], state[SHIFT - 1]);
    self->next = 0;
    self->left = WORDS;
}

uint32_t THRandom_random(THGenerator *self)
{
    if (TH_UNLIKELY(self->next >= WORDS))
        nextState(self);
    uint32_t word = self->state[self->next++];
    self->left--;
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

uint64_t THRandom_random64(THGenerator *self)
{
    const uint64_t high = THRandom_random(self);
    return high << 32 | THRandom_random(self);
}

double THRandom_uniform(THGenerator *self)
{
    return (double)(THRandom_random64(self) >> 11) * 0x1p-53;
}

float THRandom_uniformFloat(THGenerator *self)
{
    return (float)(THRandom_random(self) >> 8) * 0x1p-24f;
}

/* Draws from the incomplete last run of n numbers are drawn again. */
uint64_t THRandom_below(THGenerator *self, uint64_t n)
{
    if (n <= 1)
        return 0;
    if (n <= UINT32_MAX) {
        const uint32_t bound = (uint32_t)n, least = -bound % bound;
        uint32_t word;
        do
            word = THRandom_random(self);
        while (word < least);
        return word % bound;
    }
    const uint64_t least = -n % n;
    uint64_t word;
    do
        word = THRandom_random64(self);
    while (word < least);
    return word % n;
}

/* terms[0] + terms[1] * z + terms[2] * z^2 + ... */
static inline double polynomial(double z, const double *terms, int count)
{
    double sum = terms[count - 1];
    for (int i = count - 2; i >= 0; i--)
        sum = sum * z + terms[i];
    return sum;
}

/* log(x) for x in [2^-53, 1]. x = 2^e * m with m in [sqrt(1/2), sqrt(2)); log(m) = 2 artanh(s) with
 * s = (m - 1) / (m + 1), whose series is cut where terms fall below 2^-56 of the sum. */
static double logOfUniform(double x)
{
    static const double terms[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                   1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    const double highOfLog2 = 0x1.62e42fefap-1, lowOfLog2 = 0x1.cf79abc9e3b3ap-40;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    const double s = (m - 1.0) / (m + 1.0), z = s * s;
    const double tail = 2.0 * s * z * polynomial(z, terms, 10);
    return exponent * highOfLog2 + (2.0 * s + (tail + exponent * lowOfLog2));
}

/* Sine and cosine of 2 pi u, u in [0, 1): a whole number of quarter turns and at most an eighth of
 * a turn either way, for which Taylor's series are short. */
static void sinCosOfTurn(double u, double *sine, double *cosine)
{
    static const double sineTerms[] = {1.0,
                                       -1.0 / 6,
                                       1.0 / 120,
                                       -1.0 / 5040,
                                       1.0 / 362880,
                                       -1.0 / 39916800,
                                       1.0 / 6227020800,
                                       -1.0 / 1307674368000,
                                       1.0 / 355687428096000};
    static const double cosineTerms[] = {1.0,
                                         -1.0 / 2,
                                         1.0 / 24,
                                         -1.0 / 720,
                                         1.0 / 40320,
                                         -1.0 / 3628800,
                                         1.0 / 479001600,
                                         -1.0 / 87178291200,
                                         1.0 / 20922789888000};
    const int quarters = (int)(u * 4.0 + 0.5);
    const double x = (u - quarters * 0.25) * 6.283185307179586, z = x * x;
    const double s = x * polynomial(z, sineTerms, 9), c = polynomial(z, cosineTerms, 9);
    const bool isOdd = quarters & 1;
    const double first = isOdd ? c : s, second = isOdd ? -s : c;
    const bool isHalfTurn = quarters & 2;
    *sine = isHalfTurn ? -first : first;
    *cosine = isHalfTurn ? -second : second;
}

double THRandom_normal(THGenerator *self)
{
    if (self->normal_is_valid) {
        self->normal_is_valid = 0;
        return self->normal_y;
    }
    const double u = 1.0 - THRandom_uniform(self); /* (0, 1] */
    const double radius = sqrt(-2.0 * logOfUniform(u));
    double sine, cosine;
    sinCosOfTurn(THRandom_uniform(self), &sine, &cosine);
    self->normal_y = radius * sine;
    self->normal_is_valid = 1;
    return radius * cosine;
}
