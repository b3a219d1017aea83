/* Rules 1.0.4, 1.0.11: an evicted node is told, for each sender in each group, the first number
 * that it misses. */
#include "mcast/error.h"
#include "small_world.h"

enum { SLEEPER = 2, WINDOW = 60000 };

/* Create @count members of groups 0 and 1; of five, one that stands still is soon evicted. */
static void begin(struct world *world, uint32_t count) {
    world_init(world);
    for (uint32_t i = 0; i < count; i++) {
        struct mcast_config config = world_config(i);
        config.window_floor = config.window_cap = WINDOW;
        uint32_t index = world_add(world, &config);
        world_join(world, index, 0);
        world_join(world, index, 1);
    }
    world_run(world, 2 * MCAST_SECOND);
}

static void say(struct world *world, uint32_t sender, uint32_t group, uint32_t count,
                uint32_t length) {
    for (uint32_t i = 0; i < count; i++) {
        world_send(world, sender, group, (uint8_t)i, length, 0);
        world_run(world, 5 * MCAST_MILLISECOND);
    }
}

static void evict(struct world *world, uint32_t index) {
    struct mcast_service_message out = {.kind = MCAST_SM_EVICTED};
    out.as.evicted.epoch = 99;
    out.as.evicted.code = MCAST_EEVICTED;
    world_hand_message(world, index, &out);
    CHECK(world_notices(world, index, MCAST_NOTICE_EVICTED) == 1);
}

static mcast_node name(const struct world *world, uint32_t index) {
    return mcast_member_node(world->members[index].member);
}

/* Return the number of the last message of @sender delivered to member @index, 0 for none. */
static uint64_t last_of(const struct world *world, uint32_t index, mcast_node sender,
                        uint32_t group) {
    uint64_t last = 0;
    for (size_t i = 0; i < world->members[index].heard_count; i++) {
        const struct world_heard *heard = &world->members[index].heard[i];
        last = heard->sender == sender && heard->group == group ? heard->number : last;
    }
    return last;
}

/* Return the notice of what member @index misses of @sender; NULL for none. */
static const struct mcast_notice *missed(const struct world *world, uint32_t index,
                                         mcast_node sender, uint32_t group) {
    const struct world_member *member = &world->members[index];
    const struct mcast_notice *found = NULL;
    for (size_t i = 0; i < member->notice_count; i++) {
        const struct mcast_notice *one = &member->notices[i];
        if (one->kind == MCAST_NOTICE_MISSED && one->sender == sender && one->group == group) {
            CHECK(found == NULL); /* it is told once */
            found = one;
        }
    }
    return found;
}

/* True when the notices of @kind end before those of @then begin. */
static bool precedes(const struct world *world, uint32_t index, enum mcast_notice_kind kind,
                     enum mcast_notice_kind then) {
    const struct world_member *member = &world->members[index];
    size_t first = 0;
    while (first < member->notice_count && member->notices[first].kind != then) {
        first++;
    }
    for (size_t i = first; i < member->notice_count; i++) {
        if (member->notices[i].kind == kind) {
            return false;
        }
    }
    return first < member->notice_count;
}

static void lacks_from_the_last_it_has(const struct world *world, uint32_t index, mcast_node sender,
                                       uint32_t group) {
    const struct mcast_notice *told = missed(world, index, sender, group);
    CHECK(told != NULL && told->number == last_of(world, index, sender, group) + 1);
    CHECK(told->last + 1 == told->number + told->count);
}

static void a_stopped_member_is_told_the_first_message_it_misses(void) {
    struct world world;
    begin(&world, 5);
    say(&world, 0, 0, 7, 100);
    say(&world, 1, 0, 3, 100);
    say(&world, 1, 1, 5, 100);
    world.members[SLEEPER].deaf = true;
    say(&world, 1, 0, 80, 1000);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, SLEEPER, MCAST_NOTICE_EVICTED) == 1);
    mcast_node zero = name(&world, 0), one = name(&world, 1);
    lacks_from_the_last_it_has(&world, SLEEPER, zero, 0);
    lacks_from_the_last_it_has(&world, SLEEPER, one, 0);
    lacks_from_the_last_it_has(&world, SLEEPER, one, 1);
    CHECK(missed(&world, SLEEPER, zero, 0)->number == 8);
    CHECK(missed(&world, SLEEPER, one, 0)->number == 4);
    CHECK(missed(&world, SLEEPER, one, 1)->number == 6);
    CHECK(world_notices(&world, SLEEPER, MCAST_NOTICE_MISSED) == 3);
    CHECK(world_stats(&world, SLEEPER).senders_missed == 3);
    CHECK(precedes(&world, SLEEPER, MCAST_NOTICE_MISSED, MCAST_NOTICE_EVICTED));
    CHECK(world_notices(&world, 3, MCAST_NOTICE_MISSED) == 0);
    world_free(&world);
}

