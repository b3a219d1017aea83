/* Fake crypto: functions with the signatures of libsodium's and without any secrecy. A mixed sum
 * over all input detects every changed bit, and a mixed stream changes every byte, which is all
 * that these tests need. */
#ifndef FAKE_CRYPTO_H
#define FAKE_CRYPTO_H

#include "mcast/keyring.h"

#include <string.h>

static inline uint64_t false_mix(uint64_t state, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        state = (state ^ bytes[i]) * UINT64_C(0x9e3779b97f4a7c15);
        state ^= state >> 29;
    }
    return state;
}

enum { FALSE_TAG_SIZE = MCAST_SEAL_SIZE };

static inline void false_tag(uint8_t tag[FALSE_TAG_SIZE], const uint8_t *text, size_t text_length,
                             const uint8_t *with, size_t with_length, const uint8_t *nonce,
                             const uint8_t *key) {
    uint64_t state = false_mix(false_mix(1, key, MCAST_KEY_SIZE), nonce, MCAST_NONCE_SIZE);
    state = false_mix(false_mix(state + with_length, with, with_length), text, text_length);
    for (size_t i = 0; i < FALSE_TAG_SIZE; i++) {
        state = false_mix(state + text_length, key, 8);
        tag[i] = (uint8_t)(state >> 32);
    }
}

/* Turn text into something else, or back. */
static inline void false_stream(uint8_t *out, const uint8_t *in, size_t length,
                                const uint8_t *nonce, const uint8_t *key) {
    uint64_t state = false_mix(false_mix(3, key, MCAST_KEY_SIZE), nonce, MCAST_NONCE_SIZE);
    for (size_t i = 0; i < length; i++) {
        state = false_mix(state, (const uint8_t *)"k", 1);
        out[i] = in[i] ^ (uint8_t)(state >> 32);
    }
}

static inline int false_seal(unsigned char *out, unsigned long long *out_length,
                             const unsigned char *message, unsigned long long length,
                             const unsigned char *with, unsigned long long with_length,
                             const unsigned char *unused, const unsigned char *nonce,
                             const unsigned char *key) {
    (void)unused;
    *out_length = length + FALSE_TAG_SIZE;
    false_stream(out, message, length, nonce, key);
    false_tag(out + length, out, length, with, with_length, nonce, key);
    return 0;
}

/* Like libsodium's, it leaves nothing of a message that it refuses. */
static inline int false_open(unsigned char *message, unsigned long long *length,
                             unsigned char *unused, const unsigned char *in,
                             unsigned long long in_length, const unsigned char *with,
                             unsigned long long with_length, const unsigned char *nonce,
                             const unsigned char *key) {
    uint8_t tag[FALSE_TAG_SIZE];
    (void)unused;
    *length = 0;
    if (in_length < FALSE_TAG_SIZE) {
        return -1;
    }
    size_t text = in_length - FALSE_TAG_SIZE;
    false_tag(tag, in, text, with, with_length, nonce, key);
    if (memcmp(tag, in + text, FALSE_TAG_SIZE) != 0) {
        memset(message, 0, text);
        return -1;
    }
    *length = text;
    false_stream(message, in, text, nonce, key);
    return 0;
}

static inline int false_hash(unsigned char *out, size_t out_length, const unsigned char *in,
                             unsigned long long length, const unsigned char *key, size_t key_length,
                             const unsigned char *salt, const unsigned char *personal) {
    uint64_t state = false_mix(false_mix(2, key, key_length), personal, 16);
    state = false_mix(false_mix(state, salt, 16), in, length);
    for (size_t i = 0; i < out_length; i++) {
        state = false_mix(state, (const uint8_t *)"x", 1);
        out[i] = (uint8_t)(state >> 32);
    }
    return 0;
}

static inline struct mcast_crypto false_crypto(void) {
    return (struct mcast_crypto){.seal = false_seal, .open = false_open, .hash = false_hash};
}

#endif
