/* A seeded random generator. One seed gives one sequence on every machine: integers only. */
#ifndef DRIVER_SIMULATOR_BASE_RANDOM_H
#define DRIVER_SIMULATOR_BASE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct sim_random {
    uint64_t state[4]; /* the xoshiro256** state (https://prng.di.unimi.it), never all zero */
};

/* One million: probabilities are parts per million. */
enum { SIM_MILLION = 1000000 };

/* Start @random from @seed, which may be any number. */
void sim_random_seed(struct sim_random *random, uint64_t seed);

/* The next 64 random bits. */
uint64_t sim_random_next(struct sim_random *random);

/* A number in [0, @bound), @bound >= 1. Its bias is below 2^-32 for the bounds used here. */
uint64_t sim_random_below(struct sim_random *random, uint64_t bound);

/* A number in [@low, @high], @low <= @high. */
uint64_t sim_random_between(struct sim_random *random, uint64_t low, uint64_t high);

/* True with a probability of @ppm parts per million. Draws nothing if @ppm is 0. */
bool sim_random_chance(struct sim_random *random, uint32_t ppm);

#endif
