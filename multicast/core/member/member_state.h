/* Member state: the structure of a member, and the functions that its files offer each other. A
 * member has peers, region views, groups, routes (classes of groups with equal region lists),
 * repairs and pending changes of membership; a view has seats, streams (one for each active
 * sender), a ring and an outbound.
 *
 * Only member/step.c and member/datagram.c call the handlers (member/handlers.h); handlers never
 * call each other. Functions without the prefix `mcast_` are static. */
#ifndef MCAST_CORE_MEMBER_MEMBER_STATE_H
#define MCAST_CORE_MEMBER_MEMBER_STATE_H

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

#define MCAST_NO_SEAT UINT32_MAX /* higher than every seat number */
enum { MCAST_REPLAY_WINDOW = 4096 };

struct mcast_member;
struct mcast_stream;
struct mcast_view_state;
struct mcast_hybrid;

struct mcast_list {
    void *items;
    size_t count;
    size_t room;
    mcast_time last_busy; /* when much of the room was last used or reserved */
};

/* Return room for one more item of @size bytes at the end of @list, or NULL when memory is short.
 */
void *mcast_list_add(struct mcast_member *member, struct mcast_list *list, size_t size);
void mcast_list_free(struct mcast_member *member, struct mcast_list *list, size_t size);

/* The parts; each needs the one before. */
#include "receive/stream_state.h"

#include "membership/view_state.h"

#include "send/send_state.h"

/* ---- the membership service: membership/membership.h ---- */

#include "membership/membership.h"

/* ---- output: member/output.h ---- */

struct mcast_scratch_chunk;
struct mcast_sealed_block;

struct mcast_emitted {
    struct mcast_list control;    /* of struct mcast_datagram: tokens and ACKs that wait */
    struct mcast_list requests;   /* of struct mcast_datagram: requests, which follow tokens */
    struct mcast_list early;      /* of struct mcast_datagram: data emitted before its turn */
    struct mcast_list datagrams;  /* of struct mcast_datagram, in the order of departure */
    struct mcast_list deliveries; /* of struct mcast_delivery */
    struct mcast_list controls;   /* of struct mcast_control */
    struct mcast_list wants;      /* of struct mcast_want */
    struct mcast_list notices;    /* of struct mcast_notice */
    struct mcast_list releases;   /* of struct mcast_buffer * */
    struct mcast_map stables;     /* (group, sender) -> index of its stability notice */
    size_t overtaken;             /* count of superseded notices */
    uint32_t room;                /* how many data datagrams the driver still accepts */
    uint32_t whole_room;          /* the same at the beginning of the step */
    uint64_t unread;              /* messages that the application has not taken yet, */
    uint64_t unread_bytes;        /* including those that this step delivers */
    bool more;
    bool data_turn; /* the turn of data has begun */
};

/* ---- the member ---- */

struct mcast_datagram_in {
    struct mcast_header header;
    struct mcast_peer *peer;
    struct mcast_view_state *view; /* NULL when the datagram names no view, or an unknown one */
    const uint8_t *body;           /* between header and tag */
    uint32_t length;
    struct mcast_buffer *buffer;
    enum mcast_socket socket;
};

struct mcast_unknown {
    struct mcast_datagram_in in;
    bool counted; /* the sender was known, and its counter is marked as seen */
    mcast_time came;
};

struct mcast_ask {
    const struct mcast_peer *to;
    struct mcast_request request;
};

struct mcast_partial;

struct mcast_member {
    struct mcast_config config;
    struct mcast_alloc alloc; /* wraps the caller's allocator and counts bytes */
    const struct mcast_alloc *caller;
    uint64_t memory;
    bool short_of_memory; /* an allocation failed in this step */
    bool partly_sent; /* some regions have a packet that others still wait for, see send->done */
    bool flow_again;  /* a delivery failed for want of memory */
    mcast_time now;
    uint64_t random;
    struct mcast_stats stats;
    mcast_time worst_delay; /* the most that an alarm was late in the current second */
    mcast_time worst_delay_since;

