/* The budget for control packets in a region (spec/qsm.md 1.0.10): 200 packets in any second while
 * something is unstable, for any losses, any number of senders and both kinds of rings. */
#include "check.h"
#include "small_world.h"
#include "wire/token.h"

enum { MEMBERS = 14, EACH = 120, NOTED_MOST = 1 << 16 };

/* Of the 200, rounds leave room for what cannot be delayed. */
enum { PACED_MOST = 170 };

/* Requests of a round: half of 48 for the leader, as the last of its tokens allows; 48 for the
 * others, and two each in any case. */
enum { ROUND_MOST = 24 + 48 + 2 * (MEMBERS - 2) };

/* When requests are few and tokens overtake each other: 48 in total, and two each in any case. */
enum { SHARED_MOST = 48 + 2 * (MEMBERS - 2) };

static mcast_time noted[NOTED_MOST]; /* when each control packet left */
static uint32_t noted_count;
static uint64_t data_seen;
static uint64_t share_lost; /* one of so many packets is lost at a member */
static mcast_time asked_at; /* when the last requests left */
static uint32_t asked;      /* how many left then, in one round, which takes no time here */
static uint32_t asked_most; /* the most ever */

static bool is_data(uint8_t type) {
    return type == MCAST_WIRE_DATA || type == MCAST_WIRE_REPAIR;
}

static void note_request(const struct world *world) {
    asked = world->now == asked_at ? asked + 1 : 1;
    asked_at = world->now;
    asked_most = asked > asked_most ? asked : asked_most;
}

/* Let each member miss other packets than its neighbours, and lose all repairs, so that every visit
 * has requests. */
static bool lose_much(struct world *world, const struct world_flight *flight) {
    uint8_t type = world_type(flight);
    bool data = type == MCAST_WIRE_DATA;
    data_seen += data ? 1 : 0;
    for (uint32_t i = 0; i < world->count; i++) {
        world->members[i].deaf = data && (data_seen + i) % share_lost == 0;
    }
    if (!is_data(type)) {
        CHECK(noted_count < NOTED_MOST);
        noted[noted_count++] = world->now;
    }
    if (type == MCAST_WIRE_REQUEST) {
        note_request(world);
    }
    return type == MCAST_WIRE_REPAIR;
}

static struct mcast_buffer *put_off; /* the token that waits until later ones have passed */
static uint64_t walking;             /* the round whose first token is under way */
static uint32_t hops;                /* how many hops it has made */

static bool is_token(const struct world_flight *flight, struct mcast_token_head *head) {
    struct mcast_reader reader = mcast_reader_over(flight->buffer->bytes + MCAST_HEADER_SIZE,
                                                   flight->length - MCAST_HEADER_SIZE);
    return world_type(flight) == MCAST_WIRE_TOKEN && mcast_token_head_read(&reader, head);
}

/* Let the other tokens overtake the first one halfway round. */
static bool falls_back(struct world *world, const struct world_flight *flight) {
    struct mcast_token_head head;
    if (!is_token(flight, &head) || MCAST_ROUND_PART(head.round) != 0) {
        return false;
    }
    hops = walking == head.round ? hops + 1 : 1;
    walking = head.round;
    bool waited = flight->buffer == put_off;
    put_off = NULL;
    if (waited || hops != MEMBERS / 2) {
        return false;
    }
    CHECK(world->line_count < WORLD_LINE);
    put_off = mcast_buffer_hold(flight->buffer);
    world->line[(world->line_head + world->line_count++) % WORLD_LINE] = *flight;
    return true;
}

static bool lose_much_and_overtake(struct world *world, const struct world_flight *flight) {
    return falls_back(world, flight) || lose_much(world, flight);
}

static uint32_t packet_size = 576;
static bool (*lose)(struct world *world, const struct world_flight *flight) = lose_much;

static void world_turning(struct world *world, enum mcast_ring_mode mode) {
    world_init(world);
    noted_count = asked = asked_most = 0;
    data_seen = 0;
    for (uint32_t i = 0; i < MEMBERS; i++) {
        struct mcast_config config = world_config(i);
        config.ring_mode = mode;
        config.packet_size = packet_size;
        config.owner_block = 1;
        (void)world_add(world, &config);
        world_join(world, i, 0);
    }
    world_run(world, 300 * MCAST_MILLISECOND);
    world->lose = lose;
}

static uint32_t most_in_a_second(void) {
    uint32_t most = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < noted_count; i++) {
        while (noted[first] + MCAST_SECOND <= noted[i]) {
            first++;
        }
        most = i - first + 1 > most ? i - first + 1 : most;
    }
    return most;
}

static uint32_t cost_of_much_loss(enum mcast_ring_mode mode) {
    struct world world;
    world_turning(&world, mode);
    for (uint32_t i = 0; i < EACH; i++) {
        for (uint32_t sender = 0; sender < MEMBERS; sender++) {
            world_send(&world, sender, 0, 1, 30, 0);
            world_pass(&world);
        }
        world_run(&world, 20 * MCAST_MILLISECOND);
    }
    for (uint32_t i = 0; i < world.count; i++) {
        world.members[i].deaf = false;
    }
    world_run(&world, 2 * MCAST_SECOND);
    CHECK(world.seen[MCAST_WIRE_REQUEST] > 50 && world.seen[MCAST_WIRE_TOKEN] > 100);
    uint32_t most = most_in_a_second();
    world_free(&world);
    return most;
}

static void a_nested_ring_keeps_its_control_budget(void) {
    share_lost = 2;
    CHECK(cost_of_much_loss(MCAST_NESTED) <= PACED_MOST);
}

static void partition_rings_share_one_control_budget(void) {
    share_lost = 2;
    CHECK(cost_of_much_loss(MCAST_INDEPENDENT) <= PACED_MOST);
}

/* With one packet of three lost everywhere, each of the ten tokens of a round could use all the
 * requests of the round. */
static void all_tokens_of_a_round_share_its_requests(void) {
    share_lost = 3;
    (void)cost_of_much_loss(MCAST_NESTED);
    CHECK(asked_most > 48 && asked_most <= ROUND_MOST);
}

/* The first token to arrive somewhere does not know what the others requested: each of them must
 * not use all the requests of the round. */
static void overtaking_tokens_do_not_exceed_the_requests_of_a_round(void) {
    share_lost = 3;
    packet_size = 1000;
    lose = lose_much_and_overtake;
    (void)cost_of_much_loss(MCAST_NESTED);
    CHECK(asked_most > 48 && asked_most <= SHARED_MOST);
}

int main(void) {
    RUN(a_nested_ring_keeps_its_control_budget);
    RUN(partition_rings_share_one_control_budget);
    RUN(all_tokens_of_a_round_share_its_requests);
    RUN(overtaking_tokens_do_not_exceed_the_requests_of_a_round);
    return 0;
}
