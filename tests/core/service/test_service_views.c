/* The membership service, event by event: views, regions and classes (spec/qsm.md 1.3, 1.5). */
#include "service_script.h"

static void the_first_member_of_a_group_gets_a_view_of_its_own(void) {
    struct world world;
    story(&world, 1);
    join(&world, &world.members[0], "A");
    moment(&world);
    heard(&world,
          "a PREPARE 1: view 1=1 groups 1+1:1\n"
          "a CHANGED 1\n"
          "a COMMIT 1\n");
    check_world(&world);
    world_free(&world);
}

static void groups_joined_by_all_of_a_region_need_no_new_view(void) {
    struct world world;
    story(&world, 1);
    join(&world, &world.members[0], "A");
    moment(&world);
    forget(&world);
    join(&world, &world.members[0], "BCD");
    moment(&world);
    heard(&world,
          "a PREPARE 2: groups 2+3:1\n"
          "a CHANGED 2\n"
          "a COMMIT 2\n");
    check_world(&world);
    world_free(&world);
}

static void a_second_member_closes_the_first_view(void) {
    struct world world;
    story(&world, 2);
    join(&world, &world.members[0], "A");
    moment(&world);
    forget(&world);
    join(&world, &world.members[1], "A");
    moment(&world);
    heard(&world,
          "a PREPARE 2: view 2=1,2<1 groups 1+1:2 closing 1\n"
          "b PREPARE 2: view 2=1,2<1 groups 1+1:2\n"
          "b CHANGED 1\n"
          "a COMMIT 2\n"
          "b COMMIT 2\n"
          "a VIEW_CLOSED 1 senders 0 dead 0\n");
    check_world(&world);
    CHECK(stats_of(&world).regions == 1);
    world_free(&world);
}

static void an_overlap_makes_three_regions_whose_members_know_their_own(void) {
    struct world world;
    story(&world, 3);
    join(&world, &world.members[0], "A");
    moment(&world);
    join(&world, &world.members[1], "B");
    moment(&world);
    forget(&world);
    join(&world, &world.members[2], "AB");
    moment(&world);
    /* Old members keep their views and learn one more address; only members learn of members. */
    heard(&world,
          "a PREPARE 3: view 3 groups 1+1:1,3\n"
          "b PREPARE 3: view 3 groups 2+1:2,3\n"
          "c PREPARE 3: view 3=3 view 1 view 2 groups 1+1:1,3 groups 2+1:2,3\n"
          "c CHANGED 1\n"
          "a COMMIT 3\n"
          "b COMMIT 3\n"
          "c COMMIT 3\n");
    check_world(&world);
    CHECK(stats_of(&world).regions == 3 && stats_of(&world).classes == 2);
    world_free(&world);
}

static void a_region_whose_members_all_leave_a_group_keeps_its_address(void) {
    struct world world;
    story(&world, 1);
    join(&world, &world.members[0], "AB");
    moment(&world);
    struct mcast_address before = world.members[0].views[0].address;
    change_one(&world, &world.members[0], MCAST_SM_LEAVE, 1);
    moment(&world);
    check_world(&world);
    CHECK(world.members[0].view_count == 1 && stats_of(&world).regions == 1);
    CHECK(memcmp(&world.members[0].views[0].address, &before, sizeof before) == 0);
    CHECK(world.members[0].views[0].parent_count == 1);
    world_free(&world);
}

