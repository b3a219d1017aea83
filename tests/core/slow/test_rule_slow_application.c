/* Rule 1.0.4: a slow application affects one group at one member. */
#include "small_world.h"
#include "wire/flow.h"

/* Create three members in groups 0 and 1; member 2 limits its queue of group 0 to 16 messages. */
static void world_with(struct world *world, enum mcast_slow_policy slow) {
    world_init(world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        struct mcast_group_policy policy = {.slow = slow, .queue_messages = i == 2 ? 16 : 0};
        uint32_t index = world_add(world, &config);
        world_join_with(world, index, 0, policy);
        world_join(world, index, 1);
    }
    world_run(world, 300 * MCAST_MILLISECOND);
}

/* Create three members in group 0, each with a window of @window bytes as its only limit. */
static void world_of_windows(struct world *world, uint64_t window) {
    world_init(world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.window_floor = config.window_cap = window;
        world_join(world, world_add(world, &config), 0);
    }
    world_run(world, 300 * MCAST_MILLISECOND);
}

static uint32_t heard_of(const struct world *world, uint32_t index, uint32_t group) {
    uint32_t count = 0;
    for (size_t i = 0; i < world->members[index].heard_count; i++) {
        count += world->members[index].heard[i].group == group ? 1 : 0;
    }
    return count;
}

static void consume(struct world *world, uint32_t messages) {
    struct mcast_event event = {.kind = MCAST_EVENT_CONSUMED};
    event.as.consumed.group = 0;
    event.as.consumed.messages = messages;
    event.as.consumed.bytes = 20 * messages;
    world_step(world, 2, &event, 1);
}

static void throttling_pauses_the_senders_of_that_group_only(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_THROTTLE);
    for (uint8_t i = 0; i < 100; i++) {
        world_send(&world, 0, 0, i, 20, 0);
        world_send(&world, 0, 1, i, 20, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(world_notices(&world, 0, MCAST_NOTICE_PAUSED) == 1);
    CHECK(heard_of(&world, 2, 0) < 16 && heard_of(&world, 2, 1) == 100);
    CHECK(heard_of(&world, 1, 0) == heard_of(&world, 2, 0)); /* the sender waits for all */
    CHECK(world_stats(&world, 0).pending_messages > 80);
    CHECK(world_stats(&world, 0).pending_packets <
          40); /* its messages are acknowledged all the same */
    for (uint32_t i = 0; i < 2000 && heard_of(&world, 2, 0) < 100; i++) {
        consume(&world, 1);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(heard_of(&world, 2, 0) == 100 && heard_of(&world, 1, 0) == 100);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_RESUMED) >= 1);
    CHECK(world_stats(&world, 2).messages_dropped == 0);
    world_free(&world);
}

static void a_pause_ends_when_its_receiver_is_gone(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_THROTTLE);
    for (uint8_t i = 0; i < 30; i++) {
        world_send(&world, 0, 0, i, 20, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(heard_of(&world, 1, 0) < 16);
    world_crash(&world, 2);
    world_run(&world, 8 * MCAST_SECOND);
    CHECK(heard_of(&world, 1, 0) == 30);
    world_free(&world);
}

static void flow(struct world *world, uint32_t from, bool pause, uint32_t credit) {
    static uint64_t counter = 1000000;
    uint8_t bytes[128] = {0};
    struct mcast_header header = {.type = MCAST_WIRE_FLOW,
                                  .cluster = 7,
                                  .sender = mcast_member_node(world->members[from].member),
                                  .incarnation = mcast_incarnation_check(from + 100),
                                  .counter = ++counter};
    mcast_header_write(bytes, &header);
    struct mcast_writer writer = mcast_writer_over(bytes + MCAST_HEADER_SIZE, 32);
    mcast_flow_write(&writer,
                     &(struct mcast_flow){.sender = mcast_member_node(world->members[0].member),
                                          .group = 1,
                                          .pause = pause,
                                          .credit = credit});
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    event.as.datagram.bytes = bytes;
    event.as.datagram.length =
        (uint32_t)(MCAST_HEADER_SIZE + mcast_writer_count(&writer) + MCAST_TAG_SIZE);
    event.as.datagram.socket = MCAST_CONTROL;
    world_step(world, 0, &event, 1);
}

/* Return how many messages of ten leave at once. */
static uint32_t leave_of_ten(struct world *world) {
    uint32_t before = heard_of(world, 1, 0);
    for (uint8_t i = 0; i < 10; i++) {
        world_send(world, 0, 0, i, 20, 0);
    }
    world_pass(world);
    return heard_of(world, 1, 0) - before;
}

static void a_group_follows_its_slowest_receiver(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_THROTTLE);
    flow(&world, 1, true, 0);
    flow(&world, 2, false, 5); /* cancels nothing that 1 asked for */
    CHECK(leave_of_ten(&world) == 0);
    flow(&world, 1, false, 3);
    world_pass(&world);
    CHECK(heard_of(&world, 1, 0) == 3); /* three for 1; of the five for 2 two are left */
    flow(&world, 1, false, UINT32_MAX);
    world_pass(&world);
    CHECK(heard_of(&world, 1, 0) == 5);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_PAUSED) == 3);
    flow(&world, 2, false, UINT32_MAX);
    world_pass(&world);
    CHECK(heard_of(&world, 1, 0) == 10 && leave_of_ten(&world) == 10);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_RESUMED) == 3);
    world_free(&world);
}

