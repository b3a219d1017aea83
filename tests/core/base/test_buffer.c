#include "counting_memory.h"
#include "mcast/buffer.h"

static void a_buffer_ends_with_its_last_holder(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_buffer *buffer = mcast_buffer_new(&memory.alloc, 100);
    CHECK(buffer != NULL && buffer->size == 100 && buffer->holders == 1);
    memset(buffer->bytes, 7, 100);
    CHECK(mcast_buffer_hold(buffer) == buffer);
    mcast_buffer_release(buffer);
    CHECK(buffer->bytes[99] == 7);
    mcast_buffer_release(buffer);
    CHECK(memory.out == 0);
}

static void null_may_be_held_and_released(void) {
    CHECK(mcast_buffer_hold(NULL) == NULL);
    mcast_buffer_release(NULL);
}

static void no_buffer_is_made_without_memory(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    memory.refuse = 1;
    CHECK(mcast_buffer_new(&memory.alloc, 100) == NULL);
}

static int ends;

static void count_end(struct mcast_buffer *buffer) {
    CHECK(buffer->holders == 0);
    ends++;
}

static void a_buffer_of_the_caller_calls_its_end_function(void) {
    uint8_t bytes[4] = {0};
    struct mcast_buffer buffer = {.holders = 1, .size = 4, .bytes = bytes, .end = count_end};
    mcast_buffer_release(mcast_buffer_hold(&buffer));
    CHECK(ends == 0);
    mcast_buffer_release(&buffer);
    CHECK(ends == 1);
}

int main(void) {
    RUN(a_buffer_ends_with_its_last_holder);
    RUN(null_may_be_held_and_released);
    RUN(no_buffer_is_made_without_memory);
    RUN(a_buffer_of_the_caller_calls_its_end_function);
    return 0;
}
