/* The memory of one simulated node: counted to the byte, bounded, and able to fail when told. */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "mcast/alloc.h"

#include <stdint.h>

struct sim_memory {
    uint64_t used;
    uint64_t peak;
    uint64_t bound;    /* is the most that used may reach, 0: no bound */
    uint64_t calls;    /* is the count of calls that asked for memory */
    uint64_t fail_at;  /* is the call that fails, counted from 1; 0: none */
    uint32_t fail_for; /* is how many calls in a row fail then */
    uint64_t refused;
};

/* An allocator over @memory, which must outlive all that is taken from it. */
struct mcast_alloc sim_memory_alloc(struct sim_memory *memory);

#endif
