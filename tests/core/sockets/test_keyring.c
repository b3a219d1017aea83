#define _GNU_SOURCE
/* The keyring and the session on it, with functions without secrecy in place of libsodium's. */
#include "check.h"
#include "fake_crypto.h"
#include "mcast/keyring.h"
#include "service_connection/service_session.h"

#include <errno.h>
#include <stdlib.h>
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

enum {
    LENGTH = 100,
    HEADER = 32,
    TRAILER = MCAST_SEAL_SIZE + MCAST_SESSION_SIZE,
    SEALED = LENGTH + TRAILER,
};

static void fill(uint8_t bytes[SEALED], uint8_t key_id, uint8_t type, uint64_t counter) {
    memset(bytes, 0x5a, SEALED);
    bytes[1] = type;
    bytes[3] = key_id;
    for (int i = 0; i < 8; i++) {
        bytes[16 + i] = (uint8_t)(counter >> (56 - 8 * i));
    }
}

static void seal(struct mcast_keyring *ring, uint8_t *bytes) {
    struct mcast_auth auth = mcast_keyring_auth(ring);
    CHECK(auth.encrypts && auth.trailer == TRAILER);
    bytes[3] = auth.key_id;
    CHECK(auth.seal(auth.context, bytes, LENGTH));
}

/* True if @bytes open; they are not changed. */
static bool opens(struct mcast_keyring *ring, const uint8_t *bytes, size_t length) {
    uint8_t copy[SEALED];
    struct mcast_auth auth = mcast_keyring_auth(ring);
    memcpy(copy, bytes, length);
    return auth.open(auth.context, copy, length);
}

static void a_sealed_datagram_is_unreadable_but_for_its_header(void) {
    uint8_t plain[SEALED];
    uint8_t bytes[SEALED];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    struct mcast_auth auth = mcast_keyring_auth(ring);
    fill(plain, 1, 1, 9);
    memcpy(bytes, plain, sizeof bytes);
    seal(ring, bytes);
    CHECK(memcmp(bytes, plain, HEADER) == 0);
    for (size_t at = HEADER; at + 8 <= LENGTH; at++) {
        CHECK(memcmp(bytes + at, plain + at, 8) != 0);
    }
    CHECK(auth.open(auth.context, bytes, SEALED));
    CHECK(memcmp(bytes, plain, LENGTH) == 0);
    mcast_keyring_free(ring);
}

static void a_changed_or_shortened_datagram_does_not_open(void) {
    uint8_t bytes[SEALED];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    fill(bytes, 1, 1, 9);
    seal(ring, bytes);
    for (size_t bit = 0; bit < 8 * (size_t)SEALED; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(!opens(ring, bytes, SEALED));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t length = 0; length < SEALED; length++) {
        CHECK(!opens(ring, bytes, length));
    }
    CHECK(opens(ring, bytes, SEALED));
    mcast_keyring_free(ring);
}

/* Whatever arrives is read within its bounds. The sanitizers watch the block, which is as long as
 * the datagram. */
static void random_bytes_of_any_length_do_not_open(void) {
    struct mcast_keyring *ring = ring_of(&ONE, &TWO);
    struct mcast_auth auth = mcast_keyring_auth(ring);
    uint64_t state = 1;
    for (size_t turn = 0; turn < 20000; turn++) {
        size_t length = turn % 300;
        uint8_t *bytes = malloc(length + 1);
        CHECK(bytes != NULL);
        for (size_t i = 0; i < length; i++) {
            state = false_mix(state, (const uint8_t *)"r", 1);
            bytes[i] = i == 3 ? (uint8_t)(turn % 4) : (uint8_t)(state >> 32);
        }
        bytes = realloc(bytes, length > 0 ? length : 1);
        CHECK(!auth.open(auth.context, bytes, length));
        free(bytes);
    }
    mcast_keyring_free(ring);
}

/* A program that starts again may be given the name, the incarnation and the counters that it had:
 * the random session keeps the nonces apart. */
