/* The state of the world, shared by its files. */
#ifndef DRIVER_SIMULATOR_WORLD_WORLD_STATE_H
#define DRIVER_SIMULATOR_WORLD_WORLD_STATE_H

#include "judges/wire.h"
#include "simulator/base/address.h"
#include "simulator/base/checksum_tag.h"
#include "simulator/base/map.h"
#include "simulator/world/world.h"

#define SIM_NO_GROUP UINT32_MAX

/* Frames on the streams between a host and the service. */
enum sim_frame_kind { SIM_FRAME_CONNECT, SIM_FRAME_ACCEPT, SIM_FRAME_MESSAGE, SIM_FRAME_CLOSE };

struct sim_frame {
    uint64_t connection; /* the number of the host for it, never reused */
    uint64_t kind;
};

/* A group as the application of a host sees it. */
struct sim_host_group {
    uint32_t group; /* the number in the world, SIM_NO_GROUP in a free slot */
    struct mcast_group_policy policy;
    bool wanted, joined, member, stalled;
    uint32_t unread; /* messages delivered and not consumed */
    uint64_t unread_bytes;
};

struct sim_host {
    struct sim_world *world;
    uint32_t number;
    uint32_t node;
    uint32_t actor;
    bool external, running;
    bool leaving;  /* was asked to stop */
    bool stopping; /* has stopped */
    struct mcast_member *member;
    struct mcast_alloc alloc;
    struct sim_memory memory;
    struct sim_clock clock;
    uint64_t incarnation;
    uint64_t spent; /* the real time inside the step of the member, in ns, when profiled */
    uint64_t turns; /* the count of its turns */
    uint64_t silent_since, silent_until; /* the end of the fault that keeps, or last kept, its
                                          * messages from the service */
    uint64_t rejoin_at; /* when an evicted member starts again, UINT64_MAX if it does not */

    uint64_t connection; /* 0 if there is none */
    bool connected;

    struct sim_host_group *groups; /* by the member's own group number */
    uint32_t group_count, group_room;
    struct sim_map locals; /* the world's group number + 1 → own number + 1 */

    struct mcast_event *requests; /* requests of the application for the next turn */
    struct sim_packet **payloads; /* the payload of each, or NULL */
    uint32_t request_count, request_room;

    struct sim_record *inbox; /* a ring */
    uint32_t inbox_head, inbox_count, inbox_room;
};

struct sim_flow_state {
    struct sim_flow flow;
    uint32_t number;
    struct sim_world *world;
    uint64_t made; /* messages given to the core */
    uint64_t sent; /* messages sent */
    uint32_t open; /* SENDs without a SENT so far */
    uint32_t next_group;
    bool stopped;
};

/* A fault of a script: certain packets are lost. */
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
    uint32_t *host_of_node; /* by network node; UINT32_MAX for the service */
    uint32_t node_room;
    struct sim_flow_state **flows;
    uint32_t flow_count, flow_room;
    struct sim_map actors; /* id and incarnation → actor */
    uint64_t next_incarnation, next_connection;
    struct sim_drop drops[SIM_DROPS];
    uint32_t drop_count;
    struct sim_totals totals;
    struct mcast_event *events; /* scratch for one turn */
    struct sim_packet **packets;
    uint32_t event_room;
    struct mcast_event *answers; /* scratch for answers to requests for payloads */
    struct sim_packet **answer_packets;
    uint32_t answer_room;
    FILE *log;                  /* where the run is logged, or NULL */
    struct mcast_buffer *shown; /* the buffer that the binding looks at */
};

/* Send a frame header and @length bytes on the stream. */
void sim_frame_send(struct sim_world *world, uint32_t from, uint32_t to, enum sim_frame_kind kind,
                    uint64_t connection, const uint8_t *bytes, size_t length, uint64_t after);
/* Read the header of @packet; the rest begins after it. Return false if it is too short. */
bool sim_frame_read(const struct sim_packet *packet, struct sim_frame *frame);

/* host.c */
struct sim_host *sim_host_new(struct sim_world *world, uint32_t number, bool external);
void sim_host_free(struct sim_host *host);
bool sim_host_start(struct sim_host *host);
void sim_host_end(struct sim_host *host); /* the member and everything it knows are gone */
void sim_host_connect(struct sim_host *host, uint64_t now);
void sim_host_broken(struct sim_host *host, uint64_t now);
uint64_t sim_host_turn(struct sim_host *host, uint64_t now);

/* judges/queue_bounds.c: now and then, judge if the member keeps within its bounds. */
void sim_host_judge_bounds(struct sim_host *host, uint64_t now);

/* Submit @event to the member at its next turn, taking over the reference to @payload. */
bool sim_host_request(struct sim_host *host, struct mcast_event event, struct sim_packet *payload);

/* Add a line to the log, if there is one. */
void sim_log(const struct sim_host *host, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void sim_log_service(const struct sim_world *world, const char *what);

/* application.c */
struct sim_host_group *sim_host_group_of(struct sim_host *host, uint32_t group, uint32_t *local);
void sim_app_deliver(struct sim_host *host, const struct mcast_delivery *delivery, uint64_t now);
void sim_app_notice(struct sim_host *host, const struct mcast_notice *notice, uint64_t now);
/* The application took messages of @group, a number of the world. */
void sim_app_consumed(struct sim_host *host, uint32_t group, uint32_t messages, uint64_t bytes);
void sim_app_rejoined(struct sim_host *host);

/* The answer to @want for the member: its event, whose payload the caller releases. */
struct sim_packet *sim_flow_supply(struct sim_host *host, const struct mcast_want *want,
                                   struct mcast_event *event, uint64_t now);
void sim_flow_answered(struct sim_host *host, uint64_t cookie, bool sent, uint64_t now);
void sim_flow_resume(struct sim_host *host, uint64_t now);

/* application_inbox.c */
void sim_inbox_put(struct sim_host *host, const struct sim_record *record);
void sim_inbox_clear(struct sim_host *host);

/* membership_service.c */
bool sim_service_start(struct sim_world *world);
void sim_service_end(struct sim_world *world);
uint64_t sim_service_turn(struct sim_world *world, uint64_t now);
void sim_service_broken(struct sim_world *world, uint32_t peer, uint64_t now);

#endif
