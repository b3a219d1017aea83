#include "pool.h"
#include "memory.h"

#include <assert.h>

enum { IDLE_MOST = 64 };

struct mcast_pooled {
    struct mcast_buffer buffer; /* comes first: the public face and this one have one address */
    struct mcast_pooled *next;  /* is the pool's list while nobody holds the buffer */
    uint8_t bytes[];
};

void mcast_pool_init(struct mcast_pool *pool, const struct mcast_alloc *alloc, size_t usual,
                     size_t bound) {
    *pool = (struct mcast_pool){.alloc = alloc, .usual = usual, .bound = bound};
}

static void discard(struct mcast_pool *pool, struct mcast_pooled *pooled) {
    mcast_memory_free(pool->alloc, pooled, 1, sizeof *pooled + pooled->buffer.size);
}

void mcast_pool_free(struct mcast_pool *pool) {
    assert(pool->held == 0);
    while (pool->idle != NULL) {
        struct mcast_pooled *pooled = pool->idle;
        pool->idle = pooled->next;
        discard(pool, pooled);
    }
    pool->idle_count = 0;
}

static void come_back(struct mcast_buffer *buffer) {
    struct mcast_pool *pool = buffer->owner;
    struct mcast_pooled *pooled = (struct mcast_pooled *)(void *)buffer;
    pool->held -= buffer->size;
    if (buffer->size == pool->usual && pool->idle_count < IDLE_MOST) {
        pooled->next = pool->idle;
        pool->idle = pooled;
        pool->idle_count++;
    } else {
        discard(pool, pooled);
    }
}

static struct mcast_pooled *take_idle(struct mcast_pool *pool) {
    struct mcast_pooled *pooled = pool->idle;
    pool->idle = pooled->next;
    pool->idle_count--;
    return pooled;
}

static struct mcast_pooled *make(struct mcast_pool *pool, size_t size) {
    /* resize directly: zeroing what is overwritten at once would cost more than the rest of the
     * path. */
    struct mcast_pooled *pooled =
        pool->alloc->resize(pool->alloc->context, NULL, 0, sizeof *pooled + size);
    if (pooled != NULL) {
        pooled->buffer = (struct mcast_buffer){
            .size = (uint32_t)size, .bytes = pooled->bytes, .owner = pool, .end = come_back};
    }
    return pooled;
}

struct mcast_buffer *mcast_pool_take(struct mcast_pool *pool, size_t size) {
    if (size > UINT32_MAX || size > pool->bound - pool->held) {
        return NULL;
    }
    struct mcast_pooled *pooled =
        size == pool->usual && pool->idle != NULL ? take_idle(pool) : make(pool, size);
    if (pooled == NULL) {
        return NULL;
    }
    pooled->next = NULL;
    pooled->buffer.holders = 1;
    pool->held += size;
    return &pooled->buffer;
}
