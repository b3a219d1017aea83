/* Plan: from the requests of members to the next state (spec/qsm.md 1.3, 1.0.5-1.0.7).
 *
 * The movers are nodes that join, leave, died or said BYE. The target of a mover in a hierarchy is
 * its new group set there; all nodes with one target form one region. A region keeps its number and
 * address if all its members go to one new target together, and even its view if that only adds
 * groups. Any other change of the members makes a new view, whose parents are the closing views
 * that share a member with it.
 *
 * Where a member does not answer, nothing changes: a node that would enter or leave such a region
 * is held and moves with a later plan. */
#ifndef MCAST_SERVICE_PLAN_PLAN_H
#define MCAST_SERVICE_PLAN_PLAN_H

#include "service/state.h"

struct service_target {
    struct mcast_set_hash hash;
    uint32_t hierarchy;
    uint32_t *groups; /* slots, ascending */
    size_t count;
    struct service_region *region; /* the region that it will be; NULL until decided */
    struct service_view *base;     /* the current view with exactly these groups, or NULL */
    struct service_view *heritage; /* the view whose members all come here, or NULL */
    struct mcast_vector joiners;   /* of uint32_t, node slots */
    struct service_target *chain;
};

struct service_plan {
    mcast_epoch epoch;
    struct mcast_vector movers;  /* of uint32_t, node slots */
    struct mcast_vector placed;  /* of uint32_t, node slots whose next may differ from now */
    struct mcast_vector targets; /* of struct service_target * */
    struct mcast_map by_key;     /* group set -> chain of targets */
    struct mcast_vector changed; /* of struct service_region *, those whose next differs from now */
    struct mcast_vector
        touched; /* of uint32_t, group slots whose class, number or senders change */
    struct mcast_vector scratch; /* of uint32_t, a group set under construction */
    struct mcast_vector views;   /* of uint64_t, view names under construction */
    struct mcast_vector asked;   /* of uint32_t, slots of nodes whose request this plan grants */
    struct mcast_set_hash hash;  /* the hash of the scratch list */
    uint64_t class_stamp;        /* the stamp of classes with a region that got a new view */
    bool regrouped;              /* true if groups move between hierarchies */
    bool waits_for_address;      /* true if a node was held for want of an address */
    bool held;                   /* true if any node was held */
};

/* True if @view accepts no new message once the plan is committed. */
static inline bool service_view_closes(const struct service_view *view) {
    const struct service_view *next = view->region->next;
    return view == view->region->now && (next == NULL || next->name != view->name);
}

/* Propose the next state. Return 0, or MCAST_ENOMEM with nothing proposed. */
int mcast_service_plan_make(struct mcast_service *service);

/* Make the proposed state the current one; the lists of the plan stay until
 * mcast_service_plan_clear. */
void mcast_service_plan_commit(struct mcast_service *service);

/* Discard the proposal. */
void mcast_service_plan_abort(struct mcast_service *service);

/* Empty the lists of the plan. */
void mcast_service_plan_clear(struct mcast_service *service);

void mcast_service_plan_free(struct mcast_service *service);

#endif
