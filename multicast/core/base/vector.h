/* Vector: things of one size in a row that grows. */
#ifndef MCAST_CORE_VECTOR_H
#define MCAST_CORE_VECTOR_H

#include "mcast/alloc.h"

#include <stddef.h>

/* Zeroed, it is an empty one. Whoever has it passes the same allocator and size each time. */
struct mcast_vector {
    void *items;
    size_t count;
    size_t room;
};

/* Appends a zeroed thing of @size bytes and returns its place, which holds until the next call;
 * NULL without memory, and nothing was changed. */
void *mcast_vector_push(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t size);

/* Makes room for @count things altogether. 0 or MCAST_ENOMEM. */
int mcast_vector_reserve(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t count,
                         size_t size);

/* Takes the thing at @index out; the last takes its place. */
void mcast_vector_swap_out(struct mcast_vector *vector, size_t index, size_t size);

/* Ends it and leaves it empty. */
void mcast_vector_free(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t size);

#endif
