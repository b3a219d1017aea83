/* Bits: a set of small numbers, one bit each, that grows with its largest number. */
#ifndef MCAST_BASE_BITS_H
#define MCAST_BASE_BITS_H

#include "mcast/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MCAST_BITS_END SIZE_MAX /* there is no further number */

/* All zero bytes are an empty set. The owner keeps the allocator and passes the same one to every
 * call. */
struct mcast_bits {
    uint64_t *words;
    size_t count; /* the count of words */
};

void mcast_bits_free(struct mcast_bits *bits, const struct mcast_alloc *alloc);

/* Add @number. Return 0, or MCAST_ENOMEM and leave the set unchanged. */
int mcast_bits_add(struct mcast_bits *bits, const struct mcast_alloc *alloc, size_t number);

/* Add every number of @other. Return 0, or MCAST_ENOMEM and leave the set unchanged. */
int mcast_bits_add_all(struct mcast_bits *bits, const struct mcast_alloc *alloc,
                       const struct mcast_bits *other);

/* Remove @number, if it is there. */
void mcast_bits_remove(struct mcast_bits *bits, size_t number);

/* Empty the set and keep its memory. */
void mcast_bits_clear(struct mcast_bits *bits);

bool mcast_bits_has(const struct mcast_bits *bits, size_t number);
bool mcast_bits_is_empty(const struct mcast_bits *bits);

/* The smallest number in the set that is at least @from, or MCAST_BITS_END. */
size_t mcast_bits_next(const struct mcast_bits *bits, size_t from);

/* The smallest number in the set that is at least @from and not in @without, or MCAST_BITS_END. */
size_t mcast_bits_next_without(const struct mcast_bits *bits, const struct mcast_bits *without,
                               size_t from);

#endif
