/* Rules 1.9 to 1.11 and 1.13: which member keeps, requests and answers, and that everything comes
 * to rest. */
#include "small_world.h"

struct losing {
    uint8_t type;
    uint32_t to;    /* the member that misses it; UINT32_MAX: all */
    uint32_t skip;  /* how many to let pass first */
    uint32_t count; /* how many to lose */
    uint32_t lost;
};

/* The hook sees a datagram once, not once a receiver: to lose it at one member, it makes that
 * member deaf. */
static bool lose(struct world *world, const struct world_flight *flight) {
    struct losing *losing = world->user;
    for (uint32_t i = 0; i < world->count; i++) {
        world->members[i].deaf = false;
    }
    if (world_type(flight) != losing->type || losing->lost == losing->count) {
        return false;
    }
    if (losing->skip > 0) {
        losing->skip--;
        return false;
    }
    losing->lost++;
    if (losing->to == UINT32_MAX) {
        return true;
    }
    world->members[losing->to].deaf = true;
    return false;
}

static void stop_losing(struct world *world) {
    world->lose = NULL;
    for (uint32_t i = 0; i < world->count; i++) {
        world->members[i].deaf = false;
    }
}

static uint32_t heard_of(const struct world *world, uint32_t index) {
    return (uint32_t)world->members[index].heard_count;
}

static struct mcast_stats sum(const struct world *world) {
    struct mcast_stats total = {0};
    for (uint32_t i = 0; i < world->count; i++) {
        struct mcast_stats stats = world_stats(world, i);
#define X(name) total.name += stats.name;
        MCAST_COUNTERS(X)
        MCAST_GAUGES(X)
#undef X
    }
    return total;
}

static void check_rest(const struct world *world) {
    struct mcast_stats stats = sum(world);
    CHECK(stats.cached_packets == 0 && stats.cached_bytes == 0);
    CHECK(stats.pending_packets == 0 && stats.pending_bytes == 0);
    CHECK(stats.streams_active == 0);
}

static void a_gap_alone_causes_no_request(void) {
    struct world world;
    world_of(&world, 4, 1);
    struct losing losing = {.type = MCAST_WIRE_DATA, .to = 2, .skip = 1, .count = 1};
    world.user = &losing;
    world.lose = lose;
    for (uint8_t i = 0; i < 20; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_pass(&world);
    CHECK(losing.lost == 1 && world.seen[MCAST_WIRE_REQUEST] == 0);
    CHECK(world.seen[MCAST_WIRE_REPAIR] == 0 && heard_of(&world, 2) == 0);
    stop_losing(&world);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(heard_of(&world, 2) == 20);
    world_free(&world);
}

/* Whichever member misses the last packet of a burst: one packet repairs it soon. */
static void a_lost_last_packet_is_repaired_soon_wherever_it_was_lost(void) {
    for (uint32_t victim = 1; victim < 6; victim++) {
        struct world world;
        world_of(&world, 6, 1);
        world_send(&world, 0, 0, 0, 20, 0);
        world_run(&world, 2 * MCAST_SECOND);
        struct losing losing = {.type = MCAST_WIRE_DATA, .to = victim, .count = 1};
        world.user = &losing;
        world.lose = lose;
        world_send(&world, 0, 0, 1, 20, 0);
        world_pass(&world);
        stop_losing(&world);
        world_run(&world, 50 * MCAST_MILLISECOND);
        CHECK(heard_of(&world, victim) == 2);
        CHECK(world.seen[MCAST_WIRE_REPAIR] == 1 && sum(&world).repairs_useless == 0);
        world_run(&world, 2 * MCAST_SECOND);
        check_rest(&world);
        world_free(&world);
    }
}

static bool deafen_leader_to_data(struct world *world, const struct world_flight *flight) {
    world->members[0].deaf = world_type(flight) == MCAST_WIRE_DATA;
    return false;
}

static bool lose_data(struct world *world, const struct world_flight *flight) {
    (void)world;
    return world_type(flight) == MCAST_WIRE_DATA;
}

/* With independent partition rings, a sender's own ring tells it nothing of the region's leader,
 * which sleeps and misses the tail, alone or with all others. */
static void a_lost_tail_wakes_the_leader_of_partition_rings(void) {
    for (uint32_t sender = 1; sender < 10; sender++) {
        struct world world;
        world_init(&world);
        for (uint32_t i = 0; i < 10; i++) {
            struct mcast_config config = world_config(i);
            config.ring_mode = MCAST_INDEPENDENT;
            config.owner_block = 1;
            world_join(&world, world_add(&world, &config), 0);
        }
        world_run(&world, 500 * MCAST_MILLISECOND);
        for (uint32_t i = 1; i < 5; i++) {
            world.lose = i == 1 ? NULL : i == 2 ? lose_data : deafen_leader_to_data;
            world_send(&world, sender, 0, 1, 100, i);
            world_pass(&world);
            world.lose = NULL;
            world.members[0].deaf = false;
            world_run(&world, 900 * MCAST_MILLISECOND); /* all sleep, and high-water marks are past
                                                           their shortest interval */
            CHECK(heard_of(&world, 0) == i && world.members[sender].stable == i);
        }
        world_free(&world);
    }
}

static void a_packet_lost_by_all_comes_from_the_sender_once(void) {
    struct world world;
    world_of(&world, 6, 1);
    struct losing losing = {.type = MCAST_WIRE_DATA, .to = UINT32_MAX, .skip = 1, .count = 1};
    world.user = &losing;
    world.lose = lose;
    world_send(&world, 0, 0, 0, 20, 0);
    world_send(&world, 0, 0, 1, 20, 0);
    world_pass(&world);
    stop_losing(&world);
    world_run(&world, 300 * MCAST_MILLISECOND);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK(heard_of(&world, i) == 2);
    }
    CHECK(world_stats(&world, 0).repairs_sourced + world_stats(&world, 0).repairs_pushed +
              world_stats(&world, 0).repairs_pulled >
          0);
    world_run(&world, 2 * MCAST_SECOND);
    check_rest(&world);
    world_free(&world);
}

