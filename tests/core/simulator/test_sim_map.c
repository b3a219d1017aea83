#include "check.h"
#include "simulator/base/map.h"
#include "simulator/base/random.h"

#include <string.h>

enum { KEYS = 4096 };

static void an_entry_is_found_until_it_is_removed(void) {
    struct sim_map map;
    sim_map_init(&map);
    int thing, other;
    CHECK(sim_map_get(&map, 5) == NULL);
    CHECK(sim_map_remove(&map, 5) == NULL);
    CHECK(sim_map_put(&map, 5, &thing));
    CHECK(sim_map_get(&map, 5) == &thing);
    CHECK(sim_map_put(&map, 5, &other));
    CHECK(sim_map_get(&map, 5) == &other && map.count == 1);
    CHECK(sim_map_remove(&map, 5) == &other);
    CHECK(sim_map_get(&map, 5) == NULL && map.count == 0);
    sim_map_free(&map);
}

/* Compare with a plain array, through many insertions and removals that collide. */
static void it_agrees_with_a_plain_table(void) {
    struct sim_map map;
    struct sim_random random;
    static char things[KEYS];
    bool there[KEYS] = {false};
    sim_map_init(&map);
    sim_random_seed(&random, 5);
    for (int i = 0; i < 200000; i++) {
        uint64_t key = sim_random_below(&random, KEYS - 1) + 1;
        if (sim_random_below(&random, 2) == 0) {
            CHECK(sim_map_put(&map, key << 7, &things[key]));
            there[key] = true;
        } else {
            CHECK((sim_map_remove(&map, key << 7) != NULL) == there[key]);
            there[key] = false;
        }
    }
    uint32_t count = 0;
    for (uint64_t key = 1; key < KEYS; key++) {
        CHECK(sim_map_get(&map, key << 7) == (there[key] ? &things[key] : NULL));
        count += there[key] ? 1 : 0;
    }
    CHECK(map.count == count);
    sim_map_free(&map);
}

int main(void) {
    RUN(an_entry_is_found_until_it_is_removed);
    RUN(it_agrees_with_a_plain_table);
    return 0;
}
