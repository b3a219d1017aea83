/* Identity and liveness of nodes, and how a new service takes over from an old one (rules 1.0.11,
 * 1.0.12). */
#include "service_script.h"

static void greet(struct world *world, struct member *member, uint8_t version, uint32_t cluster) {
    member->connection = ++world->connections;
    fly(world, member->delay, member->connection, MCAST_SERVICE_CONNECTED, NULL, 0);
    struct mcast_service_message message = {.kind = MCAST_SM_HELLO};
    message.as.hello.version = version;
    message.as.hello.cluster = cluster;
    message.as.hello.id = member->id;
    message.as.hello.incarnation = member->incarnation;
    say(world, member, &message);
}

static struct member *stranger(struct world *world) {
    struct member *member = &world->members[world->member_count++];
    member->id = (struct mcast_id){world->member_count, 99};
    member->incarnation = 1;
    member->delay = MCAST_MILLISECOND;
    return member;
}

static void another_version_or_cluster_is_refused_with_the_reason(void) {
    struct world world;
    story(&world, 1);
    greet(&world, stranger(&world), MCAST_WIRE_VERSION + 1, 5);
    moment(&world);
    heard(&world, "b REFUSED -12\n");
    greet(&world, stranger(&world), MCAST_WIRE_VERSION, 6);
    moment(&world);
    heard(&world, "c REFUSED -14\n");
    CHECK(stats_of(&world).members == 1);
    world_free(&world);
}

static void a_connection_that_says_nothing_is_ended(void) {
    struct world world;
    story(&world, 1);
    struct member *member = stranger(&world);
    member->connection = ++world.connections;
    fly(&world, member->delay, member->connection, MCAST_SERVICE_CONNECTED, NULL, 0);
    pass(&world, 4900 * MCAST_MILLISECOND);
    CHECK(member->connection != 0);
    pass(&world, 200 * MCAST_MILLISECOND);
    CHECK(member->connection == 0 && member->refused == MCAST_EREFUSED);
    world_free(&world);
}

static void bytes_that_are_no_message_end_the_connection(void) {
    struct world world;
    story(&world, 1);
    fly(&world, 0, world.members[0].connection, MCAST_SERVICE_MESSAGE, (const uint8_t *)"\1\2", 2);
    moment(&world);
    heard(&world, "a REFUSED -5\n");
    CHECK(stats_of(&world).malformed == 1);
    /* Its place is kept: it reconnects and goes on. */
    come(&world, &world.members[0]);
    moment(&world);
    join(&world, &world.members[0], "A");
    moment(&world);
    check_world(&world);
    world_free(&world);
}

static void a_second_node_with_one_id_is_refused_and_the_first_is_probed(void) {
    struct world world;
    story(&world, 1);
    struct member *twin = stranger(&world);
    twin->id = world.members[0].id;
    greet(&world, twin, MCAST_WIRE_VERSION, 5);
    moment(&world);
    heard(&world, "b REFUSED -10\n");
    /* The first is alive: it is kept. */
    pass(&world, 4 * MCAST_SECOND);
    CHECK(world.log_length == 0 && stats_of(&world).members == 1);
    /* The first hangs: two heartbeats after the next attempt it is gone, and the second gets in. */
    world.members[0].silent = true;
    pass(&world, 500 * MCAST_MILLISECOND);
    twin->incarnation = 2;
    greet(&world, twin, MCAST_WIRE_VERSION, 5);
    pass(&world, 2100 * MCAST_MILLISECOND);
    heard(&world, "b REFUSED -10\na EVICTED -9\n");
    greet(&world, twin, MCAST_WIRE_VERSION, 5);
    moment(&world);
    heard(&world, "b WELCOME 2\n");
    world_free(&world);
}

static void a_new_incarnation_takes_the_place_of_a_dead_one(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    moment(&world);
    join(&world, &world.members[1], "A");
    moment(&world);
    cut_stream(&world, &world.members[1]);
    memset(world.members[1].wants, 0, sizeof world.members[1].wants);
    pass(&world, 10 * MCAST_MILLISECOND);
    forget(&world);
    struct member *again = stranger(&world);
    again->id = world.members[1].id;
    again->incarnation = 2;
    greet(&world, again, MCAST_WIRE_VERSION, 5);
    moment(&world);
    heard(&world,
          "c WELCOME 3\n"
          "a PREPARE 3: view 3=1<2 groups 1+1:3 closing 2 dead 2\n"
          "a COMMIT 3\n"
          "a VIEW_CLOSED 2 senders 0 dead 1\n");
    join(&world, again, "A");
    moment(&world);
    check_world(&world);
    world_free(&world);
}