static void a_grant_that_is_not_renewed_expires_in_a_second(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_THROTTLE);
    flow(&world, 1, false, 4);
    CHECK(leave_of_ten(&world) == 4);
    world_run(&world, 900 * MCAST_MILLISECOND);
    CHECK(heard_of(&world, 1, 0) == 4);
    consume(&world, 4);
    world_run(&world, 400 * MCAST_MILLISECOND);
    CHECK(heard_of(&world, 1, 0) == 10);
    world_free(&world);
}

static void a_grant_holds_though_nothing_waited_when_it_arrived(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_THROTTLE);
    flow(&world, 1, false, 4);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(leave_of_ten(&world) == 4);
    flow(&world, 1, false, 2); /* replaces the old grant, does not add to it */
    world_pass(&world);
    CHECK(heard_of(&world, 1, 0) == 6);
    world_free(&world);
}

/* Two senders share the grant of a drained queue, one uses up its share, and the application takes
 * no more. That sender waits for the next grant, and does not send everything when the last one is
 * a second old. */
static void a_sender_that_used_its_grant_waits_for_more(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_THROTTLE);
    for (uint8_t i = 0; i < 5; i++) {
        world_send(&world, 0, 0, i, 20, 0);
        world_send(&world, 1, 0, i, 20, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(world_notices(&world, 0, MCAST_NOTICE_PAUSED) == 1);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_PAUSED) == 1);
    uint32_t heard = heard_of(&world, 2, 0);
    for (uint8_t i = 0; i < 100; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    consume(&world, heard - 3);
    world_run(&world, 50 * MCAST_MILLISECOND);
    uint32_t granted = heard_of(&world, 2, 0);
    CHECK(granted == heard + 4);
    world_run(&world, 5 * MCAST_SECOND);
    CHECK(heard_of(&world, 2, 0) == granted);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_DEMOTED) == 0);
    for (uint32_t i = 0; i < 2000 && heard_of(&world, 2, 0) < 110; i++) {
        consume(&world, 1);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(heard_of(&world, 2, 0) == 110 && world_stats(&world, 2).messages_dropped == 0);
    world_free(&world);
}

static void the_drop_policy_reports_dropped_messages(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_DROP);
    for (uint8_t i = 0; i < 20; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_run(&world, MCAST_SECOND);
    CHECK(heard_of(&world, 2, 0) == 16 && heard_of(&world, 1, 0) == 20);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_DROPPED) == 4);
    CHECK(world_stats(&world, 2).messages_dropped == 4);
    consume(&world, 16);
    world_send(&world, 0, 0, 99, 20, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(heard_of(&world, 2, 0) == 17);
    world_free(&world);
}

static void a_demoted_group_is_silent_until_it_is_resumed(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_DEMOTE);
    for (uint8_t i = 0; i < 40; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(heard_of(&world, 2, 0) == 16);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_DEMOTED) == 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_DROPPED) == 1); /* for the first message only */
    struct mcast_event resume = {.kind = MCAST_EVENT_RESUME};
    world_step(&world, 2, &resume, 1);
    world_send(&world, 0, 0, 'r', 20, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(heard_of(&world, 2, 0) == 17);
    world_free(&world);
}