/* Old members receive the difference, new ones the whole list. */
static void members_learn_of_joins_and_leaves(void) {
    struct world world;
    story(&world, 6);
    for (size_t i = 0; i < 5; i++) {
        join(&world, &world.members[i], "A");
        moment(&world);
    }
    forget(&world);
    world.members[0].changes_heard = 0;
    join(&world, &world.members[5], "A");
    moment(&world);
    heard(&world,
          "a PREPARE 6: view 6+6<5 groups 1+1:6 closing 5\n"
          "b PREPARE 6: view 6+6<5 groups 1+1:6 closing 5\n"
          "c PREPARE 6: view 6+6<5 groups 1+1:6 closing 5\n"
          "d PREPARE 6: view 6+6<5 groups 1+1:6 closing 5\n"
          "e PREPARE 6: view 6+6<5 groups 1+1:6 closing 5\n"
          "f PREPARE 6: view 6=1,2,3,4,5,6<5 groups 1+1:6\n"
          "f CHANGED 1\n"
          "a COMMIT 6\n"
          "b COMMIT 6\n"
          "c COMMIT 6\n"
          "d COMMIT 6\n"
          "e COMMIT 6\n"
          "f COMMIT 6\n"
          "a VIEW_CLOSED 5 senders 2 dead 0\n"
          "b VIEW_CLOSED 5 senders 2 dead 0\n"
          "c VIEW_CLOSED 5 senders 2 dead 0\n"
          "d VIEW_CLOSED 5 senders 2 dead 0\n"
          "e VIEW_CLOSED 5 senders 2 dead 0\n");
    check_world(&world);
    forget(&world);
    change_one(&world, &world.members[1], MCAST_SM_LEAVE, 0);
    moment(&world);
    heard(&world,
          "a PREPARE 7: view 7-2<6 groups 1+1:7 closing 6\n"
          "b PREPARE 7: groups 1+1:- closing 6\n"
          "c PREPARE 7: view 7-2<6 groups 1+1:7 closing 6\n"
          "d PREPARE 7: view 7-2<6 groups 1+1:7 closing 6\n"
          "e PREPARE 7: view 7-2<6 groups 1+1:7 closing 6\n"
          "f PREPARE 7: view 7-2<6 groups 1+1:7 closing 6\n"
          "b CHANGED 2\n"
          "a COMMIT 7\n"
          "b COMMIT 7\n"
          "c COMMIT 7\n"
          "d COMMIT 7\n"
          "e COMMIT 7\n"
          "f COMMIT 7\n"
          "a VIEW_CLOSED 6 senders 1 dead 0\n"
          "b VIEW_CLOSED 6 senders 1 dead 0\n"
          "c VIEW_CLOSED 6 senders 1 dead 0\n"
          "d VIEW_CLOSED 6 senders 1 dead 0\n"
          "e VIEW_CLOSED 6 senders 1 dead 0\n"
          "f VIEW_CLOSED 6 senders 1 dead 0\n");
    check_world(&world);
    CHECK(world.members[0].changes_heard == 2);
    world_free(&world);
}

static void any_number_of_groups_with_one_region_list_are_one_class(void) {
    struct world world;
    story(&world, 2);
    struct mcast_sm_change_item items[GROUPS];
    for (uint32_t group = 0; group < GROUPS; group++) {
        items[group] = (struct mcast_sm_change_item){group_id(group), group, MCAST_SM_JOIN};
    }
    change(&world, &world.members[0], items, GROUPS);
    moment(&world);
    world.members[0].prepare_bytes = 0;
    change(&world, &world.members[1], items, GROUPS);
    moment(&world);
    check_world(&world);
    CHECK(stats_of(&world).classes == 1 && stats_of(&world).groups == GROUPS);
    CHECK(world.members[1].prepare_bytes < 200); /* one run */
    CHECK(world.members[0].prepare_bytes < 200);
    world_free(&world);
}

static void an_empty_group_is_forgotten_and_its_name_not_reused(void) {
    struct world world;
    story(&world, 1);
    join(&world, &world.members[0], "A");
    moment(&world);
    uint32_t name = world.members[0].names[0];
    change_one(&world, &world.members[0], MCAST_SM_LEAVE, 0);
    moment(&world);
    CHECK(stats_of(&world).groups == 0 && stats_of(&world).regions == 0);
    join(&world, &world.members[0], "A");
    moment(&world);
    CHECK(world.members[0].names[0] > name);
    check_world(&world);
    world_free(&world);
}

static void joining_a_current_group_needs_no_epoch(void) {
    struct world world;
    story(&world, 1);
    join(&world, &world.members[0], "A");
    moment(&world);
    forget(&world);
    join(&world, &world.members[0], "A");
    moment(&world);
    heard(&world, "a CHANGED 2\n");
    CHECK(stats_of(&world).epochs == 1);
    world_free(&world);
}

static void a_query_is_answered_with_the_members_of_a_group(void) {
    struct world world;
    story(&world, 3);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "AB");
    moment(&world);
    struct mcast_service_message query = {.kind = MCAST_SM_MEMBERS_QUERY};
    query.as.members_query.group = world.members[0].names[0];
    say(&world, &world.members[2], &query);
    moment(&world);
    CHECK(world.members[2].queried == 2 && world.members[2].queried_number > 0);
    query.as.members_query.group = 999;
    say(&world, &world.members[2], &query);
    moment(&world);
    CHECK(world.members[2].queried == 0);
    world_free(&world);
}

int main(void) {
    RUN(the_first_member_of_a_group_gets_a_view_of_its_own);
    RUN(groups_joined_by_all_of_a_region_need_no_new_view);
    RUN(a_second_member_closes_the_first_view);
    RUN(an_overlap_makes_three_regions_whose_members_know_their_own);
    RUN(a_region_whose_members_all_leave_a_group_keeps_its_address);
    RUN(members_learn_of_joins_and_leaves);
    RUN(any_number_of_groups_with_one_region_list_are_one_class);
    RUN(an_empty_group_is_forgotten_and_its_name_not_reused);
    RUN(joining_a_current_group_needs_no_epoch);
    RUN(a_query_is_answered_with_the_members_of_a_group);
    return 0;
}
