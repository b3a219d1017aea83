/* Service plan: from what members want to the next state (spec/qsm.md 1.3, 1.0.5-1.0.7).
 *
 * Those who join, leave, died or said BYE are the movers. For each hierarchy a mover's new group
 * set is its target; all with one target are one region. A region keeps its number and address when
 * all its members go to one new target together, and even its view when that only adds groups. All
 * else that changes a region's members makes a new view of it, whose parents are the views that
 * close and have a member in it.
 *
 * Where a member does not answer, nothing is changed: whoever would enter or leave such a region is
 * held and moves with a later plan. */
#ifndef MCAST_CORE_SERVICE_PLAN_H
#define MCAST_CORE_SERVICE_PLAN_H

#include "service/state.h"

struct service_target {
    struct mcast_set_hash hash;
    uint32_t hierarchy;
    uint32_t *groups; /* are slots, ascending */
    size_t count;
    struct service_region *region; /* is where it will be; NULL until it is decided */
    struct service_view *base;     /* is the view now that has just these groups, or NULL */
    struct service_view *heritage; /* is the view whose members all come here, or NULL */
    struct mcast_vector joiners;   /* of uint32_t, node slots */
    struct service_target *chain;
};

struct service_plan {
    mcast_epoch epoch;
    struct mcast_vector movers;  /* of uint32_t, node slots */
    struct mcast_vector placed;  /* of uint32_t, node slots whose next may differ from now */
    struct mcast_vector targets; /* of struct service_target * */
    struct mcast_map by_key;     /* set -> chain of targets */
    struct mcast_vector changed; /* of struct service_region *, next differs from now */
    struct mcast_vector
        touched; /* of uint32_t, group slots whose class, number or senders change */
    struct mcast_vector scratch; /* of uint32_t, a group set in the making */
    struct mcast_vector views;   /* of uint64_t, view names in the making */
    struct mcast_vector asked;   /* of uint32_t, node slots whose request this plan grants */
    struct mcast_set_hash hash;  /* is that of the scratch list */
    uint64_t class_stamp;        /* is the stamp of classes with a region that got a new view */
    bool regrouped;              /* is whether groups move between hierarchies */
    bool waits_for_address;      /* is whether somebody was held for want of an address */
    bool held;                   /* is whether somebody was held at all */
};

/* Whether @view takes no new message once the plan is committed. */
static inline bool service_view_closes(const struct service_view *view) {
    const struct service_view *next = view->region->next;
    return view == view->region->now && (next == NULL || next->name != view->name);
}

/* Proposes the next state. 0, or MCAST_ENOMEM with nothing proposed. */
int mcast_service_plan_make(struct mcast_service *service);

/* Makes what was proposed the state; the plan's lists stay until mcast_service_plan_clear. */
void mcast_service_plan_commit(struct mcast_service *service);

/* Forgets what was proposed. */
void mcast_service_plan_abort(struct mcast_service *service);

/* Empties the lists of the plan. */
void mcast_service_plan_clear(struct mcast_service *service);

void mcast_service_plan_free(struct mcast_service *service);

#endif
