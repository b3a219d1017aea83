/* Map: 64-bit keys to 64-bit values, in one array, by linear probing.
 *
 * A slot takes 16 bytes; the array is at most seven eighths full. Keys come from the network, so a
 * seed drawn by the caller decides where they go: nobody outside can make them collide. Removing a
 * key leaves no tombstone. Pointers are stored as (uintptr_t). */
#ifndef MCAST_BASE_MAP_H
#define MCAST_BASE_MAP_H

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
    struct mcast_map_slot *slots; /* NULL until the first key */
    size_t mask;                  /* the count of slots - 1, which is a power of two - 1 */
    size_t count;                 /* the count of keys */
    uint64_t seed;
};

/* Make an empty map without allocating. @alloc must outlive the map. */
void mcast_map_init(struct mcast_map *map, const struct mcast_alloc *alloc, uint64_t seed);

/* Free all entries and leave the map empty. */
void mcast_map_free(struct mcast_map *map);

/* Remove all keys. A small array is kept, for a map that is filled again and again. */
void mcast_map_clear(struct mcast_map *map);

/* Reserve memory for @count keys. Return 0 or MCAST_ENOMEM. */
int mcast_map_reserve(struct mcast_map *map, size_t count);

/* Map @key to @value, replacing any earlier value. @value is not MCAST_MAP_NONE. Return 0, or
 * MCAST_ENOMEM and leave the map unchanged. */
int mcast_map_put(struct mcast_map *map, uint64_t key, uint64_t value);

/* The value of @key, or MCAST_MAP_NONE. */
uint64_t mcast_map_get(const struct mcast_map *map, uint64_t key);

/* Remove @key. Return its value, or MCAST_MAP_NONE if it was not there. */
uint64_t mcast_map_take(struct mcast_map *map, uint64_t key);

/* Walk the keys in no particular order: start with *@cursor 0 and call again while it returns true.
 * The map must not change during the walk. */
bool mcast_map_next(const struct mcast_map *map, size_t *cursor, struct mcast_map_slot *slot);

#endif
