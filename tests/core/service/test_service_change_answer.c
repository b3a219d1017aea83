/* What a CHANGE is answered, and when, where words were lost (rules 1.0.5, 1.0.12). */
#include "service_script.h"

/* Lets time pass until the first member has heard that an epoch after @epoch is in force. */
static void until_committed(struct world *world, mcast_epoch epoch) {
    for (int i = 0; i < 1000 && world->members[0].epoch <= epoch; i++) {
        pass(world, MCAST_MILLISECOND);
    }
    CHECK(world->members[0].epoch > epoch);
}

static void come_all(struct world *world) {
    for (size_t i = 0; i < world->member_count; i++) {
        come(world, &world->members[i]);
    }
}

/* Two members are in A; the third, which is in @groups, asks for @items, hears PREPARE and no more
 * before the service dies. */
static void granted_unheard(struct world *world, const char *groups,
                            const struct mcast_sm_change_item *items, size_t count) {
    story(world, 3);
    join(world, &world->members[0], "A");
    join(world, &world->members[1], "A");
    join(world, &world->members[2], groups);
    moment(world);
    moment(world);
    mcast_epoch before = world->members[0].epoch;
    world->members[2].delay = 5 * MCAST_MILLISECOND;
    change(world, &world->members[2], items, count);
    until_committed(world, before);
    CHECK(world->members[2].open && world->members[2].names[0] == 0);
    crash_service(world);
    restart_service(world);
    forget(world);
}

/* Whether the answer to @request was heard before COMMIT of the first epoch, and once or twice. */
static void answered(const struct world *world, const char *line, bool twice) {
    const char *first = strstr(world->log, line);
    const char *in_force = strstr(world->log, "c COMMIT 1\n");
    CHECK(first != NULL && in_force != NULL && first < in_force);
    const char *second = strstr(first + strlen(line), line);
    CHECK(twice ? second != NULL && second > in_force : second == NULL);
}

static void a_name_comes_with_what_it_names(void) {
    struct world world;
    struct mcast_sm_change_item item = {group_id(0), 0, MCAST_SM_JOIN};
    granted_unheard(&world, "", &item, 1);
    come_all(&world);
    pass(&world, 1500 * MCAST_MILLISECOND);
    struct member *third = &world.members[2];
    CHECK(!third->open && third->is_in[0]);
    CHECK(believed_group(third, third->names[0]) != NULL);
    answered(&world, "c CHANGED 2\n", false);
    check_world(&world);
    world_free(&world);
}

/* Of the group that it sends to from outside nobody but the dead service knew. */
static void the_rest_of_a_list_is_answered_when_it_is_granted(void) {
    struct world world;
    struct mcast_sm_change_item items[] = {{group_id(3), 3, MCAST_SM_REGISTER_SENDER},
                                           {group_id(0), 0, MCAST_SM_JOIN}};
    granted_unheard(&world, "", items, 2);
    come_all(&world);
    pass(&world, 1500 * MCAST_MILLISECOND);
    struct member *third = &world.members[2];
    CHECK(!third->open && third->is_in[0] && third->is_sender[3] && third->names[3] != 0);
    CHECK(believed_group(third, third->names[0]) != NULL);
    answered(&world, "c CHANGED 2\n", true);
    check_world(&world);
    world_free(&world);
}

/* What was answered before the rest may be lost as well: the list is said again, whole. */
static void an_answer_of_a_part_that_is_lost_is_given_again(void) {
    struct world world;
    struct mcast_sm_change_item items[] = {{group_id(3), 3, MCAST_SM_REGISTER_SENDER},
                                           {group_id(0), 0, MCAST_SM_JOIN}};
    granted_unheard(&world, "", items, 2);
    struct member *third = &world.members[2];
    mcast_epoch before = world.members[0].epoch;
    come_all(&world);
    for (int i = 0; i < 2000 && world.members[0].epoch <= before; i++) {
        pass(&world, MCAST_MILLISECOND);
    }
    CHECK(world.members[0].epoch > before && third->open && third->item_count == 2);
    cut_stream(&world, third);
    pass(&world, 10 * MCAST_MILLISECOND);
    come(&world, third);
    pass(&world, 1500 * MCAST_MILLISECOND);
    CHECK(!third->open && third->is_in[0] && third->is_sender[3]);
    CHECK(third->names[0] != 0 && third->names[3] != 0 && stats_of(&world).members == 3);
    check_world(&world);
    world_free(&world);
}

