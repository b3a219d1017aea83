/* Rules 1.0.8 and 1.14: a sender or a leader dies; the others go on, and nothing blocks. */
#include "small_world.h"

static uint32_t heard_of(const struct world *world, uint32_t index) {
    return (uint32_t)world->members[index].heard_count;
}

static bool lose_data(struct world *world, const struct world_flight *flight) {
    (void)world;
    return world_type(flight) == MCAST_WIRE_DATA;
}

/* Make all members but @keeper deaf to what is sent now. */
static void only_one_hears(struct world *world, uint32_t keeper) {
    for (uint32_t i = 0; i < world->count; i++) {
        world->members[i].deaf = i != keeper;
    }
    world_pass(world);
    for (uint32_t i = 0; i < world->count; i++) {
        world->members[i].deaf = false;
    }
}

static void one_copy_serves_all_after_the_sender_died(void) {
    struct world world;
    world_of(&world, 5, 1);
    world_send(&world, 0, 0, 0, 20, 0);
    world_run(&world, MCAST_SECOND);
    world_send(&world, 0, 0, 1, 20, 0);
    only_one_hears(&world, 3);
    world_crash(&world, 0);
    world_run(&world, 10 * MCAST_SECOND);
    for (uint32_t i = 1; i < 5; i++) {
        CHECK(heard_of(&world, i) == 2);
        CHECK(world_notices(&world, i, MCAST_NOTICE_DEAD) == 1);
        CHECK(world_notices(&world, i, MCAST_NOTICE_LOST) == 0);
        struct mcast_stats stats = world_stats(&world, i);
        CHECK(stats.cached_packets == 0 && stats.views_ended >= 1);
    }
    world_free(&world);
}

/* Packet 2 of 3 reached nobody, and its sender is dead: later packets must not wait for ever. */
static void a_packet_that_exists_nowhere_is_skipped_and_reported(void) {
    struct world world;
    world_of(&world, 5, 1);
    world_send(&world, 0, 0, 0, 20, 0);
    world_run(&world, MCAST_SECOND);
    world.lose = lose_data;
    world_send(&world, 0, 0, 1, 20, 0);
    world_pass(&world);
    world.lose = NULL;
    world_send(&world, 0, 0, 2, 20, 0);
    only_one_hears(&world, 2);
    world_crash(&world, 0);
    world_run(&world, 10 * MCAST_SECOND);
    for (uint32_t i = 1; i < 5; i++) {
        CHECK(heard_of(&world, i) == 2 && world.members[i].heard[1].first == 2);
        CHECK(world_notices(&world, i, MCAST_NOTICE_LOST) == 1);
        CHECK(world_stats(&world, i).skips == 1 && world_stats(&world, i).cached_packets == 0);
    }
    world_free(&world);
}

static void the_next_leader_takes_over_after_a_death(void) {
    struct world world;
    world_of(&world, 4, 1);
    uint32_t leader = 0;
    for (uint32_t i = 1; i < 4; i++) {
        if (mcast_member_node(world.members[i].member) <
            mcast_member_node(world.members[leader].member)) {
            leader = i;
        }
    }
    uint32_t sender = (leader + 1) % 4;
    world_send(&world, sender, 0, 0, 20, 1);
    world_pass(&world);
    world_crash(&world, leader);
    world_run(&world, 8 * MCAST_SECOND);
    CHECK(world.members[sender].stable == 1);
    world_send(&world, sender, 0, 1, 20, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[sender].stable == 2);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(i == leader || heard_of(&world, i) == 2);
    }
    world_free(&world);
}

/* A node that the service gave up reports it, keeps nothing, and can start again. */
static void an_evicted_node_reports_uncertain_messages_and_rejoins(void) {
    struct world world;
    world_of(&world, 3, 1);
    world.members[2].deaf = true;
    world_send(&world, 2, 0, 9, 20, 77);
    world_crash(&world, 2); /* the others believe so */
    world_run(&world, 8 * MCAST_SECOND);
    world.members[2].down = world.members[2].deaf = false;
    struct mcast_event lost = {.kind = MCAST_EVENT_DISCONNECTED};
    world_step(&world, 2, &lost, 1);
    world.members[2].notice_count = 0;
    world_service(&world,
                  &(struct mcast_service_event){.kind = MCAST_SERVICE_CONNECTED, .connection = 3});
    world_step(&world, 2, &(struct mcast_event){.kind = MCAST_EVENT_CONNECTED}, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_UNCERTAIN) == 1);
    CHECK(world_stats(&world, 2).groups == 0 && world_stats(&world, 2).pending_packets == 0);
    world_free(&world);
}

