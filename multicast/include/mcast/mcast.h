/* The public face of the multicast core. A test of behaviour and the Python binding include this
 * header and no other. */
#ifndef MCAST_MCAST_H
#define MCAST_MCAST_H

#include "mcast/error.h"
#include "mcast/ranges.h"

/* The version of the core as "major.minor.patch". The string is static. */
const char *mcast_version(void);

#endif
