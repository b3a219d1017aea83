#include "base/slab.h"
#include "counting_memory.h"

#include <stdalign.h>

static void objects_are_zeroed_aligned_and_separate(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_slab slab;
    mcast_slab_init(&slab, &memory.alloc, 24, 5000);
    static unsigned char *objects[5000];
    for (size_t i = 0; i < 5000; i++) {
        objects[i] = mcast_slab_take(&slab);
        CHECK(objects[i] != NULL && (uintptr_t)objects[i] % alignof(max_align_t) == 0);
        for (size_t at = 0; at < 24; at++) {
            CHECK(objects[i][at] == 0);
        }
        memset(objects[i], (int)(i % 251 + 1), 24);
    }
    for (size_t i = 0; i < 5000; i++) {
        CHECK(objects[i][0] == i % 251 + 1 && objects[i][23] == i % 251 + 1);
    }
    mcast_slab_free(&slab);
    CHECK(memory.out == 0);
}

static void the_bound_holds_and_returned_objects_are_reused(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_slab slab;
    mcast_slab_init(&slab, &memory.alloc, 40000, 2);
    void *one = mcast_slab_take(&slab);
    void *other = mcast_slab_take(&slab);
    CHECK(one != NULL && other != NULL);
    CHECK(mcast_slab_take(&slab) == NULL);
    size_t calls = memory.calls;
    mcast_slab_give(&slab, one);
    CHECK(slab.taken == 1);
    CHECK(mcast_slab_take(&slab) == one);
    CHECK(memory.calls == calls);
    mcast_slab_free(&slab);
    CHECK(memory.out == 0);
}

static void without_memory_there_is_no_object(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_slab slab;
    mcast_slab_init(&slab, &memory.alloc, 8, 10);
    memory.refuse = 1;
    CHECK(mcast_slab_take(&slab) == NULL);
    memory.refuse = 0;
    CHECK(mcast_slab_take(&slab) != NULL);
    mcast_slab_free(&slab);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(objects_are_zeroed_aligned_and_separate);
    RUN(the_bound_holds_and_returned_objects_are_reused);
    RUN(without_memory_there_is_no_object);
    return 0;
}
