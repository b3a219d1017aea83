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

int main(void) {
    RUN(who_hears_no_datagram_is_removed_and_told);
    RUN(so_is_who_is_not_heard);
    RUN(the_other_of_two_is_enough);
    RUN(a_leader_that_hears_nobody_goes_itself);
    RUN(a_short_silence_is_no_reason);
    RUN(a_closed_view_is_not_held_open);
    return 0;
}
