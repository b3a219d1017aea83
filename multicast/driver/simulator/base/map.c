#include "simulator/base/map.h"
#include "simulator/base/hash.h"

#include <assert.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

void sim_map_init(struct sim_map *map) {
    *map = (struct sim_map){0};
}

void sim_map_free(struct sim_map *map) {
    free(map->slots);
    *map = (struct sim_map){0};
}

static uint32_t home(const struct sim_map *map, uint64_t key) {
    return (uint32_t)(sim_hash_number(0, key) >> 20) & (map->room - 1);
}

/* The slot that holds @key, or the free one where it would go. */
static uint32_t seek(const struct sim_map *map, uint64_t key) {
    uint32_t at = home(map, key);
    while (map->slots[at].key != 0 && map->slots[at].key != key) {
        at = (at + 1) & (map->room - 1);
    }
    return at;
}

void *sim_map_get(const struct sim_map *map, uint64_t key) {
    return map->room == 0 ? NULL : map->slots[seek(map, key)].value;
}

static bool grow(struct sim_map *map) {
    struct sim_map old = *map;
    uint32_t room = old.room == 0 ? FIRST_ROOM : old.room * 2;
    struct sim_map_slot *slots = calloc(room, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    map->slots = slots;
    map->room = room;
    for (uint32_t i = 0; i < old.room; i++) {
        if (old.slots[i].key != 0) {
            map->slots[seek(map, old.slots[i].key)] = old.slots[i];
        }
    }
    free(old.slots);
    return true;
}

bool sim_map_put(struct sim_map *map, uint64_t key, void *value) {
    assert(key != 0);
    if (map->count + 1 > map->room / 2 && !grow(map)) {
        return false;
    }
    uint32_t at = seek(map, key);
    map->count += map->slots[at].key == 0;
    map->slots[at] = (struct sim_map_slot){key, value};
    return true;
}

/* True if the entry at @at may move to the hole: its home is not between the two. */
static bool may_move(const struct sim_map *map, uint32_t hole, uint32_t at) {
    uint32_t mask = map->room - 1;
    uint32_t from_home = (at - home(map, map->slots[at].key)) & mask;
    return from_home >= ((at - hole) & mask);
}

void *sim_map_remove(struct sim_map *map, uint64_t key) {
    if (map->room == 0) {
        return NULL;
    }
    uint32_t hole = seek(map, key);
    void *value = map->slots[hole].value;
    if (map->slots[hole].key == 0) {
        return NULL;
    }
    map->count--;
    for (uint32_t at = (hole + 1) & (map->room - 1); map->slots[at].key != 0;
         at = (at + 1) & (map->room - 1)) {
        if (may_move(map, hole, at)) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole] = (struct sim_map_slot){0, NULL};
    return value;
}
