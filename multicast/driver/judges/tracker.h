/* What one member has received of one stream: all up to a number, and pieces above it. */
#ifndef ORACLE_TRACKER_H
#define ORACLE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

struct oracle_piece {
    uint64_t first, last;
};

struct oracle_tracker {
    uint64_t contig;
    struct oracle_piece *pieces; /* ascend, do not touch, lie above contig */
    uint32_t count, room;
};

/* Adds [@first, @last]; ends the program without memory. */
void oracle_tracker_add(struct oracle_tracker *tracker, uint64_t first, uint64_t last);
bool oracle_tracker_has(const struct oracle_tracker *tracker, uint64_t number);
void oracle_tracker_free(struct oracle_tracker *tracker);

#endif
