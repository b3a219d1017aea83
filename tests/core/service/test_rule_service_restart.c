/* Rule 1.0.12: the membership service stops and another starts, and no member loses anything:
 * absent members are waited for, the dead stay dead, and queries are answered. */
#include "restarting_world.h"

static void a_query_lost_with_its_service_is_answered_by_the_next(void) {
    struct world world;
    world_of(&world, 3, 2);
    world_disconnect_all(&world);
    ask_members(&world, 1, 0);
    world_run(&world, 20 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_MEMBERS) == 0);
    world_new_service(&world, 2);
    world_connect(&world, world.count);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_MEMBERS) == 1 && last_count(&world, 1) == 3);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_MEMBERS) == 0);
    world_free(&world);
}

/* A service that has just started knows no groups; its answer would be that nobody is there. */
static void a_query_waits_until_the_new_service_knows_all_groups(void) {
    struct world world;
    world_of(&world, 3, 2);
    world_replace_service(&world, 2);
    ask_members(&world, 2, 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_MEMBERS) == 0);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_MEMBERS) == 1 && last_count(&world, 2) == 3);
    world_free(&world);
}

/* An answered query is not repeated. */
static void a_query_is_answered_once(void) {
    struct world world;
    world_of(&world, 3, 1);
    ask_members(&world, 0, 0);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_MEMBERS) == 1 && last_count(&world, 0) == 3);
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_MEMBERS) == 1);
    world_free(&world);
}

/* No fellow member names it; senders name it as a receiver. */
static void a_member_alone_in_a_region_is_waited_for(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_join(&world, 2, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_replace_service_for(&world, 2, 2);
    world_run(&world, 150 * MCAST_MILLISECOND);
    world_connect_one(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 0);
    world_send(&world, 0, 0, 'a', 30, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[2].heard_count == 1);
    world_free(&world);
}

/* … but not for ever. */
static void a_lone_member_that_does_not_return_is_given_up(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_join(&world, 2, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world.members[2].down = true;
    world_replace_service_for(&world, 2, 2);
    world_run(&world, MCAST_SECOND);
    ask_members(&world, 0, 0);
    CHECK(last_count(&world, 0) == 2);
    world_free(&world);
}

/* Others know it from before, and share no group with it any more. */
static void a_member_that_shares_no_group_is_waited_for(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_join(&world, 2, 1);
    world_leave(&world, 2, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_replace_service_for(&world, 2, 2);
    world_run(&world, 150 * MCAST_MILLISECOND);
    world_connect_one(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 0);
    world_free(&world);
}

/* Nobody ever met it: it comes when the others are served again, and keeps what it has. */
static void an_unmet_member_that_returns_late_keeps_its_groups(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        world_join(&world, world_add(&world, &config), i < 2 ? 0 : 1);
    }
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_replace_service_for(&world, 2, 2);
    world_run(&world, 150 * MCAST_MILLISECOND);
    world_connect_one(&world, 2);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_join(&world, 0, 1);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 0);
    world_send(&world, 0, 1, 'a', 30, 0);
    world_send(&world, 2, 1, 'b', 30, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[2].heard_count == 2 && world.members[0].heard_count == 2);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_EVICTED) == 0);
    world_free(&world);
}

/* A member cannot get back groups that others created again meanwhile. */
static void a_late_member_of_recreated_groups_starts_anew(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        world_join(&world, world_add(&world, &config), i < 2 ? 0 : 1);
    }
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_replace_service_for(&world, 2, 2);
    world_join(&world, 0, 1);
    world_run(&world, 150 * MCAST_MILLISECOND);
    world_connect_one(&world, 2);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 1);
    world_free(&world);
}

/* A member that left in order will not come back, and the others were told so. */
static void a_member_that_left_is_not_waited_for(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_step(&world, 2, &(struct mcast_event){.kind = MCAST_EVENT_STOP}, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world.members[2].down = true;
    world_join(&world, 0, 1);
    world_join(&world, 1, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_replace_service_for(&world, 2, 2);
    world_run(&world, 100 * MCAST_MILLISECOND);
    ask_members(&world, 0, 0);
    CHECK(last_count(&world, 0) == 2);
    world_free(&world);
}

/* A node that joined the second service is dead when the third starts, and no other node has a name
 * of that generation. Members remember it, and would take a new node of its name for the dead one.
 */
static void the_name_of_a_dead_node_is_not_reused(void) {
    struct world world;
    world_of(&world, 2, 1);
    world_replace_service(&world, 2);
    world_run(&world, 12 * MCAST_SECOND);
    struct mcast_config config = world_config(2);
    uint32_t second = world_add(&world, &config);
    world_join(&world, second, 0);
    world_run(&world, MCAST_SECOND);
    mcast_node name = mcast_member_node(world.members[second].member);
    world_crash(&world, second);
    world_run(&world, 12 * MCAST_SECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEAD) == 1);
    world_replace_service_for(&world, 3, 2);
    world_run(&world, 12 * MCAST_SECOND);
    config = world_config(3);
    uint32_t third = world_add(&world, &config);
    world_join(&world, third, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(mcast_member_node(world.members[third].member) != name);
    world_send(&world, third, 0, 7, 20, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[0].heard_count == 1 && world.members[1].heard_count == 1);
    world_free(&world);
}

/* It left, so that it shares nothing with anybody, and sleeps while it is declared dead. */
static void a_node_declared_dead_is_refused_by_the_next_service(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_leave(&world, 2, 0);
    world_run(&world, 12 * MCAST_SECOND);
    world.members[2].deaf = true;
    world.lose_message = lose_all_to_third;
    world_run(&world, 12 * MCAST_SECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEAD) == 1);
    world.members[2].deaf = false;
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 1);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_EVICTED) == 0);
    world_free(&world);
}

