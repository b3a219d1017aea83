#include "counting_memory.h"
#include "pool.h"

static void it_ends_with_its_last_holder(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_pool pool;
    mcast_pool_init(&pool, &memory.alloc, 2048, 1 << 20);
    struct mcast_buffer *buffer = mcast_pool_take(&pool, 100);
    CHECK(buffer != NULL && buffer->size == 100 && pool.held == 100);
    memset(buffer->bytes, 7, 100);
    CHECK(mcast_buffer_hold(buffer) == buffer);
    mcast_buffer_release(buffer);
    CHECK(pool.held == 100 && buffer->bytes[99] == 7);
    mcast_buffer_release(buffer);
    mcast_buffer_release(NULL);
    CHECK(pool.held == 0 && memory.out == 0);
    mcast_pool_free(&pool);
}

static void those_of_the_usual_size_are_kept_for_the_next(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_pool pool;
    mcast_pool_init(&pool, &memory.alloc, 2048, 1 << 20);
    struct mcast_buffer *first = mcast_pool_take(&pool, 2048);
    mcast_buffer_release(first);
    size_t calls = memory.calls;
    struct mcast_buffer *second = mcast_pool_take(&pool, 2048);
    CHECK(second == first && memory.calls == calls && second->holders == 1);
    mcast_buffer_release(second);
    mcast_pool_free(&pool);
    CHECK(memory.out == 0);
}

static void idle_ones_are_few_whatever_was_held(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_pool pool;
    mcast_pool_init(&pool, &memory.alloc, 1000, 1000000);
    struct mcast_buffer *held[1000];
    for (size_t i = 0; i < 1000; i++) {
        held[i] = mcast_pool_take(&pool, 1000);
        CHECK(held[i] != NULL);
    }
    CHECK(mcast_pool_take(&pool, 1) == NULL);
    for (size_t i = 0; i < 1000; i++) {
        mcast_buffer_release(held[i]);
    }
    CHECK(pool.held == 0 && memory.out < 100000);
    mcast_pool_free(&pool);
    CHECK(memory.out == 0);
}

static void without_memory_there_is_no_buffer(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_pool pool;
    mcast_pool_init(&pool, &memory.alloc, 1000, 10000);
    memory.refuse = 1;
    CHECK(mcast_pool_take(&pool, 1000) == NULL);
    CHECK(pool.held == 0);
    CHECK(mcast_pool_take(&pool, SIZE_MAX) == NULL);
    mcast_pool_free(&pool);
}

int main(void) {
    RUN(it_ends_with_its_last_holder);
    RUN(those_of_the_usual_size_are_kept_for_the_next);
    RUN(idle_ones_are_few_whatever_was_held);
    RUN(without_memory_there_is_no_buffer);
    return 0;
}