static void two_keyrings_of_one_key_never_encrypt_alike(void) {
    uint8_t one[SEALED];
    uint8_t other[SEALED];
    struct mcast_keyring *first = ring_of(&ONE, NULL);
    struct mcast_keyring *second = ring_of(&ONE, NULL);
    fill(one, 1, 1, 1);
    fill(other, 1, 1, 1);
    seal(first, one);
    seal(second, other);
    CHECK(memcmp(one + LENGTH + MCAST_SEAL_SIZE, other + LENGTH + MCAST_SEAL_SIZE,
                 MCAST_SESSION_SIZE) != 0);
    CHECK(memcmp(one + HEADER, other + HEADER, LENGTH - HEADER) != 0);
    CHECK(opens(first, other, SEALED) && opens(second, one, SEALED));
    mcast_keyring_free(first);
    mcast_keyring_free(second);
}

/* Each of them is part of the nonce: with any of them changed, equal bodies encrypt differently. */
static void sender_incarnation_counter_and_type_make_another_nonce(void) {
    static const size_t places[] = {1, 8, 11, 12, 15, 16, 23};
    uint8_t first[SEALED];
    uint8_t bytes[SEALED];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    fill(first, 1, 1, 1);
    seal(ring, first);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        fill(bytes, 1, 1, 1);
        bytes[places[i]] ^= 1;
        seal(ring, bytes);
        CHECK(memcmp(first + HEADER, bytes + HEADER, LENGTH - HEADER) != 0);
    }
    mcast_keyring_free(ring);
}

static void a_datagram_too_short_or_of_an_unknown_key_is_not_sealed(void) {
    uint8_t bytes[SEALED];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    struct mcast_auth auth = mcast_keyring_auth(ring);
    fill(bytes, 7, 1, 1);
    CHECK(!auth.seal(auth.context, bytes, LENGTH));
    fill(bytes, 1, 1, 1);
    CHECK(!auth.seal(auth.context, bytes, HEADER - 1));
    CHECK(auth.seal(auth.context, bytes, HEADER));
    mcast_keyring_free(ring);
}

static void during_a_key_change_both_keys_open_and_the_first_seals(void) {
    uint8_t bytes[SEALED];
    struct mcast_keyring *old = ring_of(&ONE, NULL);
    struct mcast_keyring *both = ring_of(&ONE, &TWO);
    struct mcast_keyring *turned = ring_of(&TWO, &ONE);
    CHECK(mcast_keyring_id(both) == 1 && mcast_keyring_id(turned) == 2);
    fill(bytes, 0, 1, 1);
    seal(turned, bytes);
    CHECK(opens(both, bytes, SEALED));
    CHECK(!opens(old, bytes, SEALED));
    bytes[3] = 1;
    CHECK(!opens(both, bytes, SEALED));
    fill(bytes, 0, 1, 1);
    seal(old, bytes);
    CHECK(opens(turned, bytes, SEALED));
    mcast_keyring_free(old);
    mcast_keyring_free(both);
    mcast_keyring_free(turned);
}