/* An outside sender is gone before the view closes, so nobody announces its last number. All
 * members get what one of them has, though each knew of another end when the view closed. */
static void a_dead_senders_stream_ends_with_the_last_packet_that_any_member_has(void) {
    struct world world;
    world_of(&world, 4, 1);
    struct mcast_config config = world_config(4);
    uint32_t outside = world_add(&world, &config);
    struct mcast_event event = {.kind = MCAST_EVENT_REGISTER};
    event.as.join.group = 0;
    event.as.join.id = (struct mcast_id){2, 1};
    world_step(&world, outside, &event, 1);
    world_run(&world, 500 * MCAST_MILLISECOND);
    world_send(&world, outside, 0, 1, 20, 0);
    world_run(&world, MCAST_SECOND);
    world_send(&world, outside, 0, 2, 20, 0);
    only_one_hears(&world, 2);
    world_leave(&world, outside, 0);
    world_leave(&world, 3, 0);
    world_run(&world, 5 * MCAST_SECOND);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(heard_of(&world, i) == 2 && world_stats(&world, i).cached_packets == 0);
    }
    world_free(&world);
}

static mcast_view data_view;

static bool note_data(struct world *world, const struct world_flight *flight) {
    (void)world;
    data_view = world_type(flight) == MCAST_WIRE_DATA ? world_view_of(flight) : data_view;
    return false;
}

/* Lose all repairs, and OPEN, the first packet of a view. */
static bool lose_order(struct world *world, const struct world_flight *flight) {
    (void)world;
    uint8_t type = world_type(flight);
    const uint8_t *number = flight->buffer->bytes + MCAST_HEADER_SIZE;
    return type == MCAST_WIRE_TOKEN || type == MCAST_WIRE_REPAIR ||
           (type == MCAST_WIRE_DATA && number[7] == 1);
}

static bool lose_repair_of_old(struct world *world, const struct world_flight *flight) {
    const mcast_view *old = world->user;
    return world_type(flight) == MCAST_WIRE_REPAIR && world_view_of(flight) == *old;
}

/* The dead sender's OPEN exists nowhere, and with it the list of views that come first (1.0.7). */
static void a_lost_open_does_not_change_the_order(void) {
    struct world world;
    world_of(&world, 4, 1);
    world.lose = note_data;
    world_send(&world, 0, 0, 1, 20, 0);
    world_run(&world, MCAST_SECOND);
    mcast_view old = data_view;
    world.lose = lose_order;
    world_send(&world, 0, 0, 2, 20, 0);
    only_one_hears(&world, 1);
    struct mcast_config config = world_config(4);
    world_join(&world, world_add(&world, &config), 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 4, MCAST_NOTICE_JOINED) == 1);
    world_send(&world, 0, 0, 3, 20, 0);
    world_pass(&world);
    CHECK(heard_of(&world, 1) == 2 && heard_of(&world, 2) == 1);
    world_crash(&world, 0);
    world.user = &old;
    world.lose = lose_repair_of_old;
    world_run(&world, 10 * MCAST_SECOND);
    CHECK(heard_of(&world, 2) == 1); /* the new view has what follows the lost OPEN, and waits */
    world.lose = NULL;
    world_run(&world, 10 * MCAST_SECOND);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK(heard_of(&world, i) == 3 && world_notices(&world, i, MCAST_NOTICE_LOST) == 1);
        for (uint8_t text = 1; text <= 3; text++) {
            CHECK(world.members[i].heard[text - 1].first == text);
        }
    }
    CHECK(heard_of(&world, 4) == 1 && world.members[4].heard[0].first == 3);
    world_free(&world);
}

