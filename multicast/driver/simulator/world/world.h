/* The world: members and membership services of the core, put into the virtual network, with
 * applications on top and oracles beside them.
 *
 * A host is a node with a member; it lives, crashes, starts again. Its application is either played
 * by the world (flows that send, and a judge that reads), or outside: then what it gets waits in
 * its inbox. Groups are numbered by the world, from 0; their 128-bit names follow from the number.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "judges/wire.h"
#include "mcast/member.h"
#include "mcast/service.h"
#include "simulator/base/clock.h"
#include "simulator/base/node_memory.h"
#include "simulator/network/network.h"

#include <stdio.h>

/* What work costs a CPU, ns, and ns a KiB. Reading is taking out of the kernel. */
struct sim_cost {
    uint64_t step;                /* is the fixed cost of a turn of the loop */
    uint64_t read[SIM_SOCKETS];   /* is a packet taken out of the kernel */
    uint64_t handle[SIM_SOCKETS]; /* is a packet handled */
    uint64_t handle_kib;
    uint64_t send[SIM_SOCKETS]; /* is a packet sent, whatever the number of receivers */
    uint64_t send_kib;
    uint64_t deliver; /* is a message handed to the application */
    uint64_t create;  /* is a message made by the application */
};

struct sim_world_config {
    struct sim_config net;
    struct mcast_config member; /* identity is filled in a host */
    struct mcast_service_config service;
    struct sim_cost cost;
    bool tagged;      /* seals every datagram with the test tag */
    bool sealed_lies; /* seals what was corrupted anew: only for fuzzing, nothing can be judged */
    bool judged;      /* has oracles; off only to measure what they cost */
    bool wire_logged; /* the log has a line for each datagram too */
    bool profiled;    /* measures the real time inside the core */
    bool isolated;    /* promises that losses are far apart */
    bool calm;        /* promises that nothing is lost: then nothing may be repaired */
    uint32_t turn_packets; /* is the most packets a node takes in one turn; 256 */
    uint32_t room;         /* is the most data packets a node sends in one turn; 64 */
    uint64_t wire_ahead;   /* is how far a node's wire may be filled, ns; 1 ms */
    uint32_t buffer_size;  /* is what a receive buffer claims to keep alive; 0: what it holds */
    uint64_t memory_bound; /* is the most bytes a member may take; 0: no bound */
    uint64_t tax_ppm;      /* is the memory tax: parts in a million of a CPU a live MB */
    uint32_t tax_lag_pct;  /* is how much is alive for 100 that is in use; 250 as in the papers */
    uint64_t rejoin_after; /* is how long an evicted node waits before it begins again */
};

/* A LAN, adaptive members, service with quick batches, tags and oracles on. */
struct sim_world_config sim_world_config_default(uint64_t seed);

struct sim_world;

/* Writes one line for each thing that an application asks or is told into @log, NULL: no longer. */
void sim_world_log(struct sim_world *world, FILE *log);

struct sim_world *sim_world_new(const struct sim_world_config *config);
void sim_world_free(struct sim_world *world);

struct sim_net *sim_world_net(struct sim_world *world);
struct oracle *sim_world_oracle(struct sim_world *world);
struct oracle_wire_counts sim_world_wire(const struct sim_world *world);

/* Adds a host and starts it. Returns its number, from 0, or UINT32_MAX without memory. @external:
 * its application is outside. */
uint32_t sim_world_add(struct sim_world *world, bool external);
uint32_t sim_world_hosts(const struct sim_world *world);

/* The network node of a host, and of the membership service. */
uint32_t sim_world_node(const struct sim_world *world, uint32_t host);
uint32_t sim_world_service_node(const struct sim_world *world);

/* Sets the clock of a host; before it has run. */
void sim_world_clock(struct sim_world *world, uint32_t host, struct sim_clock clock);

uint64_t sim_world_now(const struct sim_world *world);

/* Runs to @until, or to the time when an outside application is asked for a payload. */
void sim_world_run(struct sim_world *world, uint64_t until);

/* ---- what applications do ---- */

struct mcast_id sim_world_group_id(uint32_t group);
bool sim_world_join(struct sim_world *world, uint32_t host, uint32_t group,
                    const struct mcast_group_policy *policy);
bool sim_world_leave(struct sim_world *world, uint32_t host, uint32_t group);
bool sim_world_register(struct sim_world *world, uint32_t host, uint32_t group);

/* Whether @host is a member of @group as it sees it, or a registered sender. */
bool sim_world_is_joined(const struct sim_world *world, uint32_t host, uint32_t group);

/* The application of @host takes no more deliveries of @group until it goes on. */
void sim_world_stall(struct sim_world *world, uint32_t host, uint32_t group, bool stalled);

/* Asks the membership service who is in @group; the answer comes as a notice. */
bool sim_world_ask(struct sim_world *world, uint32_t host, uint32_t group);

/* A source of messages. Sends @count of them, round robin over @groups groups from @first_group on,
 * each of a random size in [@size_low, @size_high] >= ORACLE_STAMP. */
