/* What the machine does at best: bytes moved and fused multiply-adds. Compiled by limits.py, for this machine alone.

Streaming stores bypass the cache, and registers of half the length read memory faster on some machines: which is best
depends on the size, too, so all are tried. */

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

static void fence(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
    __asm__ volatile("" ::: "memory");
}

/* `runs` times so many bytes, from the first `sources` of `in` to `out`, which is NULL if they are only read. The
constant is 1.5 in every lane: machines may write zeros faster. */
#define MOVES(name, Vector, STREAM)                                                                \
    static void name##_store(Vector *to, Vector value, int streaming)                              \
    {                                                                                              \
        if (streaming)                                                                             \
            STREAM(to, value);                                                                     \
        else                                                                                       \
            *to = value;                                                                           \
    }                                                                                              \
    static float name##_read(const Vector *a, size_t n)                                            \
    {                                                                                              \
        Vector sums[8] = {{0}};                                                                    \
        float sum = 0;                                                                             \
        for (size_t i = 0; i + 8 <= n; i += 8)                                                     \
            for (int k = 0; k < 8; k++)                                                            \
                sums[k] += a[i + k];                                                               \
        for (int k = 0; k < 8; k++)                                                                \
            sum += sums[k][0];                                                                     \
        return sum;                                                                                \
    }                                                                                              \
    static void name(void *out, void **in, int sources, size_t bytes, long runs, int streaming)    \
    {                                                                                              \
        const size_t n = bytes / sizeof(Vector);                                                   \
        const Vector *a = in[0], *b = in[1], value = (Vector){0} + 1.5f;                           \
        Vector *to = out;                                                                          \
        volatile float sum = 0;                                                                    \
        for (long run = 0; run < runs; run++) {                                                    \
            if (out == NULL)                                                                       \
                sum += name##_read(a, n);                                                          \
            else                                                                                   \
                for (size_t i = 0; i < n; i++)                                                     \
                    name##_store(to + i, sources == 0 ? value : sources == 1 ? a[i] : a[i] + b[i], \
                                 streaming);                                                       \
            fence();                                                                               \
        }                                                                                          \
    }

#if defined(__AVX512F__)
#define STREAM_WHOLE(to, value) _mm512_stream_ps((float *)(to), (__m512)(value))
#define STREAM_HALF(to, value) _mm256_stream_ps((float *)(to), (__m256)(value))
#elif defined(__AVX__)
#define STREAM_WHOLE(to, value) _mm256_stream_ps((float *)(to), (__m256)(value))
#define STREAM_HALF(to, value) _mm_stream_ps((float *)(to), (__m128)(value))
#elif defined(__SSE2__)
#define STREAM_WHOLE(to, value) _mm_stream_ps((float *)(to), (__m128)(value))
#define STREAM_HALF(to, value) (*(to) = (value))
#else
#define STREAM_WHOLE(to, value) (*(to) = (value))
#define STREAM_HALF(to, value) (*(to) = (value))
#endif
typedef float Halves __attribute__((vector_size(BYTES / 2)));

MOVES(whole, Floats, STREAM_WHOLE)
MOVES(half, Halves, STREAM_HALF)

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

/* One thread's part: `runs` times so many bytes of each array, the sources from `in` on, are moved to `out` (NULL:
read). All `threads` begin together, when each has added itself to `arrived`; `times` are begin and end. */
void limit_move(void *out, void **in, int sources, size_t bytes, long runs, int halves, int streaming, int *arrived,
                int threads, clockid_t clock, double *times)
{
    __atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < threads)
        ;
    times[0] = seconds(clock);
    (halves ? half : whole)(out, in, sources, bytes, runs, streaming);
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
