/* State: what the membership service knows and what it proposes.
 *
 * Everything that an epoch changes exists twice: `now` is committed, `next` is proposed; outside a
 * proposal they are equal. A proposal that fails, because a member does not answer or memory runs
 * out, is discarded by setting `next` back (plan/plan.c); nothing committed was touched.
 *
 * Nodes and groups live in slots, which are small and reused; their short names are not reused.
 * Lists of nodes and groups are lists of slots. A view never changes, except for what closes it. */
#ifndef MCAST_SERVICE_STATE_H
#define MCAST_SERVICE_STATE_H

#include "base/bits.h"
#include "base/id_map.h"
#include "base/map.h"
#include "base/timer_heap.h"
#include "base/vector.h"
#include "service/address_pool.h"
#include "service/group_set_hash.h"
#include "wire/service.h"
#include "wire/service_message.h"

#include "mcast/service.h"

#define SERVICE_NO_GROUP UINT32_MAX

enum {
    SERVICE_HIERARCHIES = MCAST_SM_HIERARCHIES_MOST,
    SERVICE_NODES_MOST = 1 << 16,
    SERVICE_GROUPS_MOST = 1 << 20
};

struct service_region;
struct service_target;

/* A region view: its members carry the messages of its groups. */
struct service_view {
    mcast_view name;
    mcast_epoch opened_by; /* the epoch that made it; 0 if a former service did */
    struct service_region *region;
    uint32_t *groups; /* slots of its groups, ascending */
    size_t group_count;
    struct mcast_set_hash hash; /* the hash of the ids of its groups */
    uint32_t *members;          /* slots of its nodes, in ascending order of short name */
    mcast_node *names;          /* the short names of the members */
    size_t member_count;
    struct mcast_bits bits; /* the members as a set */
    mcast_view *parents;    /* see mcast_sm_view; ascending */
    size_t parent_count;

    /* While an epoch is planned. */
    struct service_target *home; /* the target of nodes that come to have its groups */
    struct service_target *heir; /* the target of all who leave, while they leave for a single one
                                  */
    size_t leavers;
    bool scattered; /* true if leavers go to different targets */
    bool frozen;    /* true if a member does not answer, so that nothing may change here */
    bool dirty;     /* true if its members need an update */
    uint64_t seen;  /* the stamp of the list it was put into last */

    /* From COMMIT on, when it accepts no new message (epoch/view_close.c). */
    mcast_epoch closed_by;
    struct mcast_bits unclosed; /* the nodes that may still send in it */
    struct mcast_bits unended;  /* the live members that still hold something of it */
    struct mcast_vector finals; /* of struct mcast_sm_final */
    struct mcast_vector dead;   /* of mcast_node, senders that died before they closed */
    bool told;                  /* true once VIEW_CLOSED was sent */
    bool ended_well;            /* a member reported that it holds nothing of it any more */
};

/* A region: successive views of one target in one hierarchy, on one address. */
struct service_region {
    uint64_t number;
    uint32_t hierarchy;
    uint32_t address; /* its index in the address pool */
    struct service_view *now;
    struct service_view *next;
    size_t closing; /* the count of closed views that still use the address */
    bool borrowed;  /* true if another region owns the address and gives it back */
};

/* A class: the groups that share their regions. */
struct service_class {
    uint32_t number;
    struct service_region **regions; /* by number, ascending */
    size_t count;
    uint64_t key;  /* the sum of the mixed region numbers */
    uint64_t uses; /* the count of groups with this as current or next class */
    struct service_class *chain;
    uint64_t changed; /* the stamp of the plan in which one of its regions got a new view */
    uint64_t was;     /* the stamp of the delta whose reader had it before */
    uint64_t seen;    /* the stamp of the list it was put into last */
    struct service_class *memo; /* the class that results from the current change */
    uint64_t memo_stamp;
};

