/* The network: its event queue, its nodes, and their faults. */
#include "simulator/network/network_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_NODES = 16 };

struct sim_config sim_config_lan(uint64_t seed) {
    return (struct sim_config){
        .seed = seed,
        .link = {.latency = 100000, .jitter = 20000},
        .wake = 5000,
        .wake_jitter = 5000,
        .wire_per_byte_ps = 8000,
        .socket_limit = 4u << 20,
        .stream_retry = 100000000,
    };
}

struct sim_net *sim_net_new(const struct sim_config *config, const struct sim_hooks *hooks) {
    struct sim_net *net = calloc(1, sizeof *net);
    if (net == NULL) {
        return NULL;
    }
    net->config = *config;
    net->hooks = *hooks;
    sim_heap_init(&net->heap);
    sim_map_init(&net->groups);
    sim_map_init(&net->streams);
    sim_random_seed(&net->random, config->seed);
    net->trace = sim_hash_number(0, config->seed);
    return net;
}

void sim_net_free(struct sim_net *net) {
    if (net == NULL) {
        return;
    }
    struct sim_entry entry;
    while (sim_heap_pop(&net->heap, &entry)) {
        if (entry.kind == SIM_ENTRY_ARRIVAL) {
            sim_packet_release(entry.item);
        } else if (entry.kind == SIM_ENTRY_CALL) {
            free(entry.item);
        }
    }
    for (uint32_t i = 0; i < net->count; i++) {
        for (int s = 0; s < SIM_SOCKETS; s++) {
            sim_port_free(&net->nodes[i].ports[s]);
        }
    }
    sim_groups_free(net);
    sim_streams_free(net);
    sim_heap_free(&net->heap);
    free(net->nodes);
    free(net->cuts);
    free(net);
}

uint32_t sim_net_add(struct sim_net *net) {
    if (net->count == net->room) {
        uint32_t room = net->room == 0 ? FIRST_NODES : net->room * 2;
        struct sim_node *nodes = realloc(net->nodes, room * sizeof *nodes);
        if (nodes == NULL) {
            return UINT32_MAX;
        }
        net->nodes = nodes;
        net->room = room;
    }
    struct sim_node *node = &net->nodes[net->count];
    *node = (struct sim_node){.alive = true, .run_at = UINT64_MAX, .alarm = UINT64_MAX};
    for (int s = 0; s < SIM_SOCKETS; s++) {
        /* A stream has flow control of its own: its bytes wait at the sender and are never dropped.
         */
        sim_port_init(&node->ports[s], s == SIM_STREAM ? UINT64_MAX : net->config.socket_limit);
    }
    return net->count++;
}

uint32_t sim_net_count(const struct sim_net *net) {
    return net->count;
}

uint64_t sim_net_now(const struct sim_net *net) {
    return net->now;
}

struct sim_random *sim_net_random(struct sim_net *net) {
    return &net->random;
}

uint64_t sim_net_trace(const struct sim_net *net) {
    return net->trace;
}

uint64_t sim_net_events(const struct sim_net *net) {
    return net->events;
}

void sim_net_note(struct sim_net *net, uint64_t value) {
    net->trace = sim_hash_number(net->trace, value);
}

struct sim_node_stats sim_net_stats(const struct sim_net *net, uint32_t node) {
    assert(node < net->count);
    struct sim_node_stats stats = net->nodes[node].stats;
    for (int s = 0; s < SIM_SOCKETS; s++) {
        const struct sim_port *port = &net->nodes[node].ports[s];
        stats.overflowed += port->dropped;
        stats.queue_peak = port->peak > stats.queue_peak ? port->peak : stats.queue_peak;
    }
    return stats;
}

void sim_net_push(struct sim_net *net, uint64_t at, enum sim_entry_kind kind, uint32_t node,
                  void *item) {
    struct sim_entry entry = {at, kind, node, item};
    if (!sim_heap_push(&net->heap, entry)) {
        abort(); /* a simulation without memory for its event queue cannot go on */
    }
}

/* ---- faults ---- */

void sim_net_freeze(struct sim_net *net, uint32_t id, uint64_t until) {
    struct sim_node *node = &net->nodes[id];
    node->frozen_until = until;
    if (node->run_at < until) {
        node->run_at = UINT64_MAX;
        sim_turn_schedule(net, id, until);
    }
}

void sim_net_crash(struct sim_net *net, uint32_t id) {
    struct sim_node *node = &net->nodes[id];
    node->alive = false;
    node->run_at = UINT64_MAX;
    node->alarm = UINT64_MAX;
    node->frozen_until = 0;
    for (int s = 0; s < SIM_SOCKETS; s++) {
        sim_port_clear(&node->ports[s]);
    }
    for (uint32_t i = 0; i < net->groups.room; i++) {
        if (net->groups.slots[i].key != 0) {
            sim_net_unsubscribe(net, id, net->groups.slots[i].key);
        }
    }
    sim_streams_break(net, id);
}

void sim_net_revive(struct sim_net *net, uint32_t id) {
    net->nodes[id].alive = true;
    net->nodes[id].busy_until = net->now;
}

bool sim_net_alive(const struct sim_net *net, uint32_t node) {
    return net->nodes[node].alive;
}

void sim_net_link(struct sim_net *net, uint32_t node, const struct sim_link *link) {
    net->nodes[node].has_link = link != NULL;
    if (link != NULL) {
        net->nodes[node].link = *link;
    }
}

struct sim_link sim_net_link_of(const struct sim_net *net, uint32_t node) {
    return *sim_wire_link(net, node);
}

/* ---- the loop ---- */

bool sim_net_at(struct sim_net *net, uint64_t at, sim_call function, void *user) {
    struct call *call = malloc(sizeof *call);
    if (call == NULL) {
        return false;
    }
    *call = (struct call){function, user};
    sim_net_push(net, at < net->now ? net->now : at, SIM_ENTRY_CALL, 0, call);
    return true;
}

static void happen(struct sim_net *net, struct sim_entry entry) {
    switch ((enum sim_entry_kind)entry.kind) {
    case SIM_ENTRY_ARRIVAL:
        sim_wire_arrive(net, entry.node, entry.item);
        break;
    case SIM_ENTRY_RUN:
        sim_turn_run(net, entry.node, entry.at);
        break;
    case SIM_ENTRY_STREAM:
        sim_stream_due(net, entry.item);
        break;
    case SIM_ENTRY_BREAK:
        sim_stream_broke(net, entry.node, (uint32_t)(uintptr_t)entry.item);
        break;
    case SIM_ENTRY_CALL: {
        struct call call = *(struct call *)entry.item;
        free(entry.item);
        call.call(call.user, entry.at);
        break;
    }
    }
}

void sim_net_run(struct sim_net *net, uint64_t until) {
    struct sim_entry entry;
    net->stopped = false;
    while (!net->stopped && sim_heap_next(&net->heap) <= until &&
           sim_heap_pop(&net->heap, &entry)) {
        net->now = entry.at;
        net->events++;
        happen(net, entry);
    }
    net->now = net->stopped ? net->now : until;
}

void sim_net_stop(struct sim_net *net) {
    net->stopped = true;
}
