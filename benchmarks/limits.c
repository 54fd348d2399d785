/* What the machine does at best: bytes moved and fused multiply-adds. Compiled by limits.py, for this machine alone.

Each function runs over its memory `runs` times. Streaming stores bypass the cache; which kind of store is faster
depends on the size, so both are tried. */

#include <stddef.h>
#include <string.h>
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

/* One array is read. */
float limit_read(const Floats *a, size_t bytes, long runs)
{
    Floats sums[8] = {{0}};
    for (long run = 0; run < runs; run++) {
        for (size_t i = 0; i + 8 <= bytes / BYTES; i += 8)
            for (int k = 0; k < 8; k++)
                sums[k] += a[i + k];
        fence();
    }
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += sums[k][0];
    return sum;
}

/* One array is written. */
void limit_fill(Floats *out, size_t bytes, long runs, int streaming)
{
    Floats value = {1};
    for (long run = 0; run < runs; run++) {
        for (size_t i = 0; i < bytes / BYTES; i++)
            store(out + i, value, streaming);
        fence();
    }
}

/* One is read, one written. */
void limit_copy(Floats *out, const Floats *a, size_t bytes, long runs, int streaming)
{
    for (long run = 0; run < runs; run++) {
        for (size_t i = 0; i < bytes / BYTES; i++)
            store(out + i, a[i], streaming);
        fence();
    }
}

/* Two are read, one written. */
void limit_add(Floats *out, const Floats *a, const Floats *b, size_t bytes, long runs, int streaming)
{
    for (long run = 0; run < runs; run++) {
        for (size_t i = 0; i < bytes / BYTES; i++)
            store(out + i, a[i] + b[i], streaming);
        fence();
    }
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
