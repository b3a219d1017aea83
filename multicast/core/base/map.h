/* Map: from 64-bit keys to 64-bit values, in one array, by linear probing.
 *
 * A slot is 16 bytes and the array at most seven eighths full. Keys come from the network, so their
 * places depend on a seed that the caller draws; taking out leaves no tombstones. Pointers are kept
 * as (uintptr_t). */
#ifndef MCAST_CORE_MAP_H
#define MCAST_CORE_MAP_H

#include "mcast/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MCAST_MAP_NONE UINT64_MAX /* no key maps to it */

struct mcast_map_slot {
    uint64_t key;
    uint64_t value; /* is MCAST_MAP_NONE in an empty slot */
};

struct mcast_map {
    const struct mcast_alloc *alloc;
    struct mcast_map_slot *slots; /* is NULL until the first key */
    size_t mask;                  /* is the count of slots - 1, which is a power of two - 1 */
    size_t count;                 /* is the count of keys */
    uint64_t seed;
};

/* Makes an empty map without asking for memory. @alloc outlives the map. */
void mcast_map_init(struct mcast_map *map, const struct mcast_alloc *alloc, uint64_t seed);

/* Ends what the map holds and leaves it empty. */
void mcast_map_free(struct mcast_map *map);

/* Takes all keys out. Where they were few the room stays, for a map that is filled again and again.
 */
void mcast_map_clear(struct mcast_map *map);

/* Makes room so that the map holds @count keys without asking for more. 0 or MCAST_ENOMEM. */
int mcast_map_reserve(struct mcast_map *map, size_t count);

/* Maps @key to @value, which is not MCAST_MAP_NONE, in place of what it mapped to before.
 * 0, or MCAST_ENOMEM with nothing changed. */
int mcast_map_put(struct mcast_map *map, uint64_t key, uint64_t value);

/* What @key maps to, or MCAST_MAP_NONE. */
uint64_t mcast_map_get(const struct mcast_map *map, uint64_t key);

/* Takes @key out and returns what it mapped to, or MCAST_MAP_NONE. */
uint64_t mcast_map_take(struct mcast_map *map, uint64_t key);

/* Walks the keys in no order: begin with *@cursor 0 and go on while true is returned. The map must
 * not change during the walk. */
bool mcast_map_next(const struct mcast_map *map, size_t *cursor, struct mcast_map_slot *slot);

#endif
