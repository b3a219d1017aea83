#define _DEFAULT_SOURCE
#include "service_connection/service_session.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

enum {
    VERSION = 2,
    PROOF_SIZE = MCAST_KEY_SIZE,
    CHALLENGE_MESSAGE = 1 + UDP_CHALLENGE_SIZE,           /* version, challenge */
    ANSWER_MESSAGE = 2 + UDP_CHALLENGE_SIZE + PROOF_SIZE, /* version, key id, challenge, proof */
    ANSWER_CHALLENGE_AT = 2,
    ANSWER_PROOF_AT = 2 + UDP_CHALLENGE_SIZE,
    STRANGER_MOST = 128, /* the longest message accepted from an end that has proved nothing */
};

static int draw(uint8_t challenge[UDP_CHALLENGE_SIZE]) {
    ssize_t got = getrandom(challenge, UDP_CHALLENGE_SIZE, 0);
    return got == UDP_CHALLENGE_SIZE ? 0 : got < 0 ? -errno : -EIO;
}

/* Each direction has a purpose of its own, so that a message cannot be reflected to its author. */
static bool derive(const struct udp_session *session, uint8_t key_id, const char *purpose,
                   uint8_t key[MCAST_KEY_SIZE]) {
    return mcast_keyring_derive(session->keyring, key_id, purpose, session->challenges,
                                sizeof session->challenges, key);
}

static bool same(const uint8_t *one, const uint8_t *other, size_t length) {
    uint8_t differ = 0;
    for (size_t i = 0; i < length; i++) {
        differ |= (uint8_t)(one[i] ^ other[i]);
    }
    return differ == 0;
}

int udp_session_begin(struct udp_session *session, int fd, bool connecting,
                      const struct mcast_keyring *keyring, bool service) {
    memset(session, 0, sizeof *session);
    udp_stream_init(&session->stream, fd, connecting);
    session->keyring = keyring;
    if (keyring == NULL) {
        return 0;
    }
    session->stream.most = STRANGER_MOST;
    session->state = service ? UDP_SESSION_CHALLENGED : UDP_SESSION_ASKED;
    if (!service) {
        return 0;
    }
    uint8_t message[CHALLENGE_MESSAGE] = {VERSION};
    int code = draw(session->challenges);
    memcpy(message + 1, session->challenges, UDP_CHALLENGE_SIZE);
    return code != 0 ? code : udp_stream_send(&session->stream, message, sizeof message);
}

void udp_session_close(struct udp_session *session) {
    udp_stream_close(&session->stream);
    explicit_bzero(session->key_in, sizeof session->key_in);
    explicit_bzero(session->key_out, sizeof session->key_out);
}

static bool open_session(struct udp_session *session, uint8_t key_id, const char *in,
                         const char *out) {
    session->stream.most = UDP_STREAM_RECORD_MAX;
    session->state = UDP_SESSION_OPEN;
    return derive(session, key_id, in, session->key_in) &&
           derive(session, key_id, out, session->key_out);
}

/* The member was challenged: prove the key and challenge in turn. */
static bool answer(struct udp_session *session, const uint8_t *bytes, size_t length) {
    if (length != CHALLENGE_MESSAGE || bytes[0] != VERSION) {
        session->other_version = length > 0 && bytes[0] != VERSION;
        return false;
    }
    uint8_t message[ANSWER_MESSAGE] = {VERSION, mcast_keyring_id(session->keyring)};
    uint8_t *own = session->challenges + UDP_CHALLENGE_SIZE;
    memcpy(session->challenges, bytes + 1, UDP_CHALLENGE_SIZE);
    if (draw(own) != 0 || !derive(session, message[1], "liven-member", message + ANSWER_PROOF_AT)) {
        return false;
    }
    memcpy(message + ANSWER_CHALLENGE_AT, own, UDP_CHALLENGE_SIZE);
    session->state = UDP_SESSION_PROVED;
    return udp_stream_send(&session->stream, message, sizeof message) == 0;
}

