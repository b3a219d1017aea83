/* Rule 1.0.11 and the tag: a datagram that is not from a member of the view, or a repeated or
 * changed one, is ignored. */
#include "base/memory.h"
#include "member/member_state.h"
#include "small_world.h"

enum { KEEP = 64 };

struct tapped {
    uint8_t *bytes[KEEP];
    uint32_t length[KEEP];
    enum mcast_socket socket[KEEP];
    struct mcast_address to[KEEP];
    size_t count;
};

static bool tap(struct world *world, const struct world_flight *flight) {
    struct tapped *tapped = world->user;
    if (tapped->count < KEEP && flight->from == 0) {
        size_t i = tapped->count++;
        tapped->bytes[i] = malloc(flight->length);
        memcpy(tapped->bytes[i], flight->buffer->bytes, flight->length);
        tapped->length[i] = flight->length;
        tapped->socket[i] = flight->socket;
    }
    return false;
}

static void untap(struct tapped *tapped) {
    for (size_t i = 0; i < tapped->count; i++) {
        free(tapped->bytes[i]);
    }
}

static void inject(struct world *world, uint32_t index, uint8_t *bytes, uint32_t length,
                   enum mcast_socket socket) {
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    event.as.datagram.bytes = bytes;
    event.as.datagram.length = length;
    event.as.datagram.socket = socket;
    world_step(world, index, &event, 1);
}

static uint64_t dropped(const struct mcast_stats *stats) {
    return stats->drop_malformed + stats->drop_foreign + stats->drop_tag + stats->drop_replay +
           stats->drop_stranger + stats->drop_closed + stats->drop_stale_token +
           stats->unknown_kept + stats->unknown_dropped;
}

