/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the engine: what running a plan consists of.
 *
 * The outer dims of a plan are stepped through by a cursor. What is left is divided in blocks (runs
 * of the flattened index space, THRun.c) or tiles (THTile.c); these are the items that threads
 * share. A block or a row of a tile is handed to the loop as contiguous runs, some of which are
 * staged in buffers. */
#ifndef TH_RUN_H
#define TH_RUN_H

#include <TH/THMachine.h>
#include <TH/engine/THMove.h>

/* Bytes of all operands from which on lines are asked for where the machine gains by it. */
#define TH_AHEAD_FROM_BYTES (4 << 20)
/* Where so much is filled in all, rows of zeros, or of any one byte, are set by memset: registers
 * that are stored as two halves take longer in any cache (10^5 bytes 2.1 us, set 1.2; EPYC 9004),
 * others where the second one has no room. */
#define TH_SET_BYTES (THMachine_halvesRegisters ? 16 << 10 : 960 << 10)

/* Strips: bytes of the widest output, which is asked for so far ahead. Of 512 to 4096 bytes all are
 * about as good. */
#define TH_STRIP_AHEAD 1024
/* Bytes of the widest operand of a strip where nothing is asked for, or one operand alone on
 * machines that else read best by themselves: of fewer the processor follows too little by itself,
 * of more it waits for the strip to be written (-a of 10^7 float32: 3.2 ms with 1024, 2.8 with
 * 2048; EPYC 9004). */
#define TH_STREAM_ALONE_BYTES 2048
/* Most elements of a block, which may be of 8 bytes, and of a row of a tile. The buffers are on the
 * stack, together under 128 KiB. */
#define TH_BLOCK_LIMIT_STAGED 1024
#define TH_BLOCK_LIMIT_ROW 128
/* Bytes of an operand's tile: of the longest rows as many as a cache line that is read has
 * elements. Elements that are only moved need no room; their tiles have more rows. */
#define TH_TILE_BYTES 8192
#define TH_TILE_ROWS 64

/* Wide tiles, whose rows are streamed: how many rows at most, in bytes of a line that is read, and
 * how long these are; what buffers take together at most, on the stack, and for how many inputs, so
 * that each row has more than a cache line; and room before it for what is left of one. */
#define TH_WIDE_ROWS 256
#define TH_WIDE_BYTES 1024
#define TH_WIDE_ROW_BYTES 8192
#define TH_WIDE_ROOM (144 << 10)
#define TH_WIDE_TILED 3
#define TH_WIDE_LEFT TH_LINE_BYTES
/* Those that are run by parts, of as many rows as a cache line that is read has elements: so many
 * rows at most, of what is computed half as many. */
#define TH_WIDE_LONG_ROWS 1024

/* A range of a core's work goes to another thread from about so many elementary steps on; all work
 * below twice as much stays on the calling thread, and so does that of a kernel without a plan. */
#define TH_PARALLEL_STEPS 16384

/* THPlan_init with what each operand is rounded to on the way; NULL: nothing. */
int THPlan_initThrough(THPlan *plan, const THKernel *kernel, THTensor *const *operands,
                       const uint8_t *via);

/* Whether elements are only moved: their kernel copies, and their dtype stays. */
static inline bool THPlan_moves(const THPlan *plan)
{
    return plan->kernel->flags & TH_KERNEL_COPIES && plan->convert == 0 &&
           plan->dtype[0] == plan->dtype[1];
}

/* Whether operand k may stand for another one, which is not there. */
static inline bool THKernel_standsIn(const THKernel *kernel, THTensor *const *operands, int k)
{
    for (int j = kernel->noutputs; j < kernel->noutputs + kernel->ninputs; j++)
        if (j != k && operands[j] == operands[k])
            return true;
    return false;
}

/* The operands, a bit for each, of which the kernel's loop reads one element: all that may be such,
 * if they are and the loop reads them together; else the first that is. The loop itself chooses by
 * the same rule, but for an operand that is not there and for which another one stands: all of its
 * elements are read. */
static inline uint32_t THKernel_single(const THKernel *kernel, THTensor *const *operands)
{
    uint32_t together = kernel->flags & TH_KERNEL_TOGETHER ? kernel->single : 0;
    for (int k = 0; together >> k != 0; k++)
        if (together >> k & 1 &&
            (!THTensor_isSingle(operands[k]) || THKernel_standsIn(kernel, operands, k)))
            together = 0;
    if (together != 0)
        return together;
    for (int k = 0; kernel->single >> k != 0; k++)
        if (kernel->single >> k & 1 && THTensor_isSingle(operands[k]))
            return THKernel_standsIn(kernel, operands, k) ? 0 : 1u << k;
    return 0;
}

