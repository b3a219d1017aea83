/* The keyring and the session on it, with functions without secrecy in place of libsodium's. */
#include "check.h"
#include "fake_crypto.h"
#include "mcast/keyring.h"
#include "service_connection/service_session.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct mcast_key ONE = {.id = 1, .bytes = {1, 2, 3}};
static const struct mcast_key TWO = {.id = 2, .bytes = {4, 5, 6}};
static const struct mcast_key OTHER_ONE = {.id = 1, .bytes = {9}};

static struct mcast_keyring *ring_of(const struct mcast_key *first,
                                     const struct mcast_key *second) {
    struct mcast_crypto crypto = false_crypto();
    struct mcast_key keys[2] = {*first, second == NULL ? *first : *second};
    struct mcast_keyring *ring = mcast_keyring_new(&crypto, keys, second == NULL ? 1 : 2);
    CHECK(ring != NULL);
    return ring;
}

/* --- datagrams ----------------------------------------------------------------------------------
 */

enum { LENGTH = 100, NODE = 5, LIFE = 77 };

static void fill(uint8_t bytes[LENGTH], uint8_t type, uint64_t counter) {
    memset(bytes, 0x5a, LENGTH);
    bytes[1] = type;
    for (int i = 0; i < 8; i++) {
        bytes[16 + i] = (uint8_t)(counter >> (56 - 8 * i));
    }
}

static void seal_whole(struct mcast_keyring *ring, const uint8_t *bytes, uint8_t *tag) {
    struct mcast_auth auth = mcast_keyring_auth(ring);
    struct mcast_part part = {bytes, LENGTH};
    auth.seal(auth.context, auth.key_id, NODE, LIFE, &part, 1, tag);
}

static bool opens(struct mcast_keyring *ring, uint8_t key_id, mcast_node node, uint32_t life,
                  const uint8_t *bytes, size_t length, const uint8_t *tag) {
    struct mcast_auth auth = mcast_keyring_auth(ring);
    return auth.open(auth.context, key_id, node, life, bytes, length, tag);
}

