/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an explained call notes down of its results. Those that the caller gave are never touched:
 * new ones take their place, and get their shapes as the called function finds them, so that it
 * makes all the checks that come before. */
#include <TH/THExplain.h>

#include <string.h>

__thread THExplain *THExplain_current __attribute__((tls_model("initial-exec")));

void THExplain_init(THExplain *self)
{
    memset(self, 0, sizeof *self);
    self->dtype = self->rounded = -1;
    self->steps = -1;
}

static THExplainOutput *add(THTensor *result, THTensor *given)
{
    THExplain *self = THExplain_current;
    if (self->noutputs == TH_MAX_OPERANDS)
        return NULL;
    THExplainOutput *output = &self->output[self->noutputs++];
    output->result = result;
    output->given = given;
    output->dtype = result->dtype;
    output->nDimension = -1;
    return output;
}

static void setShape(THExplainOutput *output, int nDimension, const int64_t *size)
{
    output->nDimension = nDimension;
    if (nDimension > 0)
        memcpy(output->size, size, sizeof *size * (size_t)nDimension);
}

int THExplain_newOutput(THTensor **result, THTensor *given, THDtype dtype, bool direct)
{
    const int status = THTensor_newEmpty(result, dtype);
    THExplainOutput *output = status == TH_OK ? add(*result, given) : NULL;
    if (output != NULL)
        output->direct = direct;
    return status;
}

void THExplain_addOutput(THTensor *result, THTensor *given, bool direct)
{
    THExplainOutput *output = add(result, given);
    if (output == NULL)
        return;
    setShape(output, result->nDimension, result->size);
    output->direct = direct;
}

static THExplainOutput *find(const THTensor *tensor)
{
    THExplain *self = THExplain_current;
    for (int i = 0; i < self->noutputs; i++)
        if (self->output[i].result == tensor || self->output[i].given == tensor)
            return &self->output[i];
    return NULL;
}

int THExplain_shape(THTensor *result, int nDimension, const int64_t *size)
{
    THExplain *self = THExplain_current;
    const bool isGiven = THExplain_isGiven(result);
    THExplainOutput *output = find(result);
    if (!isGiven) {
        const int status = THTensor_resize(result, nDimension, size);
        if (status != TH_OK ||
            (output == NULL && self->noutputs > 0)) /* or it is a function's own */
            return status;
    }
    if (output == NULL)
        output = add(result, isGiven ? result : NULL);
    if (output != NULL)
        setShape(output, nDimension, size);
    for (int i = 0; i < self->noutputs; i++)
        if (self->output[i].nDimension < 0)
            return TH_OK;
    return THExplain_guard();
}