static void the_default_policy_warns_and_then_leaves_the_group(void) {
    struct mcast_group_policy policy;
    mcast_group_policy_default(&policy);
    CHECK(policy.slow == MCAST_SLOW_EVICT && policy.slow == 0 && policy.tell_stable);
    CHECK(policy.queue_messages > 0 && policy.queue_bytes > 0);
}

static void a_warned_application_that_catches_up_stays(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_EVICT);
    for (uint32_t turn = 0; turn < 10; turn++) {
        for (uint8_t i = 0; i < 12; i++) {
            world_send(&world, 0, 0, i, 20, 0);
        }
        world_run(&world, 100 * MCAST_MILLISECOND);
        CHECK(world_notices(&world, 2, MCAST_NOTICE_BEHIND) == turn + 1); /* once for each time */
        consume(&world, 12);
    }
    CHECK(world_notices(&world, 2, MCAST_NOTICE_DEMOTED) == 0);
    CHECK(heard_of(&world, 2, 0) == 120);
    world_free(&world);
}

static void the_evict_policy_leaves_the_group(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_EVICT);
    for (uint8_t i = 0; i < 40; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_BEHIND) == 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_DEMOTED) == 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EXPELLED) == 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_LEFT) == 0); /* it did not ask */
    CHECK(heard_of(&world, 1, 0) == 40 && world_stats(&world, 2).groups == 1);
    CHECK(heard_of(&world, 2, 0) == 16); /* a prefix; the rest is in the state that it takes */
    world_join(&world, 2, 0);            /* it may rejoin, and takes the state from others */
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_JOINED) == 3);
    world_free(&world);
}

/* Let member 2 receive one data packet in eight, and no repair: its node cannot keep up. */
static bool hinder(struct world *world, const struct world_flight *flight) {
    uint8_t type = world_type(flight);
    bool data = type == MCAST_WIRE_DATA || type == MCAST_WIRE_REPAIR;
    world->members[2].deaf = world->user != NULL && data && world->seen[type] % 8 != 0;
    return false;
}

static void world_hindered(struct world *world) {
    world_of_windows(world, 20000);
    world->lose = hinder;
    world->user = world;
}

