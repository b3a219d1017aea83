/* The memory of one simulated node: counted to the byte, bounded, and able to fail on request. */
#ifndef DRIVER_SIMULATOR_BASE_NODE_MEMORY_H
#define DRIVER_SIMULATOR_BASE_NODE_MEMORY_H

#include "mcast/alloc.h"

#include <stdint.h>

struct sim_memory {
    uint64_t used;
    uint64_t peak;
    uint64_t bound;    /* the most that `used` may reach; 0: no bound */
    uint64_t calls;    /* the count of allocation calls */
    uint64_t fail_at;  /* the call that fails, counted from 1; 0: none */
    uint32_t fail_for; /* the count of consecutive calls that fail then */
    uint64_t refused;
};

/* An allocator over @memory, which must outlive everything allocated from it. */
struct mcast_alloc sim_memory_alloc(struct sim_memory *memory);

#endif
