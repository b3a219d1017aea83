/* Slab: objects of one size, allocated from a free list.
 *
 * Memory is allocated in chunks and freed only at the end. The count of objects is bounded, so a
 * peer cannot make a member allocate without limit. */
#ifndef MCAST_BASE_SLAB_H
#define MCAST_BASE_SLAB_H

#include "mcast/alloc.h"

#include <stddef.h>

struct mcast_slab_chunk;
struct mcast_slab_free;

struct mcast_slab {
    const struct mcast_alloc *alloc;
    struct mcast_slab_chunk *chunks;
    struct mcast_slab_free *free; /* the list of free objects */
    size_t size;                  /* the size of an object, rounded up */
    size_t taken;                 /* the count of objects in use */
    size_t made;                  /* the count of all objects */
    size_t bound;                 /* the most objects in use at once */
};

/* Make a slab of at most @bound objects of @size bytes, without allocating. */
void mcast_slab_init(struct mcast_slab *slab, const struct mcast_alloc *alloc, size_t size,
                     size_t bound);

/* Free the slab and all its objects, in use or not. */
void mcast_slab_free(struct mcast_slab *slab);

/* Take a zeroed object, aligned for any type. Return NULL at the bound or without memory. */
void *mcast_slab_take(struct mcast_slab *slab);

/* Give back @object, which came from mcast_slab_take of the same slab. */
void mcast_slab_give(struct mcast_slab *slab, void *object);

#endif
