/* World: members and membership services of the core in a virtual network, with applications on top
 * and judges beside them.
 *
 * A host is a node with a member; it lives, crashes, restarts. Its application is either played by
 * the world (flows that send, and a judge that reads) or outside: then its records wait in an
 * inbox. The world numbers groups from 0; their 128-bit ids follow from the number. */
#ifndef DRIVER_SIMULATOR_WORLD_WORLD_H
#define DRIVER_SIMULATOR_WORLD_WORLD_H

#include "judges/wire.h"
#include "mcast/member.h"
#include "mcast/service.h"
#include "simulator/base/clock.h"
#include "simulator/base/node_memory.h"
#include "simulator/network/network.h"

#include <stdio.h>

/* CPU costs, in ns and in ns for each KiB. Reading is taking a packet out of the kernel. */
struct sim_cost {
    uint64_t step;                /* the fixed cost of a turn of the loop */
    uint64_t read[SIM_SOCKETS];   /* reading a packet */
    uint64_t handle[SIM_SOCKETS]; /* handling a packet */
    uint64_t handle_kib;
    uint64_t send[SIM_SOCKETS]; /* sending a packet, whatever the count of receivers */
    uint64_t send_kib;
    uint64_t deliver; /* delivering a message to the application */
    uint64_t create;  /* making a message in the application */
};

struct sim_world_config {
    struct sim_config net;
    struct mcast_config member; /* its identity is filled in for each host */
    struct mcast_service_config service;
    struct sim_cost cost;
    bool tagged;           /* seal every datagram with the checksum tag */
    bool sealed_lies;      /* reseal corrupted datagrams: only for fuzzing, nothing can be judged */
    bool judged;           /* with judges; off only to measure their cost */
    bool wire_logged;      /* log each datagram too */
    bool profiled;         /* measure the real time inside the core */
    bool isolated;         /* guarantees that losses are far apart */
    bool calm;             /* guarantees that nothing is lost: then nothing may be repaired */
    uint32_t turn_packets; /* the most packets that a node reads in one turn; 256 */
    uint32_t room;         /* the most data packets that a node sends in one turn; 64 */
    uint64_t wire_ahead;   /* how far the wire of a node may be filled ahead, in ns; 1 ms */
    uint32_t buffer_size;  /* the size that a receive buffer claims to keep alive; 0: its contents
                            */
    uint64_t memory_bound; /* the most bytes that a member may allocate; 0: no bound */
    uint64_t tax_ppm;      /* the memory tax: parts per million of a CPU for each live MB */
    uint32_t tax_lag_pct;  /* live memory in percent of the memory in use; 250 as in the papers */
    uint64_t rejoin_after; /* how long an evicted node waits before it starts again */
};

/* A LAN, adaptive members, a service with quick batches, tags and judges on. */
struct sim_world_config sim_world_config_default(uint64_t seed);

struct sim_world;

/* Log every request and notification of an application to @log; NULL stops it. */
void sim_world_log(struct sim_world *world, FILE *log);

struct sim_world *sim_world_new(const struct sim_world_config *config);
void sim_world_free(struct sim_world *world);

struct sim_net *sim_world_net(struct sim_world *world);
struct oracle *sim_world_oracle(struct sim_world *world);
struct oracle_wire_counts sim_world_wire(const struct sim_world *world);

/* Add a host and start it. Return its number, from 0, or UINT32_MAX without memory. @external: its
 * application is outside. */
uint32_t sim_world_add(struct sim_world *world, bool external);
uint32_t sim_world_hosts(const struct sim_world *world);

/* The network node of a host, and of the membership service. */
uint32_t sim_world_node(const struct sim_world *world, uint32_t host);
uint32_t sim_world_service_node(const struct sim_world *world);

/* Set the clock of a host, before it has run. */
void sim_world_clock(struct sim_world *world, uint32_t host, struct sim_clock clock);

uint64_t sim_world_now(const struct sim_world *world);

/* Run to @until, or to the time when a payload is requested from an outside application. */
void sim_world_run(struct sim_world *world, uint64_t until);

/* ---- the actions of applications ---- */

struct mcast_id sim_world_group_id(uint32_t group);
bool sim_world_join(struct sim_world *world, uint32_t host, uint32_t group,
                    const struct mcast_group_policy *policy);
bool sim_world_leave(struct sim_world *world, uint32_t host, uint32_t group);
bool sim_world_register(struct sim_world *world, uint32_t host, uint32_t group);

/* True if @host sees itself as a member of @group, or as a registered sender. */
bool sim_world_is_joined(const struct sim_world *world, uint32_t host, uint32_t group);

/* Stop or resume the deliveries of @group that the application of @host takes. */
void sim_world_stall(struct sim_world *world, uint32_t host, uint32_t group, bool stalled);

/* Ask the membership service for the members of @group; the answer is a notice. */
bool sim_world_ask(struct sim_world *world, uint32_t host, uint32_t group);

