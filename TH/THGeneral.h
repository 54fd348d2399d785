/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ground everything else stands on: status codes, errors, warnings, memory, concatenation.
 *
 * Every function that can fail returns a status (TH_OK is 0) and leaves a message for the calling
 * thread. Nothing in TH exits, jumps, aborts or prints. Names: THThing_verb for the library,
 * TH_<lowercase> only for declared operations. */
#ifndef TH_GENERAL_H
#define TH_GENERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TH_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define TH_LIKELY(x) __builtin_expect(!!(x), 1)
#define TH_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define TH_PRINTF(text, first)
#define TH_LIKELY(x) (x)
#define TH_UNLIKELY(x) (x)
#endif

/* Compiled with -fvisibility=hidden: what carries TH_API is the library's interface. */
#define TH_API __attribute__((visibility("default")))

#define TH_CONCAT_2_(a, b) a##b
#define TH_CONCAT_2(a, b) TH_CONCAT_2_(a, b)
#define TH_CONCAT_3_(a, b, c) a##b##c
#define TH_CONCAT_3(a, b, c) TH_CONCAT_3_(a, b, c)
#define TH_CONCAT_4_(a, b, c, d) a##b##c##d
#define TH_CONCAT_4(a, b, c, d) TH_CONCAT_4_(a, b, c, d)

/* What went wrong; the binding turns each into the Python exception of the same kind. Never
 * renumbered. */
typedef enum THStatus {
    TH_OK = 0,
    TH_ERROR_VALUE = 1,           /* shapes, sizes, values */
    TH_ERROR_TYPE = 2,            /* kinds of argument, dtypes */
    TH_ERROR_INDEX = 3,           /* an index or a dim out of range */
    TH_ERROR_RUNTIME = 4,         /* the state of an object forbids it */
    TH_ERROR_MEMORY = 5,          /* an allocation failed */
    TH_ERROR_NOT_IMPLEMENTED = 6, /* no kernel for this dtype */
} THStatus;

/* Records the message (printf format) and code for the calling thread; returns the code. */
TH_API int THError(int code, const char *format, ...) TH_PRINTF(2, 3);
/* The last recorded message and code of the calling thread; "" and TH_OK when there is none. */
TH_API const char *THError_message(void);
TH_API int THError_code(void);
/* For wrappers: the message of a failed status begins with `op`, whatever function it came from
 * ("ger: ..." of outer). Returns the status. */
TH_API int THError_rename(const char *op, int status);
static inline int THError_named(const char *op, int status)
{
    return TH_LIKELY(status == TH_OK) ? TH_OK : THError_rename(op, status);
}
TH_API void THError_clear(void);

/* Leaves a warning for the calling thread (only the last one is kept); the binding shows it as
 * UserWarning. */
TH_API void THWarning(const char *format, ...) TH_PRINTF(1, 2);
/* The pending warning, or NULL; taking it clears it. The text lives until the thread's next
 * warning. */
TH_API const char *THWarning_take(void);

/* Leave the function with an error unless the condition holds. For functions that own nothing yet.
 */
#define TH_CHECK(condition, code, ...)         \
    do {                                       \
        if (TH_UNLIKELY(!(condition)))         \
            return THError(code, __VA_ARGS__); \
    } while (0)

/* In functions with `int status` and a `done:` label that releases what they own. */
#define TH_TRY(call)                                 \
    do {                                             \
        if (TH_UNLIKELY((status = (call)) != TH_OK)) \
            goto done;                               \
    } while (0)
#define TH_REQUIRE(condition, code, ...)         \
    do {                                         \
        if (TH_UNLIKELY(!(condition))) {         \
            status = THError(code, __VA_ARGS__); \
            goto done;                           \
        }                                        \
    } while (0)

/* Temporary memory, 64-byte aligned; NULL with a recorded TH_ERROR_MEMORY when there is none.
 * `size` 0 gives a pointer that may be freed. */
TH_API void *THAlloc(size_t size);
TH_API void THFree(void *pointer);

/* a * b and a + b for sizes and byte counts (operands >= 0); false when they overflow int64. */
static inline bool THSize_mul(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}
static inline bool THSize_add(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

static inline int64_t THSize_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Version of the structs and functions that op packages compile against; see docs/abi.md. */
#define TH_ABI_VERSION 1
TH_API extern const int TH_abiVersion;

#ifdef __cplusplus
}
#endif
#endif
