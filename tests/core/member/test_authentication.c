/* Encryption: a member sends nothing readable but headers; it counts datagrams that were changed,
 * repeated or made by others, answers none of them, and keeps its state. */
#include "check.h"
#include "fake_crypto.h"
#include "mcast/keyring.h"
#include "small_world.h"

#include <string.h>

enum { SENDER = 0, RECEIVER = 1, OTHER = 2 };

static const struct mcast_key KEY = {.id = 3, .bytes = {7, 7, 7}};
static const struct mcast_key OLD_KEY = {.id = 2, .bytes = {5}};
static const struct mcast_key FOREIGN_KEY = {.id = 3, .bytes = {8}};

enum { TRAILER = MCAST_SEAL_SIZE + MCAST_SESSION_SIZE };

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

/* True if @flight contains a piece of a message: world_send repeats one byte. */
static bool is_readable(const struct world_flight *flight) {
    const uint8_t *bytes = flight->buffer->bytes;
    for (uint32_t at = 0; at + 8 <= flight->length; at++) {
        if (bytes[at] == 1 && memcmp(bytes + at, bytes + at + 1, 7) == 0) {
            return true;
        }
    }
    return false;
}

static bool keep_and_lose(struct world *self, const struct world_flight *flight) {
    (void)self;
    struct sample *sample = &samples[world_type(flight)];
    CHECK(!is_readable(flight));
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

static void open_sample(struct sample *sample) {
    struct mcast_auth auth = mcast_keyring_auth(rings[SENDER]);
    CHECK(auth.open(auth.context, sample->bytes, sample->length));
}

/* Seal @sample, which is open, as the sender in its header, with the key of @ring. */
static void seal(struct sample *sample, struct mcast_keyring *ring) {
    struct mcast_auth auth = mcast_keyring_auth(ring);
    CHECK(auth.seal(auth.context, sample->bytes, sample->length - TRAILER));
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
    sample->length = MCAST_HEADER_SIZE + length + TRAILER;
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

/* The notices in @output that datagrams do not open; the last of them is stored in @last. */
static size_t count_unreadable(const struct mcast_output *output, struct mcast_notice *last) {
    size_t found = 0;
    for (size_t i = 0; i < output->notice_count; i++) {
        if (output->notices[i].kind == MCAST_NOTICE_UNREADABLE) {
            found++;
            if (last != NULL) {
                *last = output->notices[i];
            }
        }
    }
    return found;
}

/* Hand @bytes to RECEIVER. Return the change of its counters, and count in @said what it sent. */
static struct mcast_stats inject(const uint8_t *bytes, uint32_t length, uint8_t type,
                                 size_t *said) {
    struct mcast_output output = {.room = UINT32_MAX};
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    static uint8_t copy[sizeof samples[0].bytes];
    memcpy(copy, bytes, length);
    event.as.datagram.bytes = copy;
    event.as.datagram.length = length;
    event.as.datagram.socket = socket_of(type);
    CHECK(mcast_member_step(world.members[RECEIVER].member, &event, 1, world.now, &output) ==
          MCAST_OK);
    *said = output.datagram_count + output.delivery_count + output.control_count +
            output.notice_count + output.want_count - count_unreadable(&output, NULL);
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
    open_sample(&forged);
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

/* A token that nobody with a key made does not decide which tokens are handled late. */
static void forged_tokens_do_not_change_the_order(void) {
    begin();
    struct mcast_output output = {.room = UINT32_MAX};
    struct sample token = samples[MCAST_WIRE_TOKEN];
    struct sample forged = token;
    struct mcast_header header;
    CHECK(mcast_header_read(token.bytes, token.length, &header));
    open_sample(&token);
    forged = token;
    token.bytes[MCAST_HEADER_SIZE + 5] = 1; /* a round after those that were seen */
    header.counter += 3000000;
    mcast_header_write(token.bytes, &header);
    seal(&token, rings[SENDER]);
    memset(forged.bytes + MCAST_HEADER_SIZE, 0xff, 8); /* the latest round of all, in clear */
    struct mcast_event events[2] = {{.kind = MCAST_EVENT_DATAGRAM}, {.kind = MCAST_EVENT_DATAGRAM}};
    struct sample *both[2] = {&token, &forged};
    for (size_t i = 0; i < 2; i++) {
        events[i].as.datagram.bytes = both[i]->bytes;
        events[i].as.datagram.length = both[i]->length;
        events[i].as.datagram.socket = MCAST_CONTROL;
    }
    struct mcast_stats before = world_stats(&world, RECEIVER);
    CHECK(mcast_member_step(world.members[RECEIVER].member, events, 2, world.now, &output) ==
          MCAST_OK);
    struct mcast_stats after = world_stats(&world, RECEIVER);
    CHECK(after.drop_tag == before.drop_tag + 1);
    finish();
}

/* Hand RECEIVER a token of SENDER, or of a stranger, sealed with a foreign key. Return how many
 * notices it causes. */
static size_t inject_foreign(bool of_stranger, struct mcast_notice *last) {
    static uint64_t counter = 9000000;
    struct sample forged = samples[MCAST_WIRE_TOKEN];
    struct mcast_output output = {.room = UINT32_MAX};
    struct mcast_event event = {.kind = MCAST_EVENT_DATAGRAM};
    struct mcast_header header;
    struct mcast_keyring *foreign = ring_of(&FOREIGN_KEY, NULL);
    CHECK(mcast_header_read(forged.bytes, forged.length, &header));
    header.counter = ++counter;
    header.sender += of_stranger ? 1000 : 0;
    mcast_header_write(forged.bytes, &header);
    seal(&forged, foreign);
    event.as.datagram.bytes = forged.bytes;
    event.as.datagram.length = forged.length;
    event.as.datagram.socket = MCAST_CONTROL;
    CHECK(mcast_member_step(world.members[RECEIVER].member, &event, 1, world.now, &output) ==
          MCAST_OK);
    mcast_keyring_free(foreign);
    return count_unreadable(&output, last);
}

static void a_member_with_another_key_is_told_once_a_minute(void) {
    struct mcast_notice last = {.kind = 0};
    begin();
    mcast_node sender = mcast_member_node(world.members[SENDER].member);
    CHECK(inject_foreign(true, &last) == 0);
    CHECK(inject_foreign(false, &last) == 1 && last.sender == sender && last.count == 1);
    for (int i = 0; i < 10; i++) {
        CHECK(inject_foreign(false, &last) == 0);
    }
    world_run(&world, 61 * MCAST_SECOND);
    CHECK(inject_foreign(false, &last) == 1 && last.sender == sender && last.count == 11);
    finish();
}

/* A member that has no key drops what is encrypted, and does not read it as if it were not. */
static void encrypted_datagrams_are_dropped_by_a_member_without_a_key(void) {
    world_init(&world);
    struct mcast_keyring *ring = ring_of(&KEY, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        struct mcast_config config = world_config(i);
        if (i == SENDER) {
            config.auth = mcast_keyring_auth(ring);
        }
        CHECK(world_add(&world, &config) == i);
        world_join(&world, i, 0);
    }
    world_run(&world, 300 * MCAST_MILLISECOND);
    world_send(&world, SENDER, 0, 1, 100, 1);
    world_run(&world, 100 * MCAST_MILLISECOND);
    struct mcast_stats stats = world_stats(&world, RECEIVER);
    CHECK(world.members[RECEIVER].heard_count == 0);
    CHECK(stats.drop_tag > 0 && stats.drop_malformed == 0);
    world_free(&world);
    mcast_keyring_free(ring);
}

/* When some members have keys and others none, only encrypted datagrams are accepted. */
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
    RUN(forged_tokens_do_not_change_the_order);
    RUN(datagrams_of_a_member_without_a_key_are_dropped);
    RUN(encrypted_datagrams_are_dropped_by_a_member_without_a_key);
    RUN(a_member_with_another_key_is_told_once_a_minute);
    return 0;
}
