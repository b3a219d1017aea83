/* Fuzz the step of the member with what a misbehaving member could send: datagrams changed at
 * random and sealed again, so that they pass authentication and reach the validators and rules.
 *   run_fuzz FIRST COUNT
 * Build it with the sanitizers; it passes when it ends. Nothing is judged: false statements of a
 * member may break promises. */
#include "simulator/world/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { HOSTS = 6, GROUPS = 3 };

#define SECOND ((uint64_t)1000000000)

static void add(struct sim_world *world, uint32_t host) {
    sim_world_add(world, false);
    for (uint32_t group = 0; group < GROUPS; group++) {
        sim_world_join(world, host, group, NULL);
    }
    struct sim_flow flow = {.host = host,
                            .groups = GROUPS,
                            .size_low = ORACLE_STAMP,
                            .size_high = host == 0 ? 9000 : 300,
                            .start = SECOND,
                            .interval = 3000000,
                            .count = 500,
                            .pull = host % 2 == 0};
    sim_world_flow(world, &flow);
}

static uint64_t run(uint64_t seed) {
    struct sim_world_config config = sim_world_config_default(seed);
    config.judged = false;
    config.sealed_lies = true;
    config.net.link.corrupt = 20000;
    config.net.link.loss = 10000;
    config.memory_bound = (uint64_t)256 << 20;
    config.member.ring_mode = seed % 4 == 0 ? MCAST_INDEPENDENT : MCAST_NESTED;
    config.service.heartbeat = SECOND / 5;
    config.service.suspicion = SECOND;
    struct sim_world *world = sim_world_new(&config);
    if (world == NULL) {
        abort();
    }
    for (uint32_t host = 0; host < HOSTS; host++) {
        add(world, host);
    }
    sim_world_run(world, 2 * SECOND);
    sim_world_crash(world, HOSTS - 1);
    sim_world_leave(world, 1, 0);
    sim_world_run(world, 6 * SECOND);
    struct sim_totals totals = sim_world_totals(world);
    sim_world_free(world);
    return totals.members.drop_malformed;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s FIRST COUNT\n", argv[0]);
        return 2;
    }
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    uint64_t malformed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        malformed += run(seed);
    }
    printf("%llu worlds, %llu malformed datagrams found\n", (unsigned long long)count,
           (unsigned long long)malformed);
    return 0;
}