static void a_measuring_keyring_only_authenticates_and_does_not_mix_with_others(void) {
    uint8_t bytes[SEALED];
    uint8_t plain[SEALED];
    struct mcast_crypto crypto = false_crypto();
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    crypto.tags_only = true;
    struct mcast_keyring *readable = mcast_keyring_new(&crypto, &ONE, 1);
    CHECK(readable != NULL);
    struct mcast_auth auth = mcast_keyring_auth(readable);
    fill(plain, 1, 1, 1);
    memcpy(bytes, plain, sizeof bytes);
    CHECK(!auth.encrypts && auth.seal(auth.context, bytes, LENGTH));
    CHECK(memcmp(bytes, plain, LENGTH) == 0);
    CHECK(opens(readable, bytes, SEALED) && !opens(ring, bytes, SEALED));
    for (size_t bit = 0; bit < 8 * (size_t)SEALED; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(!opens(readable, bytes, SEALED));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    mcast_keyring_free(ring);
    mcast_keyring_free(readable);
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

static void messages_of_a_session_are_unreadable_on_their_way(void) {
    static const char word[] = "the word that nobody else may read";
    struct pair pair;
    uint8_t bytes[2][200];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    open_pair(&pair, ring, ring);
    for (int turn = 0; turn < 2; turn++) {
        CHECK(udp_session_send(&pair.member, (const uint8_t *)word, sizeof word) == 0);
        CHECK(udp_stream_flush(&pair.member.stream) == 0);
        ssize_t got = recv(pair.service.stream.fd, bytes[turn], sizeof *bytes, 0);
        CHECK(got == 4 + (ssize_t)sizeof word + MCAST_SEAL_SIZE);
        for (size_t at = 0; at + 8 <= (size_t)got; at++) {
            CHECK(memmem(word, sizeof word, bytes[turn] + at, 8) == NULL);
        }
    }
    CHECK(memcmp(bytes[0] + 4, bytes[1] + 4, sizeof word) != 0);
    finish(&pair);
    mcast_keyring_free(ring);
}

/* A message cut short is never handed over, and the end of the stream is told. */
static void a_message_cut_short_is_not_handed_over(void) {
    struct pair pair;
    uint8_t bytes[200];
    size_t length = 0;
    int code = 0;
    int fds[2];
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    open_pair(&pair, ring, ring);
    CHECK(udp_session_send(&pair.member, (const uint8_t *)"one", 3) == 0);
    CHECK(udp_stream_flush(&pair.member.stream) == 0);
    ssize_t got = recv(pair.service.stream.fd, bytes, sizeof bytes, 0);
    CHECK(got == 4 + 3 + MCAST_SEAL_SIZE);
    bytes[0]--; /* the length before it is not encrypted: say one byte less, and send one less */
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
    close(pair.service.stream.fd);
    pair.service.stream.fd = fds[1];
    CHECK(send(fds[0], bytes, (size_t)got - 1, 0) == got - 1);
    close(fds[0]);
    (void)udp_stream_fill(&pair.service.stream);
    CHECK(udp_session_next(&pair.service, &length, &code) == NULL && code == -EACCES);
    CHECK(udp_stream_fill(&pair.service.stream) == -EPIPE);
    finish(&pair);
    mcast_keyring_free(ring);
}

static void a_service_of_another_version_is_recognised(void) {
    struct pair pair;
    uint8_t challenge[33] = {1};
    struct mcast_keyring *ring = ring_of(&ONE, NULL);
    begin(&pair, ring, NULL);
    CHECK(udp_stream_send(&pair.service.stream, challenge, sizeof challenge) == 0);
    CHECK(pass(&pair.service, &pair.member) == -EPROTO);
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
    CHECK(got == 2 * (4 + 3 + MCAST_SEAL_SIZE));
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

enum { MESSAGE = 4 + 3 + MCAST_SEAL_SIZE };

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
    RUN(a_sealed_datagram_is_unreadable_but_for_its_header);
    RUN(a_changed_or_shortened_datagram_does_not_open);
    RUN(random_bytes_of_any_length_do_not_open);
    RUN(two_keyrings_of_one_key_never_encrypt_alike);
    RUN(sender_incarnation_counter_and_type_make_another_nonce);
    RUN(a_datagram_too_short_or_of_an_unknown_key_is_not_sealed);
    RUN(during_a_key_change_both_keys_open_and_the_first_seals);
    RUN(a_measuring_keyring_only_authenticates_and_does_not_mix_with_others);
    RUN(invalid_keys_are_refused);
    RUN(both_ends_prove_themselves_and_then_messages_pass);
    RUN(the_member_names_the_key_during_a_key_change);
    RUN(a_peer_with_another_key_is_refused_without_an_answer);
    RUN(a_service_without_the_key_is_not_trusted);
    RUN(a_reflected_proof_is_refused);
    RUN(a_changed_swapped_repeated_or_missing_message_ends_the_session);
    RUN(messages_of_a_session_are_unreadable_on_their_way);
    RUN(a_message_cut_short_is_not_handed_over);
    RUN(a_service_of_another_version_is_recognised);
    RUN(an_unproved_peer_cannot_use_much_memory);
    RUN(where_the_kernel_vouches_messages_pass_as_they_are);
    return 0;
}
