#include "base/memory.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_ROOM = 4 };

void *mcast_memory_new(const struct mcast_alloc *alloc, size_t count, size_t size) {
    if (count == 0 || size == 0 || count > SIZE_MAX / size) {
        return NULL;
    }
    void *memory = alloc->resize(alloc->context, NULL, 0, count * size);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void *mcast_memory_widen(const struct mcast_alloc *alloc, void *items, size_t *room, size_t need,
                         size_t size) {
    if (items != NULL && need <= *room) {
        return items;
    }
    size_t wanted = *room < FIRST_ROOM ? FIRST_ROOM : *room;
    while (wanted < need) {
        wanted = wanted > SIZE_MAX / 2 ? need : wanted * 2;
    }
    if (wanted > SIZE_MAX / size) {
        return NULL;
    }
    void *memory = alloc->resize(alloc->context, items, *room * size, wanted * size);
    *room = memory != NULL ? wanted : *room;
    return memory;
}

void *mcast_memory_grow(const struct mcast_alloc *alloc, void *items, size_t *room, size_t need,
                        size_t size) {
    size_t old = *room;
    void *memory = mcast_memory_widen(alloc, items, room, need, size);
    if (memory != NULL && *room > old) {
        memset((char *)memory + old * size, 0, (*room - old) * size);
    }
    return memory;
}

void mcast_memory_free(const struct mcast_alloc *alloc, void *memory, size_t count, size_t size) {
    if (memory != NULL) {
        (void)alloc->resize(alloc->context, memory, count * size, 0);
    }
}
