/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks for the C tests, each of which is one program: checks are counted, failures are shown and
 * decide the exit status. CHECK and its kin have the value 1 when the check passed. */
#ifndef CHECK_H
#define CHECK_H

#include <TH/TH.h>

#include <stdio.h>
#include <string.h>

static int checksPassed, checksFailed;

#define CHECK(condition) check_report((condition), #condition, __FILE__, __LINE__)
/* The call succeeds; shows the message otherwise. */
#define CHECK_OK(call) check_status((call), TH_OK, NULL, #call, __FILE__, __LINE__)
/* The call fails with this code and exactly this message. */
#define CHECK_ERROR(call, code, message) \
    check_status((call), (code), (message), #call, __FILE__, __LINE__)

static inline int check_report(int passed, const char *what, const char *file, int line)
{
    __atomic_add_fetch(passed ? &checksPassed : &checksFailed, 1, __ATOMIC_RELAXED);
    if (!passed)
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    return passed;
}

static inline int check_status(int status, int expected, const char *message, const char *what,
                               const char *file, int line)
{
    const int passed =
        status == expected && (message == NULL || strcmp(THError_message(), message) == 0);
    check_report(passed, what, file, line);
    if (!passed)
        fprintf(stderr, "    status %d, expected %d; message \"%s\"\n", status, expected,
                THError_message());
    return passed;
}

static inline int check_finish(const char *name)
{
    printf("%s: %d passed, %d failed\n", name, checksPassed, checksFailed);
    return checksFailed != 0;
}

/* Some tests ask for more memory than any machine has, or fork with threads running: without these
 * options the sanitizers end the program there. */
#if defined(__SANITIZE_ADDRESS__)
TH_API const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#elif defined(__SANITIZE_THREAD__)
TH_API const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1:die_after_fork=0";
}
#endif

/* {2, 3} as a count and an array, as functions that take sizes want it. */
#define SIZES(...)                                                               \
    (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (const int64_t[]) \
    {                                                                            \
        __VA_ARGS__                                                              \
    }
/* The same for views, which take the count last. */
#define DIMS(...) \
    (const int64_t[]){__VA_ARGS__}, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

#endif
