/* The keyring: the keys of a cluster, and what is made with them: tags of datagrams, and of the
 * stream to the membership service.
 *
 * No cryptography stands here. Three functions of libsodium are handed in by address, so that a
 * program that needs no authentication links none. The tag is Poly1305 over the datagram, under a
 * one-time key that ChaCha20 makes of (key, type, counter): as strong as one can have, three times
 * quicker than keyed BLAKE2b on this kind of machine, and a counter that were used twice would give
 * away the tag of that one datagram and nothing else. Not safe between threads. */
#ifndef MCAST_KEYRING_H
#define MCAST_KEYRING_H

#include "mcast/auth.h"

enum {
    MCAST_KEY_SIZE = 32,
    MCAST_KEYS_MOST = 2, /* is how many are valid while one takes the place of another */
    MCAST_NONCE_SIZE = 12,
};

/* The functions, as libsodium declares them. */
struct mcast_crypto {
    /* crypto_aead_chacha20poly1305_ietf_encrypt */
    int (*seal)(unsigned char *out, unsigned long long *out_length, const unsigned char *message,
                unsigned long long length, const unsigned char *with,
                unsigned long long with_length, const unsigned char *unused,
                const unsigned char *nonce, const unsigned char *key);
    /* crypto_aead_chacha20poly1305_ietf_decrypt */
    int (*open)(unsigned char *message, unsigned long long *length, unsigned char *unused,
                const unsigned char *in, unsigned long long in_length, const unsigned char *with,
                unsigned long long with_length, const unsigned char *nonce,
                const unsigned char *key);
    /* crypto_generichash_blake2b_salt_personal */
    int (*hash)(unsigned char *out, size_t out_length, const unsigned char *in,
                unsigned long long length, const unsigned char *key, size_t key_length,
                const unsigned char *salt, const unsigned char *personal);
};

/* A key of the cluster. All who have it are members; it does not say which of them one is. */
struct mcast_key {
    uint8_t id;
    uint8_t bytes[MCAST_KEY_SIZE];
};

struct mcast_keyring;

/* Makes a keyring of one or two keys with different ids; the first is the one to seal with. Copies
 * all of it. Returns NULL for another count, for equal ids, and when there is no memory. */
struct mcast_keyring *mcast_keyring_new(const struct mcast_crypto *crypto,
                                        const struct mcast_key *keys, size_t count);

/* Wipes and frees it; NULL is allowed. */
void mcast_keyring_free(struct mcast_keyring *keyring);

/* The functions for a member's configuration; @keyring outlives it. */
struct mcast_auth mcast_keyring_auth(struct mcast_keyring *keyring);

/* The id of the key to seal with. */
uint8_t mcast_keyring_id(const struct mcast_keyring *keyring);

/* Derives @key for one purpose, named by @purpose of at most 16 bytes, from the cluster's key
 * @key_id and @input. False when there is no such key. */
bool mcast_keyring_derive(const struct mcast_keyring *keyring, uint8_t key_id, const char *purpose,
                          const uint8_t *input, size_t length, uint8_t key[MCAST_KEY_SIZE]);

/* Computes the tag of @bytes under a derived key and a nonce that is used once with it. */
void mcast_keyring_seal(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                        const uint8_t nonce[MCAST_NONCE_SIZE], const uint8_t *bytes, size_t length,
                        uint8_t tag[MCAST_TAG_SIZE]);

/* Whether @tag is that tag; takes the same time whichever byte is wrong. */
bool mcast_keyring_open(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                        const uint8_t nonce[MCAST_NONCE_SIZE], const uint8_t *bytes, size_t length,
                        const uint8_t tag[MCAST_TAG_SIZE]);

#endif