/* A tag that is a plain sum, enough to see that it is checked. */
static void sum(const uint8_t *bytes, size_t length, uint8_t tag[MCAST_TAG_SIZE]) {
    uint64_t sum = 1;
    for (size_t i = 0; i < length; i++) {
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    memset(tag, 0, MCAST_TAG_SIZE);
    memcpy(tag, &sum, sizeof sum);
}

static bool seal(void *context, uint8_t *bytes, size_t length) {
    (void)context;
    sum(bytes, length, bytes + length);
    return true;
}

static bool open_tag(void *context, uint8_t *bytes, size_t length) {
    uint8_t right[MCAST_TAG_SIZE];
    (void)context;
    sum(bytes, length - MCAST_TAG_SIZE, right);
    return memcmp(right, bytes + length - MCAST_TAG_SIZE, MCAST_TAG_SIZE) == 0;
}

/* Create two members and record the first while it sends a message and tokens go round. */
static void world_tapped(struct world *world, struct tapped *tapped, bool sealed) {
    world_init(world);
    for (uint32_t i = 0; i < 2; i++) {
        struct mcast_config config = world_config(i);
        if (sealed) {
            config.auth = (struct mcast_auth){
                .seal = seal, .open = open_tag, .key_id = 1, .trailer = MCAST_TAG_SIZE};
        }
        world_join(world, world_add(world, &config), 0);
    }
    world_run(world, 300 * MCAST_MILLISECOND);
    world->user = tapped;
    world->lose = tap;
    world_send(world, 0, 0, 'a', 30, 0);
    world_run(world, 300 * MCAST_MILLISECOND);
    world->lose = NULL;
    CHECK(world->members[1].heard_count == 1 && tapped->count >= 4);
}

static void a_repeated_packet_is_not_delivered_again(void) {
    struct world world;
    struct tapped tapped = {.count = 0};
    world_tapped(&world, &tapped, false);
    struct mcast_stats before = world_stats(&world, 1);
    for (size_t i = 0; i < tapped.count; i++) {
        inject(&world, 1, tapped.bytes[i], tapped.length[i], tapped.socket[i]);
    }
    struct mcast_stats after = world_stats(&world, 1);
    CHECK(after.drop_replay - before.drop_replay == tapped.count);
    CHECK(after.tokens_received == before.tokens_received && after.duplicates == before.duplicates);
    CHECK(world.members[1].heard_count == 1);
    untap(&tapped);
    world_free(&world);
}

static void the_tag_detects_each_changed_bit(void) {
    struct world world;
    struct tapped tapped = {.count = 0};
    world_tapped(&world, &tapped, true);
    for (size_t i = 0; i < tapped.count; i++) {
        for (uint32_t bit = 0; bit < 8 * tapped.length[i]; bit++) {
            struct mcast_stats before = world_stats(&world, 1);
            tapped.bytes[i][bit / 8] ^= (uint8_t)(1U << (bit % 8));
            inject(&world, 1, tapped.bytes[i], tapped.length[i], tapped.socket[i]);
            tapped.bytes[i][bit / 8] ^= (uint8_t)(1U << (bit % 8));
            struct mcast_stats after = world_stats(&world, 1);
            CHECK(dropped(&after) == dropped(&before) + 1);
            CHECK(after.tokens_received == before.tokens_received);
            CHECK(after.drop_replay == before.drop_replay);
        }
    }
    CHECK(world.members[1].heard_count == 1);
    untap(&tapped);
    world_free(&world);
}

/* Without a tag a forger can send any well-formed message; it must not crash the receiver. */
static void changed_bits_without_a_tag_do_not_crash_the_receiver(void) {
    struct world world;
    struct tapped tapped = {.count = 0};
    world_tapped(&world, &tapped, false);
    uint64_t counter = 1000;
    for (size_t i = 0; i < tapped.count; i++) {
        for (uint32_t bit = 8 * 24; bit < 8 * tapped.length[i]; bit++) {
            uint8_t *bytes = tapped.bytes[i];
            for (int j = 0; j < 8; j++) {
                bytes[16 + j] = (uint8_t)(counter >> (56 - 8 * j));
            }
            counter++;
            bytes[bit / 8] ^= (uint8_t)(1U << (bit % 8));
            inject(&world, 1, bytes, tapped.length[i], tapped.socket[i]);
            bytes[bit / 8] ^= (uint8_t)(1U << (bit % 8));
        }
    }
    world_run(&world, 100 * MCAST_MILLISECOND);
    untap(&tapped);
    world_free(&world);
}

static void datagrams_of_other_clusters_versions_and_sockets_are_dropped(void) {
    struct world world;
    struct tapped tapped = {.count = 0};
    world_tapped(&world, &tapped, false);
    struct mcast_stats before = world_stats(&world, 1);
    tapped.bytes[0][7] ^= 1; /* cluster */
    inject(&world, 1, tapped.bytes[0], tapped.length[0], tapped.socket[0]);
    tapped.bytes[0][7] ^= 1;
    tapped.bytes[0][0] ^= 2; /* version */
    inject(&world, 1, tapped.bytes[0], tapped.length[0], tapped.socket[0]);
    tapped.bytes[0][0] ^= 2;
    tapped.bytes[0][11] ^= 64; /* sender: nobody */
    inject(&world, 1, tapped.bytes[0], tapped.length[0], tapped.socket[0]);
    tapped.bytes[0][11] ^= 64;
    tapped.bytes[0][15] ^= 1; /* incarnation */
    inject(&world, 1, tapped.bytes[0], tapped.length[0], tapped.socket[0]);
    tapped.bytes[0][15] ^= 1;
    inject(&world, 1, tapped.bytes[0], tapped.length[0], MCAST_REPAIR);
    inject(&world, 1, tapped.bytes[0], 47, tapped.socket[0]);
    inject(&world, 1, tapped.bytes[0], 0, tapped.socket[0]);
    struct mcast_stats after = world_stats(&world, 1);
    CHECK(after.drop_foreign == before.drop_foreign + 2);
    CHECK(after.drop_stranger == before.drop_stranger + 2);
    CHECK(after.drop_malformed == before.drop_malformed + 3);
    CHECK(dropped(&after) == dropped(&before) + 7);
    untap(&tapped);
    world_free(&world);
}

static void a_counter_far_behind_is_old_and_one_far_ahead_moves_the_window(void) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct mcast_config config = world_config(0);
    struct mcast_member *member;
    CHECK(mcast_member_new(&config, &memory.alloc, &member) == MCAST_OK);
    struct mcast_peer peer = {.node = 9};
    bool seen[20000] = {false};
    uint64_t highest = 0;
    uint64_t seed = 4;
    for (int run = 0; run < 200000; run++) {
        uint64_t counter = test_random(&seed) % 3 == 0 ? test_random(&seed) % 20000
                                                       : highest + test_random(&seed) % 3;
        counter = counter < 20000 ? counter : 19999;
        bool old = counter == 0 || (highest >= 4096 && counter <= highest - 4096);
        bool fresh = mcast_peer_counter(member, &peer, MCAST_DATA, counter);
        CHECK(fresh == (!old && !seen[counter]) || counter == 0);
        seen[counter] |= fresh;
        highest = counter > highest ? counter : highest;
    }
    CHECK(memory.out > 0);
    mcast_memory_free(&memory.alloc, peer.replay[MCAST_DATA], 1, sizeof(struct mcast_replay));
    mcast_member_free(member);
    CHECK(memory.out == 0);
}

