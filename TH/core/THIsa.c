/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The choice of instruction set, made once when the library is loaded. */
#include <TH/THIsa.h>

#include <stdlib.h>
#include <string.h>

int THIsa_current = 0, THIsa_few = 0;

static const char *const names[] = {"base", "v3", "avx512"};
enum { ISA_BASE, ISA_V3, ISA_AVX512, ISA_NAMES };

#if defined(__x86_64__)
#include <cpuid.h>

/* Members of x86-64-v3 that compilers of 2021 do not all know by name. */
static bool hasUnnamedOfV3(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_F16C) || !(c & bit_MOVBE))
        return false;
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & bit_LZCNT);
}

static bool isSupported(int isa)
{
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                    hasUnnamedOfV3();
    if (isa == ISA_AVX512)
        return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    return isa == ISA_BASE || v3;
}
#else
static bool isSupported(int isa)
{
    return isa == ISA_BASE;
}
#endif

static void use(int isa)
{
    THIsa_current = isa;
    THIsa_few = isa > ISA_V3 ? ISA_V3 : isa;
}

const char *THIsa_name(int isa)
{
    return isa >= 0 && isa < ISA_NAMES ? names[isa] : "unknown";
}

/* ISA_NAMES where it is no name. */
static int isaOf(const char *name)
{
    int isa = 0;
    while (isa < ISA_NAMES && (name == NULL || strcmp(name, names[isa]) != 0))
        isa++;
    return isa;
}

int THIsa_set(const char *name)
{
    const int isa = isaOf(name);
    TH_CHECK(isa < ISA_NAMES, TH_ERROR_VALUE,
             "instruction set: expected base, v3 or avx512, got %s", name ? name : "nothing");
    TH_CHECK(isa < TH_ISA_COUNT && isSupported(isa), TH_ERROR_RUNTIME,
             "instruction set: this machine has no %s", name);
    use(isa);
    return TH_OK;
}

__attribute__((constructor)) static void chooseIsa(void)
{
    int isa = isaOf(getenv("TH_ISA")); /* without an error: threads have no state for it yet */
    if (isa >= TH_ISA_COUNT || !isSupported(isa))
        isa = TH_ISA_COUNT - 1;
    while (isa > ISA_BASE && !isSupported(isa))
        isa--;
    use(isa);
}
