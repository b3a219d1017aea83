#include "check.h"
#include "counting_memory.h"
#include "service/group_set_hash.h"

static void the_order_does_not_matter(void) {
    struct mcast_set_hash one = {0};
    struct mcast_set_hash other = {0};
    for (uint64_t i = 0; i < 100; i++) {
        mcast_set_hash_add(&one, i, i * 7);
        mcast_set_hash_add(&other, 99 - i, (99 - i) * 7);
    }
    CHECK(mcast_set_hash_equal(one, other));
}

static void a_removed_id_leaves_no_trace(void) {
    uint64_t seed = 3;
    struct mcast_set_hash empty = {0};
    struct mcast_set_hash hash = {0};
    uint64_t ids[500][2];
    for (int i = 0; i < 500; i++) {
        ids[i][0] = test_random(&seed);
        ids[i][1] = test_random(&seed);
        mcast_set_hash_add(&hash, ids[i][0], ids[i][1]);
        CHECK(!mcast_set_hash_equal(hash, empty));
    }
    for (int i = 0; i < 500; i++) {
        mcast_set_hash_remove(&hash, ids[i][0], ids[i][1]);
    }
    CHECK(mcast_set_hash_equal(hash, empty));
}

/* All subsets of twelve ids that differ in few bits: a weak mixing would let two of them collide.
 */
static void near_ids_make_different_sets(void) {
    enum { IDS = 12, SETS = 1 << IDS };
    static struct mcast_set_hash hashes[SETS];
    for (unsigned set = 0; set < SETS; set++) {
        hashes[set] = (struct mcast_set_hash){0};
        for (unsigned i = 0; i < IDS; i++) {
            if ((set >> i & 1u) != 0) {
                mcast_set_hash_add(&hashes[set], i % 3, i / 3);
            }
        }
        for (unsigned before = 0; before < set; before++) {
            CHECK(hashes[before].low != hashes[set].low);
            CHECK(hashes[before].high != hashes[set].high);
        }
    }
}

static void swapped_halves_of_an_id_differ(void) {
    struct mcast_set_hash one = {0};
    struct mcast_set_hash other = {0};
    mcast_set_hash_add(&one, 1, 2);
    mcast_set_hash_add(&other, 2, 1);
    CHECK(!mcast_set_hash_equal(one, other));
}

int main(void) {
    RUN(the_order_does_not_matter);
    RUN(a_removed_id_leaves_no_trace);
    RUN(near_ids_make_different_sets);
    RUN(swapped_halves_of_an_id_differ);
    return 0;
}
