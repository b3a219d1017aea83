/* Machine: the state of a member, and what its files offer each other. A member has peers, region
 * views, groups, routes (classes of groups with equal region lists), repairs and a change to tell;
 * a view has seats, streams (one an active sender), a ring and an outbound.
 *
 * Only step.c calls into handlers; handlers never call each other. Names without `mcast_` are
 * static. */
#ifndef MCAST_CORE_MACHINE_H
#define MCAST_CORE_MACHINE_H

#include "base/map.h"
#include "base/name_map.h"
#include "base/range_set.h"
#include "base/slab.h"
#include "base/timer_heap.h"
#include "mcast/error.h"
#include "mcast/mcast.h"
#include "wire/ack.h"
#include "wire/flow.h"
#include "wire/frame.h"
#include "wire/header.h"
#include "wire/hybrid.h"
#include "wire/range_list.h"
#include "wire/request.h"
#include "wire/service_message.h"
#include "wire/token.h"

#define MCAST_NO_SEAT UINT32_MAX /* is above what an enumerator holds */
enum { MCAST_REPLAY_WINDOW = 4096 };

struct mcast_member;
struct mcast_stream;
struct mcast_view_state;
struct mcast_hybrid;

struct mcast_list {
    void *items;
    size_t count;
    size_t room;
    mcast_time crowded; /* is when much of its room was last used, or asked for */
};

/* Room for one more of @size bytes at the end of @list, or NULL for want of memory. */
void *mcast_list_add(struct mcast_member *member, struct mcast_list *list, size_t size);
void mcast_list_free(struct mcast_member *member, struct mcast_list *list, size_t size);

/* Its parts, each of which needs the one before. */
#include "receive/stream_state.h"

#include "membership/view_state.h"

#include "send/send_state.h"

/* ---- the service: membership.h ---- */

#include "membership/membership.h"

/* ---- output: emit.h ---- */

struct mcast_scratch_chunk;

struct mcast_emitted {
    struct mcast_list control;    /* of struct mcast_datagram, until it is their turn */
    struct mcast_list requests;   /* of struct mcast_datagram, those that follow tokens */
    struct mcast_list early;      /* of struct mcast_datagram, data before its turn */
    struct mcast_list datagrams;  /* of struct mcast_datagram, in the order in which they leave */
    struct mcast_list deliveries; /* of struct mcast_delivery */
    struct mcast_list controls;   /* of struct mcast_control */
    struct mcast_list wants;      /* of struct mcast_want */
    struct mcast_list notices;    /* of struct mcast_notice */
    struct mcast_list releases;   /* of struct mcast_buffer * */
    struct mcast_map stables;     /* (group, sender) -> the place of what is told as stable */
    size_t overtaken;             /* is how many notices say less than a later one */
    uint32_t room;                /* is how many data datagrams the driver still takes */
    uint32_t whole_room;          /* … and took when the step began */
    uint64_t unread;              /* is how much the application has not taken, with what this */
    uint64_t unread_bytes;        /* step hands on */
    bool more;
    bool data_turn; /* data leaves from now on */
};

/* ---- the whole ---- */

struct mcast_datagram_in {
    struct mcast_header header;
    struct mcast_peer *peer;
    struct mcast_view_state *view; /* NULL where none is named or known */
    const uint8_t *body;           /* is what lies between header and tag */
    uint32_t length;
    struct mcast_buffer *buffer;
    enum mcast_socket socket;
};

struct mcast_unknown {
    struct mcast_datagram_in in;
    bool counted; /* its sender was known, and its counter is marked as seen */
    mcast_time came;
};

struct mcast_ask {
    const struct mcast_peer *to;
    struct mcast_request request;
};

struct mcast_partial;

struct mcast_member {
    struct mcast_config config;
    struct mcast_alloc alloc; /* counts what the caller's hands out */
    const struct mcast_alloc *caller;
    uint64_t memory;
    bool short_of_memory; /* in this step */
    bool parted;          /* some regions have a packet that others wait for, see send->done */
    bool flow_again;      /* something could not be handed on for want of memory */
    mcast_time now;
    uint64_t random;
    struct mcast_stats stats;
    mcast_time latest; /* is how late an alarm rang, at most, in the second that runs */
    mcast_time latest_since;

