/* Reliable streams: nothing is lost, and packets on a cut link wait. */
#include "simulator/network/network_state.h"

#include <stdlib.h>

void sim_streams_free(struct sim_net *net) {
    for (uint32_t i = 0; i < net->streams.room; i++) {
        struct sim_stream *stream = net->streams.slots[i].value;
        if (stream != NULL) {
            sim_port_free(&stream->waiting);
            free(stream);
        }
    }
    sim_map_free(&net->streams);
}

static struct sim_stream *stream_between(struct sim_net *net, uint32_t from, uint32_t to) {
    uint64_t key = ((uint64_t)from << 32 | to) + 1;
    struct sim_stream *stream = sim_map_get(&net->streams, key);
    if (stream == NULL) {
        stream = calloc(1, sizeof *stream);
        if (stream == NULL || !sim_map_put(&net->streams, key, stream)) {
            abort();
        }
        stream->from = from;
        stream->to = to;
        sim_port_init(&stream->waiting, UINT64_MAX);
    }
    return stream;
}

static void schedule(struct sim_net *net, struct sim_stream *stream, uint64_t at) {
    at = at > stream->last_due ? at : stream->last_due + 1;
    stream->last_due = at;
    stream->scheduled = true;
    sim_net_push(net, at, SIM_ENTRY_STREAM, stream->to, stream);
}

void sim_net_stream(struct sim_net *net, uint32_t from, uint32_t to, struct sim_packet *packet,
                    uint64_t after) {
    packet->from = from;
    packet->kind = SIM_STREAM;
    uint64_t leaves = sim_wire_transmit(net, packet, after);
    if (to >= net->count || !net->nodes[to].alive) {
        sim_packet_release(packet);
        sim_net_push(net, leaves + net->config.link.latency, SIM_ENTRY_BREAK, from,
                     (void *)(uintptr_t)to);
        return;
    }
    struct sim_stream *stream = stream_between(net, from, to);
    sim_port_put(&stream->waiting, packet, 0);
    if (!stream->scheduled) {
        struct sim_link calm = {.latency = sim_wire_link(net, to)->latency,
                                .jitter = sim_wire_link(net, to)->jitter};
        schedule(net, stream, leaves + sim_link_delay(&calm, &net->random));
    }
}

/* Deliver the packet unless the link is cut, and schedule the next. */
void sim_stream_due(struct sim_net *net, struct sim_stream *stream) {
    stream->scheduled = false;
    if (stream->waiting.count == 0) {
        return;
    }
    if (sim_cut_between(net, stream->from, stream->to) ||
        sim_cut_between(net, stream->to, stream->from)) {
        schedule(net, stream, net->now + net->config.stream_retry);
        return;
    }
    struct sim_packet *packet = sim_port_take(&stream->waiting);
    uint64_t next = net->now + packet->size * net->config.wire_per_byte_ps / 1000;
    sim_wire_arrive(net, stream->to, packet);
    if (stream->waiting.count != 0) {
        schedule(net, stream, next);
    }
}

void sim_streams_break(struct sim_net *net, uint32_t id) {
    for (uint32_t i = 0; i < net->streams.room; i++) {
        struct sim_stream *stream = net->streams.slots[i].value;
        if (stream == NULL || (stream->from != id && stream->to != id)) {
            continue;
        }
        sim_port_clear(&stream->waiting);
        uint32_t peer = stream->from == id ? stream->to : stream->from;
        if (net->nodes[peer].alive) {
            sim_net_push(net, net->now + net->config.link.latency, SIM_ENTRY_BREAK, peer,
                         (void *)(uintptr_t)id);
        }
    }
}

void sim_stream_broke(struct sim_net *net, uint32_t node, uint32_t peer) {
    if (net->nodes[node].alive && net->hooks.broken != NULL) {
        net->hooks.broken(net->hooks.user, node, peer, net->now);
        sim_turn_wake(net, node);
    }
}
