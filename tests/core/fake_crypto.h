/* Fake crypto: functions with the signatures of libsodium's and without any secrecy. A mixed sum
 * over all input detects every changed bit, which is all that these tests need. */
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

static inline void false_tag(uint8_t tag[16], const uint8_t *with, size_t length,
                             const uint8_t *nonce, const uint8_t *key) {
    uint64_t first = false_mix(false_mix(false_mix(1, key, 32), nonce, 12), with, length);
    uint64_t second = false_mix(first + length, key, 32);
    memcpy(tag, &first, 8);
    memcpy(tag + 8, &second, 8);
}

static inline int false_seal(unsigned char *out, unsigned long long *out_length,
                             const unsigned char *message, unsigned long long length,
                             const unsigned char *with, unsigned long long with_length,
                             const unsigned char *unused, const unsigned char *nonce,
                             const unsigned char *key) {
    (void)message;
    (void)unused;
    *out_length = 16 + length;
    false_tag(out, with, with_length, nonce, key);
    return 0;
}

static inline int false_open(unsigned char *message, unsigned long long *length,
                             unsigned char *unused, const unsigned char *in,
                             unsigned long long in_length, const unsigned char *with,
                             unsigned long long with_length, const unsigned char *nonce,
                             const unsigned char *key) {
    uint8_t tag[16];
    (void)message;
    (void)unused;
    *length = 0;
    false_tag(tag, with, with_length, nonce, key);
    return in_length == 16 && memcmp(tag, in, 16) == 0 ? 0 : -1;
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
