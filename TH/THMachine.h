/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What differs between machines of one instruction set, asked once when the library is loaded. */
#ifndef TH_MACHINE_H
#define TH_MACHINE_H

#include <TH/THGeneral.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether lines far away are worth asking for before they are written: a store waits for its line.
 * Intel's processors look ahead of what is read alone, AMD's of what is written, too, where asking
 * only takes time (10^7 float32 negated: 1.7 ms, without asking 1.45; EPYC 9005). Sizes that were
 * measured on either kind of machine go by it, too. TH_WRITES=asked or plain in the environment
 * chooses. Set before anything can run. */
TH_API extern bool THMachine_asksForWrites;
/* Whether operands of so many bytes in all are so far that lines among them are asked for: from
 * `from` bytes on, or, where written ones are not, once they have left the last cache. */
#define TH_FAR_BYTES (16 << 20)
static inline bool THMachine_isFar(int64_t bytes, int64_t from)
{
    return bytes >= (THMachine_asksForWrites ? from : TH_FAR_BYTES);
}
/* From so many bytes on that an operation reads and writes, its results go past the caches, by
 * streaming stores: a line that is written whole need not be read first. 24 MB on AMD's
 * processors and Xeons since Ice Lake: of less so much stays in the last cache that it takes
 * longer, or what reads the result next does (10^7 float32 added: 2.9 ms, streamed 2.4; EPYC 9005,
 * whose last cache has 32 MB; 7.5 ms, so 6.1; Xeon of the fifth generation). No number on others:
 * older Xeons gain by asking for lines as much. TH_STREAM is another number. */
TH_API extern int64_t THMachine_streamFrom;
/* From so many bytes of a run on it is moved, or filled, by the instructions that move and fill
 * strings: 28 KB on EPYC 9005, whose first cache has no room for more twice (100 KB copied: 1.2 us,
 * so 0.9; 4 MB 81, so 65; 4 MB of float32 filled 41, so 31). Never on others: EPYC 9004 takes them
 * up to fifteen times as long where pages are written a little behind where they are read.
 * TH_STRINGS is another number. */
TH_API extern int64_t THMachine_stringFrom;
/* Whether so many bytes are `large` or more, or would be streamed, which a small TH_STREAM makes of
 * any: a test reaches what is done for far memory without much memory. */
static inline bool THMachine_isLarge(int64_t bytes, int64_t large)
{
    return bytes >= THSize_min(large, THMachine_streamFrom);
}
/* Whether several rows that are read at once arrive in time: AMD's processors follow as many as
 * eight, short ones too, where asking only takes time (10^7 float64 summed over a middle dim: 2.6
 * ms, without asking 2.1; EPYC 9005), and so do Xeons since Ice Lake (max of 10^6 rows of 10
 * float32: 4.7 ms, so 3.4; fifth generation), older ones do not (float32 4.6 ms, asked for 3.7).
 * TH_ROWS=followed or asked chooses. */
TH_API extern bool THMachine_followsRows;
/* Whether of what it follows one stream arrives sooner than several, though it follows these: on
 * EPYC 9005 rows that have left the last cache are read one after the other (TH/loops/ahead.h) or,
 * where several are needed at once, asked for before in the order of memory, and several inputs are
 * gathered in turns (TH/engine/THRunSteps.c, THPlanBlocks.c). Xeons were not measured.
 * TH_ROWS=single chooses it. */
TH_API extern bool THMachine_readsInTurn;
/* Whether results of so many bytes, beside which little else is moved, leave the last cache: on
 * EPYC 9005, where it has 32 MB, those of 36 (28 MB of zeros: 0.29 ms streamed, so 0.22). */
static inline bool THMachine_leavesCaches(int64_t bytes)
{
    return (THMachine_readsInTurn ? bytes / 3 * 2 : bytes) >= THMachine_streamFrom;
}
/* Whether short lines of elements below 8 bytes that lie one behind the other arrive in time from
 * the last cache: AMD's processors read them as a stream, where asking takes longer than reading
 * (10^4 lines of 128 float32 summed: 99 us, without asking 68; EPYC 9005, where the same of float64
 * takes 1.6 times as long without). TH_LINES=followed or asked chooses. */
TH_API extern bool THMachine_followsLines;
/* Whether what is read of memory that has left the last cache is asked for where results are
 * streamed meanwhile, or its elements lie apart: everywhere (10^7 float32 negated 4.4 ms, so 3.4;
 * float64 compared with a number 6.7, so 5.6; EPYC 7003) but on EPYC 9004, which gains by no
 * distance: there several inputs that lie apart are gathered in turns. TH_READS=asked or plain
 * chooses. */
TH_API extern bool THMachine_asksAhead;
/* How many bytes ahead reductions ask for a stream, 0: not at all. 16384, on AMD's processors
 * 9216 (EPYC 9005: max of dim 1 of 10^7 float64 2.4 ms, with 8192 2.1; 40 MB are summed fastest
 * with 12288, 80 MB with 4096, neither of which is much slower with this). 0 on EPYC 9004 and 7003,
 * which read a stream fastest by themselves (max of 10^7 float32 2.4 ms, not asked for 1.5; 9004;
 * sum of float64 5, so 4.4; 7003), and on AMD's older ones, which were not measured. TH_AHEAD is
 * another number. */
TH_API extern int64_t THMachine_readAhead;
/* Whether what is asked for beside a row that comes round again, or for what is streamed, is asked
 * for into the second cache, and no nearer: on EPYC 9004, which reads a stream fastest by itself,
 * but not there (10^7 float32 and a row: 3.3 ms, asked for into the first cache 4, so 2.0; float64
 * summed up along dim 0: 6.7, so 4.1), and on Xeons since Ice Lake (float32 negated, streamed: 4.15
 * ms, so 3.75; softmax across rows 24.8, so 14.1; fifth generation). TH_ASKS=second or
 * first chooses. */
TH_API extern bool THMachine_asksSecond;
/* Whether asking gains anything there. */
static inline bool THMachine_asksBeside(void)
{
    return THMachine_asksSecond || THMachine_asksAhead;
}
/* Whether operations on registers of 512 bits are done as two halves: then two conversions to
 * registers of half the length take half the time of one (10^5 float32 summed: 8.7 us, by halves
 * 5.3; EPYC 9004), and far memory is read sooner by loads of 32 bytes (a stream of 80 MB: 3.14 ms,
 * so 2.9; eight streams 3.9, so 2.7). TH_REGISTERS=halved or whole chooses. */
TH_API extern bool THMachine_halvesRegisters;

#ifdef __cplusplus
}
#endif
#endif
