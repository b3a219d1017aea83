/* Keyring: the keys of a cluster. It encrypts datagrams and the stream to the membership service.
 *
 * No cryptography is implemented here. Three functions of libsodium are passed by address, so a
 * program that needs no encryption links none. The cipher is AEGIS-256
 * (draft-irtf-cfrg-aegis-aead): with the AES instructions that nearly every processor has, it
 * encrypts and authenticates in less time than Poly1305 takes to authenticate, and its nonce of 32
 * bytes has room for everything that makes one unique. Not thread-safe. */
#ifndef MCAST_KEYRING_H
#define MCAST_KEYRING_H

#include "mcast/auth.h"

enum {
    MCAST_KEY_SIZE = 32,
    MCAST_KEYS_MOST = 2, /* the most keys that are valid while one replaces another */
    MCAST_NONCE_SIZE = 32,
    MCAST_SEAL_SIZE = 32,   /* the bytes by which encryption makes something longer */
    MCAST_SESSION_SIZE = 8, /* random bytes that each keyring draws, part of its nonces */
};

/* The functions, as libsodium declares them. */
struct mcast_crypto {
    /* crypto_aead_aegis256_encrypt */
    int (*seal)(unsigned char *out, unsigned long long *out_length, const unsigned char *message,
                unsigned long long length, const unsigned char *with,
                unsigned long long with_length, const unsigned char *unused,
                const unsigned char *nonce, const unsigned char *key);
    /* crypto_aead_aegis256_decrypt */
    int (*open)(unsigned char *message, unsigned long long *length, unsigned char *unused,
                const unsigned char *in, unsigned long long in_length, const unsigned char *with,
                unsigned long long with_length, const unsigned char *nonce,
                const unsigned char *key);
    /* crypto_generichash_blake2b_salt_personal */
    int (*hash)(unsigned char *out, size_t out_length, const unsigned char *in,
                unsigned long long length, const unsigned char *key, size_t key_length,
                const unsigned char *salt, const unsigned char *personal);
    bool tags_only; /* leave datagrams readable and only authenticate them: the measurements of what
                     * encryption costs compare with that. Members that encrypt drop them */
};

/* A key of the cluster. Everybody who has it is a member; it does not tell the members apart. */
struct mcast_key {
    uint8_t id;
    uint8_t bytes[MCAST_KEY_SIZE];
};

struct mcast_keyring;

/* Make a keyring of one or two keys with different ids; the first one seals. Everything is copied.
 * Return NULL for another count, for equal ids, and without memory or random bytes. */
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

/* Encrypt @bytes to @out, which has room for MCAST_SEAL_SIZE more and may be @bytes, under a
 * derived key and a nonce that is used once with it. */
void mcast_keyring_encrypt(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                           const uint8_t nonce[MCAST_NONCE_SIZE], const uint8_t *bytes,
                           size_t length, uint8_t *out);

/* Decrypt @length bytes, which that function made, in place. Return false if it did not; the bytes
 * are then lost. */
bool mcast_keyring_decrypt(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                           const uint8_t nonce[MCAST_NONCE_SIZE], uint8_t *bytes, size_t length);

#endif
