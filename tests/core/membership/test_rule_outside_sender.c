/* An outside sender of a region leaves (spec/qsm.md 1.0.13, 1.0.11): what it has under way is
 * acknowledged or finally uncertain; nothing waits for ever for a node that is gone. */
#include "check.h"
#include "small_world.h"

enum { OUTSIDE = 2 };

static bool sealed; /* nothing from the sender arrives any more */

/* Let its first two packets, the OPEN and a message, arrive. */
static bool lose_what_follows(struct world *world, const struct world_flight *flight) {
    (void)world;
    if (flight->from != OUTSIDE) {
        return false;
    }
    if (world_type(flight) == MCAST_WIRE_DATA) {
        struct mcast_reader reader = mcast_reader_over(flight->buffer->bytes, flight->length);
        reader.at += MCAST_HEADER_SIZE;
        sealed = sealed || mcast_read_u64(&reader) > 2;
    }
    return sealed;
}

/* Let the region hear of the sender, but of no packet that it has under way. */
static bool lose_copies(struct world *world, const struct world_flight *flight) {
    (void)world;
    uint8_t type = world_type(flight);
    return flight->from == OUTSIDE && (type == MCAST_WIRE_DATA || type == MCAST_WIRE_REPAIR);
}

/* Create two members and an outside sender that announces stability to them; the announcement is
 * lost. */
static void begin(struct world *world) {
    sealed = false;
    world_of(world, 2, 1);
    struct mcast_config config = world_config(OUTSIDE);
    CHECK(world_add(world, &config) == OUTSIDE);
    struct mcast_event event = {.kind = MCAST_EVENT_REGISTER};
    event.as.join.id = (struct mcast_id){2, 1};
    event.as.join.policy.tell_stable = true;
    world_step(world, OUTSIDE, &event, 1);
    world_run(world, 500 * MCAST_MILLISECOND);
    world->lose = lose_what_follows;
    world_send(world, OUTSIDE, 0, 1, 20, 7);
    world_run(world, MCAST_SECOND);
    CHECK(sealed && world->members[OUTSIDE].stable == 7);
    CHECK(world_stats(world, OUTSIDE).pending_packets == 1);
}

/* LEAVE is delayed until everything sent has arrived, but not for ever. */
static void leave_at_last(struct world *world) {
    world->lose = lose_copies;
    world_leave(world, OUTSIDE, 0);
    world_run(world, MCAST_SECOND);
    CHECK(world_notices(world, OUTSIDE, MCAST_NOTICE_LEFT) == 0);
    world_run(world, 20 * MCAST_SECOND);
    CHECK(world_notices(world, OUTSIDE, MCAST_NOTICE_LEFT) == 1);
    CHECK(world_stats(world, OUTSIDE).pending_packets == 1);
}

static void stops_at_once(struct world *world) {
    world_step(world, OUTSIDE, &(struct mcast_event){.kind = MCAST_EVENT_STOP}, 1);
    CHECK(world_notices(world, OUTSIDE, MCAST_NOTICE_STOPPED) == 1);
}

/* The members never hear that there was more. LEAVE waits as long as a death takes to detect; after
 * that nothing waits for an answer, though nobody says that the view is over. */
static void an_outside_sender_that_left_does_not_wait_for_silent_members(void) {
    struct world world;
    begin(&world);
    world_leave(&world, OUTSIDE, 0);
    world_run(&world, 16 * MCAST_SECOND);
    CHECK(world_notices(&world, OUTSIDE, MCAST_NOTICE_LEFT) == 0);
    CHECK(world_stats(&world, OUTSIDE).pending_packets == 1);
    world_run(&world, 5 * MCAST_SECOND);
    CHECK(world_notices(&world, OUTSIDE, MCAST_NOTICE_LEFT) == 1);
    CHECK(world_stats(&world, OUTSIDE).pending_packets == 0);
    CHECK(world.members[0].told == 0 && world_stats(&world, 0).views_ended == 0);
    stops_at_once(&world);
    world_free(&world);
}

static void an_outside_sender_that_left_does_not_wait_for_dead_members(void) {
    struct world world;
    begin(&world);
    leave_at_last(&world);
    world.lose = lose_what_follows;
    world_crash(&world, 0);
    world_crash(&world, 1);
    CHECK(world_stats(&world, OUTSIDE).pending_packets == 1);
    world_run(&world, 20 * MCAST_SECOND);
    CHECK(world_stats(&world, OUTSIDE).pending_packets == 0);
    stops_at_once(&world);
    world_free(&world);
}

static void an_outside_sender_that_left_is_acknowledged_by_a_live_member(void) {
    struct world world;
    begin(&world);
    leave_at_last(&world);
    world.lose = NULL;
    world_run(&world, MCAST_SECOND);
    CHECK(world_stats(&world, OUTSIDE).pending_packets == 0);
    CHECK(world.members[0].told == 1 && world.members[1].told == 1);
    world_free(&world);
}

/* The service watches the region for its current senders: such a sender draws no conclusion from
 * silence. */
static void a_current_outside_sender_concludes_nothing_from_silence(void) {
    struct world world;
    begin(&world);
    world_run(&world, 20 * MCAST_SECOND);
    CHECK(world_stats(&world, OUTSIDE).pending_packets == 1);
    world.lose = NULL;
    world_run(&world, MCAST_SECOND);
    CHECK(world_stats(&world, OUTSIDE).pending_packets == 0);
    CHECK(world.members[0].told == 1 && world.members[1].told == 1);
    world_free(&world);
}

int main(void) {
    RUN(an_outside_sender_that_left_does_not_wait_for_silent_members);
    RUN(an_outside_sender_that_left_does_not_wait_for_dead_members);
    RUN(an_outside_sender_that_left_is_acknowledged_by_a_live_member);
    RUN(a_current_outside_sender_concludes_nothing_from_silence);
    return 0;
}
