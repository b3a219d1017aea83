#include "base/memory.h"
#include "counting_memory.h"

static void new_objects_are_zero(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    unsigned char *bytes = mcast_memory_new(&memory.alloc, 7, 3);
    for (size_t i = 0; i < 21; i++) {
        CHECK(bytes[i] == 0);
    }
    mcast_memory_free(&memory.alloc, bytes, 7, 3);
    CHECK(memory.out == 0);
}

static void an_overflowing_product_is_refused(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    CHECK(mcast_memory_new(&memory.alloc, SIZE_MAX / 2, 3) == NULL);
    CHECK(mcast_memory_new(&memory.alloc, 0, 3) == NULL);
    CHECK(memory.calls == 0);
}

static void growth_doubles_keeps_and_zeroes(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    size_t room = 0;
    int *items = NULL;
    for (int i = 0; i < 1000; i++) {
        items = mcast_memory_grow(&memory.alloc, items, &room, (size_t)i + 1, sizeof *items);
        CHECK(items != NULL && items[i] == 0);
        items[i] = i + 1;
    }
    for (int i = 0; i < 1000; i++) {
        CHECK(items[i] == i + 1);
    }
    CHECK(memory.calls <= 10);
    mcast_memory_free(&memory.alloc, items, room, sizeof *items);
    CHECK(memory.out == 0);
}

static void a_refused_growth_changes_nothing(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    size_t room = 0;
    int *items = mcast_memory_grow(&memory.alloc, NULL, &room, 1, sizeof *items);
    items[0] = 5;
    size_t before = room;
    memory.refuse = 1;
    CHECK(mcast_memory_grow(&memory.alloc, items, &room, 100, sizeof *items) == NULL);
    CHECK(room == before && items[0] == 5);
    CHECK(mcast_memory_grow(&memory.alloc, items, &room, SIZE_MAX / 2, sizeof *items) == NULL);
    mcast_memory_free(&memory.alloc, items, room, sizeof *items);
    mcast_memory_free(&memory.alloc, NULL, 3, 4);
    CHECK(memory.out == 0);
}

static void widening_keeps_the_old_contents_only(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    size_t room = 0;
    int *items = mcast_memory_widen(&memory.alloc, NULL, &room, 3, sizeof *items);
    CHECK(items != NULL && room >= 3);
    items[0] = 7;
    items = mcast_memory_widen(&memory.alloc, items, &room, 5000, sizeof *items);
    CHECK(items != NULL && room >= 5000 && items[0] == 7);
    size_t before = room;
    memory.refuse = 1;
    CHECK(mcast_memory_widen(&memory.alloc, items, &room, before + 1, sizeof *items) == NULL);
    CHECK(room == before && items[0] == 7);
    mcast_memory_free(&memory.alloc, items, room, sizeof *items);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(new_objects_are_zero);
    RUN(an_overflowing_product_is_refused);
    RUN(growth_doubles_keeps_and_zeroes);
    RUN(a_refused_growth_changes_nothing);
    RUN(widening_keeps_the_old_contents_only);
    return 0;
}
