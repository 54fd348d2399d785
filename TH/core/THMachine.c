/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of machines, and what the environment says of this one. */
#include <TH/THMachine.h>

#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

bool THMachine_asksForWrites = true;
bool THMachine_followsRows = false;
bool THMachine_readsInTurn = false;
bool THMachine_followsLines = false;
bool THMachine_halvesRegisters = false;
bool THMachine_asksSecond = false;
bool THMachine_asksAhead = true;
int64_t THMachine_readAhead = 16384;
int64_t THMachine_streamFrom = INT64_MAX;
int64_t THMachine_stringFrom = INT64_MAX;

/* Intel's servers since Ice Lake; measured was the fifth generation, Emerald Rapids. */
static bool isRecentXeon(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("intel") && __builtin_cpu_supports("avx512vbmi2");
#else
    return false;
#endif
}

/* 0x19: Zen 3 and 4, 0x1a: Zen 5; 0 of another maker's processors. */
static unsigned familyOfAmd(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    unsigned a = 0, b, c, d;
    if (__builtin_cpu_is("amd") && __get_cpuid(1, &a, &b, &c, &d))
        return (a >> 8 & 0xf) + (a >> 20 & 0xff);
#endif
    return 0;
}

/* Of family 0x19 Zen 4 has it, Zen 3 not. */
static bool hasWidest(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

/* What a variable of the environment says, if that is one of two words. */
static bool isSaid(const char *name, const char *yes, const char *no, bool usual)
{
    const char *word = getenv(name);
    const bool isYes = word != NULL && strcmp(word, yes) == 0;
    const bool isNo = word != NULL && strcmp(word, no) == 0;
    return isYes || (usual && !isNo);
}

/* Bytes, no fewer than `least`, that a variable of the environment says. */
static int64_t bytesSaid(const char *name, long least, int64_t usual)
{
    const char *word = getenv(name);
    char *end;
    const long bytes = word != NULL ? strtol(word, &end, 10) : 0;
    return word != NULL && end != word && bytes >= least ? bytes : usual;
}

__attribute__((constructor)) static void choose(void)
{
    const unsigned family = familyOfAmd();
    const bool xeon = isRecentXeon(), zen4 = family == 0x19 && hasWidest();
    THMachine_asksForWrites = isSaid("TH_WRITES", "asked", "plain", family == 0);
    const bool single = isSaid("TH_ROWS", "single", "followed", family >= 0x1a);
    THMachine_followsRows = isSaid("TH_ROWS", "followed", "asked", single || family > 0 || xeon);
    THMachine_readsInTurn = single && THMachine_followsRows;
    THMachine_followsLines = isSaid("TH_LINES", "followed", "asked", family > 0);
    THMachine_halvesRegisters = isSaid("TH_REGISTERS", "halved", "whole", zen4);
    THMachine_asksSecond = isSaid("TH_ASKS", "second", "first", family == 0x19 || xeon);
    THMachine_asksAhead = isSaid("TH_READS", "asked", "plain", !zen4);
    THMachine_readAhead = bytesSaid("TH_AHEAD", 0, family == 0 ? 16384 : family < 0x1a ? 0 : 9216);
    THMachine_stringFrom = bytesSaid("TH_STRINGS", 1, family >= 0x1a ? 28 << 10 : INT64_MAX);
    THMachine_streamFrom = bytesSaid("TH_STREAM", 1, family > 0 || xeon ? 24 << 20 : INT64_MAX);
}
