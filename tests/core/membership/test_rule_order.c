/* Rules 1.7 and 1.0.7: packets of all groups of a region share one numbering; messages of each
 * (sender, group) arrive in order, also when members move between regions. */
#include "small_world.h"

/* Check that member @index heard the @count payloads @first, @first + 1, … of @group in order. */
static void heard_in_order(const struct world *world, uint32_t index, uint32_t group, uint8_t first,
                           uint32_t count) {
    uint32_t found = 0;
    uint64_t number = 0;
    for (size_t i = 0; i < world->members[index].heard_count; i++) {
        const struct world_heard *heard = &world->members[index].heard[i];
        if (heard->group != group) {
            continue;
        }
        CHECK(heard->first == (uint8_t)(first + found));
        CHECK(found == 0 || heard->number == number + 1);
        number = heard->number;
        found++;
    }
    CHECK(found == count);
}

static void all_members_and_the_sender_receive_a_message(void) {
    struct world world;
    world_of(&world, 4, 1);
    world_send(&world, 1, 0, 'a', 100, 42);
    world_run(&world, 500 * MCAST_MILLISECOND);
    for (uint32_t i = 0; i < 4; i++) {
        heard_in_order(&world, i, 0, 'a', 1);
        CHECK(world.members[i].heard[0].sender == mcast_member_node(world.members[1].member));
    }
    CHECK(world.members[1].stable == 42);
    CHECK(world.seen[MCAST_WIRE_DATA] == 2 &&
          world.seen[MCAST_WIRE_REPAIR] == 0); /* with the OPEN */
    world_free(&world);
}

