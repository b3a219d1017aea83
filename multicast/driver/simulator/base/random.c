#include "simulator/base/random.h"

#include <assert.h>

/* splitmix64 (https://prng.di.unimi.it/splitmix64.c): spreads a seed of few bits over the whole
 * state. */
static uint64_t spread(uint64_t *seed) {
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
}

void sim_random_seed(struct sim_random *random, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        random->state[i] = spread(&seed);
    }
}

uint64_t sim_random_next(struct sim_random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t sim_random_below(struct sim_random *random, uint64_t bound) {
    assert(bound >= 1);
    uint64_t bits = sim_random_next(random);
    if (bound <= UINT32_MAX) {
        return ((bits >> 32) * bound) >> 32;
    }
    return bits % bound;
}

uint64_t sim_random_between(struct sim_random *random, uint64_t low, uint64_t high) {
    assert(low <= high);
    return high - low == UINT64_MAX ? sim_random_next(random)
                                    : low + sim_random_below(random, high - low + 1);
}

bool sim_random_chance(struct sim_random *random, uint32_t ppm) {
    return ppm != 0 && sim_random_below(random, SIM_MILLION) < ppm;
}
