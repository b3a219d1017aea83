/* Id map: 128-bit ids to 32-bit numbers, in one array, by linear probing.
 *
 * Like map.h, for the ids of nodes and groups. The number is an index into an array of the caller.
 * A slot takes 24 bytes; the array is at most seven eighths full. */
#ifndef MCAST_BASE_ID_MAP_H
#define MCAST_BASE_ID_MAP_H

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
    struct mcast_id_slot *slots; /* NULL until the first id */
    size_t mask;                 /* the count of slots - 1, which is a power of two - 1 */
    size_t count;                /* the count of ids */
    uint64_t seed;
};

/* Make an empty map without allocating. @alloc must outlive the map. */
void mcast_id_map_init(struct mcast_id_map *map, const struct mcast_alloc *alloc, uint64_t seed);

/* Free all entries and leave the map empty. */
void mcast_id_map_free(struct mcast_id_map *map);

/* Reserve memory for @count ids. Return 0 or MCAST_ENOMEM. */
int mcast_id_map_reserve(struct mcast_id_map *map, size_t count);

/* Map {@high, @low} to @value, replacing any earlier value. @value is not MCAST_ID_MAP_NONE. Return
 * 0, or MCAST_ENOMEM and leave the map unchanged. */
int mcast_id_map_put(struct mcast_id_map *map, uint64_t high, uint64_t low, uint32_t value);

/* The value of {@high, @low}, or MCAST_ID_MAP_NONE. */
uint32_t mcast_id_map_get(const struct mcast_id_map *map, uint64_t high, uint64_t low);

/* Remove {@high, @low}. Return its value, or MCAST_ID_MAP_NONE if it was not there. */
uint32_t mcast_id_map_take(struct mcast_id_map *map, uint64_t high, uint64_t low);

#endif
