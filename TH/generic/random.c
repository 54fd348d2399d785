/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributions over floating numbers, which are one for all dtypes; included by
 * TH/ops/THRandomOps.c for Half, Float and Double. */
#ifndef TH_GENERIC_FILE
#error "include TH/ops/THRandomOps.c instead"
#endif

int THTensor_(uniform)(THTensor *self, double from, double to, THGenerator *generator)
{
    return fillUniform(self, from, to, generator);
}

int THTensor_(normal)(THTensor *self, double mean, double std, THGenerator *generator)
{
    return fillNormal(self, mean, std, generator);
}

int THTensor_(exponential)(THTensor *self, double lambd, THGenerator *generator)
{
    return fillExponential(self, lambd, generator);
}