/* Stop the service while members go on. */
static void stand_still(struct world *world, mcast_time span) {
    for (mcast_time until = world->now + span; world->now < until;) {
        world->now += MCAST_SECOND;
        (void)beats(world);
    }
}

static void a_service_that_stood_still_reads_before_it_judges(void) {
    struct world world;
    story(&world, 3);
    for (size_t i = 0; i < 3; i++) {
        join(&world, &world.members[i], "A");
    }
    moment(&world);
    forget(&world);
    world.members[2].silent = true; /* one dies meanwhile */
    stand_still(&world, 10 * MCAST_SECOND);
    moment(&world);
    CHECK(world.log_length == 0 && stats_of(&world).members == 3);
    pass(&world, 2 * MCAST_SECOND);
    CHECK(stats_of(&world).members == 2 && stats_of(&world).suspicions == 1);
    CHECK(!world.members[0].evicted && !world.members[1].evicted && world.members[2].evicted);
    pass(&world, 20 * MCAST_SECOND);
    CHECK(stats_of(&world).members == 2);
    world_free(&world);
}

static void a_removed_member_that_returns_is_told_so(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "A");
    moment(&world);
    cut_stream(&world, &world.members[1]);
    pass(&world, 6 * MCAST_SECOND);
    forget(&world);
    come(&world, &world.members[1]);
    moment(&world);
    heard(&world, "b EVICTED -9\n");
    CHECK(stats_of(&world).members == 1);
    world_free(&world);
}

static void a_node_accused_by_two_is_removed_and_by_one_is_not(void) {
    struct world world;
    story(&world, 4);
    for (size_t i = 0; i < 4; i++) {
        join(&world, &world.members[i], "A");
    }
    moment(&world);
    moment(&world);
    struct mcast_service_message suspect = {.kind = MCAST_SM_SUSPECT};
    suspect.as.suspect.node = world.members[3].node;
    suspect.as.suspect.view = world.members[0].views[0].name;
    forget(&world);
    say(&world, &world.members[0], &suspect);
    say(&world, &world.members[0], &suspect);
    pass(&world, 6 * MCAST_SECOND);
    CHECK(world.log_length == 0);
    say(&world, &world.members[1], &suspect); /* too late to count with the first */
    pass(&world, MCAST_SECOND);
    CHECK(world.log_length == 0);
    say(&world, &world.members[0], &suspect);
    pass(&world, 2 * MCAST_SECOND);
    CHECK(world.members[3].evicted);
    memset(world.members[3].wants, 0, sizeof world.members[3].wants);
    check_world(&world);
    world_free(&world);
}

static void an_accused_node_that_is_silent_is_removed_after_two_heartbeats(void) {
    struct world world;
    story(&world, 3);
    for (size_t i = 0; i < 3; i++) {
        join(&world, &world.members[i], "A");
    }
    moment(&world);
    moment(&world);
    world.members[2].silent = true;
    struct mcast_service_message suspect = {.kind = MCAST_SM_SUSPECT};
    suspect.as.suspect.node = world.members[2].node;
    suspect.as.suspect.view = world.members[0].views[0].name;
    say(&world, &world.members[0], &suspect);
    pass(&world, 1900 * MCAST_MILLISECOND);
    CHECK(!world.members[2].evicted);
    pass(&world, 200 * MCAST_MILLISECOND);
    CHECK(world.members[2].evicted);
    world_free(&world);
}

static void a_member_that_says_bye_leaves_when_its_views_are_over(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "A");
    moment(&world);
    moment(&world);
    forget(&world);
    struct mcast_service_message bye = {.kind = MCAST_SM_BYE};
    say(&world, &world.members[1], &bye);
    moment(&world);
    heard(&world,
          "a PREPARE 3: view 3=1<2 groups 1+1:3 closing 2\n"
          "b PREPARE 3: groups 1+1:- closing 2\n"
          "a COMMIT 3\n"
          "b COMMIT 3\n"
          "a VIEW_CLOSED 2 senders 0 dead 0\n"
          "b VIEW_CLOSED 2 senders 0 dead 0\n");
    moment(&world);
    CHECK(stats_of(&world).members == 1 && stats_of(&world).suspicions == 0);
    world_free(&world);
}

