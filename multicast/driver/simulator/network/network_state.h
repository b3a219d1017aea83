/* The state of the network, shared by its files: network.c has the event queue and the nodes,
 * cpu_turn.c decides when a node runs, group_address.c who receives a group address, datagrams.c
 * has datagrams, links and cuts, streams.c reliable streams. */
#ifndef DRIVER_SIMULATOR_NETWORK_NETWORK_STATE_H
#define DRIVER_SIMULATOR_NETWORK_NETWORK_STATE_H

#include "simulator/base/map.h"
#include "simulator/network/network.h"

/* The kinds of entries in the event queue. */
enum sim_entry_kind {
    SIM_ENTRY_ARRIVAL,
    SIM_ENTRY_RUN,
    SIM_ENTRY_CALL,
    SIM_ENTRY_STREAM,
    SIM_ENTRY_BREAK
};

/* A reliable stream from one node to another: the waiting packets, oldest first, and when the first
 * is due. */
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
    uint64_t wire_free;    /* when the sender's wire has sent everything queued */
    uint64_t busy_until;   /* when the CPU is free */
    uint64_t frozen_until; /* when a frozen node goes on */
    uint64_t run_at; /* when the next SIM_ENTRY_RUN entry is due, UINT64_MAX if there is none */
    uint64_t alarm;  /* when the node wants its CPU in any case */
    bool alive;
    bool has_link; /* true if the link is its own and not the common one */
    struct sim_node_stats stats;
};

/* The nodes that receive datagrams sent to a group address. */
struct sim_group {
    uint32_t *members;
    uint32_t count, room;
};

struct sim_net {
    uint64_t arrivals; /* the count of packets that arrived at sockets */
    struct sim_config config;
    struct sim_hooks hooks;
    struct sim_heap heap;
    struct sim_random random;
    struct sim_map groups;  /* address → struct sim_group */
    struct sim_map streams; /* from, to → struct sim_stream */
    struct sim_node *nodes;
    uint32_t count, room;
    uint8_t *cuts; /* one bit for each pair, NULL while nothing was ever cut */
    uint32_t cut_side;
    uint64_t now;
    uint64_t trace;
    uint64_t events;
    bool stopped;
};

/* Add an entry to the event queue. End the program without memory. */
void sim_net_push(struct sim_net *net, uint64_t at, enum sim_entry_kind kind, uint32_t node,
                  void *item);

/* Run node @id at @at, or as soon as its CPU is free and it is not frozen. */
void sim_turn_schedule(struct sim_net *net, uint32_t id, uint64_t at);
/* Run node @id because something arrived, after a wake-up delay if it sleeps. */
void sim_turn_wake(struct sim_net *net, uint32_t id);
/* Handle a RUN entry that is due. */
void sim_turn_run(struct sim_net *net, uint32_t id, uint64_t at);

void sim_groups_free(struct sim_net *net);

bool sim_cut_between(const struct sim_net *net, uint32_t from, uint32_t to);
const struct sim_link *sim_wire_link(const struct sim_net *net, uint32_t node);
/* The time when @packet has left the wire of its sender, which gets it @after ns from now. */
uint64_t sim_wire_transmit(struct sim_net *net, const struct sim_packet *packet, uint64_t after);
/* Deliver @packet to a socket of node @to, which takes it over. */
void sim_wire_arrive(struct sim_net *net, uint32_t to, struct sim_packet *packet);

/* Deliver the first packet of @stream, which is due. */
void sim_stream_due(struct sim_net *net, struct sim_stream *stream);
/* End all streams of @id and tell the other ends, a latency later. */
void sim_streams_break(struct sim_net *net, uint32_t id);
/* Tell @node that the stream from it to @peer has ended. */
void sim_stream_broke(struct sim_net *net, uint32_t node, uint32_t peer);
void sim_streams_free(struct sim_net *net);

#endif
