/* What the files of the world share among themselves. */
#ifndef SIM_WORLD_INSIDE_H
#define SIM_WORLD_INSIDE_H

#include "judges/wire.h"
#include "simulator/base/address.h"
#include "simulator/base/checksum_tag.h"
#include "simulator/base/map.h"
#include "simulator/world/world.h"

#define SIM_NO_GROUP UINT32_MAX

/* Frames on the streams between a host and the service. */
enum sim_frame_kind { SIM_FRAME_CONNECT, SIM_FRAME_ACCEPT, SIM_FRAME_MESSAGE, SIM_FRAME_CLOSE };

struct sim_frame {
    uint64_t connection; /* is the host's number for it, never used again */
    uint64_t kind;
};

/* A group as a host's application knows it. */
struct sim_host_group {
    uint32_t group; /* is the world's number, SIM_NO_GROUP when the slot is free */
    struct mcast_group_policy policy;
    bool wanted, joined, member, stalled;
    uint32_t unread; /* is messages delivered and not consumed */
    uint64_t unread_bytes;
};

struct sim_host {
    struct sim_world *world;
    uint32_t number;
    uint32_t node;
    uint32_t actor;
    bool external, running;
    bool leaving;  /* was asked to stop */
    bool stopping; /* … and has */
    struct mcast_member *member;
    struct mcast_alloc alloc;
    struct sim_memory memory;
    struct sim_clock clock;
    uint64_t incarnation;
    uint64_t spent; /* is the real time inside the member's step, ns, when profiled */
    uint64_t turns; /* is how often it ran */
    uint64_t silent_since,
        silent_until;   /* is what keeps, or kept last, its word from the service */
    uint64_t rejoin_at; /* is when an evicted member begins again, UINT64_MAX when it is not */

    uint64_t connection; /* is 0 when there is none */
    bool connected;

    struct sim_host_group *groups; /* is by the member's own group number */
    uint32_t group_count, group_room;
    struct sim_map locals; /* world's group number + 1 → own number + 1 */

    struct mcast_event *requests; /* is what the application asks at the next turn */
    struct sim_packet **payloads; /* is the payload of each, or NULL */
    uint32_t request_count, request_room;

    struct sim_record *inbox; /* is a ring */
    uint32_t inbox_head, inbox_count, inbox_room;
};

struct sim_flow_state {
    struct sim_flow flow;
    uint32_t number;
    struct sim_world *world;
    uint64_t made; /* is messages handed to the core */
    uint64_t sent; /* is messages that left */
    uint32_t open; /* is SENDs not yet answered by SENT */
    uint32_t next_group;
    bool stopped;
};

/* A script's wish that certain packets be lost. */
struct sim_drop {
    uint32_t from, to;
    enum sim_socket socket;
    uint32_t count;
};
enum { SIM_DROPS = 32 };

struct sim_service_host {
    uint32_t node;
    struct mcast_service *service;
    struct mcast_alloc alloc;
    struct sim_memory memory;
    uint32_t generation;
    struct sim_map peers; /* connection → node + 1 */
};

struct sim_world {
    struct sim_world_config config;
    struct sim_net *net;
    struct oracle *oracle;
    struct oracle_wire *wire;
    struct sim_random random;
    uint64_t tag_key;
    struct sim_service_host service;
    struct sim_host **hosts;
    uint32_t host_count, host_room;
    uint32_t *host_of_node; /* is by network node; UINT32_MAX for the service */
    uint32_t node_room;
    struct sim_flow_state **flows;
    uint32_t flow_count, flow_room;
    struct sim_map actors; /* id and incarnation → actor */
    uint64_t next_incarnation, next_connection;
    struct sim_drop drops[SIM_DROPS];
    uint32_t drop_count;
    struct sim_totals totals;
    struct mcast_event *events; /* is scratch for one turn */
    struct sim_packet **packets;
    uint32_t event_room;
    struct mcast_event *answers; /* is scratch for answering wants */
    struct sim_packet **answer_packets;
    uint32_t answer_room;
    FILE *log;                  /* is where a reader follows the run, or NULL */
    struct mcast_buffer *shown; /* is what the binding looks at */
};

/* Sent on the stream: a frame header and @length bytes. */
void sim_frame_send(struct sim_world *world, uint32_t from, uint32_t to, enum sim_frame_kind kind,
                    uint64_t connection, const uint8_t *bytes, size_t length, uint64_t after);
/* Reads the header of @packet; the rest begins behind it. False when it is too short. */
bool sim_frame_read(const struct sim_packet *packet, struct sim_frame *frame);

/* sim_host.c */
struct sim_host *sim_host_new(struct sim_world *world, uint32_t number, bool external);
void sim_host_free(struct sim_host *host);
bool sim_host_start(struct sim_host *host);
void sim_host_end(struct sim_host *host); /* the member and all it knows are gone */
void sim_host_connect(struct sim_host *host, uint64_t now);
void sim_host_broken(struct sim_host *host, uint64_t now);
uint64_t sim_host_turn(struct sim_host *host, uint64_t now);

/* sim_bounds.c: now and then, judges whether the member keeps within its bounds. */
void sim_host_judge_bounds(struct sim_host *host, uint64_t now);

/* Asks @event of the member at its next turn; takes over the hold of @payload. */
bool sim_host_request(struct sim_host *host, struct mcast_event event, struct sim_packet *payload);

/* Adds a line to the log, when there is one. */
void sim_log(const struct sim_host *host, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void sim_log_service(const struct sim_world *world, const char *what);

/* sim_app.c */
struct sim_host_group *sim_host_group_of(struct sim_host *host, uint32_t group, uint32_t *local);
void sim_app_deliver(struct sim_host *host, const struct mcast_delivery *delivery, uint64_t now);
void sim_app_notice(struct sim_host *host, const struct mcast_notice *notice, uint64_t now);
/* The application took messages of the world's @group. */
void sim_app_consumed(struct sim_host *host, uint32_t group, uint32_t messages, uint64_t bytes);
void sim_app_rejoined(struct sim_host *host);

/* The answer to @want for the member: its event, whose payload the caller releases. */
struct sim_packet *sim_flow_supply(struct sim_host *host, const struct mcast_want *want,
                                   struct mcast_event *event, uint64_t now);
void sim_flow_answered(struct sim_host *host, uint64_t cookie, bool sent, uint64_t now);
void sim_flow_resume(struct sim_host *host, uint64_t now);

/* sim_inbox.c */
void sim_inbox_put(struct sim_host *host, const struct sim_record *record);
void sim_inbox_clear(struct sim_host *host);

/* sim_service.c */
bool sim_service_start(struct sim_world *world);
void sim_service_end(struct sim_world *world);
uint64_t sim_service_turn(struct sim_world *world, uint64_t now);
void sim_service_broken(struct sim_world *world, uint32_t peer, uint64_t now);

#endif
