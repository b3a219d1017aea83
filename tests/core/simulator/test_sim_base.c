/* The small parts of the simulator: memory, clocks, addresses, tags. */
#include "check.h"
#include "simulator/base/address.h"
#include "simulator/base/checksum_tag.h"
#include "simulator/base/clock.h"
#include "simulator/base/node_memory.h"
#include "simulator/network/network.h"

#include <string.h>

static void memory_is_counted_to_the_byte(void) {
    struct sim_memory memory = {0};
    struct mcast_alloc alloc = sim_memory_alloc(&memory);
    void *a = alloc.resize(alloc.context, NULL, 0, 100);
    void *b = alloc.resize(alloc.context, NULL, 0, 50);
    CHECK(memory.used == 150);
    a = alloc.resize(alloc.context, a, 100, 30);
    CHECK(memory.used == 80 && memory.peak == 150);
    alloc.resize(alloc.context, a, 30, 0);
    alloc.resize(alloc.context, b, 50, 0);
    CHECK(memory.used == 0);
}

static void an_allocation_beyond_the_bound_is_refused_and_the_block_stays(void) {
    struct sim_memory memory = {.bound = 100};
    struct mcast_alloc alloc = sim_memory_alloc(&memory);
    char *block = alloc.resize(alloc.context, NULL, 0, 60);
    block[59] = 'x';
    CHECK(alloc.resize(alloc.context, block, 60, 101) == NULL);
    CHECK(block[59] == 'x' && memory.refused == 1 && memory.used == 60);
    block = alloc.resize(alloc.context, block, 60, 100);
    CHECK(block != NULL && block[59] == 'x');
    alloc.resize(alloc.context, block, 100, 0);
}

static void the_nth_allocation_fails_on_request(void) {
    struct sim_memory memory = {.fail_at = 2, .fail_for = 1};
    struct mcast_alloc alloc = sim_memory_alloc(&memory);
    void *a = alloc.resize(alloc.context, NULL, 0, 8);
    CHECK(a != NULL && alloc.resize(alloc.context, NULL, 0, 8) == NULL);
    void *b = alloc.resize(alloc.context, NULL, 0, 8);
    CHECK(b != NULL);
    alloc.resize(alloc.context, a, 8, 0);
    alloc.resize(alloc.context, b, 8, 0);
}

static void a_skewed_clock_converts_back_to_the_true_time(void) {
    for (int32_t ppm = -500; ppm <= 500; ppm += 125) {
        struct sim_clock clock = {.offset = 12345678901, .ppm = ppm};
        for (uint64_t now = 1; now < UINT64_C(100000000000000); now = now * 3 + 7) {
            uint64_t local = sim_clock_local(&clock, now);
            uint64_t back = sim_clock_true(&clock, local);
            CHECK(sim_clock_local(&clock, back) >= local);
            CHECK(back <= now && now - back < 3);
        }
        CHECK(sim_clock_true(&clock, MCAST_NEVER) == UINT64_MAX);
        CHECK(sim_clock_true(&clock, 5) == 0);
    }
}

static void addresses_convert_back_to_their_nodes(void) {
    for (uint32_t n = 0; n < 100000; n += 997) {
        struct mcast_address node = sim_address_of_node(n);
        struct mcast_address group = sim_address_of_group(n);
        CHECK(sim_address_target(&node) == n);
        CHECK(sim_address_target(&group) >= SIM_FIRST_GROUP);
        struct mcast_address next = group;
        next.port[MCAST_DATA]++;
        CHECK(sim_address_target(&next) != sim_address_target(&group));
    }
    struct mcast_address none;
    memset(&none, 0, sizeof none);
    CHECK(sim_address_target(&none) == UINT64_MAX);
}

static void a_tag_matches_its_bytes_only(void) {
    uint64_t key = 99, other_key = 100;
    struct mcast_auth auth = sim_tag_auth(&key);
    uint8_t bytes[200 + MCAST_TAG_SIZE];
    memset(bytes, 7, sizeof bytes);
    CHECK(!auth.encrypts && auth.trailer == MCAST_TAG_SIZE);
    for (size_t length = 1; length <= 200; length++) {
        size_t whole = length + MCAST_TAG_SIZE;
        CHECK(auth.seal(auth.context, bytes, length));
        CHECK(auth.open(auth.context, bytes, whole));
        CHECK(!auth.open(&other_key, bytes, whole));
        bytes[length / 2] ^= 1;
        CHECK(!auth.open(auth.context, bytes, whole));
        bytes[length / 2] ^= 1;
        CHECK(!auth.open(auth.context, bytes, whole - 1));
        memset(bytes + length, 7, MCAST_TAG_SIZE);
    }
    CHECK(!auth.open(auth.context, bytes, MCAST_TAG_SIZE - 1));
}

int main(void) {
    RUN(memory_is_counted_to_the_byte);
    RUN(an_allocation_beyond_the_bound_is_refused_and_the_block_stays);
    RUN(the_nth_allocation_fails_on_request);
    RUN(a_skewed_clock_converts_back_to_the_true_time);
    RUN(addresses_convert_back_to_their_nodes);
    RUN(a_tag_matches_its_bytes_only);
    return 0;
}
