/* The test tag: a keyed check sum in the place of the cryptographic one, fast and worthless against
 * an enemy. With it on, a byte that changed on its way is found, as it will be outside. */
#ifndef SIM_TAG_H
#define SIM_TAG_H

#include "mcast/auth.h"

/* The two functions, keyed with @key, which must outlive them. */
struct mcast_auth sim_tag_auth(uint64_t *key);

#endif
