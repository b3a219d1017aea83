#include "counting_memory.h"
#include "service/address_pool.h"

enum { REST = 60 };

static struct mcast_address first_address(void) {
    struct mcast_address first = {.ip = {[12] = 239, [13] = 1, [15] = 250}, .port = {1, 2, 3}};
    return first;
}

static void begin(struct mcast_address_pool *pool, struct test_memory *memory, uint32_t count) {
    test_memory_init(memory);
    mcast_address_pool_init(pool, &memory->alloc, first_address(), count, REST);
}

static void finish(struct mcast_address_pool *pool, struct test_memory *memory) {
    mcast_address_pool_free(pool);
    CHECK(memory->out == 0);
}

static void addresses_count_up_across_the_byte(void) {
    struct test_memory memory;
    struct mcast_address_pool pool;
    begin(&pool, &memory, 1000);
    struct mcast_address at = mcast_address_pool_at(&pool, 7);
    CHECK(at.ip[12] == 239 && at.ip[14] == 1 && at.ip[15] == 1 && at.port[2] == 3);
    for (uint32_t index = 0; index < 1000; index++) {
        at = mcast_address_pool_at(&pool, index);
        CHECK(mcast_address_pool_index(&pool, &at) == index);
    }
    at = mcast_address_pool_at(&pool, 1000);
    CHECK(mcast_address_pool_index(&pool, &at) == MCAST_ADDRESS_NONE);
    at = mcast_address_pool_at(&pool, 3);
    at.port[0] = 9;
    CHECK(mcast_address_pool_index(&pool, &at) == MCAST_ADDRESS_NONE);
    finish(&pool, &memory);
}

static void a_returned_address_rests(void) {
    struct test_memory memory;
    struct mcast_address_pool pool;
    begin(&pool, &memory, 2);
    CHECK(mcast_address_pool_deadline(&pool) == MCAST_NEVER);
    CHECK(mcast_address_pool_take(&pool, 0) == 0);
    mcast_address_pool_give(&pool, 0, 100);
    CHECK(mcast_address_pool_free_count(&pool, 100) == 1);
    CHECK(mcast_address_pool_take(&pool, 101) == 1);
    CHECK(mcast_address_pool_take(&pool, 159) == MCAST_ADDRESS_NONE);
    CHECK(mcast_address_pool_deadline(&pool) == 160);
    CHECK(mcast_address_pool_free_count(&pool, 160) == 1);
    CHECK(mcast_address_pool_take(&pool, 160) == 0);
    CHECK(mcast_address_pool_deadline(&pool) == MCAST_NEVER);
    finish(&pool, &memory);
}

static void no_address_is_given_twice_or_too_soon(void) {
    enum { COUNT = 20 };
    struct test_memory memory;
    struct mcast_address_pool pool;
    bool taken[COUNT] = {false};
    mcast_time free_at[COUNT] = {0};
    uint64_t seed = 6;
    begin(&pool, &memory, COUNT);
    for (mcast_time now = 1; now < 20000; now++) {
        uint32_t index = (uint32_t)(test_random(&seed) % COUNT);
        if (taken[index] && test_random(&seed) % 2 == 0) {
            taken[index] = false;
            free_at[index] = now + REST;
            mcast_address_pool_give(&pool, index, now);
            continue;
        }
        uint32_t there = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            there += !taken[i] && free_at[i] <= now ? 1 : 0;
        }
        CHECK(mcast_address_pool_free_count(&pool, now) == there);
        uint32_t got = mcast_address_pool_take(&pool, now);
        CHECK((got == MCAST_ADDRESS_NONE) == (there == 0));
        if (got != MCAST_ADDRESS_NONE) {
            CHECK(!taken[got] && free_at[got] <= now);
            taken[got] = true;
        }
    }
    finish(&pool, &memory);
}

static void an_address_of_a_former_service_is_not_given(void) {
    struct test_memory memory;
    struct mcast_address_pool pool;
    begin(&pool, &memory, 5);
    mcast_address_pool_claim(&pool, 2, 10);
    mcast_address_pool_claim(&pool, 0, 10);
    mcast_address_pool_claim(&pool, MCAST_ADDRESS_NONE, 10);
    CHECK(mcast_address_pool_take(&pool, 10) == 3);
    CHECK(mcast_address_pool_take(&pool, 10) == 4);
    CHECK(mcast_address_pool_take(&pool, 69) == MCAST_ADDRESS_NONE);
    CHECK(mcast_address_pool_take(&pool, 70) == 1);
    CHECK(mcast_address_pool_take(&pool, 1000) == MCAST_ADDRESS_NONE);
    finish(&pool, &memory);
}

static void without_memory_an_address_is_lost_and_not_given_too_soon(void) {
    struct test_memory memory;
    struct mcast_address_pool pool;
    begin(&pool, &memory, 1);
    CHECK(mcast_address_pool_take(&pool, 0) == 0);
    memory.refuse = 1;
    mcast_address_pool_give(&pool, 0, 0);
    CHECK(mcast_address_pool_take(&pool, 1000) == MCAST_ADDRESS_NONE);
    finish(&pool, &memory);
}

int main(void) {
    RUN(addresses_count_up_across_the_byte);
    RUN(a_returned_address_rests);
    RUN(no_address_is_given_twice_or_too_soon);
    RUN(an_address_of_a_former_service_is_not_given);
    RUN(without_memory_an_address_is_lost_and_not_given_too_soon);
    return 0;
}
