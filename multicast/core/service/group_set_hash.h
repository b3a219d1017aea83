/* Set hash: a 128-bit digest of a set of 128-bit ids that follows the set one id at a time.
 *
 * It is the sum, modulo 2^128, of a mixing of each id. The sum does not depend on the order, and an
 * id is taken out by subtraction, so a node that joins one group of thousands costs one addition.
 * Equal sets have equal digests; different ones differ save by a chance of about 2^-128 for ids
 * drawn at random. Who acts on equality of foreign ids compares the sets as well. */
#ifndef MCAST_CORE_SET_HASH_H
#define MCAST_CORE_SET_HASH_H

#include <stdbool.h>
#include <stdint.h>

struct mcast_set_hash {
    uint64_t high; /* is the upper half of the sum */
    uint64_t low;  /* is the lower half; both are 0 for the empty set */
};

/* Puts the id {@high, @low}, which is not in the set, into @hash. */
void mcast_set_hash_add(struct mcast_set_hash *hash, uint64_t high, uint64_t low);

/* Takes the id {@high, @low}, which is in the set, out of @hash. */
void mcast_set_hash_remove(struct mcast_set_hash *hash, uint64_t high, uint64_t low);

bool mcast_set_hash_equal(struct mcast_set_hash one, struct mcast_set_hash other);

/* Mixes the bits of @value so that each bit of the answer depends on each of @value's. Also serves
 * the hash maps. */
uint64_t mcast_mix64(uint64_t value);

#endif
