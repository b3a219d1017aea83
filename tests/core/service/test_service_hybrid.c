/* The membership service gives groups of many regions an address of their own (rule 1.6). */
#include "service_script.h"

static void hybrid_story(struct world *world, size_t members, uint32_t regions) {
    world_init(world, 1);
    world->config.hybrid_regions = regions;
    world_start_service(world);
    for (size_t i = 0; i < members; i++) {
        (void)add_member(world);
    }
    pass(world, 100 * MCAST_MILLISECOND);
    world->logging = true;
}

/* The first member in group A, the second in A and B: A has two regions. */
static void two_regions(struct world *world, size_t members, uint32_t regions) {
    hybrid_story(world, members, regions);
    join(world, &world->members[0], "A");
    join(world, &world->members[1], "AB");
    moment(world);
}

/* True if @line was heard; print everything heard otherwise. */
static bool has(const struct world *world, const char *line) {
    if (strstr(world->log, line) == NULL) {
        fprintf(stderr, "no \"%s\" in:\n%s", line, world->log);
        return false;
    }
    return true;
}

static void a_group_gets_its_address_with_the_epoch_that_brings_the_region(void) {
    struct world world;
    hybrid_story(&world, 2, 2);
    join(&world, &world.members[0], "A");
    moment(&world);
    CHECK(strstr(world.log, "hear") == NULL);
    forget(&world);
    join(&world, &world.members[1], "AB");
    moment(&world);
    heard(&world,
          "a PREPARE 2: view 2 groups 1+1:1,2 hear 1@2\n"
          "b PREPARE 2: view 2=2 view 1 groups 1+1:1,2 groups 2+1:2 hear 1@2\n"
          "b CHANGED 1\n"
          "a COMMIT 2\n"
          "b COMMIT 2\n");
    check_world(&world);
    world_free(&world);
}

static void a_later_member_gets_the_same_address(void) {
    struct world world;
    two_regions(&world, 3, 2);
    forget(&world);
    join(&world, &world.members[2], "AB");
    moment(&world);
    CHECK(has(&world, "c PREPARE 3: view 3=2,3<2 view 1 groups 1+1:1,3 groups 2+1:3 hear 1@2\n"));
    check_world(&world);
    world_free(&world);
}

static void a_new_service_keeps_the_addresses_that_members_report(void) {
    struct world world;
    two_regions(&world, 3, 2);
    CHECK(has(&world, "hear 1@2"));
    crash_service(&world);
    pass(&world, MCAST_SECOND);
    world.config.hybrid_regions = 0; /* the new service gives none, but members have it */
    restart_service(&world);
    for (size_t i = 0; i < 3; i++) {
        come(&world, &world.members[i]);
    }
    forget(&world);
    pass(&world, 15 * MCAST_SECOND);
    CHECK(has(&world, "a PREPARE") && has(&world, "b PREPARE"));
    CHECK(has(&world, "hear 1@2") && strstr(world.log, "hear 1@1") == NULL);
    join(&world, &world.members[2], "C");
    moment(&world);
    CHECK(world.members[2].views[0].address.ip[15] != 2); /* not given to a region */
    check_world(&world);
    world_free(&world);
}

static void a_sender_from_outside_gets_the_address_and_need_not_listen(void) {
    struct world world;
    two_regions(&world, 3, 2);
    forget(&world);
    change_one(&world, &world.members[2], MCAST_SM_REGISTER_SENDER, 0);
    moment(&world);
    CHECK(has(&world, " send 1@"));
    check_world(&world);
    world_free(&world);
}

static void nobody_sends_there_before_all_listeners_have_answered(void) {
    struct world world;
    hybrid_story(&world, 2, 2);
    join(&world, &world.members[0], "A");
    moment(&world);
    world.members[0].mute = true;
    forget(&world);
    join(&world, &world.members[1], "AB");
    pass(&world, 190 * MCAST_MILLISECOND);
    CHECK(world.members[1].open); /* a, whose region stays as it is, has to answer all the same */
    pass(&world, 400 * MCAST_MILLISECOND);
    CHECK(!world.members[1].open); /* then b gets in, and the group gets no address */
    CHECK(has(&world, "b PREPARE 3: view 3=2 view 1 groups 1+1:1,3 groups 2+1:3\n"));
    world_free(&world);
}