/* A source of messages: sends @count of them, round robin over @groups groups from @first_group on,
 * each of a random size in [@size_low, @size_high] >= ORACLE_STAMP. */
struct sim_flow {
    uint32_t host;
    uint32_t first_group, groups;
    uint32_t size_low, size_high;
    uint64_t start;
    uint64_t interval; /* the time between two messages, in ns; 0: as many as the core accepts */
    uint64_t count;    /* the count of messages; 0: until the flow is stopped */
    uint32_t burst;    /* the messages sent at once at each interval; 0 is 1 */
    bool pull;         /* requests the payload when it is sent */
};

/* Add a flow. Return its number, UINT32_MAX without memory. */
uint32_t sim_world_flow(struct sim_world *world, const struct sim_flow *flow);
void sim_world_flow_stop(struct sim_world *world, uint32_t flow);
uint64_t sim_world_flow_sent(const struct sim_world *world, uint32_t flow);

/* ---- faults ---- */

void sim_world_crash(struct sim_world *world, uint32_t host);
bool sim_world_restart(struct sim_world *world, uint32_t host);
bool sim_world_alive(const struct sim_world *world, uint32_t host);
void sim_world_stop(struct sim_world *world, uint32_t host); /* leaves in good order */
/* A fault keeps everything that @host sends from the service until @until; faults in close
 * succession are one silence. From the suspicion time on the host may lawfully be evicted. */
void sim_world_silence(struct sim_world *world, uint32_t host, uint64_t until);
/* Give @host no CPU until @until. */
void sim_world_freeze(struct sim_world *world, uint32_t host, uint64_t until);
/* Cut or heal all paths between @host and everyone else, including the service. */
void sim_world_isolate(struct sim_world *world, uint32_t host, bool cut);
void sim_world_crash_service(struct sim_world *world);
bool sim_world_restart_service(struct sim_world *world);
/* Lose the next @count datagrams of @socket from @from to @to; UINT32_MAX stands for any. */
bool sim_world_lose(struct sim_world *world, uint32_t from, uint32_t to, enum sim_socket socket,
                    uint32_t count);
/* Declare that the faults of @host may lawfully get it evicted. */
void sim_world_doubt(struct sim_world *world, uint32_t host);

/* End all faults: from now on the judges count the rounds in which everything must arrive. Return
 * the most that any region is allowed. */
uint64_t sim_world_calm(struct sim_world *world);

/* End the run: judge what must have arrived. */
void sim_world_settle(struct sim_world *world);

/* ---- measurements ---- */

/* Store the statistics of the member of @host. Return false if it is not running. */
bool sim_world_stats(const struct sim_world *world, uint32_t host, struct mcast_stats *stats);
void sim_world_service_stats(const struct sim_world *world, struct mcast_service_stats *stats);
uint64_t sim_world_memory(const struct sim_world *world, uint32_t host);
uint32_t sim_world_actor(const struct sim_world *world, uint32_t host);
mcast_node sim_world_short_name(const struct sim_world *world, uint32_t host);

/* Sum over the world, for coverage and figures. */
struct sim_totals {
    uint64_t delivered;                /* messages delivered to applications */
    uint64_t stamped;                  /* messages made by flows */
    uint64_t latency_sum, latency_max; /* from stamping to delivery, in ns, of judged messages */
    uint64_t notices[64];              /* by kind */
    struct mcast_stats members;        /* the sum over all incarnations of all members */
};
struct sim_totals sim_world_totals(const struct sim_world *world);

/* ---- the inbox of an outside application ---- */

/* A record for an outside application. @kind 0 is a delivery, 100 a WANT, else a notice. */
struct sim_record {
    uint32_t kind;
    int code;
    uint32_t group;
    mcast_node sender;
    uint64_t number, last, count, cookie;
    uint64_t at;
    struct mcast_buffer *buffer; /* holds @bytes */
    const uint8_t *bytes;        /* the payload, or for MEMBERS the list of mcast_member_name */
    uint32_t length;
};
enum { SIM_RECORD_DELIVERY = 0, SIM_RECORD_WANT = 100 };

/* Take the oldest record; the caller releases its buffer, if it has one. */
bool sim_world_take(struct sim_world *world, uint32_t host, struct sim_record *record);
/* Record that the application of @host took @messages of @group, of @bytes altogether, out of its
 * own queue. */
void sim_world_consumed(struct sim_world *world, uint32_t host, uint32_t group, uint32_t messages,
                        uint64_t bytes);
uint32_t sim_world_waiting(const struct sim_world *world, uint32_t host);

/* Send @length bytes (copied) for an outside application; if @bytes is NULL, request the payload
 * later. */
bool sim_world_send(struct sim_world *world, uint32_t host, uint32_t group, const uint8_t *bytes,
                    uint32_t length, uint64_t cookie);
/* Answer a WANT of an outside application; @bytes NULL: nothing to send any more. */
bool sim_world_supply(struct sim_world *world, uint32_t host, uint32_t group, uint64_t cookie,
                      const uint8_t *bytes, uint32_t length);

#endif
