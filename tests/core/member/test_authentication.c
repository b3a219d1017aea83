/* Authentication: a member counts datagrams that were changed, repeated or made by others, answers
 * none of them, and keeps its state. */
#include "check.h"
#include "fake_crypto.h"
#include "mcast/keyring.h"
#include "small_world.h"

#include <string.h>

enum { SENDER = 0, RECEIVER = 1, OTHER = 2 };

static const struct mcast_key KEY = {.id = 3, .bytes = {7, 7, 7}};
static const struct mcast_key OLD_KEY = {.id = 2, .bytes = {5}};
static const struct mcast_key FOREIGN_KEY = {.id = 3, .bytes = {8}};

struct sample {
    uint8_t bytes[2048];
    uint32_t length;
};

static struct world world;
static struct sample samples[MCAST_WIRE_TYPES]; /* one of each type from SENDER, once seen */
static struct mcast_keyring *rings[3];
static unsigned data_seen;

static struct mcast_keyring *ring_of(const struct mcast_key *first, const struct mcast_key *next) {
    struct mcast_crypto crypto = false_crypto();
    struct mcast_key keys[2] = {*first, next == NULL ? *first : *next};
    struct mcast_keyring *made = mcast_keyring_new(&crypto, keys, next == NULL ? 1 : 2);
    CHECK(made != NULL);
    return made;
}

static bool keep_and_lose(struct world *self, const struct world_flight *flight) {
    (void)self;
    struct sample *sample = &samples[world_type(flight)];
    if (flight->from == SENDER && flight->length <= sizeof sample->bytes) {
        memcpy(sample->bytes, flight->buffer->bytes, flight->length);
        sample->length = flight->length;
    }
    return world_type(flight) == MCAST_WIRE_DATA && data_seen++ % 4 == 3;
}

static void finish(void) {
    world_free(&world);
    for (int i = 0; i < 3; i++) {
        mcast_keyring_free(rings[i]);
    }
}

/* Seal @sample again as the sender in its header, with the key of @ring. */
static void seal(struct sample *sample, struct mcast_keyring *ring) {
    struct mcast_header header;
    struct mcast_auth auth = mcast_keyring_auth(ring);
    struct mcast_part part = {sample->bytes, sample->length - MCAST_TAG_SIZE};
    CHECK(mcast_header_read(sample->bytes, sample->length, &header));
    auth.seal(auth.context, header.key_id, header.sender, header.incarnation, &part, 1,
              sample->bytes + part.length);
}

/* Make a message of @type with @body from SENDER, with a new counter. */
static void make(uint8_t type, const uint8_t *body, uint32_t length) {
    struct sample *sample = &samples[type];
    struct mcast_header header;
    CHECK(mcast_header_read(samples[MCAST_WIRE_TOKEN].bytes, samples[MCAST_WIRE_TOKEN].length,
                            &header));
    header.type = type;
    header.flags = 0;
    header.counter += 1000000 + type;
    mcast_header_write(sample->bytes, &header);
    memcpy(sample->bytes + MCAST_HEADER_SIZE, body, length);
    sample->length = MCAST_HEADER_SIZE + length + MCAST_TAG_SIZE;
    seal(sample, rings[SENDER]);
}

