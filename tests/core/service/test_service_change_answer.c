/* Answers to a CHANGE, and their time, when messages were lost (rules 1.0.5, 1.0.12). */
#include "service_script.h"

/* Let time pass until the first member has heard that an epoch after @epoch is in force. */
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

/* Two members are in A; the third, which is in @groups, requests @items, receives PREPARE and
 * nothing else before the service dies. */
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

/* Check that the answer to @request arrived before COMMIT of the first epoch, and once or twice. */
static void answered(const struct world *world, const char *line, bool twice) {
    const char *first = strstr(world->log, line);
    const char *in_force = strstr(world->log, "c COMMIT 1\n");
    CHECK(first != NULL && in_force != NULL && first < in_force);
    const char *second = strstr(first + strlen(line), line);
    CHECK(twice ? second != NULL && second > in_force : second == NULL);
}

static void a_name_arrives_with_its_group(void) {
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

/* Only the dead service knew of the group that it sends to from outside. */
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

/* The first part of an answer may be lost as well: the member repeats the whole list. */
static void a_lost_partial_answer_is_repeated(void) {
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

/* The service that died moved the third member from B to A; the member still believes to be in B.
 */
static void a_member_that_left_a_group_unknowingly_keeps_its_other_place(void) {
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

/* An item that leaves a group and a later one that joins it: the join is not answered before the
 * member has left. */
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

/* Three members; the third shares no group with the others and had requested one more when the
 * service died; it connects when the new service has begun. */
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
        world->members[i].resyncs = true; /* additions of a late report are sent along with
                                           * everything */
    }
    return third;
}

static void a_late_member_is_granted_its_request_before_it_reports(void) {
    struct world world;
    struct member *third = apart_and_late(&world);
    pass(&world, MCAST_SECOND);
    CHECK(!third->open && third->is_in[1] && third->is_in[3] && third->names[3] != 0);
    CHECK(!third->evicted && stats_of(&world).members == 3);
    check_world(&world);
    world_free(&world);
}

static void a_late_member_may_lose_its_stream(void) {
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

/* Its request is forgotten with it, and not granted to the member that gets its slot. */
static void a_member_that_leaves_before_it_reports_is_forgotten(void) {
    struct world world;
    struct member *third = apart_and_late(&world);
    pass(&world, third->delay); /* HELLO has arrived */
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
    RUN(a_name_arrives_with_its_group);
    RUN(the_rest_of_a_list_is_answered_when_it_is_granted);
    RUN(a_lost_partial_answer_is_repeated);
    RUN(a_member_that_left_a_group_unknowingly_keeps_its_other_place);
    RUN(no_item_overtakes_another_about_its_group);
    RUN(a_late_member_is_granted_its_request_before_it_reports);
    RUN(a_late_member_may_lose_its_stream);
    RUN(a_member_that_leaves_before_it_reports_is_forgotten);
    return 0;
}
