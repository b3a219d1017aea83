#include "base/slab.h"
#include "base/memory.h"
#include "base/prefetch.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

enum { CHUNK_BYTES = 16384 };

struct mcast_slab_chunk {
    struct mcast_slab_chunk *next;
    size_t bytes;
    alignas(max_align_t) unsigned char objects[];
};

struct mcast_slab_free {
    struct mcast_slab_free *next;
};

void mcast_slab_init(struct mcast_slab *slab, const struct mcast_alloc *alloc, size_t size,
                     size_t bound) {
    assert(size > 0);
    size_t step = alignof(max_align_t);
    *slab = (struct mcast_slab){
        .alloc = alloc, .size = (size + step - 1) / step * step, .bound = bound};
}

void mcast_slab_free(struct mcast_slab *slab) {
    while (slab->chunks != NULL) {
        struct mcast_slab_chunk *chunk = slab->chunks;
        slab->chunks = chunk->next;
        mcast_memory_free(slab->alloc, chunk, 1, chunk->bytes);
    }
    mcast_slab_init(slab, slab->alloc, slab->size, slab->bound);
}

static void refill(struct mcast_slab *slab) {
    size_t count = CHUNK_BYTES / slab->size;
    if (count == 0) {
        count = 1;
    }
    if (count > slab->bound - slab->made) {
        count = slab->bound - slab->made;
    }
    size_t bytes = sizeof(struct mcast_slab_chunk) + count * slab->size;
    struct mcast_slab_chunk *chunk = mcast_memory_new(slab->alloc, 1, bytes);
    if (chunk == NULL) {
        return;
    }
    chunk->bytes = bytes;
    chunk->next = slab->chunks;
    slab->chunks = chunk;
    slab->made += count;
    for (size_t i = count; i > 0; i--) {
        struct mcast_slab_free *object = (void *)(chunk->objects + (i - 1) * slab->size);
        object->next = slab->free;
        slab->free = object;
    }
}

void *mcast_slab_take(struct mcast_slab *slab) {
    if (slab->free == NULL && slab->made < slab->bound) {
        refill(slab);
    }
    struct mcast_slab_free *object = slab->free;
    if (object == NULL) {
        return NULL;
    }
    slab->free = object->next;
    mcast_prefetch(slab->free); /* the next object to be taken; it may have left the cache since it
                                 * was given back */
    slab->taken++;
    memset(object, 0, slab->size);
    return object;
}

void mcast_slab_give(struct mcast_slab *slab, void *object) {
    assert(slab->taken > 0);
    struct mcast_slab_free *freed = object;
    freed->next = slab->free;
    slab->free = freed;
    slab->taken--;
}
