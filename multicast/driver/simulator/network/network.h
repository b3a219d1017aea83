/* Network: a virtual network of nodes with one CPU each, bounded socket queues, lossy links and a
 * virtual clock.
 *
 * It knows datagrams and streams of bytes, and nothing of the protocol. A packet, an alarm or a
 * poke wakes a node; the `run` hook then gets its CPU, takes packets from its sockets, sends, and
 * returns how long it was busy. Until then nothing else runs on that node, and packets that arrive
 * wait in its sockets. */
#ifndef DRIVER_SIMULATOR_NETWORK_NETWORK_H
#define DRIVER_SIMULATOR_NETWORK_NETWORK_H

#include "simulator/base/event_queue.h"
#include "simulator/base/hash.h"
#include "simulator/base/random.h"
#include "simulator/network/link.h"
#include "simulator/network/packet.h"
#include "simulator/network/socket_queue.h"

/* The sockets of a node. Each has a kernel queue of its own, so that a token can overtake queued
 * data. */
enum sim_socket { SIM_CONTROL, SIM_REPAIR, SIM_DATA, SIM_STREAM, SIM_SOCKETS };

/* Addresses below this are nodes; those from here on are group addresses. */
#define SIM_FIRST_GROUP ((uint64_t)1 << 32)

struct sim_net;

/* Callbacks that the user of the network supplies. */
struct sim_hooks {
    void *user;
    /* Run @node at @now. Return how long its CPU is busy, in ns. */
    uint64_t (*run)(void *user, uint32_t node, uint64_t now);
    /* True if @packet may reach @to; asked before any random draw. NULL: always. */
    bool (*pass)(void *user, const struct sim_packet *packet, uint32_t to, uint64_t now);
    /* Change the bytes of @packet, which is a separate copy. NULL: nothing is ever corrupted. */
    void (*corrupt)(void *user, struct sim_packet *packet);
    /* The stream between @node and @peer broke because the peer ended. NULL: ignored. */
    void (*broken)(void *user, uint32_t node, uint32_t peer, uint64_t now);
};

struct sim_config {
    uint64_t seed;
    struct sim_link link; /* the link into every node that has none of its own */
    uint64_t wake;        /* the time from arrival to running on an idle CPU, in ns */
    uint64_t wake_jitter; /* added to it, uniform, in ns */
    uint64_t
        wire_per_byte_ps;  /* the time of a byte on the wire of its sender, in ps; 8000 is 1 Gb/s */
    uint64_t socket_limit; /* the bytes that a kernel queue holds */
    uint64_t stream_retry; /* the time after which a cut stream tries again, in ns */
};

/* The configuration of a quiet 1 Gb/s network: 100 us of latency, 20 us of jitter, no loss, 4 MiB
 * queues. */
struct sim_config sim_config_lan(uint64_t seed);

/* Counters of a node, never reset. */
struct sim_node_stats {
    uint64_t sent[SIM_SOCKETS], sent_bytes[SIM_SOCKETS];
    uint64_t received[SIM_SOCKETS], received_bytes[SIM_SOCKETS];
    uint64_t lost;       /* packets that the link lost on the way in */
    uint64_t overflowed; /* packets that found a kernel queue full */
    uint64_t busy;       /* the CPU time used, in ns */
    uint64_t late_max;   /* the longest delay of an alarm, in ns */
    uint64_t late_sum;
    uint64_t alarms;
    uint64_t queue_peak; /* the most bytes that a kernel queue held */
};

/* Return NULL without memory. The hooks are copied. */
struct sim_net *sim_net_new(const struct sim_config *config, const struct sim_hooks *hooks);
void sim_net_free(struct sim_net *net);

/* Add a node. Return its number, counted from 0; UINT32_MAX without memory. */
uint32_t sim_net_add(struct sim_net *net);
uint32_t sim_net_count(const struct sim_net *net);

uint64_t sim_net_now(const struct sim_net *net);
struct sim_random *sim_net_random(struct sim_net *net);
uint64_t sim_net_trace(const struct sim_net *net);
uint64_t sim_net_events(const struct sim_net *net);
void sim_net_note(struct sim_net *net, uint64_t value); /* fold @value into the trace */
struct sim_node_stats sim_net_stats(const struct sim_net *net, uint32_t node);

/* Subscribe @node to the group @address, or unsubscribe it. */
bool sim_net_subscribe(struct sim_net *net, uint32_t node, uint64_t address);
void sim_net_unsubscribe(struct sim_net *net, uint32_t node, uint64_t address);

/* Send @packet to @address, @after ns from now (the CPU time spent before it left). It takes over
 * the reference of the caller. A sender receives its own datagrams to a group only if it
 * subscribed. */
void sim_net_send(struct sim_net *net, uint32_t from, uint64_t address, struct sim_packet *packet,
                  uint64_t after);

/* Send @packet on the reliable stream from its sender to @to: in order, never lost; a cut link
 * delays it, the end of either node ends it. It takes over the reference of the caller. */
void sim_net_stream(struct sim_net *net, uint32_t from, uint32_t to, struct sim_packet *packet,
                    uint64_t after);

/* The time when the wire of @node has sent everything queued; not before now. */
uint64_t sim_net_wire_free(const struct sim_net *net, uint32_t node);

/* Inside `run`: take the oldest packet of a socket, which the caller releases. NULL if there is
 * none. */
struct sim_packet *sim_net_take(struct sim_net *net, uint32_t node, enum sim_socket socket);

/* The socket whose oldest packet arrived first; any socket if none waits. */
enum sim_socket sim_net_oldest(const struct sim_net *net, uint32_t node);

/* The count of packets that wait in a socket. */
uint32_t sim_net_waiting(const struct sim_net *net, uint32_t node, enum sim_socket socket);

/* Run @node at the time @at even if nothing arrives; UINT64_MAX: never. */
void sim_net_alarm(struct sim_net *net, uint32_t node, uint64_t at);

/* Run @node as soon as its CPU is free: the application has a request. */
void sim_net_poke(struct sim_net *net, uint32_t node);

/* Faults. A frozen node gets no CPU and its sockets fill. A crashed one loses everything and
 * receives nothing until it is revived. A cut drops packets from @a to @b, one way. */
void sim_net_freeze(struct sim_net *net, uint32_t node, uint64_t until);
void sim_net_crash(struct sim_net *net, uint32_t node);
void sim_net_revive(struct sim_net *net, uint32_t node);
bool sim_net_alive(const struct sim_net *net, uint32_t node);
bool sim_net_cut(struct sim_net *net, uint32_t a, uint32_t b, bool cut);
void sim_net_link(struct sim_net *net, uint32_t node, const struct sim_link *link);
struct sim_link sim_net_link_of(const struct sim_net *net, uint32_t node);

/* Call @call(@user, now) at @at. Return false without memory. */
typedef void (*sim_call)(void *user, uint64_t now);
bool sim_net_at(struct sim_net *net, uint64_t at, sim_call call, void *user);

/* Run all events up to and including @until, which becomes the time. Return early, at the time of
 * the last event, if sim_net_stop was called meanwhile. */
void sim_net_run(struct sim_net *net, uint64_t until);
void sim_net_stop(struct sim_net *net);

#endif
