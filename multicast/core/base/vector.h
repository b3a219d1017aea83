/* Vector: an array of objects of one size that grows. */
#ifndef MCAST_BASE_VECTOR_H
#define MCAST_BASE_VECTOR_H

#include "mcast/alloc.h"

#include <stddef.h>

/* All zero bytes are an empty vector. The owner passes the same allocator and size to every call.
 */
struct mcast_vector {
    void *items;
    size_t count;
    size_t room;
};

/* Append a zeroed object of @size bytes and return its address, valid until the next call. Return
 * NULL without memory and change nothing. */
void *mcast_vector_push(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t size);

/* Reserve memory for @count objects altogether. Return 0 or MCAST_ENOMEM. */
int mcast_vector_reserve(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t count,
                         size_t size);

/* Remove the object at @index; the last one takes its place. */
void mcast_vector_swap_out(struct mcast_vector *vector, size_t index, size_t size);

/* Free the vector and leave it empty. */
void mcast_vector_free(struct mcast_vector *vector, const struct mcast_alloc *alloc, size_t size);

#endif
