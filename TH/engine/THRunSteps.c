/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks along one dim of operands some of which are strided, in steps so short that the processor
 * reads the next one while it writes. */
#include <TH/THMachine.h>
#include <TH/engine/THRun.h>

/* Bytes of the widest operand, of a step along strided ones, so that the next one is read while
 * this one waits for the lines it writes; where it does not, since all fits the nearest cache or
 * the machine looks ahead of what is written; and far away. Lines so many bytes ahead are asked for
 * there, but where the machine reads best by itself (10^6 float32 of step 2 added: 890 us, not
 * asked for 570; EPYC 9004). Without waiting the last cache is still near, and steps are longer.
 * Operands may share lines: those that a step reads stay in the nearest cache. */
#define STEP_BYTES 1024
#define STEP_BYTES_NEAR 2048
#define STEP_LINES 49152
#define NEAR_BYTES 32768
#define STEP_BYTES_FAR 1024
/* The same where several inputs are read from there and none is asked for: the processor waits for
 * all of them at once (10^6 float32 of step 2 added: 1.0 ms, so 0.5; EPYC 9004); and where several
 * are gathered by machines that read one stream best (2 * 10^6 float64 of step 2 compared: 2.8 ms,
 * so 1.7; EPYC 9005). */
#define STEP_BYTES_TURNS 512
#define STEP_AHEAD (THMachine_asksForWrites ? 3072 : 4096)
#define STEP_BYTES_AWAITED 512 /* where results are written to memory that is waited for */
#define STEP_AHEAD_AWAITED 1536
#define PAIR_STRIDE 32 /* bytes */
/* Elements that are computed where they lie, of which those that come soon are asked for at once.
 */
#define STRIDED_ASKED 256

bool THPlan_isStepped(const THPlan *plan)
{
    const int inner = plan->nDimension - 1;
    bool strided = false;
    for (int k = 0; k < plan->noperands; k++)
        strided |= plan->staged >> k & 1 && plan->stride[k][inner] != 0;
    return strided && plan->convert == 0 && plan->outer == inner && !THPlan_moves(plan);
}

/* Does the machine wait for the lines that steps write? */
static bool isAwaited(const THRun *run)
{
    return THMachine_asksForWrites && !run->streamed;
}

/* Elements of a step; `moved` are gathered or scattered, up to `widest` bytes each. */
static int64_t stepElements(const THRun *run, uint32_t moved, int64_t widest, bool far)
{
    const THPlan *plan = run->plan;
    const int inner = plan->nDimension - 1;
    const uint32_t inputs = moved >> plan->kernel->noutputs;
    const bool gathers = THMachine_readsInTurn && (inputs & (inputs - 1)) != 0;
    const bool turns = widest >= 4 && (gathers || THPlan_readsInTurns(plan, ~0U));
    const int64_t most = isAwaited(run) ? STEP_BYTES_AWAITED
                         : turns        ? STEP_BYTES_TURNS
                                        : STEP_BYTES_FAR;
    int64_t bytes = far ? most : STEP_BYTES_NEAR, span = 0;
    if (!far && THMachine_asksForWrites && plan->bytes > NEAR_BYTES)
        bytes = STEP_BYTES;
    int64_t elements = bytes >> __builtin_ctzll((uint64_t)widest);
    for (int k = 0; k < plan->noperands; k++)
        if (moved >> k & 1)
            span += THSize_min(plan->stride[k][inner], TH_LINE_BYTES);
    while (elements * span > STEP_LINES)
        elements /= 2;
    return elements;
}

/* Two inputs, as bits, that are better gathered together: of the same steps, which no vectors
 * gather, or of half a line. What they share lines with is read for both. Where the machine looks
 * ahead of all, those beyond the second cache, too: so many lines at once as vectors read are more
 * than it foresees (5 * 10^6 float64 of step 3 added in place: 8.8 ms, together 6.9; EPYC 9005).
 * And those of short steps there, which vectors gather in turns: each page is left for a shorter
 * time (10^5 float32 of step 2 or 3 added: 0.92 of the time; EPYC 9004). Not every second one of
 * far memory: half as many streams are read sooner (10^6 float32: 0.67 ms, one after the other
 * 0.35). */
static uint32_t pairOf(const THPlan *plan, uint32_t moved)
{
    const int inner = plan->nDimension - 1;
    const uint32_t inputs = moved >> plan->kernel->noutputs << plan->kernel->noutputs;
    if ((inputs & (inputs - 1)) == 0)
        return 0;
    const int one = __builtin_ctz(inputs), other = __builtin_ctz(inputs & (inputs - 1));
    const int64_t size = THDtype_size((THDtype)plan->dtype[one]), stride = plan->stride[one][inner];
    const bool foreseen = !THMachine_asksForWrites;
    const bool far = foreseen && plan->bytes >= TH_AHEAD_FROM_BYTES;
    const bool apart = stride > 4 * size || stride >= (far ? PAIR_STRIDE / 2 : PAIR_STRIDE);
    const bool inTurns = foreseen && stride <= PAIR_STRIDE / 2 && !(far && stride == 2 * size);
    const bool same =
        size == THDtype_size((THDtype)plan->dtype[other]) && stride == plan->stride[other][inner];
    return (apart || inTurns) && same ? 1u << one | 1u << other : 0;
}

