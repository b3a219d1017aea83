/* The membership service, told as it happens: a script, and what each member hears. */
#include "service_world.h"

static void begin(struct world *world, size_t members) {
    world_init(world, 1);
    world_start_service(world);
    for (size_t i = 0; i < members; i++) {
        (void)add_member(world);
    }
    pass(world, 100 * MCAST_MILLISECOND);
    world->logging = true;
}

static void expect(struct world *world, const char *log) {
    if (strcmp(world->log, log) != 0) {
        fprintf(stderr, "heard:\n%sinstead of:\n%s", world->log, log);
        exit(1);
    }
    world->log_length = 0;
    world->log[0] = '\0';
}

static void the_first_member_of_a_group_gets_a_view_of_its_own(void) {
    struct world world;
    begin(&world, 1);
    join(&world, &world.members[0], "A");
    pass(&world, 100 * MCAST_MILLISECOND);
    expect(&world,
           "a PREPARE 1: view 1=1 groups 1+1:1\n"
           "a CHANGED 1\n"
           "a COMMIT 1\n");
    check_world(&world);
    world_free(&world);
}

static void groups_joined_by_all_of_a_region_need_no_new_view(void) {
    struct world world;
    begin(&world, 1);
    join(&world, &world.members[0], "A");
    pass(&world, 100 * MCAST_MILLISECOND);
    expect(&world, "a PREPARE 1: view 1=1 groups 1+1:1\na CHANGED 1\na COMMIT 1\n");
    join(&world, &world.members[0], "BCD");
    pass(&world, 100 * MCAST_MILLISECOND);
    expect(&world, "a PREPARE 2: groups 2+3:1\na CHANGED 2\na COMMIT 2\n");
    check_world(&world);
    world_free(&world);
}

static void a_second_member_closes_the_first_view(void) {
    struct world world;
    begin(&world, 2);
    join(&world, &world.members[0], "A");
    pass(&world, 100 * MCAST_MILLISECOND);
    world.log_length = 0;
    join(&world, &world.members[1], "A");
    pass(&world, 100 * MCAST_MILLISECOND);
    expect(&world,
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

static void an_overlap_makes_three_regions(void) {
    struct world world;
    begin(&world, 3);
    join(&world, &world.members[0], "A");
    join(&world, &world.members[1], "B");
    pass(&world, 200 * MCAST_MILLISECOND);
    join(&world, &world.members[2], "AB");
    pass(&world, 200 * MCAST_MILLISECOND);
    check_world(&world);
    CHECK(stats_of(&world).regions == 3);
    CHECK(stats_of(&world).classes == 2);
    /* Those who were there keep their views; they only learn that there is one more. */
    world.log_length = 0;
    change_one(&world, &world.members[2], MCAST_SM_LEAVE, 0);
    pass(&world, 200 * MCAST_MILLISECOND);
    check_world(&world);
    CHECK(stats_of(&world).regions == 2);
    world_free(&world);
}

int main(void) {
    RUN(the_first_member_of_a_group_gets_a_view_of_its_own);
    RUN(groups_joined_by_all_of_a_region_need_no_new_view);
    RUN(a_second_member_closes_the_first_view);
    RUN(an_overlap_makes_three_regions);
    return 0;
}
