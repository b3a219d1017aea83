/* Dead nodes are forgotten except for their names (spec/qsm.md 1.0.8, 1.0.11, 1.0.12): the memory
 * of a node does not grow with the incarnations that it has seen. */
#include "check.h"
#include "member/member_state.h"
#include "small_world.h"

enum { FORGET_SECONDS = 10, LIVES = 40, GUEST = 3 };

static const struct mcast_member *inside(const struct world *world, uint32_t index) {
    return world->members[index].member;
}

/* Create three members that stay and forget dead nodes after @seconds. */
static void begin(struct world *world, uint64_t seconds) {
    world_init(world);
    for (uint32_t i = 0; i < GUEST; i++) {
        struct mcast_config config = world_config(i);
        config.forget_time = seconds * MCAST_SECOND;
        (void)world_add(world, &config);
        world_join(world, i, 0);
    }
    world_run(world, 300 * MCAST_MILLISECOND);
}

/* Run one more incarnation at the same address: join, send, leave in order. Return its name. */
static mcast_node live(struct world *world, uint64_t incarnation) {
    struct mcast_config config = world_config(GUEST);
    config.incarnation = incarnation;
    uint32_t index = world_add(world, &config);
    CHECK(index == GUEST);
    world_join(world, index, 0);
    world_run(world, 300 * MCAST_MILLISECOND);
    world_send(world, index, 0, 1, 20, 0);
    world_run(world, 300 * MCAST_MILLISECOND);
    mcast_node node = mcast_member_node(inside(world, index));
    world_step(world, index, &(struct mcast_event){.kind = MCAST_EVENT_STOP}, 1);
    world_run(world, 500 * MCAST_MILLISECOND);
    CHECK(world_notices(world, index, MCAST_NOTICE_STOPPED) == 1);
    world_crash(world, index);
    world_run(world, 100 * MCAST_MILLISECOND);
    mcast_member_free(world->members[index].member);
    free(world->members[index].heard);
    world->members[index] = (struct world_member){0};
    world->count--;
    return node;
}

/* Wait until all dead nodes are forgotten. */
static void rest(struct world *world) {
    world_run(world, (3 * FORGET_SECONDS + 15) * MCAST_SECOND);
}

/* The same for a node that was in no group when it went: it is announced as dead with the next
 * change. */
static mcast_node live_and_be_told(struct world *world, uint64_t incarnation) {
    mcast_node node = live(world, incarnation);
    (void)live(world, incarnation + 1);
    return node;
}

static void memory_does_not_grow_with_the_incarnations_seen(void) {
    struct world world;
    begin(&world, FORGET_SECONDS);
    (void)live_and_be_told(&world, 1000);
    rest(&world);
    uint64_t kept = world_stats(&world, 0).memory_bytes;
    CHECK(inside(&world, 0)->peers.count == GUEST + 1);
    for (uint64_t i = 2; i < LIVES; i++) {
        (void)live(&world, 1000 + i);
    }
    CHECK(inside(&world, 0)->peers.count > GUEST + 5);
    rest(&world);
    CHECK(inside(&world, 0)->peers.count == GUEST + 1);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEAD) == LIVES - 1);
    CHECK(world_stats(&world, 0).memory_bytes <= kept + 1024);
    CHECK(!mcast_timer_is_set(&inside(&world, 0)->forget_alarm.timer));
    world_free(&world);
}

static void a_forgotten_name_is_reported_to_the_next_service(void) {
    struct world world;
    begin(&world, FORGET_SECONDS);
    mcast_node node = live_and_be_told(&world, 1000);
    rest(&world);
    struct mcast_member *member = world.members[0].member;
    CHECK(mcast_peer_find(member, node) == NULL && mcast_is_forgotten(member, node));
    mcast_node names[4];
    CHECK(mcast_forgotten_count(member) == 1 && mcast_forgotten_names(member, names) == 1);
    CHECK(names[0] == node);
    /* The repeated announcement of a forgotten death is not reported to the application. */
    size_t told = world_notices(&world, 0, MCAST_NOTICE_DEAD);
    mcast_epoch_bury(member, node);
    CHECK(world_notices(&world, 0, MCAST_NOTICE_DEAD) == told);
    CHECK(mcast_peer_find(member, node) == NULL);
    /* Somebody still needs it: it is known as dead again for a while. */
    CHECK(mcast_peer_recall(member, node)->dead && !mcast_is_forgotten(member, node));
    rest(&world);
    CHECK(mcast_peer_find(member, node) == NULL && mcast_is_forgotten(member, node));
    CHECK(mcast_peer_recall(member, node + 1000) == NULL);
    world_free(&world);
}

static bool lose_tokens(struct world *world, const struct world_flight *flight) {
    (void)world;
    return world_type(flight) == MCAST_WIRE_TOKEN;
}

static bool is_seated(const struct mcast_member *member, mcast_node node) {
    for (const struct mcast_view_state *view = member->first_view; view != NULL;
         view = view->next) {
        if (mcast_layout_seat(view, node) != MCAST_NO_SEAT) {
            return true;
        }
    }
    return false;
}

/* A dead node stays a peer while a view that seats it goes on, and while something of it is kept.
 */
static void a_dead_node_that_is_still_needed_stays_a_peer(void) {
    struct world world;
    begin(&world, 1);
    world_send(&world, 2, 0, 1, 20, 0);
    world_run(&world, MCAST_SECOND);
    mcast_node node = mcast_member_node(inside(&world, 2));
    world_crash(&world, 2);
    world.lose = lose_tokens; /* the view that seats it does not end */
    while (world_notices(&world, 0, MCAST_NOTICE_DEAD) == 0) {
        world_run(&world, MCAST_MILLISECOND);
    }
    int seconds = 0;
    for (; is_seated(inside(&world, 0), node); seconds++) {
        CHECK(mcast_peer_find(inside(&world, 0), node) != NULL);
        world_run(&world, MCAST_SECOND);
    }
    CHECK(seconds > 5);
    world_run(&world, 10 * MCAST_SECOND);
    CHECK(mcast_peer_find(inside(&world, 0), node) == NULL);
    world_free(&world);
}

static void forgotten_names_are_bounded_and_the_newest_stay(void) {
    struct world world;
    begin(&world, FORGET_SECONDS);
    struct mcast_member *member = world.members[0].member;
    for (mcast_node node = 1000; node < 1000 + 2 * 600; node += 2) {
        mcast_peer_meet_dead(member, node);
    }
    rest(&world);
    CHECK(member->peers.count == GUEST);
    CHECK(mcast_ranges_count(member->forgotten) == 512);
    CHECK(mcast_is_forgotten(member, 1000 + 2 * 599));
    world_free(&world);
}

int main(void) {
    RUN(memory_does_not_grow_with_the_incarnations_seen);
    RUN(a_forgotten_name_is_reported_to_the_next_service);
    RUN(a_dead_node_that_is_still_needed_stays_a_peer);
    RUN(forgotten_names_are_bounded_and_the_newest_stay);
    return 0;
}
