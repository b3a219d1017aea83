#include "base/map.h"
#include "counting_memory.h"

#include "mcast/error.h"

static void an_empty_map_answers_without_memory(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_map map;
    struct mcast_map_slot slot;
    size_t cursor = 0;
    mcast_map_init(&map, &memory.alloc, 1);
    CHECK(mcast_map_get(&map, 5) == MCAST_MAP_NONE);
    CHECK(mcast_map_take(&map, 5) == MCAST_MAP_NONE);
    CHECK(!mcast_map_next(&map, &cursor, &slot));
    mcast_map_free(&map);
    CHECK(memory.calls == 0);
}

static void the_latest_value_wins(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_map map;
    mcast_map_init(&map, &memory.alloc, 1);
    CHECK(mcast_map_put(&map, 5, 50) == MCAST_OK);
    CHECK(mcast_map_put(&map, 5, 51) == MCAST_OK);
    CHECK(map.count == 1);
    CHECK(mcast_map_get(&map, 5) == 51);
    CHECK(mcast_map_take(&map, 5) == 51);
    CHECK(map.count == 0);
    CHECK(mcast_map_get(&map, 5) == MCAST_MAP_NONE);
    mcast_map_free(&map);
    CHECK(memory.out == 0);
}

/* Compare the map with a plain array, over any order of puts and takes. */
static void it_agrees_with_a_plain_array(void) {
    enum { KEYS = 300, STEPS = 60000 };
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_map map;
    mcast_map_init(&map, &memory.alloc, 99);
    uint64_t model[KEYS];
    memset(model, 0xff, sizeof model);
    uint64_t seed = 5;
    size_t count = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        uint64_t key = test_random(&seed) % KEYS;
        size_t had = model[key] != MCAST_MAP_NONE ? 1 : 0;
        if (test_random(&seed) % 2 == 0) {
            CHECK(mcast_map_put(&map, key, step) == MCAST_OK);
            model[key] = step;
            count += 1 - had;
        } else {
            CHECK(mcast_map_take(&map, key) == model[key]);
            model[key] = MCAST_MAP_NONE;
            count -= had;
        }
        CHECK(map.count == count);
        uint64_t other = test_random(&seed) % KEYS;
        CHECK(mcast_map_get(&map, other) == model[other]);
    }
    mcast_map_free(&map);
    CHECK(memory.out == 0);
}

static void a_walk_meets_each_key_once(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_map map;
    mcast_map_init(&map, &memory.alloc, 7);
    for (uint64_t key = 0; key < 1000; key++) {
        CHECK(mcast_map_put(&map, key, key + 1) == MCAST_OK);
    }
    static bool met[1000];
    struct mcast_map_slot slot;
    size_t walked = 0;
    for (size_t cursor = 0; mcast_map_next(&map, &cursor, &slot); walked++) {
        CHECK(!met[slot.key] && slot.value == slot.key + 1);
        met[slot.key] = true;
    }
    CHECK(walked == 1000);
    mcast_map_free(&map);
}

static void a_reserved_map_asks_for_nothing_more(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_map map;
    mcast_map_init(&map, &memory.alloc, 7);
    CHECK(mcast_map_reserve(&map, 5000) == MCAST_OK);
    memory.refuse = 1;
    for (uint64_t key = 0; key < 5000; key++) {
        CHECK(mcast_map_put(&map, key, key) == MCAST_OK);
    }
    CHECK(!memory.refused);
    mcast_map_free(&map);
    CHECK(memory.out == 0);
}

static void without_memory_the_map_stays_as_it_was(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_map map;
    mcast_map_init(&map, &memory.alloc, 7);
    memory.refuse = 2;
    uint64_t key = 0;
    while (mcast_map_put(&map, key, key) == MCAST_OK) {
        key++;
    }
    CHECK(memory.refused && key > 0 && map.count == key);
    CHECK(mcast_map_put(&map, 0, 77) == MCAST_OK);
    CHECK(mcast_map_get(&map, 0) == 77);
    for (uint64_t old = 1; old < key; old++) {
        CHECK(mcast_map_get(&map, old) == old);
    }
    mcast_map_free(&map);
    CHECK(memory.out == 0);
}

static void a_cleared_map_is_empty_and_keeps_little_room(void) {
    struct test_memory memory;
    struct mcast_map map;
    test_memory_init(&memory);
    mcast_map_init(&map, &memory.alloc, 1);
    mcast_map_clear(&map);
    CHECK(memory.calls == 0);
    for (uint64_t most = 10; most <= 100000; most *= 100) {
        for (uint64_t key = 0; key < most; key++) {
            CHECK(mcast_map_put(&map, key, key) == 0);
        }
        mcast_map_clear(&map);
        CHECK(map.count == 0 && mcast_map_get(&map, 3) == MCAST_MAP_NONE);
        CHECK(memory.out <= 65536);
    }
    size_t before = memory.calls;
    for (int turn = 0; turn < 100; turn++) {
        CHECK(mcast_map_put(&map, 5, 6) == 0 && mcast_map_get(&map, 5) == 6);
        mcast_map_clear(&map);
    }
    CHECK(memory.calls <= before + 1);
    mcast_map_free(&map);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(an_empty_map_answers_without_memory);
    RUN(the_latest_value_wins);
    RUN(it_agrees_with_a_plain_array);
    RUN(a_walk_meets_each_key_once);
    RUN(a_reserved_map_asks_for_nothing_more);
    RUN(without_memory_the_map_stays_as_it_was);
    RUN(a_cleared_map_is_empty_and_keeps_little_room);
    return 0;
}
