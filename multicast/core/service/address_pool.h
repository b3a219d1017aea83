/* Address pool: the numbers of region addresses. An address rests before it is given again.
 *
 * Datagrams to a closed region may still be under way, and hosts may still listen, so an address
 * that comes back rests for a while. Unused addresses are given first, then the one that has rested
 * longest. */
#ifndef MCAST_SERVICE_ADDRESS_POOL_H
#define MCAST_SERVICE_ADDRESS_POOL_H

#include "mcast/alloc.h"
#include "mcast/types.h"

struct mcast_address_rest {
    uint32_t index;
    mcast_time until; /* the time when it may be given again */
};

struct mcast_address_pool {
    const struct mcast_alloc *alloc;
    struct mcast_address first;         /* the address with index 0 */
    uint32_t count;                     /* the count of addresses */
    uint32_t fresh;                     /* the smallest index that was never given */
    mcast_time rest;                    /* how long an address rests */
    struct mcast_address_rest *resting; /* a ring, in order of `until` */
    size_t room;
    size_t head;
    size_t waiting; /* the count of resting addresses */
};

#define MCAST_ADDRESS_NONE UINT32_MAX

/* Make a pool of @count addresses that count up from @first, without allocating. */
void mcast_address_pool_init(struct mcast_address_pool *pool, const struct mcast_alloc *alloc,
                             struct mcast_address first, uint32_t count, mcast_time rest);

void mcast_address_pool_free(struct mcast_address_pool *pool);

/* True if @index is not in use: it was never given, or it rests. */
bool mcast_address_pool_is_free(const struct mcast_address_pool *pool, uint32_t index);

/* Take an address. Return its index, or MCAST_ADDRESS_NONE if none is free at @now. */
uint32_t mcast_address_pool_take(struct mcast_address_pool *pool, mcast_time now);

/* Give @index back at @now; it starts to rest. Without memory to record that, the address is lost
 * for good. */
void mcast_address_pool_give(struct mcast_address_pool *pool, uint32_t index, mcast_time now);

/* Mark the address @index as in use, if it was never given: a former service gave it. All unused
 * addresses below it start to rest. */
void mcast_address_pool_claim(struct mcast_address_pool *pool, uint32_t index, mcast_time now);

/* The time when the first resting address becomes free, or MCAST_NEVER if none rests. */
mcast_time mcast_address_pool_deadline(const struct mcast_address_pool *pool);

/* The count of addresses that can be taken at @now. */
uint32_t mcast_address_pool_free_count(const struct mcast_address_pool *pool, mcast_time now);

/* The address with @index; the last four bytes of its ip count up. */
struct mcast_address mcast_address_pool_at(const struct mcast_address_pool *pool, uint32_t index);

/* The index of @address, or MCAST_ADDRESS_NONE if it is not in the pool. */
uint32_t mcast_address_pool_index(const struct mcast_address_pool *pool,
                                  const struct mcast_address *address);

#endif
