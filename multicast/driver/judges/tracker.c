#include "judges/tracker.h"

#include <stdlib.h>
#include <string.h>

static void absorb(struct oracle_tracker *tracker) {
    uint32_t gone = 0;
    while (gone < tracker->count && tracker->pieces[gone].first <= tracker->contig + 1) {
        if (tracker->pieces[gone].last > tracker->contig) {
            tracker->contig = tracker->pieces[gone].last;
        }
        gone++;
    }
    if (gone != 0) {
        tracker->count -= gone;
        memmove(tracker->pieces, tracker->pieces + gone, tracker->count * sizeof *tracker->pieces);
    }
}

/* The index of the first piece that ends at or after @number - 1, so that it touches or follows
 * @number. */
static uint32_t seek(const struct oracle_tracker *tracker, uint64_t number) {
    uint32_t low = 0, high = tracker->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tracker->pieces[middle].last + 1 < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void insert(struct oracle_tracker *tracker, uint64_t first, uint64_t last) {
    uint32_t from = seek(tracker, first), to = from;
    while (to < tracker->count && tracker->pieces[to].first <= last + 1) {
        first = tracker->pieces[to].first < first ? tracker->pieces[to].first : first;
        last = tracker->pieces[to].last > last ? tracker->pieces[to].last : last;
        to++;
    }
    if (from == to && tracker->count == tracker->room) {
        tracker->room = tracker->room == 0 ? 4 : tracker->room * 2;
        tracker->pieces = realloc(tracker->pieces, tracker->room * sizeof *tracker->pieces);
        if (tracker->pieces == NULL) {
            abort();
        }
    }
    memmove(tracker->pieces + from + 1, tracker->pieces + to,
            (tracker->count - to) * sizeof *tracker->pieces);
    tracker->pieces[from] = (struct oracle_piece){first, last};
    tracker->count = tracker->count - (to - from) + 1;
}

void oracle_tracker_add(struct oracle_tracker *tracker, uint64_t first, uint64_t last) {
    if (last <= tracker->contig) {
        return;
    }
    if (first <= tracker->contig + 1) {
        tracker->contig = last;
        absorb(tracker);
    } else {
        insert(tracker, first, last);
    }
}

bool oracle_tracker_has(const struct oracle_tracker *tracker, uint64_t number) {
    if (number <= tracker->contig) {
        return true;
    }
    for (uint32_t i = 0; i < tracker->count; i++) {
        if (number >= tracker->pieces[i].first && number <= tracker->pieces[i].last) {
            return true;
        }
    }
    return false;
}

void oracle_tracker_free(struct oracle_tracker *tracker) {
    free(tracker->pieces);
    *tracker = (struct oracle_tracker){0};
}