/* Create three members with keys that all send and lose packets, so that every repair is needed. */
static void begin(void) {
    world_init(&world);
    memset(samples, 0, sizeof samples);
    data_seen = 0;
    for (uint32_t i = 0; i < 3; i++) {
        struct mcast_config config = world_config(i);
        rings[i] = ring_of(&KEY, &OLD_KEY);
        config.auth = mcast_keyring_auth(rings[i]);
        CHECK(world_add(&world, &config) == i);
        world_join(&world, i, 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world.lose = keep_and_lose;
    for (uint32_t i = 0; i < 300; i++) {
        world_send(&world, i % 3, 0, 1, 300, i + 1);
        world_run(&world, MCAST_MILLISECOND);
    }
    world_run(&world, 500 * MCAST_MILLISECOND);
    world.lose = NULL;
    world_run(&world, 5 * MCAST_SECOND); /* until all is quiet */
    /* While tokens go round, none of the three sends one by itself. */
    static const uint8_t mark[] = {5};
    make(MCAST_WIRE_HIGH_WATER, mark, sizeof mark);
}

static void make_the_rare(void) {
    static const uint8_t epoch[8] = {0, 0, 1, 0, 0, 0, 0, 1};
    static const uint8_t flow[] = {1, 0, 100};
    make(MCAST_WIRE_STALE, epoch, sizeof epoch);
    make(MCAST_WIRE_EVICTED, epoch, sizeof epoch);
    make(MCAST_WIRE_FLOW, flow, sizeof flow);
    make(MCAST_WIRE_HYBRID, flow, sizeof flow);
    make(MCAST_WIRE_CALL, epoch, sizeof epoch);
}

static enum mcast_socket socket_of(uint8_t type) {
    return type == MCAST_WIRE_DATA || type == MCAST_WIRE_HYBRID ? MCAST_DATA
           : type == MCAST_WIRE_REPAIR                          ? MCAST_REPAIR
                                                                : MCAST_CONTROL;
}

/* Hand @bytes to RECEIVER. Return the change of its counters, and count in @said what it sent. */
static struct mcast_stats inject(const uint8_t *bytes, uint32_t length, uint8_t type,
                                 size_t *said) {
    struct mcast_output output = {.room = UINT32_MAX};
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    event.as.datagram.bytes = bytes;
    event.as.datagram.length = length;
    event.as.datagram.socket = socket_of(type);
    CHECK(mcast_member_step(world.members[RECEIVER].member, &event, 1, world.now, &output) ==
          MCAST_OK);
    *said = output.datagram_count + output.delivery_count + output.control_count +
            output.notice_count + output.want_count;
    return world_stats(&world, RECEIVER);
}

static uint64_t drops(const struct mcast_stats *stats) {
    return stats->drop_tag + stats->drop_malformed + stats->drop_foreign;
}

static void check_that_nothing_else_changed(const struct mcast_stats *before,
                                            struct mcast_stats after) {
    after.drop_tag = before->drop_tag;
    after.drop_malformed = before->drop_malformed;
    after.drop_foreign = before->drop_foreign;
    after.memory_bytes = before->memory_bytes;
    CHECK(memcmp(before, &after, sizeof after) == 0);
}

static void flip_each_bit(uint8_t type) {
    struct sample changed = samples[type];
    struct mcast_header own;
    size_t said = 0;
    CHECK(changed.length > 0);
    for (uint32_t bit = 0; bit < 8 * changed.length; bit++) {
        struct mcast_stats before = world_stats(&world, RECEIVER);
        changed.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        struct mcast_stats after = inject(changed.bytes, changed.length, type, &said);
        /* One changed bit may name the receiver as the sender: it then ignores the datagram as its
         * own echo. */
        bool echo = mcast_header_read(changed.bytes, changed.length, &own) &&
                    own.sender == mcast_member_node(world.members[RECEIVER].member);
        CHECK(said == 0 && drops(&after) == drops(&before) + (echo ? 0 : 1));
        check_that_nothing_else_changed(&before, after);
        changed.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (uint32_t length = 0; length < changed.length; length++) {
        struct mcast_stats before = world_stats(&world, RECEIVER);
        struct mcast_stats after = inject(changed.bytes, length, type, &said);
        CHECK(said == 0 && drops(&after) == drops(&before) + 1);
        check_that_nothing_else_changed(&before, after);
    }
}

static void a_datagram_of_any_type_with_any_bit_changed_is_dropped(void) {
    begin();
    make_the_rare();
    for (uint8_t type = MCAST_WIRE_DATA; type < MCAST_WIRE_TYPES; type++) {
        flip_each_bit(type);
    }
    finish();
}

static void a_repeated_datagram_is_dropped(void) {
    size_t said = 0;
    begin();
    for (uint8_t type = MCAST_WIRE_DATA; type <= MCAST_WIRE_REQUEST; type++) {
        const struct sample *sample = &samples[type];
        CHECK(sample->length > 0);
        (void)inject(sample->bytes, sample->length, type, &said);
        struct mcast_stats before = world_stats(&world, RECEIVER);
        struct mcast_stats after = inject(sample->bytes, sample->length, type, &said);
        CHECK(said == 0);
        CHECK(after.drop_replay + after.drop_closed + after.drop_stranger ==
              before.drop_replay + before.drop_closed + before.drop_stranger + 1);
        CHECK(after.drop_tag == before.drop_tag);
    }
    finish();
}

/* Change the header of a datagram of SENDER, and seal it with @ring. */
static struct mcast_stats forge(uint8_t type, void (*change)(struct mcast_header *header),
                                struct mcast_keyring *ring, size_t *said) {
    struct sample forged = samples[type];
    struct mcast_header header;
    CHECK(mcast_header_read(forged.bytes, forged.length, &header));
    header.counter += 2000000;
    change(&header);
    mcast_header_write(forged.bytes, &header);
    seal(&forged, ring);
    return inject(forged.bytes, forged.length, type, said);
}

static void same(struct mcast_header *header) {
    (void)header;
}

static void another_life(struct mcast_header *header) {
    header->incarnation++;
}

static void another_cluster(struct mcast_header *header) {
    header->cluster++;
}

static void unknown_sender(struct mcast_header *header) {
    header->sender += 1000;
}

static void old_key(struct mcast_header *header) {
    header->key_id = OLD_KEY.id;
}

static void a_datagram_of_another_incarnation_cluster_or_key_is_dropped(void) {
    size_t said = 0;
    begin();
    struct mcast_keyring *foreign = ring_of(&FOREIGN_KEY, NULL);
    struct mcast_stats before = world_stats(&world, RECEIVER);
    struct mcast_stats after = forge(MCAST_WIRE_TOKEN, another_life, rings[SENDER], &said);
    CHECK(said == 0 && after.drop_stranger == before.drop_stranger + 1);
    before = after;
    after = forge(MCAST_WIRE_TOKEN, another_cluster, rings[SENDER], &said);
    CHECK(said == 0 && after.drop_foreign == before.drop_foreign + 1);
    before = after;
    after = forge(MCAST_WIRE_TOKEN, unknown_sender, rings[SENDER], &said);
    CHECK(said == 0 && after.drop_stranger == before.drop_stranger + 1);
    before = after;
    after = forge(MCAST_WIRE_DATA, same, foreign, &said);
    CHECK(said == 0 && after.drop_tag == before.drop_tag + 1);
    check_that_nothing_else_changed(&before, after);
    mcast_keyring_free(foreign);
    finish();
}

static void during_a_key_change_the_old_key_is_accepted(void) {
    size_t said = 0;
    begin();
    struct mcast_stats before = world_stats(&world, RECEIVER);
    struct mcast_stats after = forge(MCAST_WIRE_DATA, old_key, rings[SENDER], &said);
    CHECK(after.drop_tag == before.drop_tag && after.duplicates == before.duplicates + 1);
    finish();
}

/* When some members have keys and others none, only datagrams with a tag are accepted. */
static void datagrams_of_a_member_without_a_key_are_dropped(void) {
    world_init(&world);
    struct mcast_keyring *ring = ring_of(&KEY, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        struct mcast_config config = world_config(i);
        if (i == RECEIVER) {
            config.auth = mcast_keyring_auth(ring);
        }
        CHECK(world_add(&world, &config) == i);
        world_join(&world, i, 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world_send(&world, SENDER, 0, 1, 100, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    CHECK(world.members[RECEIVER].heard_count == 0);
    CHECK(world_stats(&world, RECEIVER).drop_tag > 0);
    world_free(&world);
    mcast_keyring_free(ring);
}

int main(void) {
    RUN(a_datagram_of_any_type_with_any_bit_changed_is_dropped);
    RUN(a_repeated_datagram_is_dropped);
    RUN(a_datagram_of_another_incarnation_cluster_or_key_is_dropped);
    RUN(during_a_key_change_the_old_key_is_accepted);
    RUN(datagrams_of_a_member_without_a_key_are_dropped);
    return 0;
}
