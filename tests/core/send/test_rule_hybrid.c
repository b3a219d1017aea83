/* Rule 1.6, hybrid: one packet to the address of a group instead of one to each of its regions. */
#include "small_world.h"
#include "wire/hybrid.h"

/* Five members in two regions: 0 and 1 are in group 0, the others in groups 0 and 1. */
static void two_regions(struct world *world, uint32_t hybrid, const struct mcast_config *as) {
    world_begin(world, hybrid);
    for (uint32_t i = 0; i < 5; i++) {
        struct mcast_config config = *as;
        struct mcast_config own = world_config(i);
        config.id = own.id;
        config.incarnation = own.incarnation;
        config.address = own.address;
        uint32_t index = world_add(world, &config);
        world_join(world, index, 0);
        if (i >= 2) {
            world_join(world, index, 1);
        }
    }
    world_run(world, 300 * MCAST_MILLISECOND);
}

static void two_regions_plain(struct world *world, uint32_t hybrid) {
    struct mcast_config config = world_config(0);
    two_regions(world, hybrid, &config);
}

static bool all_heard(const struct world *world, size_t count) {
    for (uint32_t i = 0; i < world->count; i++) {
        if (world->members[i].heard_count != count) {
            return false;
        }
    }
    return true;
}

static uint64_t all_repairs(const struct world *world) {
    uint64_t repairs = 0;
    for (uint32_t i = 0; i < world->count; i++) {
        repairs += world->members[i].down ? 0 : world_stats(world, i).repairs_received;
    }
    return repairs;
}

static void one_packet_serves_all_regions_of_a_group(void) {
    struct world world;
    two_regions_plain(&world, 2);
    world_send(&world, 0, 0, 'x', 10, 1);
    world_send(&world, 3, 0, 'y', 900, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(all_heard(&world, 2));
    CHECK(world.seen[MCAST_WIRE_HYBRID] == 2);
    CHECK(world.seen[MCAST_WIRE_DATA] == 4); /* the OPENs of two senders in two regions */
    CHECK(world_stats(&world, 0).hybrids_sent == 1 && world_stats(&world, 4).hybrids_received == 2);
    CHECK(world.members[0].stable == 1 && world.members[3].stable == 2);
    CHECK(all_repairs(&world) == 0);
    world_free(&world);
}

static void a_group_of_one_region_gets_plain_packets(void) {
    struct world world;
    two_regions_plain(&world, 2);
    world_send(&world, 3, 1, 'x', 10, 1);
    world_run(&world, MCAST_SECOND);
    CHECK(world.seen[MCAST_WIRE_HYBRID] == 0 && world.members[2].heard_count == 1);
    world_free(&world);
}

static void without_hybrid_each_region_gets_its_own_packet(void) {
    struct world world;
    two_regions_plain(&world, 0);
    world_send(&world, 0, 0, 'x', 10, 1);
    world_run(&world, MCAST_SECOND);
    CHECK(all_heard(&world, 1) && world.seen[MCAST_WIRE_HYBRID] == 0);
    CHECK(world.seen[MCAST_WIRE_DATA] == 4);
    world_free(&world);
}

static void fewer_regions_than_configured_get_plain_packets(void) {
    struct world world;
    two_regions_plain(&world, 3);
    world_send(&world, 0, 0, 'x', 10, 1);
    world_run(&world, MCAST_SECOND);
    CHECK(all_heard(&world, 1) && world.seen[MCAST_WIRE_HYBRID] == 0);
    world_free(&world);
}

static bool lose_hybrids(struct world *world, const struct world_flight *flight) {
    (void)world;
    return world_type(flight) == MCAST_WIRE_HYBRID;
}

static bool to_the_group(const struct world *world, const struct world_flight *flight) {
    const struct world_flight *first = world->user;
    return world_same(&flight->to, &first->to);
}

static bool lose_the_third(struct world *world, const struct world_flight *flight) {
    static struct world_flight group;
    if (world_type(flight) == MCAST_WIRE_HYBRID) {
        group = *flight;
        world->user = &group;
        return world->seen[MCAST_WIRE_HYBRID] == 3;
    }
    CHECK(world->user == NULL || !to_the_group(world, flight)); /* no repair goes there */
    return false;
}

static void repairs_go_to_regions_only(void) {
    struct world world;
    two_regions_plain(&world, 2);
    world.lose = lose_the_third;
    for (uint32_t i = 0; i < 5; i++) {
        world_send(&world, 0, 0, (uint8_t)('a' + i), 600, i + 1);
        world_pass(&world);
    }
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(all_heard(&world, 5) && world.members[0].stable == 5);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(world.members[4].heard[i].first == 'a' + i);
    }
    CHECK(all_repairs(&world) == 4); /* only the sender had it */
    world_free(&world);
}