/* The service that died took the third member out of B and into A; it believes still to be in B. */
static void who_left_a_group_without_knowing_keeps_its_place_in_another(void) {
    struct world world;
    struct mcast_sm_change_item items[] = {{group_id(1), 1, MCAST_SM_LEAVE},
                                           {group_id(0), 0, MCAST_SM_JOIN}};
    granted_unheard(&world, "B", items, 2);
    come_all(&world);
    pass(&world, 1500 * MCAST_MILLISECOND);
    struct member *third = &world.members[2];
    CHECK(!third->evicted && stats_of(&world).members == 3);
    CHECK(!third->open && third->is_in[0] && !third->is_in[1]);
    CHECK(believed_group(third, third->names[0]) != NULL && third->group_count == 1);
    answered(&world, "c CHANGED 2\n", false);
    check_world(&world);
    world_free(&world);
}

/* One that leaves first and joins then is not told of the joining before it has left. */
static void no_item_overtakes_another_about_its_group(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "A");
    moment(&world);
    moment(&world);
    crash_service(&world);
    restart_service(&world);
    struct member *second = &world.members[1];
    struct mcast_sm_change_item items[] = {{group_id(0), 0, MCAST_SM_LEAVE},
                                           {group_id(0), 0, MCAST_SM_JOIN}};
    second->open = true;
    second->request++;
    second->item_count = 2;
    copy(second->items, items, sizeof items);
    forget(&world);
    come_all(&world);
    pass(&world, 1500 * MCAST_MILLISECOND);
    const char *answer = strstr(world.log, "b CHANGED 2\n");
    CHECK(!second->open && answer != NULL && answer > strstr(world.log, "b COMMIT 1\n"));
    check_world(&world);
    world_free(&world);
}

/* Three members, of whom the third shares no group with the others and asked for one more when the
 * service died; it comes when the new one has begun. */
static struct member *apart_and_late(struct world *world) {
    story(world, 3);
    join(world, &world->members[0], "A");
    join(world, &world->members[1], "A");
    join(world, &world->members[2], "B");
    moment(world);
    moment(world);
    crash_service(world);
    restart_service(world);
    struct member *third = &world->members[2];
    third->open = true;
    third->wants[3] = true;
    third->request++;
    third->item_count = 1;
    third->items[0] = (struct mcast_sm_change_item){group_id(3), 3, MCAST_SM_JOIN};
    come(world, &world->members[0]);
    come(world, &world->members[1]);
    pass(world, 3 * MCAST_SECOND);
    CHECK(stats_of(world).epochs == 1);
    come(world, third);
    for (size_t i = 0; i < world->member_count; i++) {
        world->members[i].resyncs = true; /* what a late report adds is told with all there is */
    }
    return third;
}

static void who_comes_late_is_granted_what_it_asks_for_before_it_reports(void) {
    struct world world;
    struct member *third = apart_and_late(&world);
    pass(&world, MCAST_SECOND);
    CHECK(!third->open && third->is_in[1] && third->is_in[3] && third->names[3] != 0);
    CHECK(!third->evicted && stats_of(&world).members == 3);
    check_world(&world);
    world_free(&world);
}

static void who_came_late_may_lose_its_stream_like_anybody(void) {
    struct world world;
    struct member *third = apart_and_late(&world);
    pass(&world, MCAST_SECOND);
    cut_stream(&world, third);
    pass(&world, 100 * MCAST_MILLISECOND);
    come(&world, third);
    pass(&world, MCAST_SECOND);
    CHECK(!third->evicted && stats_of(&world).members == 3 && stats_of(&world).suspicions == 0);
    check_world(&world);
    world_free(&world);
}

/* What it asked for is forgotten with it, and not granted to who gets its place in the table. */
static void who_goes_before_it_reports_leaves_nothing_behind(void) {
    struct world world;
    struct member *third = apart_and_late(&world);
    pass(&world, third->delay); /* HELLO is there */
    say_change(&world, third);
    pass(&world, third->delay);
    cut_stream(&world, third);
    pass(&world, 20 * MCAST_SECOND);
    CHECK(stats_of(&world).members == 2);
    struct member *next = add_member(&world);
    pass(&world, MCAST_SECOND);
    join(&world, next, "A");
    pass(&world, MCAST_SECOND);
    CHECK(next->is_in[0] && next->names[3] == 0 && next->group_count == 1);
    world_free(&world);
}

int main(void) {
    RUN(a_name_comes_with_what_it_names);
    RUN(the_rest_of_a_list_is_answered_when_it_is_granted);
    RUN(an_answer_of_a_part_that_is_lost_is_given_again);
    RUN(who_left_a_group_without_knowing_keeps_its_place_in_another);
    RUN(no_item_overtakes_another_about_its_group);
    RUN(who_comes_late_is_granted_what_it_asks_for_before_it_reports);
    RUN(who_came_late_may_lose_its_stream_like_anybody);
    RUN(who_goes_before_it_reports_leaves_nothing_behind);
    return 0;
}
