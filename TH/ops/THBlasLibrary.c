/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens the BLAS library when it is first needed. It keeps to one thread: TH divides the work,
 * since threads of two pools wait awake for each other's cores.
 *
 * `state` is read without the lock: once it is READY or ABSENT, the table never changes. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <TH/THBlas.h>

enum { UNTRIED, READY, ABSENT };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state;
static void *library;
static char libraryPath[4096];
static THBlasTable table;

/* dlsym's object pointer as a function pointer of any type. */
static bool lookUp(void *function, const char *name)
{
    char prefixed[64];
    void *symbol;
    snprintf(prefixed, sizeof prefixed, "scipy_%s", name);
    symbol = dlsym(library, prefixed);
    if (symbol == NULL)
        symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* By OpenBLAS's name of the processor that its loops are for. */
static bool isNarrow(void)
{
    static const char *const names[] = {"Prescott",    "Core2",      "Nehalem",
                                        "Sandybridge", "Haswell",    "Barcelona",
                                        "Bulldozer",   "Piledriver", "Zen"};
    char *(*coreName)(void) = NULL;
    if (lookUp(&coreName, "openblas_get_corename"))
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (strcmp(coreName(), names[i]) == 0)
                return true;
    return false;
}

static bool fillTable(void)
{
    void (*setThreads)(int threads) = NULL;
    if (!lookUp(&table.gemm_Float, "cblas_sgemm") || !lookUp(&table.gemm_Double, "cblas_dgemm"))
        return false;
    if (lookUp(&setThreads, "openblas_set_num_threads"))
        setThreads(1);
    table.isNarrow = isNarrow();
    return true;
}

static int openLibrary(void)
{
    const char *asked = getenv("TH_BLAS");
    const char *path = asked != NULL && *asked != '\0' ? asked : libraryPath;
    if (*path == '\0' || strcmp(path, "none") == 0)
        return ABSENT;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return ABSENT;
    if (!fillTable()) {
        dlclose(library);
        library = NULL;
        return ABSENT;
    }
    if (path != libraryPath)
        snprintf(libraryPath, sizeof libraryPath, "%s", path);
    return READY;
}

static bool ready(void)
{
    int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
    if (TH_UNLIKELY(now == UNTRIED)) {
        pthread_mutex_lock(&lock);
        if (state == UNTRIED)
            __atomic_store_n(&state, openLibrary(), __ATOMIC_RELEASE);
        now = state;
        pthread_mutex_unlock(&lock);
    }
    return now == READY;
}

const THBlasTable *THBlas_table(void)
{
    return ready() ? &table : NULL;
}

int THBlas_setLibrary(const char *path)
{
    int status = TH_OK;
    pthread_mutex_lock(&lock);
    TH_REQUIRE(state == UNTRIED, TH_ERROR_RUNTIME, "blas: the library has been looked for already");
    TH_REQUIRE(path != NULL && strlen(path) < sizeof libraryPath, TH_ERROR_VALUE,
               "blas: expected a path of at most %zu bytes", sizeof libraryPath - 1);
    memcpy(libraryPath, path, strlen(path) + 1);
done:
    pthread_mutex_unlock(&lock);
    return status;
}

const char *THBlas_library(void)
{
    return ready() ? libraryPath : NULL;
}

void *THBlas_symbol(const char *name)
{
    void *symbol = NULL;
    if (ready())
        lookUp(&symbol, name);
    return symbol;
}
