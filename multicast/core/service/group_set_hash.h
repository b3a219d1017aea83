/* Set hash: a 128-bit digest of a set of 128-bit ids, updated one id at a time.
 *
 * It is the sum, modulo 2^128, of the mixed ids. The sum does not depend on the order and an id is
 * removed by subtraction, so a node with thousands of groups that joins one more costs one
 * addition. Equal sets have equal digests; different ones collide with a chance of about 2^-128 for
 * ids drawn at random. Ids of foreign origin can be chosen to collide, so code that relies on their
 * equality compares the sets too. */
#ifndef MCAST_SERVICE_GROUP_SET_HASH_H
#define MCAST_SERVICE_GROUP_SET_HASH_H

#include <stdbool.h>
#include <stdint.h>

struct mcast_set_hash {
    uint64_t high; /* the upper half of the sum */
    uint64_t low;  /* the lower half; both are 0 for the empty set */
};

/* Add the id {@high, @low}, which is not in the set. */
void mcast_set_hash_add(struct mcast_set_hash *hash, uint64_t high, uint64_t low);

/* Remove the id {@high, @low}, which is in the set. */
void mcast_set_hash_remove(struct mcast_set_hash *hash, uint64_t high, uint64_t low);

bool mcast_set_hash_equal(struct mcast_set_hash one, struct mcast_set_hash other);

#endif