struct sim_flow {
    uint32_t host;
    uint32_t first_group, groups;
    uint32_t size_low, size_high;
    uint64_t start;
    uint64_t interval; /* is the time between two messages, ns; 0: as many as the core takes */
    uint64_t count;    /* is how many; 0: until the flow is stopped */
    uint32_t burst;    /* is how many leave at once at each interval; 0 is 1 */
    bool pull;         /* lets the payload be asked for when it leaves */
};

/* Adds a flow and returns its number, UINT32_MAX without memory. */
uint32_t sim_world_flow(struct sim_world *world, const struct sim_flow *flow);
void sim_world_flow_stop(struct sim_world *world, uint32_t flow);
uint64_t sim_world_flow_sent(const struct sim_world *world, uint32_t flow);

/* ---- faults ---- */

void sim_world_crash(struct sim_world *world, uint32_t host);
bool sim_world_restart(struct sim_world *world, uint32_t host);
bool sim_world_alive(const struct sim_world *world, uint32_t host);
void sim_world_stop(struct sim_world *world, uint32_t host); /* leaves in good order */
/* Nothing that @host says reaches the service until @until, by a fault; faults that follow each
 * other closely are one silence. From the suspicion time on it may lawfully be evicted. */
void sim_world_silence(struct sim_world *world, uint32_t host, uint64_t until);
/* @host takes no CPU until @until. */
void sim_world_freeze(struct sim_world *world, uint32_t host, uint64_t until);
/* Cuts or heals all ways between @host and everybody else, the service too. */
void sim_world_isolate(struct sim_world *world, uint32_t host, bool cut);
void sim_world_crash_service(struct sim_world *world);
bool sim_world_restart_service(struct sim_world *world);
/* The next @count datagrams of @socket from @from to @to are lost; UINT32_MAX stands for any. */
bool sim_world_lose(struct sim_world *world, uint32_t from, uint32_t to, enum sim_socket socket,
                    uint32_t count);
/* Says of @host that what is done to it may lawfully get it evicted. */
void sim_world_doubt(struct sim_world *world, uint32_t host);

/* All faults are over: from now on the judges count the rounds in which everything must arrive.
 * Returns the most that any region is allowed. */
uint64_t sim_world_calm(struct sim_world *world);

/* The run is over: judges what must have arrived. */
void sim_world_settle(struct sim_world *world);

/* ---- what was measured ---- */

/* The statistics of the member of @host; false when it is not running. */
bool sim_world_stats(const struct sim_world *world, uint32_t host, struct mcast_stats *stats);
void sim_world_service_stats(const struct sim_world *world, struct mcast_service_stats *stats);
uint64_t sim_world_memory(const struct sim_world *world, uint32_t host);
uint32_t sim_world_actor(const struct sim_world *world, uint32_t host);
mcast_node sim_world_short_name(const struct sim_world *world, uint32_t host);

/* Sums over the world, for coverage and figures. */
struct sim_totals {
    uint64_t delivered;                /* is messages handed to applications */
    uint64_t stamped;                  /* is messages made by flows */
    uint64_t latency_sum, latency_max; /* is from stamping to delivery, ns, of judged messages */
    uint64_t notices[64];              /* is by kind */
    struct mcast_stats members;        /* is the sum over all lives of all members */
};
struct sim_totals sim_world_totals(const struct sim_world *world);

/* ---- the inbox of an outside application ---- */

/* What happened to an outside application. @kind 0 is a delivery, 100 a WANT, else a notice. */
struct sim_record {
    uint32_t kind;
    int code;
    uint32_t group;
    mcast_node sender;
    uint64_t number, last, count, cookie;
    uint64_t at;
    struct mcast_buffer *buffer; /* holds @bytes */
    const uint8_t *bytes;        /* is the payload, or for MEMBERS the list of mcast_member_name */
    uint32_t length;
};
enum { SIM_RECORD_DELIVERY = 0, SIM_RECORD_WANT = 100 };

/* Takes the oldest record; its buffer, when it has one, is the caller's to release. */
bool sim_world_take(struct sim_world *world, uint32_t host, struct sim_record *record);
/* The application of @host took @messages of @group, of @bytes altogether, out of its own queue. */
void sim_world_consumed(struct sim_world *world, uint32_t host, uint32_t group, uint32_t messages,
                        uint64_t bytes);
uint32_t sim_world_waiting(const struct sim_world *world, uint32_t host);

/* An outside application sends @length bytes (copied), or with @bytes NULL asks to be asked. */
bool sim_world_send(struct sim_world *world, uint32_t host, uint32_t group, const uint8_t *bytes,
                    uint32_t length, uint64_t cookie);
/* … and answers a WANT; @bytes NULL: nothing to send any more. */
bool sim_world_supply(struct sim_world *world, uint32_t host, uint32_t group, uint64_t cookie,
                      const uint8_t *bytes, uint32_t length);

#endif
