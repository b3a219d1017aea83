#include "base/map.h"
#include "base/memory.h"
#include "base/mix.h"

#include "mcast/error.h"

#include <assert.h>

enum { FIRST_SLOTS = 8, KEPT_SLOTS = 1024 };

void mcast_map_init(struct mcast_map *map, const struct mcast_alloc *alloc, uint64_t seed) {
    *map = (struct mcast_map){.alloc = alloc, .seed = seed};
}

void mcast_map_free(struct mcast_map *map) {
    mcast_memory_free(map->alloc, map->slots, map->mask + 1, sizeof *map->slots);
    mcast_map_init(map, map->alloc, map->seed);
}

static size_t home(const struct mcast_map *map, uint64_t key) {
    return (size_t)mcast_mix64(key ^ map->seed) & map->mask;
}

void mcast_map_clear(struct mcast_map *map) {
    if (map->count > 0 && map->mask >= KEPT_SLOTS) {
        mcast_map_free(map);
    }
    for (size_t i = 0; map->count > 0 && i <= map->mask; i++) {
        map->slots[i].value = MCAST_MAP_NONE;
    }
    map->count = 0;
}

/* Find the slot of @key, or the empty slot where it would go. */
static size_t seek(const struct mcast_map *map, uint64_t key) {
    size_t at = home(map, key);
    while (map->slots[at].value != MCAST_MAP_NONE && map->slots[at].key != key) {
        at = (at + 1) & map->mask;
    }
    return at;
}

static int rehash(struct mcast_map *map, size_t slots) {
    struct mcast_map next = *map;
    next.slots = mcast_memory_new(map->alloc, slots, sizeof *next.slots);
    if (next.slots == NULL) {
        return MCAST_ENOMEM;
    }
    next.mask = slots - 1;
    for (size_t i = 0; i < slots; i++) {
        next.slots[i].value = MCAST_MAP_NONE;
    }
    struct mcast_map_slot slot;
    for (size_t cursor = 0; mcast_map_next(map, &cursor, &slot);) {
        next.slots[seek(&next, slot.key)] = slot;
    }
    mcast_memory_free(map->alloc, map->slots, map->mask + 1, sizeof *map->slots);
    *map = next;
    return MCAST_OK;
}

int mcast_map_reserve(struct mcast_map *map, size_t count) {
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

int mcast_map_put(struct mcast_map *map, uint64_t key, uint64_t value) {
    assert(value != MCAST_MAP_NONE);
    if (map->slots != NULL) {
        size_t at = seek(map, key);
        if (map->slots[at].value != MCAST_MAP_NONE) {
            map->slots[at].value = value;
            return MCAST_OK;
        }
    }
    int code = mcast_map_reserve(map, map->count + 1);
    if (code == MCAST_OK) {
        map->slots[seek(map, key)] = (struct mcast_map_slot){key, value};
        map->count++;
    }
    return code;
}

uint64_t mcast_map_get(const struct mcast_map *map, uint64_t key) {
    return map->slots == NULL ? MCAST_MAP_NONE : map->slots[seek(map, key)].value;
}

/* Empty the slot @hole and move back the entries after it that would otherwise no longer be found:
 * linear probing without tombstones. */
static void close_hole(struct mcast_map *map, size_t hole) {
    size_t at = hole;
    for (;;) {
        at = (at + 1) & map->mask;
        if (map->slots[at].value == MCAST_MAP_NONE) {
            break;
        }
        size_t distance = (at - home(map, map->slots[at].key)) & map->mask;
        if (distance >= ((at - hole) & map->mask)) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole].value = MCAST_MAP_NONE;
}

uint64_t mcast_map_take(struct mcast_map *map, uint64_t key) {
    if (map->slots == NULL) {
        return MCAST_MAP_NONE;
    }
    size_t at = seek(map, key);
    uint64_t value = map->slots[at].value;
    if (value != MCAST_MAP_NONE) {
        close_hole(map, at);
        map->count--;
    }
    return value;
}

bool mcast_map_next(const struct mcast_map *map, size_t *cursor, struct mcast_map_slot *slot) {
    if (map->slots == NULL) {
        return false;
    }
    while (*cursor <= map->mask) {
        *slot = map->slots[(*cursor)++];
        if (slot->value != MCAST_MAP_NONE) {
            return true;
        }
    }
    return false;
}
