/* Joins do not multiply epochs, and nobody waits for nodes that do not answer (rules 1.0.5, 1.0.6,
 * 1.0.13). */
#include "service_script.h"

static void a_change_during_an_epoch_goes_into_the_next(void) {
    struct world world;
    story(&world, 6);
    for (size_t i = 0; i < 6; i++) {
        join(&world, &world.members[i], "A");
        pass(&world, 500 * MCAST_MICROSECOND);
    }
    moment(&world);
    check_world(&world);
    /* The first at once, the other five together. */
    CHECK(stats_of(&world).epochs == 2);
    world_free(&world);
}

static void there_are_at_most_twenty_epochs_a_second(void) {
    struct world world;
    story(&world, 10);
    mcast_time begin = world.now;
    for (int i = 0; i < 600; i++) {
        struct member *member = &world.members[i % 10];
        if (!member->open) {
            uint32_t group = (uint32_t)(test_random(&world.seed) % 8);
            change_one(&world, member, member->wants[group] ? MCAST_SM_LEAVE : MCAST_SM_JOIN,
                       group);
        }
        pass(&world, 5 * MCAST_MILLISECOND);
    }
    uint64_t most = (world.now - begin) / (50 * MCAST_MILLISECOND) + 1;
    CHECK(stats_of(&world).epochs > most / 2 && stats_of(&world).epochs <= most);
    moment(&world);
    check_world(&world);
    world_free(&world);
}

static void a_second_list_before_the_answer_ends_the_connection(void) {
    struct world world;
    story(&world, 2);
    world.members[1].mute = true;
    join(&world, &world.members[1], "A");
    pass(&world, 3 * MCAST_MILLISECOND);
    world.members[1].open = false;
    join(&world, &world.members[1], "B");
    pass(&world, 10 * MCAST_MILLISECOND);
    CHECK(world.members[1].refused == MCAST_EREFUSED && stats_of(&world).malformed == 1);
    world_free(&world);
}

static void a_silent_answer_holds_back_only_the_regions_of_its_node(void) {
    struct world world;
    story(&world, 4);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "B");
    moment(&world);
    world.members[0].mute = true;
    forget(&world);
    join(&world, &world.members[2], "A"); /* needs the answer of a */
    join(&world, &world.members[3], "B"); /* does not */
    pass(&world, 190 * MCAST_MILLISECOND);
    CHECK(world.members[3].open);
    pass(&world, 100 * MCAST_MILLISECOND);
    CHECK(!world.members[3].open && world.members[2].open);
    /* After two seconds a is declared dead, and c gets in. */
    pass(&world, 1500 * MCAST_MILLISECOND);
    CHECK(!world.members[0].evicted && world.members[2].open);
    pass(&world, 500 * MCAST_MILLISECOND);
    CHECK(world.members[0].evicted && !world.members[2].open);
    check_world(&world);
    world_free(&world);
}

static void a_late_answer_is_waited_for_the_next_time(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    moment(&world);
    world.members[0].delay = 150 * MCAST_MILLISECOND; /* 300 ms for a round trip */
    join(&world, &world.members[1], "A");
    pass(&world, 250 * MCAST_MILLISECOND);
    CHECK(world.members[1].open);
    pass(&world, 800 * MCAST_MILLISECOND);
    CHECK(!world.members[1].open && !world.members[0].evicted);
    pass(&world, 600 * MCAST_MILLISECOND);
    check_world(&world);
    world_free(&world);
}

static void a_pure_sender_is_not_waited_for_beyond_ack_wait(void) {
    struct world world;
    story(&world, 3);
    join(&world, &world.members[0], "A");
    change_one(&world, &world.members[2], MCAST_SM_REGISTER_SENDER, 0);
    moment(&world);
    world.members[2].mute = true;
    join(&world, &world.members[1], "A");
    pass(&world, 190 * MCAST_MILLISECOND);
    CHECK(world.members[1].open);
    pass(&world, 20 * MCAST_MILLISECOND);
    CHECK(!world.members[1].open);
    check_world(&world);
    world_free(&world);
}

static void a_sender_from_outside_gets_addresses_and_no_members(void) {
    struct world world;
    story(&world, 3);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "A");
    moment(&world);
    moment(&world);
    forget(&world);
    change_one(&world, &world.members[2], MCAST_SM_REGISTER_SENDER, 0);
    moment(&world);
    /* The members learn its id; it learns their addresses. */
    heard(&world,
          "a PREPARE 3:\n"
          "b PREPARE 3:\n"
          "c PREPARE 3: view 2<1 groups 1+1:2\n"
          "c CHANGED 1\n"
          "a COMMIT 3\n"
          "b COMMIT 3\n"
          "c COMMIT 3\n");
    CHECK(world.members[0].nodes[3] && world.members[1].nodes[3]);
    check_world(&world);
    change_one(&world, &world.members[2], MCAST_SM_UNREGISTER_SENDER, 0);
    moment(&world);
    heard(&world,
          "c PREPARE 4: groups 1+1:-\n"
          "c CHANGED 2\n"
          "c COMMIT 4\n");
    check_world(&world);
    world_free(&world);
}

