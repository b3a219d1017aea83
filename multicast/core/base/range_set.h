/* Range set: a set of 64-bit numbers, kept as disjoint closed ranges in ascending order.
 *
 * Ranges that touch are merged. The memory depends on the count of ranges, not of numbers; the
 * count never exceeds the bound given at the start. Python uses it as RangeSet. */
#ifndef MCAST_BASE_RANGE_SET_H
#define MCAST_BASE_RANGE_SET_H

#include "mcast/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mcast_range {
    uint64_t first; /* the lowest number in the range */
    uint64_t last;  /* the highest; first <= last */
};

struct mcast_ranges;

/* Make an empty set of at most @bound ranges, @bound >= 1. @alloc must outlive it. Return NULL
 * without memory. Free it with mcast_ranges_free. */
struct mcast_ranges *mcast_ranges_new(const struct mcast_alloc *alloc, size_t bound);

/* Free @set, which may be NULL. */
void mcast_ranges_free(struct mcast_ranges *set);

/* Add every number of [@first, @last] that is not in the set.
 *
 * Return 0; MCAST_EINVAL if @first > @last; MCAST_EFULL if one more separate range would exceed the
 * bound: remove numbers, or wait; or MCAST_ENOMEM. After a failure the set is unchanged. */
int mcast_ranges_add(struct mcast_ranges *set, uint64_t first, uint64_t last);

/* Remove every number of [@first, @last] that is in the set. The result codes are those of
 * mcast_ranges_add: removing the middle of a range leaves two. */
int mcast_ranges_remove(struct mcast_ranges *set, uint64_t first, uint64_t last);

/* True if @number is in @set. */
bool mcast_ranges_contains(const struct mcast_ranges *set, uint64_t number);

/* The count of separate ranges. */
size_t mcast_ranges_count(const struct mcast_ranges *set);

/* The range at @index, counted from the lowest; @index < mcast_ranges_count(@set). */
struct mcast_range mcast_ranges_at(const struct mcast_ranges *set, size_t index);

/* Find the first run of numbers within [@from, @to] that is not in @set and store it in @gap.
 * Return true if there is one. */
bool mcast_ranges_gap(const struct mcast_ranges *set, uint64_t from, uint64_t to,
                      struct mcast_range *gap);

#endif
