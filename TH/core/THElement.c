/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Single elements as THScalar. */
#include <TH/core/THPrivate.h>

#include <string.h>

THScalar THTensor_getAt(const THTensor *self, int64_t offset)
{
    const char *element = (const char *)self->storage->data + offset * THTensor_itemSize(self);
#define CASE(code, type, make, convert)        \
    case code: {                               \
        type value;                            \
        memcpy(&value, element, sizeof value); \
        return make(convert(value));           \
    }
    switch ((THDtype)self->dtype) {
        CASE(TH_BYTE, uint8_t, THScalar_fromLong, )
        CASE(TH_CHAR, int8_t, THScalar_fromLong, )
        CASE(TH_SHORT, int16_t, THScalar_fromLong, )
        CASE(TH_INT, int32_t, THScalar_fromLong, )
        CASE(TH_LONG, int64_t, THScalar_fromLong, )
        CASE(TH_HALF, THHalf, THScalar_fromDouble, THHalf_toFloat)
        CASE(TH_FLOAT, float, THScalar_fromDouble, )
        CASE(TH_DOUBLE, double, THScalar_fromDouble, )
        CASE(TH_BOOL, uint8_t, THScalar_fromBool, )
    }
#undef CASE
    return THScalar_fromLong(0);
}

void THTensor_setAt(THTensor *self, int64_t offset, THScalar value)
{
    char *element = (char *)self->storage->data + offset * THTensor_itemSize(self);
#define CASE(code, type, expression)             \
    case code: {                                 \
        const type stored = expression;          \
        memcpy(element, &stored, sizeof stored); \
        break;                                   \
    }
    switch ((THDtype)self->dtype) {
        CASE(TH_BYTE, uint8_t, THByte_fromScalar(value))
        CASE(TH_CHAR, int8_t, THChar_fromScalar(value))
        CASE(TH_SHORT, int16_t, THShort_fromScalar(value))
        CASE(TH_INT, int32_t, THInt_fromScalar(value))
        CASE(TH_LONG, int64_t, THLong_fromScalar(value))
        CASE(TH_HALF, THHalf, THHalf_fromFloat(THHalf_fromScalar(value)))
        CASE(TH_FLOAT, float, THFloat_fromScalar(value))
        CASE(TH_DOUBLE, double, THDouble_fromScalar(value))
        CASE(TH_BOOL, uint8_t, THBool_fromScalar(value))
    }
#undef CASE
}
