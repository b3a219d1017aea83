#include "base/name_map.h"
#include "base/memory.h"
#include "base/mix.h"

#include "mcast/error.h"

#include <assert.h>
#include <string.h>

enum { FIRST_SLOTS = 8, TOGETHER = 8 };

void mcast_name_map_init(struct mcast_name_map *map, const struct mcast_alloc *alloc,
                         uint64_t seed) {
    *map = (struct mcast_name_map){.alloc = alloc, .seed = seed};
}

void mcast_name_map_free(struct mcast_name_map *map) {
    mcast_memory_free(map->alloc, map->slots, map->mask + 1, sizeof *map->slots);
    mcast_name_map_init(map, map->alloc, map->seed);
}

static size_t home(const struct mcast_name_map *map, uint32_t name) {
    uint64_t line = mcast_mix64((name / TOGETHER) ^ map->seed);
    return (size_t)(line * TOGETHER + name % TOGETHER) & map->mask;
}

/* Find the slot of @name, or the empty slot where it would go. */
static size_t seek(const struct mcast_name_map *map, uint32_t name) {
    size_t at = home(map, name);
    while (map->slots[at].value != MCAST_NAME_MAP_NONE && map->slots[at].name != name) {
        at = (at + 1) & map->mask;
    }
    return at;
}

static int grow(struct mcast_name_map *map) {
    struct mcast_name_map next = *map;
    size_t slots = map->slots == NULL ? FIRST_SLOTS : 2 * (map->mask + 1);
    next.slots = mcast_memory_new(map->alloc, slots, sizeof *next.slots);
    if (next.slots == NULL) {
        return MCAST_ENOMEM;
    }
    memset(next.slots, 0xff, slots * sizeof *next.slots);
    next.mask = slots - 1;
    struct mcast_name_slot slot;
    for (size_t cursor = 0; mcast_name_map_next(map, &cursor, &slot);) {
        next.slots[seek(&next, slot.name)] = slot;
    }
    mcast_memory_free(map->alloc, map->slots, map->mask + 1, sizeof *map->slots);
    *map = next;
    return MCAST_OK;
}

int mcast_name_map_put(struct mcast_name_map *map, uint32_t name, uint32_t value) {
    assert(value != MCAST_NAME_MAP_NONE);
    size_t at = map->slots == NULL ? 0 : seek(map, name);
    if (map->slots != NULL && map->slots[at].value != MCAST_NAME_MAP_NONE) {
        map->slots[at].value = value;
        return MCAST_OK;
    }
    size_t slots = map->slots == NULL ? 0 : map->mask + 1;
    if (map->count + 1 > slots - slots / 4) {
        if (grow(map) != MCAST_OK) {
            return MCAST_ENOMEM;
        }
        at = seek(map, name);
    }
    map->slots[at] = (struct mcast_name_slot){name, value};
    map->count++;
    return MCAST_OK;
}

uint32_t mcast_name_map_get(const struct mcast_name_map *map, uint32_t name) {
    return map->slots == NULL ? MCAST_NAME_MAP_NONE : map->slots[seek(map, name)].value;
}

/* Empty the slot @hole and move back the entries after it that would otherwise no longer be found:
 * linear probing without tombstones. */
static void close_hole(struct mcast_name_map *map, size_t hole) {
    size_t at = hole;
    for (;;) {
        at = (at + 1) & map->mask;
        if (map->slots[at].value == MCAST_NAME_MAP_NONE) {
            break;
        }
        size_t distance = (at - home(map, map->slots[at].name)) & map->mask;
        if (distance >= ((at - hole) & map->mask)) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole].value = MCAST_NAME_MAP_NONE;
}

uint32_t mcast_name_map_take(struct mcast_name_map *map, uint32_t name) {
    if (map->slots == NULL) {
        return MCAST_NAME_MAP_NONE;
    }
    size_t at = seek(map, name);
    uint32_t value = map->slots[at].value;
    if (value != MCAST_NAME_MAP_NONE) {
        close_hole(map, at);
        map->count--;
    }
    return value;
}

bool mcast_name_map_next(const struct mcast_name_map *map, size_t *cursor,
                         struct mcast_name_slot *slot) {
    if (map->slots == NULL) {
        return false;
    }
    while (*cursor <= map->mask) {
        *slot = map->slots[(*cursor)++];
        if (slot->value != MCAST_NAME_MAP_NONE) {
            return true;
        }
    }
    return false;
}
