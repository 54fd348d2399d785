/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops are compiled once for each instruction set; the best one is chosen when the library
 * is loaded (TH_ISA=base, v3 or avx512 in the environment forces one that the machine has).
 *
 * A file of loops is compiled with -DTH_ISA=base|v3|avx512; everything it defines is named by
 * TH_ISA_(name) or, in generic files, THLoop_(name), and collected elsewhere in tables by
 * TH_LOOPS(name, Real). */
#ifndef TH_ISA_H
#define TH_ISA_H

#include <TH/THGeneral.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A module for one machine alone is compiled with -DTH_ISA_ONLY=<isa>: then its tables have the
 * loops for that instruction set in every place. */
#ifdef TH_ISA_ONLY
#define TH_ISA_LOOP(loop, isa) TH_CONCAT_3(loop, _, TH_ISA_ONLY)
#else
#define TH_ISA_LOOP(loop, isa) TH_CONCAT_3(loop, _, isa)
#endif

#if defined(__x86_64__)
#define TH_ISA_COUNT 3
#define TH_ISA_TABLE(loop) \
    {TH_ISA_LOOP(loop, base), TH_ISA_LOOP(loop, v3), TH_ISA_LOOP(loop, avx512)}
#define TH_ISA_DECLARE(declare, loop) \
    declare(TH_ISA_LOOP(loop, base)); \
    declare(TH_ISA_LOOP(loop, v3));   \
    declare(TH_ISA_LOOP(loop, avx512))
#else
#define TH_ISA_COUNT 1
#define TH_ISA_TABLE(loop) {TH_ISA_LOOP(loop, base)}
#define TH_ISA_DECLARE(declare, loop) declare(TH_ISA_LOOP(loop, base))
#endif

/* Index into the tables; set before anything can run. */
TH_API extern int THIsa_current;
/* The same for few elements, where the result does not depend on it. Registers of 512 bits make a
 * core slower for a while, by a seventh here, which few elements do not repay. Much memory, too,
 * where registers of 512 bits are halved (THMachine_halvesRegisters). */
TH_API extern int THIsa_few;
#define TH_ISA_FEW 256
static inline int THIsa_for(int64_t n)
{
    return n <= TH_ISA_FEW ? THIsa_few : THIsa_current;
}
TH_API const char *THIsa_name(int isa); /* "base", "v3", "avx512" */
TH_API int
THIsa_set(const char *name); /* ValueError when unknown, RuntimeError when the machine lacks it */

#define TH_ISA_(name) TH_CONCAT_3(name, _, TH_ISA)
/* In generic files of loops: th_<name>_<Real>_<isa>. */
#define THLoop_(name) TH_CONCAT_4(th_, name, TH_CONCAT_3(_, Real, _), TH_ISA)
#define TH_LOOPS(name, real) TH_ISA_TABLE(TH_CONCAT_4(th_, name, _, real))
#define TH_LOOPS_DECLARE(declare, name, real) \
    TH_ISA_DECLARE(declare, TH_CONCAT_4(th_, name, _, real))

/* Light kernels of little integers and bool take no less time in registers of 512 bits: those for
 * AVX2 stand for them, and where TH_AS_NARROW is not 0 none are compiled. `little` is 1 for such
 * dtypes: TH_LITTLE, TH_LITTLE_BITS or TH_BYTES, which generic files have. */
#define TH_LIGHT_LOOPS(name, real, little) \
    TH_CONCAT_2(TH_LIGHT_TABLE_, little)(TH_CONCAT_4(th_, name, _, real))
#define TH_LIGHT_TABLE_0(loop) TH_ISA_TABLE(loop)
#if defined(__x86_64__)
#define TH_LIGHT_TABLE_1(loop) \
    {TH_ISA_LOOP(loop, base), TH_ISA_LOOP(loop, v3), TH_ISA_LOOP(loop, v3)}
#else
#define TH_LIGHT_TABLE_1(loop) TH_ISA_TABLE(loop)
#endif
#define TH_WIDEST_base 0
#define TH_WIDEST_v3 0
#define TH_WIDEST_avx512 1
#ifdef TH_ISA_ONLY
#define TH_AS_NARROW(little) 0
#else
#define TH_AS_NARROW(little) ((little) && TH_CONCAT_2(TH_WIDEST_, TH_ISA))
#endif

/* Elements that lie strides apart are read and written one by one, whatever the vectors that are
 * computed with: one of a kernel's loops does that, for dtypes for which `strided`, TH_STRIDED of
 * generic files, is 1. */
#if defined(__x86_64__)
#define TH_ISA_STRIDED 1
#define TH_STRIDED_base 0
#else
#define TH_ISA_STRIDED 0
#define TH_STRIDED_base 1
#endif
#define TH_STRIDED_v3 1
#define TH_STRIDED_avx512 0
#ifdef TH_ISA_ONLY
#define TH_HAS_STRIDED(strided) (strided)
#else
#define TH_HAS_STRIDED(strided) ((strided) && TH_CONCAT_2(TH_STRIDED_, TH_ISA))
#endif

#ifdef __cplusplus
}
#endif
#endif
