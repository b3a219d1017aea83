/* Rules 1.12, 1.15, 1.0.14 and 1.0.15: what an application can ask for when it sends. */
#include "member/member_state.h"
#include "small_world.h"

static void a_payload_is_requested_when_it_is_about_to_leave(void) {
    struct world world;
    world_of(&world, 2, 2);
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    event.as.send.group = 0;
    event.as.send.pull = true;
    event.as.send.cookie = 5;
    struct mcast_output output = {.room = UINT32_MAX};
    CHECK(mcast_member_step(world.members[0].member, &event, 1, world.now, &output) == 0);
    CHECK(output.want_count == 1 && output.wants[0].group == 0 && output.wants[0].cookie == 5);
    CHECK(output.wants[0].budget > 1000 && output.datagram_count == 0);
    world_send(&world, 0, 1, 'x', 10, 0); /* another group goes on meanwhile */
    world_send(&world, 0, 0, 'z', 10, 0); /* the same group waits */
    world_pass(&world);
    CHECK(world.members[1].heard_count == 1 && world.members[1].heard[0].group == 1);
    struct mcast_event answer = {.kind = MCAST_EVENT_PAYLOAD};
    answer.as.payload.group = 0;
    answer.as.payload.cookie = 5;
    answer.as.payload.bytes = (const uint8_t *)"y";
    answer.as.payload.length = 1;
    world_step(&world, 0, &answer, 1);
    world_pass(&world);
    CHECK(world.members[1].heard_count == 3 && world.members[1].heard[1].first == 'y');
    CHECK(world.members[1].heard[2].first == 'z');
    world_free(&world);
}

static void a_payload_request_without_an_answer_is_withdrawn(void) {
    struct world world;
    world_of(&world, 2, 1);
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    event.as.send.pull = true;
    event.as.send.cookie = 5;
    world_step(&world, 0, &event, 1);
    world_send(&world, 0, 0, 'z', 10, 0);
    world_run(&world, 900 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_WITHDRAWN) == 0);
    CHECK(world.members[1].heard_count == 0);
    world_run(&world, 200 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_WITHDRAWN) == 1);
    CHECK(world.members[1].heard_count == 1);
    struct mcast_event late = {.kind = MCAST_EVENT_PAYLOAD};
    late.as.payload.cookie = 5;
    world_step(&world, 0, &late, 1);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_REFUSED) == 1);
    world_free(&world);
}

static int refusal(struct world *world, const struct mcast_event *event) {
    world->members[0].notice_count = 0;
    world_step(world, 0, event, 1);
    CHECK(world->members[0].notice_count == 1);
    CHECK(world->members[0].notices[0].kind == MCAST_NOTICE_REFUSED);
    return world->members[0].notices[0].code;
}

static void an_impossible_send_is_refused_with_its_reason(void) {
    struct world world;
    world_of(&world, 2, 1);
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    event.as.send.group = 3;
    CHECK(refusal(&world, &event) == MCAST_EGROUP);
    event.as.send.group = UINT32_MAX;
    CHECK(refusal(&world, &event) == MCAST_EGROUP);
    event.as.send.group = 0;
    event.as.send.length = 64 * 1024 * 1024 + 1;
    CHECK(refusal(&world, &event) == MCAST_ETOOLONG);
    struct mcast_event join = {.kind = MCAST_EVENT_JOIN};
    CHECK(refusal(&world, &join) == MCAST_EINUSE);
    join.as.join.group = 1 << 20;
    CHECK(refusal(&world, &join) == MCAST_EGROUP);
    struct mcast_event leave = {.kind = MCAST_EVENT_LEAVE};
    leave.as.leave.group = 9;
    CHECK(refusal(&world, &leave) == MCAST_EGROUP);
    struct mcast_event payload = {.kind = MCAST_EVENT_PAYLOAD};
    CHECK(refusal(&world, &payload) == MCAST_ENOTASKED);
    struct mcast_event rejoin = {.kind = MCAST_EVENT_REJOIN};
    CHECK(refusal(&world, &rejoin) == MCAST_EINVAL);
    world_free(&world);
}

