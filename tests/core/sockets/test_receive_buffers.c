/* Receive buffers: returned ones are reused, and unneeded ones are freed in time. */
#include "check.h"
#include "counting_memory.h"
#include "sockets/receive_buffers.h"

enum { BOUND = 4, MANY = 20 };

static void take_and_let_go(struct udp_buffers *pool, size_t count) {
    struct mcast_buffer *taken[MANY];
    for (size_t i = 0; i < count; i++) {
        taken[i] = udp_buffers_take(pool);
        CHECK(taken[i] != NULL && taken[i]->size == UDP_BUFFER_SIZE);
        taken[i]->bytes[UDP_BUFFER_SIZE - 1] = 1;
    }
    for (size_t i = 0; i < count; i++) {
        mcast_buffer_release(taken[i]);
    }
}

static void a_returned_buffer_is_reused(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct udp_buffers *pool = udp_buffers_new(&memory.alloc, BOUND);
    take_and_let_go(pool, MANY);
    size_t held = memory.out;
    take_and_let_go(pool, MANY);
    CHECK(memory.out == held && pool->spare_count == MANY);
    udp_buffers_close(pool);
    CHECK(memory.out == 0);
}

static void unneeded_buffers_are_freed_except_a_few(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct udp_buffers *pool = udp_buffers_new(&memory.alloc, BOUND);
    take_and_let_go(pool, MANY);
    udp_buffers_rest(pool); /* all of them were in use a moment ago */
    CHECK(pool->spare_count == MANY);
    take_and_let_go(pool, MANY - 8);
    udp_buffers_rest(pool);
    CHECK(pool->spare_count == MANY - 4);
    udp_buffers_rest(pool);
    CHECK(pool->spare_count == BOUND);
    udp_buffers_rest(pool);
    CHECK(pool->spare_count == BOUND);
    udp_buffers_close(pool);
    CHECK(memory.out == 0);
}

static void a_closed_pool_waits_for_buffers_in_use(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct udp_buffers *pool = udp_buffers_new(&memory.alloc, BOUND);
    struct mcast_buffer *held = udp_buffers_take(pool);
    udp_buffers_close(pool);
    held->bytes[0] = 7;
    CHECK(memory.out > 0);
    mcast_buffer_release(held);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(a_returned_buffer_is_reused);
    RUN(unneeded_buffers_are_freed_except_a_few);
    RUN(a_closed_pool_waits_for_buffers_in_use);
    return 0;
}
