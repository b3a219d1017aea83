#include "mcast/system_memory.h"

#include <stdlib.h>

static void *resize(void *context, void *block, size_t old, size_t size) {
    (void)context;
    (void)old;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

const struct mcast_alloc *mcast_system_memory(void) {
    static const struct mcast_alloc memory = {.resize = resize};
    return &memory;
}
