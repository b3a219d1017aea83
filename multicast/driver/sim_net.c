#include "sim_net.h"
#include "sim_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What an agenda entry is. */
enum entry_kind { ARRIVAL, RUN, CALL, FLOW, BREAK };

/* A reliable stream from one node to another: what waits, oldest first, and when the head is due.
 */
struct flow {
    uint32_t from, to;
    struct sim_port waiting;
    uint64_t last_due;
    bool scheduled;
};

struct call {
    sim_call call;
    void *user;
};

struct node {
    struct sim_port ports[SIM_SOCKETS];
    struct sim_link link;
    uint64_t burst_until;
    uint64_t wire_free;    /* is when the sender's wire has sent what it was given */
    uint64_t busy_until;   /* is when the CPU is free */
    uint64_t frozen_until; /* is when a frozen node goes on */
    uint64_t run_at;       /* is when the next RUN entry is due, UINT64_MAX when there is none */
    uint64_t alarm;        /* is when the node wants its CPU in any case */
    bool alive;
    bool has_link; /* is whether the link is its own and not the common one */
    struct sim_node_stats stats;
};

/* Who receives what is sent to a group address. */
struct group {
    uint32_t *members;
    uint32_t count, room;
};

struct sim_net {
    uint64_t arrivals; /* is how many packets came to sockets */
    struct sim_config config;
    struct sim_hooks hooks;
    struct sim_heap heap;
    struct sim_random random;
    struct sim_map groups; /* address → struct group */
    struct sim_map flows;  /* from, to → struct flow */
    struct node *nodes;
    uint32_t count, room;
    uint8_t *cuts; /* is one bit a pair, NULL as long as nothing was ever cut */
    uint32_t cut_side;
    uint64_t now;
    uint64_t trace;
    uint64_t events;
    bool stopped;
};

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
    sim_map_init(&net->flows);
    sim_random_seed(&net->random, config->seed);
    net->trace = sim_hash_number(0, config->seed);
    return net;
}

static void free_groups(struct sim_net *net) {
    for (uint32_t i = 0; i < net->groups.room; i++) {
        struct group *group = net->groups.slots[i].value;
        if (group != NULL) {
            free(group->members);
            free(group);
        }
    }
    sim_map_free(&net->groups);
}

static void free_flows(struct sim_net *net) {
    for (uint32_t i = 0; i < net->flows.room; i++) {
        struct flow *flow = net->flows.slots[i].value;
        if (flow != NULL) {
            sim_port_free(&flow->waiting);
            free(flow);
        }
    }
    sim_map_free(&net->flows);
}

void sim_net_free(struct sim_net *net) {
    if (net == NULL) {
        return;
    }
    struct sim_entry entry;
    while (sim_heap_pop(&net->heap, &entry)) {
        if (entry.kind == ARRIVAL) {
            sim_packet_release(entry.item);
        } else if (entry.kind == CALL) {
            free(entry.item);
        }
    }
    for (uint32_t i = 0; i < net->count; i++) {
        for (int s = 0; s < SIM_SOCKETS; s++) {
            sim_port_free(&net->nodes[i].ports[s]);
        }
    }
    free_groups(net);
    free_flows(net);
    sim_heap_free(&net->heap);
    free(net->nodes);
    free(net->cuts);
    free(net);
}

