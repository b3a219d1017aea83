/* A seeded generator of the simulator. One seed, one sequence, on every machine: integers only. */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct sim_random {
    uint64_t state[4]; /* is the xoshiro256** state, never all zero */
};

/* One million: probabilities are given in parts of it. */
enum { SIM_MILLION = 1000000 };

/* Starts @random from @seed; any seed will do, 0 too. */
void sim_random_seed(struct sim_random *random, uint64_t seed);

/* The next 64 random bits. */
uint64_t sim_random_next(struct sim_random *random);

/* A number in [0, @bound), @bound >= 1. The bias is below 2^-32 for the bounds used here. */
uint64_t sim_random_below(struct sim_random *random, uint64_t bound);

/* A number in [@low, @high], @low <= @high. */
uint64_t sim_random_between(struct sim_random *random, uint64_t low, uint64_t high);

/* Whether a thing of probability @ppm parts in a million happens. Draws nothing when @ppm is 0. */
bool sim_random_chance(struct sim_random *random, uint32_t ppm);

#endif
