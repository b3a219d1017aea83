/* Rule 1.0.12: the membership service stops and another starts: which of the views that not all had
 * in force hold then, and what happens to messages sent in them. */
#include "restarting_world.h"

static void a_view_in_force_for_some_is_delivered_to_all_its_members(void) {
    struct world world;
    world_of(&world, 3, 1);
    struct mcast_config config = world_config(3);
    uint32_t fourth = world_add(&world, &config);
    world.lose_message = lose_commit;
    world_join(&world, fourth, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, fourth, MCAST_NOTICE_JOINED) == 1);
    world_send(&world, 0, 0, 'a', 30, 0);
    world_run(&world, 10 * MCAST_MILLISECOND);
    CHECK(world.members[1].heard_count == 1 && world.members[2].heard_count == 0);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    world_send(&world, 0, 0, 'b', 30, 0);
    world_run(&world, MCAST_SECOND);
    for (uint32_t i = 0; i < world.count; i++) {
        CHECK(world.members[i].heard_count == 2);
        CHECK(world.members[i].heard[0].first == 'a' && world.members[i].heard[1].first == 'b');
    }
    world_free(&world);
}

/* Let the third member miss the name of its group and COMMIT, but not PREPARE. */
static bool lose_grant(struct world *world, uint32_t index, uint8_t kind) {
    return lose_commit(world, index, kind) || (index == 2 && kind == MCAST_SM_CHANGED);
}

static void a_member_that_joined_unknowingly_learns_its_view(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_join(&world, 0, 1);
    world_join(&world, 1, 1);
    world_run(&world, 300 * MCAST_MILLISECOND);
    world.lose_message = lose_grant;
    world_join(&world, 2, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_JOINED) == 2);
    ask_members(&world, 2, 1);
    CHECK(last_count(&world, 2) == 3);
    uint32_t views = 0;
    for (size_t i = 0; i < world.members[2].notice_count; i++) {
        const struct mcast_notice *notice = &world.members[2].notices[i];
        views += notice->kind == MCAST_NOTICE_VIEW && notice->group == 1 ? 1 : 0;
    }
    CHECK(views == 1);
    world_send(&world, 2, 1, 'a', 30, 0);
    world_send(&world, 0, 1, 'b', 30, 0);
    world_run(&world, MCAST_SECOND);
    for (uint32_t i = 0; i < world.count; i++) {
        CHECK(world.members[i].heard_count == 2);
    }
    world_free(&world);
}

/* The only member of a region does not hear that its new view is in force; its senders do. */
static void a_view_in_force_for_senders_only_is_delivered(void) {
    struct world world;
    world_of(&world, 3, 0);
    struct mcast_event event = {.kind = MCAST_EVENT_REGISTER};
    event.as.join.id = (struct mcast_id){2, 1};
    world_step(&world, 0, &event, 1);
    world_join(&world, 2, 0);
    world_join(&world, 2, 1);
    world_run(&world, 300 * MCAST_MILLISECOND);
    world.lose_message = lose_commit;
    world_leave(&world, 2, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 'a', 30, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world.members[2].heard_count == 0);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    world_send(&world, 0, 0, 'b', 30, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[2].heard_count == 2);
    CHECK(world.members[2].heard[0].first == 'a' && world.members[2].heard[1].first == 'b');
    CHECK(world.members[0].stable == 2);
    world_run(&world, 30 * MCAST_SECOND);
    CHECK(world_stats(&world, 2).views == 1);
    world_free(&world);
}

/* The member that heard PREPARE and not COMMIT leads the region. */
static bool lose_commit_to_first(struct world *world, uint32_t index, uint8_t kind) {
    (void)world;
    return index == 0 && kind == MCAST_SM_COMMIT;
}

