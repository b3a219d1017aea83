/* Address pool: the numbers of region addresses, one a region, that rest before they are given
 * again.
 *
 * A datagram to a closed region may still be under way, and hosts may still listen; so an address
 * that comes back rests. Fresh ones go first, then the one that rested longest. */
#ifndef MCAST_CORE_ADDRESS_POOL_H
#define MCAST_CORE_ADDRESS_POOL_H

#include "mcast/alloc.h"
#include "mcast/types.h"

struct mcast_address_rest {
    uint32_t index;
    mcast_time until; /* is the time when it may be given again */
};

struct mcast_address_pool {
    const struct mcast_alloc *alloc;
    struct mcast_address first;         /* is the address with index 0 */
    uint32_t count;                     /* is how many there are */
    uint32_t fresh;                     /* is the least index never given */
    mcast_time rest;                    /* is how long one rests */
    struct mcast_address_rest *resting; /* is a ring, in order of `until` */
    size_t room;
    size_t head;
    size_t waiting; /* is the count of those that rest */
};

#define MCAST_ADDRESS_NONE UINT32_MAX

/* Makes a pool of @count addresses that count up from @first, without asking for memory. */
void mcast_address_pool_init(struct mcast_address_pool *pool, const struct mcast_alloc *alloc,
                             struct mcast_address first, uint32_t count, mcast_time rest);

void mcast_address_pool_free(struct mcast_address_pool *pool);

/* Whether nobody has @index: it was never given, or rests. */
bool mcast_address_pool_is_free(const struct mcast_address_pool *pool, uint32_t index);

/* The index of an address, or MCAST_ADDRESS_NONE when none is free at @now. */
uint32_t mcast_address_pool_take(struct mcast_address_pool *pool, mcast_time now);

/* Gives @index back at @now; it rests from then on. Without memory to remember that, it is not
 * given again at all. */
void mcast_address_pool_give(struct mcast_address_pool *pool, uint32_t index, mcast_time now);

/* Takes the address @index, if it was never given, out of what will be: a former service gave it.
 * All fresh ones below it go to rest. */
void mcast_address_pool_claim(struct mcast_address_pool *pool, uint32_t index, mcast_time now);

/* The time when the first resting address may be given; MCAST_NEVER when none rests. */
mcast_time mcast_address_pool_deadline(const struct mcast_address_pool *pool);

/* How many addresses can be taken at @now. */
uint32_t mcast_address_pool_free_count(const struct mcast_address_pool *pool, mcast_time now);

/* The address with @index: the last four bytes of its ip count up. */
struct mcast_address mcast_address_pool_at(const struct mcast_address_pool *pool, uint32_t index);

/* The index of @address, or MCAST_ADDRESS_NONE when it is none of the pool's. */
uint32_t mcast_address_pool_index(const struct mcast_address_pool *pool,
                                  const struct mcast_address *address);

#endif
