/* Range list: the packets of a stream that are missing, as a token carries them: at most 32 ranges,
 * the oldest first.
 *
 * A list that had to leave ranges out has a limit: it says nothing about numbers above it, neither
 * "missing" nor "present". Every operation preserves this, so a short list may delay a repair by a
 * round but never makes a false statement. */
#ifndef MCAST_BASE_RANGE_LIST_H
#define MCAST_BASE_RANGE_LIST_H

#include "base/range_set.h"

#include <stdbool.h>
#include <stdint.h>

enum { MCAST_SPANS_MOST = 32 };

struct mcast_spans {
    uint64_t limit; /* the highest number that the list describes */
    uint32_t count;
    uint32_t most;                           /* the capacity in ranges, <= MCAST_SPANS_MOST */
    struct mcast_range at[MCAST_SPANS_MOST]; /* ascending; no two touch */
};

/* Make the list empty, with room for @most ranges (1 … MCAST_SPANS_MOST), describing all numbers.
 * It owns no memory. */
void mcast_spans_clear(struct mcast_spans *spans, uint32_t most);

/* Append [@first, @last], which begins above everything in the list. Return true if it fitted;
 * otherwise lower the limit to the last number that the list still describes. */
bool mcast_spans_append(struct mcast_spans *spans, uint64_t first, uint64_t last);

/* True if @number is in the list. */
bool mcast_spans_contain(const struct mcast_spans *spans, uint64_t number);

/* True if the list describes @number and does not contain it. */
bool mcast_spans_exclude(const struct mcast_spans *spans, uint64_t number);

/* Make @target the union of itself and @other. */
void mcast_spans_unite(struct mcast_spans *target, const struct mcast_spans *other);
void mcast_spans_intersect(struct mcast_spans *target, const struct mcast_spans *other);
void mcast_spans_subtract(struct mcast_spans *target, const struct mcast_spans *other);

/* The count of numbers in the list. */
uint64_t mcast_spans_total(const struct mcast_spans *spans);

/* Keep the oldest @most ranges and lower the limit to the end of what they describe. */
void mcast_spans_shorten(struct mcast_spans *spans, uint32_t most);

/* Drop all numbers above @limit, which becomes the limit. */
void mcast_spans_trim(struct mcast_spans *spans, uint64_t limit);

#endif
