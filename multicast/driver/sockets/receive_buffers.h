/* Receive buffers: a pool of buffers, each large enough for the largest datagram or train, with
 * reference counts.
 *
 * The core and the application hold parts of them without a copy; a buffer returns to the pool when
 * its last holder releases it. The pool keeps returned buffers, because memory that was freed has
 * to be faulted in again page by page; it frees those that were not needed for a while. */
#ifndef DRIVER_SOCKETS_RECEIVE_BUFFERS_H
#define DRIVER_SOCKETS_RECEIVE_BUFFERS_H

#include "mcast/buffer.h"

#include <stdbool.h>

enum { UDP_BUFFER_SIZE = 65536 };

struct udp_buffers {
    const struct mcast_alloc *alloc;
    struct mcast_buffer *spare; /* the last one returned; each points to the one before */
    size_t spare_count;
    size_t least; /* the fewest spare buffers since the last rest */
    size_t bound;
    size_t out;  /* the count of buffers in use */
    bool closed; /* true if returned buffers are to be freed */
};

/* Make a pool that keeps at most @bound spare buffers when idle. Return NULL without memory. */
struct udp_buffers *udp_buffers_new(const struct mcast_alloc *alloc, size_t bound);

/* Called now and then: free the spare buffers beyond the bound that were not needed since the last
 * call. */
void udp_buffers_rest(struct udp_buffers *pool);

/* Free the pool, at once or when the last buffer in use returns. */
void udp_buffers_close(struct udp_buffers *pool);

/* Take a buffer with one holder. Return NULL without memory. */
struct mcast_buffer *udp_buffers_take(struct udp_buffers *pool);

#endif