struct service_group {
    struct mcast_id id;
    uint32_t name; /* the short name; 0 in a free slot */
    uint32_t hierarchy;
    uint32_t next_hierarchy;
    struct service_class *now;
    struct service_class *next;
    mcast_epoch number; /* the epoch in which its member set last changed */
    mcast_epoch next_number;
    uint32_t address; /* the index of its own address in the pool, or MCAST_ADDRESS_NONE */
    uint32_t next_address;
    struct mcast_vector senders; /* of uint32_t, slots of nodes registered from outside */
    uint32_t wanted;             /* the count of open requests that name it */
    bool touched;                /* true if it is in the touched groups of the plan */
    uint8_t mark;                /* the request of the current node about it */
};

/* A timer of a node; the heap knows only its first field. */
struct service_timer {
    struct mcast_timer timer;
    struct service_node *node;
};

enum service_request_state { REQUEST_NONE = 0, REQUEST_OPEN, REQUEST_PLANNED };

enum { SERVICE_OP_ANSWERED = 0 }; /* beside the operations of a CHANGE */

/* One item of a CHANGE. */
struct service_item {
    uint32_t cookie;
    uint32_t group; /* the slot; SERVICE_NO_GROUP for an item that is refused */
    int32_t code;   /* the code of the answer */
    uint8_t op;     /* SERVICE_OP_ANSWERED once answered without a group */
};

struct service_node {
    mcast_node name; /* the short name; 0 in a free slot */
    struct mcast_id id;
    uint64_t incarnation;
    struct mcast_address address;
    uint64_t connection; /* 0 if not connected */
    uint32_t slot;

    bool dead;          /* declared dead; leaves with the next epoch */
    bool death_drafted; /* reported by the current proposal or an earlier one */
    bool leaving;       /* said BYE */
    bool resync;    /* may have missed something: is sent everything that concerns it with the next
                     * epoch */
    bool confirmed; /* heard by this service, not only reported by others */
    bool awaited;   /* has yet to REPORT; is sent nothing before */
    bool late;      /* came from a former service after the state was made */
    bool unheard;   /* its report was missing when the state was made from reports */
    bool held;      /* not moved by the current plan */
    bool starved;   /* held because there is no address for its region */
    bool moves;     /* moved by the current plan */
    bool answers;   /* the current epoch waits for its answer */
    bool told;      /* was sent the PREPARE of the current epoch */
    bool hears;     /* was sent a new address to listen at in that PREPARE */
    bool lagging;   /* did not answer in time: its regions stay as they are */

    mcast_epoch prepared;    /* the last epoch that it answered */
    mcast_epoch committed;   /* the last COMMIT sent to it */
    mcast_time prepare_time; /* when the PREPARE was sent that it has yet to answer */
    mcast_time lag;          /* how long its last answer took */
    struct service_timer silence;
    struct service_timer answer;
    struct mcast_bits accusers; /* the nodes that suspect it */
    mcast_time accused;         /* when the first of them did; they are forgotten after a while */

    struct service_view *now[SERVICE_HIERARCHIES];
    struct service_view *next[SERVICE_HIERARCHIES];
    struct service_target *target[SERVICE_HIERARCHIES];
    uint32_t *senders; /* slots of groups that it sends to from outside, ascending */
    size_t sender_count;
    uint32_t *next_senders;
    size_t next_sender_count;
    bool senders_change;

    struct mcast_bits known; /* the nodes that it was told of, or reported */
    struct mcast_bits fresh; /* the nodes that it learns of in the current epoch */

    uint64_t request; /* the number of the latest CHANGE */
    enum service_request_state request_state;
    struct service_item *items;
    size_t item_count;
    struct mcast_vector lost; /* of mcast_node: nodes it knows that no longer exist */
    struct mcast_vector over; /* of mcast_view: views it may send to that no longer exist */
    struct mcast_vector gone; /* of uint32_t, short names: groups it reported and is not in */
};

enum service_phase {
    SERVICE_RECOVERING = 0, /* gathering reports; nothing changes */
    SERVICE_IDLE,
    SERVICE_PREPARING, /* a proposal is out */
};