/* Whether results go past the caches (THMachine.h) if the loop writes runs of `length` elements. */
bool THPlan_streams(const THPlan *plan, int64_t length);
/* Are rows too short for that, while blocks of them are runs in all operands but repeated ones?
 * These are then better gathered (19531 x 16 x 32 float32 and as many rows of 32: 7.7 ms, so 5.4;
 * Xeon). */
bool THPlan_streamsBlocks(const THPlan *plan);
/* How many threads the work is worth. */
int64_t THPlan_shares(const THPlan *plan);
/* How many bytes of operands a and b are the same memory, if they have the same strides. */
int64_t THPlan_bytesShared(const THPlan *plan, int a, int b);

/* Whether a kernel takes few steps: then its loop for shorter registers gives the same bits, and
 * loses by their length alone. What takes many repays the widest at once: divisions have no vector
 * instructions elsewhere. */
#define TH_COSTLY_STEPS 8
static inline bool THKernel_takesFewSteps(const THKernel *kernel, uint32_t single)
{
    return !(kernel->flags & TH_KERNEL_WHOLE_VECTORS) &&
           (single ? kernel->singleCost : kernel->cost) < TH_COSTLY_STEPS;
}
/* Which of its loops is best for n elements. Of bytes, more are few: what is left of them takes
 * longer, up to 63 elements behind the last of the widest registers (rows of 316 uint8 times
 * others: 36 ns each, by shorter ones 15; EPYC 9004). */
#define TH_BYTES_FEW (3 * TH_ISA_FEW)
static inline int THKernel_isa(const THKernel *kernel, uint32_t single, int64_t n)
{
    if (n > TH_ISA_FEW && n <= TH_BYTES_FEW && THKernel_takesFewSteps(kernel, single) &&
        THDtype_size((THDtype)kernel->dtype[kernel->noutputs + kernel->ninputs - 1]) == 1)
        return THIsa_few;
    return THKernel_takesFewSteps(kernel, 0) ? THIsa_for(n) : THIsa_current;
}

/* That element as the kernel's dtype: itself, or converted into `room`. */
void *THKernel_element(const THTensor *operand, THDtype dtype, const uint8_t *via, uint64_t *room);

/* Swaps two neighbouring dims of all operands. */
void THPlan_swapDims(THPlan *plan, int a, int b);
/* Bytes of the widest operand's element. */
int64_t THPlan_widestElement(const THPlan *plan);
/* Rows of so many elements, all runs of memory, are worth a call each. */
int64_t THPlan_longRow(const THPlan *plan);
/* Among how many bytes operand k lies, if its strides are positive. */
int64_t THPlan_span(const THPlan *plan, int k);
/* Bytes of operand k, each element once. */
int64_t THPlan_extent(const THPlan *plan, int k);
/* Whether several of these operands, as bits, are inputs that are read from afar. */
bool THPlan_readsInTurns(const THPlan *plan, uint32_t operands);
/* Whether two inputs are the same elements in the same order. */
bool THPlan_isSame(const THPlan *plan, int a, int b);
/* The operands of which the loop can read one element for each row: one that has such, or all that
 * it reads together, some of which may be numbers; or none. */
uint32_t THPlan_columns(const THPlan *plan);
/* Has these read so. A number of which the loop read one element is staged instead: returns them.
 */
uint32_t THPlan_takeColumns(THPlan *plan, uint32_t columns);
/* Whether the loop goes along all strides of the innermost dim, of operands that would be staged or
 * be spread; or better goes along the next dim (THPlanStrides.c). */
bool THPlan_isStrided(const THPlan *plan, uint32_t needed, uint32_t spread);
bool THPlan_isTurned(const THPlan *plan);
/* Decides which inner dims blocks run over: the innermost alone where its rows are long and can be
 * used as they are, else as many as it takes to fill a block (THPlanBlocks.c). */
void THPlan_divideBlocks(THPlan *plan);
/* Divides the plan in tiles, if any input that lies transposed is worth them (THPlanTiles.c). */
bool THPlan_divideTiles(THPlan *plan);

/* After how many elements operand k repeats itself within the inner dims. */
int64_t THPlan_period(const THPlan *plan, int k);

/* Bytes from one element of operand k, not staged, to the next. */
static inline int64_t THPlan_step(const THPlan *plan, int k)
{
    return plan->single >> k & 1 ? 0 : THDtype_size((THDtype)plan->kernel->dtype[k]);
}

