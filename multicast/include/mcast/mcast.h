/* The public header of the multicast core. Behaviour tests, drivers and the Python binding include
 * this header and no other. */
#ifndef MCAST_MCAST_H
#define MCAST_MCAST_H

#include "mcast/alloc.h"
#include "mcast/auth.h"
#include "mcast/buffer.h"
#include "mcast/config.h"
#include "mcast/error.h"
#include "mcast/event.h"
#include "mcast/laggard.h"
#include "mcast/member.h"
#include "mcast/output.h"
#include "mcast/service.h"
#include "mcast/stats.h"
#include "mcast/types.h"

/* The version of the core as "major.minor.patch". The string is static. */
const char *mcast_version(void);

#endif
