/* Name map: 32-bit short names to 32-bit numbers, in one array, by linear probing.
 *
 * Like map.h, for what every message is looked up by. Eight consecutive names share a cache line,
 * and names are given in order, so groups that are made together are found together. A seed decides
 * where each eight go. A slot takes 8 bytes; the array is at most three quarters full. */
#ifndef MCAST_BASE_NAME_MAP_H
#define MCAST_BASE_NAME_MAP_H

#include "mcast/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MCAST_NAME_MAP_NONE UINT32_MAX /* no name maps to it */

struct mcast_name_slot {
    uint32_t name;
    uint32_t value; /* is MCAST_NAME_MAP_NONE in an empty slot */
};

struct mcast_name_map {
    const struct mcast_alloc *alloc;
    struct mcast_name_slot *slots; /* NULL until the first name */
    size_t mask;                   /* the count of slots - 1, which is a power of two - 1 */
    size_t count;                  /* the count of names */
    uint64_t seed;
};

/* Make an empty map without allocating. @alloc must outlive the map. */
void mcast_name_map_init(struct mcast_name_map *map, const struct mcast_alloc *alloc,
                         uint64_t seed);

/* Free all entries and leave the map empty. */
void mcast_name_map_free(struct mcast_name_map *map);

/* Map @name to @value, replacing any earlier value. @value is not MCAST_NAME_MAP_NONE. Return 0, or
 * MCAST_ENOMEM and leave the map unchanged. */
int mcast_name_map_put(struct mcast_name_map *map, uint32_t name, uint32_t value);

/* The value of @name, or MCAST_NAME_MAP_NONE. */
uint32_t mcast_name_map_get(const struct mcast_name_map *map, uint32_t name);

/* Remove @name. Return its value, or MCAST_NAME_MAP_NONE if it was not there. */
uint32_t mcast_name_map_take(struct mcast_name_map *map, uint32_t name);

/* Walk the names in no particular order: start with *@cursor 0 and call again while it returns
 * true. The map must not change during the walk. */
bool mcast_name_map_next(const struct mcast_name_map *map, size_t *cursor,
                         struct mcast_name_slot *slot);

#endif
