/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long the machine's registers are: gcc compares longer vectors element by element. */
#ifndef TH_LOOPS_REGISTERS_H
#define TH_LOOPS_REGISTERS_H

#if defined(__AVX512BW__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

#endif
