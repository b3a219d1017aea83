#include "check.h"
#include "simulator/base/random.h"

static void one_seed_gives_one_sequence(void) {
    struct sim_random a, b;
    sim_random_seed(&a, 42);
    sim_random_seed(&b, 42);
    for (int i = 0; i < 1000; i++) {
        CHECK(sim_random_next(&a) == sim_random_next(&b));
    }
}

static void the_sequence_of_seed_one_is_the_same_on_every_machine(void) {
    struct sim_random random;
    sim_random_seed(&random, 1);
    uint64_t first = sim_random_next(&random);
    sim_random_seed(&random, 2);
    CHECK(first == 0xb3f2af6d0fc710c5u);
    CHECK(first != sim_random_next(&random));
}

static void below_stays_below_and_reaches_every_value(void) {
    struct sim_random random;
    sim_random_seed(&random, 7);
    int seen[10] = {0};
    for (int i = 0; i < 10000; i++) {
        uint64_t value = sim_random_below(&random, 10);
        CHECK(value < 10);
        seen[value]++;
    }
    for (int i = 0; i < 10; i++) {
        CHECK(seen[i] > 800 && seen[i] < 1200);
    }
}

static void between_includes_both_ends(void) {
    struct sim_random random;
    sim_random_seed(&random, 9);
    bool low = false, high = false;
    for (int i = 0; i < 1000; i++) {
        uint64_t value = sim_random_between(&random, 5, 8);
        CHECK(value >= 5 && value <= 8);
        low |= value == 5;
        high |= value == 8;
    }
    CHECK(low && high);
    sim_random_between(&random, 0, UINT64_MAX);
}

static void a_chance_occurs_with_its_probability(void) {
    struct sim_random random;
    sim_random_seed(&random, 11);
    int hits = 0;
    for (int i = 0; i < 100000; i++) {
        hits += sim_random_chance(&random, 10000) ? 1 : 0;
        CHECK(!sim_random_chance(&random, 0));
        CHECK(sim_random_chance(&random, SIM_MILLION));
    }
    CHECK(hits > 800 && hits < 1200);
}

int main(void) {
    RUN(one_seed_gives_one_sequence);
    RUN(the_sequence_of_seed_one_is_the_same_on_every_machine);
    RUN(below_stays_below_and_reaches_every_value);
    RUN(between_includes_both_ends);
    RUN(a_chance_occurs_with_its_probability);
    return 0;
}
