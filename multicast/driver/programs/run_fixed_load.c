/* A fixed load for counting instructions: three members, one sender, no loss.
 *   run_fixed_load MESSAGES [GROUPS]
 * Print the divisors of the counts: packets sent, packets received, tokens received. */
#include "simulator/world/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { HOSTS = 3, SIZE = 1000, BURST = 32 };

#define SECOND ((uint64_t)1000000000)
#define INTERVAL ((uint64_t)320000)

int main(int argc, char **argv) {
    uint64_t messages = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint32_t groups = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
    if (messages == 0 || groups == 0 || argc > 3) {
        fprintf(stderr, "usage: %s MESSAGES [GROUPS]\n", argv[0]);
        return 2;
    }
    struct sim_world_config config = sim_world_config_default(1);
    config.judged = false;
    config.tagged = false;
    config.net.wake = 300000;
    struct sim_world *world = sim_world_new(&config);
    if (world == NULL) {
        return 3;
    }
    for (uint32_t host = 0; host < HOSTS; host++) {
        sim_world_add(world, false);
        for (uint32_t group = 0; group < groups; group++) {
            sim_world_join(world, host, group, NULL);
        }
    }
    sim_world_run(world, SECOND);
    struct sim_flow flow = {.host = 0,
                            .groups = groups,
                            .size_low = SIZE,
                            .size_high = SIZE,
                            .start = SECOND,
                            .interval = INTERVAL,
                            .burst = BURST,
                            .count = messages};
    sim_world_flow(world, &flow);
    sim_world_run(world, 2 * SECOND + messages / BURST * INTERVAL);
    struct sim_totals totals = sim_world_totals(world);
    printf("send %llu\nreceive %llu\ntoken %llu\n", (unsigned long long)totals.members.packets_sent,
           (unsigned long long)totals.members.packets_received,
           (unsigned long long)totals.members.tokens_received);
    sim_world_free(world);
    return 0;
}
