/* Service state: what the membership service knows, and what it proposes.
 *
 * Everything that an epoch changes exists twice: `now` is committed, `next` is proposed, and
 * outside a proposal the two are equal. So a proposal that fails, because a member does not answer
 * or memory ends, is forgotten by setting `next` back (service_plan.c); nothing committed was
 * touched.
 *
 * Nodes and groups live in slots, which are small and used again; their short names are not. Lists
 * of nodes and groups are lists of slots. A view is never changed, but for what closes it. */
#ifndef MCAST_CORE_SERVICE_STATE_H
#define MCAST_CORE_SERVICE_STATE_H

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

/* A region view: those members carry the messages of those groups. */
struct service_view {
    mcast_view name;
    mcast_epoch opened_by; /* is the epoch that brought it; 0 when a former service did */
    struct service_region *region;
    uint32_t *groups; /* are group slots, ascending */
    size_t group_count;
    struct mcast_set_hash hash; /* is that of the groups' ids */
    uint32_t *members;          /* are node slots, in ascending order of short name */
    mcast_node *names;          /* are their short names */
    size_t member_count;
    struct mcast_bits bits; /* are the members again */
    mcast_view *parents;    /* see mcast_sm_view; ascending */
    size_t parent_count;

    /* While an epoch is planned. */
    struct service_target *home; /* is where those go who come to have its groups */
    struct service_target *heir; /* is where all who left go, while they go to one place */
    size_t leavers;
    bool scattered; /* is whether leavers go to different places */
    bool frozen;    /* is whether a member does not answer, so that nothing may change here */
    bool dirty;     /* is whether those in it have something to be told */
    uint64_t seen;  /* is the stamp of the list it was put in last */

    /* From COMMIT on, when it takes no new message (service_close.c). */
    mcast_epoch closed_by;
    struct mcast_bits unclosed; /* are the nodes that may still send in it */
    struct mcast_bits unended;  /* are the live members that still hold something of it */
    struct mcast_vector finals; /* of struct mcast_sm_final */
    struct mcast_vector dead;   /* of mcast_node, senders that died before they closed */
    bool told;                  /* is whether VIEW_CLOSED was sent */
    bool ended_well;            /* a member said that it holds nothing of it any more */
};

/* A region: successive views of one place in one hierarchy, on one address. */
struct service_region {
    uint64_t number;
    uint32_t hierarchy;
    uint32_t address; /* is the index in the address pool */
    struct service_view *now;
    struct service_view *next;
    size_t closing; /* is the count of closed views that still use the address */
    bool borrowed;  /* is whether another region has the address, which gives it back */
};

/* A class: the groups that have the same regions. */
struct service_class {
    uint32_t number;
    struct service_region **regions; /* by number, ascending */
    size_t count;
    uint64_t key;  /* is the sum of the mixed region numbers */
    uint64_t uses; /* is the count of groups whose now or next it is */
    struct service_class *chain;
    uint64_t changed; /* is the stamp of the plan in which a region of it got a new view */
    uint64_t was;     /* is the stamp of the delta whose reader had it before */
    uint64_t seen;    /* is the stamp of the list it was put in last */
    struct service_class *memo; /* is what it becomes by the change in hand */
    uint64_t memo_stamp;
};

struct service_group {
    struct mcast_id id;
    uint32_t name; /* is the short name; 0 in a free slot */
    uint32_t hierarchy;
    uint32_t next_hierarchy;
    struct service_class *now;
    struct service_class *next;
    mcast_epoch number; /* is the epoch in which its member set last changed */
    mcast_epoch next_number;
    uint32_t address; /* is the index of its own in the pool, or MCAST_ADDRESS_NONE */
    uint32_t next_address;
    struct mcast_vector senders; /* of uint32_t, node slots: registered from outside */
    uint32_t wanted;             /* is the count of open requests that name it */
    bool touched;                /* is whether it is in the plan's list of touched groups */
    uint8_t mark;                /* is what the node in hand wants of it */
};

/* A timer of a node; the heap knows its first part. */
struct service_timer {
    struct mcast_timer timer;
    struct service_node *node;
};

enum service_request_state { REQUEST_NONE = 0, REQUEST_OPEN, REQUEST_PLANNED };

enum { SERVICE_OP_ANSWERED = 0 }; /* is beside the operations that a CHANGE has */

/* One item of a CHANGE. */
struct service_item {
    uint32_t cookie;
    uint32_t group; /* is the slot; SERVICE_NO_GROUP for what is not done */
    int32_t code;   /* is what is answered */
    uint8_t op;     /* is SERVICE_OP_ANSWERED once that is told, with no group */
};

struct service_node {
    mcast_node name; /* is the short name; 0 in a free slot */
    struct mcast_id id;
    uint64_t incarnation;
    struct mcast_address address;
    uint64_t connection; /* is 0 while there is none */
    uint32_t slot;

    bool dead;          /* was declared dead; leaves with the next epoch */
    bool death_drafted; /* the proposal at work, or one before, tells of it */
    bool leaving;       /* said BYE */
    bool resync;    /* may have missed something: gets all that concerns it with the next epoch */
    bool confirmed; /* was heard by this service, not only reported by others */
    bool awaited;   /* has still to REPORT; is told nothing before */
    bool late;      /* came from a former service when the state was already made */
    bool unheard;   /* its report was not there when the state was made out of reports */
    bool held;      /* is not moved by the plan in hand */
    bool starved;   /* is held because there is no address for its region */
    bool moves;     /* is moved by the plan in hand */
    bool answers;   /* is what the epoch under way waits for */
    bool told;      /* has been sent the PREPARE of the epoch under way */
    bool hears;     /* … which tells it a new address to listen at */
    bool lagging;   /* did not answer in time: its regions are left as they are */

