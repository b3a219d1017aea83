/* Ranges: a set of 64-bit numbers, kept as disjoint closed ranges in ascending order.
 *
 * Recovery thinks in it: what a node holds of a stream, what it misses, what a token reports. Two
 * ranges that touch are one; the count of ranges, not of numbers, is what costs memory, and it
 * never passes the bound given at the start. */
#ifndef MCAST_RANGES_H
#define MCAST_RANGES_H

#include "mcast/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mcast_range {
    uint64_t first; /* is the lowest number in the range */
    uint64_t last;  /* is the highest; first <= last */
};

struct mcast_ranges;

/* Makes an empty set that holds at most @bound ranges, @bound >= 1, out of @alloc, which outlives
 * it. The caller owns the set and ends it with mcast_ranges_free. Returns NULL when there is no
 * memory. */
struct mcast_ranges *mcast_ranges_new(const struct mcast_alloc *alloc, size_t bound);

/* Ends @set; NULL is allowed. */
void mcast_ranges_free(struct mcast_ranges *set);

/* Adds every number of [@first, @last]. Adding what is there already changes nothing.
 *
 * Returns 0, or
 *   MCAST_EINVAL  first > last: the caller's fault, nothing was changed
 *   MCAST_EFULL   one more separate range would pass the bound: nothing was changed; remove, or
 * wait MCAST_ENOMEM  nothing was changed */
int mcast_ranges_add(struct mcast_ranges *set, uint64_t first, uint64_t last);

/* Removes every number of [@first, @last]; what is not there is no error. The codes are those of
 * mcast_ranges_add: a hole in the middle of a range makes two of it. */
int mcast_ranges_remove(struct mcast_ranges *set, uint64_t first, uint64_t last);

/* Whether @number is in @set. */
bool mcast_ranges_contains(const struct mcast_ranges *set, uint64_t number);

/* The count of separate ranges. */
size_t mcast_ranges_count(const struct mcast_ranges *set);

/* The range at @index, counted from the lowest; @index < mcast_ranges_count(@set). */
struct mcast_range mcast_ranges_at(const struct mcast_ranges *set, size_t index);

/* Finds the first run of numbers within [@from, @to] that is not in @set and stores it in @gap.
 * Returns whether there is one. */
bool mcast_ranges_gap(const struct mcast_ranges *set, uint64_t from, uint64_t to,
                      struct mcast_range *gap);

#endif
