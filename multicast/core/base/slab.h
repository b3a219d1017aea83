/* Slab: objects of one size, taken from and given back to a list of free ones.
 *
 * Memory is asked for a chunk at a time and given back only at the end. The bound is on the count
 * of objects: what a peer can make us keep has an end. */
#ifndef MCAST_CORE_SLAB_H
#define MCAST_CORE_SLAB_H

#include "mcast/alloc.h"

#include <stddef.h>

struct mcast_slab_chunk;
struct mcast_slab_free;

struct mcast_slab {
    const struct mcast_alloc *alloc;
    struct mcast_slab_chunk *chunks;
    struct mcast_slab_free *free; /* is the list of objects that nobody has */
    size_t size;                  /* is the size of an object, rounded up */
    size_t taken;                 /* is the count of objects that somebody has */
    size_t made;                  /* is the count of all objects */
    size_t bound;                 /* is the most that are ever taken at once */
};

/* Makes a slab of objects of @size bytes, @bound of them at most, without asking for memory. */
void mcast_slab_init(struct mcast_slab *slab, const struct mcast_alloc *alloc, size_t size,
                     size_t bound);

/* Ends the slab and with it all its objects, taken or not. */
void mcast_slab_free(struct mcast_slab *slab);

/* A zeroed object, aligned for any type; NULL when the bound is reached or there is no memory. */
void *mcast_slab_take(struct mcast_slab *slab);

/* Gives back @object, which came from mcast_slab_take of this slab. */
void mcast_slab_give(struct mcast_slab *slab, void *object);

#endif
