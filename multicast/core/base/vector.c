#include "base/vector.h"
#include "base/memory.h"

#include "mcast/error.h"

#include <assert.h>
#include <string.h>

int mcast_vector_reserve(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t count,
                         size_t size) {
    if (count <= vector->room) {
        return MCAST_OK;
    }
    void *items = mcast_memory_grow(alloc, vector->items, &vector->room, count, size);
    if (items == NULL) {
        return MCAST_ENOMEM;
    }
    vector->items = items;
    return MCAST_OK;
}

void *mcast_vector_push(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t size) {
    if (mcast_vector_reserve(vector, alloc, vector->count + 1, size) != MCAST_OK) {
        return NULL;
    }
    void *place = (char *)vector->items + vector->count * size;
    vector->count++;
    return memset(place, 0, size);
}

void mcast_vector_swap_out(struct mcast_vector *vector, size_t index, size_t size) {
    assert(index < vector->count);
    vector->count--;
    if (index < vector->count) {
        memcpy((char *)vector->items + index * size, (char *)vector->items + vector->count * size,
               size);
    }
}

void mcast_vector_free(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t size) {
    mcast_memory_free(alloc, vector->items, vector->room, size);
    *vector = (struct mcast_vector){.items = NULL};
}