/* What each step does: its calls are few and short, so what they need is ready. */
typedef struct Steps {
    int64_t most;   /* elements of a step */
    uint32_t moved; /* bit per operand: gathered or scattered */
    uint32_t pair;  /* of these, two inputs that are gathered together, or none */
    uint32_t asked; /* of these, inputs whose lines are asked for ... */
    int64_t ahead;  /* ... so many bytes ahead */
    uint32_t alone; /* of those that are moved, the other inputs */
    const THMoves *moves, *gathers;
    int64_t size[TH_MAX_OPERANDS], stride[TH_MAX_OPERANDS];
    char *place[TH_MAX_OPERANDS]; /* in memory ... */
    void *data[TH_MAX_OPERANDS];  /* ... and for the loop */
} Steps;

/* Takes operand k from those that are moved where one element is all of it, or it is there twice.
 */
static void shareOperand(Steps *steps, const THPlan *plan, int k, char *base, int64_t n,
                         THStage *stage)
{
    const uint32_t bit = 1u << k;
    if (steps->moved & bit && steps->stride[k] == 0) {
        THStage_loadOnce(plan, k, base, 0, THSize_min(n, steps->most), stage, bit);
        steps->moved &= ~bit;
    } else if (plan->single & bit) {
        steps->data[k] = steps->place[k] = base;
        steps->stride[k] = 0;
    }
    for (int j = plan->kernel->noutputs; j < k; j++)
        if (steps->moved & bit && steps->moved >> j & 1 && steps->place[j] == steps->place[k] &&
            steps->stride[j] == steps->stride[k] && steps->size[j] == steps->size[k]) {
            steps->data[k] = steps->data[j];
            steps->moved &= ~bit;
        }
}

/* Are inputs in steps asked for? Of 8 bytes they are followed farther by processors that look ahead
 * of what is written, too (every second of 10^6 float64, by themselves: 372 us, not asked for 236;
 * of 4 million 1.0 ms, so 1.2; EPYC 9005, where half as many bytes of float32 gain at once). */
#define FOLLOWED_BYTES (12 << 20)
static bool asksForSteps(const THPlan *plan)
{
    const bool follows = !THMachine_asksForWrites && THPlan_widestElement(plan) == 8;
    return THMachine_asksAhead && plan->bytes >= (follows ? FOLLOWED_BYTES : TH_AHEAD_FROM_BYTES);
}

static void initSteps(Steps *steps, const THRun *run, char *const *base, int64_t at, int64_t n,
                      THStage *stage)
{
    const THPlan *plan = run->plan;
    const bool far = plan->bytes >= TH_AHEAD_FROM_BYTES, asks = asksForSteps(plan);
    const uint32_t inputs = ~((1u << plan->kernel->noutputs) - 1);
    int64_t widest = 1;
    for (int k = 0; k < plan->noperands; k++) {
        steps->size[k] = THDtype_size((THDtype)plan->dtype[k]);
        steps->stride[k] = plan->stride[k][plan->nDimension - 1];
        steps->place[k] = base[k] + at * steps->stride[k];
        steps->data[k] = plan->staged >> k & 1 ? stage->buffer[k] : steps->place[k];
        if (steps->stride[k] != 0 && steps->size[k] > widest)
            widest = steps->size[k];
    }
    steps->moved = plan->staged;
    steps->most = stepElements(run, steps->moved, widest, far);
    for (int k = 0; k < plan->noperands; k++) /* a number may be wider than what is strided */
        steps->most = THSize_min(steps->most, TH_BLOCK_LIMIT_STAGED * 8 / steps->size[k]);
    for (int k = 0; k < plan->noperands; k++)
        shareOperand(steps, plan, k, base[k], n, stage);
    steps->pair = pairOf(plan, steps->moved);
    steps->asked = 0;
    steps->ahead = isAwaited(run) ? STEP_AHEAD_AWAITED : STEP_AHEAD;
    const uint32_t foreseen = THMachine_asksForWrites ? 0 : steps->pair;
    for (int k = 0; asks && k < plan->noperands; k++)
        if (steps->stride[k] <= TH_LINE_BYTES)
            steps->asked |= steps->moved & inputs & ~foreseen & 1u << k;
    steps->alone = steps->moved & inputs & ~steps->pair;
    steps->moves = THMove_moves();
    /* What whole registers take follows the place of their code: isnan of every second of 10^7
     * float32 took 2.8 to 11 ms in builds that differ elsewhere, by halves 2.8 to 3.3 (EPYC 9004).
     */
    steps->gathers = far ? THMove_farMoves() : steps->moves;
}