/* Start a new incarnation, over a new connection to the service. */
static void come_back(struct world *world, uint32_t index) {
    world->members[index].deaf = false;
    world_step(world, index, &(struct mcast_event){.kind = MCAST_EVENT_DISCONNECTED}, 1);
    world_service(world, &(struct mcast_service_event){.kind = MCAST_SERVICE_DISCONNECTED,
                                                       .connection = index + 1});
    struct mcast_event rejoin = {.kind = MCAST_EVENT_REJOIN};
    rejoin.as.rejoin.incarnation = 1000;
    world_step(world, index, &rejoin, 1);
    world_service(world, &(struct mcast_service_event){.kind = MCAST_SERVICE_CONNECTED,
                                                       .connection = index + 1});
    world_step(world, index, &(struct mcast_event){.kind = MCAST_EVENT_CONNECTED}, 1);
}

static void delivered_and_missed_numbers_meet_after_the_return(void) {
    struct world world;
    begin(&world, 5);
    say(&world, 1, 0, 3, 100);
    world.members[SLEEPER].deaf = true;
    say(&world, 1, 0, 80, 1000);
    world_run(&world, MCAST_SECOND);
    come_back(&world, SLEEPER);
    world_join(&world, SLEEPER, 0);
    world_run(&world, MCAST_SECOND);
    uint64_t first = missed(&world, SLEEPER, name(&world, 1), 0)->number;
    size_t before = world.members[SLEEPER].heard_count;
    say(&world, 1, 0, 2, 100);
    const struct world_heard *heard = &world.members[SLEEPER].heard[before];
    CHECK(world.members[SLEEPER].heard_count == before + 2);
    CHECK(first == 4 && heard->number == 84); /* so 4 to 83 are the 80 that it slept through */
    world_free(&world);
}

static void own_messages_are_never_missed(void) {
    struct world world;
    begin(&world, 3);
    say(&world, SLEEPER, 0, 5, 100);
    evict(&world, SLEEPER);
    CHECK(world_notices(&world, SLEEPER, MCAST_NOTICE_MISSED) == 0);
    world_free(&world);
}

static void nothing_is_missed_of_a_group_that_was_left(void) {
    struct world world;
    begin(&world, 3);
    say(&world, 0, 0, 2, 100);
    say(&world, 0, 1, 2, 100);
    world_leave(&world, SLEEPER, 0);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, SLEEPER, MCAST_NOTICE_LEFT) == 1);
    world_join(&world, SLEEPER, 0);
    world_run(&world, MCAST_SECOND);
    evict(&world, SLEEPER);
    CHECK(missed(&world, SLEEPER, name(&world, 0), 0) == NULL);
    lacks_from_the_last_it_has(&world, SLEEPER, name(&world, 0), 1);
    world_free(&world);
}

/* Lose the data packet that *user counts down to, and every repair. */
static bool loses_one(struct world *world, const struct world_flight *flight) {
    uint32_t *left = world->user;
    if (world_type(flight) == MCAST_WIRE_REPAIR) {
        return true;
    }
    return world_type(flight) == MCAST_WIRE_DATA && (*left)-- == 1;
}

static void messages_behind_a_gap_are_counted_as_missed(void) {
    struct world world;
    uint32_t left = 1;
    begin(&world, 3);
    say(&world, 0, 0, 2, 100);
    world.user = &left;
    world.lose = loses_one;
    for (uint8_t i = 0; i < 4; i++) {
        world_send(&world, 0, 0, i, 100, 0);
    }
    world_send(&world, 0, 1, 9, 100, 0); /* of a group in which nothing was heard */
    world_pass(&world);
    evict(&world, SLEEPER);
    lacks_from_the_last_it_has(&world, SLEEPER, name(&world, 0), 0);
    const struct mcast_notice *told = missed(&world, SLEEPER, name(&world, 0), 0);
    CHECK(told->number == 3 && told->last == 6 && told->count == 4);
    CHECK(missed(&world, SLEEPER, name(&world, 0), 1) == NULL);
    world_free(&world);
}

