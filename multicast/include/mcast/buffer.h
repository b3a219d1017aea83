/* Buffers: reference-counted memory that a driver fills and that the core and the application share
 * without a copy.
 *
 * Whoever keeps a pointer into a buffer beyond the call that delivered it holds the buffer. Not
 * thread-safe: a driver that passes deliveries to another thread releases them in the thread of the
 * core. */
#ifndef MCAST_BUFFER_H
#define MCAST_BUFFER_H

#include "mcast/alloc.h"

#include <stdint.h>

struct mcast_buffer {
    uint32_t holders; /* the count of holders; 1 when made */
    uint32_t size;    /* the bytes that it keeps alive, so that a small packet in a large buffer is
                       * copied out */
    uint8_t *bytes;
    void *owner;                            /* for the driver */
    void (*end)(struct mcast_buffer *self); /* called when the last holder releases it */
};

/* Make a buffer of @size bytes with one holder. @alloc must outlive it. Return NULL without memory.
 * A driver may also fill in the structure itself. */
struct mcast_buffer *mcast_buffer_new(const struct mcast_alloc *alloc, uint32_t size);

/* Add a holder and return @buffer; NULL stays NULL. */
struct mcast_buffer *mcast_buffer_hold(struct mcast_buffer *buffer);

/* Remove a holder and free the buffer with the last; NULL is allowed. */
void mcast_buffer_release(struct mcast_buffer *buffer);

#endif
