/* Delta: the changes of a proposal for nodes that go from one group set to another.
 *
 * All members that stay in a region, or go from one region to another, learn the same, so the
 * difference is computed once for each such transition and not for each member. */
#ifndef MCAST_SERVICE_UPDATE_DELTA_H
#define MCAST_SERVICE_UPDATE_DELTA_H

#include "service/plan/plan.h"

struct service_delta {
    const struct service_view *from; /* the old view, or NULL */
    const struct service_view *to;   /* the new view, or NULL */
    struct service_view *own;        /* a view to install with its members, or NULL */
    struct mcast_vector views;       /* of struct service_view *, new to them */
    struct mcast_vector classes;     /* of struct service_class *, new or changed */
    struct mcast_vector runs;        /* of struct mcast_sm_group_run */
    struct mcast_vector removed;     /* of uint32_t, slots of groups that they no longer have */
    struct mcast_vector closing;     /* of mcast_view */
    struct mcast_vector hybrids;     /* of uint32_t, slots of groups in runs with an address */
    struct mcast_bits needed;        /* the nodes that they must know */
    struct mcast_vector gone;        /* of mcast_node: those in from and not in own */
    struct mcast_vector come;        /* of mcast_node: those in own and not in from */
    bool short_lineup;               /* true if these two take fewer bytes than the list of own */
    struct service_delta *chain;
};

/* The group sets of the readers of a delta. */
struct service_ways {
    const uint32_t *old; /* slots of the groups that they had */
    size_t old_count;
    const uint32_t *new; /* slots of the groups that they will have */
    size_t new_count;
    const struct service_node *node; /* the only reader, who may be a member as well; or NULL */
    bool everything;                 /* true if they are sent everything, as if they had had nothing
                                      */
};

/* True if one of @views, one for each hierarchy, carries the group in @slot. */
bool mcast_service_delta_carried(struct service_view *const *views, uint32_t slot);

/* Compute the delta of @ways into @delta, which is empty except for from and to. Return 0 or
 * MCAST_ENOMEM; free it with mcast_service_delta_free in both cases. */
int mcast_service_delta_find(struct mcast_service *service, const struct service_ways *ways,
                             struct service_delta *delta);

/* Find the members that leave and come between from and own, if there are both. Return 0 or
 * MCAST_ENOMEM. */
int mcast_service_lineup_find(struct mcast_service *service, struct service_delta *delta);

/* True if there is nothing to send but nodes. */
bool mcast_service_delta_is_empty(const struct service_delta *delta);

void mcast_service_delta_free(struct mcast_service *service, struct service_delta *delta);

#endif