static void a_leader_keeps_a_view_that_others_had_in_force(void) {
    struct world world;
    world_of(&world, 4, 1);
    world_send(&world, 1, 0, 1, 20, 0);
    world_run(&world, MCAST_SECOND);
    size_t views = world_notices(&world, 0, MCAST_NOTICE_VIEW);
    world.lose_message = lose_commit_to_first;
    world_leave(&world, 3, 0);
    world_run(&world, 50 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 1, MCAST_NOTICE_VIEW) > views);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_VIEW) == views);
    world_send(&world, 1, 0, 2, 20, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world.members[0].heard_count == 1);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_send(&world, 1, 0, 3, 20, 0);
    world_run(&world, 20 * MCAST_SECOND);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
        CHECK(world.members[i].heard_count == 3 && world.members[i].heard[2].first == 3);
        CHECK(world_stats(&world, i).cached_packets == 0);
    }
    world_free(&world);
}

static bool lose_all_messages(struct world *world, uint32_t index, uint8_t kind) {
    (void)world;
    (void)index;
    (void)kind;
    return true;
}

static bool lose_all(struct world *world, const struct world_flight *flight) {
    (void)world;
    (void)flight;
    return true;
}

/* A ring stands still while nobody says that a member of it is dead: that does not mean that the
 * others went on. */
static void a_member_waiting_in_a_closed_view_also_waits_for_the_service(void) {
    struct world world;
    world_of(&world, 3, 1);
    world.lose = lose_all;
    world_send(&world, 0, 0, 'a', 30, 0);
    world_join(&world, 1, 1);
    world_disconnect_all(&world);
    world.members[2].down = true;
    world.lose_message = lose_all_messages;
    world_run(&world, 30 * MCAST_SECOND);
    world.lose_message = NULL;
    world.lose = NULL;
    world_new_service(&world, 2);
    world_connect_one(&world, 0);
    world_connect_one(&world, 1);
    world_run(&world, 2 * MCAST_SECOND);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
        CHECK(world.members[i].heard_count == 1);
    }
    world_free(&world);
}

static void world_leave_both(struct world *world, uint32_t index) {
    struct mcast_event leaves[2] = {{.kind = MCAST_EVENT_LEAVE}, {.kind = MCAST_EVENT_LEAVE}};
    leaves[1].as.leave.group = 1;
    world_step(world, index, leaves, 2);
}

/* Check that any two members report the same size for one view of a group. */
static void check_agreement(const struct world *world) {
    uint64_t numbers[64];
    uint64_t counts[64];
    size_t known = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        for (size_t j = 0; j < world->members[i].notice_count; j++) {
            const struct mcast_notice *notice = &world->members[i].notices[j];
            size_t at = 0;
            if (notice->kind != MCAST_NOTICE_MEMBERS || notice->group != 0) {
                continue;
            }
            while (at < known && numbers[at] != notice->number) {
                at++;
            }
            CHECK(at < 64 && (at == known || counts[at] == notice->count));
            numbers[at] = notice->number;
            counts[at] = notice->count;
            known += at == known ? 1 : 0;
        }
    }
    CHECK(known >= 2);
}

/* It asked to leave, and never heard that it had left. */
static void a_view_that_others_saw_closed_is_not_restored(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_join(&world, 2, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world.lose_message = lose_all_to_third;
    world_leave_both(&world, 2);
    world_run(&world, 300 * MCAST_MILLISECOND);
    ask_members(&world, 0, 0);
    CHECK(last_count(&world, 0) == 2);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    for (uint32_t i = 0; i < 20; i++) {
        ask_members(&world, i % 2, 0);
        world_run(&world, 10 * MCAST_MILLISECOND);
    }
    CHECK(last_count(&world, 0) == 2 && last_count(&world, 1) == 2);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_LEFT) == 2);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 0);
    check_agreement(&world);
    world_free(&world);
}

/* Members 0 and 1 are in both groups, 2 and 3 in the first only: two regions. When 3 leaves, 2 is
 * alone in a view whose COMMIT it does not hear, and the others send there. */
