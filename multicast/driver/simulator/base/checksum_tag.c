#include "simulator/base/checksum_tag.h"
#include "simulator/base/hash.h"

enum { LANES = 4, BLOCK = 8 * LANES };

/* Four hashes side by side: a single one would wait for its multiplications. */
struct lanes {
    uint64_t hash[LANES];
    uint8_t rest[BLOCK];
    size_t filled;
    uint64_t total;
};

static void absorb(struct lanes *lanes, const uint8_t *block) {
    for (int i = 0; i < LANES; i++) {
        uint64_t word;
        memcpy(&word, block + 8 * i, 8);
        lanes->hash[i] = sim_hash_number(lanes->hash[i], word);
    }
}

static void feed(struct lanes *lanes, const uint8_t *bytes, size_t length) {
    lanes->total += length;
    while (length > 0) {
        if (lanes->filled == 0 && length >= BLOCK) {
            absorb(lanes, bytes);
            bytes += BLOCK;
            length -= BLOCK;
            continue;
        }
        size_t part = BLOCK - lanes->filled < length ? BLOCK - lanes->filled : length;
        memcpy(lanes->rest + lanes->filled, bytes, part);
        lanes->filled += part;
        bytes += part;
        length -= part;
        if (lanes->filled == BLOCK) {
            absorb(lanes, lanes->rest);
            lanes->filled = 0;
        }
    }
}

static struct lanes begin(const uint64_t *key) {
    struct lanes lanes = {.filled = 0};
    uint64_t seed = sim_hash_number(*key, 0);
    for (uint64_t i = 0; i < LANES; i++) {
        lanes.hash[i] = seed + i;
    }
    return lanes;
}

static void finish(struct lanes *lanes, uint8_t tag[MCAST_TAG_SIZE]) {
    memset(lanes->rest + lanes->filled, 0, BLOCK - lanes->filled);
    absorb(lanes, lanes->rest);
    uint64_t first = lanes->total;
    uint64_t second = ~lanes->total;
    for (int i = 0; i < LANES; i++) {
        first = sim_hash_number(first, lanes->hash[i]);
        second = sim_hash_number(second, first);
    }
    memcpy(tag, &first, 8);
    memcpy(tag + 8, &second, 8);
}

static void sum(const uint64_t *key, const uint8_t *bytes, size_t length,
                uint8_t tag[MCAST_TAG_SIZE]) {
    struct lanes lanes = begin(key);
    feed(&lanes, bytes, length);
    finish(&lanes, tag);
}

static bool seal(void *context, uint8_t *bytes, size_t length) {
    sum(context, bytes, length, bytes + length);
    return true;
}

static bool open(void *context, uint8_t *bytes, size_t length) {
    uint8_t expected[MCAST_TAG_SIZE];
    if (length < MCAST_TAG_SIZE) {
        return false;
    }
    sum(context, bytes, length - MCAST_TAG_SIZE, expected);
    return memcmp(expected, bytes + length - MCAST_TAG_SIZE, MCAST_TAG_SIZE) == 0;
}

struct mcast_auth sim_tag_auth(uint64_t *key) {
    return (struct mcast_auth){.context = key,
                               .key_id = 0,
                               .encrypts = false,
                               .trailer = MCAST_TAG_SIZE,
                               .seal = seal,
                               .open = open};
}
