#include "base/id_map.h"
#include "base/memory.h"
#include "base/mix.h"

#include "mcast/error.h"

#include <assert.h>
#include <stdbool.h>

enum { FIRST_SLOTS = 8 };

void mcast_id_map_init(struct mcast_id_map *map, const struct mcast_alloc *alloc, uint64_t seed) {
    *map = (struct mcast_id_map){.alloc = alloc, .seed = seed};
}

void mcast_id_map_free(struct mcast_id_map *map) {
    mcast_memory_free(map->alloc, map->slots, map->mask + 1, sizeof *map->slots);
    mcast_id_map_init(map, map->alloc, map->seed);
}

static size_t home(const struct mcast_id_map *map, uint64_t high, uint64_t low) {
    return (size_t)mcast_mix64(high ^ mcast_mix64(low ^ map->seed)) & map->mask;
}

/* Find the slot of the id, or the empty slot where it would go. */
static size_t seek(const struct mcast_id_map *map, uint64_t high, uint64_t low) {
    size_t at = home(map, high, low);
    for (;;) {
        const struct mcast_id_slot *slot = &map->slots[at];
        if (slot->value == MCAST_ID_MAP_NONE || (slot->low == low && slot->high == high)) {
            return at;
        }
        at = (at + 1) & map->mask;
    }
}

static int rehash(struct mcast_id_map *map, size_t slots) {
    struct mcast_id_map next = *map;
    next.slots = mcast_memory_new(map->alloc, slots, sizeof *next.slots);
    if (next.slots == NULL) {
        return MCAST_ENOMEM;
    }
    next.mask = slots - 1;
    for (size_t i = 0; i < slots; i++) {
        next.slots[i].value = MCAST_ID_MAP_NONE;
    }
    for (size_t i = 0; map->slots != NULL && i <= map->mask; i++) {
        const struct mcast_id_slot *slot = &map->slots[i];
        if (slot->value != MCAST_ID_MAP_NONE) {
            next.slots[seek(&next, slot->high, slot->low)] = *slot;
        }
    }
    mcast_memory_free(map->alloc, map->slots, map->mask + 1, sizeof *map->slots);
    *map = next;
    return MCAST_OK;
}

int mcast_id_map_reserve(struct mcast_id_map *map, size_t count) {
    size_t slots = map->slots == NULL ? FIRST_SLOTS : map->mask + 1;
    while (count > slots - slots / 8) {
        if (slots > SIZE_MAX / 2) {
            return MCAST_ENOMEM;
        }
        slots *= 2;
    }
    bool enough = map->slots != NULL && slots == map->mask + 1;
    return enough ? MCAST_OK : rehash(map, slots);
}

int mcast_id_map_put(struct mcast_id_map *map, uint64_t high, uint64_t low, uint32_t value) {
    assert(value != MCAST_ID_MAP_NONE);
    if (map->slots != NULL) {
        size_t at = seek(map, high, low);
        if (map->slots[at].value != MCAST_ID_MAP_NONE) {
            map->slots[at].value = value;
            return MCAST_OK;
        }
    }
    int code = mcast_id_map_reserve(map, map->count + 1);
    if (code == MCAST_OK) {
        map->slots[seek(map, high, low)] = (struct mcast_id_slot){high, low, value};
        map->count++;
    }
    return code;
}

uint32_t mcast_id_map_get(const struct mcast_id_map *map, uint64_t high, uint64_t low) {
    return map->slots == NULL ? MCAST_ID_MAP_NONE : map->slots[seek(map, high, low)].value;
}

/* Empty the slot @hole and move back the entries after it that would otherwise no longer be found:
 * linear probing without tombstones. */
static void close_hole(struct mcast_id_map *map, size_t hole) {
    size_t at = hole;
    for (;;) {
        at = (at + 1) & map->mask;
        const struct mcast_id_slot *slot = &map->slots[at];
        if (slot->value == MCAST_ID_MAP_NONE) {
            break;
        }
        size_t distance = (at - home(map, slot->high, slot->low)) & map->mask;
        if (distance >= ((at - hole) & map->mask)) {
            map->slots[hole] = *slot;
            hole = at;
        }
    }
    map->slots[hole].value = MCAST_ID_MAP_NONE;
}

uint32_t mcast_id_map_take(struct mcast_id_map *map, uint64_t high, uint64_t low) {
    if (map->slots == NULL) {
        return MCAST_ID_MAP_NONE;
    }
    size_t at = seek(map, high, low);
    uint32_t value = map->slots[at].value;
    if (value != MCAST_ID_MAP_NONE) {
        close_hole(map, at);
        map->count--;
    }
    return value;
}
