/* Tracker: the numbers that one member has received of one stream: all up to a number, and pieces
 * above it. */
#ifndef DRIVER_JUDGES_TRACKER_H
#define DRIVER_JUDGES_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

struct oracle_piece {
    uint64_t first, last;
};

struct oracle_tracker {
    uint64_t contig;
    struct oracle_piece *pieces; /* ascending, not touching, above contig */
    uint32_t count, room;
};

/* Add [@first, @last]. End the program without memory. */
void oracle_tracker_add(struct oracle_tracker *tracker, uint64_t first, uint64_t last);
bool oracle_tracker_has(const struct oracle_tracker *tracker, uint64_t number);
void oracle_tracker_free(struct oracle_tracker *tracker);

#endif
