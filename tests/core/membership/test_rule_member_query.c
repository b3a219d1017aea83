/* The service is asked once for all groups of a class who their members are (rule 1.0.5). */
#include "restarting_world.h"

enum { MANY = 1000 };

/* The number of queries that the service answered, and the member that misses the answers. */
static size_t answers;
static uint32_t deaf = UINT32_MAX;

static bool count_answers(struct world *world, uint32_t index, uint8_t kind) {
    (void)world;
    answers += kind == MCAST_SM_MEMBERS ? 1 : 0;
    return kind == MCAST_SM_MEMBERS && index == deaf;
}

static void begin(struct world *world, uint32_t count, uint32_t groups) {
    world_of(world, count, groups);
    world->lose_message = count_answers;
    answers = 0;
    deaf = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        world->members[i].notice_count = 0;
    }
}

/* Query @count groups from @first on, in one step. */
static void ask(struct world *world, uint32_t index, uint32_t first, uint32_t count) {
    static struct mcast_event events[MANY];
    CHECK(count <= MANY);
    for (uint32_t i = 0; i < count; i++) {
        events[i] = (struct mcast_event){.kind = MCAST_EVENT_MEMBERS};
        events[i].as.leave.group = first + i;
    }
    world_step(world, index, events, count);
}

/* Check that the member got one answer for each of @count groups from @first on, with @members in
 * it. */
static void told(const struct world *world, uint32_t index, uint32_t first, uint32_t count,
                 uint64_t members) {
    static size_t times[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        times[i] = 0;
    }
    for (size_t i = 0; i < world->members[index].notice_count; i++) {
        const struct mcast_notice *notice = &world->members[index].notices[i];
        if (notice->kind == MCAST_NOTICE_MEMBERS && notice->group >= first &&
            notice->group < first + count) {
            times[notice->group]++;
            CHECK(notice->count == members);
            CHECK(members == 0 || MCAST_GENERATION(notice->number) > 0);
        }
    }
    for (uint32_t i = first; i < first + count; i++) {
        CHECK(times[i] == 1);
    }
}

static void a_thousand_groups_with_equal_members_need_one_query(void) {
    struct world world;
    begin(&world, 3, MANY);
    size_t before = world.notices_told;
    ask(&world, 0, 0, MANY);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(answers == 1);
    CHECK(world.notices_told == before + MANY);
    told(&world, 0, 0, 250, 3); /* as many as a member of this world keeps */
    world_free(&world);
}

static void a_later_query_uses_the_kept_answer(void) {
    struct world world;
    begin(&world, 3, 100);
    for (uint32_t group = 0; group < 100; group++) {
        ask(&world, 1, group, 1);
        world_run(&world, MCAST_MILLISECOND);
    }
    CHECK(answers == 1);
    told(&world, 1, 0, 100, 3);
    world_free(&world);
}

static void a_changed_membership_is_queried_again(void) {
    struct world world;
    begin(&world, 3, 100);
    ask(&world, 0, 0, 100);
    CHECK(answers == 1);
    struct mcast_config config = world_config(3);
    uint32_t fourth = world_add(&world, &config);
    for (uint32_t group = 0; group < 40; group++) {
        world_join(&world, fourth, group);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world.members[0].notice_count = 0;
    ask(&world, 0, 0, 100);
    CHECK(answers == 2); /* about the forty; the view of the others is unchanged */
    told(&world, 0, 0, 40, 4);
    told(&world, 0, 40, 60, 3);
    world_free(&world);
}

/* The class of a queried group splits while the query is under way. */
static void a_class_that_splits_is_answered_completely(void) {
    struct world world;
    begin(&world, 3, 100);
    deaf = 0;
    ask(&world, 0, 0, 100);
    CHECK(answers == 1 && world_notices(&world, 0, MCAST_NOTICE_MEMBERS) == 0);
    world_leave(&world, 2, 0);
    world_run(&world, 300 * MCAST_MILLISECOND);
    CHECK(answers == 2); /* nobody asked about the rest of the class */
    deaf = UINT32_MAX;
    world_replace_service(&world, 2);
    world_run(&world, 2 * MCAST_SECOND);
    told(&world, 0, 0, 1, 2);
    told(&world, 0, 1, 99, 3);
    CHECK(answers == 4);
    world_free(&world);
}

static void leaving_the_queried_group_does_not_lose_other_answers(void) {
    struct world world;
    begin(&world, 3, 100);
    deaf = 0;
    ask(&world, 0, 0, 100);
    CHECK(answers == 1);
    deaf = UINT32_MAX;
    world_leave(&world, 0, 0);
    world_run(&world, 300 * MCAST_MILLISECOND);
    told(&world, 0, 1, 99, 3);
    CHECK(answers == 2);
    world_free(&world);
}

static void an_outside_sender_of_empty_groups_queries_once(void) {
    struct world world;
    begin(&world, 2, 1);
    for (uint32_t group = 10; group < 30; group++) {
        struct mcast_event event = {.kind = MCAST_EVENT_REGISTER};
        event.as.join.group = group;
        event.as.join.id = (struct mcast_id){group, 1};
        world_step(&world, 0, &event, 1);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    ask(&world, 0, 10, 20);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(answers == 1);
    told(&world, 0, 10, 20, 0);
    world_free(&world);
}

static void a_new_incarnation_keeps_no_answer(void) {
    struct world world;
    begin(&world, 3, 10);
    ask(&world, 0, 0, 10);
    CHECK(answers == 1);
    struct mcast_service_message evicted = {.kind = MCAST_SM_EVICTED};
    evicted.as.evicted.code = MCAST_EEVICTED;
    world_hand_message(&world, 0, &evicted);
    world.members[0].notice_count = 0;
    ask(&world, 0, 0, 1);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_MEMBERS) == 0);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_REFUSED) == 1);
    world_free(&world);
}

int main(void) {
    RUN(a_thousand_groups_with_equal_members_need_one_query);
    RUN(a_later_query_uses_the_kept_answer);
    RUN(a_changed_membership_is_queried_again);
    RUN(a_class_that_splits_is_answered_completely);
    RUN(leaving_the_queried_group_does_not_lose_other_answers);
    RUN(an_outside_sender_of_empty_groups_queries_once);
    RUN(a_new_incarnation_keeps_no_answer);
    return 0;
}
