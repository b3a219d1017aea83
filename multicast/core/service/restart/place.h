/* Place: put nodes where reports say they were, without a plan.
 *
 * Everything made here is committed at once. All nodes learn of it with the first epoch; nobody
 * moves before. */
#ifndef MCAST_SERVICE_RESTART_PLACE_H
#define MCAST_SERVICE_RESTART_PLACE_H

#include "service/state.h"

/* A region to be made as reported. */
struct service_place {
    mcast_view name;
    uint64_t region; /* the preferred number; it gets another one if that is taken */
    uint32_t hierarchy;
    uint32_t address;
    const uint32_t *groups; /* slots, ascending */
    size_t group_count;
    const mcast_node *names; /* the names of its members, ascending, all known */
    size_t name_count;
};

/* Make a region with a view in force. Return 0 or MCAST_ENOMEM. */
int mcast_service_place_region(struct mcast_service *service, const struct service_place *place);

/* Put @node into the fresh region of @hierarchy with exactly these groups; make the region if there
 * is none. Return 0 or MCAST_ENOMEM, also if there is no address. */
int mcast_service_place_node(struct mcast_service *service, struct service_node *node,
                             uint32_t hierarchy, const uint32_t *groups, size_t count);

/* Make @node a sender from outside of the group in @slot. Return 0 or MCAST_ENOMEM. */
int mcast_service_place_sender(struct mcast_service *service, struct service_node *node,
                               uint32_t slot);

/* True if a region or a closing view uses @address. */
bool mcast_service_place_is_used(const struct mcast_service *service, uint32_t address);

/* Make a closed view in which every connected node may have sent, to be ended by the nodes with
 * @names. Its address, if known, rests afterwards. Return 0 or MCAST_ENOMEM. */
int mcast_service_place_closed(struct mcast_service *service, mcast_view name, uint32_t address,
                               const mcast_node *names, size_t count);

/* Make the closed views that share a member with a fresh view its parents. Return 0 or
 * MCAST_ENOMEM. */
int mcast_service_place_parents(struct mcast_service *service);

#endif
