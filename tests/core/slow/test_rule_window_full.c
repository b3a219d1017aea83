/* Rules 1.0.3, 1.0.4: senders have no more room, because a member stands still. */
#include "mcast/error.h"
#include "restarting_world.h"

enum { CAP = 60000, PACKETS = 57 }; /* packets of 1,000 bytes fill the cap */

/* Create @count members of one group, each with at most CAP bytes under way. */
static void world_narrow(struct world *world, uint32_t count, enum mcast_pace pace) {
    world_init(world);
    for (uint32_t i = 0; i < count; i++) {
        struct mcast_config config = world_config(i);
        config.window_floor = config.window_cap = CAP;
        config.pace = pace;
        world_join(world, world_add(world, &config), 0);
    }
    world_run(world, 2 * MCAST_SECOND);
}

static void send_paced(struct world *world, uint32_t sender, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        world_send(world, sender, 0, (uint8_t)i, 1000, i + 1);
        world_run(world, 5 * MCAST_MILLISECOND);
    }
}

/* Return the code with which member @index was told that it is evicted; 0 while it is not. */
static int eviction(const struct world *world, uint32_t index) {
    for (size_t i = 0; i < world->members[index].notice_count; i++) {
        if (world->members[index].notices[i].kind == MCAST_NOTICE_EVICTED) {
            return world->members[index].notices[i].code;
        }
    }
    return 0;
}

static uint32_t evictions(const struct world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        count += eviction(world, i) != 0 ? 1 : 0;
    }
    return count;
}

/* Check that all but @first and @second heard @count messages, and nothing is under way. */
static void others_heard(const struct world *world, uint32_t first, uint32_t second,
                         uint32_t sender, size_t count) {
    for (uint32_t i = 0; i < world->count; i++) {
        CHECK(i == first || i == second || world->members[i].heard_count == count);
    }
    CHECK(world_stats(world, sender).pending_packets == 0);
}

static void a_member_that_stops_while_windows_are_full_is_evicted_and_told(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world.members[3].deaf = true;
    send_paced(&world, 1, PACKETS + 20); /* 385 ms, of which 285 fill the cap */
    world_run(&world, MCAST_SECOND);
    CHECK(eviction(&world, 3) == MCAST_EBEHIND && evictions(&world) == 1);
    others_heard(&world, 3, 3, 1, PACKETS + 20);
    world_free(&world);
}

/* Where rounds may follow each other at once, lost rounds would leave no packet of the budget for a
 * call. */
static void a_stopped_member_is_evicted_where_rounds_are_quick(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.window_floor = config.window_cap = CAP;
        config.interval_floor = 2 * MCAST_MILLISECOND;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 2 * MCAST_SECOND);
    world.members[2].deaf = true;
    world_send(&world, 0, 0, 'b', 1000, 1);
    world_run(&world, MCAST_SECOND); /* lost rounds spend what was saved */
    for (uint32_t i = 0; i < PACKETS + 20; i++) {
        world_send(&world, 0, 0, (uint8_t)i, 1000, i + 1);
    }
    world_run(&world, MCAST_SECOND);
    CHECK(eviction(&world, 2) == MCAST_EBEHIND && evictions(&world) == 1);
    others_heard(&world, 2, 2, 0, PACKETS + 21);
    world_free(&world);
}

/* A long message stops at half of the window, so nobody reports a full window. */
static void a_stopped_member_is_evicted_where_long_messages_wait(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world.members[3].deaf = true;
    for (uint8_t i = 0; i < 4; i++) {
        world_send(&world, 1, 0, i, CAP / 2, i + 1);
    }
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_stats(&world, 1).pending_bytes < CAP * 2 / 3 && evictions(&world) == 0);
    world_run(&world, 900 * MCAST_MILLISECOND);
    CHECK(eviction(&world, 3) == MCAST_EBEHIND && evictions(&world) == 1);
    others_heard(&world, 3, 3, 1, 4);
    world_free(&world);
}

static void a_single_long_message_waits_for_a_stopped_member(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world.members[3].deaf = true;
    world_send(&world, 1, 0, 'l', CAP / 2, 1);
    world_run(&world, MCAST_SECOND);
    CHECK(evictions(&world) == 0);
    world.members[3].deaf = false;
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(evictions(&world) == 0);
    others_heard(&world, 5, 5, 1, 1);
    world_free(&world);
}

