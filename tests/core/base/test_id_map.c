#include "base/id_map.h"
#include "counting_memory.h"

#include "mcast/error.h"

static void the_halves_of_an_id_are_distinguished(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_id_map map;
    mcast_id_map_init(&map, &memory.alloc, 1);
    CHECK(mcast_id_map_get(&map, 1, 2) == MCAST_ID_MAP_NONE);
    CHECK(mcast_id_map_take(&map, 1, 2) == MCAST_ID_MAP_NONE);
    CHECK(mcast_id_map_put(&map, 1, 2, 12) == MCAST_OK);
    CHECK(mcast_id_map_put(&map, 2, 1, 21) == MCAST_OK);
    CHECK(mcast_id_map_put(&map, 1, 1, 11) == MCAST_OK);
    CHECK(mcast_id_map_get(&map, 1, 2) == 12);
    CHECK(mcast_id_map_get(&map, 2, 1) == 21);
    CHECK(mcast_id_map_get(&map, 1, 1) == 11);
    CHECK(mcast_id_map_get(&map, 2, 2) == MCAST_ID_MAP_NONE);
    CHECK(map.count == 3);
    mcast_id_map_free(&map);
    CHECK(memory.out == 0);
}

static void it_agrees_with_a_plain_array(void) {
    enum { KEYS = 256, STEPS = 60000 };
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_id_map map;
    mcast_id_map_init(&map, &memory.alloc, 99);
    uint32_t model[KEYS];
    memset(model, 0xff, sizeof model);
    uint64_t seed = 5;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint64_t key = test_random(&seed) % KEYS;
        if (test_random(&seed) % 2 == 0) {
            CHECK(mcast_id_map_put(&map, key / 16, key % 16, step) == MCAST_OK);
            model[key] = step;
        } else {
            CHECK(mcast_id_map_take(&map, key / 16, key % 16) == model[key]);
            model[key] = MCAST_ID_MAP_NONE;
        }
        uint64_t other = test_random(&seed) % KEYS;
        CHECK(mcast_id_map_get(&map, other / 16, other % 16) == model[other]);
    }
    mcast_id_map_free(&map);
    CHECK(memory.out == 0);
}

static void a_reserved_map_asks_for_nothing_more(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_id_map map;
    mcast_id_map_init(&map, &memory.alloc, 7);
    CHECK(mcast_id_map_reserve(&map, 3000) == MCAST_OK);
    memory.refuse = 1;
    for (uint32_t key = 0; key < 3000; key++) {
        CHECK(mcast_id_map_put(&map, key, key, key) == MCAST_OK);
    }
    CHECK(!memory.refused);
    mcast_id_map_free(&map);
    CHECK(memory.out == 0);
}

static void without_memory_the_map_stays_as_it_was(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_id_map map;
    mcast_id_map_init(&map, &memory.alloc, 7);
    memory.refuse = 2;
    uint32_t key = 0;
    while (mcast_id_map_put(&map, key, 0, key) == MCAST_OK) {
        key++;
    }
    CHECK(memory.refused && key > 0 && map.count == key);
    for (uint32_t old = 0; old < key; old++) {
        CHECK(mcast_id_map_get(&map, old, 0) == old);
    }
    mcast_id_map_free(&map);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(the_halves_of_an_id_are_distinguished);
    RUN(it_agrees_with_a_plain_array);
    RUN(a_reserved_map_asks_for_nothing_more);
    RUN(without_memory_the_map_stays_as_it_was);
    return 0;
}
