#include "udp_buffers.h"

#include <assert.h>

static void *resize(const struct mcast_alloc *alloc, void *block, size_t old, size_t size) {
    return alloc->resize(alloc->context, block, old, size);
}

struct udp_buffers *udp_buffers_new(const struct mcast_alloc *alloc, size_t bound) {
    struct udp_buffers *pool = resize(alloc, NULL, 0, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    *pool = (struct udp_buffers){.alloc = alloc, .bound = bound};
    pool->spare = resize(alloc, NULL, 0, bound * sizeof(struct mcast_buffer *));
    if (pool->spare == NULL) {
        (void)resize(alloc, pool, sizeof *pool, 0);
        return NULL;
    }
    return pool;
}

static void end_buffer(struct udp_buffers *pool, struct mcast_buffer *buffer) {
    (void)resize(pool->alloc, buffer, sizeof *buffer + UDP_BUFFER_SIZE, 0);
}

static void end_pool(struct udp_buffers *pool) {
    (void)resize(pool->alloc, pool->spare, pool->bound * sizeof(struct mcast_buffer *), 0);
    (void)resize(pool->alloc, pool, sizeof *pool, 0);
}

/* The last holder let go. */
static void come_back(struct mcast_buffer *buffer) {
    struct udp_buffers *pool = buffer->owner;
    assert(pool->out > 0);
    pool->out--;
    if (pool->closed || pool->spare_count == pool->bound) {
        end_buffer(pool, buffer);
    } else {
        pool->spare[pool->spare_count++] = buffer;
    }
    if (pool->closed && pool->out == 0) {
        end_pool(pool);
    }
}

static struct mcast_buffer *make(struct udp_buffers *pool) {
    struct mcast_buffer *buffer = resize(pool->alloc, NULL, 0, sizeof *buffer + UDP_BUFFER_SIZE);
    if (buffer != NULL) {
        *buffer = (struct mcast_buffer){.size = UDP_BUFFER_SIZE,
                                        .bytes = (uint8_t *)(buffer + 1),
                                        .owner = pool,
                                        .end = come_back};
    }
    return buffer;
}

struct mcast_buffer *udp_buffers_take(struct udp_buffers *pool) {
    assert(!pool->closed);
    struct mcast_buffer *buffer =
        pool->spare_count > 0 ? pool->spare[--pool->spare_count] : make(pool);
    if (buffer != NULL) {
        buffer->holders = 1;
        buffer->size = UDP_BUFFER_SIZE; /* a train may have divided it */
        pool->out++;
    }
    return buffer;
}

void udp_buffers_close(struct udp_buffers *pool) {
    while (pool->spare_count > 0) {
        end_buffer(pool, pool->spare[--pool->spare_count]);
    }
    pool->closed = true;
    if (pool->out == 0) {
        end_pool(pool);
    }
}
