#include "base/vector.h"
#include "counting_memory.h"

#include "mcast/error.h"

static void pushed_objects_stay_in_order(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_vector vector = {.items = NULL};
    for (int i = 0; i < 1000; i++) {
        int *place = mcast_vector_push(&vector, &memory.alloc, sizeof *place);
        CHECK(place != NULL && *place == 0);
        *place = i;
    }
    CHECK(vector.count == 1000);
    for (int i = 0; i < 1000; i++) {
        CHECK(((int *)vector.items)[i] == i);
    }
    mcast_vector_free(&vector, &memory.alloc, sizeof(int));
    CHECK(vector.count == 0 && memory.out == 0);
}

static void a_reused_place_is_zeroed(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_vector vector = {.items = NULL};
    *(int *)mcast_vector_push(&vector, &memory.alloc, sizeof(int)) = 7;
    vector.count = 0;
    CHECK(*(int *)mcast_vector_push(&vector, &memory.alloc, sizeof(int)) == 0);
    mcast_vector_free(&vector, &memory.alloc, sizeof(int));
}

static void the_last_object_replaces_the_removed_one(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_vector vector = {.items = NULL};
    for (int i = 0; i < 4; i++) {
        *(int *)mcast_vector_push(&vector, &memory.alloc, sizeof(int)) = i;
    }
    mcast_vector_swap_out(&vector, 1, sizeof(int));
    mcast_vector_swap_out(&vector, 2, sizeof(int));
    const int *items = vector.items;
    CHECK(vector.count == 2 && items[0] == 0 && items[1] == 3);
    mcast_vector_free(&vector, &memory.alloc, sizeof(int));
    CHECK(memory.out == 0);
}

static void without_memory_the_vector_stays_as_it_was(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_vector vector = {.items = NULL};
    CHECK(mcast_vector_reserve(&vector, &memory.alloc, 10, sizeof(int)) == MCAST_OK);
    size_t room = vector.room;
    memory.refuse = 1;
    for (size_t i = 0; i < room; i++) {
        CHECK(mcast_vector_push(&vector, &memory.alloc, sizeof(int)) != NULL);
    }
    CHECK(mcast_vector_push(&vector, &memory.alloc, sizeof(int)) == NULL);
    CHECK(vector.count == room && vector.room == room);
    mcast_vector_free(&vector, &memory.alloc, sizeof(int));
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(pushed_objects_stay_in_order);
    RUN(a_reused_place_is_zeroed);
    RUN(the_last_object_replaces_the_removed_one);
    RUN(without_memory_the_vector_stays_as_it_was);
    return 0;
}