/* A plan being run: the loop for this machine and its scalars. */
typedef struct THRun {
    const THPlan *plan;
    const void *params;
    THLoop loop;
    int64_t strip;  /* elements of a strip; 0: calls are whole */
    int64_t ahead;  /* bytes that inputs are asked for before them where strips are streamed */
    uint32_t asked; /* which inputs are; those that are staged, block by block, */
    uint32_t apart; /* ... and those whose rows are parts of longer ones, by rows: */
    int64_t rows;   /* so many further on */
    bool asksNear;  /* into the first cache, but for staged ones */
    bool streamed;  /* are outputs written past the caches? */
    bool joins;     /* ... short rows, many together? */
} THRun;

/* Where the machine gains by it (THMachine.h), work on memory is done in strips. Either each comes
 * after a request for the lines that the next one writes: the hardware looks ahead of what is read,
 * but waits for what is written. Reading and writing 40 MB each takes 5.3 ms so, else 6.5 (Xeon of
 * 2.5 GHz). Or a strip is written to the first cache, and from there past the others: 1.5 ms, else
 * 1.9 (EPYC 9005). */
void THRun_setStrips(THRun *run);

/* Where the outer dims stand, and the operands' addresses there. */
typedef struct THCursor {
    int64_t index[TH_MAX_DIMS];
    char *base[TH_MAX_OPERANDS];
} THCursor;
void THCursor_set(THCursor *self, const THPlan *plan, int64_t position);
void THCursor_next(THCursor *self, const THPlan *plan);

/* Elements of a whole vector of the smallest dtype; and whether what is read is still there after
 * results were written, so that some may be computed again. */
int64_t THKernel_lanes(const THKernel *kernel);
bool THKernel_keepsInputs(const THKernel *kernel, void *const *data);
/* Calls the loop on n elements, the last ones as part of a whole vector where the kernel wants
 * that.
 */
void THKernel_call(const THKernel *kernel, THLoop loop, uint32_t single, int64_t n,
                   void *const *data, const void *params);

/* The same for kernels that take any number of elements, of which there are many: what comes before
 * the first line of the first output, then the rest. */
#define TH_LONG_BYTES 8192
void THKernel_callLong(const THKernel *kernel, THLoop loop, uint32_t single, int64_t n,
                       void *const *data, const void *params);

/* Where vectors are written across lines of memory, as in an array of NumPy's, 10^5 float64 that
 * are updated take 12 us, else 8 (EPYC 9004). */
static inline void THKernel_callPlain(const THKernel *kernel, THLoop loop, uint32_t single,
                                      int64_t n, void *const *data, const void *params)
{
    const int64_t size = THDtype_size((THDtype)kernel->dtype[0]);
    const bool across = ((uintptr_t)data[0] & (TH_LINE_BYTES - 1)) != 0;
    if (TH_UNLIKELY(across && n * size >= TH_LONG_BYTES))
        THKernel_callLong(kernel, loop, single, n, data, params);
    else
        loop(n, data, params);
}

/* The same for a block of the plan, in its strips. */
void THRun_call(const THRun *run, int64_t n, void *const *data);
/* After the last of them. */
static inline void THRun_fence(const THRun *run)
{
    if (run->streamed || run->joins)
        THMove_fence();
}

/* Whether the loop takes many rows, of n elements, in one call: strips must hold one at least, and
 * those that are streamed are called one by one. */
static inline bool THRun_mayCallRows(const THRun *run, int64_t n)
{
    return run->plan->kernel->flags & TH_KERNEL_ROWS &&
           (run->strip == 0 || (n < run->strip && !run->streamed));
}

/* How many elements a second call takes of each row of n, the last ones, some of which are done; 0:
 * none, as few are left of vectors, or what is written is read. */
int64_t THRun_endOfRows(const THPlan *plan, int64_t n, char *const *base);
/* That call, or both; `data` as of a loop that takes many rows. */
void THRun_loopRows(const THRun *run, int64_t n, int64_t end, void *const *data);
/* In strips, asks for what comes `rows` rows later in each output. */
static inline void THRun_askForRows(const THRun *run, char *const *place, const int64_t *stride,
                                    int64_t rows)
{
    for (int k = 0; k < run->plan->kernel->noutputs && run->strip != 0; k++)
        THMove_prefetch(place[k] + rows * stride[k], TH_STRIP_AHEAD, true);
}

/* `rows` rows of the innermost dim, of two or three operands, none of which is staged; the loop is
 * called on each. */