/* The others are already served when it comes. */
static void a_node_declared_dead_is_refused_when_it_returns_late(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_leave(&world, 2, 0);
    world_run(&world, 12 * MCAST_SECOND);
    world.members[2].deaf = true;
    world.lose_message = lose_all_to_third;
    world_run(&world, 12 * MCAST_SECOND);
    world.members[2].deaf = false;
    world.lose_message = NULL;
    world_replace_service_for(&world, 2, 2);
    world_run(&world, 150 * MCAST_MILLISECOND);
    world_connect_one(&world, 2);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 1);
    world_free(&world);
}

static bool lose_all_to_first(struct world *world, uint32_t index, uint8_t kind) {
    (void)world;
    (void)kind;
    return index == 0;
}

/* The leader of a region hears nothing from the service while a node joins its group, sends and
 * dies. The messages are for the leader as well, and the others have them. */
static void messages_of_a_node_that_came_and_died_meanwhile_are_delivered(void) {
    struct world world;
    world_of(&world, 3, 1);
    world.lose_message = lose_all_to_first;
    struct mcast_config config = world_config(3);
    uint32_t fourth = world_add(&world, &config);
    struct mcast_event joins[2] = {{.kind = MCAST_EVENT_JOIN}, {.kind = MCAST_EVENT_JOIN}};
    for (uint32_t group = 0; group < 2; group++) {
        joins[group].as.join.group = group;
        joins[group].as.join.id = (struct mcast_id){2, group + 1};
        joins[group].as.join.policy.slow = MCAST_SLOW_THROTTLE;
    }
    world_step(&world, fourth, joins, 2);
    world_run(&world, 300 * MCAST_MILLISECOND);
    world_send(&world, fourth, 0, 'a', 30, 0);
    world_run(&world, 20 * MCAST_MILLISECOND);
    CHECK(world.members[1].heard_count == 1 && world.members[0].heard_count == 0);
    world_crash(&world, fourth);
    world.lose_message = NULL;
    world_replace_service_for(&world, 2, 3);
    world_run(&world, 5 * MCAST_SECOND);
    CHECK(world.members[0].heard_count == 1 && world.members[0].heard[0].first == 'a');
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
        CHECK(world_stats(&world, i).cached_packets == 0);
    }
    world_free(&world);
}

/* A service that regards a node as dead says so with the end of a view, and dies before it proposes
 * an epoch. The members that heard it tell the next service, and the node starts anew. */
static void a_death_announced_with_the_end_of_a_view_is_remembered(void) {
    struct world world;
    world_of(&world, 3, 1);
    mcast_node dead = mcast_member_node(world.members[2].member);
    struct mcast_service_message message = {.kind = MCAST_SM_VIEW_CLOSED};
    message.as.view_closed.view = 77; /* an earlier, ended view */
    message.as.view_closed.dead = &dead;
    message.as.view_closed.dead_count = 1;
    world_hand_message(&world, 1, &message);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_DEAD) == 1);
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 1);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_EVICTED) == 0);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEAD) == 1);
    world_free(&world);
}

int main(void) {
    RUN(a_query_lost_with_its_service_is_answered_by_the_next);
    RUN(a_query_waits_until_the_new_service_knows_all_groups);
    RUN(a_query_is_answered_once);
    RUN(a_member_alone_in_a_region_is_waited_for);
    RUN(a_lone_member_that_does_not_return_is_given_up);
    RUN(a_member_that_shares_no_group_is_waited_for);
    RUN(an_unmet_member_that_returns_late_keeps_its_groups);
    RUN(a_late_member_of_recreated_groups_starts_anew);
    RUN(a_member_that_left_is_not_waited_for);
    RUN(a_death_announced_with_the_end_of_a_view_is_remembered);
    RUN(the_name_of_a_dead_node_is_not_reused);
    RUN(a_node_declared_dead_is_refused_by_the_next_service);
    RUN(a_node_declared_dead_is_refused_when_it_returns_late);
    RUN(messages_of_a_node_that_came_and_died_meanwhile_are_delivered);
    return 0;
}
