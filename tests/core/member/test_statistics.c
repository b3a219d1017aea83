/* Statistics, compared with what was done. */
#include "small_world.h"

static uint64_t control_seen(const struct world *world) {
    static const uint8_t types[] = {MCAST_WIRE_TOKEN,   MCAST_WIRE_ACK,   MCAST_WIRE_HIGH_WATER,
                                    MCAST_WIRE_REQUEST, MCAST_WIRE_STALE, MCAST_WIRE_EVICTED,
                                    MCAST_WIRE_FLOW,    MCAST_WIRE_CALL};
    uint64_t count = 0;
    for (size_t i = 0; i < sizeof types; i++) {
        count += world->seen[types[i]];
    }
    return count;
}

static void control_packets_and_bytes_are_counted(void) {
    struct world world;
    world_of(&world, 3, 1);
    for (uint32_t i = 0; i < 50; i++) {
        world_send(&world, i % 3, 0, 'x', 100, i + 1);
        world_run(&world, 7 * MCAST_MILLISECOND);
    }
    uint64_t sent = 0;
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_stats stats = world_stats(&world, i);
        sent += stats.control_sent;
        CHECK(stats.control_bytes >= stats.control_sent * (MCAST_HEADER_SIZE + MCAST_TAG_SIZE));
        CHECK(stats.control_bytes >= stats.token_bytes && stats.token_bytes > 0);
    }
    CHECK(sent == control_seen(&world));
    world_free(&world);
}

static void the_token_interval_is_that_of_the_rounds(void) {
    struct world world;
    world_of(&world, 3, 1);
    for (uint32_t i = 0; i < 300; i++) {
        world_send(&world, 0, 0, 'x', 100, i + 1);
        world_run(&world, 2 * MCAST_MILLISECOND);
    }
    struct mcast_stats leader = world_stats(&world, 0);
    mcast_time gap = world_stats(&world, 1).token_gap;
    CHECK(leader.token_interval > 0 && gap >= 9 * MCAST_MILLISECOND);
    CHECK(gap <= 4 * leader.token_interval + 10 * MCAST_MILLISECOND);
    world_run(&world, 10 * MCAST_SECOND); /* at rest: no gap of ten seconds is counted */
    world_send(&world, 0, 0, 'x', 100, 1);
    world_run(&world, MCAST_SECOND);
    CHECK(world_stats(&world, 1).token_gap < MCAST_SECOND);
    world_free(&world);
}

static bool lose_one(struct world *world, const struct world_flight *flight) {
    (void)flight;
    return world->user != NULL && world_type(flight) == MCAST_WIRE_DATA;
}

static void the_repair_time_is_measured(void) {
    struct world world;
    world_of(&world, 3, 1);
    world.lose = lose_one;
    world_send(&world, 0, 0, 'a', 10, 1);
    world_run(&world, 200 * MCAST_MILLISECOND);
    CHECK(world_stats(&world, 1).repair_time == 0);
    world.user = &world;
    world_send(&world, 0, 0, 'b', 10, 2); /* lost to all but its sender */
    world_pass(&world);
    world.user = NULL;
    mcast_time begin = world.now;
    world_send(&world, 0, 0, 'c', 10, 3); /* shows the gap */
    while (world.members[1].heard_count < 3) {
        world_run(&world, MCAST_MILLISECOND);
        CHECK(world.now < begin + MCAST_SECOND);
    }
    struct mcast_stats stats = world_stats(&world, 1);
    CHECK(stats.repairs_received > 0);
    CHECK(stats.repair_time > 0 && stats.repair_time <= world.now - begin);
    world_free(&world);
}

static void the_delay_of_late_alarms_is_measured(void) {
    struct world world;
    world_of(&world, 2, 1);
    struct mcast_stats before = world_stats(&world, 1);
    world.now = mcast_member_next_deadline(world.members[1].member) + 30 * MCAST_MILLISECOND;
    world_step(&world, 1, NULL, 0);
    struct mcast_stats after = world_stats(&world, 1);
    CHECK(after.alarms > before.alarms);
    CHECK(after.alarms_late - before.alarms_late >= 30 * MCAST_MILLISECOND);
    world_run(&world, 3 * MCAST_SECOND); /* on time again: no alarm was late in the last second */
    CHECK(world_stats(&world, 1).alarm_latest < 30 * MCAST_MILLISECOND);
    world_free(&world);
}

static void drops_for_want_of_memory_are_counted(void) {
    struct world world;
    world_of(&world, 2, 1);
    for (uint32_t i = 0; i < 64; i++) { /* so that everything that can be allocated is */
        world_send(&world, 0, 0, 'x', 100, i + 1);
        world_pass(&world);
    }
    uint64_t calls = world_stats(&world, 1).allocations;
    CHECK(calls > 0 && world_stats(&world, 1).drop_memory == 0);
    uint64_t lost = 0;
    for (uint32_t i = 0; i < 64; i++) {
        world_send(&world, 0, 0, 'y', 100, i + 65);
        world.memory.calls = 0;
        world.memory.refuse = 1;
        size_t heard = world.members[1].heard_count;
        world.memory.refused = false;
        world_pass(&world);
        world.memory.refuse = 0;
        lost += world.members[1].heard_count == heard ? 1 : 0;
    }
    struct mcast_stats stats = world_stats(&world, 1);
    CHECK(lost == 0 || stats.drop_memory >= lost);
    CHECK(stats.drop_memory + world_stats(&world, 0).drop_memory > 0);
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(world.members[1].heard_count == 128);
    world_free(&world);
}

int main(void) {
    RUN(control_packets_and_bytes_are_counted);
    RUN(the_token_interval_is_that_of_the_rounds);
    RUN(the_repair_time_is_measured);
    RUN(the_delay_of_late_alarms_is_measured);
    RUN(drops_for_want_of_memory_are_counted);
    return 0;
}
