#include "service/group_set_hash.h"
#include "base/mix.h"

/* Two dependent passes, so that both halves of the result depend on both halves of the id. */
static struct mcast_set_hash mix(uint64_t high, uint64_t low) {
    uint64_t first = mcast_mix64(low + UINT64_C(0x9e3779b97f4a7c15));
    uint64_t second = mcast_mix64(high ^ first);
    uint64_t third = mcast_mix64(first + second + UINT64_C(0xd1342543de82ef95));
    return (struct mcast_set_hash){.high = second ^ mcast_mix64(third), .low = third};
}

void mcast_set_hash_add(struct mcast_set_hash *hash, uint64_t high, uint64_t low) {
    struct mcast_set_hash term = mix(high, low);
    hash->low += term.low;
    hash->high += term.high + (hash->low < term.low ? 1 : 0);
}

void mcast_set_hash_remove(struct mcast_set_hash *hash, uint64_t high, uint64_t low) {
    struct mcast_set_hash term = mix(high, low);
    uint64_t borrow = hash->low < term.low ? 1 : 0;
    hash->low -= term.low;
    hash->high -= term.high + borrow;
}

bool mcast_set_hash_equal(struct mcast_set_hash one, struct mcast_set_hash other) {
    return one.high == other.high && one.low == other.low;
}