    mcast_node node;
    uint32_t check;
    uint64_t incarnation;
    struct mcast_peer *self;
    mcast_epoch epoch; /* the last committed epoch */
    bool connected;
    bool welcomed;
    bool evicted;
    bool wants_eviction; /* this node found out by itself that the cluster goes on without it */
    bool stopping;
    bool stopped;
    mcast_time heartbeat;
    mcast_time suspicion;
    mcast_time service_heard;
    mcast_time welcomed_at; /* since then the service has watched all nodes, this one included */
    bool served;            /* the service sent us everything over this connection */
    struct mcast_alarm heartbeat_alarm;
    struct mcast_change change;
    struct mcast_members members;
    struct mcast_service_message prepared; /* the PREPARE that waits for its COMMIT */
    bool has_prepared;
    bool brought; /* that PREPARE brings groups without a name here */
    struct mcast_alarm brought_alarm;

    struct mcast_map peers;         /* node -> struct mcast_peer * */
    struct mcast_ranges *forgotten; /* names of dead nodes that are peers no more */
    struct mcast_alarm forget_alarm;
    struct mcast_map views; /* number -> struct mcast_view_state * */
    struct mcast_view_state *first_view;
    mcast_view past[256]; /* a ring of ended views */
    uint32_t past_count;
    bool views_to_free;      /* some view can be freed */
    mcast_view newest_view;  /* the highest view number announced */
    struct mcast_map routes; /* class -> struct mcast_route * */
    struct mcast_route *ready_routes;
    struct mcast_heap timers;
    size_t alarms; /* count of alarms; the heap has a place for each */

    struct mcast_group **chunks; /* chunks of 256 groups each */
    size_t chunk_count;
    struct mcast_name_map shorts; /* short name -> the caller's group number */

    struct mcast_repair *repair_first;
    struct mcast_repair *repair_last;
    struct mcast_map repair_index; /* digest -> struct mcast_repair * */
    struct mcast_slab repair_slab;
    uint32_t repair_count;
    struct mcast_recent *recent; /* recent repairs, by digest */
    int64_t repair_credit;       /* in bytes */
    mcast_time repair_credited;
    uint64_t carried;          /* recent rate of data sent and received, in bytes a second */
    uint64_t carried_bytes;    /* bytes in the current measurement */
    mcast_time carried_since;  /* when that measurement began */
    mcast_time window_full_at; /* when a sender last said that its window is full */

    struct mcast_packet *packets_done;
    struct mcast_slab send_slab;
    struct mcast_slab sent_slab;
    struct mcast_slab active_slab;
    struct mcast_slab partial_slab;
    struct mcast_partial *partials;
    bool partials_orphaned; /* a dead sender's stream may have reached its end */
    uint32_t first_want;    /* list of groups whose payload was requested, oldest first */
    uint32_t last_want;
    uint32_t first_due; /* list of groups whose messages became stable */
    uint32_t last_due;  /* during the current acknowledgement */
    struct mcast_alarm want_alarm;
    struct mcast_alarm leave_alarm;
    struct mcast_list pauses; /* of struct mcast_pause: the senders that we asked to wait */
    struct mcast_alarm pause_alarm;
    mcast_time hung_review_at; /* when the groups of a hung application are looked at again */
    struct mcast_list brakes;  /* owned by slow/sender_pause.c: what receivers asked of us */
    struct mcast_alarm brake_alarm;

    struct mcast_hybrid *hybrids; /* a linked list */
    uint32_t hybrids_leaving; /* count of ended addresses that packets under way may still use */

    struct mcast_unknown *unknown; /* a ring */
    size_t unknown_count;

    uint64_t rate; /* in bytes a second; 0 until data leaves under a cap */
    int64_t rate_credit;
    mcast_time rate_credited;
    uint32_t rate_laggard; /* consecutive acknowledgements that left too much under way */
    uint64_t counters[MCAST_SOCKETS];
    uint64_t unreadable;        /* datagrams in the name of members that did not open */
    mcast_time tell_unreadable; /* when the application may be told of them again */
    uint32_t lookups_left;      /* how many numbers this datagram may still make us look up */
    uint32_t requests_left;     /* how many requests a token may still cause at this node */
    struct mcast_list asks;     /* of struct mcast_ask: the requests that this token causes */
    mcast_time reorder;         /* the longest reordering observed lately */
    struct mcast_emitted emitted;
    struct mcast_scratch_chunk *scratch;
    struct mcast_sealed_block *sealed; /* owned by member/sealed_copy.c */
    mcast_time sealed_busy;            /* when more than one block was needed */
    struct mcast_record *record;       /* scratch room for one token record */
};

uint64_t mcast_random(struct mcast_member *member);

#include "member/handlers.h"
#include "member/output.h"
#include "send/hybrid_address.h"

#endif
