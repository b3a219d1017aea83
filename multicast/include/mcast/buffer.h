/* Buffers: counted memory that a driver fills and that the core and the application share without a
 * copy.
 *
 * Rule: whoever keeps a pointer into a buffer past the call in which he got it holds the buffer.
 * Not safe between threads: a driver that hands deliveries to another thread takes its release back
 * to the thread of the core. */
#ifndef MCAST_BUFFER_H
#define MCAST_BUFFER_H

#include "mcast/alloc.h"

#include <stdint.h>

struct mcast_buffer {
    uint32_t holders; /* is the number of those who hold it; 1 when made */
    uint32_t size; /* is the number of bytes that it keeps alive, for the rule that a small packet
                    * in a large buffer is copied out */
    uint8_t *bytes;
    void *owner;                            /* is the driver's */
    void (*end)(struct mcast_buffer *self); /* is called when the last holder let go */
};

/* Makes a buffer of @size bytes out of @alloc, which must outlive it, with one holder. Returns NULL
 * when there is no memory. A driver may as well fill in the structure itself. */
struct mcast_buffer *mcast_buffer_new(const struct mcast_alloc *alloc, uint32_t size);

/* Adds a holder and returns @buffer; NULL is allowed and stays NULL. */
struct mcast_buffer *mcast_buffer_hold(struct mcast_buffer *buffer);

/* Takes a holder away and ends the buffer with the last; NULL is allowed. */
void mcast_buffer_release(struct mcast_buffer *buffer);

#endif
