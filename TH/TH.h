/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TH, a tensor library in C. This header brings all of it: storages, tensors, views, the engine,
 * threads, random numbers and, where the library was built with declarations, the operations as
 * TH_<op>. */
#ifndef TH_TH_H
#define TH_TH_H

#include <TH/THAllocator.h>
#include <TH/THBlas.h>
#include <TH/THCompare.h>
#include <TH/THCore.h>
#include <TH/THCreate.h>
#include <TH/THDtype.h>
#include <TH/THEngine.h>
#include <TH/THExplain.h>
#include <TH/THGeneral.h>
#include <TH/THIndex.h>
#include <TH/THIsa.h>
#include <TH/THMachine.h>
#include <TH/THPointwise.h>
#include <TH/THRandom.h>
#include <TH/THRandomOps.h>
#include <TH/THScalar.h>
#include <TH/THShape.h>
#include <TH/THStorage.h>
#include <TH/THTensor.h>
#include <TH/THThreads.h>
#include <TH/THWrapper.h>

#endif