    mcast_node node;
    uint32_t check;
    uint64_t incarnation;
    struct mcast_peer *self;
    mcast_epoch epoch; /* is committed */
    bool connected;
    bool welcomed;
    bool evicted;
    bool wants_eviction; /* found out by itself that the cluster goes on without it */
    bool stopping;
    bool stopped;
    mcast_time heartbeat;
    mcast_time suspicion;
    mcast_time service_heard;
    mcast_time welcomed_at; /* is since when the service has watched all nodes, this one's too */
    bool served;            /* a service has told us everything, over this connection */
    struct mcast_alarm heartbeat_alarm;
    struct mcast_change change;
    struct mcast_members members;
    struct mcast_service_message prepared; /* is the PREPARE that waits for its COMMIT */
    bool has_prepared;
    bool brought; /* … brings groups that have no name here yet … */
    struct mcast_alarm brought_alarm;

    struct mcast_map peers;         /* node -> struct mcast_peer * */
    struct mcast_ranges *forgotten; /* are the names of the dead that are peers no more */
    struct mcast_alarm forget_alarm;
    struct mcast_map views; /* number -> struct mcast_view_state * */
    struct mcast_view_state *first_view;
    mcast_view past[256]; /* is a ring of views that ended */
    uint32_t past_count;
    bool views_over;         /* some view is to be freed */
    mcast_view newest_view;  /* is the highest number told */
    struct mcast_map routes; /* class -> struct mcast_route * */
    struct mcast_route *ready_routes;
    struct mcast_heap timers;
    size_t alarms; /* is how many there are; the heap has a place for each */

    struct mcast_group **chunks; /* of 256 groups */
    size_t chunk_count;
    struct mcast_name_map shorts; /* short name -> the caller's number */

    struct mcast_repair *repair_first;
    struct mcast_repair *repair_last;
    struct mcast_map repair_index; /* digest -> struct mcast_repair * */
    struct mcast_slab repair_slab;
    uint32_t repair_count;
    struct mcast_recent *recent; /* is what was repaired lately, by digest */
    int64_t repair_credit;       /* is in bytes */
    mcast_time repair_credited;
    uint64_t carried;         /* is how many bytes of data a second were sent and came, lately … */
    uint64_t carried_bytes;   /* … of how many ever … */
    mcast_time carried_since; /* … since when */
    mcast_time awaited_at;    /* is when a sender last said that it has no room left */

    struct mcast_packet *packets_done;
    struct mcast_slab send_slab;
    struct mcast_slab sent_slab;
    struct mcast_slab active_slab;
    struct mcast_slab partial_slab;
    struct mcast_partial *partials;
    bool partials_orphaned; /* the stream of a dead sender may have come to its end */
    uint32_t first_want;    /* is a list of groups asked for a payload, the oldest first */
    uint32_t last_want;
    uint32_t first_due; /* is a list of groups whose messages became stable … */
    uint32_t last_due;  /* … while an acknowledgement is taken */
    struct mcast_alarm want_alarm;
    struct mcast_alarm leave_alarm;
    struct mcast_list pauses; /* of struct mcast_pause: who of us was asked to wait */
    struct mcast_alarm pause_alarm;
    struct mcast_list brakes; /* is slow_sender.c's: what receivers asked of us */
    struct mcast_alarm brake_alarm;

    struct mcast_hybrid *hybrids; /* is a list */
    uint32_t hybrids_leaving;     /* is how many of them are over, but for what is on its way */

    struct mcast_unknown *unknown; /* is a ring */
    size_t unknown_count;

    uint64_t rate; /* is in bytes a second; 0 until data leaves under a cap */
    int64_t rate_credit;
    mcast_time rate_credited;
    uint32_t rate_laggard; /* is how many acknowledgements in a row left too much under way */
    uint64_t counters[MCAST_SOCKETS];
    uint32_t looks_left; /* is how many numbers this datagram may still make this node look for */
    uint32_t requests_left; /* is how many a token may still give rise to at this node */
    struct mcast_list asks; /* of struct mcast_ask: what this token gives rise to */
    mcast_time reorder;     /* is the longest reordering seen lately */
    struct mcast_emitted emitted;
    struct mcast_scratch_chunk *scratch;
    struct mcast_record *record; /* is room for one record at work */
};

uint64_t mcast_random(struct mcast_member *member);

#include "member/handlers.h"
#include "member/output.h"
#include "send/hybrid_address.h"

#endif
