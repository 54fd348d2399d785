/* SPDX-License-Identifier: BSD-3-Clause
 *
 * thwrap's operations from C, without Python: two layers of a small network, prelu between them.
 *
 * Every TH_<op> returns a status and gives its result through its first argument: NULL there makes
 * a new tensor, a tensor there is written to, as with out= in Python. A tensor is freed by whoever
 * was given it. Compile (`make -C examples/c` does it in a built source tree) with
 *
 *   at=$(python -c 'import thwrap; print("-I" + thwrap.get_include(), "-L" + thwrap.get_lib(),
 *                                        "-Wl,-rpath," + thwrap.get_lib())')
 *   cc -std=c11 layer.c -o layer $at -lTH
 */
#include <TH/THOps.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define INPUTS 4
#define HIDDEN 3

typedef struct Layer {
    THTensor *weight, *bias;
} Layer;

/* Random weights, no bias. */
static int newLayer(Layer *self, int64_t outputs, int64_t inputs, THGenerator *generator)
{
    int status = TH_OK;
    *self = (Layer){NULL, NULL};
    TH_TRY(TH_randn(&self->weight, (const int64_t[]){outputs, inputs}, 2, TH_FLOAT, generator));
    TH_TRY(TH_zeros(&self->bias, &outputs, 1, TH_FLOAT));
done:
    return status;
}

static void freeLayer(Layer *self)
{
    THTensor_free(self->weight);
    THTensor_free(self->bias);
}

/* result = bias + weight @ input */
static int applyLayer(THTensor **result, const Layer *self, THTensor *input)
{
    const THScalar one = THScalar_fromLong(1);
    return TH_addmv(result, self->bias, self->weight, input, one, one);
}

/* Elements of a contiguous tensor of floats lie one after the other. */
static void print(const char *name, const THTensor *self)
{
    const float *data = THTensor_data(self);
    printf("%s:", name);
    for (int64_t i = 0; i < THTensor_nElement(self); i++)
        printf(" %.4f", (double)data[i]);
    printf("\n");
}

/* The network, with everything it needs; frees it all whatever happens. */
static int run(THTensor *input, THGenerator *generator)
{
    int status = TH_OK;
    Layer first = {NULL, NULL}, second = {NULL, NULL};
    THTensor *slope = NULL, *hidden = NULL, *active = NULL, *output = NULL;
    TH_TRY(newLayer(&first, HIDDEN, INPUTS, generator));
    TH_TRY(newLayer(&second, 1, HIDDEN, generator));
    TH_TRY(THTensor_newScalar(&slope, TH_FLOAT, THScalar_fromDouble(0.25)));
    TH_TRY(applyLayer(&hidden, &first, input));
    TH_TRY(TH_prelu(&active, hidden, slope)); /* declared as an expression, in one line of YAML */
    TH_TRY(applyLayer(&output, &second, active));
    print("hidden", hidden);
    print("active", active);
    print("output", output);
done:
    THTensor_free(output);
    THTensor_free(active);
    THTensor_free(hidden);
    THTensor_free(slope);
    freeLayer(&second);
    freeLayer(&first);
    return status;
}

int main(void)
{
    const int64_t rightSize = INPUTS, wrongSize = INPUTS + 1;
    THTensor *input = NULL, *wrong = NULL;
    THGenerator *generator = NULL;
    THMemoryStats stats;
    int status = TH_OK;
    TH_TRY(THGenerator_new(&generator));
    THGenerator_manualSeed(generator, 42);
    TH_TRY(TH_full(&input, &rightSize, 1, THScalar_fromDouble(1), TH_FLOAT));
    TH_TRY(TH_full(&wrong, &wrongSize, 1, THScalar_fromDouble(1), TH_FLOAT));
    TH_TRY(run(input, generator));
    if (run(wrong, generator) != TH_OK)
        printf("refused: %s\n", THError_message());
done:
    if (status != TH_OK)
        fprintf(stderr, "layer: %s\n", THError_message());
    THTensor_free(wrong);
    THTensor_free(input);
    THGenerator_free(generator);
    THMemory_stats(&stats);
    printf("tensors left: %" PRId64 "\n", stats.liveTensors);
    return status == TH_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