static bool note_and_lose_data(struct world *world, const struct world_flight *flight) {
    (void)note_data(world, flight);
    return lose_data(world, flight);
}

/* Tell an outside sender that a view is over whose members did (@counted) or did not wait for it.
 */
static void told_over(bool counted, uint64_t *stable, size_t *uncertain) {
    struct world world;
    world_of(&world, 2, 1);
    struct mcast_config config = world_config(2);
    uint32_t outside = world_add(&world, &config);
    struct mcast_event event = {.kind = MCAST_EVENT_REGISTER};
    event.as.join.id = (struct mcast_id){2, 1};
    world_step(&world, outside, &event, 1);
    world_run(&world, 500 * MCAST_MILLISECOND);
    world.lose = note_and_lose_data;
    world_send(&world, outside, 0, 1, 20, 7);
    world_pass(&world);
    struct mcast_sm_final final = {mcast_member_node(world.members[outside].member), 2};
    struct mcast_service_message message = {.kind = MCAST_SM_VIEW_CLOSED};
    message.as.view_closed.view = data_view;
    message.as.view_closed.finals = &final;
    message.as.view_closed.count = counted ? 1 : 0;
    world_hand_message(&world, outside, &message);
    CHECK(world_stats(&world, outside).pending_packets == 0);
    *stable = world.members[outside].stable;
    *uncertain = world_notices(&world, outside, MCAST_NOTICE_UNCERTAIN);
    world_free(&world);
}

static void messages_that_no_member_waited_for_are_uncertain(void) {
    uint64_t stable;
    size_t uncertain;
    told_over(true, &stable, &uncertain);
    CHECK(stable == 7 && uncertain == 0);
    told_over(false, &stable, &uncertain);
    CHECK(stable == 0 && uncertain == 1);
}

static uint64_t packets_seen;

/* Lose every other packet of the first sender at each member, and all repairs. */
static bool lose_every_other(struct world *world, const struct world_flight *flight) {
    uint8_t type = world_type(flight);
    bool data = type == MCAST_WIRE_DATA && flight->from == 0;
    packets_seen += data ? 1 : 0;
    for (uint32_t i = 0; i < world->count; i++) {
        world->members[i].deaf = data && (packets_seen + i) % 2 == 0;
    }
    return type == MCAST_WIRE_TOKEN || type == MCAST_WIRE_REPAIR || type == MCAST_WIRE_REQUEST;
}

/* Each copy is sent once, and each round requests other ranges than the one before. */
static void many_holes_of_a_dead_sender_are_filled_within_a_second(void) {
    struct world world;
    world_of(&world, 6, 1);
    world_send(&world, 0, 0, 1, 20, 0);
    world_run(&world, MCAST_SECOND);
    world.lose = lose_every_other;
    for (int i = 0; i < 1000; i++) {
        world_send(&world, 0, 0, 2, 1000, 0);
        world_pass(&world);
    }
    for (uint32_t i = 0; i < world.count; i++) {
        world.members[i].deaf = false;
    }
    world.lose = NULL;
    world_crash(&world, 0);
    while (world_notices(&world, 1, MCAST_NOTICE_DEAD) == 0) {
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(heard_of(&world, 1) < 10 && heard_of(&world, 2) < 10);
    uint64_t repairs = world.seen[MCAST_WIRE_REPAIR];
    world_run(&world, MCAST_SECOND);
    for (uint32_t i = 1; i < world.count; i++) {
        CHECK(heard_of(&world, i) == 1001);
    }
    CHECK(world.seen[MCAST_WIRE_REPAIR] - repairs == 1000);
    world_free(&world);
}

int main(void) {
    RUN(one_copy_serves_all_after_the_sender_died);
    RUN(a_packet_that_exists_nowhere_is_skipped_and_reported);
    RUN(the_next_leader_takes_over_after_a_death);
    RUN(a_dead_senders_stream_ends_with_the_last_packet_that_any_member_has);
    RUN(a_lost_open_does_not_change_the_order);
    RUN(many_holes_of_a_dead_sender_are_filled_within_a_second);
    RUN(messages_that_no_member_waited_for_are_uncertain);
    RUN(an_evicted_node_reports_uncertain_messages_and_rejoins);
    return 0;
}
