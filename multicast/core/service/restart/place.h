/* Service place: putting nodes where reports say they were, without a plan.
 *
 * What is made here is committed at once; it is told to all with the first epoch, before which
 * nobody moves. */
#ifndef MCAST_CORE_SERVICE_PLACE_H
#define MCAST_CORE_SERVICE_PLACE_H

#include "service/state.h"

/* A region to be made as it stands. */
struct service_place {
    mcast_view name;
    uint64_t region; /* is the number it wants; it gets another if that is taken */
    uint32_t hierarchy;
    uint32_t address;
    const uint32_t *groups; /* are slots, ascending */
    size_t group_count;
    const mcast_node *names; /* are those of its members, ascending, all known */
    size_t name_count;
};

/* Makes a region with a view in force. 0 or MCAST_ENOMEM. */
int mcast_service_place_region(struct mcast_service *service, const struct service_place *place);

/* Puts @node into the fresh region of @hierarchy with just these groups, which is made if there is
 * none. 0 or MCAST_ENOMEM, also when there is no address. */
int mcast_service_place_node(struct mcast_service *service, struct service_node *node,
                             uint32_t hierarchy, const uint32_t *groups, size_t count);

/* Makes @node a sender from outside to the group in @slot. 0 or MCAST_ENOMEM. */
int mcast_service_place_sender(struct mcast_service *service, struct service_node *node,
                               uint32_t slot);

/* Whether a region has @address, or a view that is closing. */
bool mcast_service_place_is_used(const struct mcast_service *service, uint32_t address);

/* Makes a closed view that everybody who came may have sent in, and that the nodes with @names are
 * to end. Its address, if that is known, goes to rest afterwards. 0 or MCAST_ENOMEM. */
int mcast_service_place_closed(struct mcast_service *service, mcast_view name, uint32_t address,
                               const mcast_node *names, size_t count);

/* Lets the fresh views come after the closed ones that they share a member with. 0 or MCAST_ENOMEM.
 */
int mcast_service_place_parents(struct mcast_service *service);

#endif
