/* One end of a measured flow: declarations that its parts share.
 *
 *     flow MODE send|receive NAME=VALUE...
 *     flow service serve service=PATH port=NUMBER
 *
 * raw, mmsg, gso, packed, retained, blocking are datagrams without recovery (raw.c); ours is a
 * member of the engine in the caller's loop (hosted.c), engine one with a thread of its own, whose
 * reader blocks (threaded.c).
 *
 * An end prints {"ready"}; the sender begins at a line on its input. An end that is done prints its
 * counts and serves the others until another line comes; then it prints its cost and
 * ends. */
#ifndef BENCH_FLOW_H
#define BENCH_FLOW_H

#include "engine/host.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FLOW_BUFFER = 32 * 1024 * 1024, /* of the kernel's, the same for all modes */
    FLOW_PACKED = 60000,
    FLOW_SAMPLES = 100000,
    FLOW_GROUPS = 16384,
    FLOW_SLOTS = 6000,
};

/* The length of one slot in the count over time. */
#define FLOW_SLOT (10 * MCAST_MILLISECOND)

struct flow {
    const char *mode;
    bool sends;
    uint32_t size;
    double seconds;
    double rate; /* 0 for as fast as possible */
    uint32_t receivers;
    uint32_t index; /* the number of this receiver */
    uint16_t port;
    uint32_t packet;
    const char *service;
    struct in_addr interface;
    uint32_t groups;
    struct mcast_id id;  /* the first group's number in the cluster */
    const char *overlap; /* perfect, zipf or halves */
    uint64_t loss;       /* out of a million */
    mcast_time burst;    /* the length of a loss; 0 loses datagrams one by one */
    uint64_t seed;
    bool zlib;  /* use the checksum of Python's zlib */
    bool slots; /* print the count over time */
    /* the receiver's */
    uint32_t mine;                  /* the number of groups it is in */
    uint16_t group_of[FLOW_GROUPS]; /* from its own numbers of groups to those of all */
    uint64_t next[FLOW_GROUPS];     /* the next expected message, by its own number of the group */
    uint64_t received, gaps, repeated, wrong;
    uint32_t groups_over;
    uint64_t lost; /* datagrams of data lost on purpose */
    bool over;
    uint64_t demoted_at; /* 1 + the first message reported lost */
    mcast_time first, end;
    uint32_t *delays; /* in nanoseconds */
    size_t delay_count;
    uint32_t per_slot[FLOW_SLOTS];
    /* everybody's */
    double cpu_before;
};

/* True if the receiver @index is in @group. Each group has at least one. */
bool flow_is_in(const struct flow *flow, uint32_t index, uint32_t group);

/* Number the groups that this end is in. */
void flow_number_groups(struct flow *flow);

/* Write message @number of @group; the last of a group is marked. */
void flow_write(const struct flow *flow, uint8_t *bytes, uint16_t group, uint64_t number,
                bool last);

/* Check a message of the group numbered @group here against the expected one. */
void flow_check(struct flow *flow, uint32_t group, const uint8_t *bytes, size_t length);

/* Return the messages due since @begun; UINT64_MAX without a rate. */
uint64_t flow_due(const struct flow *flow, mcast_time begun);

double flow_cpu(void);
void flow_nap(long microseconds);
void flow_say_ready(const struct mcast_stats *stats);
void flow_await_line(void);
bool flow_line_waits(void);
void flow_say_received(struct flow *flow);
void flow_say_sent(const struct flow *flow, uint64_t count, mcast_time span);

/* Print the last line: the cost since flow->cpu_before, and the statistics of the member, if any.
 */
void flow_say_end(const struct flow *flow, const struct mcast_stats *stats,
                  const struct udp_host_stats *driver);

/* Return true if the driver should keep a datagram; @context is the flow. */
bool flow_sieve(void *context, enum mcast_socket class);

/* The ends. */
void flow_raw_send(struct flow *flow);
void flow_raw_receive(struct flow *flow);
void flow_hosted_send(struct flow *flow);
void flow_hosted_receive(struct flow *flow);
void flow_threaded_receive(struct flow *flow);

/* Serve as the membership service at flow->service until it is killed. */
int flow_serve(const struct flow *flow);

/* Fill in the configuration of a member. */
void flow_member(const struct flow *flow, struct mcast_config *config);

#endif
