#include "sockets/receive_buffers.h"

#include <assert.h>
#include <string.h>

static void *resize(const struct mcast_alloc *alloc, void *block, size_t old, size_t size) {
    return alloc->resize(alloc->context, block, old, size);
}

struct udp_buffers *udp_buffers_new(const struct mcast_alloc *alloc, size_t bound) {
    struct udp_buffers *pool = resize(alloc, NULL, 0, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    *pool = (struct udp_buffers){.alloc = alloc, .bound = bound};
    return pool;
}

static void end_buffer(struct udp_buffers *pool, struct mcast_buffer *buffer) {
    (void)resize(pool->alloc, buffer, sizeof *buffer + UDP_BUFFER_SIZE, 0);
}

static void end_pool(struct udp_buffers *pool) {
    (void)resize(pool->alloc, pool, sizeof *pool, 0);
}

/* A spare buffer stores the address of the previous one in its own bytes. */
static void put_spare(struct udp_buffers *pool, struct mcast_buffer *buffer) {
    memcpy(buffer->bytes, &pool->spare, sizeof pool->spare);
    pool->spare = buffer;
    pool->spare_count++;
}

static struct mcast_buffer *take_spare(struct udp_buffers *pool) {
    struct mcast_buffer *buffer = pool->spare;
    memcpy(&pool->spare, buffer->bytes, sizeof pool->spare);
    pool->spare_count--;
    pool->least = pool->spare_count < pool->least ? pool->spare_count : pool->least;
    return buffer;
}

/* Called when the last holder releases a buffer. */
static void come_back(struct mcast_buffer *buffer) {
    struct udp_buffers *pool = buffer->owner;
    assert(pool->out > 0);
    pool->out--;
    if (pool->closed) {
        end_buffer(pool, buffer);
    } else {
        put_spare(pool, buffer);
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
    struct mcast_buffer *buffer = pool->spare_count > 0 ? take_spare(pool) : make(pool);
    if (buffer != NULL) {
        buffer->holders = 1;
        buffer->size = UDP_BUFFER_SIZE; /* a train may have divided it */
        pool->out++;
    }
    return buffer;
}

void udp_buffers_rest(struct udp_buffers *pool) {
    size_t idle = pool->least > pool->bound ? pool->least - pool->bound : 0;
    for (; idle > 0; idle--) {
        end_buffer(pool, take_spare(pool));
    }
    pool->least = pool->spare_count;
}

void udp_buffers_close(struct udp_buffers *pool) {
    while (pool->spare_count > 0) {
        end_buffer(pool, take_spare(pool));
    }
    pool->closed = true;
    if (pool->out == 0) {
        end_pool(pool);
    }
}
