/* The network from within: what its files share. Each is a thought of its own: sim_net.c the agenda
 * and the nodes, sim_turn.c when a node runs, sim_group_address.c who hears a group address,
 * sim_wire.c datagrams, links and cuts, sim_stream.c reliable streams. */
#ifndef SIM_NET_INSIDE_H
#define SIM_NET_INSIDE_H

#include "simulator/base/map.h"
#include "simulator/network/network.h"

/* What an agenda entry is. */
enum sim_entry_kind {
    SIM_ENTRY_ARRIVAL,
    SIM_ENTRY_RUN,
    SIM_ENTRY_CALL,
    SIM_ENTRY_STREAM,
    SIM_ENTRY_BREAK
};

/* A reliable stream from one node to another: what waits, oldest first, and when the head is due.
 */
struct sim_stream {
    uint32_t from, to;
    struct sim_port waiting;
    uint64_t last_due;
    bool scheduled;
};

struct call {
    sim_call call;
    void *user;
};

struct sim_node {
    struct sim_port ports[SIM_SOCKETS];
    struct sim_link link;
    uint64_t burst_until;
    uint64_t wire_free;    /* is when the sender's wire has sent what it was given */
    uint64_t busy_until;   /* is when the CPU is free */
    uint64_t frozen_until; /* is when a frozen node goes on */
    uint64_t
        run_at;     /* is when the next SIM_ENTRY_RUN entry is due, UINT64_MAX when there is none */
    uint64_t alarm; /* is when the node wants its CPU in any case */
    bool alive;
    bool has_link; /* is whether the link is its own and not the common one */
    struct sim_node_stats stats;
};

/* Who receives what is sent to a group address. */
struct sim_group {
    uint32_t *members;
    uint32_t count, room;
};

struct sim_net {
    uint64_t arrivals; /* is how many packets came to sockets */
    struct sim_config config;
    struct sim_hooks hooks;
    struct sim_heap heap;
    struct sim_random random;
    struct sim_map groups;  /* address → struct sim_group */
    struct sim_map streams; /* from, to → struct sim_stream */
    struct sim_node *nodes;
    uint32_t count, room;
    uint8_t *cuts; /* is one bit a pair, NULL as long as nothing was ever cut */
    uint32_t cut_side;
    uint64_t now;
    uint64_t trace;
    uint64_t events;
    bool stopped;
};

/* Puts an entry in the agenda; ends the program without memory. */
void sim_net_push(struct sim_net *net, uint64_t at, enum sim_entry_kind kind, uint32_t node,
                  void *item);

/* Lets node @id run at @at, or as soon as its CPU is free and it is not frozen. */
void sim_turn_schedule(struct sim_net *net, uint32_t id, uint64_t at);
/* Lets node @id run because something came, with the delay of a wake-up if it sleeps. */
void sim_turn_wake(struct sim_net *net, uint32_t id);
/* A RUN entry is due. */
void sim_turn_run(struct sim_net *net, uint32_t id, uint64_t at);

void sim_groups_free(struct sim_net *net);

bool sim_cut_between(const struct sim_net *net, uint32_t from, uint32_t to);
const struct sim_link *sim_wire_link(const struct sim_net *net, uint32_t node);
/* The time @packet has left the wire of its sender, which gets it @after ns from now. */
uint64_t sim_wire_transmit(struct sim_net *net, const struct sim_packet *packet, uint64_t after);
/* @packet is at a socket of node @to, which takes it over. */
void sim_wire_arrive(struct sim_net *net, uint32_t to, struct sim_packet *packet);

/* The head of @stream is due. */
void sim_stream_due(struct sim_net *net, struct sim_stream *stream);
/* Ends all streams of @id and tells the other ends, a latency later. */
void sim_streams_break(struct sim_net *net, uint32_t id);
/* The stream from @node to @peer has ended, which @node is told. */
void sim_stream_broke(struct sim_net *net, uint32_t node, uint32_t peer);
void sim_streams_free(struct sim_net *net);

#endif
