#include "buffer.h"
#include "memory.h"

#include <assert.h>

enum { IDLE_MOST = 64 };

void mcast_pool_init(struct mcast_pool *pool, const struct mcast_alloc *alloc, size_t usual,
                     size_t bound) {
    *pool = (struct mcast_pool){.alloc = alloc, .usual = usual, .bound = bound};
}

static void release(struct mcast_pool *pool, struct mcast_buffer *buffer) {
    mcast_memory_free(pool->alloc, buffer, 1, sizeof *buffer + buffer->size);
}

void mcast_pool_free(struct mcast_pool *pool) {
    assert(pool->held == 0);
    while (pool->idle != NULL) {
        struct mcast_buffer *buffer = pool->idle;
        pool->idle = buffer->next;
        release(pool, buffer);
    }
    pool->idle_count = 0;
}

static struct mcast_buffer *take_idle(struct mcast_pool *pool) {
    struct mcast_buffer *buffer = pool->idle;
    pool->idle = buffer->next;
    pool->idle_count--;
    return buffer;
}

static struct mcast_buffer *make(struct mcast_pool *pool, size_t size) {
    /* resize directly: zeroing what is overwritten at once would cost more than the rest of the
     * path. */
    struct mcast_buffer *buffer =
        pool->alloc->resize(pool->alloc->context, NULL, 0, sizeof *buffer + size);
    if (buffer != NULL) {
        buffer->pool = pool;
        buffer->size = size;
    }
    return buffer;
}

struct mcast_buffer *mcast_pool_take(struct mcast_pool *pool, size_t size) {
    if (size > pool->bound - pool->held) {
        return NULL;
    }
    struct mcast_buffer *buffer =
        size == pool->usual && pool->idle != NULL ? take_idle(pool) : make(pool, size);
    if (buffer == NULL) {
        return NULL;
    }
    buffer->next = NULL;
    buffer->holders = 1;
    pool->held += size;
    return buffer;
}

struct mcast_buffer *mcast_buffer_hold(struct mcast_buffer *buffer) {
    assert(buffer->holders > 0 && buffer->holders < UINT32_MAX);
    buffer->holders++;
    return buffer;
}

void mcast_buffer_drop(struct mcast_buffer *buffer) {
    if (buffer == NULL) {
        return;
    }
    assert(buffer->holders > 0);
    if (--buffer->holders > 0) {
        return;
    }
    struct mcast_pool *pool = buffer->pool;
    pool->held -= buffer->size;
    if (buffer->size == pool->usual && pool->idle_count < IDLE_MOST) {
        buffer->next = pool->idle;
        pool->idle = buffer;
        pool->idle_count++;
    } else {
        release(pool, buffer);
    }
}
