/* Datagrams: the wire that they leave by, the links and cuts on their way, and the sockets that
 * they arrive at. */
#include "simulator/network/network_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool sim_cut_between(const struct sim_net *net, uint32_t from, uint32_t to) {
    if (net->cuts == NULL || from >= net->cut_side || to >= net->cut_side) {
        return false;
    }
    size_t bit = (size_t)from * net->cut_side + to;
    return (net->cuts[bit / 8] >> (bit % 8) & 1) != 0;
}

/* Widen the table of cuts to the count of nodes. */
static bool widen_cuts(struct sim_net *net) {
    uint32_t side = net->count;
    uint8_t *cuts = calloc(((size_t)side * side + 7) / 8, 1);
    if (cuts == NULL) {
        return false;
    }
    for (uint32_t a = 0; a < net->cut_side; a++) {
        for (uint32_t b = 0; b < net->cut_side; b++) {
            size_t bit = (size_t)a * side + b;
            cuts[bit / 8] |= (uint8_t)((sim_cut_between(net, a, b) ? 1u : 0u) << (bit % 8));
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

const struct sim_link *sim_wire_link(const struct sim_net *net, uint32_t node) {
    return net->nodes[node].has_link ? &net->nodes[node].link : &net->config.link;
}

/* Make a copy of @packet with some bytes changed. */
static struct sim_packet *corrupt_copy(struct sim_net *net, const struct sim_packet *packet) {
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
    struct sim_node *node = &net->nodes[to];
    if (!node->alive) {
        return;
    }
    bool passes = !sim_cut_between(net, packet->from, to);
    if (passes && net->hooks.pass != NULL) {
        passes = net->hooks.pass(net->hooks.user, packet, to, net->now);
    }
    struct sim_fate fate = {0, {0, 0}};
    if (passes) {
        fate = sim_link_fate(sim_wire_link(net, to), &net->random, leaves, &node->burst_until);
    }
    node->stats.lost += fate.copies == 0;
    for (uint32_t i = 0; i < fate.copies; i++) {
        bool spoilt = net->hooks.corrupt != NULL &&
                      sim_random_chance(&net->random, sim_wire_link(net, to)->corrupt);
        struct sim_packet *copy = spoilt ? corrupt_copy(net, packet) : sim_packet_keep(packet);
        sim_net_push(net, leaves + fate.delay[i], SIM_ENTRY_ARRIVAL, to, copy);
    }
}

uint64_t sim_wire_transmit(struct sim_net *net, const struct sim_packet *packet, uint64_t after) {
    struct sim_node *from = &net->nodes[packet->from];
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
    uint64_t leaves = sim_wire_transmit(net, packet, after);
    if (address < SIM_FIRST_GROUP) {
        if (address < net->count) {
            send_to(net, packet, (uint32_t)address, leaves);
        }
    } else {
        const struct sim_group *group = sim_map_get(&net->groups, address);
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

void sim_wire_arrive(struct sim_net *net, uint32_t to, struct sim_packet *packet) {
    struct sim_node *node = &net->nodes[to];
    if (!node->alive) {
        sim_packet_release(packet);
        return;
    }
    uint64_t word = (uint64_t)to << 32 | packet->size;
    net->trace = sim_hash_number(net->trace, word ^ net->now);
    sim_port_put(&node->ports[packet->kind], packet, ++net->arrivals);
    sim_turn_wake(net, to);
}

struct sim_packet *sim_net_take(struct sim_net *net, uint32_t id, enum sim_socket socket) {
    struct sim_node *node = &net->nodes[id];
    struct sim_packet *packet = sim_port_take(&node->ports[socket]);
    if (packet != NULL) {
        node->stats.received[socket]++;
        node->stats.received_bytes[socket] += packet->size;
    }
    return packet;
}

enum sim_socket sim_net_oldest(const struct sim_net *net, uint32_t id) {
    const struct sim_node *node = &net->nodes[id];
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