/* The service checks the proof of the member and sends its own. */
static bool admit(struct udp_session *session, const uint8_t *bytes, size_t length) {
    uint8_t proof[PROOF_SIZE];
    if (length != ANSWER_MESSAGE || bytes[0] != VERSION) {
        return false;
    }
    uint8_t key_id = bytes[1];
    memcpy(session->challenges + UDP_CHALLENGE_SIZE, bytes + ANSWER_CHALLENGE_AT,
           UDP_CHALLENGE_SIZE);
    if (!derive(session, key_id, "liven-member", proof) ||
        !same(proof, bytes + ANSWER_PROOF_AT, sizeof proof) ||
        !derive(session, key_id, "liven-service", proof)) {
        return false;
    }
    return udp_stream_send(&session->stream, proof, sizeof proof) == 0 &&
           open_session(session, key_id, "liven-to-service", "liven-to-member");
}

static bool believe(struct udp_session *session, const uint8_t *bytes, size_t length) {
    uint8_t proof[PROOF_SIZE];
    uint8_t key_id = mcast_keyring_id(session->keyring);
    return length == sizeof proof && derive(session, key_id, "liven-service", proof) &&
           same(proof, bytes, length) &&
           open_session(session, key_id, "liven-to-member", "liven-to-service");
}

static bool introduce(struct udp_session *session, const uint8_t *bytes, size_t length) {
    switch (session->state) {
    case UDP_SESSION_ASKED:
        return answer(session, bytes, length);
    case UDP_SESSION_CHALLENGED:
        return admit(session, bytes, length);
    case UDP_SESSION_PROVED:
        return believe(session, bytes, length);
    case UDP_SESSION_OPEN:
        break;
    }
    return false;
}

/* The nonce is the position of the message in its direction: no message can be left out or
 * repeated. */
static void count_nonce(uint64_t count, uint8_t nonce[MCAST_NONCE_SIZE]) {
    memset(nonce, 0, MCAST_NONCE_SIZE);
    for (int i = 0; i < 8; i++) {
        nonce[MCAST_NONCE_SIZE - 1 - i] = (uint8_t)(count >> (8 * i));
    }
}

int udp_session_send(struct udp_session *session, const uint8_t *bytes, size_t length) {
    uint8_t nonce[MCAST_NONCE_SIZE];
    uint8_t *place = NULL;
    if (session->keyring == NULL) {
        return udp_stream_send(&session->stream, bytes, length);
    }
    int code = length > UDP_STREAM_MESSAGE_MAX
                   ? -EMSGSIZE
                   : udp_stream_begin(&session->stream, length + MCAST_SEAL_SIZE, &place);
    if (code == 0) {
        count_nonce(session->count_out++, nonce);
        mcast_keyring_encrypt(session->keyring, session->key_out, nonce, bytes, length, place);
    }
    return code;
}

static bool decrypt(struct udp_session *session, uint8_t *bytes, size_t *length) {
    uint8_t nonce[MCAST_NONCE_SIZE];
    count_nonce(session->count_in++, nonce);
    if (!mcast_keyring_decrypt(session->keyring, session->key_in, nonce, bytes, *length)) {
        return false;
    }
    *length -= MCAST_SEAL_SIZE;
    return true;
}

const uint8_t *udp_session_next(struct udp_session *session, size_t *length, int *code) {
    uint8_t *bytes = NULL;
    *code = 0;
    while ((bytes = udp_stream_next(&session->stream, length)) != NULL) {
        bool open = session->state == UDP_SESSION_OPEN;
        if (open && session->keyring == NULL) {
            return bytes;
        }
        if (!(open ? decrypt(session, bytes, length) : introduce(session, bytes, *length))) {
            session->refused = true;
            *code = session->other_version ? -EPROTO : -EACCES;
            return NULL;
        }
        if (open) {
            return bytes;
        }
    }
    return NULL;
}