uint32_t sim_net_add(struct sim_net *net) {
    if (net->count == net->room) {
        uint32_t room = net->room == 0 ? FIRST_NODES : net->room * 2;
        struct node *nodes = realloc(net->nodes, room * sizeof *nodes);
        if (nodes == NULL) {
            return UINT32_MAX;
        }
        net->nodes = nodes;
        net->room = room;
    }
    struct node *node = &net->nodes[net->count];
    *node = (struct node){.alive = true, .run_at = UINT64_MAX, .alarm = UINT64_MAX};
    for (int s = 0; s < SIM_SOCKETS; s++) {
        /* A stream has flow control of its own: its bytes wait at the sender, never dropped. */
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

static void push(struct sim_net *net, uint64_t at, enum entry_kind kind, uint32_t node,
                 void *item) {
    struct sim_entry entry = {at, kind, node, item};
    if (!sim_heap_push(&net->heap, entry)) {
        abort(); /* a simulation without memory for its agenda has no meaning left */
    }
}

/* ---- when a node runs ---- */

static void schedule(struct sim_net *net, uint32_t id, uint64_t at) {
    struct node *node = &net->nodes[id];
    at = at < node->busy_until ? node->busy_until : at;
    at = at < node->frozen_until ? node->frozen_until : at;
    if (at < node->run_at) {
        node->run_at = at;
        push(net, at, RUN, id, NULL);
    }
}

static void wake(struct sim_net *net, uint32_t id) {
    struct node *node = &net->nodes[id];
    uint64_t at = net->now + net->config.wake;
    if (node->run_at <= at || node->busy_until > net->now) {
        schedule(net, id, net->now); /* awake or about to be: no wake-up to pay */
        return;
    }
    if (net->config.wake_jitter != 0) {
        at += sim_random_below(&net->random, net->config.wake_jitter + 1);
    }
    schedule(net, id, at);
}

static bool has_input(const struct node *node) {
    for (int s = 0; s < SIM_SOCKETS; s++) {
        if (node->ports[s].count != 0) {
            return true;
        }
    }
    return false;
}

static void count_lateness(struct node *node, uint64_t now) {
    if (node->alarm <= now) {
        uint64_t late = now - node->alarm;
        node->stats.alarms++;
        node->stats.late_sum += late;
        node->stats.late_max = late > node->stats.late_max ? late : node->stats.late_max;
        node->alarm = UINT64_MAX;
    }
}

static void run_node(struct sim_net *net, uint32_t id, uint64_t at) {
    struct node *node = &net->nodes[id];
    if (node->run_at != at) {
        return; /* an earlier entry took its place */
    }
    node->run_at = UINT64_MAX;
    if (!node->alive) {
        return;
    }
    if (at < node->frozen_until || at < node->busy_until) {
        schedule(net, id, at);
        return;
    }
    count_lateness(node, at);
    uint64_t cost = net->hooks.run(net->hooks.user, id, at);
    node = &net->nodes[id]; /* the hook may have added nodes */
    node->busy_until = at + cost;
    node->stats.busy += cost;
    if (has_input(node)) {
        schedule(net, id, node->busy_until);
    } else if (node->alarm != UINT64_MAX) {
        schedule(net, id, node->alarm);
    }
}

void sim_net_alarm(struct sim_net *net, uint32_t id, uint64_t at) {
    struct node *node = &net->nodes[id];
    node->alarm = at;
    if (at != UINT64_MAX && node->alive) {
        schedule(net, id, at < net->now ? net->now : at);
    }
}

void sim_net_poke(struct sim_net *net, uint32_t id) {
    if (net->nodes[id].alive) {
        schedule(net, id, net->now);
    }
}

/* ---- group addresses ---- */

bool sim_net_subscribe(struct sim_net *net, uint32_t node, uint64_t address) {
    assert(address >= SIM_FIRST_GROUP);
    struct group *group = sim_map_get(&net->groups, address);
    if (group == NULL) {
        group = calloc(1, sizeof *group);
        if (group == NULL || !sim_map_put(&net->groups, address, group)) {
            free(group);
            return false;
        }
    }
    for (uint32_t i = 0; i < group->count; i++) {
        if (group->members[i] == node) {
            return true;
        }
    }
    if (group->count == group->room) {
        uint32_t room = group->room == 0 ? 4 : group->room * 2;
        uint32_t *members = realloc(group->members, room * sizeof *members);
        if (members == NULL) {
            return false;
        }
        group->members = members;
        group->room = room;
    }
    group->members[group->count++] = node;
    return true;
}

void sim_net_unsubscribe(struct sim_net *net, uint32_t node, uint64_t address) {
    struct group *group = sim_map_get(&net->groups, address);
    for (uint32_t i = 0; group != NULL && i < group->count; i++) {
        if (group->members[i] == node) {
            memmove(group->members + i, group->members + i + 1,
                    (group->count - i - 1) * sizeof *group->members);
            group->count--;
            return;
        }
    }
}

/* ---- cuts ---- */

static bool is_cut(const struct sim_net *net, uint32_t from, uint32_t to) {
    if (net->cuts == NULL || from >= net->cut_side || to >= net->cut_side) {
        return false;
    }
    size_t bit = (size_t)from * net->cut_side + to;
    return (net->cuts[bit / 8] >> (bit % 8) & 1) != 0;
}

/* Makes the table of cuts as wide as there are nodes. */
static bool widen_cuts(struct sim_net *net) {
    uint32_t side = net->count;
    uint8_t *cuts = calloc(((size_t)side * side + 7) / 8, 1);
    if (cuts == NULL) {
        return false;
    }
    for (uint32_t a = 0; a < net->cut_side; a++) {
        for (uint32_t b = 0; b < net->cut_side; b++) {
            size_t bit = (size_t)a * side + b;
            cuts[bit / 8] |= (uint8_t)((is_cut(net, a, b) ? 1u : 0u) << (bit % 8));
        }
    }
    free(net->cuts);
    net->cuts = cuts;
    net->cut_side = side;
    return true;
}

bool sim_net_cut(struct sim_net *net, uint32_t a, uint32_t b, bool cut) {
    assert(a < net->count && b < net->count);
    if ((a >= net->cut_side || b >= net->cut_side) && !widen_cuts(net)) {
        return false;
    }
    size_t bit = (size_t)a * net->cut_side + b;
    uint8_t mask = (uint8_t)(1u << (bit % 8));
    net->cuts[bit / 8] = (uint8_t)(cut ? net->cuts[bit / 8] | mask : net->cuts[bit / 8] & ~mask);
    return true;
}

/* ---- datagrams ---- */

static const struct sim_link *link_of(const struct sim_net *net, uint32_t node) {
    return net->nodes[node].has_link ? &net->nodes[node].link : &net->config.link;
}

/* A copy of @packet with other bytes in it. */
static struct sim_packet *spoil(struct sim_net *net, const struct sim_packet *packet) {
    struct sim_packet *copy = sim_packet_new(packet->size);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy->bytes, packet->bytes, packet->size);
    copy->from = packet->from;
    copy->kind = packet->kind;
    net->hooks.corrupt(net->hooks.user, copy);
    /* Two changes may undo each other. */
    copy->spoilt = memcmp(copy->bytes, packet->bytes, packet->size) != 0;
    return copy;
}

static void send_to(struct sim_net *net, struct sim_packet *packet, uint32_t to, uint64_t leaves) {
    struct node *node = &net->nodes[to];
    if (!node->alive) {
        return;
    }
    bool passes = !is_cut(net, packet->from, to);
    if (passes && net->hooks.pass != NULL) {
        passes = net->hooks.pass(net->hooks.user, packet, to, net->now);
    }
    struct sim_fate fate = {0, {0, 0}};
    if (passes) {
        fate = sim_link_fate(link_of(net, to), &net->random, leaves, &node->burst_until);
    }
    node->stats.lost += fate.copies == 0;
    for (uint32_t i = 0; i < fate.copies; i++) {
        bool spoilt = net->hooks.corrupt != NULL &&
                      sim_random_chance(&net->random, link_of(net, to)->corrupt);
        struct sim_packet *copy = spoilt ? spoil(net, packet) : sim_packet_keep(packet);
        push(net, leaves + fate.delay[i], ARRIVAL, to, copy);
    }
}

/* The time @packet has left the wire of its sender, which gets it @after ns from now. */
static uint64_t transmit(struct sim_net *net, const struct sim_packet *packet, uint64_t after) {
    struct node *from = &net->nodes[packet->from];
    uint64_t start = net->now + after;
    start = start < from->wire_free ? from->wire_free : start;
    from->wire_free = start + packet->size * net->config.wire_per_byte_ps / 1000;
    from->stats.sent[packet->kind]++;
    from->stats.sent_bytes[packet->kind] += packet->size;
    net->trace = sim_hash_number(net->trace, from->wire_free);
    net->trace = sim_hash_bytes(net->trace, packet->bytes, packet->size);
    return from->wire_free;
}

void sim_net_send(struct sim_net *net, uint32_t from, uint64_t address, struct sim_packet *packet,
                  uint64_t after) {
    packet->from = from;
    uint64_t leaves = transmit(net, packet, after);
    if (address < SIM_FIRST_GROUP) {
        if (address < net->count) {
            send_to(net, packet, (uint32_t)address, leaves);
        }
    } else {
        const struct group *group = sim_map_get(&net->groups, address);
        for (uint32_t i = 0; group != NULL && i < group->count; i++) {
            send_to(net, packet, group->members[i], leaves);
        }
    }
    sim_packet_release(packet);
}

uint64_t sim_net_wire_free(const struct sim_net *net, uint32_t node) {
    uint64_t free_at = net->nodes[node].wire_free;
    return free_at < net->now ? net->now : free_at;
}

static void arrive(struct sim_net *net, uint32_t to, struct sim_packet *packet) {
    struct node *node = &net->nodes[to];
    if (!node->alive) {
        sim_packet_release(packet);
        return;
    }
    uint64_t word = (uint64_t)to << 32 | packet->size;
    net->trace = sim_hash_number(net->trace, word ^ net->now);
    sim_port_put(&node->ports[packet->kind], packet, ++net->arrivals);
    wake(net, to);
}

struct sim_packet *sim_net_take(struct sim_net *net, uint32_t id, enum sim_socket socket) {
    struct node *node = &net->nodes[id];
    struct sim_packet *packet = sim_port_take(&node->ports[socket]);
    if (packet != NULL) {
        node->stats.received[socket]++;
        node->stats.received_bytes[socket] += packet->size;
    }
    return packet;
}

enum sim_socket sim_net_oldest(const struct sim_net *net, uint32_t id) {
    const struct node *node = &net->nodes[id];
    enum sim_socket oldest = (enum sim_socket)0;
    for (int i = 1; i < SIM_SOCKETS; i++) {
        if (sim_port_oldest(&node->ports[i]) < sim_port_oldest(&node->ports[oldest])) {
            oldest = (enum sim_socket)i;
        }
    }
    return oldest;
}

uint32_t sim_net_waiting(const struct sim_net *net, uint32_t node, enum sim_socket socket) {
    return net->nodes[node].ports[socket].count;
}

/* ---- streams ---- */

static struct flow *flow_between(struct sim_net *net, uint32_t from, uint32_t to) {
    uint64_t key = ((uint64_t)from << 32 | to) + 1;
    struct flow *flow = sim_map_get(&net->flows, key);
    if (flow == NULL) {
        flow = calloc(1, sizeof *flow);
        if (flow == NULL || !sim_map_put(&net->flows, key, flow)) {
            abort();
        }
        flow->from = from;
        flow->to = to;
        sim_port_init(&flow->waiting, UINT64_MAX);
    }
    return flow;
}

static void schedule_flow(struct sim_net *net, struct flow *flow, uint64_t at) {
    at = at > flow->last_due ? at : flow->last_due + 1;
    flow->last_due = at;
    flow->scheduled = true;
    push(net, at, FLOW, flow->to, flow);
}

void sim_net_stream(struct sim_net *net, uint32_t from, uint32_t to, struct sim_packet *packet,
                    uint64_t after) {
    packet->from = from;
    packet->kind = SIM_STREAM;
    uint64_t leaves = transmit(net, packet, after);
    if (to >= net->count || !net->nodes[to].alive) {
        sim_packet_release(packet);
        push(net, leaves + net->config.link.latency, BREAK, from, (void *)(uintptr_t)to);
        return;
    }
    struct flow *flow = flow_between(net, from, to);
    sim_port_put(&flow->waiting, packet, 0);
    if (!flow->scheduled) {
        struct sim_link calm = {.latency = link_of(net, to)->latency,
                                .jitter = link_of(net, to)->jitter};
        schedule_flow(net, flow, leaves + sim_link_delay(&calm, &net->random));
    }
}

/* The head of the stream is due: it arrives, unless the way is cut, and the next one follows. */
static void flow_due(struct sim_net *net, struct flow *flow) {
    flow->scheduled = false;
    if (flow->waiting.count == 0) {
        return;
    }
    if (is_cut(net, flow->from, flow->to) || is_cut(net, flow->to, flow->from)) {
        schedule_flow(net, flow, net->now + net->config.stream_retry);
        return;
    }
    struct sim_packet *packet = sim_port_take(&flow->waiting);
    uint64_t next = net->now + packet->size * net->config.wire_per_byte_ps / 1000;
    arrive(net, flow->to, packet);
    if (flow->waiting.count != 0) {
        schedule_flow(net, flow, next);
    }
}

/* Ends all streams of @id and tells the other ends, a latency later. */
static void break_flows(struct sim_net *net, uint32_t id) {
    for (uint32_t i = 0; i < net->flows.room; i++) {
        struct flow *flow = net->flows.slots[i].value;
        if (flow == NULL || (flow->from != id && flow->to != id)) {
            continue;
        }
        sim_port_clear(&flow->waiting);
        uint32_t peer = flow->from == id ? flow->to : flow->from;
        if (net->nodes[peer].alive) {
            push(net, net->now + net->config.link.latency, BREAK, peer, (void *)(uintptr_t)id);
        }
    }
}

static void stream_broke(struct sim_net *net, uint32_t node, uint32_t peer) {
    if (net->nodes[node].alive && net->hooks.broken != NULL) {
        net->hooks.broken(net->hooks.user, node, peer, net->now);
        wake(net, node);
    }
}

/* ---- faults ---- */

void sim_net_freeze(struct sim_net *net, uint32_t id, uint64_t until) {
    struct node *node = &net->nodes[id];
    node->frozen_until = until;
    if (node->run_at < until) {
        node->run_at = UINT64_MAX;
        schedule(net, id, until);
    }
}

void sim_net_crash(struct sim_net *net, uint32_t id) {
    struct node *node = &net->nodes[id];
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
    break_flows(net, id);
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
    return *link_of(net, node);
}

/* ---- the loop ---- */

bool sim_net_at(struct sim_net *net, uint64_t at, sim_call function, void *user) {
    struct call *call = malloc(sizeof *call);
    if (call == NULL) {
        return false;
    }
    *call = (struct call){function, user};
    push(net, at < net->now ? net->now : at, CALL, 0, call);
    return true;
}

static void happen(struct sim_net *net, struct sim_entry entry) {
    switch ((enum entry_kind)entry.kind) {
    case ARRIVAL:
        arrive(net, entry.node, entry.item);
        break;
    case RUN:
        run_node(net, entry.node, entry.at);
        break;
    case FLOW:
        flow_due(net, entry.item);
        break;
    case BREAK:
        stream_broke(net, entry.node, (uint32_t)(uintptr_t)entry.item);
        break;
    case CALL: {
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