static void a_slow_node_is_demoted_and_the_others_go_on(void) {
    struct world world;
    world_hindered(&world);
    for (uint32_t i = 0; i < 20000 && world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 0; i++) {
        if (world_stats(&world, 0).pending_messages < 10) {
            world_send(&world, 0, 0, (uint8_t)i, 1000, i + 1);
        }
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(world_notices(&world, 2, MCAST_NOTICE_DEMOTED) >= 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 1); /* told, never silently behind */
    size_t heard = world.members[1].heard_count;
    world_run(&world, MCAST_SECOND);
    for (uint32_t i = 0; i < 100; i++) {
        world_send(&world, 0, 0, (uint8_t)i, 1000, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(world.members[1].heard_count >= heard + 100);
    world_free(&world);
}

static void a_long_message_may_exceed_the_queue_and_end_the_group(void) {
    struct world world;
    world_with(&world, MCAST_SLOW_EVICT);
    for (uint8_t i = 0; i < 16; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_send(&world, 0, 0, 'l', 100000, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EXPELLED) == 1 && heard_of(&world, 2, 0) == 16);
    CHECK(world_stats(&world, 2).reassembly_bytes == 0 && heard_of(&world, 1, 0) == 17);
    world_free(&world);
}

/* Create three members in two groups without limits of their own; member 0, the leader, leaves
 * everything unread. */
static void world_of_hoarder(struct world *world, enum mcast_slow_policy slow) {
    world_init(world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.unread_messages = i == 0 ? 64 : 0;
        uint32_t index = world_add(world, &config);
        for (uint32_t group = 0; group < 2; group++) {
            world_join_with(world, index, group, (struct mcast_group_policy){.slow = slow});
        }
    }
    world_run(world, 300 * MCAST_MILLISECOND);
    world->members[0].reads_nothing = true;
}

static void unread_messages_of_all_groups_are_bounded(void) {
    struct world world;
    world_of_hoarder(&world, MCAST_SLOW_DROP);
    for (uint32_t i = 0; i < 200; i++) {
        world_send(&world, 1, i % 2, 'x', 20, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(world.members[0].heard_count == 64); /* not even one step's messages more */
    CHECK(world_stats(&world, 0).messages_dropped == 136);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DROPPED) == 136);
    CHECK(world.members[2].heard_count == 200); /* nobody waits for it */
    world_run(&world, 500 * MCAST_MILLISECOND);
    CHECK(world_stats(&world, 1).pending_packets == 0);
    world_free(&world);
}

/* Most unread messages are of one group: another group, with few of them, goes on. */
static void a_group_with_few_unread_messages_is_unaffected(void) {
    struct world world;
    world_of_hoarder(&world, MCAST_SLOW_EVICT);
    for (uint32_t i = 0; i < 120; i++) {
        world_send(&world, 1, i % 20 == 19 ? 1 : 0, 'x', 20, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(world_notices(&world, 0, MCAST_NOTICE_EXPELLED) == 1);
    CHECK(heard_of(&world, 0, 1) == 6 && heard_of(&world, 0, 0) < 64);
    world_free(&world);
}

static void an_application_that_reads_nothing_leaves_new_groups(void) {
    struct world world;
    world_of_hoarder(&world, MCAST_SLOW_EVICT);
    for (uint32_t i = 0; i < 200; i++) {
        world_send(&world, 1, 0, 'x', 20, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(world_notices(&world, 0, MCAST_NOTICE_EXPELLED) == 1);
    CHECK(world.members[0].heard_count == 64 && heard_of(&world, 2, 0) == 200);
    world_free(&world);
}

/* Create three members in group 0 with this policy; the application of member 1 hangs for @time. */
static void world_of_hung_application(struct world *world, enum mcast_slow_policy slow,
                                      mcast_time time) {
    world_init(world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.unread_time = 10 * MCAST_SECOND;
        world_join_with(world, world_add(world, &config), 0,
                        (struct mcast_group_policy){.slow = slow});
    }
    world_run(world, 300 * MCAST_MILLISECOND);
    world->members[1].unread_for = time;
    world_run(world, MCAST_SECOND);
}

static void a_hung_application_leaves_the_group_and_may_return(void) {
    struct world world;
    world_of_hung_application(&world, MCAST_SLOW_EVICT, 10 * MCAST_SECOND);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_DEMOTED) == 1);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EXPELLED) == 1);
    world_send(&world, 0, 0, 'x', 20, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(heard_of(&world, 2, 0) == 1 && heard_of(&world, 1, 0) == 0);
    CHECK(world_stats(&world, 0).evictions == 0 && world_stats(&world, 1).evictions == 0);
    world.members[1].unread_for = 0;
    world_join(&world, 1, 0);
    world_run(&world, MCAST_SECOND);
    world_send(&world, 0, 0, 'y', 20, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(heard_of(&world, 1, 0) == 1 && heard_of(&world, 2, 0) == 2);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EXPELLED) == 1);
    world_free(&world);
}

static void an_application_that_is_busy_for_seconds_stays(void) {
    struct world world;
    world_of_hung_application(&world, MCAST_SLOW_EVICT, 10 * MCAST_SECOND - 1);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_DEMOTED) == 0);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EXPELLED) == 0);
    world_free(&world);
}

static void a_hung_application_leaves_a_group_that_it_asked_for_before(void) {
    struct world world;
    world_of_hung_application(&world, MCAST_SLOW_EVICT, 10 * MCAST_SECOND);
    world_join_with(&world, 1, 1, (struct mcast_group_policy){.slow = MCAST_SLOW_EVICT});
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EXPELLED) == 2);
    world_free(&world);
}

static void a_hung_application_stays_in_a_group_that_drops_messages(void) {
    struct world world;
    world_of_hung_application(&world, MCAST_SLOW_DROP, 10 * MCAST_SECOND);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_DEMOTED) == 0);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EXPELLED) == 0);
    world_free(&world);
}