static void a_stopped_leader_is_evicted(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world.members[0].deaf = true;
    send_paced(&world, 3, PACKETS + 20);
    world_run(&world, MCAST_SECOND);
    CHECK(eviction(&world, 0) == MCAST_EBEHIND && evictions(&world) == 1);
    others_heard(&world, 0, 0, 3, PACKETS + 20);
    world_free(&world);
}

static void two_stopped_first_seats_are_evicted(void) {
    struct world world;
    world_narrow(&world, 6, MCAST_ADAPTIVE);
    world.members[0].deaf = world.members[1].deaf = true;
    send_paced(&world, 4, PACKETS + 20);
    world_run(&world, MCAST_SECOND);
    CHECK(eviction(&world, 0) == MCAST_EBEHIND && eviction(&world, 1) == MCAST_EBEHIND);
    CHECK(evictions(&world) == 2);
    others_heard(&world, 0, 1, 4, PACKETS + 20);
    world_free(&world);
}

static void below_the_cap_a_stopped_member_is_waited_for_and_repaired(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world.members[3].deaf = true;
    send_paced(&world, 1, PACKETS - 2);
    world_run(&world, 800 * MCAST_MILLISECOND);
    CHECK(evictions(&world) == 0);
    world.members[3].deaf = false;
    world_run(&world, 3 * MCAST_SECOND);
    others_heard(&world, 5, 5, 1, PACKETS - 2);
    world_free(&world);
}

static void kept_bytes_never_exceed_the_cap(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world.members[3].deaf = true;
    for (uint32_t i = 0; i < 600; i++) {
        world_send(&world, 1, 0, (uint8_t)i, 1000, i + 1);
        world_run(&world, MCAST_MILLISECOND);
        if (evictions(&world) == 0) {
            CHECK(world_stats(&world, 1).pending_bytes <= CAP);
            CHECK(world_stats(&world, 2).cached_bytes <= CAP);
        }
    }
    CHECK(evictions(&world) == 1);
    world_free(&world);
}

static void of_two_members_the_stopped_one_is_waited_for(void) {
    struct world world;
    world_narrow(&world, 2, MCAST_ADAPTIVE);
    world.members[1].deaf = true;
    send_paced(&world, 0, PACKETS + 20);
    world_run(&world, MCAST_SECOND);
    CHECK(evictions(&world) == 0);
    world.members[1].deaf = false;
    world_run(&world, 3 * MCAST_SECOND);
    others_heard(&world, 2, 2, 0, PACKETS + 20);
    world_free(&world);
}

/* Two of four: nobody can say which half stands still. */
static void half_of_a_region_that_stops_is_waited_for(void) {
    struct world world;
    world_narrow(&world, 4, MCAST_ADAPTIVE);
    world.members[2].deaf = world.members[3].deaf = true;
    send_paced(&world, 1, PACKETS + 20);
    world_run(&world, MCAST_SECOND);
    CHECK(evictions(&world) == 0);
    world.members[2].deaf = world.members[3].deaf = false;
    world_run(&world, 3 * MCAST_SECOND);
    others_heard(&world, 4, 4, 1, PACKETS + 20);
    world_free(&world);
}

/* Make all answers late, as on a busy machine: one in a sixth of a second arrives. */
static bool answers_late(struct world *world, const struct world_flight *flight) {
    bool answer = world_type(flight) == MCAST_WIRE_CALL && flight->to.ip[14] != 239;
    return answer && world->now / MCAST_MILLISECOND % 150 >= 15;
}

static void nobody_is_evicted_where_all_answer_late(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world.lose = answers_late;
    world.members[3].deaf = true;
    send_paced(&world, 1, PACKETS + 20);
    CHECK(evictions(&world) == 0); /* though it has been silent for 385 ms */
    world.members[3].deaf = false;
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(evictions(&world) == 0);
    others_heard(&world, 5, 5, 1, PACKETS + 20);
    world_free(&world);
}

/* Lose all tokens for a while; everybody answers. */
static bool loses_tokens(struct world *world, const struct world_flight *flight) {
    (void)world;
    return world_type(flight) == MCAST_WIRE_TOKEN;
}