static void a_long_message_goes_in_pieces_between_others(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.window_floor = config.window_cap = 20000;
        uint32_t index = world_add(&world, &config);
        world_join(&world, index, 0);
        world_join(&world, index, 1);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 'L', 100000, 1);
    world_send(&world, 0, 1, 's', 10, 2);
    world_run(&world, MCAST_SECOND);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(world.members[i].heard_count == 2);
    }
    CHECK(world.members[1].heard[0].first == 's'); /* it overtook the long one */
    CHECK(world.members[1].heard[1].first == 'L' && world.members[1].heard[1].length == 100000);
    struct mcast_stats stats = world_stats(&world, 1);
    CHECK(stats.messages_assembled == 1 && stats.reassembly_bytes == 0);
    CHECK(world_stats(&world, 0).fragments_sent >= 69);
    world_free(&world);
}

static bool lose_every_seventh(struct world *world, const struct world_flight *flight) {
    return world_type(flight) == MCAST_WIRE_DATA && world->seen[MCAST_WIRE_DATA] % 7 == 3;
}

static void a_long_message_survives_loss(void) {
    struct world world;
    world_of(&world, 3, 1);
    world.lose = lose_every_seventh;
    world_send(&world, 0, 0, 'L', 2000000, 1);
    world_run(&world, 10 * MCAST_SECOND);
    CHECK(world.members[2].heard_count == 1 && world.members[2].heard[0].length == 2000000);
    CHECK(world.members[0].stable == 1);
    world_free(&world);
}

static void a_long_message_without_memory_is_refused_at_its_head(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 2; i++) {
        struct mcast_config config = world_config(i);
        config.reassembly_cap = i == 1 ? 50000 : 1000000;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 'L', 60000, 0);
    world_send(&world, 0, 0, 'M', 40000, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[1].heard_count == 1 && world.members[1].heard[0].first == 'M');
    CHECK(world_notices(&world, 1, MCAST_NOTICE_DROPPED) == 1);
    CHECK(world_stats(&world, 1).heads_refused == 1);
    world_free(&world);
}

static void small_messages_share_a_packet_within_the_delay(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 2; i++) {
        struct mcast_config config = world_config(i);
        config.batch_delay = 5 * MCAST_MILLISECOND;
        uint32_t index = world_add(&world, &config);
        world_join(&world, index, 0);
        world_join(&world, index, 1);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    for (uint8_t i = 0; i < 20; i++) {
        world_send(&world, 0, i % 2, i, 30, i + 1);
    }
    world_pass(&world);
    CHECK(world.members[1].heard_count == 0 && world.seen[MCAST_WIRE_DATA] == 1);
    world_run(&world, 5 * MCAST_MILLISECOND);
    CHECK(world.members[1].heard_count == 20 && world.seen[MCAST_WIRE_DATA] == 2);
    for (uint8_t i = 0; i < 60; i++) {
        world_send(&world, 0, 0, i, 100, 0); /* a full packet does not wait */
    }
    world_pass(&world);
    CHECK(world.members[1].heard_count > 60);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[1].heard_count == 80);
    world_free(&world);
}

static void all_members_learn_stability_when_the_group_asks(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        struct mcast_group_policy policy = {.tell_stable = true};
        world_join_with(&world, world_add(&world, &config), 0, policy);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 1, 30, 1);
    uint64_t before = world.seen[MCAST_WIRE_DATA];
    world_run(&world, MCAST_SECOND);
    CHECK(world.seen[MCAST_WIRE_DATA] == before + 1); /* the announcement that it is stable */
    CHECK(world.members[0].stable == 1);
    CHECK(world.members[1].told == 1 && world.members[2].told == 1);
    world_free(&world);
}

