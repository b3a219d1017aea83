/* A map from 64-bit keys to pointers, for the simulator and its oracles. Keys other than 0 only. */
#ifndef SIM_MAP_H
#define SIM_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_map_slot {
    uint64_t key; /* is 0 when the slot is free */
    void *value;
};

struct sim_map {
    struct sim_map_slot *slots;
    uint32_t room; /* is a power of two, or 0 */
    uint32_t count;
};

void sim_map_init(struct sim_map *map);
void sim_map_free(struct sim_map *map);

/* The value of @key, NULL when it has none. */
void *sim_map_get(const struct sim_map *map, uint64_t key);

/* Sets the value of @key, which must not be 0. Returns false when there is no memory. */
bool sim_map_put(struct sim_map *map, uint64_t key, void *value);

/* Takes @key out and returns its value, NULL when it has none. */
void *sim_map_remove(struct sim_map *map, uint64_t key);

#endif