static void messages_of_outside_senders_in_a_prepared_view_are_delivered(void) {
    struct world world;
    world_of(&world, 4, 1);
    world_join(&world, 0, 1);
    world_join(&world, 1, 1);
    world_run(&world, MCAST_SECOND);
    world.lose_message = lose_commit;
    world_leave(&world, 3, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 'a', 30, 0);
    world_run(&world, 10 * MCAST_MILLISECOND);
    CHECK(world.members[1].heard_count == 1 && world.members[2].heard_count == 0);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    world_send(&world, 0, 0, 'b', 30, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[2].heard_count == 2);
    CHECK(world.members[2].heard[0].first == 'a' && world.members[2].heard[1].first == 'b');
    world_free(&world);
}

/* It has left, and belongs to the ring of the old view until all members there have all messages.
 */
static void a_member_waiting_in_a_closed_view_learns_of_deaths(void) {
    struct world world;
    world_of(&world, 4, 1);
    world.lose = lose_all;
    world_send(&world, 0, 0, 'a', 30, 0);
    world_leave(&world, 3, 0);
    world_run(&world, 20 * MCAST_MILLISECOND);
    world_replace_service(&world, 2);
    world_run(&world, 300 * MCAST_MILLISECOND);
    world_crash(&world, 1);
    world_run(&world, 300 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 3, MCAST_NOTICE_DEAD) == 1);
    world.lose = NULL;
    world_run(&world, 20 * MCAST_SECOND);
    CHECK(world.members[2].heard_count == 1);
    CHECK(world_notices(&world, 3, MCAST_NOTICE_EVICTED) == 0);
    CHECK(world_stats(&world, 3).views == 0);
    world_free(&world);
}

/* Return how often the member moved to another view. */
static uint64_t moves(const struct world *world, uint32_t index) {
    return world_stats(world, index).region_moves;
}

/* Four members are in a view that the fifth left; one of them did not hear that it is in force. */
static void a_majority_keeps_its_view(void) {
    struct world world;
    world_of(&world, 5, 1);
    world.lose_message = lose_commit;
    world_leave(&world, 4, 0);
    world_run(&world, 50 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 'a', 30, 0);
    world_run(&world, 10 * MCAST_MILLISECOND);
    CHECK(world.members[1].heard_count == 1 && world.members[2].heard_count == 0);
    uint64_t before = moves(&world, 0);
    uint64_t missed = moves(&world, 2);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    world_send(&world, 1, 0, 'b', 30, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(moves(&world, 0) == before && moves(&world, 2) == missed + 1);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(world.members[i].heard_count == 2);
        CHECK(world.members[i].heard[0].first == 'a' && world.members[i].heard[1].first == 'b');
    }
    ask_members(&world, 0, 0);
    ask_members(&world, 2, 0);
    CHECK(last_count(&world, 0) == 4 && last_count(&world, 2) == 4);
    world_free(&world);
}

static bool lose_commit_to_two(struct world *world, uint32_t index, uint8_t kind) {
    (void)world;
    return (index == 1 || index == 2) && kind == MCAST_SM_COMMIT;
}

/* Half is no majority. */
static void without_a_majority_all_get_a_new_view(void) {
    struct world world;
    world_of(&world, 5, 1);
    world.lose_message = lose_commit_to_two;
    world_leave(&world, 4, 0);
    world_run(&world, 50 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 'a', 30, 0);
    world_run(&world, 10 * MCAST_MILLISECOND);
    uint64_t before = moves(&world, 0);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(moves(&world, 0) == before + 1);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(world.members[i].heard_count == 1 && world.members[i].heard[0].first == 'a');
    }
    ask_members(&world, 0, 0);
    ask_members(&world, 2, 0);
    CHECK(last_count(&world, 0) == 4 && last_count(&world, 2) == 4);
    world_free(&world);
}

/* All join a second group at one time, so that their view carries it too; one member does not hear
 * it. The fifth keeps the service from granting each request by itself. */