static void gatherPair(const Steps *steps, int64_t n)
{
    const int one = __builtin_ctz(steps->pair);
    const int other = __builtin_ctz(steps->pair & (steps->pair - 1));
    char *const to[2] = {steps->data[one], steps->data[other]};
    const char *const from[2] = {steps->place[one], steps->place[other]};
    steps->gathers->gatherPair[THMove_at(steps->size[one])](to, from, n, steps->stride[one]);
}

static void askForStep(const Steps *steps, int k, int64_t n)
{
    if (steps->asked >> k & 1)
        THMove_prefetch(steps->place[k] + steps->ahead, n * steps->stride[k], false);
}

/* Operands as the loop wants them. */
static void loadStep(const Steps *steps, int64_t n)
{
    for (uint32_t left = steps->pair & steps->asked; left != 0; left &= left - 1)
        askForStep(steps, __builtin_ctz(left), n);
    if (steps->pair != 0)
        gatherPair(steps, n);
    for (uint32_t left = steps->alone; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);
        askForStep(steps, k, n);
        steps->gathers->gather[THMove_at(steps->size[k])](steps->data[k], steps->place[k], 1, 0, n,
                                                          steps->stride[k]);
    }
}

static void storeStep(Steps *steps, const THPlan *plan, int64_t n)
{
    for (int k = 0; k < plan->kernel->noutputs; k++)
        if (steps->moved >> k & 1)
            steps->moves->scatter[THMove_at(steps->size[k])](steps->place[k], steps->data[k], 1, 0,
                                                             n, steps->stride[k]);
    for (int k = 0; k < plan->noperands; k++) {
        steps->place[k] += n * steps->stride[k];
        if (!(plan->staged >> k & 1))
            steps->data[k] = steps->place[k];
    }
}

void THRun_steps(const THRun *run, char *const *base, int64_t at, int64_t n, THStage *stage)
{
    const THPlan *plan = run->plan;
    const bool direct = !(plan->kernel->flags & TH_KERNEL_WHOLE_VECTORS);
    Steps steps;

    initSteps(&steps, run, base, at, n, stage);
    for (int64_t some; n > 0; n -= some) {
        some = THSize_min(n, steps.most);
        loadStep(&steps, some);
        if (run->streamed)
            THRun_call(run, some, steps.data);
        else if (direct)
            run->loop(some, steps.data, run->params);
        else
            THKernel_call(plan->kernel, run->loop, plan->single, some, steps.data, run->params);
        storeStep(&steps, plan, some);
    }
}

/* Inputs are asked for as those of steps are, but not by machines that wait for no write: these see
 * what comes (a += b of every second of 4 * 10^6 float64: 1.8 ms, not asked for 1.4; of every third
 * int64 3.0, so 2.1; EPYC 9005; of every second of 10^7 float64 16.3, so 12.3; EPYC 7003). */
static void askForStrided(const THPlan *plan, void *const *data, const int64_t *stride, int64_t n)
{
    for (int k = plan->kernel->noutputs; k < plan->noperands; k++)
        if (stride[k] > 0 && stride[k] <= TH_LINE_BYTES)
            THMove_prefetch((const char *)data[k] + STEP_AHEAD_AWAITED, n * stride[k], false);
}

void THRun_strided(const THRun *run, char *const *base, int64_t at, int64_t n)
{
    const THPlan *plan = run->plan;
    const bool moves = THPlan_moves(plan);
    const bool asks = !moves && THMachine_asksForWrites && asksForSteps(plan);
    const int64_t most = asks ? STRIDED_ASKED : n;
    int64_t table[1 + TH_MAX_OPERANDS], *const stride = table + 1;
    void *data[TH_MAX_OPERANDS + 1];

    for (int k = 0; k < plan->noperands; k++) {
        stride[k] = plan->single >> k & 1 ? 0 : plan->stride[k][plan->nDimension - 1];
        data[k] = base[k] + at * stride[k];
    }
    if (moves) {
        THMove_moves()->each[THMove_at(THDtype_size((THDtype)plan->dtype[0]))](
            data[0], stride[0], data[1], stride[1], n);
        return;
    }
    data[plan->noperands] = table;
    for (; n > 0; n -= most) {
        table[0] = THSize_min(n, most);
        if (asks)
            askForStrided(plan, data, stride, table[0]);
        plan->kernel->loop[TH_ISA_STRIDED](-1, data, run->params);
        for (int k = 0; k < plan->noperands && n > most; k++)
            data[k] = (char *)data[k] + most * stride[k];
    }
}
