/* Name map: from 32-bit short names to 32-bit numbers, in one array, by linear probing.
 *
 * The sister of map.h for what each message is looked up by. Eight names that follow one another
 * lie in one line of memory, and names are given in order: groups that come together are found
 * together. Where eight names go depends on a seed. A slot is 8 bytes and the array at most three
 * quarters full. */
#ifndef MCAST_CORE_NAME_MAP_H
#define MCAST_CORE_NAME_MAP_H

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
    struct mcast_name_slot *slots; /* is NULL until the first name */
    size_t mask;                   /* is the count of slots - 1, which is a power of two - 1 */
    size_t count;                  /* is the count of names */
    uint64_t seed;
};

/* Makes an empty map without asking for memory. @alloc outlives the map. */
void mcast_name_map_init(struct mcast_name_map *map, const struct mcast_alloc *alloc,
                         uint64_t seed);

/* Ends what the map holds and leaves it empty. */
void mcast_name_map_free(struct mcast_name_map *map);

/* Maps @name to @value, which is not MCAST_NAME_MAP_NONE, in place of what it mapped to before. 0,
 * or MCAST_ENOMEM with nothing changed. */
int mcast_name_map_put(struct mcast_name_map *map, uint32_t name, uint32_t value);

/* What @name maps to, or MCAST_NAME_MAP_NONE. */
uint32_t mcast_name_map_get(const struct mcast_name_map *map, uint32_t name);

/* Takes @name out and returns what it mapped to, or MCAST_NAME_MAP_NONE. */
uint32_t mcast_name_map_take(struct mcast_name_map *map, uint32_t name);

/* Walks the names in no order: begin with *@cursor 0 and go on while true is returned. The map must
 * not change during the walk. */
bool mcast_name_map_next(const struct mcast_name_map *map, size_t *cursor,
                         struct mcast_name_slot *slot);

#endif
