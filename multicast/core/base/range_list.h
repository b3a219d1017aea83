/* Spans: what is missing of a stream, as a token carries it: at most 32 ranges, the oldest ones.
 *
 * A set that had to leave ranges out says up to which number it speaks; above its limit nothing is
 * said, neither "missing" nor "there". Each operation keeps that honest, so a short list can make a
 * repair wait a round and never makes a wrong statement. */
#ifndef MCAST_CORE_SPANS_H
#define MCAST_CORE_SPANS_H

#include "base/range_set.h"

#include <stdbool.h>
#include <stdint.h>

enum { MCAST_SPANS_MOST = 32 };

struct mcast_spans {
    uint64_t limit; /* is the highest number the set speaks of */
    uint32_t count;
    uint32_t most; /* is how many ranges it may hold, <= MCAST_SPANS_MOST */
    struct mcast_range at[MCAST_SPANS_MOST]; /* ascend, and no two touch */
};

/* The empty set of at most @most ranges (1 … MCAST_SPANS_MOST) that speaks of all numbers. Returns
 * nothing that must be ended. */
void mcast_spans_clear(struct mcast_spans *spans, uint32_t most);

/* Adds [@first, @last], which begins above all that is in the set. Returns whether it fitted; if
 * not the limit was lowered to the last number that is said. */
bool mcast_spans_append(struct mcast_spans *spans, uint64_t first, uint64_t last);

/* Whether @number is in the set. */
bool mcast_spans_contain(const struct mcast_spans *spans, uint64_t number);

/* Whether the set speaks of @number and it is not in it. */
bool mcast_spans_exclude(const struct mcast_spans *spans, uint64_t number);

/* @target becomes what is in it or in @other, in both, or in it alone. */
void mcast_spans_unite(struct mcast_spans *target, const struct mcast_spans *other);
void mcast_spans_intersect(struct mcast_spans *target, const struct mcast_spans *other);
void mcast_spans_subtract(struct mcast_spans *target, const struct mcast_spans *other);

/* How many numbers are in the set. */
uint64_t mcast_spans_total(const struct mcast_spans *spans);

/* Keeps the oldest @most ranges and no longer speaks of what follows. */
void mcast_spans_shorten(struct mcast_spans *spans, uint32_t most);

/* Forgets all numbers above @limit and no longer speaks of them. */
void mcast_spans_trim(struct mcast_spans *spans, uint64_t limit);

#endif
