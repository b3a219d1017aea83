/* Rule 1.5: a node that speaks to the service and lets no token pass is found out by its leader. */
#include "small_world.h"

/* Sends one message a tenth of a second from @sender, for so many seconds. */
static void talk(struct world *world, uint32_t sender, uint32_t seconds) {
    for (uint32_t i = 0; i < 10 * seconds; i++) {
        world_send(world, sender, 0, 'x', 20, 0);
        world_run(world, 100 * MCAST_MILLISECOND);
    }
}

static void who_hears_no_datagram_is_removed_and_told(void) {
    struct world world;
    world_of(&world, 5, 1);
    world.members[3].walled = true;
    talk(&world, 1, 12);
    CHECK(world_notices(&world, 3, MCAST_NOTICE_EVICTED) == 1);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(i == 3 || world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
        CHECK(i == 3 || world.members[i].heard_count == 120);
    }
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world_stats(&world, 1).pending_packets == 0); /* and all goes on */
    world_free(&world);
}

static void so_is_who_is_not_heard(void) {
    struct world world;
    world_of(&world, 4, 1);
    world.members[2].mute = true;
    talk(&world, 1, 12);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 1);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EVICTED) == 0);
    CHECK(world.members[3].heard_count == 120);
    world_free(&world);
}

static void the_other_of_two_is_enough(void) {
    struct world world;
    world_of(&world, 2, 1);
    world.members[1].walled = true;
    talk(&world, 0, 12);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EVICTED) == 1);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_EVICTED) == 0);
    world_free(&world);
}

static void a_leader_that_hears_nobody_goes_itself(void) {
    struct world world;
    world_of(&world, 4, 1);
    world.members[0].walled = true;
    talk(&world, 1, 45); /* of which it knows nothing: its rounds are those of quiet */
    CHECK(world_notices(&world, 0, MCAST_NOTICE_EVICTED) == 1);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK(world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
        CHECK(world.members[i].heard_count == 450);
    }
    world_free(&world);
}

static void a_short_silence_is_no_reason(void) {
    struct world world;
    world_of(&world, 4, 1);
    for (uint32_t i = 0; i < 3; i++) {
        world.members[3].walled = true;
        talk(&world, 1, 4);
        world.members[3].walled = false;
        talk(&world, 1, 2);
    }
    CHECK(world_notices(&world, 3, MCAST_NOTICE_EVICTED) == 0);
    CHECK(world.members[3].heard_count == 180);
    world_free(&world);
}

static void a_closed_view_is_not_held_open(void) {
    struct world world;
    world_of(&world, 4, 1);
    world.members[3].walled = true;
    world_join(&world, 1, 1); /* moves 1 into another region */
    talk(&world, 1, 12);
    CHECK(world_notices(&world, 3, MCAST_NOTICE_EVICTED) == 1);
    CHECK(world.members[2].heard_count == 120);
    world_free(&world);
}

/* Loses each token of one view on its way to a member, now to this one, now to that. */
struct thief {
    mcast_view view;
    mcast_time since;
    const char *schedule; /* is to whom, '1' … '3', for a fifth of a second each */
};

static bool steals(struct world *world, const struct world_flight *flight) {
    struct thief *thief = world->user;
    if (world_type(flight) != MCAST_WIRE_TOKEN) {
        return false;
    }
    if (thief->view == 0) {
        thief->view = world_view_of(flight);
    }
    size_t place = (world->now - thief->since) / (200 * MCAST_MILLISECOND);
    uint8_t victim = (uint8_t)(thief->schedule[place % strlen(thief->schedule)] - '0');
    return world_view_of(flight) == thief->view && flight->to.ip[15] == victim + 1;
}

/* Now and then a round is lost before 3, and the others before they come to anybody: the same few
 * rounds, told at each call, are no more than they are. */
static void a_round_that_was_lost_counts_once(void) {
    struct world world;
    world_of(&world, 5, 1);
    struct thief thief = {.since = world.now, .schedule = "33111111111111111"};
    world.lose = steals;
    world.user = &thief;
    talk(&world, 1, 10);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
    }
    world.lose = NULL;
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world_stats(&world, 1).pending_packets == 0);
    world_free(&world);
}

/* No token comes to 3 for twenty seconds in a view that closed while it lacked a message; but its
 * leader calls, and nobody is where the ring breaks always. */
static void who_is_called_in_a_closed_view_waits_for_it(void) {
    struct world world;
    world_of(&world, 4, 1);
    struct thief thief = {.since = world.now,
                          .schedule =
                              "22111111111111111"
                              "22111111111111111"
                              "33111111111111111"};
    world.lose = steals;
    world.user = &thief;
    world.members[3].walled = true;
    world_send(&world, 1, 0, 'a', 20, 0);
    world_pass(&world);
    world.members[3].walled = false;
    world_join(&world, 1, 1); /* moves 1 into another region */
    world_run(&world, 22 * MCAST_SECOND);
    CHECK(world.members[2].heard_count == 1 && world.members[3].heard_count == 0);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
    }
    world.lose = NULL;
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world.members[3].heard_count == 1);
    world_free(&world);
}

int main(void) {
    RUN(who_hears_no_datagram_is_removed_and_told);
    RUN(so_is_who_is_not_heard);
    RUN(the_other_of_two_is_enough);
    RUN(a_leader_that_hears_nobody_goes_itself);
    RUN(a_short_silence_is_no_reason);
    RUN(a_closed_view_is_not_held_open);
    RUN(a_round_that_was_lost_counts_once);
    RUN(who_is_called_in_a_closed_view_waits_for_it);
    return 0;
}
