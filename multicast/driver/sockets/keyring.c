#define _DEFAULT_SOURCE
#include "mcast/keyring.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    /* The header of a datagram and the offsets of its fields, see docs/wire.md. */
    HEADER_SIZE = 32,
    TYPE_AT = 1,
    KEY_ID_AT = 3,
    SENDER_AT = 8,
    SENDER_SIZE = 16, /* the sender, its incarnation, its counter */
    TRAILER = MCAST_SEAL_SIZE + MCAST_SESSION_SIZE,
    PURPOSE_SIZE = 16,
    SALT_SIZE = 16,
};

struct mcast_keyring {
    struct mcast_crypto crypto;
    struct mcast_key keys[MCAST_KEYS_MOST];
    uint8_t datagram_keys[MCAST_KEYS_MOST][MCAST_KEY_SIZE]; /* derived from the keys */
    size_t count;
    uint8_t session[MCAST_SESSION_SIZE];
};

static bool prepare(struct mcast_keyring *keyring) {
    for (size_t i = 0; i < keyring->count; i++) {
        if (!mcast_keyring_derive(keyring, keyring->keys[i].id, "liven-datagram", NULL, 0,
                                  keyring->datagram_keys[i])) {
            return false;
        }
    }
    return getrandom(keyring->session, MCAST_SESSION_SIZE, 0) == MCAST_SESSION_SIZE;
}

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
    if (made != NULL && !prepare(made)) {
        mcast_keyring_free(made);
        return NULL;
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

void mcast_keyring_encrypt(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                           const uint8_t nonce[MCAST_NONCE_SIZE], const uint8_t *bytes,
                           size_t length, uint8_t *out) {
    unsigned long long made = 0;
    (void)keyring->crypto.seal(out, &made, bytes, length, NULL, 0, NULL, nonce, key);
}

bool mcast_keyring_decrypt(const struct mcast_keyring *keyring, const uint8_t key[MCAST_KEY_SIZE],
                           const uint8_t nonce[MCAST_NONCE_SIZE], uint8_t *bytes, size_t length) {
    unsigned long long made = 0;
    return length >= MCAST_SEAL_SIZE &&
           keyring->crypto.open(bytes, &made, NULL, bytes, length, NULL, 0, nonce, key) == 0;
}

/* --- datagrams ----------------------------------------------------------------------------------
 */

static const uint8_t *key_of(const struct mcast_keyring *keyring, uint8_t key_id) {
    for (size_t i = 0; i < keyring->count; i++) {
        if (keyring->keys[i].id == key_id) {
            return keyring->datagram_keys[i];
        }
    }
    return NULL;
}

/* A member uses a counter once for each socket, and each type belongs to one socket; a session is
 * that of one keyring, however often its program starts, or was restored from a backup. */
static void nonce_of(const uint8_t *header, const uint8_t session[MCAST_SESSION_SIZE],
                     uint8_t nonce[MCAST_NONCE_SIZE]) {
    memset(nonce, 0, MCAST_NONCE_SIZE);
    memcpy(nonce, session, MCAST_SESSION_SIZE);
    memcpy(nonce + MCAST_SESSION_SIZE, header + SENDER_AT, SENDER_SIZE);
    nonce[MCAST_SESSION_SIZE + SENDER_SIZE] = header[TYPE_AT];
}

/* The body that is encrypted, and the bytes before it that are only authenticated. */
static size_t readable_size(const struct mcast_keyring *keyring, size_t length) {
    return keyring->crypto.tags_only ? length : HEADER_SIZE;
}

static bool seal(void *context, uint8_t *bytes, size_t length) {
    struct mcast_keyring *keyring = context;
    uint8_t nonce[MCAST_NONCE_SIZE];
    unsigned long long made = 0;
    const uint8_t *key = key_of(keyring, bytes[KEY_ID_AT]);
    if (key == NULL || length < HEADER_SIZE) {
        return false;
    }
    size_t head = readable_size(keyring, length);
    nonce_of(bytes, keyring->session, nonce);
    memcpy(bytes + length + MCAST_SEAL_SIZE, keyring->session, MCAST_SESSION_SIZE);
    return keyring->crypto.seal(bytes + head, &made, bytes + head, length - head, bytes, head, NULL,
                                nonce, key) == 0;
}

static bool open(void *context, uint8_t *bytes, size_t length) {
    struct mcast_keyring *keyring = context;
    uint8_t nonce[MCAST_NONCE_SIZE];
    unsigned long long made = 0;
    if (length < HEADER_SIZE + TRAILER) {
        return false;
    }
    const uint8_t *key = key_of(keyring, bytes[KEY_ID_AT]);
    size_t sealed = length - MCAST_SESSION_SIZE;
    size_t head = readable_size(keyring, sealed - MCAST_SEAL_SIZE);
    if (key == NULL) {
        return false;
    }
    nonce_of(bytes, bytes + sealed, nonce);
    return keyring->crypto.open(bytes + head, &made, NULL, bytes + head, sealed - head, bytes, head,
                                nonce, key) == 0;
}

struct mcast_auth mcast_keyring_auth(struct mcast_keyring *keyring) {
    return (struct mcast_auth){.context = keyring,
                               .key_id = keyring->keys[0].id,
                               .encrypts = !keyring->crypto.tags_only,
                               .trailer = TRAILER,
                               .seal = seal,
                               .open = open};
}