static void a_view_is_closed_when_its_last_sender_reported_its_last_number(void) {
    struct world world;
    story(&world, 3);
    join(&world, &world.members[0], "A");
    change_one(&world, &world.members[2], MCAST_SM_REGISTER_SENDER, 0);
    moment(&world);
    world.members[2].views[0].sent = 5;
    world.members[2].delay = 400 * MCAST_MILLISECOND;
    forget(&world);
    join(&world, &world.members[1], "A");
    pass(&world, 700 * MCAST_MILLISECOND);
    CHECK(!world.members[1].open && strstr(world.log, "VIEW_CLOSED") == NULL);
    pass(&world, 1500 * MCAST_MILLISECOND);
    CHECK(strstr(world.log, "a VIEW_CLOSED 1 senders 1 dead 0\n") != NULL);
    check_world(&world);
    world_free(&world);
}

static void a_sender_that_died_is_named_among_the_dead_of_the_view(void) {
    struct world world;
    story(&world, 3);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "A");
    join(&world, &world.members[2], "A");
    moment(&world);
    moment(&world);
    forget(&world);
    cut_stream(&world, &world.members[2]);
    memset(world.members[2].wants, 0, sizeof world.members[2].wants);
    /* It was last heard within the second before. */
    pass(&world, 3900 * MCAST_MILLISECOND);
    CHECK(world.log_length == 0);
    pass(&world, 1300 * MCAST_MILLISECOND);
    heard(&world,
          "a PREPARE 3: view 3=1,2<2 groups 1+1:3 closing 2 dead 3\n"
          "b PREPARE 3: view 3=1,2<2 groups 1+1:3 closing 2 dead 3\n"
          "a COMMIT 3\n"
          "b COMMIT 3\n"
          "a VIEW_CLOSED 2 senders 0 dead 1\n"
          "b VIEW_CLOSED 2 senders 0 dead 1\n");
    check_world(&world);
    world_free(&world);
}

static void a_slow_node_is_confirmed_to_its_view_and_taken_back(void) {
    struct world world;
    story(&world, 3);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "A");
    join(&world, &world.members[2], "B");
    moment(&world);
    struct mcast_service_message slow = {.kind = MCAST_SM_SLOW};
    slow.as.slow.node = world.members[1].node;
    slow.as.slow.view = world.members[0].views[0].name;
    slow.as.slow.behind = 5000000;
    say(&world, &world.members[2], &slow); /* not a member of that view */
    moment(&world);
    CHECK(world.members[0].demotions == 0);
    say(&world, &world.members[0], &slow);
    moment(&world);
    CHECK(world.members[0].demotions == 1 && world.members[1].demotions == 1);
    slow.as.slow.behind = 0;
    say(&world, &world.members[0], &slow);
    moment(&world);
    CHECK(world.members[0].demotions == 101 && world.members[2].demotions == 0);
    world_free(&world);
}

static void addresses_rest_before_they_are_given_again(void) {
    struct world world;
    world_init(&world, 1);
    world.config.address_count = 1;
    world_start_service(&world);
    struct member *first = add_member(&world);
    struct member *second = add_member(&world);
    pass(&world, 100 * MCAST_MILLISECOND);
    join(&world, first, "A");
    moment(&world);
    change_one(&world, first, MCAST_SM_LEAVE, 0);
    moment(&world);
    join(&world, second, "B");
    pass(&world, 59 * MCAST_SECOND);
    CHECK(second->open);
    pass(&world, 2 * MCAST_SECOND);
    CHECK(!second->open && second->codes[1] == MCAST_OK);
    check_world(&world);
    /* With all addresses in use for good a join is refused. */
    join(&world, first, "C");
    moment(&world);
    CHECK(!first->open && first->codes[2] == MCAST_EFULL);
    check_world(&world);
    world_free(&world);
}

int main(void) {
    RUN(a_change_during_an_epoch_goes_into_the_next);
    RUN(there_are_at_most_twenty_epochs_a_second);
    RUN(a_second_list_before_the_answer_ends_the_connection);
    RUN(a_silent_answer_holds_back_only_the_regions_of_its_node);
    RUN(a_late_answer_is_waited_for_the_next_time);
    RUN(a_pure_sender_is_not_waited_for_beyond_ack_wait);
    RUN(a_sender_from_outside_gets_addresses_and_no_members);
    RUN(a_view_is_closed_when_its_last_sender_reported_its_last_number);
    RUN(a_sender_that_died_is_named_among_the_dead_of_the_view);
    RUN(a_slow_node_is_confirmed_to_its_view_and_taken_back);
    RUN(addresses_rest_before_they_are_given_again);
    return 0;
}