static void a_majority_knows_which_groups_its_view_carries(void) {
    struct world world;
    world_of(&world, 4, 1);
    struct mcast_config config = world_config(4);
    uint32_t fifth = world_add(&world, &config);
    world_run(&world, 100 * MCAST_MILLISECOND);
    uint64_t before = moves(&world, 0);
    world.lose_message = lose_commit;
    world_join(&world, fifth, 9);
    for (uint32_t i = 0; i < 4; i++) {
        world_join(&world, i, 1);
    }
    world_run(&world, 50 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_JOINED) == 2);
    CHECK(moves(&world, 0) == before);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(moves(&world, 0) == before);
    world_send(&world, 0, 1, 'a', 30, 0);
    world_send(&world, 2, 1, 'b', 30, 0);
    world_run(&world, MCAST_SECOND);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(world.members[i].heard_count == 2);
        CHECK(world_notices(&world, i, MCAST_NOTICE_EVICTED) == 0);
    }
    world_free(&world);
}

/* The third leaves as the fourth comes, and does not hear that it has left. The fourth never met
 * it; the others know that it lives. */
static void a_joiner_does_not_report_a_member_that_left_as_dead(void) {
    struct world world;
    world_of(&world, 3, 1);
    struct mcast_config config = world_config(3);
    uint32_t fourth = world_add(&world, &config);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world.lose_message = lose_grant;
    world_leave(&world, 2, 0);
    world_join(&world, fourth, 0);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, fourth, MCAST_NOTICE_JOINED) == 1);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_LEFT) == 0);
    world.lose_message = NULL;
    world_replace_service(&world, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 0);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_LEFT) == 1);
    for (uint32_t i = 0; i < world.count; i++) {
        CHECK(world_notices(&world, i, MCAST_NOTICE_DEAD) == 0);
    }
    ask_members(&world, fourth, 0);
    CHECK(last_count(&world, fourth) == 3);
    world_free(&world);
}

/* The third sleeps and is declared dead; the fourth comes, and only those two reach the next
 * service. */
static void a_joiner_reports_a_death_from_before_it_came(void) {
    struct world world;
    world_of(&world, 3, 1);
    world_crash(&world, 2);
    world_run(&world, 12 * MCAST_SECOND);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEAD) == 1);
    struct mcast_config config = world_config(3);
    uint32_t fourth = world_add(&world, &config);
    world_join(&world, fourth, 0);
    world_run(&world, 300 * MCAST_MILLISECOND);
    CHECK(world_notices(&world, fourth, MCAST_NOTICE_JOINED) == 1);
    world_disconnect_all(&world);
    world.members[0].down = world.members[1].down = true;
    world.members[2].down = false;
    world_new_service(&world, 2);
    world_connect_one(&world, 2);
    world_connect_one(&world, fourth);
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world_notices(&world, 2, MCAST_NOTICE_EVICTED) == 1);
    CHECK(world_notices(&world, fourth, MCAST_NOTICE_EVICTED) == 0);
    world_free(&world);
}

int main(void) {
    RUN(a_view_in_force_for_some_is_delivered_to_all_its_members);
    RUN(a_member_that_joined_unknowingly_learns_its_view);
    RUN(a_view_in_force_for_senders_only_is_delivered);
    RUN(a_leader_keeps_a_view_that_others_had_in_force);
    RUN(a_view_that_others_saw_closed_is_not_restored);
    RUN(a_member_waiting_in_a_closed_view_also_waits_for_the_service);
    RUN(messages_of_outside_senders_in_a_prepared_view_are_delivered);
    RUN(a_member_waiting_in_a_closed_view_learns_of_deaths);
    RUN(a_majority_keeps_its_view);
    RUN(without_a_majority_all_get_a_new_view);
    RUN(a_majority_knows_which_groups_its_view_carries);
    RUN(a_joiner_does_not_report_a_member_that_left_as_dead);
    RUN(a_joiner_reports_a_death_from_before_it_came);
    return 0;
}