static void a_reconnected_member_gets_everything_and_nothing_changes(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "AB");
    join(&world, &world.members[1], "AB");
    moment(&world);
    moment(&world);
    mcast_view view = world.members[0].views[0].name;
    cut_stream(&world, &world.members[0]);
    pass(&world, 10 * MCAST_MILLISECOND);
    forget(&world);
    come(&world, &world.members[0]);
    moment(&world);
    heard(&world,
          "a WELCOME 1\n"
          "a PREPARE 3: view 2=1,2<1 groups 1+2:2\n"
          "a COMMIT 3\n");
    CHECK(world.members[0].views[0].name == view);
    check_world(&world);
    world_free(&world);
}

static void a_restarted_service_moves_nobody(void) {
    struct world world;
    story(&world, 3);
    join(&world, &world.members[0], "AB");
    join(&world, &world.members[1], "AB");
    change_one(&world, &world.members[2], MCAST_SM_REGISTER_SENDER, 0);
    moment(&world);
    moment(&world);
    mcast_view view = world.members[0].views[0].name;
    crash_service(&world);
    pass(&world, 300 * MCAST_MILLISECOND);
    restart_service(&world);
    for (size_t i = 0; i < 3; i++) {
        come(&world, &world.members[i]);
    }
    forget(&world);
    pass(&world, 1500 * MCAST_MILLISECOND);
    heard(&world,
          "a WELCOME 1\n"
          "b WELCOME 2\n"
          "c WELCOME 3\n"
          "a PREPARE 1: view 2=1,2 groups 1+2:2\n"
          "b PREPARE 1: view 2=1,2 groups 1+2:2\n"
          "c PREPARE 1: view 2 groups 1+1:2\n"
          "a COMMIT 1\n"
          "b COMMIT 1\n"
          "c COMMIT 1\n");
    CHECK(world.members[0].views[0].name == view && MCAST_GENERATION(view) == 1);
    CHECK(MCAST_GENERATION(world.members[0].epoch) == 2);
    check_world(&world);
    /* The service works on, with fresh names. */
    struct member *later = add_member(&world);
    moment(&world);
    CHECK(later->node > 4);
    join(&world, later, "AC");
    moment(&world);
    check_world(&world);
    CHECK(later->names[2] > 2);
    world_free(&world);
}

static void a_member_that_does_not_report_stays_until_it_cannot_be_returning(void) {
    struct world world;
    story(&world, 3);
    for (size_t i = 0; i < 3; i++) {
        join(&world, &world.members[i], "A");
    }
    moment(&world);
    moment(&world);
    crash_service(&world);
    restart_service(&world);
    come(&world, &world.members[0]);
    come(&world, &world.members[1]);
    pass(&world, 9 * MCAST_SECOND);
    CHECK(stats_of(&world).suspicions == 0 && stats_of(&world).epochs == 0);
    pass(&world, 3 * MCAST_SECOND);
    CHECK(stats_of(&world).members == 2);
    check_world(&world);
    CHECK(world.members[0].dead[3] && world.members[0].views[0].member_count == 2);
    world_free(&world);
}

static void a_member_that_comes_late_but_in_time_keeps_its_place(void) {
    struct world world;
    story(&world, 3);
    for (size_t i = 0; i < 3; i++) {
        join(&world, &world.members[i], "A");
    }
    moment(&world);
    moment(&world);
    mcast_view view = world.members[0].views[0].name;
    crash_service(&world);
    restart_service(&world);
    come(&world, &world.members[0]);
    come(&world, &world.members[1]);
    pass(&world, 5 * MCAST_SECOND);
    come(&world, &world.members[2]);
    pass(&world, 2 * MCAST_SECOND);
    CHECK(world.members[2].views[0].name == view && world.members[2].views[0].member_count == 3);
    check_world(&world);
    world_free(&world);
}

static void members_that_know_a_higher_generation_raise_a_new_service(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    moment(&world);
    crash_service(&world);
    world.config.generation = 0; /* the file with the number is lost */
    restart_service(&world);
    CHECK(world.config.generation == 1);
    come(&world, &world.members[1]);
    come(&world, &world.members[0]);
    pass(&world, 3 * MCAST_SECOND);
    CHECK(MCAST_GENERATION(world.members[0].epoch) == 2 && !world.yielded);
    CHECK(mcast_service_generation(world.service) == 2); /* to be stored */
    check_world(&world);
    world_free(&world);
}

