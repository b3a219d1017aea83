/* Keyring: the keys of a cluster, and the tags made with them, for datagrams and for the stream to
 * the membership service.
 *
 * No cryptography is implemented here. Three functions of libsodium are passed by address, so a
 * program that needs no authentication links none. The tag is Poly1305 over the datagram, under a
 * one-time key that ChaCha20 derives from (key, type, counter): as strong as any, three times
 * faster than keyed BLAKE2b on this kind of machine. A counter used twice would reveal the tag of
 * that one datagram and nothing else. Not thread-safe. */
#ifndef MCAST_KEYRING_H
#define MCAST_KEYRING_H

#include "mcast/auth.h"

enum {
    MCAST_KEY_SIZE = 32,
    MCAST_KEYS_MOST = 2, /* the most keys that are valid while one replaces another */
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

/* A key of the cluster. Everybody who has it is a member; it does not tell the members apart. */
struct mcast_key {
    uint8_t id;
    uint8_t bytes[MCAST_KEY_SIZE];
};

struct mcast_keyring;

/* Make a keyring of one or two keys with different ids; the first one seals. Everything is copied.
 * Return NULL for another count, for equal ids, and without memory. */
struct mcast_keyring *mcast_keyring_new(const struct mcast_crypto *crypto,
                                        const struct mcast_key *keys, size_t count);

/* Wipe and free it; NULL is allowed. */
void mcast_keyring_free(struct mcast_keyring *keyring);

/* The functions for the configuration of a member, which @keyring must outlive. */
struct mcast_auth mcast_keyring_auth(struct mcast_keyring *keyring);

/* The id of the key to seal with. */
uint8_t mcast_keyring_id(const struct mcast_keyring *keyring);

/* Derive @key for a purpose, named by at most 16 bytes, from the cluster key @key_id and @input.
 * Return false if there is no such key. */
bool mcast_keyring_derive(const struct mcast_keyring *keyring, uint8_t key_id, const char *purpose,
                          const uint8_t *input, size_t length, uint8_t key[MCAST_KEY_SIZE]);

/* Compute the tag of @bytes under a derived key and a nonce that is used once with it. */
void mcast_keyring_seal(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                        const uint8_t nonce[MCAST_NONCE_SIZE], const uint8_t *bytes, size_t length,
                        uint8_t tag[MCAST_TAG_SIZE]);

/* True if @tag is that tag. Takes constant time, whichever byte is wrong. */
bool mcast_keyring_open(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                        const uint8_t nonce[MCAST_NONCE_SIZE], const uint8_t *bytes, size_t length,
                        const uint8_t tag[MCAST_TAG_SIZE]);

#endif
