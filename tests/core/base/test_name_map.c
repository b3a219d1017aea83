#include "base/name_map.h"
#include "counting_memory.h"

#include "mcast/error.h"

static void an_empty_map_answers_without_memory(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_name_map map;
    struct mcast_name_slot slot;
    size_t cursor = 0;
    mcast_name_map_init(&map, &memory.alloc, 1);
    CHECK(mcast_name_map_get(&map, 5) == MCAST_NAME_MAP_NONE);
    CHECK(mcast_name_map_take(&map, 5) == MCAST_NAME_MAP_NONE);
    CHECK(!mcast_name_map_next(&map, &cursor, &slot));
    mcast_name_map_free(&map);
    CHECK(memory.calls == 0);
}

static void the_latest_value_wins(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_name_map map;
    mcast_name_map_init(&map, &memory.alloc, 1);
    CHECK(mcast_name_map_put(&map, 5, 50) == MCAST_OK);
    CHECK(mcast_name_map_put(&map, 5, 51) == MCAST_OK);
    CHECK(map.count == 1 && mcast_name_map_get(&map, 5) == 51);
    CHECK(mcast_name_map_take(&map, 5) == 51);
    CHECK(map.count == 0 && mcast_name_map_get(&map, 5) == MCAST_NAME_MAP_NONE);
    mcast_name_map_free(&map);
    CHECK(memory.out == 0);
}

static void the_names_at_both_ends_are_names(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_name_map map;
    mcast_name_map_init(&map, &memory.alloc, 3);
    CHECK(mcast_name_map_put(&map, 0, 1) == MCAST_OK);
    CHECK(mcast_name_map_get(&map, UINT32_MAX) == MCAST_NAME_MAP_NONE);
    CHECK(mcast_name_map_put(&map, UINT32_MAX, 2) == MCAST_OK);
    CHECK(mcast_name_map_get(&map, 0) == 1 && mcast_name_map_get(&map, UINT32_MAX) == 2);
    mcast_name_map_free(&map);
}

/* Compare the map with a plain array, over any order of puts and takes; the names are consecutive,
 * or in strides that are powers of two. */
static void agree(uint32_t stride) {
    enum { NAMES = 300, STEPS = 30000 };
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_name_map map;
    mcast_name_map_init(&map, &memory.alloc, 99 + stride);
    uint32_t model[NAMES];
    memset(model, 0xff, sizeof model);
    uint64_t seed = 5;
    size_t count = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t key = (uint32_t)(test_random(&seed) % NAMES);
        size_t had = model[key] != MCAST_NAME_MAP_NONE ? 1 : 0;
        if (test_random(&seed) % 2 == 0) {
            CHECK(mcast_name_map_put(&map, key * stride, step) == MCAST_OK);
            model[key] = step;
            count += 1 - had;
        } else {
            CHECK(mcast_name_map_take(&map, key * stride) == model[key]);
            model[key] = MCAST_NAME_MAP_NONE;
            count -= had;
        }
        CHECK(map.count == count);
        uint32_t other = (uint32_t)(test_random(&seed) % NAMES);
        CHECK(mcast_name_map_get(&map, other * stride) == model[other]);
    }
    mcast_name_map_free(&map);
    CHECK(memory.out == 0);
}

static void it_agrees_with_a_plain_array(void) {
    agree(1);
    agree(8);
    agree(1024);
    agree(1u << 23);
}

static void a_walk_meets_each_name_once(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_name_map map;
    mcast_name_map_init(&map, &memory.alloc, 7);
    for (uint32_t name = 0; name < 1000; name++) {
        CHECK(mcast_name_map_put(&map, name, name + 1) == MCAST_OK);
    }
    static bool met[1000];
    struct mcast_name_slot slot;
    size_t walked = 0;
    for (size_t cursor = 0; mcast_name_map_next(&map, &cursor, &slot); walked++) {
        CHECK(!met[slot.name] && slot.value == slot.name + 1);
        met[slot.name] = true;
    }
    CHECK(walked == 1000);
    mcast_name_map_free(&map);
}

static void consecutive_names_share_a_cache_line(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_name_map map;
    mcast_name_map_init(&map, &memory.alloc, 7);
    for (uint32_t name = 1; name <= 8192; name++) {
        CHECK(mcast_name_map_put(&map, name, name) == MCAST_OK);
    }
    CHECK(memory.out <= 8192 * 16);
    size_t jumps = 0;
    uint32_t before = 0;
    struct mcast_name_slot slot;
    for (size_t cursor = 0; mcast_name_map_next(&map, &cursor, &slot); before = slot.name) {
        jumps += slot.name != before + 1 ? 1 : 0;
    }
    CHECK(jumps < 8192 / 4);
    mcast_name_map_free(&map);
}

static void without_memory_the_map_stays_as_it_was(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_name_map map;
    mcast_name_map_init(&map, &memory.alloc, 7);
    memory.refuse = 2;
    uint32_t name = 0;
    while (mcast_name_map_put(&map, name, name) == MCAST_OK) {
        name++;
    }
    CHECK(memory.refused && name > 0 && map.count == name);
    CHECK(mcast_name_map_put(&map, 0, 77) == MCAST_OK);
    CHECK(mcast_name_map_get(&map, 0) == 77);
    for (uint32_t old = 1; old < name; old++) {
        CHECK(mcast_name_map_get(&map, old) == old);
    }
    mcast_name_map_free(&map);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(an_empty_map_answers_without_memory);
    RUN(the_latest_value_wins);
    RUN(the_names_at_both_ends_are_names);
    RUN(it_agrees_with_a_plain_array);
    RUN(a_walk_meets_each_name_once);
    RUN(consecutive_names_share_a_cache_line);
    RUN(without_memory_the_map_stays_as_it_was);
    return 0;
}
