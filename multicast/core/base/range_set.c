#include "base/range_set.h"
#include "base/memory.h"
#include "mcast/error.h"

#include <assert.h>
#include <string.h>

struct mcast_ranges {
    const struct mcast_alloc *alloc;
    struct mcast_range *items; /* sorted, disjoint, and no two of them touch */
    size_t count;
    size_t room;
    size_t bound;
};

struct mcast_ranges *mcast_ranges_new(const struct mcast_alloc *alloc, size_t bound) {
    assert(bound >= 1);
    struct mcast_ranges *set = mcast_memory_new(alloc, 1, sizeof *set);
    if (set != NULL) {
        set->alloc = alloc;
        set->bound = bound;
    }
    return set;
}

void mcast_ranges_free(struct mcast_ranges *set) {
    if (set != NULL) {
        mcast_memory_free(set->alloc, set->items, set->room, sizeof *set->items);
        mcast_memory_free(set->alloc, set, 1, sizeof *set);
    }
}

/* The index of the first range that ends at or after @number, or the count if there is none. */
static size_t seek(const struct mcast_ranges *set, uint64_t number) {
    size_t low = 0;
    size_t high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->items[middle].last < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Make room for one more range, without changing the set. */
static int reserve(struct mcast_ranges *set) {
    if (set->count == set->bound) {
        return MCAST_EFULL;
    }
    if (set->count < set->room) {
        return MCAST_OK;
    }
    struct mcast_range *items =
        mcast_memory_grow(set->alloc, set->items, &set->room, set->count + 1, sizeof *items);
    if (items == NULL) {
        return MCAST_ENOMEM;
    }
    set->items = items;
    return MCAST_OK;
}

/* Replace the ranges [@from, @to) by @range. */
static void replace(struct mcast_ranges *set, size_t from, size_t to, struct mcast_range range) {
    memmove(set->items + from + 1, set->items + to, (set->count - to) * sizeof *set->items);
    set->items[from] = range;
    set->count = set->count - (to - from) + 1;
}

int mcast_ranges_add(struct mcast_ranges *set, uint64_t first, uint64_t last) {
    if (first > last) {
        return MCAST_EINVAL;
    }
    /* A range that ends just before @first touches the new one, so search from one number lower. */
    size_t from = seek(set, first == 0 ? 0 : first - 1);
    size_t to = from;
    struct mcast_range merged = {first, last};
    while (to < set->count && (last == UINT64_MAX || set->items[to].first <= last + 1)) {
        if (set->items[to].first < merged.first) {
            merged.first = set->items[to].first;
        }
        if (set->items[to].last > merged.last) {
            merged.last = set->items[to].last;
        }
        to++;
    }
    if (from == to) {
        int code = reserve(set);
        if (code != MCAST_OK) {
            return code;
        }
    }
    replace(set, from, to, merged);
    return MCAST_OK;
}

/* Cut [@first, @last] out of the middle of the range at @index, which extends beyond both ends. */
static int split(struct mcast_ranges *set, size_t index, uint64_t first, uint64_t last) {
    int code = reserve(set);
    if (code != MCAST_OK) {
        return code;
    }
    struct mcast_range whole = set->items[index];
    set->items[index].first = last + 1;
    replace(set, index, index, (struct mcast_range){whole.first, first - 1});
    return MCAST_OK;
}

int mcast_ranges_remove(struct mcast_ranges *set, uint64_t first, uint64_t last) {
    if (first > last) {
        return MCAST_EINVAL;
    }
    if (set->count == 0) {
        return MCAST_OK;
    }
    size_t from = seek(set, first);
    if (from < set->count && set->items[from].first < first) {
        if (set->items[from].last > last) {
            return split(set, from, first, last);
        }
        set->items[from].last = first - 1;
        from++;
    }
    size_t to = from;
    while (to < set->count && set->items[to].last <= last) {
        to++;
    }
    if (to < set->count && set->items[to].first <= last) {
        set->items[to].first = last + 1;
    }
    memmove(set->items + from, set->items + to, (set->count - to) * sizeof *set->items);
    set->count -= to - from;
    return MCAST_OK;
}

bool mcast_ranges_contains(const struct mcast_ranges *set, uint64_t number) {
    size_t index = seek(set, number);
    return index < set->count && set->items[index].first <= number;
}

size_t mcast_ranges_count(const struct mcast_ranges *set) {
    return set->count;
}

struct mcast_range mcast_ranges_at(const struct mcast_ranges *set, size_t index) {
    assert(index < set->count);
    return set->items[index];
}

bool mcast_ranges_gap(const struct mcast_ranges *set, uint64_t from, uint64_t to,
                      struct mcast_range *gap) {
    size_t index = seek(set, from);
    if (index < set->count && set->items[index].first <= from) {
        if (set->items[index].last >= to) {
            return false;
        }
        from = set->items[index].last + 1;
        index++;
    }
    if (from > to) {
        return false;
    }
    gap->first = from;
    gap->last = to;
    if (index < set->count && set->items[index].first <= to) {
        gap->last = set->items[index].first - 1;
    }
    return true;
}