struct mcast_service {
    struct mcast_alloc counting; /* the allocator of the owner, with a count of the bytes in use */
    const struct mcast_alloc *outer;
    const struct mcast_alloc *alloc; /* is &counting */
    struct mcast_service_config config;
    mcast_time now;
    enum service_phase phase;
    uint32_t generation;
    uint64_t epoch_count;
    mcast_epoch epoch;  /* the latest committed epoch */
    bool dirty;         /* true if a change waits for a plan */
    bool wants_address; /* true if a node waits for a resting address */
    bool held;          /* true if the last plan held a node back: it is tried again */
    bool yield;
    uint64_t stamp; /* drawn anew for each list that must not hold anything twice */

    struct mcast_vector nodes; /* of struct service_node *, by slot; NULL in free slots */
    struct mcast_vector free_nodes;
    struct mcast_id_map node_by_id; /* slot */
    struct mcast_map node_by_name;  /* slot */
    struct mcast_map node_by_connection;
    struct mcast_map strangers; /* connections that have not sent HELLO -> the time since when */
    mcast_time strangers_due;   /* when the first of them has waited too long */
    mcast_node last_name;

    struct mcast_vector groups; /* of struct service_group, by slot */
    struct mcast_vector free_groups;
    struct mcast_id_map group_by_id;
    struct mcast_map group_by_name;
    uint32_t last_group;

    struct mcast_map classes; /* key -> chain */
    uint32_t last_class;
    size_t class_count;
    struct mcast_vector regions; /* of struct service_region *: those with a current or next view */
    uint64_t last_region;
    uint64_t last_view;
    struct mcast_vector closing; /* of struct service_view * */
    struct mcast_address_pool addresses;
    struct service_plan *plan;

    struct mcast_heap timers;
    mcast_time not_before;       /* the earliest start of the next epoch */
    mcast_time started;          /* when the current epoch was proposed */
    mcast_time patience;         /* how long it waits for answers */
    mcast_time quiet_until;      /* until when no node is removed after a start */
    mcast_time awake_since;      /* when it went on after a standstill of its own */
    mcast_time gather_until;     /* the earliest end of gathering reports */
    bool began;                  /* true after the first step */
    struct mcast_vector reports; /* of struct service_report, while recovering */
    struct mcast_vector
        changes; /* of struct service_report: CHANGEs that wait until the gathering is over */
    struct mcast_vector postponed; /* HELLOs that wait until the gathering is over */
    struct mcast_map buried;       /* names declared dead that may still come back (value 1) */
    bool settling; /* true while the recovered state has yet to be sent; no node moves before */
    uint64_t split_links; /* the count of (node, group) links when the groups were last distributed
                           */
    uint64_t next_links;  /* the same count for the proposed distribution */
    uint32_t hierarchies; /* the count in use */

    struct mcast_vector sends; /* of struct service_out */
    struct mcast_vector ready; /* of struct mcast_service_send */
    struct mcast_vector closes;
    uint8_t *bytes; /* the bytes of all messages of this step */
    size_t length;
    size_t room;

    struct mcast_service_stats stats;
};

/* A message that the service cannot handle yet. */
struct service_report {
    uint32_t slot;
    struct mcast_service_message message;
};

/* A message in the bytes of this step; they move as they grow. */
struct service_out {
    uint64_t connection;
    size_t begin;
    size_t end;
};

static inline struct service_node *service_node_at(const struct mcast_service *service,
                                                   size_t slot) {
    return ((struct service_node **)service->nodes.items)[slot];
}

static inline struct service_group *service_group_at(const struct mcast_service *service,
                                                     size_t slot) {
    return &((struct service_group *)service->groups.items)[slot];
}

static inline struct service_region *service_region_at(const struct mcast_service *service,
                                                       size_t index) {
    return ((struct service_region **)service->regions.items)[index];
}

static inline struct service_view *service_closing_at(const struct mcast_service *service,
                                                      size_t index) {
    return ((struct service_view **)service->closing.items)[index];
}

/* True if @node counts as a member; dead nodes and those that left do not. */
static inline bool service_node_stays(const struct service_node *node) {
    return node != NULL && !node->dead && !node->leaving;
}

#endif
