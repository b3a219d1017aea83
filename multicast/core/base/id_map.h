/* Id map: from 128-bit ids to 32-bit numbers, in one array, by linear probing.
 *
 * The sister of map.h for node and group ids: what is numbered lives in an array of the caller's. A
 * slot is 24 bytes and the array at most seven eighths full. */
#ifndef MCAST_CORE_ID_MAP_H
#define MCAST_CORE_ID_MAP_H

#include "mcast/alloc.h"

#include <stddef.h>
#include <stdint.h>

#define MCAST_ID_MAP_NONE UINT32_MAX /* no id maps to it */

struct mcast_id_slot {
    uint64_t high;
    uint64_t low;
    uint32_t value; /* is MCAST_ID_MAP_NONE in an empty slot */
};

struct mcast_id_map {
    const struct mcast_alloc *alloc;
    struct mcast_id_slot *slots; /* is NULL until the first id */
    size_t mask;                 /* is the count of slots - 1, which is a power of two - 1 */
    size_t count;                /* is the count of ids */
    uint64_t seed;
};

/* Makes an empty map without asking for memory. @alloc outlives the map. */
void mcast_id_map_init(struct mcast_id_map *map, const struct mcast_alloc *alloc, uint64_t seed);

/* Ends what the map holds and leaves it empty. */
void mcast_id_map_free(struct mcast_id_map *map);

/* Makes room so that the map holds @count ids without asking for more. 0 or MCAST_ENOMEM. */
int mcast_id_map_reserve(struct mcast_id_map *map, size_t count);

/* Maps {@high, @low} to @value, which is not MCAST_ID_MAP_NONE, in place of what it mapped to
 * before. 0, or MCAST_ENOMEM with nothing changed. */
int mcast_id_map_put(struct mcast_id_map *map, uint64_t high, uint64_t low, uint32_t value);

/* What {@high, @low} maps to, or MCAST_ID_MAP_NONE. */
uint32_t mcast_id_map_get(const struct mcast_id_map *map, uint64_t high, uint64_t low);

/* Takes {@high, @low} out and returns what it mapped to, or MCAST_ID_MAP_NONE. */
uint32_t mcast_id_map_take(struct mcast_id_map *map, uint64_t high, uint64_t low);

#endif
