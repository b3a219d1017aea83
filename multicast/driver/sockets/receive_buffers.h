/* Receive buffers: as large as the largest datagram or train, counted, and used again.
 *
 * The core and the application hold parts of them without a copy; a buffer comes back to the pool
 * when its last holder lets go. The pool keeps what comes back, for memory that was given away has
 * to be found again a page at a time; what was not needed for a while it gives back. */
#ifndef MCAST_UDP_BUFFERS_H
#define MCAST_UDP_BUFFERS_H

#include "mcast/buffer.h"

#include <stdbool.h>

enum { UDP_BUFFER_SIZE = 65536 };

struct udp_buffers {
    const struct mcast_alloc *alloc;
    struct mcast_buffer *spare; /* is the one that came back last; each knows the one before */
    size_t spare_count;
    size_t least; /* is how few there were since the last rest */
    size_t bound;
    size_t out;  /* is how many are held by somebody */
    bool closed; /* says that what comes back is to be ended */
};

/* Makes a pool that, at rest, keeps at most @bound spare buffers. Returns NULL when there is no
 * memory. */
struct udp_buffers *udp_buffers_new(const struct mcast_alloc *alloc, size_t bound);

/* A while has passed: gives back what was not needed meanwhile, beyond the bound. */
void udp_buffers_rest(struct udp_buffers *pool);

/* Ends the pool, at once or when the last buffer that is out comes back. */
void udp_buffers_close(struct udp_buffers *pool);

/* A buffer with one holder, or NULL when there is no memory. */
struct mcast_buffer *udp_buffers_take(struct udp_buffers *pool);

#endif
