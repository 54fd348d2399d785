/* What the machine does at best: bytes moved and fused multiply-adds. Compiled by limits.py, for this machine alone.

Streaming stores bypass the cache; which kind of store is faster depends on the size, so both are tried. */

#include <stddef.h>
#include <time.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifdef __AVX512F__
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
#define CHAINS 12 /* independent multiply-adds in flight: latency times units, and some more */

typedef float Floats __attribute__((vector_size(BYTES)));
typedef double Doubles __attribute__((vector_size(BYTES)));

static inline void store(Floats *to, Floats value, int streaming)
{
#if defined(__AVX512F__)
    if (streaming) {
        _mm512_stream_ps((float *)to, (__m512)value);
        return;
    }
#elif defined(__AVX__)
    if (streaming) {
        _mm256_stream_ps((float *)to, (__m256)value);
        return;
    }
#elif defined(__SSE2__)
    if (streaming) {
        _mm_stream_ps((float *)to, (__m128)value);
        return;
    }
#endif
    (void)streaming;
    *to = value;
}

static inline void fence(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
    __asm__ volatile("" ::: "memory");
}

static float read(const Floats *a, size_t n)
{
    Floats sums[8] = {{0}};
    float sum = 0;
    for (size_t i = 0; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            sums[k] += a[i + k];
    for (int k = 0; k < 8; k++)
        sum += sums[k][0];
    return sum;
}

static void fill(Floats *out, size_t n, int streaming)
{
    Floats value = (Floats){0} + 1.5f; /* in every lane: machines may write zeros faster */
    for (size_t i = 0; i < n; i++)
        store(out + i, value, streaming);
}

static void copy(Floats *out, const Floats *a, size_t n, int streaming)
{
    for (size_t i = 0; i < n; i++)
        store(out + i, a[i], streaming);
}

static void add(Floats *out, const Floats *a, const Floats *b, size_t n, int streaming)
{
    for (size_t i = 0; i < n; i++)
        store(out + i, a[i] + b[i], streaming);
}

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

/* One thread's part: `runs` times so many bytes of each array, the sources from `in` on, are moved to `out` (NULL:
read). All `threads` begin together, when each has added itself to `arrived`; `times` are begin and end. */
void limit_move(void *out, void **in, int sources, size_t bytes, long runs, int streaming, int *arrived, int threads,
                clockid_t clock, double *times)
{
    const size_t n = bytes / BYTES;
    volatile float sum = 0;
    __atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < threads)
        ;
    times[0] = seconds(clock);
    for (long run = 0; run < runs; run++) {
        if (out == NULL)
            sum += read(in[0], n);
        else if (sources == 0)
            fill(out, n, streaming);
        else if (sources == 1)
            copy(out, in[0], n, streaming);
        else
            add(out, in[0], in[1], n, streaming);
        fence();
    }
    times[1] = seconds(clock);
}

#define MULTIPLY_ADD(name, Vector, scalar)                                                       \
    /* Floating-point operations done, two for each multiply-add. */                              \
    double name(long runs, scalar start)                                                          \
    {                                                                                             \
        Vector sums[CHAINS], factor = {0}, term = {0};                                            \
        factor += start;                                                                          \
        term += 1 - start;                                                                        \
        for (int k = 0; k < CHAINS; k++)                                                          \
            sums[k] = term + (scalar)k;                                                                  \
        for (long run = 0; run < runs; run++)                                                     \
            for (int k = 0; k < CHAINS; k++)                                                      \
                sums[k] = sums[k] * factor + term;                                                \
        for (int k = 0; k < CHAINS; k++)                                                          \
            __asm__ volatile("" ::"m"(sums[k]));                                                  \
        return 2.0 * runs * CHAINS * (sizeof(Vector) / sizeof(scalar));                           \
    }

MULTIPLY_ADD(limit_float32, Floats, float)
MULTIPLY_ADD(limit_float64, Doubles, double)