static void a_hybrid_packet_lost_to_all_is_repaired(void) {
    struct world world;
    two_regions_plain(&world, 2);
    world.lose = lose_hybrids;
    for (uint32_t i = 0; i < 20; i++) {
        world_send(&world, i % 5, 0, 'x', 100, i + 1);
    }
    world_run(&world, 5 * MCAST_SECOND);
    CHECK(all_heard(&world, 20));
    world_free(&world);
}

static bool too_long;

static bool measure(struct world *world, const struct world_flight *flight) {
    (void)world;
    too_long |= flight->length > 1472;
    return false;
}

static void long_messages_are_cut_so_that_each_piece_fits(void) {
    struct world world;
    struct mcast_config config = world_config(0);
    config.packet_size = 1472;
    two_regions(&world, 2, &config);
    too_long = false;
    world.lose = measure;
    for (uint32_t length = 1300; length < 1480; length++) {
        world_send(&world, 0, 0, 'x', length, length);
    }
    world_send(&world, 4, 0, 'L', 300000, 1);
    world_run(&world, 5 * MCAST_SECOND);
    CHECK(!too_long && all_heard(&world, 181));
    CHECK(world_stats(&world, 0).messages_assembled == 1);
    CHECK(world.seen[MCAST_WIRE_HYBRID] > 400);
    world_free(&world);
}

static void batched_small_messages_keep_their_order(void) {
    struct world world;
    struct mcast_config config = world_config(0);
    config.batch_delay = 5 * MCAST_MILLISECOND;
    two_regions(&world, 2, &config);
    for (uint32_t i = 0; i < 6; i++) {
        world_send(&world, 3, i % 2, (uint8_t)('a' + i), 10, i + 1); /* group 1 waits, 0 does not */
    }
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[0].heard_count == 3 && world.members[2].heard_count == 6);
    uint8_t before[2] = {0, 0};
    for (uint32_t i = 0; i < 6; i++) {
        struct world_heard heard = world.members[2].heard[i];
        CHECK(heard.first > before[heard.group]);
        before[heard.group] = heard.first;
    }
    world_free(&world);
}

static bool listens_to(const struct world *world, uint32_t index, struct mcast_address address) {
    for (size_t i = 0; i < world->members[index].listen_count; i++) {
        if (world_same(&world->members[index].listens[i], &address)) {
            return true;
        }
    }
    return false;
}

static struct mcast_address group_address;

static bool note_address(struct world *world, const struct world_flight *flight) {
    (void)world;
    if (world_type(flight) == MCAST_WIRE_HYBRID) {
        group_address = flight->to;
    }
    return false;
}

static void a_member_that_left_listens_until_nothing_more_can_arrive(void) {
    struct world world;
    two_regions_plain(&world, 2);
    world.lose = note_address;
    world_send(&world, 0, 0, 'x', 10, 1);
    world_run(&world, MCAST_SECOND);
    CHECK(listens_to(&world, 4, group_address));
    world_leave(&world, 4, 0);
    world_send(&world, 0, 0, 'y', 10, 2);
    world_pass(&world);
    CHECK(listens_to(&world, 4, group_address)); /* its old view is not over */
    world_run(&world, 3 * MCAST_SECOND);
    CHECK(!listens_to(&world, 4, group_address) && listens_to(&world, 3, group_address));
    world_send(&world, 0, 0, 'z', 10, 3);
    world_run(&world, MCAST_SECOND);
    CHECK(world.members[3].heard_count == 3 && world.members[0].stable == 3);
    world_free(&world);
}

static void a_joining_member_listens_before_anybody_sends(void) {
    struct world world;
    two_regions_plain(&world, 2);
    for (uint32_t i = 0; i < 200; i++) {
        if (i == 50) {
            struct mcast_config config = world_config(5);
            world_join(&world, world_add(&world, &config), 0);
        }
        world_send(&world, i % 4, 0, 'x', 50, i + 1);
        world_run(&world, MCAST_MILLISECOND);
    }
    world_run(&world, MCAST_SECOND);
    CHECK(all_repairs(&world) == 0 && world.members[0].heard_count == 200);
    CHECK(world.members[5].heard_count > 100);
    CHECK(world_stats(&world, 5).hybrids_received == world.members[5].heard_count);
    world_free(&world);
}

static void an_outside_sender_uses_the_address_and_does_not_listen(void) {
    struct world world;
    two_regions_plain(&world, 2);
    struct mcast_config config = world_config(5);
    uint32_t outside = world_add(&world, &config);
    struct mcast_event event = {.kind = MCAST_EVENT_REGISTER};
    event.as.join.group = 0;
    event.as.join.id = (struct mcast_id){2, 1};
    world_step(&world, outside, &event, 1);
    world_run(&world, 300 * MCAST_MILLISECOND);
    world.lose = note_address;
    world_send(&world, outside, 0, 'x', 10, 9);
    world_run(&world, MCAST_SECOND);
    CHECK(world.seen[MCAST_WIRE_HYBRID] == 1 && world.members[1].heard_count == 1);
    CHECK(world.members[outside].stable == 9 && world.members[outside].listen_count == 0);
    world_free(&world);
}

