/* Pool: buffers that are used again.
 *
 * A pool bounds the bytes of its buffers altogether and keeps a few idle ones of its usual size, so
 * that the receive path asks the allocator for nothing. Its buffers are ordinary ones
 * (mcast/buffer.h) and go back to it with their last holder; the pool outlives them. One thread
 * touches a pool and its buffers. */
#ifndef MCAST_CORE_POOL_H
#define MCAST_CORE_POOL_H

#include "mcast/alloc.h"
#include "mcast/buffer.h"

#include <stddef.h>
#include <stdint.h>

struct mcast_pooled;

struct mcast_pool {
    const struct mcast_alloc *alloc;
    struct mcast_pooled *idle; /* is the list of those kept for the next */
    size_t usual;              /* is the size of those that are kept */
    size_t idle_count;
    size_t held;  /* is the bytes of all buffers that somebody holds */
    size_t bound; /* is the most that held may reach */
};

/* Makes a pool of buffers of @usual bytes, @bound bytes at most, without asking for memory. */
void mcast_pool_init(struct mcast_pool *pool, const struct mcast_alloc *alloc, size_t usual,
                     size_t bound);

/* Ends the pool; nobody holds any of its buffers any more. */
void mcast_pool_free(struct mcast_pool *pool);

/* A buffer of @size bytes, its content undefined, held once by the caller; NULL when the bound
 * would be passed or there is no memory. */
struct mcast_buffer *mcast_pool_take(struct mcast_pool *pool, size_t size);

#endif
