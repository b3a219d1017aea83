/* Laggards: the members that each member waits for, as far as it can tell. */
#include "small_world.h"

static size_t laggards(const struct world *world, uint32_t index, struct mcast_laggard *found) {
    return mcast_member_laggards(world->members[index].member, world->now, found, 8);
}

static mcast_node node_of(const struct world *world, uint32_t index) {
    return mcast_member_node(world->members[index].member);
}

/* Send ten messages a second from @sender for @tenths tenths of a second. */
static void talk(struct world *world, uint32_t sender, uint32_t tenths) {
    for (uint32_t i = 0; i < tenths; i++) {
        world_send(world, sender, 0, 'x', 20, 0);
        world_run(world, 100 * MCAST_MILLISECOND);
    }
}

static void check_silent(const struct world *world, uint32_t index, uint32_t silent) {
    struct mcast_laggard found[8];
    CHECK(laggards(world, index, found) == 1);
    CHECK(found[0].kind == MCAST_LAGGARD_SILENT && found[0].node == node_of(world, silent));
    CHECK(found[0].age >= 500 * MCAST_MILLISECOND && found[0].age < 5 * MCAST_SECOND);
    CHECK(found[0].packets > 0);
}

static void no_laggard_is_listed_while_all_members_run(void) {
    struct world world;
    struct mcast_laggard found[8];
    world_of(&world, 3, 1);
    for (uint32_t i = 0; i < 20; i++) {
        talk(&world, i % 3, 1);
        for (uint32_t index = 0; index < 3; index++) {
            CHECK(laggards(&world, index, found) == 0);
        }
    }
    world_free(&world);
}

/* Freeze member @frozen; check that @sender names it while it waits, and no longer when it runs
 * again. */
static void is_named(uint32_t count, uint32_t sender, uint32_t frozen) {
    struct world world;
    struct mcast_laggard found[8];
    world_of(&world, count, 1);
    talk(&world, sender, 5);
    world.members[frozen].firewalled = world.members[frozen].mute = true;
    talk(&world, sender, 3);
    CHECK(laggards(&world, sender, found) == 0); /* too short a time */
    talk(&world, sender, 25);
    check_silent(&world, sender, frozen);
    world.members[frozen].firewalled = world.members[frozen].mute = false;
    talk(&world, sender, 30);
    CHECK(laggards(&world, sender, found) == 0);
    world_free(&world);
}

static void of_two_members_the_frozen_one_is_listed(void) {
    is_named(2, 0, 1);
}

static void members_list_their_frozen_leader(void) {
    is_named(2, 1, 0);
    is_named(4, 2, 0);
}

static void a_leader_lists_a_frozen_member(void) {
    is_named(4, 0, 3);
}

static void other_members_learn_the_laggard_from_the_leader(void) {
    is_named(4, 1, 3);
    is_named(4, 3, 1);
}

/* Lose all data to the region, and the repairs of it at member 2. */
static bool loses_data(struct world *world, const struct world_flight *flight) {
    struct mcast_address own = world_config(0).address;
    struct mcast_address second = world_config(1).address;
    (void)world;
    return world_type(flight) == MCAST_WIRE_DATA ||
           (world_type(flight) == MCAST_WIRE_REPAIR && !world_same(&flight->to, &own) &&
            !world_same(&flight->to, &second));
}

/* The leader sees each round; others learn it with the acknowledgement of later packets. */
static void the_leader_lists_a_member_that_lacks_packets(void) {
    struct world world;
    struct mcast_laggard found[8];
    world_of(&world, 3, 1);
    talk(&world, 0, 5);
    world.lose = loses_data;
    world_send(&world, 0, 0, 'y', 20, 0);
    world_run(&world, 1500 * MCAST_MILLISECOND);
    CHECK(laggards(&world, 0, found) == 1);
    CHECK(found[0].kind == MCAST_LAGGARD_BEHIND && found[0].node == node_of(&world, 2));
    CHECK(found[0].packets >= 1 && found[0].age >= MCAST_SECOND);
    world.lose = NULL;
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(laggards(&world, 0, found) == 0);
    world_free(&world);
}

static void a_receiver_that_asks_for_a_pause_is_listed_with_its_group(void) {
    struct world world;
    struct mcast_laggard found[8];
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        struct mcast_group_policy policy = {.slow = MCAST_SLOW_THROTTLE,
                                            .queue_messages = i == 2 ? 16 : 0};
        uint32_t index = world_add(&world, &config);
        world_join_with(&world, index, 3, policy);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    for (uint8_t i = 0; i < 100; i++) {
        world_send(&world, 0, 3, i, 20, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(laggards(&world, 0, found) == 1);
    CHECK(found[0].kind == MCAST_LAGGARD_BRAKING && found[0].node == node_of(&world, 2));
    CHECK(found[0].group == 3 && laggards(&world, 1, found) == 0);
    world_free(&world);
}

static void no_more_laggards_are_stored_than_there_is_room_for(void) {
    struct world world;
    struct mcast_laggard found[8];
    world_of(&world, 4, 1);
    talk(&world, 0, 5);
    for (uint32_t i = 2; i < 4; i++) {
        world.members[i].firewalled = world.members[i].mute = true;
    }
    talk(&world, 0, 30);
    CHECK(laggards(&world, 0, found) == 2);
    CHECK(mcast_member_laggards(world.members[0].member, world.now, found, 1) == 1);
    CHECK(mcast_member_laggards(world.members[0].member, world.now, found, 0) == 0);
    world_free(&world);
}

int main(void) {
    RUN(no_laggard_is_listed_while_all_members_run);
    RUN(of_two_members_the_frozen_one_is_listed);
    RUN(members_list_their_frozen_leader);
    RUN(a_leader_lists_a_frozen_member);
    RUN(other_members_learn_the_laggard_from_the_leader);
    RUN(the_leader_lists_a_member_that_lacks_packets);
    RUN(a_receiver_that_asks_for_a_pause_is_listed_with_its_group);
    RUN(no_more_laggards_are_stored_than_there_is_room_for);
    return 0;
}
