#include "simulator/network/link.h"

uint64_t sim_link_delay(const struct sim_link *link, struct sim_random *random) {
    uint64_t delay = link->latency;
    if (link->jitter != 0) {
        delay += sim_random_below(random, link->jitter + 1);
    }
    if (sim_random_chance(random, link->reorder)) {
        delay += sim_random_below(random, link->reorder_by + 1);
    }
    return delay;
}

struct sim_fate sim_link_fate(const struct sim_link *link, struct sim_random *random, uint64_t now,
                              uint64_t *burst_until) {
    if (sim_random_chance(random, link->burst)) {
        *burst_until = now + link->burst_length;
    }
    if (now < *burst_until || sim_random_chance(random, link->loss)) {
        return (struct sim_fate){0, {0, 0}};
    }
    struct sim_fate fate = {1, {sim_link_delay(link, random), 0}};
    if (sim_random_chance(random, link->duplicate)) {
        fate.delay[fate.copies++] = sim_link_delay(link, random);
    }
    return fate;
}
