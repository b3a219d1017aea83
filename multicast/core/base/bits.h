/* Bits: a set of small numbers, a bit each, that grows with the largest. */
#ifndef MCAST_CORE_BITS_H
#define MCAST_CORE_BITS_H

#include "mcast/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MCAST_BITS_END SIZE_MAX /* there is no further number */

/* Zeroed, it is an empty set. Whoever has it keeps the allocator and always passes the same one. */
struct mcast_bits {
    uint64_t *words;
    size_t count; /* is the count of words */
};

void mcast_bits_free(struct mcast_bits *bits, const struct mcast_alloc *alloc);

/* Puts @number into the set. 0, or MCAST_ENOMEM with nothing changed. */
int mcast_bits_add(struct mcast_bits *bits, const struct mcast_alloc *alloc, size_t number);

/* Puts all of @other into the set. 0, or MCAST_ENOMEM with nothing changed. */
int mcast_bits_add_all(struct mcast_bits *bits, const struct mcast_alloc *alloc,
                       const struct mcast_bits *other);

/* Takes @number out; one that is not there is no error. */
void mcast_bits_remove(struct mcast_bits *bits, size_t number);

/* Empties the set and keeps its room. */
void mcast_bits_clear(struct mcast_bits *bits);

bool mcast_bits_has(const struct mcast_bits *bits, size_t number);
bool mcast_bits_is_empty(const struct mcast_bits *bits);

/* The least number from @from on, or MCAST_BITS_END. */
size_t mcast_bits_next(const struct mcast_bits *bits, size_t from);

/* The least number from @from on that is not in @without, or MCAST_BITS_END. */
size_t mcast_bits_next_without(const struct mcast_bits *bits, const struct mcast_bits *without,
                               size_t from);

#endif