/* Send a data datagram of node 1 to a view that nobody announced. */
static void send_unknown(struct world *world, mcast_view view, uint64_t counter, uint32_t as) {
    uint8_t bytes[MCAST_HEADER_SIZE + 64 + MCAST_TAG_SIZE] = {0};
    struct mcast_header header = {.type = MCAST_WIRE_DATA,
                                  .cluster = 7,
                                  .sender = mcast_member_node(world->members[0].member),
                                  .incarnation = mcast_incarnation_check(as + 100),
                                  .counter = counter,
                                  .view = view};
    mcast_header_write(bytes, &header);
    bytes[MCAST_HEADER_SIZE + 7] = 1;
    inject(world, 1, bytes, sizeof bytes, MCAST_DATA);
}

static void packets_for_an_unknown_view_are_checked_and_expire(void) {
    struct world world;
    struct tapped tapped = {.count = 0};
    world_tapped(&world, &tapped, false);
    uint64_t kept = world_stats(&world, 1).unknown_kept;
    for (uint32_t i = 0; i < 100; i++) {
        send_unknown(&world, UINT64_C(1) << 41, 5000, 0);
    }
    CHECK(world_stats(&world, 1).unknown_kept == kept + 1);
    send_unknown(&world, UINT64_C(1) << 41, 6000, 1); /* of another incarnation */
    CHECK(world_stats(&world, 1).unknown_kept == kept + 1);
    world_run(&world, 3 * MCAST_SECOND);
    send_unknown(&world, UINT64_C(1) << 41, 7000, 0);
    CHECK(world_stats(&world, 1).unknown_kept == kept + 2);
    CHECK(world.members[1].member->unknown_count == 1);
    untap(&tapped);
    world_free(&world);
}

static void an_evicted_member_is_silent_until_it_rejoins(void) {
    struct world world;
    world_of(&world, 2, 1);
    world_service(
        &world, &(struct mcast_service_event){.kind = MCAST_SERVICE_DISCONNECTED, .connection = 2});
    mcast_evict(world.members[1].member, 1, MCAST_EEVICTED);
    struct mcast_event up = {.kind = MCAST_EVENT_CONNECTED};
    struct mcast_output output = {.room = UINT32_MAX};
    CHECK(mcast_member_step(world.members[1].member, &up, 1, world.now, &output) == MCAST_OK);
    CHECK(output.control_count == 0);
    struct mcast_event rejoin = {.kind = MCAST_EVENT_REJOIN};
    rejoin.as.rejoin.incarnation = 1000;
    output = (struct mcast_output){.room = UINT32_MAX};
    CHECK(mcast_member_step(world.members[1].member, &rejoin, 1, world.now, &output) == MCAST_OK);
    CHECK(output.control_count == 1 && output.controls[0].bytes[1] == MCAST_SM_HELLO);
    world_free(&world);
}

/* More joins than one list holds are waiting before the service is reached. */
static void a_list_of_joins_is_cut_where_the_service_would_refuse_it(void) {
    struct world world;
    world_init(&world);
    struct mcast_config config = world_config(0);
    world.count = 1;
    world.members[0].heard = calloc(WORLD_HEARD_MOST, sizeof *world.members[0].heard);
    CHECK(mcast_member_new(&config, &world.memory.alloc, &world.members[0].member) == MCAST_OK);
    const uint32_t joins = 65536 + 10;
    for (uint32_t group = 0; group < joins; group++) {
        world_join(&world, 0, group);
    }
    world_service(&world,
                  &(struct mcast_service_event){.kind = MCAST_SERVICE_CONNECTED, .connection = 1});
    world_step(&world, 0, &(struct mcast_event){.kind = MCAST_EVENT_CONNECTED}, 1);
    world_run(&world, MCAST_SECOND);
    CHECK(world_stats(&world, 0).groups == joins);
    CHECK(world.members[0].member->change.waiting.count == 0);
    CHECK(mcast_group_at(world.members[0].member, joins - 1)->route != NULL);
    world_free(&world);
}

int main(void) {
    RUN(a_repeated_packet_is_not_delivered_again);
    RUN(the_tag_detects_each_changed_bit);
    RUN(changed_bits_without_a_tag_do_not_crash_the_receiver);
    RUN(datagrams_of_other_clusters_versions_and_sockets_are_dropped);
    RUN(a_counter_far_behind_is_old_and_one_far_ahead_moves_the_window);
    RUN(packets_for_an_unknown_view_are_checked_and_expire);
    RUN(an_evicted_member_is_silent_until_it_rejoins);
    RUN(a_list_of_joins_is_cut_where_the_service_would_refuse_it);
    return 0;
}