/* Lose every data packet from 1 at the leader, which thus gets data late. */
static bool leader_lacks_data(struct world *world, const struct world_flight *flight) {
    uint8_t type = world_type(flight);
    world->members[0].firewalled = type == MCAST_WIRE_DATA || type == MCAST_WIRE_REPAIR;
    return false;
}

static void a_slow_leader_holds_nobody_back(void) {
    struct world world;
    world_of_windows(&world, 40000);
    world.lose = leader_lacks_data;
    for (uint32_t i = 0; i < 2500; i++) {
        world_send(&world, 1, 0, 'x', 1000, 0);
        world_run(&world, 10 * MCAST_MILLISECOND);
    }
    CHECK(world.members[2].heard_count > 1000);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEMOTED) == 1);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_EVICTED) == 1); /* once the others purged */
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EVICTED) == 0);
    world.lose = NULL;
    world_free(&world);
}

/* The first packet after a quiet time is under pressure, and the leader lacks it until the first
 * round brings it. */
static void quiet_time_does_not_count_as_behind(void) {
    struct world world;
    world_of_windows(&world, 40000);
    world_send(&world, 1, 0, 'a', 1000, 0);
    world_run(&world, 20 * MCAST_SECOND);
    world.lose = leader_lacks_data;
    for (uint32_t i = 0; i < 35; i++) {
        world_send(&world, 1, 0, 'b', 1000, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    uint64_t rounds = world_stats(&world, 0).rounds;
    world_run(&world, 200 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEMOTED) == 0);
    CHECK(world_stats(&world, 0).rounds > rounds + 3); /* all of them find the leader behind */
    CHECK(world.members[0].heard_count == 1 && world.members[2].heard_count == 36);
    world.lose = NULL;
    world.members[0].firewalled = false;
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[0].heard_count == 36);
    world_free(&world);
}

static bool loses_tokens(struct world *world, const struct world_flight *flight) {
    (void)leader_lacks_data(world, flight);
    return world_type(flight) == MCAST_WIRE_TOKEN;
}

/* Four seconds behind, and for four and a half no round came home by which it might catch up. */
static void time_of_a_stopped_ring_does_not_count_as_behind(void) {
    struct world world;
    world_of_windows(&world, 40000);
    for (uint32_t i = 0; i < 950; i++) {
        world.lose = i < 400 || i >= 850 ? leader_lacks_data : loses_tokens;
        world_send(&world, 1, 0, 'x', 1000, 0);
        world_run(&world, 10 * MCAST_MILLISECOND);
    }
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEMOTED) == 0);
    world.lose = NULL;
    world.members[0].firewalled = false;
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world.members[0].heard_count == 950 && world.members[2].heard_count == 950);
    world_free(&world);
}

int main(void) {
    RUN(throttling_pauses_the_senders_of_that_group_only);
    RUN(a_pause_ends_when_its_receiver_is_gone);
    RUN(a_group_follows_its_slowest_receiver);
    RUN(a_grant_that_is_not_renewed_expires_in_a_second);
    RUN(a_grant_holds_though_nothing_waited_when_it_arrived);
    RUN(a_sender_that_used_its_grant_waits_for_more);
    RUN(the_drop_policy_reports_dropped_messages);
    RUN(the_default_policy_warns_and_then_leaves_the_group);
    RUN(a_warned_application_that_catches_up_stays);
    RUN(a_demoted_group_is_silent_until_it_is_resumed);
    RUN(the_evict_policy_leaves_the_group);
    RUN(a_slow_node_is_demoted_and_the_others_go_on);
    RUN(a_long_message_may_exceed_the_queue_and_end_the_group);
    RUN(unread_messages_of_all_groups_are_bounded);
    RUN(a_group_with_few_unread_messages_is_unaffected);
    RUN(an_application_that_reads_nothing_leaves_new_groups);
    RUN(a_hung_application_leaves_the_group_and_may_return);
    RUN(an_application_that_is_busy_for_seconds_stays);
    RUN(a_hung_application_leaves_a_group_that_it_asked_for_before);
    RUN(a_hung_application_stays_in_a_group_that_drops_messages);
    RUN(a_slow_leader_holds_nobody_back);
    RUN(quiet_time_does_not_count_as_behind);
    RUN(time_of_a_stopped_ring_does_not_count_as_behind);
    return 0;
}