/* Twelve members are two partitions: only one of them keeps a packet. */
static void only_the_owner_partition_keeps_copies(void) {
    struct world world;
    world_of(&world, 12, 1);
    for (uint8_t i = 0; i < 10; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_pass(&world);
    uint32_t keepers = 0;
    for (uint32_t i = 1; i < 12; i++) {
        struct mcast_stats stats = world_stats(&world, i);
        CHECK(stats.cached_packets == 0 || stats.cached_packets == 11);
        keepers += stats.cached_packets > 0 ? 1 : 0;
    }
    CHECK(keepers == 5 || keepers == 6);
    world_run(&world, 2 * MCAST_SECOND);
    check_rest(&world);
    world_free(&world);
}

static void a_loss_elsewhere_is_repaired_across_partitions(void) {
    struct world world;
    world_of(&world, 12, 1);
    struct losing losing = {.type = MCAST_WIRE_DATA, .to = 11, .skip = 3, .count = 4};
    world.user = &losing;
    world.lose = lose;
    for (uint8_t i = 0; i < 10; i++) {
        world_send(&world, 0, 0, i, 20, 0);
    }
    world_pass(&world);
    stop_losing(&world);
    world_run(&world, 500 * MCAST_MILLISECOND);
    CHECK(heard_of(&world, 11) == 10);
    struct mcast_stats stats = sum(&world);
    CHECK(stats.repairs_crossed == 4 && stats.repairs_useless == 0);
    CHECK(stats.pulls_sent <= 2); /* a range goes at once */
    world_free(&world);
}

/* Neighbouring numbers that belong to different partitions are each a range of their own. Messages
 * that all members lost still return as fast as repair may send, not a list a round (rule 1.0.2).
 */
static void a_long_burst_lost_by_all_takes_few_rounds(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 12; i++) {
        struct mcast_config config = world_config(i);
        config.partition_size = 4;
        config.owner_block = 1;
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    struct losing losing = {.type = MCAST_WIRE_DATA, .to = UINT32_MAX, .skip = 1, .count = 3000};
    world.user = &losing;
    world.lose = lose;
    for (uint32_t i = 0; i < 3000; i++) {
        world_send(&world, 5, 0, (uint8_t)i, 20, 0);
    }
    world_pass(&world);
    stop_losing(&world);
    uint64_t rounds = sum(&world).rounds;
    while (heard_of(&world, 0) < 3000 && sum(&world).rounds < rounds + 50) {
        world_run(&world, MCAST_MILLISECOND);
    }
    world_run(&world, 20 * MCAST_MILLISECOND);
    CHECK(losing.lost == 3000 && sum(&world).rounds - rounds <= 8);
    for (uint32_t i = 0; i < 12; i++) {
        CHECK(heard_of(&world, i) == 3000);
    }
    world_run(&world, 2 * MCAST_SECOND);
    check_rest(&world);
    world_free(&world);
}

static void lost_tokens_cost_a_round_and_no_more(void) {
    struct world world;
    world_of(&world, 6, 1);
    world_send(&world, 0, 0, 0, 20, 1);
    struct losing losing = {.type = MCAST_WIRE_TOKEN, .to = UINT32_MAX, .skip = 2, .count = 3};
    world.user = &losing;
    world.lose = lose;
    world_run(&world, 500 * MCAST_MILLISECOND);
    stop_losing(&world);
    CHECK(losing.lost == 3 && world.members[0].stable == 1);
    world_run(&world, 2 * MCAST_SECOND);
    check_rest(&world);
    world_free(&world);
}

static void a_lost_acknowledgement_is_requested_again(void) {
    struct world world;
    world_of(&world, 4, 1);
    for (uint32_t i = 0; i < 4; i++) {
        world_join(&world, i, 1 + i / 2); /* two regions: the sender is outside one of them */
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    struct losing losing = {.type = MCAST_WIRE_ACK, .to = UINT32_MAX, .count = 3};
    world.user = &losing;
    world.lose = lose;
    world_send(&world, 0, 0, 0, 20, 5);
    world_run(&world, 2 * MCAST_SECOND);
    stop_losing(&world);
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(losing.lost == 3 && world.members[0].stable == 5);
    check_rest(&world);
    world_free(&world);
}

static bool lose_repair(struct world *world, const struct world_flight *flight) {
    const bool *data = world->user;
    uint8_t type = world_type(flight);
    return type == MCAST_WIRE_REPAIR || type == MCAST_WIRE_REQUEST ||
           (*data && type == MCAST_WIRE_DATA);
}

/* The packet of an outside sender waits for repair for longer than the replacement of a silent
 * leader takes. The leader shows that it lives, so the packet is kept (rule 1.0.13). */
static void an_outside_sender_keeps_packets_that_a_live_region_lacks(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 4; i++) {
        struct mcast_config config = world_config(i);
        uint32_t index = world_add(&world, &config);
        if (i < 3) {
            world_join(&world, index, 0);
        }
    }
    struct mcast_event event = {.kind = MCAST_EVENT_REGISTER};
    event.as.join.group = 0;
    event.as.join.id = (struct mcast_id){2, 1};
    world_step(&world, 3, &event, 1);
    world_run(&world, 500 * MCAST_MILLISECOND);
    world_send(&world, 3, 0, 1, 20, 1);
    world_run(&world, 500 * MCAST_MILLISECOND);
    bool data = true;
    world.user = &data;
    world.lose = lose_repair;
    world_send(&world, 3, 0, 2, 20, 2);
    world_pass(&world);
    data = false;
    world_leave(&world, 0, 0); /* a new view: the sender gives the last number of the old one */
    world_run(&world, 25 * MCAST_SECOND);
    CHECK(heard_of(&world, 1) == 1 && world_stats(&world, 3).pending_packets > 0);
    world.lose = NULL;
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(heard_of(&world, 1) == 2 && heard_of(&world, 2) == 2);
    check_rest(&world);
    world_free(&world);
}

static void without_loss_nothing_is_requested_or_repaired(void) {
    struct world world;
    world_of(&world, 11, 20);
    for (uint32_t i = 0; i < 2000; i++) {
        world_send(&world, i % 11, i % 20, (uint8_t)i, 50, 0);
        if (i % 20 == 0) {
            world_run(&world, MCAST_MILLISECOND);
        }
    }
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(world.seen[MCAST_WIRE_REQUEST] == 0 && world.seen[MCAST_WIRE_REPAIR] == 0);
    for (uint32_t i = 0; i < 11; i++) {
        CHECK(heard_of(&world, i) == 2000);
    }
    check_rest(&world);
    world_free(&world);
}

static uint64_t control_of(uint32_t groups) {
    struct world world;
    world_of(&world, 5, groups);
    for (uint32_t i = 0; i < 200; i++) {
        world_send(&world, 0, i % groups, 1, 50, 0);
        world_run(&world, MCAST_MILLISECOND);
    }
    world_run(&world, MCAST_SECOND);
    uint64_t control = world.seen[MCAST_WIRE_TOKEN] + world.seen[MCAST_WIRE_ACK] +
                       world.seen[MCAST_WIRE_HIGH_WATER];
    world_free(&world);
    return control;
}

static void control_does_not_grow_with_the_groups(void) {
    CHECK(control_of(1) == control_of(200));
}

/* A round is five hops, so one comes every five seconds. */
static void a_quiet_region_costs_a_packet_a_second_and_its_token_is_empty(void) {
    struct world world;
    world_of(&world, 5, 1);
    world_send(&world, 0, 0, 0, 20, 0);
    world_run(&world, 3 * MCAST_SECOND);
    struct mcast_stats before = sum(&world);
    world_run(&world, 50 * MCAST_SECOND);
    struct mcast_stats after = sum(&world);
    CHECK(after.rounds - before.rounds >= 9 && after.rounds - before.rounds <= 11);
    CHECK(after.tokens_sent - before.tokens_sent <= 55);
    CHECK(after.token_records == before.token_records && after.quiescent_marks > 0);
    CHECK(after.token_bytes - before.token_bytes == 62 * (after.tokens_sent - before.tokens_sent));
    world_free(&world);
}

/* In the papers' mode a token leaves each second, whatever happens. */
static void the_papers_mode_releases_a_round_a_second(void) {
    struct world world;
    world_init(&world);
    for (uint32_t i = 0; i < 5; i++) {
        struct mcast_config config = world_config(i);
        mcast_config_paper(&config);
        world_join(&world, world_add(&world, &config), 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    struct mcast_stats before = sum(&world);
    for (uint32_t i = 0; i < 100; i++) {
        world_send(&world, 1, 0, (uint8_t)i, 100, i + 1);
        world_run(&world, 100 * MCAST_MILLISECOND);
    }
    struct mcast_stats after = sum(&world);
    CHECK(after.rounds - before.rounds >= 9 && after.rounds - before.rounds <= 11);
    world_run(&world, 5 * MCAST_SECOND);
    CHECK(world.members[1].stable == 100);
    check_rest(&world);
    world_free(&world);
}

int main(void) {
    RUN(a_gap_alone_causes_no_request);
    RUN(a_lost_last_packet_is_repaired_soon_wherever_it_was_lost);
    RUN(a_lost_tail_wakes_the_leader_of_partition_rings);
    RUN(a_packet_lost_by_all_comes_from_the_sender_once);
    RUN(only_the_owner_partition_keeps_copies);
    RUN(a_loss_elsewhere_is_repaired_across_partitions);
    RUN(a_long_burst_lost_by_all_takes_few_rounds);
    RUN(lost_tokens_cost_a_round_and_no_more);
    RUN(a_lost_acknowledgement_is_requested_again);
    RUN(an_outside_sender_keeps_packets_that_a_live_region_lacks);
    RUN(without_loss_nothing_is_requested_or_repaired);
    RUN(control_does_not_grow_with_the_groups);
    RUN(a_quiet_region_costs_a_packet_a_second_and_its_token_is_empty);
    RUN(the_papers_mode_releases_a_round_a_second);
    return 0;
}