static void a_region_with_only_the_sender_needs_no_packet(void) {
    struct world world;
    world_begin(&world, 2);
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        uint32_t index = world_add(&world, &config);
        world_join(&world, index, 0);
        if (i == 0) {
            world_join(&world, index, 1);
        }
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world_send(&world, 0, 0, 'x', 10, 1); /* one other region: a plain packet suffices */
    world_send(&world, 1, 0, 'y', 10, 2);
    world_run(&world, MCAST_SECOND);
    CHECK(all_heard(&world, 2) && world.seen[MCAST_WIRE_HYBRID] == 1);
    CHECK(world.members[0].stable == 1 && world.members[1].stable == 2);
    world_free(&world);
}

static struct mcast_event garbled(uint8_t *bytes, const struct world_flight *flight, size_t at,
                                  uint8_t as) {
    memcpy(bytes, flight->buffer->bytes, flight->length);
    bytes[at] = as;
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    event.as.datagram.bytes = bytes;
    event.as.datagram.length = flight->length;
    event.as.datagram.socket = MCAST_DATA;
    return event;
}

static void a_packet_for_other_regions_is_counted_and_a_bad_one_is_dropped(void) {
    struct world world;
    two_regions_plain(&world, 2);
    world_send(&world, 0, 0, 'x', 10, 1);
    struct world_flight *flight =
        &world.line[(world.line_head + world.line_count - 1) % WORLD_LINE];
    CHECK(world_type(flight) == MCAST_WIRE_HYBRID);
    uint8_t bytes[256];
    struct mcast_event event = garbled(bytes, flight, 32, 1); /* the count of views */
    world_step(&world, 1, &event, 1);
    CHECK(world_stats(&world, 1).drop_malformed == 1);
    event = garbled(bytes, flight, 32, 40);
    world_step(&world, 1, &event, 1);
    CHECK(world_stats(&world, 1).drop_malformed == 2);
    event = garbled(bytes, flight, 41, 200); /* a view that is not known yet */
    bytes[41 + MCAST_HYBRID_ENTRY_SIZE] = 201;
    world_step(&world, 1, &event, 1);
    CHECK(world_stats(&world, 1).unknown_kept == 1);
    world_run(&world, MCAST_SECOND);
    CHECK(all_heard(&world, 1));
    world_free(&world);
}

/* Send one message while allocation @refuse and all later ones fail, and check that it arrives in
 * the end. Return true when memory was refused. */
static bool survives(size_t refuse, size_t *served) {
    struct world world;
    two_regions_plain(&world, 2);
    world_send(&world, 0, 0, 'w', 10, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    world.memory.calls = 0;
    world.memory.refuse = refuse;
    world.memory.refused = false;
    world_send(&world, 0, 0, 'x', 600, 2);
    world.memory.refuse = 0;
    world_run(&world, 4 * MCAST_SECOND);
    bool taken = world_notices(&world, 0, MCAST_NOTICE_REFUSED) == 0;
    CHECK(all_heard(&world, taken ? 2 : 1));
    CHECK(world.members[0].stable == (taken ? 2 : 1));
    *served += taken ? 1 : 0;
    bool refused = world.memory.refused;
    world_free(&world);
    return refused;
}

static void failed_allocations_lose_no_message(void) {
    size_t served = 0;
    size_t refuse = 1;
    while (survives(refuse, &served)) {
        refuse++;
    }
    CHECK(refuse > 2 && served > 1); /* the packets of both regions, and the list of them */
}

int main(void) {
    RUN(one_packet_serves_all_regions_of_a_group);
    RUN(a_group_of_one_region_gets_plain_packets);
    RUN(without_hybrid_each_region_gets_its_own_packet);
    RUN(fewer_regions_than_configured_get_plain_packets);
    RUN(repairs_go_to_regions_only);
    RUN(a_hybrid_packet_lost_to_all_is_repaired);
    RUN(long_messages_are_cut_so_that_each_piece_fits);
    RUN(batched_small_messages_keep_their_order);
    RUN(a_member_that_left_listens_until_nothing_more_can_arrive);
    RUN(a_joining_member_listens_before_anybody_sends);
    RUN(an_outside_sender_uses_the_address_and_does_not_listen);
    RUN(a_region_with_only_the_sender_needs_no_packet);
    RUN(a_packet_for_other_regions_is_counted_and_a_bad_one_is_dropped);
    RUN(failed_allocations_lose_no_message);
    return 0;
}
