/* Mix: spreads the bits of a number, for hash maps and digests. */
#ifndef MCAST_BASE_MIX_H
#define MCAST_BASE_MIX_H

#include <stdint.h>

/* Mix the bits of @value so that each bit of the result depends on every bit of it. Not
 * cryptographic. */
uint64_t mcast_mix64(uint64_t value);

#endif