static void nobody_is_evicted_for_a_lost_round(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world.lose = loses_tokens;
    send_paced(&world, 1, PACKETS + 20);
    world_run(&world, MCAST_SECOND);
    world.lose = NULL;
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(evictions(&world) == 0);
    others_heard(&world, 5, 5, 1, PACKETS + 20);
    world_free(&world);
}

static void the_papers_mode_waits_for_a_stopped_member(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_FIXED);
    world.members[3].deaf = true;
    send_paced(&world, 1, PACKETS + 20);
    world_run(&world, MCAST_SECOND);
    CHECK(evictions(&world) == 0 && world.seen[MCAST_WIRE_CALL] == 0);
    world_free(&world);
}

/* Let member @from report to the service that @other stands still, in the view that all are in. */
static void accuse(struct world *world, uint32_t from, uint32_t other, mcast_view view) {
    struct mcast_service_message message = {.kind = MCAST_SM_SUSPECT};
    message.as.suspect.node = other + 1;
    message.as.suspect.view = view;
    message.as.suspect.full = true;
    uint8_t *bytes = NULL;
    size_t length = 0, room = 0;
    CHECK(mcast_service_message_encode(&message, &world->network.alloc, &bytes, &length, &room) ==
          MCAST_OK);
    world_service(world, &(struct mcast_service_event){.kind = MCAST_SERVICE_MESSAGE,
                                                       .connection = from + 1,
                                                       .bytes = bytes,
                                                       .length = length});
    (void)world->network.alloc.resize(world->network.alloc.context, bytes, room, 0);
}

static bool notes_view(struct world *world, const struct world_flight *flight) {
    if (world_type(flight) == MCAST_WIRE_DATA) {
        *(mcast_view *)world->user = world_view_of(flight);
    }
    return false;
}

static mcast_view view_of(struct world *world) {
    mcast_view view = 0;
    world->user = &view;
    world->lose = notes_view;
    world_send(world, 1, 0, 'x', 10, 0);
    world_run(world, 50 * MCAST_MILLISECOND);
    world->lose = NULL;
    CHECK(view != 0);
    return view;
}

static void only_the_first_seat_is_believed_at_once(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    mcast_view view = view_of(&world);
    accuse(&world, 3, 2, view);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(evictions(&world) == 0);
    accuse(&world, 0, 4, view);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(eviction(&world, 4) == MCAST_EBEHIND && evictions(&world) == 1);
    world_free(&world);
}

static void a_seat_that_accuses_all_before_it_is_believed(void) {
    struct world world;
    world_narrow(&world, 6, MCAST_ADAPTIVE);
    mcast_view view = view_of(&world);
    accuse(&world, 2, 0, view);
    world_run(&world, 10 * MCAST_MILLISECOND);
    CHECK(evictions(&world) == 0); /* 1 sits between, and lives */
    accuse(&world, 2, 1, view);
    CHECK(eviction(&world, 1) == MCAST_EBEHIND);
    accuse(&world, 2, 0, view);
    CHECK(eviction(&world, 0) == MCAST_EBEHIND && evictions(&world) == 2);
    world_free(&world);
}

/* After its start the service removes nobody by its own conclusions; this accusation is a member's.
 */
static void a_service_that_just_started_believes_an_accusation(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    world_replace_service(&world, 2);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(evictions(&world) == 0);
    accuse(&world, 0, 4, view_of(&world));
    CHECK(eviction(&world, 4) == MCAST_EBEHIND && evictions(&world) == 1);
    world_free(&world);
}

static void no_member_is_removed_before_the_service_knows_the_views(void) {
    struct world world;
    world_narrow(&world, 5, MCAST_ADAPTIVE);
    mcast_view view = view_of(&world);
    world_replace_service(&world, 2);
    accuse(&world, 0, 4, view);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(evictions(&world) == 0);
    world_free(&world);
}

/* Let @span pass while members @first … @last do not run. */
static void stand_still(struct world *world, uint32_t first, uint32_t last, mcast_time span) {
    for (uint32_t i = first; i <= last; i++) {
        world->members[i].deaf = true;
    }
    world_run(world, span);
    for (uint32_t i = first; i <= last; i++) {
        world->members[i].deaf = i == 3;
    }
}

