#include "simulator/base/node_memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

static bool refuses(struct sim_memory *memory, size_t old, size_t size) {
    memory->calls++;
    bool planned = memory->fail_at != 0 && memory->calls >= memory->fail_at &&
                   memory->calls < memory->fail_at + memory->fail_for;
    return planned || (memory->bound != 0 && memory->used - old + size > memory->bound);
}

static void *resize(void *context, void *block, size_t old, size_t size) {
    struct sim_memory *memory = context;
    assert(old <= memory->used);
    if (size == 0) {
        free(block);
        memory->used -= old;
        return NULL;
    }
    if (size > old && refuses(memory, old, size)) {
        memory->refused++;
        return NULL;
    }
    void *changed = realloc(block, size);
    if (changed != NULL) {
        memory->used += size - old;
        memory->peak = memory->used > memory->peak ? memory->used : memory->peak;
    }
    return changed;
}

struct mcast_alloc sim_memory_alloc(struct sim_memory *memory) {
    return (struct mcast_alloc){memory, resize};
}