static void a_tag_covers_bytes_sender_and_incarnation(void) {
    uint8_t bytes[LENGTH];
    uint8_t tag[MCAST_TAG_SIZE];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    fill(bytes, 1, 9);
    seal_whole(ring, bytes, tag);
    CHECK(opens(ring, 1, NODE, LIFE, bytes, LENGTH, tag));
    CHECK(!opens(ring, 1, NODE + 1, LIFE, bytes, LENGTH, tag));
    CHECK(!opens(ring, 1, NODE, LIFE + 1, bytes, LENGTH, tag));
    CHECK(!opens(ring, 2, NODE, LIFE, bytes, LENGTH, tag));
    CHECK(!opens(ring, 1, NODE, LIFE, bytes, LENGTH - 1, tag));
    CHECK(!opens(ring, 1, NODE, LIFE, bytes, 31, tag));
    for (size_t bit = 0; bit < 8 * (size_t)LENGTH; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(!opens(ring, 1, NODE, LIFE, bytes, LENGTH, tag));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t bit = 0; bit < 8 * MCAST_TAG_SIZE; bit++) {
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(!opens(ring, 1, NODE, LIFE, bytes, LENGTH, tag));
        tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    CHECK(opens(ring, 1, NODE, LIFE, bytes, LENGTH, tag));
    mcast_keyring_free(ring);
}

static void a_datagram_in_pieces_has_the_tag_of_the_whole(void) {
    uint8_t bytes[LENGTH];
    uint8_t whole[MCAST_TAG_SIZE];
    uint8_t pieced[MCAST_TAG_SIZE];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    struct mcast_auth auth = mcast_keyring_auth(ring);
    fill(bytes, 3, 1);
    seal_whole(ring, bytes, whole);
    struct mcast_part parts[] = {{bytes, 40}, {bytes + 40, 1}, {bytes + 41, LENGTH - 41}};
    auth.seal(auth.context, auth.key_id, NODE, LIFE, parts, 3, pieced);
    CHECK(memcmp(whole, pieced, sizeof whole) == 0);
    mcast_keyring_free(ring);
}

static void a_datagram_too_long_or_of_an_unknown_key_gets_no_tag(void) {
    static uint8_t bytes[70000];
    static const uint8_t none[MCAST_TAG_SIZE];
    uint8_t tag[MCAST_TAG_SIZE];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    struct mcast_auth auth = mcast_keyring_auth(ring);
    struct mcast_part parts[] = {{bytes, 40}, {bytes + 40, sizeof bytes - 40}};
    auth.seal(auth.context, 1, NODE, LIFE, parts, 2, tag);
    CHECK(memcmp(tag, none, sizeof tag) == 0);
    parts[0].length = 60;
    auth.seal(auth.context, 7, NODE, LIFE, parts, 1, tag);
    CHECK(memcmp(tag, none, sizeof tag) == 0);
    mcast_keyring_free(ring);
}

static void during_a_key_change_both_keys_open_and_the_first_seals(void) {
    uint8_t bytes[LENGTH];
    uint8_t tag[MCAST_TAG_SIZE];
    struct mcast_keyring *old = ring_of(&ONE, NULL);
    struct mcast_keyring *both = ring_of(&ONE, &TWO);
    struct mcast_keyring *turned = ring_of(&TWO, &ONE);
    fill(bytes, 1, 1);
    CHECK(mcast_keyring_id(both) == 1 && mcast_keyring_id(turned) == 2);
    seal_whole(turned, bytes, tag);
    CHECK(opens(both, 2, NODE, LIFE, bytes, LENGTH, tag));
    CHECK(!opens(both, 1, NODE, LIFE, bytes, LENGTH, tag));
    CHECK(!opens(old, 2, NODE, LIFE, bytes, LENGTH, tag));
    seal_whole(old, bytes, tag);
    CHECK(opens(turned, 1, NODE, LIFE, bytes, LENGTH, tag));
    mcast_keyring_free(old);
    mcast_keyring_free(both);
    mcast_keyring_free(turned);
}

static void more_senders_than_the_cache_holds_are_distinguished(void) {
    uint8_t bytes[LENGTH];
    uint8_t tags[600][MCAST_TAG_SIZE];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    struct mcast_auth auth = mcast_keyring_auth(ring);
    struct mcast_part part = {bytes, LENGTH};
    fill(bytes, 1, 1);
    for (mcast_node node = 0; node < 600; node++) {
        auth.seal(auth.context, 1, node, LIFE, &part, 1, tags[node]);
    }
    for (mcast_node node = 0; node < 600; node++) {
        CHECK(opens(ring, 1, node, LIFE, bytes, LENGTH, tags[node]));
        CHECK(!opens(ring, 1, (node + 256) % 600, LIFE, bytes, LENGTH, tags[node]));
    }
    mcast_keyring_free(ring);
}

static void invalid_keys_are_refused(void) {
    struct mcast_crypto crypto = false_crypto();
    struct mcast_key keys[3] = {ONE, OTHER_ONE, TWO};
    CHECK(mcast_keyring_new(&crypto, keys, 0) == NULL);
    CHECK(mcast_keyring_new(&crypto, keys, 2) == NULL);
    CHECK(mcast_keyring_new(&crypto, keys, 3) == NULL);
    mcast_keyring_free(NULL);
}

/* --- sessions -----------------------------------------------------------------------------------
 */

struct pair {
    struct udp_session member;
    struct udp_session service;
};

static void begin(struct pair *pair, const struct mcast_keyring *member,
                  const struct mcast_keyring *service) {
    int fds[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
    CHECK(udp_session_begin(&pair->member, fds[0], false, member, false) == 0);
    CHECK(udp_session_begin(&pair->service, fds[1], false, service, true) == 0);
}

static void finish(struct pair *pair) {
    udp_session_close(&pair->member);
    udp_session_close(&pair->service);
    udp_session_close(&pair->member);
}

/* Pass the output of one end to the other. Return the code of its reading. */
static int pass(struct udp_session *from, struct udp_session *to) {
    size_t length = 0;
    int code = 0;
    CHECK(udp_stream_flush(&from->stream) == 0);
    int end = udp_stream_fill(&to->stream);
    CHECK(udp_session_next(to, &length, &code) == NULL);
    return code != 0 ? code : end;
}

static void open_pair(struct pair *pair, const struct mcast_keyring *member,
                      const struct mcast_keyring *service) {
    begin(pair, member, service);
    CHECK(pass(&pair->service, &pair->member) == 0);
    CHECK(pair->service.state != UDP_SESSION_OPEN);
    CHECK(pass(&pair->member, &pair->service) == 0);
    CHECK(pair->service.state == UDP_SESSION_OPEN && pair->member.state != UDP_SESSION_OPEN);
    CHECK(pass(&pair->service, &pair->member) == 0);
    CHECK(pair->member.state == UDP_SESSION_OPEN);
}

static void check_says(struct udp_session *from, struct udp_session *to, const char *word) {
    size_t length = 0;
    int code = 0;
    CHECK(udp_session_send(from, (const uint8_t *)word, strlen(word)) == 0);
    CHECK(udp_stream_flush(&from->stream) == 0 && udp_stream_fill(&to->stream) == 0);
    const uint8_t *got = udp_session_next(to, &length, &code);
    CHECK(code == 0 && got != NULL && length == strlen(word) && memcmp(got, word, length) == 0);
}

static void both_ends_prove_themselves_and_then_messages_pass(void) {
    struct pair pair;
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    open_pair(&pair, ring, ring);
    for (int turn = 0; turn < 3; turn++) {
        check_says(&pair.member, &pair.service, "hello");
        check_says(&pair.service, &pair.member, "welcome");
        check_says(&pair.service, &pair.member, "");
    }
    finish(&pair);
    mcast_keyring_free(ring);
}

static void the_member_names_the_key_during_a_key_change(void) {
    struct pair pair;
    struct mcast_keyring *member = ring_of(&TWO, NULL);
    struct mcast_keyring *service = ring_of(&ONE, &TWO);
    open_pair(&pair, member, service);
    check_says(&pair.member, &pair.service, "hello");
    finish(&pair);
    mcast_keyring_free(member);
    mcast_keyring_free(service);
}

static void a_peer_with_another_key_is_refused_without_an_answer(void) {
    struct pair pair;
    struct mcast_keyring *member = ring_of(&OTHER_ONE, NULL);
    struct mcast_keyring *service = ring_of(&ONE, NULL);
    begin(&pair, member, service);
    CHECK(pass(&pair.service, &pair.member) == 0);
    CHECK(pass(&pair.member, &pair.service) == -EACCES);
    CHECK(!udp_stream_waits(&pair.service.stream));
    finish(&pair);
    mcast_keyring_free(member);
    mcast_keyring_free(service);
}

/* A service without the key could admit anybody; the member does not trust it. */
static void a_service_without_the_key_is_not_trusted(void) {
    struct pair pair;
    uint8_t proof[MCAST_KEY_SIZE] = {0};
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    begin(&pair, ring, ring);
    CHECK(pass(&pair.service, &pair.member) == 0);
    CHECK(udp_stream_flush(&pair.member.stream) == 0);
    CHECK(udp_stream_send(&pair.service.stream, proof, sizeof proof) == 0);
    CHECK(pass(&pair.service, &pair.member) == -EACCES);
    finish(&pair);
    mcast_keyring_free(ring);
}

/* The proof of the member is reflected to it as if it were the service's own. */
static void a_reflected_proof_is_refused(void) {
    struct pair pair;
    uint8_t bytes[200];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    begin(&pair, ring, ring);
    CHECK(pass(&pair.service, &pair.member) == 0);
    CHECK(udp_stream_flush(&pair.member.stream) == 0);
    ssize_t got = recv(pair.service.stream.fd, bytes, sizeof bytes, 0);
    CHECK(got > MCAST_KEY_SIZE);
    CHECK(udp_stream_send(&pair.service.stream, bytes + got - MCAST_KEY_SIZE, MCAST_KEY_SIZE) == 0);
    CHECK(pass(&pair.service, &pair.member) == -EACCES);
    finish(&pair);
    mcast_keyring_free(ring);
}

/* Send "one" and "two" and pass the bytes of both to @change before the service reads them. */
static int read_changed(void (*change)(uint8_t *bytes, ssize_t *length)) {
    struct pair pair;
    uint8_t bytes[200];
    size_t length = 0;
    int code = 0;
    int fds[2];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    open_pair(&pair, ring, ring);
    CHECK(udp_session_send(&pair.member, (const uint8_t *)"one", 3) == 0);
    CHECK(udp_session_send(&pair.member, (const uint8_t *)"two", 3) == 0);
    CHECK(udp_stream_flush(&pair.member.stream) == 0);
    ssize_t got = recv(pair.service.stream.fd, bytes, sizeof bytes, 0);
    CHECK(got == 2 * (4 + 3 + MCAST_TAG_SIZE));
    change(bytes, &got);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
    close(pair.service.stream.fd);
    pair.service.stream.fd = fds[1];
    CHECK(send(fds[0], bytes, (size_t)got, 0) == got);
    CHECK(udp_stream_fill(&pair.service.stream) == 0);
    while (udp_session_next(&pair.service, &length, &code) != NULL) {
    }
    close(fds[0]);
    finish(&pair);
    mcast_keyring_free(ring);
    return code;
}

enum { MESSAGE = 4 + 3 + MCAST_TAG_SIZE };

static void nothing(uint8_t *bytes, ssize_t *length) {
    (void)bytes;
    (void)length;
}

static void flip(uint8_t *bytes, ssize_t *length) {
    (void)length;
    bytes[MESSAGE + 5] ^= 1;
}

static void swap(uint8_t *bytes, ssize_t *length) {
    uint8_t first[MESSAGE];
    (void)length;
    memcpy(first, bytes, MESSAGE);
    memcpy(bytes, bytes + MESSAGE, MESSAGE);
    memcpy(bytes + MESSAGE, first, MESSAGE);
}

static void repeat(uint8_t *bytes, ssize_t *length) {
    (void)length;
    memcpy(bytes + MESSAGE, bytes, MESSAGE);
}

static void omit(uint8_t *bytes, ssize_t *length) {
    memmove(bytes, bytes + MESSAGE, MESSAGE);
    *length = MESSAGE;
}

static void a_changed_swapped_repeated_or_missing_message_ends_the_session(void) {
    CHECK(read_changed(nothing) == 0);
    CHECK(read_changed(flip) == -EACCES);
    CHECK(read_changed(swap) == -EACCES);
    CHECK(read_changed(repeat) == -EACCES);
    CHECK(read_changed(omit) == -EACCES);
}

static void an_unproved_peer_cannot_use_much_memory(void) {
    struct pair pair;
    uint8_t bytes[1000] = {0};
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    begin(&pair, ring, ring);
    CHECK(udp_stream_send(&pair.member.stream, bytes, sizeof bytes) == 0);
    CHECK(pass(&pair.member, &pair.service) == -EPROTO);
    finish(&pair);
    begin(&pair, ring, ring);
    for (int i = 0; i < 5000; i++) {
        CHECK(udp_stream_send(&pair.member.stream, bytes, 20) == 0);
    }
    CHECK(pass(&pair.member, &pair.service) == -EACCES);
    CHECK(pair.service.stream.in.room <= 256 * 1024);
    finish(&pair);
    mcast_keyring_free(ring);
}

static void where_the_kernel_vouches_messages_pass_as_they_are(void) {
    struct pair pair;
    begin(&pair, NULL, NULL);
    CHECK(pair.member.state == UDP_SESSION_OPEN && pair.service.state == UDP_SESSION_OPEN);
    check_says(&pair.member, &pair.service, "hello");
    finish(&pair);
}

int main(void) {
    RUN(a_tag_covers_bytes_sender_and_incarnation);
    RUN(a_datagram_in_pieces_has_the_tag_of_the_whole);
    RUN(a_datagram_too_long_or_of_an_unknown_key_gets_no_tag);
    RUN(during_a_key_change_both_keys_open_and_the_first_seals);
    RUN(more_senders_than_the_cache_holds_are_distinguished);
    RUN(invalid_keys_are_refused);
    RUN(both_ends_prove_themselves_and_then_messages_pass);
    RUN(the_member_names_the_key_during_a_key_change);
    RUN(a_peer_with_another_key_is_refused_without_an_answer);
    RUN(a_service_without_the_key_is_not_trusted);
    RUN(a_reflected_proof_is_refused);
    RUN(a_changed_swapped_repeated_or_missing_message_ends_the_session);
    RUN(an_unproved_peer_cannot_use_much_memory);
    RUN(where_the_kernel_vouches_messages_pass_as_they_are);
    return 0;
}