    mcast_epoch prepared;    /* is the last epoch it answered */
    mcast_epoch committed;   /* is the last COMMIT sent to it */
    mcast_time prepare_time; /* is when the PREPARE that it owes an answer was sent */
    mcast_time lag;          /* is how long it took to answer last */
    struct service_timer silence;
    struct service_timer answer;
    struct mcast_bits accusers; /* are the nodes that suspect it */
    mcast_time accused; /* is when the first of them did; they are forgotten after a while */

    struct service_view *now[SERVICE_HIERARCHIES];
    struct service_view *next[SERVICE_HIERARCHIES];
    struct service_target *target[SERVICE_HIERARCHIES];
    uint32_t *senders; /* are group slots it sends to from outside, ascending */
    size_t sender_count;
    uint32_t *next_senders;
    size_t next_sender_count;
    bool senders_change;

    struct mcast_bits known; /* are the nodes it was told of, or reported */
    struct mcast_bits fresh; /* are those it learns of in the epoch under way */

    uint64_t request; /* is the number of the latest CHANGE */
    enum service_request_state request_state;
    struct service_item *items;
    size_t item_count;
    struct mcast_vector lost; /* of mcast_node: nodes it knows that are no more */
    struct mcast_vector over; /* of mcast_view: views it may send to that are no more */
    struct mcast_vector gone; /* of uint32_t, short names: groups it reported and is not in */
};

enum service_phase {
    SERVICE_RECOVERING = 0, /* gathers reports; nothing changes */
    SERVICE_IDLE,
    SERVICE_PREPARING, /* a proposal is out */
};

struct mcast_service {
    struct mcast_alloc counting; /* is the owner's allocator behind a count of the bytes taken */
    const struct mcast_alloc *outer;
    const struct mcast_alloc *alloc; /* is &counting */
    struct mcast_service_config config;
    mcast_time now;
    enum service_phase phase;
    uint32_t generation;
    uint64_t epoch_count;
    mcast_epoch epoch;  /* is the latest that was committed */
    bool dirty;         /* is whether there is something to plan */
    bool wants_address; /* is whether somebody waits for an address that rests */
    bool held;          /* is whether the last plan held somebody back: it is tried again */
    bool yield;
    uint64_t stamp; /* is drawn anew for each list that must not hold a thing twice */

    struct mcast_vector nodes; /* of struct service_node *, by slot; NULL in free ones */
    struct mcast_vector free_nodes;
    struct mcast_id_map node_by_id; /* slot */
    struct mcast_map node_by_name;  /* slot */
    struct mcast_map node_by_connection;
    struct mcast_map strangers; /* connections that have not said HELLO -> since when */
    mcast_time strangers_due;   /* is when the first of them has waited too long */
    mcast_node last_name;

    struct mcast_vector groups; /* of struct service_group, by slot */
    struct mcast_vector free_groups;
    struct mcast_id_map group_by_id;
    struct mcast_map group_by_name;
    uint32_t last_group;

    struct mcast_map classes; /* key -> chain */
    uint32_t last_class;
    size_t class_count;
    struct mcast_vector regions; /* of struct service_region *: those with a view now or next */
    uint64_t last_region;
    uint64_t last_view;
    struct mcast_vector closing; /* of struct service_view * */
    struct mcast_address_pool addresses;
    struct service_plan *plan;

    struct mcast_heap timers;
    mcast_time not_before;       /* is when the next epoch may begin */
    mcast_time started;          /* is when the epoch under way was proposed */
    mcast_time patience;         /* is how long it waits for answers */
    mcast_time quiet_until;      /* is until when nobody is removed, after a start */
    mcast_time awake_since;      /* is when it went on after it had stood still itself */
    mcast_time gather_until;     /* is until when reports are waited for at least */
    bool began;                  /* is whether there was a step */
    struct mcast_vector reports; /* of struct service_report, while recovering */
    struct mcast_vector
        changes; /* of struct service_report: each a CHANGE that waits until that is over */
    struct mcast_vector postponed; /* are the HELLOs that wait until that is over */
    struct mcast_map buried; /* names of those declared dead, while they may come back (value 1) */
    bool settling; /* is whether what was recovered has still to be told; nobody moves before */
    uint64_t split_links; /* is the count of (node, group) when the groups were last dealt */
    uint64_t next_links;  /* is the same for a deal that is proposed */
    uint32_t hierarchies; /* is the count in use */

    struct mcast_vector sends; /* of struct service_out */
    struct mcast_vector ready; /* of struct mcast_service_send */
    struct mcast_vector closes;
    uint8_t *bytes; /* are those of all messages of this step */
    size_t length;
    size_t room;

    struct mcast_service_stats stats;
};

/* What a node said to a service that cannot deal with it yet. */
struct service_report {
    uint32_t slot;
    struct mcast_service_message message;
};

/* A message in the bytes of this step; they move while they grow. */
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

/* Whether @node does what a member does; the dead and those that left do not. */
static inline bool service_node_stays(const struct service_node *node) {
    return node != NULL && !node->dead && !node->leaving;
}

#endif
