/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MT19937, and draws from it. In a generator `next` is the index of the next word of `state` and
 * `left` how many words are left, so left + next is always 624; the words are tempered when drawn.
 * What is computed of them is in TH/loops/random.c, for one number and for many: the same numbers
 * come whatever is drawn at once. */
#define _GNU_SOURCE
#include <TH/THRandom.h>
#include <TH/core/THPrivate.h>
#include <TH/loops/random.h>

#include <errno.h>
#include <linux/futex.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WORDS TH_RANDOM_WORDS
#define DEFAULT_SEED 5489
#define BLOCK 256 /* numbers drawn at once */

TH_ISA_DECLARE(TH_RANDOM_DECLARE, th_random);
static const THRandomLoops *const loops[TH_ISA_COUNT] = TH_ISA_TABLE(th_random);

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

/* Locks. One is 0 when free, 1 when held, 2 when held and somebody may wait. */

static void lock(int32_t *self)
{
    int32_t was = 0;
    if (TH_LIKELY(
            __atomic_compare_exchange_n(self, &was, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
        return;
    while (__atomic_exchange_n(self, 2, __ATOMIC_ACQUIRE) != 0)
        syscall(SYS_futex, self, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(int32_t *self)
{
    if (TH_UNLIKELY(__atomic_exchange_n(self, 0, __ATOMIC_RELEASE) == 2))
        syscall(SYS_futex, self, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void THGenerator_lock(THGenerator *self)
{
    lock(&self->lock);
}

void THGenerator_unlock(THGenerator *self)
{
    unlock(&self->lock);
}

/* Generators. All that exist are in a list, since a fork waits for each of them: a child could not
 * wait for a thread that is not there. Its lock is taken before theirs. */

typedef struct ListedGenerator {
    THGenerator generator;
    struct ListedGenerator *previous, *next;
} ListedGenerator;

static ListedGenerator first; /* the default generator, made once its refcount is 1 */
static int32_t listLock;
#define DEFAULT_GENERATOR (&first.generator)

static void makeDefault(void)
{
    lock(&DEFAULT_GENERATOR->lock);
    if (DEFAULT_GENERATOR->refcount == 0) {
        THGenerator_manualSeed(DEFAULT_GENERATOR, systemSeed());
        __atomic_store_n(&DEFAULT_GENERATOR->refcount, 1, __ATOMIC_RELEASE);
    }
    unlock(&DEFAULT_GENERATOR->lock);
}

THGenerator *THGenerator_default(void)
{
    if (TH_UNLIKELY(__atomic_load_n(&DEFAULT_GENERATOR->refcount, __ATOMIC_ACQUIRE) == 0))
        makeDefault();
    return DEFAULT_GENERATOR;
}

void THRandom_beforeFork(void)
{
    lock(&listLock);
    for (ListedGenerator *listed = &first; listed != NULL; listed = listed->next)
        lock(&listed->generator.lock);
}

void THRandom_afterFork(void)
{
    for (ListedGenerator *listed = &first; listed != NULL; listed = listed->next)
        unlock(&listed->generator.lock);
    unlock(&listLock);
}

int THGenerator_new(THGenerator **out)
{
    ListedGenerator *self = THAlloc(sizeof *self);
    if (self == NULL)
        return TH_ERROR_MEMORY;
    memset(self, 0, sizeof *self);
    self->generator.refcount = 1;
    THGenerator_manualSeed(&self->generator, DEFAULT_SEED);
    lock(&listLock);
    self->previous = &first;
    self->next = first.next;
    if (self->next != NULL)
        self->next->previous = self;
    first.next = self;
    unlock(&listLock);
    *out = &self->generator;
    return TH_OK;
}

void THGenerator_retain(THGenerator *self)
{
    __atomic_add_fetch(&self->refcount, 1, __ATOMIC_RELAXED);
}

void THGenerator_free(THGenerator *self)
{
    if (self == NULL || self == DEFAULT_GENERATOR || !THRefcount_drop(&self->refcount))
        return;
    ListedGenerator *const listed = (ListedGenerator *)self; /* its first member */
    lock(&listLock);
    listed->previous->next = listed->next;
    if (listed->next != NULL)
        listed->next->previous = listed->previous;
    unlock(&listLock);
    THFree(listed);
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

static void nextState(THGenerator *self)
{
    loops[THIsa_current]->twist(self->state);
    self->next = 0;
    self->left = WORDS;
}

uint32_t THRandom_random(THGenerator *self)
{
    if (TH_UNLIKELY(self->next >= WORDS))
        nextState(self);
    self->left--;
    return THRandom_tempered(self->state[self->next++]);
}

void THRandom_words(THGenerator *self, int64_t n, uint32_t *words)
{
    while (n > 0) {
        if (self->next >= WORDS)
            nextState(self);
        const int64_t m = n < self->left ? n : self->left;
        loops[THIsa_current]->temper(m, self->state + self->next, words);
        self->next += (uint64_t)m;
        self->left -= (int32_t)m;
        words += m;
        n -= m;
    }
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

/* Numbers of two words each. */
static void drawNumbers(THGenerator *self, int64_t n,
                        void (*loop)(int64_t n, const uint32_t *words, double *numbers),
                        double *numbers)
{
    uint32_t words[2 * BLOCK];
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t m = n - i < BLOCK ? n - i : BLOCK;
        THRandom_words(self, 2 * m, words);
        loop(m, words, numbers + i);
    }
}

void THRandom_uniforms(THGenerator *self, int64_t n, double *numbers)
{
    drawNumbers(self, n, loops[THIsa_current]->uniforms, numbers);
}

void THRandom_exponentials(THGenerator *self, int64_t n, double *numbers)
{
    drawNumbers(self, n, loops[THIsa_current]->exponentials, numbers);
}

void THRandom_trials(THGenerator *self, int64_t n, const double *p, uint8_t *trials)
{
    uint32_t words[2 * BLOCK];
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t m = n - i < BLOCK ? n - i : BLOCK;
        THRandom_words(self, 2 * m, words);
        loops[THIsa_current]->trials(m, words, p + i, trials + i);
    }
}

/* Draws from the incomplete last run of n numbers are drawn again; only draws below n can be among
 * them. */
uint64_t THRandom_below(THGenerator *self, uint64_t n)
{
    if (n <= 1)
        return 0;
    if (n <= UINT32_MAX) {
        const uint32_t bound = (uint32_t)n;
        uint32_t word;
        do
            word = THRandom_random(self);
        while (word < bound && word < -bound % bound);
        return word % bound;
    }
    uint64_t word;
    do
        word = THRandom_random64(self);
    while (word < n && word < -n % n);
    return word % n;
}

static bool isPowerOfTwo(uint64_t bound)
{
    return (bound & (bound - 1)) == 0;
}

void THRandom_wordsBelow(THGenerator *self, int64_t n, uint32_t bound, uint32_t *numbers)
{
    const uint32_t least = -bound % bound;
    uint32_t words[BLOCK];
    if (isPowerOfTwo(bound)) { /* all draws are kept */
        THRandom_words(self, n, numbers);
        for (int64_t i = 0; i < n; i++)
            numbers[i] &= bound - 1;
        return;
    }
    while (n > 0) {
        const int64_t m = n < BLOCK ? n : BLOCK;
        THRandom_words(self, m, words);
        int64_t kept = m;
        if (loops[THIsa_current]->anyBelow(m, words, least)) {
            kept = 0;
            for (int64_t i = 0; i < m; i++) {
                words[kept] = words[i];
                kept += words[i] >= least;
            }
        }
        loops[THIsa_current]->remainders(kept, words, bound, numbers);
        numbers += kept;
        n -= kept;
    }
}

void THRandom_wordsBelowRising(THGenerator *self, int64_t n, uint32_t bound, uint32_t *numbers)
{
    uint32_t words[BLOCK];
    while (n > 0) {
        const int64_t m = n < BLOCK ? n : BLOCK;
        uint32_t kept = 0;
        THRandom_words(self, m, words);
        for (int64_t i = 0; i < m; i++) {
            const uint32_t word = words[i], below = bound + kept;
            numbers[kept] = word % below;
            kept += word >= below || word >= -below % below;
        }
        numbers += kept;
        bound += kept;
        n -= kept;
    }
}

bool THRandom_areProbabilities(int64_t n, const double *p)
{
    return loops[THIsa_current]->areProbabilities(n, p);
}

/* The quotient by the inverse is the right one or one less. */
void THRandom_longsBelow(THGenerator *self, int64_t n, uint64_t bound, uint64_t *numbers)
{
    const uint64_t least = -bound % bound, inverse = UINT64_MAX / bound;
    const bool all = isPowerOfTwo(bound); /* draws are kept */
    uint32_t words[2 * BLOCK];
    for (int64_t kept = 0; kept < n;) {
        const int64_t m = THSize_min(n - kept, BLOCK);
        THRandom_words(self, 2 * m, words);
        for (int64_t i = 0; i < m && all; i++)
            numbers[kept + i] = ((uint64_t)words[2 * i] << 32 | words[2 * i + 1]) & (bound - 1);
        kept += all ? m : 0;
        for (int64_t i = 0; i < m && !all; i++) {
            const uint64_t drawn = (uint64_t)words[2 * i] << 32 | words[2 * i + 1];
            const uint64_t quotient = (uint64_t)((unsigned __int128)drawn * inverse >> 64);
            const uint64_t rest = drawn - quotient * bound;
            numbers[kept] = rest < bound ? rest : rest - bound;
            kept += drawn >= least;
        }
    }
}

/* So many pairs, after each other. */
static void drawPairs(THGenerator *self, int64_t n, double *numbers)
{
    uint32_t words[4 * BLOCK];
    for (int64_t i = 0; i < n; i += BLOCK) {
        const int64_t m = n - i < BLOCK ? n - i : BLOCK;
        THRandom_words(self, 4 * m, words);
        loops[THIsa_current]->normals(m, words, numbers + 2 * i);
    }
}

double THRandom_normal(THGenerator *self)
{
    double pair[2];
    if (self->normal_is_valid) {
        self->normal_is_valid = 0;
        return self->normal_y;
    }
    drawPairs(self, 1, pair);
    self->normal_y = pair[1];
    self->normal_is_valid = 1;
    return pair[0];
}

void THRandom_normals(THGenerator *self, int64_t n, double *numbers)
{
    if (n > 0 && self->normal_is_valid) {
        *numbers++ = THRandom_normal(self);
        n--;
    }
    drawPairs(self, n / 2, numbers);
    if (n % 2 != 0)
        numbers[n - 1] = THRandom_normal(self);
}
