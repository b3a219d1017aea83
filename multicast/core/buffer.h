/* Buffer: a piece of bytes that several hold at once, and that ends with the last of them.
 *
 * Buffers come from a pool that bounds their bytes altogether and keeps a few idle ones of its
 * usual size, so that the receive path asks the allocator for nothing. A buffer knows its pool; the
 * pool outlives its buffers. One thread touches a pool and its buffers. */
#ifndef MCAST_CORE_BUFFER_H
#define MCAST_CORE_BUFFER_H

#include "mcast/alloc.h"

#include <stddef.h>
#include <stdint.h>

struct mcast_pool;

struct mcast_buffer {
    struct mcast_pool *pool;
    struct mcast_buffer *next; /* is the pool's list while nobody holds the buffer */
    size_t size;               /* is the count of bytes there is room for */
    uint32_t holders;          /* is the count of those that hold it */
    uint8_t bytes[];
};

struct mcast_pool {
    const struct mcast_alloc *alloc;
    struct mcast_buffer *idle; /* is the list of those kept for the next */
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

/* Holds @buffer once more and returns it. */
struct mcast_buffer *mcast_buffer_hold(struct mcast_buffer *buffer);

/* Lets go of @buffer once; NULL is allowed. */
void mcast_buffer_drop(struct mcast_buffer *buffer);

#endif
