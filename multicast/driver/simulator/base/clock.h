/* The clock of one node: it starts at any value and runs slightly fast or slow. */
#ifndef DRIVER_SIMULATOR_BASE_CLOCK_H
#define DRIVER_SIMULATOR_BASE_CLOCK_H

#include "mcast/types.h"

#include <stdint.h>

struct sim_clock {
    uint64_t offset; /* its reading at time 0, in ns */
    int32_t ppm;     /* how much faster than true time it runs, in parts per million */
};

/* The reading of @clock at the true time @now. */
static inline mcast_time sim_clock_local(const struct sim_clock *clock, uint64_t now) {
    uint64_t whole = now / 1000000;
    uint64_t part = now % 1000000;
    int64_t drift = (int64_t)whole * clock->ppm + (int64_t)part * clock->ppm / 1000000;
    return clock->offset + now + (uint64_t)drift;
}

/* The first true time at which @clock reads @local or more; MCAST_NEVER stays MCAST_NEVER. */
static inline uint64_t sim_clock_true(const struct sim_clock *clock, mcast_time local) {
    if (local == MCAST_NEVER || local <= clock->offset) {
        return local == MCAST_NEVER ? UINT64_MAX : 0;
    }
    uint64_t span = local - clock->offset;
    uint64_t rate = (uint64_t)(1000000 + clock->ppm);
    uint64_t now = span / rate * 1000000 + span % rate * 1000000 / rate;
    while (sim_clock_local(clock, now) < local) {
        now++;
    }
    return now;
}

#endif
