/* Faults: what a script does to the world. */
#include "simulator/world/world_state.h"

#define SECOND ((uint64_t)1000000000)

void sim_world_doubt(struct sim_world *world, uint32_t host) {
    if (world->oracle != NULL) {
        oracle_doubt(world->oracle, world->hosts[host]->actor);
    }
}

void sim_world_crash(struct sim_world *world, uint32_t host) {
    sim_log(world->hosts[host], "crashes");
    sim_host_end(world->hosts[host]);
    sim_net_crash(world->net, world->hosts[host]->node);
}

bool sim_world_restart(struct sim_world *world, uint32_t number) {
    struct sim_host *host = world->hosts[number];
    if (host->running) {
        return false;
    }
    sim_net_revive(world->net, host->node);
    sim_log(host, "starts again");
    return sim_host_start(host);
}

bool sim_world_alive(const struct sim_world *world, uint32_t host) {
    return world->hosts[host]->running;
}

void sim_world_stop(struct sim_world *world, uint32_t number) {
    struct sim_host *host = world->hosts[number];
    if (!host->running || host->leaving) {
        return;
    }
    for (uint32_t i = 0; i < host->group_count && world->oracle != NULL; i++) {
        if (host->groups[i].wanted && host->groups[i].member) {
            oracle_leave(world->oracle, host->actor, host->groups[i].group);
        }
        host->groups[i].wanted = false;
    }
    host->leaving = true;
    sim_log(host, "stops");
    sim_host_request(host, (struct mcast_event){.kind = MCAST_EVENT_STOP}, NULL);
}

/* The time by which the silence of a node can last longer for the service than its cause: it last
 * heard the node a heartbeat before, and hears it again when a message has arrived. */
static uint64_t silence_around(const struct sim_world *world) {
    const struct sim_link *link = &world->config.net.link;
    return world->config.service.heartbeat + 2 * (link->latency + link->jitter);
}

void sim_world_silence(struct sim_world *world, uint32_t number, uint64_t until) {
    struct sim_host *host = world->hosts[number];
    uint64_t now = sim_net_now(world->net), around = silence_around(world);
    if (host->silent_until + around < now) {
        host->silent_since = now;
    }
    host->silent_until = until > host->silent_until ? until : host->silent_until;
    if (host->silent_until - host->silent_since + around >= world->config.service.suspicion) {
        sim_world_doubt(world, number);
    }
}

void sim_world_freeze(struct sim_world *world, uint32_t host, uint64_t until) {
    uint64_t span = until - sim_net_now(world->net);
    sim_world_silence(world, host, until);
    sim_log(world->hosts[host], "freezes for %llu ms", (unsigned long long)(span / 1000000));
    sim_net_freeze(world->net, world->hosts[host]->node, until);
}

void sim_world_isolate(struct sim_world *world, uint32_t number, bool cut) {
    uint32_t node = world->hosts[number]->node;
    sim_log(world->hosts[number], "is %s", cut ? "cut off" : "back");
    for (uint32_t other = 0; other < sim_net_count(world->net); other++) {
        if (other != node) {
            sim_net_cut(world->net, node, other, cut);
            sim_net_cut(world->net, other, node, cut);
        }
    }
}

void sim_world_crash_service(struct sim_world *world) {
    if (world->service.service != NULL) {
        sim_log_service(world, "crashes");
        sim_service_end(world);
        sim_net_crash(world->net, world->service.node);
    }
}

bool sim_world_restart_service(struct sim_world *world) {
    if (world->service.service != NULL) {
        return false;
    }
    sim_net_revive(world->net, world->service.node);
    sim_log_service(world, "starts again");
    if (!sim_service_start(world)) {
        return false;
    }
    sim_net_poke(world->net, world->service.node);
    return true;
}

bool sim_world_lose(struct sim_world *world, uint32_t from, uint32_t to, enum sim_socket socket,
                    uint32_t count) {
    uint32_t at = 0;
    while (at < world->drop_count && world->drops[at].count != 0) {
        at++;
    }
    if (at == SIM_DROPS) {
        return false;
    }
    world->drop_count += at == world->drop_count ? 1 : 0;
    world->drops[at] =
        (struct sim_drop){from == UINT32_MAX ? from : world->hosts[from]->node,
                          to == UINT32_MAX ? to : world->hosts[to]->node, socket, count};
    return true;
}

/* The bytes that repair may send in the shortest round: its share of the capacity of the wire (rule
 * 1.0.2). */
static uint64_t repair_budget(const struct sim_world_config *config) {
    uint64_t wire = config->net.wire_per_byte_ps == 0
                        ? UINT64_MAX / SECOND
                        : 1000 * SECOND / config->net.wire_per_byte_ps;
    uint64_t rate = config->member.rate_cap == 0 ? wire : config->member.rate_cap;
    return rate / 100 * config->member.recovery_share * config->member.interval_floor / SECOND + 1;
}

uint64_t sim_world_calm(struct sim_world *world) {
    return world->wire == NULL ? 0 : oracle_wire_calm(world->wire, repair_budget(&world->config));
}

void sim_world_settle(struct sim_world *world) {
    if (world->oracle != NULL) {
        oracle_settle(world->oracle, sim_net_now(world->net));
        oracle_wire_settle(world->wire, sim_net_now(world->net));
    }
}