static void a_partly_received_long_message_is_counted_as_missed(void) {
    struct world world;
    uint32_t left = 3;
    begin(&world, 3);
    say(&world, 0, 0, 2, 100);
    world.user = &left;
    world.lose = loses_one;
    world_send(&world, 0, 0, 'l', 5000, 0);
    world_pass(&world);
    CHECK(world_stats(&world, SLEEPER).reassembly_bytes == 5000);
    evict(&world, SLEEPER);
    const struct mcast_notice *told = missed(&world, SLEEPER, name(&world, 0), 0);
    CHECK(told->number == 3 && told->last == 3 && told->count == 1);
    world_free(&world);
}

static void many_senders_are_each_listed_once(void) {
    struct world world;
    begin(&world, 12);
    for (uint32_t turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; i < 12; i++) {
            world_send(&world, (7 * i + turn) % 12, 0, (uint8_t)i, 50, 0);
        }
    }
    world_run(&world, 200 * MCAST_MILLISECOND);
    evict(&world, SLEEPER);
    CHECK(world_notices(&world, SLEEPER, MCAST_NOTICE_MISSED) == 11);
    for (uint32_t i = 0; i < 12; i++) {
        const struct mcast_notice *told = missed(&world, SLEEPER, i + 1, 0);
        CHECK(i == SLEEPER ? told == NULL : told != NULL && told->number == 4);
    }
    world_free(&world);
}

static void a_member_behind_in_one_group_is_told_of_that_group(void) {
    struct world world;
    struct mcast_group_policy policy = {.slow = MCAST_SLOW_EVICT, .queue_messages = 16};
    world_init(&world);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        uint32_t index = world_add(&world, &config);
        world_join_with(&world, index, 0,
                        i == SLEEPER ? policy : (struct mcast_group_policy){.slow = policy.slow});
        world_join(&world, index, 1);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    say(&world, 0, 1, 4, 20);
    say(&world, 0, 0, 40, 20);
    world_run(&world, MCAST_SECOND);
    CHECK(world_notices(&world, SLEEPER, MCAST_NOTICE_EXPELLED) == 1);
    CHECK(precedes(&world, SLEEPER, MCAST_NOTICE_MISSED, MCAST_NOTICE_EXPELLED));
    lacks_from_the_last_it_has(&world, SLEEPER, name(&world, 0), 0);
    CHECK(missed(&world, SLEEPER, name(&world, 0), 0)->number == 17);
    CHECK(world_notices(&world, SLEEPER, MCAST_NOTICE_MISSED) == 1);
    world_free(&world);
}

static void dead_senders_are_listed_until_they_are_forgotten(void) {
    for (uint32_t forgotten = 0; forgotten < 2; forgotten++) {
        struct world world;
        world_init(&world);
        for (uint32_t i = 0; i < 3; i++) {
            struct mcast_config config = world_config(i);
            config.forget_time = 10 * MCAST_SECOND;
            world_join(&world, world_add(&world, &config), 0);
        }
        world_run(&world, 300 * MCAST_MILLISECOND);
        mcast_node dead = name(&world, 1);
        say(&world, 0, 0, 2, 20);
        say(&world, 1, 0, 3, 20);
        world_crash(&world, 1);
        world_run(&world, forgotten == 0 ? 8 * MCAST_SECOND : 60 * MCAST_SECOND);
        evict(&world, SLEEPER);
        lacks_from_the_last_it_has(&world, SLEEPER, name(&world, 0), 0);
        CHECK((missed(&world, SLEEPER, dead, 0) == NULL) == (forgotten == 1));
        world_free(&world);
    }
}

int main(void) {
    RUN(a_stopped_member_is_told_the_first_message_it_misses);
    RUN(delivered_and_missed_numbers_meet_after_the_return);
    RUN(own_messages_are_never_missed);
    RUN(nothing_is_missed_of_a_group_that_was_left);
    RUN(messages_behind_a_gap_are_counted_as_missed);
    RUN(a_partly_received_long_message_is_counted_as_missed);
    RUN(many_senders_are_each_listed_once);
    RUN(a_member_behind_in_one_group_is_told_of_that_group);
    RUN(dead_senders_are_listed_until_they_are_forgotten);
    return 0;
}
