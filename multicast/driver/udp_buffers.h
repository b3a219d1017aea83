/* Receive buffers: as large as the largest datagram or train, counted, and used again.
 *
 * The core and the application hold parts of them without a copy; a buffer comes back to the pool
 * when its last holder lets go. The pool keeps some for the next receive and gives the rest back.
 */
#ifndef MCAST_UDP_BUFFERS_H
#define MCAST_UDP_BUFFERS_H

#include "mcast/buffer.h"

#include <stdbool.h>

enum { UDP_BUFFER_SIZE = 65536 };

struct udp_buffers {
    const struct mcast_alloc *alloc;
    struct mcast_buffer **spare; /* has room for @bound of them */
    size_t spare_count;
    size_t bound;
    size_t out;  /* is how many are held by somebody */
    bool closed; /* says that what comes back is to be ended */
};

/* Makes a pool that keeps at most @bound spare buffers. Returns NULL when there is no memory. */
struct udp_buffers *udp_buffers_new(const struct mcast_alloc *alloc, size_t bound);

/* Ends the pool, at once or when the last buffer that is out comes back. */
void udp_buffers_close(struct udp_buffers *pool);

/* A buffer with one holder, or NULL when there is no memory. */
struct mcast_buffer *udp_buffers_take(struct udp_buffers *pool);

#endif
