/* The memory of the C library as an allocator, for drivers and the binding. The core never uses it.
 */
#ifndef MCAST_SYSTEM_MEMORY_H
#define MCAST_SYSTEM_MEMORY_H

#include "mcast/alloc.h"

/* The allocator is static and may be used by any thread. */
const struct mcast_alloc *mcast_system_memory(void);

#endif
