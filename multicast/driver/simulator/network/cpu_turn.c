/* CPU turns: when a node runs. Each has one CPU, which is busy while it works, sleeps when there is
 * nothing to do, and stands still while the node is frozen. */
#include "simulator/network/network_state.h"

void sim_turn_schedule(struct sim_net *net, uint32_t id, uint64_t at) {
    struct sim_node *node = &net->nodes[id];
    at = at < node->busy_until ? node->busy_until : at;
    at = at < node->frozen_until ? node->frozen_until : at;
    if (at < node->run_at) {
        node->run_at = at;
        sim_net_push(net, at, SIM_ENTRY_RUN, id, NULL);
    }
}

void sim_turn_wake(struct sim_net *net, uint32_t id) {
    struct sim_node *node = &net->nodes[id];
    uint64_t at = net->now + net->config.wake;
    if (node->run_at <= at || node->busy_until > net->now) {
        sim_turn_schedule(net, id, net->now); /* awake or about to be: no wake-up delay */
        return;
    }
    if (net->config.wake_jitter != 0) {
        at += sim_random_below(&net->random, net->config.wake_jitter + 1);
    }
    sim_turn_schedule(net, id, at);
}

static bool has_input(const struct sim_node *node) {
    for (int s = 0; s < SIM_SOCKETS; s++) {
        if (node->ports[s].count != 0) {
            return true;
        }
    }
    return false;
}

static void count_lateness(struct sim_node *node, uint64_t now) {
    if (node->alarm <= now) {
        uint64_t late = now - node->alarm;
        node->stats.alarms++;
        node->stats.late_sum += late;
        node->stats.late_max = late > node->stats.late_max ? late : node->stats.late_max;
        node->alarm = UINT64_MAX;
    }
}

void sim_turn_run(struct sim_net *net, uint32_t id, uint64_t at) {
    struct sim_node *node = &net->nodes[id];
    if (node->run_at != at) {
        return; /* an earlier entry replaced it */
    }
    node->run_at = UINT64_MAX;
    if (!node->alive) {
        return;
    }
    if (at < node->frozen_until || at < node->busy_until) {
        sim_turn_schedule(net, id, at);
        return;
    }
    count_lateness(node, at);
    uint64_t cost = net->hooks.run(net->hooks.user, id, at);
    node = &net->nodes[id]; /* the hook may have added nodes */
    node->busy_until = at + cost;
    node->stats.busy += cost;
    if (has_input(node)) {
        sim_turn_schedule(net, id, node->busy_until);
    } else if (node->alarm != UINT64_MAX) {
        sim_turn_schedule(net, id, node->alarm);
    }
}

void sim_net_alarm(struct sim_net *net, uint32_t id, uint64_t at) {
    struct sim_node *node = &net->nodes[id];
    node->alarm = at;
    if (at != UINT64_MAX && node->alive) {
        sim_turn_schedule(net, id, at < net->now ? net->now : at);
    }
}

void sim_net_poke(struct sim_net *net, uint32_t id) {
    if (net->nodes[id].alive) {
        sim_turn_schedule(net, id, net->now);
    }
}
