/* What control may cost a region (spec/qsm.md 1.0.10): 200 packets in any second while something is
 * unstable, whatever is lost, however many senders there are and however rings turn. */
#include "check.h"
#include "small_world.h"

enum { MEMBERS = 14, SENDERS = 14, EACH = 120, SECOND_MOST = 200, NOTED_MOST = 1 << 16 };

static mcast_time noted[NOTED_MOST]; /* is when each packet of control left */
static uint32_t noted_count;
static uint64_t data_seen;

static bool is_data(uint8_t type) {
    return type == MCAST_WIRE_DATA || type == MCAST_WIRE_REPAIR;
}

/* Each member misses every other packet, and its neighbours the others, and repair gets
 * nowhere: so every visit has something to ask for. */
static bool lose_much(struct world *world, const struct world_flight *flight) {
    uint8_t type = world_type(flight);
    bool data = type == MCAST_WIRE_DATA;
    data_seen += data ? 1 : 0;
    for (uint32_t i = 0; i < world->count; i++) {
        world->members[i].deaf = data && (data_seen + i) % 2 == 0;
    }
    if (!is_data(type)) {
        CHECK(noted_count < NOTED_MOST);
        noted[noted_count++] = world->now;
    }
    return type == MCAST_WIRE_REPAIR;
}

static void world_turning(struct world *world, enum mcast_ring_mode mode) {
    world_init(world);
    noted_count = 0;
    data_seen = 0;
    for (uint32_t i = 0; i < MEMBERS; i++) {
        struct mcast_config config = world_config(i);
        config.ring_mode = mode;
        config.packet_size = 576;
        config.owner_block = 1;
        (void)world_add(world, &config);
        world_join(world, i, 0);
    }
    world_run(world, 300 * MCAST_MILLISECOND);
    world->lose = lose_much;
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
        for (uint32_t sender = 0; sender < SENDERS; sender++) {
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
    CHECK(cost_of_much_loss(MCAST_NESTED) <= SECOND_MOST);
}

static void rings_that_turn_apart_keep_to_one_budget(void) {
    CHECK(cost_of_much_loss(MCAST_INDEPENDENT) <= SECOND_MOST);
}

int main(void) {
    RUN(a_nested_ring_keeps_to_its_budget);
    RUN(rings_that_turn_apart_keep_to_one_budget);
    return 0;
}