static void a_service_yields_to_a_higher_generation(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    moment(&world);
    struct member *other = stranger(&world);
    other->node = 1;
    other->epoch = MCAST_EPOCH(7, 3);
    forget(&world);
    come(&world, other);
    moment(&world);
    heard(&world, "c REFUSED -11\n");
    CHECK(world.yielded);
    world_free(&world);
}

static void members_that_disagree_on_a_view_get_a_fresh_one(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "A");
    moment(&world);
    moment(&world);
    crash_service(&world);
    /* One of them believes that the other is not a member. */
    world.members[1].views[0].member_count = 1;
    world.members[1].views[0].members[0] = world.members[1].node;
    restart_service(&world);
    come(&world, &world.members[0]);
    come(&world, &world.members[1]);
    forget(&world);
    pass(&world, 2 * MCAST_SECOND);
    CHECK(strstr(world.log, " view 1=1,2<2 groups 1+1:1 closing 2") != NULL);
    CHECK(strstr(world.log, "closing 2") != NULL);
    CHECK(strstr(world.log, "a VIEW_CLOSED 2") != NULL &&
          strstr(world.log, "b VIEW_CLOSED 2") != NULL);
    check_world(&world);
    world_free(&world);
}

/* Send a first HELLO with a name and an epoch from a former service. */
static void return_as(struct world *world, struct member *member, mcast_node node,
                      mcast_epoch epoch) {
    member->connection = ++world->connections;
    fly(world, member->delay, member->connection, MCAST_SERVICE_CONNECTED, NULL, 0);
    struct mcast_service_message message = {.kind = MCAST_SM_HELLO};
    message.as.hello.version = MCAST_WIRE_VERSION;
    message.as.hello.cluster = 5;
    message.as.hello.id = member->id;
    message.as.hello.incarnation = member->incarnation;
    message.as.hello.node = node;
    message.as.hello.epoch = epoch;
    say(world, member, &message);
}

static void reported_numbers_near_the_maximum_are_refused(void) {
    struct world world;
    story(&world, 0);
    uint64_t malformed = stats_of(&world).malformed;
    return_as(&world, stranger(&world), 1, UINT64_MAX);
    moment(&world);
    heard(&world, "a REFUSED -11\n");
    return_as(&world, stranger(&world), UINT32_MAX, MCAST_EPOCH(1, 1));
    moment(&world);
    CHECK(world.members[1].evicted);
    forget(&world);
    CHECK(stats_of(&world).malformed == malformed + 2);
    CHECK(mcast_service_generation(world.service) == 1);
    struct member *honest = stranger(&world);
    return_as(&world, honest, 0, 0); /* the service goes on for others */
    moment(&world);
    CHECK(honest->node == 1);
    world_free(&world);
}

static void the_new_generation_is_one_above_a_reported_one(void) {
    struct world world;
    story(&world, 0);
    return_as(&world, stranger(&world), 7, MCAST_EPOCH(50, 3));
    moment(&world);
    CHECK(mcast_service_generation(world.service) == 51);
    world_free(&world);
}

int main(void) {
    RUN(another_version_or_cluster_is_refused_with_the_reason);
    RUN(a_connection_that_says_nothing_is_ended);
    RUN(bytes_that_are_no_message_end_the_connection);
    RUN(a_second_node_with_one_id_is_refused_and_the_first_is_probed);
    RUN(a_new_incarnation_takes_the_place_of_a_dead_one);
    RUN(a_service_that_stood_still_reads_before_it_judges);
    RUN(a_removed_member_that_returns_is_told_so);
    RUN(a_node_accused_by_two_is_removed_and_by_one_is_not);
    RUN(an_accused_node_that_is_silent_is_removed_after_two_heartbeats);
    RUN(a_member_that_says_bye_leaves_when_its_views_are_over);
    RUN(a_reconnected_member_gets_everything_and_nothing_changes);
    RUN(a_restarted_service_moves_nobody);
    RUN(a_member_that_does_not_report_stays_until_it_cannot_be_returning);
    RUN(a_member_that_comes_late_but_in_time_keeps_its_place);
    RUN(members_that_know_a_higher_generation_raise_a_new_service);
    RUN(a_service_yields_to_a_higher_generation);
    RUN(members_that_disagree_on_a_view_get_a_fresh_one);
    RUN(reported_numbers_near_the_maximum_are_refused);
    RUN(the_new_generation_is_one_above_a_reported_one);
    return 0;
}