static void the_window_bounds_the_bytes_under_way(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 2; i++) {
        struct mcast_config config = world_config(i);
        config.window_floor = config.window_cap = 20000;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world.members[1].deaf = true;
    for (uint32_t i = 0; i < 100; i++) {
        world_send(&world, 0, 0, (uint8_t)i, 1000, i + 1);
    }
    struct mcast_stats stats = world_stats(&world, 0);
    CHECK(stats.pending_bytes <= 20000 && stats.pending_messages > 70);
    world.members[1].deaf = false;
    world_run(&world, 5 * MCAST_SECOND);
    CHECK(world.members[0].stable == 100 && world.members[1].heard_count == 100);
    world_free(&world);
}

static void send_paced(struct world *world, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++) {
        world_send(world, 0, 0, (uint8_t)i, 1000, i + 1);
        world_run(world, 5 * MCAST_MILLISECOND);
    }
}

static void sending_goes_on_beyond_a_stopped_receivers_queue(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.window_floor = config.window_room = 20000;
        config.window_cap = 60000;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    send_paced(&world, 0, 60);
    CHECK(world_stats(&world, 0).window_bytes <= 20000);
    world.members[2].deaf = true;
    send_paced(&world, 60, 115);
    struct mcast_stats stats = world_stats(&world, 0);
    CHECK(stats.pending_bytes > 50000 && stats.pending_bytes <= 60000);
    CHECK(world.members[1].heard_count > 110);
    world.members[2].deaf = false;
    world_run(&world, 5 * MCAST_SECOND);
    CHECK(world.members[0].stable == 115 && world.members[2].heard_count == 115);
    world_free(&world);
}

static void the_rate_cap_is_kept(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 2; i++) {
        struct mcast_config config = world_config(i);
        config.rate_cap = 200000;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    for (uint32_t i = 0; i < 1000; i++) {
        world_send(&world, 0, 0, (uint8_t)i, 950, i + 1);
    }
    uint64_t before = world_stats(&world, 0).bytes_sent;
    world_run(&world, 2 * MCAST_SECOND);
    uint64_t bytes = world_stats(&world, 0).bytes_sent - before;
    CHECK(bytes > 360000 && bytes < 440000);
    world_run(&world, 4 * MCAST_SECOND);
    CHECK(world.members[0].stable == 1000 && world.members[1].heard_count == 1000);
    world_free(&world);
}

static void a_driver_without_room_gets_no_data(void) {
    struct world world;
    world_of(&world, 2, 1);
    struct mcast_event event = {.kind = MCAST_EVENT_SEND};
    event.as.send.bytes = (const uint8_t *)"abc";
    event.as.send.length = 3;
    struct mcast_output output = {.room = 0};
    CHECK(mcast_member_step(world.members[0].member, &event, 1, world.now, &output) == 0);
    CHECK(output.datagram_count == 0 && output.more);
    output.room = 8;
    CHECK(mcast_member_step(world.members[0].member, NULL, 0, world.now, &output) == 0);
    CHECK(output.datagram_count == 2); /* OPEN and the message */
    world_carry_out(&world, 0, &output);
    world_pass(&world);
    CHECK(world.members[1].heard_count == 1);
    world_free(&world);
}

static void a_registered_sender_sends_from_outside(void) {
    struct world world;
    world_of(&world, 3, 1);
    struct mcast_config config = world_config(3);
    uint32_t outside = world_add(&world, &config);
    struct mcast_event event = {.kind = MCAST_EVENT_REGISTER};
    event.as.join.group = 4;
    event.as.join.id = (struct mcast_id){2, 1};
    world_step(&world, outside, &event, 1);
    world_run(&world, 300 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, outside, MCAST_NOTICE_REGISTERED) == 1);
    world_send(&world, outside, 4, 'o', 30, 3);
    world_run(&world, MCAST_SECOND);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(world.members[i].heard_count == 1 && world.members[i].heard[0].first == 'o');
    }
    CHECK(world.members[outside].heard_count == 0 && world.members[outside].stable == 3);
    world_free(&world);
}

