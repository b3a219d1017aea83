/* Memory: the few ways in which the core asks the caller's allocator for room. */
#ifndef MCAST_CORE_MEMORY_H
#define MCAST_CORE_MEMORY_H

#include "mcast/alloc.h"

#include <stddef.h>

/* @count zeroed objects of @size bytes, or NULL: no memory, or the product is no size. */
void *mcast_memory_new(const struct mcast_alloc *alloc, size_t count, size_t size);

/* Makes room in @items, of which there are *@room of @size bytes, for at least @need; grows to the
 * double at least, so that appending costs a constant on average. New room is zeroed. Returns the
 * new place and stores the new room, or NULL, and nothing was changed. */
void *mcast_memory_grow(const struct mcast_alloc *alloc, void *items, size_t *room, size_t need,
                        size_t size);

/* The same, and what the new room holds is nobody's: for what is written before it is read. */
void *mcast_memory_widen(const struct mcast_alloc *alloc, void *items, size_t *room, size_t need,
                         size_t size);

/* Ends @count objects of @size bytes at @memory; NULL is allowed. */
void mcast_memory_free(const struct mcast_alloc *alloc, void *memory, size_t count, size_t size);

#endif
