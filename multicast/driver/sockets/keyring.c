#define _DEFAULT_SOURCE
#include "mcast/keyring.h"

#include <stdlib.h>
#include <string.h>

enum {
    DERIVED = 256, /* the count of senders' keys that are cached; a power of two. A smaller cache
                    * only costs time */
    DATAGRAM_MOST = 65536,
    HEADER_SIZE = 32,
    TYPE_AT = 1, /* the offsets of these fields, see docs/wire.md */
    COUNTER_AT = 16,
    COUNTER_SIZE = 8,
    PURPOSE_SIZE = 16,
    SALT_SIZE = 16,
};

struct derived {
    bool used;
    uint8_t key_id;
    mcast_node sender;
    uint32_t incarnation;
    uint8_t bytes[MCAST_KEY_SIZE];
};

struct mcast_keyring {
    struct mcast_crypto crypto;
    struct mcast_key keys[MCAST_KEYS_MOST];
    size_t count;
    struct derived derived[DERIVED];
    uint8_t whole[DATAGRAM_MOST]; /* a datagram that is sealed in pieces, copied together */
};

struct mcast_keyring *mcast_keyring_new(const struct mcast_crypto *crypto,
                                        const struct mcast_key *keys, size_t count) {
    if (count < 1 || count > MCAST_KEYS_MOST || (count == 2 && keys[0].id == keys[1].id)) {
        return NULL;
    }
    struct mcast_keyring *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->crypto = *crypto;
        made->count = count;
        memcpy(made->keys, keys, count * sizeof *keys);
    }
    return made;
}

void mcast_keyring_free(struct mcast_keyring *keyring) {
    if (keyring != NULL) {
        explicit_bzero(keyring, sizeof *keyring);
        free(keyring);
    }
}

uint8_t mcast_keyring_id(const struct mcast_keyring *keyring) {
    return keyring->keys[0].id;
}

bool mcast_keyring_derive(const struct mcast_keyring *keyring, uint8_t key_id, const char *purpose,
                          const uint8_t *input, size_t length, uint8_t key[MCAST_KEY_SIZE]) {
    static const uint8_t salt[SALT_SIZE];
    uint8_t personal[PURPOSE_SIZE] = {0};
    memcpy(personal, purpose, strnlen(purpose, sizeof personal));
    for (size_t i = 0; i < keyring->count; i++) {
        if (keyring->keys[i].id == key_id) {
            return keyring->crypto.hash(key, MCAST_KEY_SIZE, input, length, keyring->keys[i].bytes,
                                        MCAST_KEY_SIZE, salt, personal) == 0;
        }
    }
    return false;
}

void mcast_keyring_seal(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                        const uint8_t nonce[MCAST_NONCE_SIZE], const uint8_t *bytes, size_t length,
                        uint8_t tag[MCAST_TAG_SIZE]) {
    unsigned long long made = 0;
    /* The bytes are authenticated and not encrypted: the message is empty and the bytes are its
     * additional data. */
    (void)keyring->crypto.seal(tag, &made, NULL, 0, bytes, length, NULL, nonce, key);
}

bool mcast_keyring_open(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                        const uint8_t nonce[MCAST_NONCE_SIZE], const uint8_t *bytes, size_t length,
                        const uint8_t tag[MCAST_TAG_SIZE]) {
    unsigned long long empty = 0;
    return keyring->crypto.open(NULL, &empty, NULL, tag, MCAST_TAG_SIZE, bytes, length, nonce,
                                key) == 0;
}

/* --- datagrams ----------------------------------------------------------------------------------
 */

static void write_u32(uint8_t *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
    }
}

/* The key of one incarnation of one sender. It is cached where the next sender with the same slot
 * may overwrite it: under a flood of sender names each datagram costs one derivation, and no more
 * memory. */
static const uint8_t *key_of(struct mcast_keyring *keyring, uint8_t key_id, mcast_node sender,
                             uint32_t incarnation) {
    struct derived *place = &keyring->derived[(sender * 2u + key_id) % DERIVED];
    if (place->used && place->key_id == key_id && place->sender == sender &&
        place->incarnation == incarnation) {
        return place->bytes;
    }
    uint8_t input[9];
    write_u32(input, sender);
    write_u32(input + 4, incarnation);
    input[8] = key_id;
    place->used =
        mcast_keyring_derive(keyring, key_id, "liven-datagram", input, sizeof input, place->bytes);
    place->key_id = key_id;
    place->sender = sender;
    place->incarnation = incarnation;
    return place->used ? place->bytes : NULL;
}

/* A counter is used once for each (sender, incarnation, socket), and each type belongs to one
 * socket. */
static void nonce_of(const uint8_t *header, uint8_t nonce[MCAST_NONCE_SIZE]) {
    memset(nonce, 0, MCAST_NONCE_SIZE);
    nonce[0] = header[TYPE_AT];
    memcpy(nonce + MCAST_NONCE_SIZE - COUNTER_SIZE, header + COUNTER_AT, COUNTER_SIZE);
}

/* The whole datagram in one piece: in place, or copied together. */
static const uint8_t *gather(struct mcast_keyring *keyring, const struct mcast_part *parts,
                             size_t count, size_t *length) {
    *length = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].length > sizeof keyring->whole - *length) {
            return NULL;
        }
        if (count > 1) {
            memcpy(keyring->whole + *length, parts[i].bytes, parts[i].length);
        }
        *length += parts[i].length;
    }
    return count > 1 ? keyring->whole : parts[0].bytes;
}

static void seal(void *context, uint8_t key_id, mcast_node sender, uint32_t incarnation,
                 const struct mcast_part *parts, size_t count, uint8_t tag[MCAST_TAG_SIZE]) {
    struct mcast_keyring *keyring = context;
    uint8_t nonce[MCAST_NONCE_SIZE];
    size_t length = 0;
    const uint8_t *key = key_of(keyring, key_id, sender, incarnation);
    const uint8_t *bytes = gather(keyring, parts, count, &length);
    memset(tag, 0, MCAST_TAG_SIZE); /* no receiver accepts it */
    if (key != NULL && bytes != NULL && length >= HEADER_SIZE) {
        nonce_of(bytes, nonce);
        mcast_keyring_seal(keyring, key, nonce, bytes, length, tag);
    }
}

static bool open(void *context, uint8_t key_id, mcast_node sender, uint32_t incarnation,
                 const uint8_t *bytes, size_t length, const uint8_t tag[MCAST_TAG_SIZE]) {
    struct mcast_keyring *keyring = context;
    uint8_t nonce[MCAST_NONCE_SIZE];
    const uint8_t *key = key_of(keyring, key_id, sender, incarnation);
    if (key == NULL || length < HEADER_SIZE) {
        return false;
    }
    nonce_of(bytes, nonce);
    return mcast_keyring_open(keyring, key, nonce, bytes, length, tag);
}

struct mcast_auth mcast_keyring_auth(struct mcast_keyring *keyring) {
    return (struct mcast_auth){
        .context = keyring, .key_id = keyring->keys[0].id, .seal = seal, .open = open};
}