static void a_stopping_member_leaves_in_order(void) {
    struct world world;
    world_of(&world, 3, 2);
    world_send(&world, 2, 0, 'a', 30, 1);
    struct mcast_event stop = {.kind = MCAST_EVENT_STOP};
    world_step(&world, 2, &stop, 1);
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_STOPPED) == 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_LEFT) == 2);
    CHECK(world.members[0].heard_count == 1 && world.members[1].heard_count == 1);
    world_free(&world);
}

static bool lose_first_data(struct world *world, const struct world_flight *flight) {
    bool *lost = world->user;
    if (*lost || world_type(flight) != MCAST_WIRE_DATA) {
        return false;
    }
    return *lost = true;
}

/* Create @count members in group 0, and one more that joins it or sends to it from outside. Return
 * its index. */
static uint32_t begin_with_a_guest(struct world *world, uint32_t count,
                                   enum mcast_event_kind kind) {
    world_of(world, count, 1);
    struct mcast_config config = world_config(count);
    uint32_t guest = world_add(world, &config);
    struct mcast_event event = {.kind = kind};
    event.as.join.id = (struct mcast_id){2, 1};
    event.as.join.policy.tell_stable = true;
    world_step(world, guest, &event, 1);
    world_run(world, 300 * MCAST_MILLISECOND);
    return guest;
}

/* The last message is lost; its sender, a member or an outside sender, leaves when it has arrived.
 */
static void leave_waits_until_all_have_the_messages(void) {
    const enum mcast_event_kind kinds[] = {MCAST_EVENT_JOIN, MCAST_EVENT_REGISTER};
    for (size_t i = 0; i < 2; i++) {
        struct world world;
        uint32_t leaver = begin_with_a_guest(&world, 3, kinds[i]);
        world_send(&world, leaver, 0, 'a', 30, 1);
        world_run(&world, MCAST_SECOND);
        bool lost = false;
        world.user = &lost;
        world.lose = lose_first_data;
        world_send(&world, leaver, 0, 'b', 30, 2);
        world_leave(&world, leaver, 0);
        CHECK(world_notices(&world, leaver, MCAST_NOTICE_LEFT) == 0);
        world_send(&world, leaver, 0, 'c', 30, 3);
        CHECK(world_notices(&world, leaver, MCAST_NOTICE_REFUSED) == 1);
        world_run(&world, MCAST_SECOND);
        CHECK(lost && world_notices(&world, leaver, MCAST_NOTICE_LEFT) == 1);
        CHECK(world.members[leaver].stable == 2);
        CHECK(world_notices(&world, leaver, MCAST_NOTICE_UNCERTAIN) == 0);
        for (uint32_t other = 0; other < 3; other++) {
            const struct world_member *member = &world.members[other];
            CHECK(member->heard_count == 2 && member->heard[1].first == 'b');
        }
        world_free(&world);
    }
}

static bool lose_acknowledgements(struct world *world, const struct world_flight *flight) {
    (void)world;
    return world_type(flight) == MCAST_WIRE_ACK;
}

static void leave_does_not_wait_for_ever(void) {
    struct world world;
    uint32_t leaver = begin_with_a_guest(&world, 3, MCAST_EVENT_REGISTER);
    world.lose = lose_acknowledgements;
    world_send(&world, leaver, 0, 'a', 30, 1);
    world_leave(&world, leaver, 0);
    world_run(&world, 16 * MCAST_SECOND); /* more than three suspicion times and two seconds */
    CHECK(world_notices(&world, leaver, MCAST_NOTICE_LEFT) == 0);
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world_notices(&world, leaver, MCAST_NOTICE_LEFT) == 1);
    CHECK(world_notices(&world, leaver, MCAST_NOTICE_UNCERTAIN) == 1);
    world_free(&world);
}

static bool lose_data_and_acknowledgements(struct world *world, const struct world_flight *flight) {
    return world_type(flight) == MCAST_WIRE_DATA || world_type(flight) == MCAST_WIRE_REPAIR ||
           lose_acknowledgements(world, flight);
}

