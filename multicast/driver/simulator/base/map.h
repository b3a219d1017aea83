/* A map from 64-bit keys to pointers, for the simulator and its judges. Keys are not 0. */
#ifndef DRIVER_SIMULATOR_BASE_MAP_H
#define DRIVER_SIMULATOR_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_map_slot {
    uint64_t key; /* 0 in a free slot */
    void *value;
};

struct sim_map {
    struct sim_map_slot *slots;
    uint32_t room; /* a power of two, or 0 */
    uint32_t count;
};

void sim_map_init(struct sim_map *map);
void sim_map_free(struct sim_map *map);

/* The value of @key, or NULL. */
void *sim_map_get(const struct sim_map *map, uint64_t key);

/* Set the value of @key, which is not 0. Return false without memory. */
bool sim_map_put(struct sim_map *map, uint64_t key, void *value);

/* Remove @key and return its value, or NULL if it has none. */
void *sim_map_remove(struct sim_map *map, uint64_t key);

#endif
