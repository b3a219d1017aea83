#include "base/range_list.h"

#include <assert.h>

void mcast_spans_clear(struct mcast_spans *spans, uint32_t most) {
    assert(most >= 1 && most <= MCAST_SPANS_MOST);
    spans->limit = UINT64_MAX;
    spans->count = 0;
    spans->most = most;
}

bool mcast_spans_append(struct mcast_spans *spans, uint64_t first, uint64_t last) {
    assert(first <= last);
    struct mcast_range *top = spans->count > 0 ? &spans->at[spans->count - 1] : NULL;
    assert(top == NULL || first > top->last);
    if (first > spans->limit) {
        return false;
    }
    if (top != NULL && top->last + 1 == first) {
        top->last = last;
        return true;
    }
    if (spans->count == spans->most) {
        spans->limit = first - 1;
        return false;
    }
    spans->at[spans->count++] = (struct mcast_range){first, last};
    return true;
}

static bool holds(const struct mcast_spans *spans, uint64_t number) {
    uint32_t low = 0;
    uint32_t high = spans->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (spans->at[middle].last < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < spans->count && spans->at[low].first <= number;
}

bool mcast_spans_contain(const struct mcast_spans *spans, uint64_t number) {
    return holds(spans, number);
}

bool mcast_spans_exclude(const struct mcast_spans *spans, uint64_t number) {
    return number <= spans->limit && !holds(spans, number);
}

void mcast_spans_trim(struct mcast_spans *spans, uint64_t limit) {
    if (limit >= spans->limit) {
        return;
    }
    spans->limit = limit;
    while (spans->count > 0 && spans->at[spans->count - 1].first > limit) {
        spans->count--;
    }
    if (spans->count > 0 && spans->at[spans->count - 1].last > limit) {
        spans->at[spans->count - 1].last = limit;
    }
}

void mcast_spans_shorten(struct mcast_spans *spans, uint32_t most) {
    if (spans->count > most) {
        mcast_spans_trim(spans, spans->at[most].first - 1);
    }
}

/* Take from the two lists the range that begins first, merged with everything that overlaps or
 * touches it. */
static struct mcast_range next_of_both(const struct mcast_spans *one, uint32_t *i,
                                       const struct mcast_spans *two, uint32_t *j) {
    struct mcast_range range;
    if (*j == two->count || (*i < one->count && one->at[*i].first <= two->at[*j].first)) {
        range = one->at[(*i)++];
    } else {
        range = two->at[(*j)++];
    }
    for (;;) {
        const struct mcast_range *more = NULL;
        if (*i < one->count && (range.last == UINT64_MAX || one->at[*i].first <= range.last + 1)) {
            more = &one->at[(*i)++];
        } else if (*j < two->count &&
                   (range.last == UINT64_MAX || two->at[*j].first <= range.last + 1)) {
            more = &two->at[(*j)++];
        }
        if (more == NULL) {
            return range;
        }
        if (more->last > range.last) {
            range.last = more->last;
        }
    }
}

void mcast_spans_unite(struct mcast_spans *target, const struct mcast_spans *other) {
    struct mcast_spans result;
    mcast_spans_clear(&result, target->most);
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < target->count || j < other->count) {
        struct mcast_range range = next_of_both(target, &i, other, &j);
        if (!mcast_spans_append(&result, range.first, range.last)) {
            break;
        }
    }
    mcast_spans_trim(&result, target->limit);
    mcast_spans_trim(&result, other->limit);
    *target = result;
}

void mcast_spans_intersect(struct mcast_spans *target, const struct mcast_spans *other) {
    struct mcast_spans result;
    mcast_spans_clear(&result, target->most);
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < target->count && j < other->count) {
        struct mcast_range one = target->at[i];
        struct mcast_range two = other->at[j];
        uint64_t first = one.first > two.first ? one.first : two.first;
        uint64_t last = one.last < two.last ? one.last : two.last;
        if (first <= last && !mcast_spans_append(&result, first, last)) {
            break;
        }
        if (one.last < two.last) {
            i++;
        } else {
            j++;
        }
    }
    mcast_spans_trim(&result, target->limit);
    mcast_spans_trim(&result, other->limit);
    *target = result;
}

void mcast_spans_subtract(struct mcast_spans *target, const struct mcast_spans *other) {
    struct mcast_spans result;
    mcast_spans_clear(&result, target->most);
    uint32_t j = 0;
    for (uint32_t i = 0; i < target->count; i++) {
        struct mcast_range rest = target->at[i];
        bool empty = false;
        while (j < other->count && other->at[j].last < rest.first) {
            j++;
        }
        for (uint32_t k = j; k < other->count && other->at[k].first <= rest.last; k++) {
            if (other->at[k].first > rest.first &&
                !mcast_spans_append(&result, rest.first, other->at[k].first - 1)) {
                break;
            }
            if (other->at[k].last >= rest.last) {
                empty = true;
                break;
            }
            rest.first = other->at[k].last + 1;
        }
        if (!empty && rest.first <= result.limit) {
            (void)mcast_spans_append(&result, rest.first, rest.last);
        }
    }
    mcast_spans_trim(&result, target->limit);
    mcast_spans_trim(&result, other->limit);
    *target = result;
}

uint64_t mcast_spans_total(const struct mcast_spans *spans) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        total += spans->at[i].last - spans->at[i].first + 1;
    }
    return total;
}