static bool lose_data(struct world *world, const struct world_flight *flight) {
    return lose_data_and_acknowledgements(world, flight) && !lose_acknowledgements(world, flight);
}

/* The announcement of stability is lost, and for a second everything that would repair it. It may
 * be under way when LEAVE is asked for, or leave after that. */
static void leave_waits_until_all_know_that_messages_are_stable(void) {
    for (int late = 0; late < 2; late++) {
        struct world world;
        uint32_t leaver = begin_with_a_guest(&world, 2, MCAST_EVENT_REGISTER);
        world_send(&world, leaver, 0, 'a', 30, 1);
        if (late) {
            world_leave(&world, leaver, 0);
        }
        bool lost = false;
        world_pass(&world);
        world.user = &lost;
        world.lose = lose_first_data;
        while (!lost) {
            world_run(&world, MCAST_MILLISECOND);
        }
        if (!late) {
            world_leave(&world, leaver, 0);
        }
        CHECK(world.members[leaver].stable == 1 && world.members[0].told == 0);
        world.lose = lose_data_and_acknowledgements;
        world_run(&world, MCAST_SECOND);
        CHECK(world_notices(&world, leaver, MCAST_NOTICE_LEFT) == 0);
        world.lose = NULL;
        world_run(&world, MCAST_SECOND);
        CHECK(world_notices(&world, leaver, MCAST_NOTICE_LEFT) == 1);
        CHECK(world.members[0].told == 1 && world.members[1].told == 1);
        CHECK(world_notices(&world, leaver, MCAST_NOTICE_UNCERTAIN) == 0);
        world_free(&world);
    }
}

/* The first of two messages is acknowledged after ten seconds, the second after twenty. */
static void leave_waits_while_acknowledgements_progress(void) {
    struct world world;
    uint32_t leaver = begin_with_a_guest(&world, 3, MCAST_EVENT_REGISTER);
    world.lose = lose_acknowledgements;
    world_send(&world, leaver, 0, 'a', 30, 1);
    world_run(&world, MCAST_MILLISECOND);
    world.lose = lose_data_and_acknowledgements;
    world_send(&world, leaver, 0, 'b', 30, 2);
    world_leave(&world, leaver, 0);
    world_run(&world, 10 * MCAST_SECOND);
    CHECK(world.members[leaver].stable == 0);
    world.lose = lose_data;
    world_run(&world, 10 * MCAST_SECOND);
    CHECK(world.members[leaver].stable == 1);
    CHECK(world_notices(&world, leaver, MCAST_NOTICE_LEFT) == 0);
    world.lose = NULL;
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world_notices(&world, leaver, MCAST_NOTICE_LEFT) == 1);
    CHECK(world_notices(&world, leaver, MCAST_NOTICE_UNCERTAIN) == 0);
    CHECK(world.members[0].heard_count == 2);
    world_free(&world);
}

/* Eight members in group 0, each in a group of its own besides: eight regions; a driver that takes
 * four datagrams at once. */
