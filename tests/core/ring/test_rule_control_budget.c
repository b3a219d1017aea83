/* What control may cost a region (spec/qsm.md 1.0.10): 200 packets in any second while something is
 * unstable, whatever is lost, however many senders there are and however rings turn. */
#include "check.h"
#include "small_world.h"
#include "wire/token.h"

enum { MEMBERS = 14, EACH = 120, NOTED_MOST = 1 << 16 };

/* Of the 200, rounds keep to what leaves room for what cannot be put off. */
enum { PACED_MOST = 170 };

/* What a round may ask for: who begins it half of 48, as the last of its tokens tells; the others
 * 48, and two each in any case. */
enum { ROUND_MOST = 24 + 48 + 2 * (MEMBERS - 2) };

/* Where they are few and overtake each other: 48 in all, and two each in any case. */
enum { SHARED_MOST = 48 + 2 * (MEMBERS - 2) };

static mcast_time noted[NOTED_MOST]; /* is when each packet of control left */
static uint32_t noted_count;
static uint64_t data_seen;
static uint64_t share_lost; /* is of how many packets one is lost at a member */
static mcast_time asked_at; /* is when the last requests left … */
static uint32_t asked;      /* … how many then, in one round, which takes no time here … */
static uint32_t asked_most; /* … and the most ever */

static bool is_data(uint8_t type) {
    return type == MCAST_WIRE_DATA || type == MCAST_WIRE_REPAIR;
}

static void note_request(const struct world *world) {
    asked = world->now == asked_at ? asked + 1 : 1;
    asked_at = world->now;
    asked_most = asked > asked_most ? asked : asked_most;
}

/* Each member misses other packets than its neighbours, and repair gets nowhere: so every visit has
 * something to ask for. */
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

static struct mcast_buffer *put_off; /* is the token that waits until those behind it went by */
static uint64_t walking;             /* is the round whose first token goes round … */
static uint32_t hops;                /* … and how far it came */

static bool is_token(const struct world_flight *flight, struct mcast_token_head *head) {
    struct mcast_reader reader = mcast_reader_over(flight->buffer->bytes + MCAST_HEADER_SIZE,
                                                   flight->length - MCAST_HEADER_SIZE);
    return world_type(flight) == MCAST_WIRE_TOKEN && mcast_token_head_read(&reader, head);
}

/* Halfway round the others overtake the first token. */
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

static void a_nested_ring_keeps_to_its_budget(void) {
    share_lost = 2;
    CHECK(cost_of_much_loss(MCAST_NESTED) <= PACED_MOST);
}

static void rings_that_turn_apart_keep_to_one_budget(void) {
    share_lost = 2;
    CHECK(cost_of_much_loss(MCAST_INDEPENDENT) <= PACED_MOST);
}

/* With one packet of three lost everywhere, each of the ten tokens of a round has as much to ask
 * for as the round may. */
static void the_requests_of_a_round_are_those_of_all_its_tokens(void) {
    share_lost = 3;
    (void)cost_of_much_loss(MCAST_NESTED);
    CHECK(asked_most > 48 && asked_most <= ROUND_MOST);
}

/* Whichever token is the first somewhere does not know what the others asked for: not each of them
 * may ask for all that the round has. */
static void tokens_that_overtake_each_other_ask_for_no_more(void) {
    share_lost = 3;
    packet_size = 1000;
    lose = lose_much_and_overtake;
    (void)cost_of_much_loss(MCAST_NESTED);
    CHECK(asked_most > 48 && asked_most <= SHARED_MOST);
}

int main(void) {
    RUN(a_nested_ring_keeps_to_its_budget);
    RUN(rings_that_turn_apart_keep_to_one_budget);
    RUN(the_requests_of_a_round_are_those_of_all_its_tokens);
    RUN(tokens_that_overtake_each_other_ask_for_no_more);
    return 0;
}
