/* One end of a measured flow: what its parts share.
 *
 *     flow MODE send|receive NAME=VALUE...
 *     flow service serve service=PATH port=NUMBER
 *
 * raw, mmsg, gso, packed, retained, blocking are datagrams without recovery (raw.c); ours is a
 * member of the engine in the caller's loop (hosted.c), engine one with a thread of its own, whose
 * reader blocks (threaded.c).
 *
 * An end says {"ready"}; the sender begins with a line on its input. Who is done says what it has
 * counted, and goes on serving the others until another line comes; then it says what it cost, and
 * ends. */
#ifndef BENCH_FLOW_H
#define BENCH_FLOW_H

#include "engine/host.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FLOW_BUFFER = 32 * 1024 * 1024, /* is of the kernel's, the same for all modes */
    FLOW_PACKED = 60000,
    FLOW_SAMPLES = 100000,
    FLOW_GROUPS = 16384,
    FLOW_SLOTS = 6000,
};

/* How long one slot of the count over time is. */
#define FLOW_SLOT (10 * MCAST_MILLISECOND)

struct flow {
    const char *mode;
    bool sends;
    uint32_t size;
    double seconds;
    double rate; /* is 0 for as fast as it goes */
    uint32_t receivers;
    uint32_t index; /* is which of the receivers this is */
    uint16_t port;
    uint32_t packet;
    const char *service;
    struct in_addr interface;
    uint32_t groups;
    struct mcast_id id;  /* is the first group's name in the cluster */
    const char *overlap; /* is perfect, zipf or halves */
    uint64_t loss;       /* is of a million */
    mcast_time burst;    /* is how long a loss lasts; 0 loses datagrams one by one */
    uint64_t seed;
    bool zlib;  /* says that the checksum is the one that Python has */
    bool slots; /* says that the count over time is told */
    /* the receiver's */
    uint32_t mine;                  /* is of how many groups it is */
    uint16_t group_of[FLOW_GROUPS]; /* is which of all groups its own numbers name */
    uint64_t next[FLOW_GROUPS];     /* is what is due, by its own number of the group */
    uint64_t received, gaps, repeated, wrong;
    uint32_t groups_over;
    uint64_t lost; /* is how many datagrams of data were lost on purpose */
    bool over;
    uint64_t demoted_at; /* is the first message that it was told to have lost, and one */
    mcast_time first, end;
    uint32_t *delays; /* in nanoseconds */
    size_t delay_count;
    uint32_t per_slot[FLOW_SLOTS];
    /* everybody's */
    double cpu_before;
};

/* Whether the receiver @index is in @group. Each group has at least one. */
bool flow_is_in(const struct flow *flow, uint32_t index, uint32_t group);

/* Numbers the groups that this end is in. */
void flow_number_groups(struct flow *flow);

/* Writes message @number of @group; the last of a group says so. */
void flow_write(const struct flow *flow, uint8_t *bytes, uint16_t group, uint64_t number,
                bool last);

/* Holds a message that came in the group that is @group here against what is due. */
void flow_check(struct flow *flow, uint32_t group, const uint8_t *bytes, size_t length);

/* How many messages are due @begun ago; UINT64_MAX without a rate. */
uint64_t flow_due(const struct flow *flow, mcast_time begun);

double flow_cpu(void);
void flow_nap(long microseconds);
void flow_say_ready(const struct mcast_stats *stats);
void flow_await_line(void);
bool flow_line_waits(void);
void flow_say_received(struct flow *flow);
void flow_say_sent(const struct flow *flow, uint64_t count, mcast_time span);

/* The last line: what it cost since flow->cpu_before, and what the member measured, if it is one.
 */
void flow_say_end(const struct flow *flow, const struct mcast_stats *stats,
                  const struct udp_host_stats *driver);

/* Tells the driver whether to keep a datagram; @context is the flow. */
bool flow_sieve(void *context, enum mcast_socket class);

/* The ends. */
void flow_raw_send(struct flow *flow);
void flow_raw_receive(struct flow *flow);
void flow_hosted_send(struct flow *flow);
void flow_hosted_receive(struct flow *flow);
void flow_threaded_receive(struct flow *flow);

/* Serves as the membership service at flow->service until it is killed. */
int flow_serve(const struct flow *flow);

/* Fills in what a member of the flow is. */
void flow_member(const struct flow *flow, struct mcast_config *config);

#endif
