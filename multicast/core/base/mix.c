#include "base/mix.h"

/* The finalizer of splitmix64 with the constants of David Stafford's variant 13: a bijection whose
 * bias is small enough for the digest. See
 * http://zimbry.blogspot.com/2011/09/better-bit-mixing-improving-on.html */
uint64_t mcast_mix64(uint64_t value) {
    value ^= value >> 30;
    value *= UINT64_C(0xbf58476d1ce4e5b9);
    value ^= value >> 27;
    value *= UINT64_C(0x94d049bb133111eb);
    value ^= value >> 31;
    return value;
}
