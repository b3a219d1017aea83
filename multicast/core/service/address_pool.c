#include "service/address_pool.h"
#include "base/memory.h"

#include <string.h>

enum { COUNTED = 12 }; /* the bytes of an ip before the four that count up */

void mcast_address_pool_init(struct mcast_address_pool *pool, const struct mcast_alloc *alloc,
                             struct mcast_address first, uint32_t count, mcast_time rest) {
    *pool =
        (struct mcast_address_pool){.alloc = alloc, .first = first, .count = count, .rest = rest};
}

void mcast_address_pool_free(struct mcast_address_pool *pool) {
    mcast_memory_free(pool->alloc, pool->resting, pool->room, sizeof *pool->resting);
    pool->resting = NULL;
    pool->room = 0;
    pool->waiting = 0;
}

static const struct mcast_address_rest *oldest(const struct mcast_address_pool *pool) {
    return &pool->resting[pool->head];
}

uint32_t mcast_address_pool_take(struct mcast_address_pool *pool, mcast_time now) {
    if (pool->fresh < pool->count) {
        return pool->fresh++;
    }
    if (pool->waiting == 0 || oldest(pool)->until > now) {
        return MCAST_ADDRESS_NONE;
    }
    uint32_t index = oldest(pool)->index;
    pool->head = (pool->head + 1) % pool->room;
    pool->waiting--;
    return index;
}

/* Double the ring and straighten it out from its head. */
static bool grow(struct mcast_address_pool *pool) {
    size_t room = pool->room == 0 ? 16 : pool->room * 2;
    struct mcast_address_rest *resting = mcast_memory_new(pool->alloc, room, sizeof *resting);
    if (resting == NULL) {
        return false;
    }
    for (size_t i = 0; i < pool->waiting; i++) {
        resting[i] = pool->resting[(pool->head + i) % pool->room];
    }
    mcast_memory_free(pool->alloc, pool->resting, pool->room, sizeof *resting);
    pool->resting = resting;
    pool->room = room;
    pool->head = 0;
    return true;
}

void mcast_address_pool_give(struct mcast_address_pool *pool, uint32_t index, mcast_time now) {
    if (pool->waiting == pool->room && !grow(pool)) {
        return;
    }
    size_t at = (pool->head + pool->waiting) % pool->room;
    pool->resting[at] = (struct mcast_address_rest){index, now + pool->rest};
    pool->waiting++;
}

void mcast_address_pool_claim(struct mcast_address_pool *pool, uint32_t index, mcast_time now) {
    if (index >= pool->count) {
        return;
    }
    while (pool->fresh < index && pool->fresh < pool->count) {
        mcast_address_pool_give(pool, pool->fresh++, now);
    }
    if (pool->fresh == index && index < pool->count) {
        pool->fresh++;
        return;
    }
    for (size_t i = 0; i < pool->waiting; i++) {
        if (pool->resting[(pool->head + i) % pool->room].index == index) {
            for (size_t next = i + 1; next < pool->waiting; next++) {
                pool->resting[(pool->head + next - 1) % pool->room] =
                    pool->resting[(pool->head + next) % pool->room];
            }
            pool->waiting--;
            return;
        }
    }
}

bool mcast_address_pool_is_free(const struct mcast_address_pool *pool, uint32_t index) {
    for (size_t i = 0; i < pool->waiting; i++) {
        if (pool->resting[(pool->head + i) % pool->room].index == index) {
            return true;
        }
    }
    return index >= pool->fresh && index < pool->count;
}

mcast_time mcast_address_pool_deadline(const struct mcast_address_pool *pool) {
    return pool->waiting == 0 ? MCAST_NEVER : oldest(pool)->until;
}

uint32_t mcast_address_pool_free_count(const struct mcast_address_pool *pool, mcast_time now) {
    uint32_t rested = 0;
    while (rested < pool->waiting &&
           pool->resting[(pool->head + rested) % pool->room].until <= now) {
        rested++;
    }
    return pool->count - pool->fresh + rested;
}

static uint32_t get_counted(const struct mcast_address *address) {
    uint32_t value = 0;
    for (size_t i = COUNTED; i < sizeof address->ip; i++) {
        value = value << 8 | address->ip[i];
    }
    return value;
}

struct mcast_address mcast_address_pool_at(const struct mcast_address_pool *pool, uint32_t index) {
    struct mcast_address address = pool->first;
    uint32_t value = get_counted(&pool->first) + index;
    for (size_t i = sizeof address.ip; i > COUNTED; i--) {
        address.ip[i - 1] = (uint8_t)(value & 0xff);
        value >>= 8;
    }
    return address;
}

uint32_t mcast_address_pool_index(const struct mcast_address_pool *pool,
                                  const struct mcast_address *address) {
    uint32_t index = get_counted(address) - get_counted(&pool->first);
    bool ours = index < pool->count && memcmp(address->ip, pool->first.ip, COUNTED) == 0 &&
                memcmp(address->port, pool->first.port, sizeof address->port) == 0;
    return ours ? index : MCAST_ADDRESS_NONE;
}