void THRun_callEach(const THRun *run, char *const *base, int64_t rows);
/* Rows as of THRun_loopRows, `stride` bytes from row to row of each operand, in strips of rows. */
void THRun_callRows(const THRun *run, int64_t n, int64_t rows, char *const *base,
                    const int64_t *stride);

/* Whether short rows are streamed, many together; and such rows, of a kernel that only copies or of
 * one that takes many in a call, as above (THRunJoin.c). */
bool THPlan_joinsRows(const THPlan *plan);
void THRun_joinRows(const THRun *run, int64_t rows, char *const *base, const int64_t *stride);

void THRun_blocks(int64_t begin, int64_t end, void *run);
void THRun_tiles(int64_t begin, int64_t end, void *run);
void THRun_wideTiles(int64_t begin, int64_t end, void *run);

/* Staging (THStage.c): a thread's buffers. What an input was last loaded from is remembered:
 * broadcast operands come round again. A little room between buffers keeps them from sharing cache
 * sets. */
typedef struct THStage {
    _Alignas(64) char buffer[TH_MAX_OPERANDS][TH_BLOCK_LIMIT_STAGED * 8 + 128];
    _Alignas(64) char raw[TH_BLOCK_LIMIT_STAGED * 8 * 2];
    const char *loadedFrom[TH_MAX_OPERANDS];
    int64_t loadedAt[TH_MAX_OPERANDS];
    int64_t loaded[TH_MAX_OPERANDS];
} THStage;

/* Loads n elements of operand k from place `at` of the inner dims on, unless they are what was
 * loaded last; `repeated`: bit per operand that is the same in every block of one step of the outer
 * dims. */
void THStage_loadOnce(const THPlan *plan, int k, char *base, int64_t at, int64_t n, THStage *stage,
                      uint32_t repeated);
/* Brings n elements of operand k, from place `at` of the inner dims on, into
 * `buffer` as the kernel's dtype, and back; `raw` is room for twice as many elements of 8 bytes. */
void THStage_load(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *buffer,
                  char *raw);
void THStage_store(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *buffer,
                   char *raw);
/* The same for n elements of a row, `stride` bytes apart. */
void THStage_loadRow(const THPlan *plan, int k, const char *row, int64_t stride, int64_t n,
                     char *buffer, char *raw);
void THStage_storeRow(const THPlan *plan, int k, char *row, int64_t stride, int64_t n, char *buffer,
                      char *raw);
/* Moves n elements of operand k to or from a run of its own dtype. */
void THStage_gather(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *run);
void THStage_scatter(const THPlan *plan, int k, char *base, int64_t at, int64_t n, char *run);

/* Whether blocks run along one dim of operands of the kernel's dtypes, some of them strided; and
 * such blocks (THRunSteps.c). What is there twice is gathered once. */
bool THPlan_isStepped(const THPlan *plan);
void THRun_steps(const THRun *run, char *const *base, int64_t at, int64_t n, THStage *stage);
/* The same of a plan whose strided operands are computed or moved where they lie. */
void THRun_strided(const THRun *run, char *const *base, int64_t at, int64_t n);

/* Whether each row of the innermost dim has one element of every input, and so one result. */
static inline bool THPlan_repeatsRows(const THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    bool repeats = inner > 0 && !(plan->kernel->flags & TH_KERNEL_COPIES);
    for (int k = 0; k < plan->noperands; k++)
        repeats &= k < plan->kernel->noutputs
                       ? plan->stride[k][inner] == THDtype_size((THDtype)plan->kernel->dtype[k]) &&
                             !(plan->convert >> k & 1)
                       : plan->stride[k][inner] == 0 || plan->single >> k & 1;
    return repeats;
}

/* Asks for what comes later in memory where n elements from place `at` of operand k are staged. */
void THRun_askLater(const THRun *run, int k, const char *base, int64_t at, int64_t n);
/* Of a kernel that only copies (THRunCopy.c): whether all blocks of a run are as one, a block, rows
 * of the innermost dim, and how many planes of few short rows, of `most` to come, are copied at
 * once (0: rows are). */
bool THRun_joinsBlocks(const THRun *run);
void THRun_copyBlock(const THRun *run, char *const *base, int64_t at, int64_t n, THStage *stage,
                     uint32_t repeated);
void THRun_copyRows(const THRun *run, char *const *base, int64_t rows);
int64_t THRun_copiedPlanes(const THRun *run, const THCursor *cursor, int64_t most);
void THRun_copyPlanes(const THRun *run, char *const *base, int64_t planes);

#endif