static void groups_share_the_numbers_of_their_region(void) {
    struct world world;
    world_of(&world, 3, 50);
    for (uint32_t i = 0; i < 200; i++) {
        world_send(&world, 0, i % 50, (uint8_t)(i / 50), 20, 0);
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    for (uint32_t group = 0; group < 50; group++) {
        heard_in_order(&world, 2, group, 0, 4);
    }
    struct mcast_stats stats = world_stats(&world, 1);
    CHECK(stats.streams == 1 && stats.packets_received == 201); /* one stream, with its OPEN */
    world_free(&world);
}

static bool lose_third_data(struct world *world, const struct world_flight *flight) {
    return world_type(flight) == MCAST_WIRE_DATA && world->seen[MCAST_WIRE_DATA] == 4;
}

static void a_packet_that_arrives_early_waits(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_send(&world, 0, 0, 0, 20, 0);
    world_send(&world, 0, 0, 1, 20, 0);
    world_pass(&world);
    world.lose = lose_third_data;
    world_send(&world, 0, 0, 2, 20, 0);
    world_pass(&world);
    world.lose = NULL;
    world_send(&world, 0, 0, 3, 20, 0);
    world_pass(&world);
    CHECK(world.members[1].heard_count == 2);
    world_run(&world, 300 * MCAST_MILLISECOND);
    heard_in_order(&world, 1, 0, 0, 4);
    heard_in_order(&world, 2, 0, 0, 4);
    world_free(&world);
}

/* Lose what is sent in the first view, until the test ends that. */
static bool lose_in_first_view(struct world *world, const struct world_flight *flight) {
    const mcast_view *view = world->user;
    uint8_t type = world_type(flight);
    return (type == MCAST_WIRE_DATA || type == MCAST_WIRE_REPAIR) &&
           world_view_of(flight) == *view && flight->from == 0;
}

/* Member 1 joins another group mid-stream, which moves it to another region. Messages that it
 * missed in the old one must come before those that it hears in the new one. */
static void a_move_between_regions_keeps_the_order(void) {
    struct world world;
    world_of(&world, 4, 1);
    for (uint8_t i = 0; i < 5; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_pass(&world);
    /* The view in force is that of the packet on its way. */
    world_send(&world, 0, 0, 5, 20, 0);
    mcast_view first_view = world_view_of(&world.line[world.line_head]);
    world.user = &first_view;
    world.lose = lose_in_first_view;
    world_pass(&world);
    world_join(&world, 1, 1);
    world_run(&world, 20 * MCAST_MILLISECOND);
    for (uint8_t i = 6; i < 10; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_run(&world, 20 * MCAST_MILLISECOND);
    CHECK(world.members[1].heard_count == 5 && world.members[2].heard_count == 5);
    world.lose = NULL;
    world_run(&world, 2 * MCAST_SECOND);
    for (uint32_t i = 0; i < 4; i++) {
        heard_in_order(&world, i, 0, 0, 10);
    }
    CHECK(world_stats(&world, 1).region_moves >= 2 && world_stats(&world, 1).opens >= 2);
    world_free(&world);
}

/* Member 0 leaves while its last messages are still missing, for longer than LEAVE waits for them,
 * and comes back. Its new messages must not overtake the old ones, though no view announced to it
 * links the two. */
static void leaving_and_rejoining_keeps_the_order(void) {
    struct world world;
    world_of(&world, 4, 1);
    world_send(&world, 0, 0, 0, 20, 0);
    world_run(&world, 500 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 1, 20, 0);
    mcast_view first_view = world_view_of(&world.line[world.line_head]);
    world.user = &first_view;
    world.lose = lose_in_first_view;
    world_pass(&world);
    world_leave(&world, 0, 0);
    world_run(&world, 18 * MCAST_SECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_LEFT) == 1);
    world_join(&world, 0, 0);
    world_run(&world, 50 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 2, 20, 0);
    world_run(&world, 50 * MCAST_MILLISECOND);
    CHECK(world.members[1].heard_count == 1);
    world.lose = NULL;
    world_run(&world, 2 * MCAST_SECOND);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK(world.members[i].heard_count == 3);
        CHECK(world.members[i].heard[1].first == 1 && world.members[i].heard[2].first == 2);
    }
    world_free(&world);
}

static void a_joiner_receives_what_is_sent_from_then_on(void) {
    struct world world;
    world_of(&world, 3, 1);
    struct mcast_config config = world_config(3);
    uint32_t late = world_add(&world, &config);
    for (uint8_t i = 0; i < 3; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_join(&world, late, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, late, MCAST_NOTICE_JOINED) == 1);
    for (uint8_t i = 3; i < 6; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    heard_in_order(&world, late, 0, 3, 3);
    heard_in_order(&world, 1, 0, 0, 6);
    world_free(&world);
}

/* Members 0 and 1 join group 1 in one epoch directly after another, so that their region stays the
 * same. Member 0 hears that it is in force, member 1 not before it catches up. */
static void both_join_and_one_does_not_hear(struct world *world) {
    world_of(world, 2, 1);
    struct mcast_config config = world_config(2);
    uint32_t other = world_add(world, &config);
    world_send(world, 0, 0, 0, 20, 0);
    world_run(world, 100 * MCAST_MILLISECOND);
    world->members[1].late = true;
    world_join(world, other, 2);
    uint64_t views = world_stats(world, 0).views_installed;
    world_join(world, 0, 1);
    world_join(world, 1, 1);
    world_run(world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(world, 0, MCAST_NOTICE_JOINED) == 2);
    CHECK(world_notices(world, 1, MCAST_NOTICE_JOINED) == 1);
    CHECK(world_stats(world, 0).views_installed == views);
}

static void the_first_words_wait(struct world *world) {
    for (uint8_t i = 0; i < 3; i++) {
        world_send(world, 0, 1, i, 20, 0);
    }
    world_send(world, 0, 0, 1, 20, 0);
    world_run(world, 100 * MCAST_MILLISECOND);
    heard_in_order(world, 0, 1, 0, 3);
    heard_in_order(world, 1, 1, 0, 0);
    heard_in_order(world, 1, 0, 0, 1);
}

static void one_hears_later_that_both_joined(struct world *world) {
    both_join_and_one_does_not_hear(world);
    the_first_words_wait(world);
}

static void a_member_that_learns_of_a_view_late_receives_all_sent_in_it(void) {
    struct world world;
    one_hears_later_that_both_joined(&world);
    world_catch_up(&world, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    heard_in_order(&world, 1, 1, 0, 3);
    heard_in_order(&world, 1, 0, 0, 2);
    world_free(&world);
}

/* Nobody waits for ever for a group that it may never hear of again: other groups go on. */
static void a_message_waits_for_an_epoch_only_for_a_bounded_time(void) {
    struct world world;
    one_hears_later_that_both_joined(&world);
    world_run(&world, 2 * MCAST_SECOND);
    heard_in_order(&world, 1, 1, 0, 0);
    heard_in_order(&world, 1, 0, 0, 2);
    world_catch_up(&world, 1);
    world_send(&world, 0, 1, 3, 20, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    heard_in_order(&world, 1, 1, 3, 1);
    world_free(&world);
}

/* The time limit counts from the arrival of the message, however long the epoch took before. */
static void the_bound_counts_from_the_arrival_of_the_message(void) {
    struct world world;
    both_join_and_one_does_not_hear(&world);
    world_run(&world, 1850 * MCAST_MILLISECOND);
    the_first_words_wait(&world);
    world_run(&world, 1800 * MCAST_MILLISECOND);
    world_catch_up(&world, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    heard_in_order(&world, 1, 1, 0, 3);
    heard_in_order(&world, 1, 0, 0, 2);
    world_free(&world);
}

/* Announce to member 1 an epoch in place of the one that it waits for, with a new view. */
static void propose_anew(struct world *world) {
    mcast_node both[] = {mcast_member_node(world->members[0].member),
                         mcast_member_node(world->members[1].member)};
    struct mcast_sm_view view = {
        .view = UINT64_C(77) << 40, .region = 77, .members = both, .member_count = 2};
    mcast_view number = view.view;
    struct mcast_sm_class class = {77, &number, 1};
    struct mcast_sm_group_run run = {1, 8, 77, MCAST_EPOCH(1, 77)};
    struct mcast_service_message message = {.kind = MCAST_SM_PREPARE};
    message.as.prepare.epoch = MCAST_EPOCH(1, 77);
    message.as.prepare.update = (struct mcast_sm_update){.views = &view,
                                                         .view_count = 1,
                                                         .classes = &class,
                                                         .class_count = 1,
                                                         .runs = &run,
                                                         .run_count = 1};
    world_hand_message(world, 1, &message);
}

static void messages_wait_for_the_next_proposal_even_without_memory(void) {
    struct world world;
    one_hears_later_that_both_joined(&world);
    bool refused = true;
    for (size_t served = 0; refused; served++) {
        world.memory.refused = false;
        world.memory.refuse = world.memory.calls + served + 1;
        propose_anew(&world);
        refused = world.memory.refused;
        world.memory.refuse = 0;
        world_run(&world, 2 * MCAST_MILLISECOND);
        heard_in_order(&world, 1, 1, 0, 0);
    }
    world_catch_up(&world, 1); /* and learns the name */
    world_send(&world, 0, 0, 2, 20, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    heard_in_order(&world, 1, 1, 0, 3);
    heard_in_order(&world, 1, 0, 0, 3);
    world_free(&world);
}

/* Messages from before it left are not for a member that comes back, and hold nothing else up. */
static void messages_of_an_older_view_hold_nothing_up(void) {
    struct world world;
    world_of(&world, 3, 2);
    world.members[1].deaf = true;
    world_send(&world, 0, 1, 0, 20, 0);
    world_send(&world, 0, 0, 0, 20, 0);
    world_run(&world, 5 * MCAST_MILLISECOND);
    world_leave(&world, 1, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_LEFT) == 1);
    world.members[1].late = true;
    world_join(&world, 1, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world.members[1].deaf = false;
    world_run(&world, 300 * MCAST_MILLISECOND);
    heard_in_order(&world, 1, 0, 0, 1);
    world_catch_up(&world, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    heard_in_order(&world, 1, 1, 0, 0);
    world_free(&world);
}

static void a_member_that_left_receives_nothing_and_others_go_on(void) {
    struct world world;
    world_of(&world, 3, 2);
    world_send(&world, 0, 0, 0, 20, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_leave(&world, 2, 0);
    size_t heard = world.members[2].heard_count;
    world_send(&world, 0, 0, 1, 20, 0);
    world_run(&world, 500 * MCAST_MILLISECOND);
    CHECK(world.members[2].heard_count == heard);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_LEFT) == 1);
    heard_in_order(&world, 1, 0, 0, 2);
    world_send(&world, 0, 1, 7, 20, 0); /* it is still in the other group */
    world_run(&world, 500 * MCAST_MILLISECOND);
    heard_in_order(&world, 2, 1, 7, 1);
    world_free(&world);
}

/* Regions {0,1}, {2,3} and a sender's group that spans both: one packet a region, each heard once.
 */
static void a_group_over_two_regions_delivers_once_everywhere(void) {
    struct world world;
    world_of(&world, 4, 1);
    for (uint32_t i = 0; i < 4; i++) {
        world_join(&world, i, 1 + i / 2);
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    uint64_t before = world.seen[MCAST_WIRE_DATA];
    world_send(&world, 0, 0, 9, 20, 77);
    world_run(&world, 500 * MCAST_MILLISECOND);
    CHECK(world.seen[MCAST_WIRE_DATA] - before == 4); /* an OPEN and a packet in each */
    for (uint32_t i = 0; i < 4; i++) {
        heard_in_order(&world, i, 0, 9, 1);
    }
    CHECK(world.members[0].stable == 77);
    world_free(&world);
}

static void stream_numbers_may_cross_two_to_the_thirty_two(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        config.first_number = (UINT64_C(1) << 32) - 50;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    for (uint32_t i = 0; i < 100; i++) {
        world_send(&world, 1, 0, (uint8_t)i, 20, i + 1);
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    heard_in_order(&world, 2, 0, 0, 100);
    CHECK(world.members[1].stable == 100);
    world_free(&world);
}

int main(void) {
    RUN(all_members_and_the_sender_receive_a_message);
    RUN(groups_share_the_numbers_of_their_region);
    RUN(a_packet_that_arrives_early_waits);
    RUN(a_move_between_regions_keeps_the_order);
    RUN(leaving_and_rejoining_keeps_the_order);
    RUN(a_joiner_receives_what_is_sent_from_then_on);
    RUN(a_member_that_learns_of_a_view_late_receives_all_sent_in_it);
    RUN(a_message_waits_for_an_epoch_only_for_a_bounded_time);
    RUN(the_bound_counts_from_the_arrival_of_the_message);
    RUN(messages_wait_for_the_next_proposal_even_without_memory);
    RUN(messages_of_an_older_view_hold_nothing_up);
    RUN(a_member_that_left_receives_nothing_and_others_go_on);
    RUN(a_group_over_two_regions_delivers_once_everywhere);
    RUN(stream_numbers_may_cross_two_to_the_thirty_two);
    return 0;
}
