/* Checksum tag: a keyed checksum in place of the cryptographic tag, fast and worthless against an
 * attacker. With it a byte changed on its way is detected, as on a real network. It encrypts
 * nothing: the judges read the datagrams of a simulated network. */
#ifndef DRIVER_SIMULATOR_BASE_CHECKSUM_TAG_H
#define DRIVER_SIMULATOR_BASE_CHECKSUM_TAG_H

#include "mcast/auth.h"

/* The two functions, keyed with @key, which must outlive them. */
struct mcast_auth sim_tag_auth(uint64_t *key);

#endif
