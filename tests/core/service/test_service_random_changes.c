/* The membership service under any order of joins, leaves, silence, cuts and crashes: once all is
 * quiet again, all members agree, and have what the scripts requested. */
#include "service_world.h"

enum { CROWD = 10, SCRIPT_GROUPS = 9, ACTS = 60 };

/* The faults of a run, besides joins and leaves. */
struct weather {
    bool senders;
    bool cuts;
    bool crashes;
    bool mutes;
    bool split;
    bool restarts;
};

static void crash(struct world *world, struct member *member) {
    cut_stream(world, member);
    memset(member->wants, 0, sizeof member->wants);
    memset(member->sends, 0, sizeof member->sends);
}

static void ask(struct world *world, struct member *member, bool senders) {
    struct mcast_sm_change_item items[6];
    size_t count = 1 + test_random(&world->seed) % 6;
    bool named[GROUPS] = {false};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t group = (uint32_t)(test_random(&world->seed) % SCRIPT_GROUPS);
        uint8_t op = (uint8_t)(1 + test_random(&world->seed) % (senders ? 4 : 2));
        if (!named[group]) {
            named[group] = true;
            items[kept++] = (struct mcast_sm_change_item){group_id(group), group, op};
        }
    }
    change(world, member, items, kept);
}

static void come_back(struct world *world) {
    for (size_t i = 0; i < world->member_count; i++) {
        struct member *member = &world->members[i];
        member->delay = MCAST_MILLISECOND;
        if (member->connection == 0 && member->incarnation == 1 && !member->evicted) {
            come(world, member);
        }
    }
}

static void act(struct world *world, const struct weather *weather) {
    struct member *member = &world->members[test_random(&world->seed) % world->member_count];
    uint64_t what = test_random(&world->seed) % 20;
    if (what == 3 && weather->restarts && test_random(&world->seed) % 3 == 0) {
        crash_service(world);
        pass(world, test_random(&world->seed) % 3 * MCAST_SECOND);
        restart_service(world);
        come_back(world);
        pass(world, test_random(&world->seed) % 12 * MCAST_SECOND);
        return;
    }
    if (member->connection == 0) {
        if (!member->evicted && weather->cuts && what < 10 && member->incarnation == 1) {
            come(world, member);
        }
        return;
    }
    if (member->node == 0) {
        return;
    }
    if (what == 0 && weather->cuts) {
        cut_stream(world, member);
    } else if (what == 1 && weather->crashes) {
        member->incarnation = 2; /* does not come back */
        crash(world, member);
    } else if (what == 2 && weather->mutes) {
        member->delay = (test_random(&world->seed) % 400 + 1) * MCAST_MILLISECOND;
    } else if (!member->open) {
        ask(world, member, weather->senders);
    }
}

static void run(uint64_t seed, const struct weather *weather) {
    struct world world;
    world_init(&world, seed);
    if (weather->split) {
        world.config.smallest_region = 2;
        world.config.strict_hierarchies = seed % 2 == 0;
    }
    world_start_service(&world);
    for (size_t i = 0; i < CROWD; i++) {
        (void)add_member(&world);
    }
    pass(&world, 10 * MCAST_MILLISECOND);
    for (size_t i = 0; i < ACTS; i++) {
        act(&world, weather);
        pass(&world, test_random(&world.seed) % 120 * MCAST_MILLISECOND);
    }
    come_back(&world);
    pass(&world, 20 * MCAST_SECOND);
    for (size_t i = 0; i < world.member_count; i++) {
        struct member *member = &world.members[i];
        if (!is_alive(member)) {
            memset(member->wants, 0, sizeof member->wants);
            memset(member->sends, 0, sizeof member->sends);
        }
    }
    check_world(&world);
    world_free(&world);
}

static void run_many(uint64_t first, uint64_t count, struct weather weather) {
    for (uint64_t seed = first; seed < first + count; seed++) {
        run(seed, &weather);
    }
}

static void joins_and_leaves(void) {
    run_many(1, 60, (struct weather){.senders = false});
}

static void senders_from_outside(void) {
    run_many(1000, 60, (struct weather){.senders = true});
}

static void members_that_crash(void) {
    run_many(2000, 60, (struct weather){.senders = true, .crashes = true});
}

static void streams_that_break(void) {
    run_many(3000, 60, (struct weather){.senders = true, .cuts = true});
}

static void members_that_answer_late(void) {
    run_many(4000, 60, (struct weather){.senders = true, .mutes = true});
}

static void all_changes_with_hierarchies(void) {
    run_many(5000, 120,
             (struct weather){
                 .senders = true, .cuts = true, .crashes = true, .mutes = true, .split = true});
}

static void services_that_crash(void) {
    run_many(6000, 80, (struct weather){.senders = true, .restarts = true});
}

static void services_that_crash_during_all_changes(void) {
    run_many(7000, 80,
             (struct weather){.senders = true,
                              .cuts = true,
                              .crashes = true,
                              .mutes = true,
                              .split = true,
                              .restarts = true});
}

int main(int count, char **arguments) {
    if (count == 3) { /* a seed, and 1 to allow everything, to look at one run */
        bool all = arguments[2][0] == '1';
        run(strtoull(arguments[1], NULL, 10),
            &(struct weather){true, all, all, all, all, arguments[2][1] == '1'});
        return 0;
    }
    RUN(joins_and_leaves);
    RUN(senders_from_outside);
    RUN(members_that_crash);
    RUN(streams_that_break);
    RUN(members_that_answer_late);
    RUN(all_changes_with_hierarchies);
    RUN(services_that_crash);
    RUN(services_that_crash_during_all_changes);
    return 0;
}
