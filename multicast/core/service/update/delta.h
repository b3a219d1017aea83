/* Service delta: what a proposal changes for those who come from one group set to another.
 *
 * All members that stay in a region, or go from one region to another, learn the same; so the
 * difference is found once for each such way, not once for each member. */
#ifndef MCAST_CORE_SERVICE_DELTA_H
#define MCAST_CORE_SERVICE_DELTA_H

#include "service/plan/plan.h"

struct service_delta {
    const struct service_view *from; /* is where they were, or NULL */
    const struct service_view *to;   /* is where they will be, or NULL */
    struct service_view *own;        /* is a view to be installed with its members, or NULL */
    struct mcast_vector views;       /* of struct service_view *, new to them */
    struct mcast_vector classes;     /* of struct service_class *, new or changed */
    struct mcast_vector runs;        /* of struct mcast_sm_group_run */
    struct mcast_vector removed;     /* of uint32_t, group slots that they have no more */
    struct mcast_vector closing;     /* of mcast_view */
    struct mcast_vector hybrids;     /* of uint32_t, slots of groups in runs with an address */
    struct mcast_bits needed;        /* are the nodes that they must know */
    struct mcast_vector gone;        /* of mcast_node: who is in from and not in own */
    struct mcast_vector come;        /* of mcast_node: who is in own and not in from */
    bool short_lineup; /* is whether these two say it in fewer bytes than own's list */
    struct service_delta *chain;
};

/* Group sets of the readers of a delta. */
struct service_ways {
    const uint32_t *old; /* are the slots of the groups they had */
    size_t old_count;
    const uint32_t *new; /* … and of those they will have */
    size_t new_count;
    const struct service_node *node; /* is the only reader, who may be a member as well; or NULL */
    bool everything;                 /* is whether they are told as if they had had nothing */
};

/* Whether the group in @slot is carried by one of @views, a view a hierarchy. */
bool mcast_service_delta_carried(struct service_view *const *views, uint32_t slot);

/* Finds the delta of @ways into @delta, which is empty but for from and to. 0 or MCAST_ENOMEM;
 * ended by mcast_service_delta_free in both cases. */
int mcast_service_delta_find(struct mcast_service *service, const struct service_ways *ways,
                             struct service_delta *delta);

/* Finds who goes and who comes between from and own, where there are both. 0 or MCAST_ENOMEM. */
int mcast_service_lineup_find(struct mcast_service *service, struct service_delta *delta);

/* Whether there is nothing to be told but nodes. */
bool mcast_service_delta_is_empty(const struct service_delta *delta);

void mcast_service_delta_free(struct mcast_service *service, struct service_delta *delta);

#endif
