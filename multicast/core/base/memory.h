/* Memory: how the core allocates from the allocator of the caller. */
#ifndef MCAST_BASE_MEMORY_H
#define MCAST_BASE_MEMORY_H

#include "mcast/alloc.h"

#include <stddef.h>

/* Allocate @count zeroed objects of @size bytes. Return NULL without memory, or if the product
 * overflows. */
void *mcast_memory_new(const struct mcast_alloc *alloc, size_t count, size_t size);

/* Grow @items, which has room for *@room objects of @size bytes, to at least @need. It at least
 * doubles, so appending takes constant time on average. The new part is zeroed. Return the new
 * address and store the new room; or return NULL and change nothing. */
void *mcast_memory_grow(const struct mcast_alloc *alloc, void *items, size_t *room, size_t need,
                        size_t size);

/* Like mcast_memory_grow, but leave the new part uninitialised: for memory that is written before
 * it is read. */
void *mcast_memory_widen(const struct mcast_alloc *alloc, void *items, size_t *room, size_t need,
                         size_t size);

/* Free @count objects of @size bytes at @memory, which may be NULL. */
void mcast_memory_free(const struct mcast_alloc *alloc, void *memory, size_t count, size_t size);

#endif
