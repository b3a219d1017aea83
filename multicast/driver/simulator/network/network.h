/* The virtual network: nodes with one CPU each, bounded socket queues, lossy links, a virtual
 * clock.
 *
 * It knows datagrams and streams of bytes, and nothing of the protocol. A node is woken by a
 * packet, an alarm or a poke; it then gets its CPU through the `run` hook, takes what it wants from
 * its sockets, sends, and says how long it was busy. Until that time nothing else runs on it, and
 * what arrives waits in its sockets. */
#ifndef SIM_NET_H
#define SIM_NET_H

#include "simulator/base/event_queue.h"
#include "simulator/base/hash.h"
#include "simulator/base/random.h"
#include "simulator/network/link.h"
#include "simulator/network/packet.h"
#include "simulator/network/socket_queue.h"

/* The sockets of a node. Each has a kernel queue of its own, so that a token can pass queued data.
 */
enum sim_socket { SIM_CONTROL, SIM_REPAIR, SIM_DATA, SIM_STREAM, SIM_SOCKETS };

/* Addresses below this are nodes; those from here on are group addresses. */
#define SIM_FIRST_GROUP ((uint64_t)1 << 32)

struct sim_net;

/* What the user of the network supplies. */
struct sim_hooks {
    void *user;
    /* Gives @node its CPU at @now; returns how long it is busy, ns. */
    uint64_t (*run)(void *user, uint32_t node, uint64_t now);
    /* Whether @packet may reach @to; asked before the dice are thrown. NULL: always. */
    bool (*pass)(void *user, const struct sim_packet *packet, uint32_t to, uint64_t now);
    /* Changes the bytes of @packet, which is a copy of its own. NULL: nothing is ever corrupted. */
    void (*corrupt)(void *user, struct sim_packet *packet);
    /* The stream between @node and @peer broke: the peer ended. NULL: nobody asks. */
    void (*broken)(void *user, uint32_t node, uint32_t peer, uint64_t now);
};

struct sim_config {
    uint64_t seed;
    struct sim_link link; /* is the way into every node, unless it has one of its own */
    uint64_t wake;        /* is the time from arrival to running on an idle CPU, ns */
    uint64_t wake_jitter; /* is added to it, uniform, ns */
    uint64_t
        wire_per_byte_ps;  /* is the time a byte takes on the sender's wire, ps; 8000 is 1 Gb/s */
    uint64_t socket_limit; /* is the bytes a kernel queue holds */
    uint64_t stream_retry; /* is after how long a cut stream tries again, ns */
};

/* A config of a quiet 1 Gb/s network: 100 us of latency, 20 us of jitter, no loss, 4 MiB queues. */
struct sim_config sim_config_lan(uint64_t seed);

/* What a node has seen; plain numbers, reset never. */
struct sim_node_stats {
    uint64_t sent[SIM_SOCKETS], sent_bytes[SIM_SOCKETS];
    uint64_t received[SIM_SOCKETS], received_bytes[SIM_SOCKETS];
    uint64_t lost;       /* is packets the link lost on the way in */
    uint64_t overflowed; /* is packets that found a kernel queue full */
    uint64_t busy;       /* is the CPU time used, ns */
    uint64_t late_max;   /* is the longest an alarm waited beyond its time, ns */
    uint64_t late_sum;
    uint64_t alarms;
    uint64_t queue_peak; /* is the most bytes a kernel queue held */
};

/* NULL when there is no memory. The hooks are copied. */
struct sim_net *sim_net_new(const struct sim_config *config, const struct sim_hooks *hooks);
void sim_net_free(struct sim_net *net);

/* Adds a node and returns its number, counted from 0; UINT32_MAX when there is no memory. */
uint32_t sim_net_add(struct sim_net *net);
uint32_t sim_net_count(const struct sim_net *net);

uint64_t sim_net_now(const struct sim_net *net);
struct sim_random *sim_net_random(struct sim_net *net);
uint64_t sim_net_trace(const struct sim_net *net);
uint64_t sim_net_events(const struct sim_net *net);
void sim_net_note(struct sim_net *net, uint64_t value); /* folds @value into the trace */
struct sim_node_stats sim_net_stats(const struct sim_net *net, uint32_t node);

/* Makes @node receive what is sent to the group @address, or no longer. */
bool sim_net_subscribe(struct sim_net *net, uint32_t node, uint64_t address);
void sim_net_unsubscribe(struct sim_net *net, uint32_t node, uint64_t address);

/* Sends @packet to @address, @after ns from now (the CPU time spent before it left). Takes over the
 * caller's hold. A sender does not hear itself on a group address unless it subscribed. */
void sim_net_send(struct sim_net *net, uint32_t from, uint64_t address, struct sim_packet *packet,
                  uint64_t after);

/* Sends @packet on the reliable stream from its sender to @to: in order, never lost; a cut link
 * delays it, the end of either node ends it. Takes over the caller's hold. */
void sim_net_stream(struct sim_net *net, uint32_t from, uint32_t to, struct sim_packet *packet,
                    uint64_t after);

/* When the wire of @node has sent all that it was given; not before now. */
uint64_t sim_net_wire_free(const struct sim_net *net, uint32_t node);

/* Inside `run`: the oldest packet of a socket, the caller's to release; NULL when there is none. */
struct sim_packet *sim_net_take(struct sim_net *net, uint32_t node, enum sim_socket socket);

/* The socket whose oldest packet came first; any when none waits. */
enum sim_socket sim_net_oldest(const struct sim_net *net, uint32_t node);

/* How many packets wait in a socket. */
uint32_t sim_net_waiting(const struct sim_net *net, uint32_t node, enum sim_socket socket);

/* Sets when @node wants its CPU although nothing arrives; UINT64_MAX: never. */
void sim_net_alarm(struct sim_net *net, uint32_t node, uint64_t at);

/* Wakes @node as soon as its CPU is free: the application asked for something. */
void sim_net_poke(struct sim_net *net, uint32_t node);

/* Faults. A frozen node takes no CPU, its sockets fill. A crashed one loses all and hears nothing
 * until it is revived. A cut drops what goes from @a to @b, one way. */
void sim_net_freeze(struct sim_net *net, uint32_t node, uint64_t until);
void sim_net_crash(struct sim_net *net, uint32_t node);
void sim_net_revive(struct sim_net *net, uint32_t node);
bool sim_net_alive(const struct sim_net *net, uint32_t node);
bool sim_net_cut(struct sim_net *net, uint32_t a, uint32_t b, bool cut);
void sim_net_link(struct sim_net *net, uint32_t node, const struct sim_link *link);
struct sim_link sim_net_link_of(const struct sim_net *net, uint32_t node);

/* Calls @call(@user, now) at @at. Returns false when there is no memory. */
typedef void (*sim_call)(void *user, uint64_t now);
bool sim_net_at(struct sim_net *net, uint64_t at, sim_call call, void *user);

/* Runs all that is due up to and including @until, which becomes the time; returns early, at the
 * time of the last event, when sim_net_stop was called within. */
void sim_net_run(struct sim_net *net, uint64_t until);
void sim_net_stop(struct sim_net *net);

#endif