static void a_group_with_more_regions_than_the_drivers_room_is_sent(void) {
    struct world world;
    world_of(&world, 8, 1);
    for (uint32_t i = 0; i < 8; i++) {
        world_join(&world, i, 1 + i);
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    world.room = 4;
    for (uint8_t i = 0; i < 20; i++) {
        world_send(&world, 0, 0, i, 20, i + 1);
        world_send(&world, 0, 1, i, 20, 0);
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    for (uint32_t i = 0; i < 8; i++) {
        CHECK(world.members[i].heard_count == (i == 0 ? 40 : 20));
    }
    CHECK(world.members[0].stable == 20);
    world_free(&world);
}

/* Three regions carry group 0. Memory ends at some point of sending a message, and returns before
 * the next view: if one member has a part of it, all get it, in the views it was bound to. */
static void a_message_reaches_all_regions_before_their_view_closes(void) {
    uint32_t parted = 0;
    for (size_t served = 1; served < 60; served++) {
        struct world world;
        world_of(&world, 4, 1);
        world_join(&world, 1, 1);
        world_join(&world, 2, 2);
        world_run(&world, 500 * MCAST_MILLISECOND);
        struct mcast_member *member = world.members[0].member;
        struct mcast_group *group = mcast_group_at(member, 0);
        CHECK(group->route->count == 3);
        world.memory.calls = 0;
        world.memory.refuse = served;
        world_send(&world, 0, 0, 'x', 20, 1);
        world.memory.refuse = 0;
        if (member->partly_sent) {
            parted++;
            CHECK(group->active->first->done > 0);
            (void)mcast_view_close(member, group->route->views[2]);
            CHECK(!member->partly_sent && group->active->first == NULL);
            for (size_t i = 0; i < 3; i++) {
                CHECK(group->route->views[i]->out->last == 2); /* OPEN and the message */
            }
        }
        world.memory.refused = false;
        world_free(&world);
    }
    CHECK(parted > 0);
}

/* Lose the third packet of the stream at the last member, always. */
static bool lose_third_to_last(struct world *world, const struct world_flight *flight) {
    (void)world;
    uint8_t type = world_type(flight);
    return type == MCAST_WIRE_REPAIR || type == MCAST_WIRE_REQUEST ||
           (type == MCAST_WIRE_DATA && flight->buffer->bytes[MCAST_HEADER_SIZE + 7] == 3);
}

/* Return how many packets of eight are unacknowledged while one of them is missing. */
static uint64_t pending_behind_a_gap(uint32_t ranges) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.ack_ranges = ranges;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_send(&world, 1, 0, 'a', 30, 0);
    world_run(&world, MCAST_SECOND);
    world.lose = lose_third_to_last;
    for (uint64_t i = 1; i <= 8; i++) {
        world_send(&world, 1, 0, 'b', 30, i);
        world_run(&world, 5 * MCAST_MILLISECOND);
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    uint64_t pending = world_stats(&world, 1).pending_packets;
    CHECK(world.members[1].stable == 0);
    world.lose = NULL;
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world_stats(&world, 1).pending_packets == 0 && world.members[1].stable == 8);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(world.members[i].heard_count == 9);
    }
    world_free(&world);
    return pending;
}

/* For comparison with the papers: packets that the ranges list are acknowledged, but become stable
 * only in order. */
static void an_ack_with_ranges_covers_packets_behind_a_gap(void) {
    CHECK(pending_behind_a_gap(0) == 8);
    CHECK(pending_behind_a_gap(32) == 1);
}

int main(void) {
    RUN(a_payload_is_requested_when_it_is_about_to_leave);
    RUN(a_payload_request_without_an_answer_is_withdrawn);
    RUN(an_impossible_send_is_refused_with_its_reason);
    RUN(a_long_message_goes_in_pieces_between_others);
    RUN(a_long_message_survives_loss);
    RUN(a_long_message_without_memory_is_refused_at_its_head);
    RUN(small_messages_share_a_packet_within_the_delay);
    RUN(all_members_learn_stability_when_the_group_asks);
    RUN(the_window_bounds_the_bytes_under_way);
    RUN(sending_goes_on_beyond_a_stopped_receivers_queue);
    RUN(the_rate_cap_is_kept);
    RUN(a_driver_without_room_gets_no_data);
    RUN(a_registered_sender_sends_from_outside);
    RUN(leave_waits_until_all_have_the_messages);
    RUN(leave_waits_until_all_know_that_messages_are_stable);
    RUN(leave_does_not_wait_for_ever);
    RUN(leave_waits_while_acknowledgements_progress);
    RUN(a_stopping_member_leaves_in_order);
    RUN(a_group_with_more_regions_than_the_drivers_room_is_sent);
    RUN(a_message_reaches_all_regions_before_their_view_closes);
    RUN(an_ack_with_ranges_covers_packets_behind_a_gap);
    return 0;
}