/* Member 3 of five stands still, senders wait for it, and calls have gone out for about 100 ms. */
static void world_waiting(struct world *world) {
    world_narrow(world, 5, MCAST_ADAPTIVE);
    world->members[3].deaf = true;
    for (uint32_t i = 0; i < PACKETS + 20; i++) {
        world_send(world, 1, 0, (uint8_t)i, 1000, i + 1);
    }
    world_run(world, 150 * MCAST_MILLISECOND);
    CHECK(evictions(world) == 0);
}

static void a_caller_that_was_briefly_away_goes_on_counting(void) {
    struct world world;
    world_waiting(&world);
    stand_still(&world, 0, 0, 45 * MCAST_MILLISECOND);
    world_run(&world, 75 * MCAST_MILLISECOND);
    CHECK(evictions(&world) == 0); /* though it was silent for 200 ms */
    world_run(&world, 40 * MCAST_MILLISECOND);
    CHECK(eviction(&world, 3) == MCAST_EBEHIND && evictions(&world) == 1);
    world_free(&world);
}

/* The machine sleeps: everybody was silent. */
static void silence_while_the_caller_is_away_does_not_count(void) {
    struct world world;
    world_waiting(&world);
    stand_still(&world, 0, 4, 600 * MCAST_MILLISECOND);
    world_run(&world, 40 * MCAST_MILLISECOND);
    CHECK(evictions(&world) == 0);
    world.members[3].deaf = false;
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(evictions(&world) == 0);
    others_heard(&world, 5, 5, 1, PACKETS + 20);
    world_free(&world);
}

/* Return how long it takes until all @count messages of the first of two members are acknowledged,
 * from when the other, which received none of them, runs again. */
static mcast_time time_to_repair(uint32_t count) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 2; i++) {
        struct mcast_config config = world_config(i);
        config.window_floor = config.window_cap = 1000000;
        config.rate_cap = 10000000;
        config.pace = MCAST_ADAPTIVE;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 2 * MCAST_SECOND);
    world.members[1].deaf = true;
    for (uint32_t i = 0; i < count; i++) {
        world_send(&world, 0, 0, (uint8_t)i, 1000, i + 1);
    }
    world_run(&world, 200 * MCAST_MILLISECOND);
    world.members[1].deaf = false;
    mcast_time begun = world.now;
    while (world_stats(&world, 0).pending_packets > 0 ||
           world_stats(&world, 0).pending_messages > 0) {
        CHECK(world.now < begun + 5 * MCAST_SECOND);
        world_run(&world, 5 * MCAST_MILLISECOND);
    }
    CHECK(world.members[1].heard_count == count);
    mcast_time took = world.now - begun;
    world_free(&world);
    return took;
}

/* 900 packets have room; of 1,100 the last 150 wait. */
static void a_packet_that_a_sender_waits_for_is_repaired_sooner(void) {
    CHECK(2 * time_to_repair(1100) < time_to_repair(900));
}

int main(void) {
    RUN(a_member_that_stops_while_windows_are_full_is_evicted_and_told);
    RUN(a_stopped_member_is_evicted_where_rounds_are_quick);
    RUN(a_stopped_member_is_evicted_where_long_messages_wait);
    RUN(a_single_long_message_waits_for_a_stopped_member);
    RUN(a_stopped_leader_is_evicted);
    RUN(two_stopped_first_seats_are_evicted);
    RUN(below_the_cap_a_stopped_member_is_waited_for_and_repaired);
    RUN(kept_bytes_never_exceed_the_cap);
    RUN(of_two_members_the_stopped_one_is_waited_for);
    RUN(half_of_a_region_that_stops_is_waited_for);
    RUN(nobody_is_evicted_where_all_answer_late);
    RUN(nobody_is_evicted_for_a_lost_round);
    RUN(the_papers_mode_waits_for_a_stopped_member);
    RUN(only_the_first_seat_is_believed_at_once);
    RUN(a_seat_that_accuses_all_before_it_is_believed);
    RUN(a_service_that_just_started_believes_an_accusation);
    RUN(no_member_is_removed_before_the_service_knows_the_views);
    RUN(a_caller_that_was_briefly_away_goes_on_counting);
    RUN(silence_while_the_caller_is_away_does_not_count);
    RUN(a_packet_that_a_sender_waits_for_is_repaired_sooner);
    return 0;
}