static void an_address_that_was_not_agreed_on_is_not_kept(void) {
    struct world world;
    hybrid_story(&world, 3, 2);
    join(&world, &world.members[0], "A");
    moment(&world);
    world.members[0].mute = true;
    join(&world, &world.members[1], "AB");
    pass(&world, 600 * MCAST_MILLISECOND);
    world.members[0].mute = false;
    pass(&world, 3 * MCAST_SECOND); /* a is declared dead or has answered by now */
    forget(&world);
    join(&world, &world.members[2], "A");
    pass(&world, 3 * MCAST_SECOND);
    check_world(&world);
    CHECK(has(&world, "hear 1@"));
    world_free(&world);
}

static void the_threshold_is_a_count_of_regions(void) {
    struct world world;
    two_regions(&world, 3, 3);
    CHECK(strstr(world.log, "hear") == NULL);
    join(&world, &world.members[2], "AC");
    moment(&world);
    CHECK(has(&world, "hear 1@"));
    check_world(&world);
    world_free(&world);
}

static void the_addresses_of_regions_are_not_used_up(void) {
    struct world world;
    world_init(&world, 1);
    world.config.hybrid_regions = 2;
    world.config.address_count = 8;
    world_start_service(&world);
    for (size_t i = 0; i < 2; i++) {
        (void)add_member(&world);
    }
    pass(&world, 100 * MCAST_MILLISECOND);
    world.logging = true;
    join(&world, &world.members[0], "ABCDEFGH");
    join(&world, &world.members[1], "ABCDEFGHI");
    moment(&world);
    size_t told = 0;
    for (const char *at = world.log; (at = strstr(at, " hear ")) != NULL; at++) {
        told++;
    }
    CHECK(told == 2 * 2); /* two of eight go to regions and four have to remain: two groups, twice
                           */
    check_world(&world);
    world_free(&world);
}

static void a_group_that_ends_gives_its_address_back(void) {
    struct world world;
    hybrid_story(&world, 2, 2);
    for (int turn = 0; turn < 3; turn++) {
        join(&world, &world.members[0], "A");
        join(&world, &world.members[1], "AB");
        moment(&world);
        CHECK(has(&world, "hear"));
        change_one(&world, &world.members[0], MCAST_SM_LEAVE, 0);
        change_one(&world, &world.members[1], MCAST_SM_LEAVE, 0);
        moment(&world);
        change_one(&world, &world.members[1], MCAST_SM_LEAVE, 1);
        moment(&world);
        CHECK(stats_of(&world).groups == 0);
        forget(&world);
    }
    world_free(&world);
}

static void one_region_is_no_threshold(void) {
    struct mcast_service_config config;
    struct test_memory memory;
    struct mcast_service *service;
    test_memory_init(&memory);
    mcast_service_config_default(&config);
    config.hybrid_regions = 1;
    CHECK(mcast_service_new(&config, &memory.alloc, &service) == MCAST_ECONFIG);
    CHECK(memory.out == 0);
}

int main(void) {
    RUN(a_group_gets_its_address_with_the_epoch_that_brings_the_region);
    RUN(a_later_member_gets_the_same_address);
    RUN(a_new_service_keeps_the_addresses_that_members_report);
    RUN(a_sender_from_outside_gets_the_address_and_need_not_listen);
    RUN(nobody_sends_there_before_all_listeners_have_answered);
    RUN(an_address_that_was_not_agreed_on_is_not_kept);
    RUN(the_threshold_is_a_count_of_regions);
    RUN(the_addresses_of_regions_are_not_used_up);
    RUN(a_group_that_ends_gives_its_address_back);
    RUN(one_region_is_no_threshold);
    return 0;
}
