#include "service/plan/hybrid.h"
#include "service/group.h"
#include "service/plan/proposal.h"
#include "wire/hybrid.h"

#include "mcast/error.h"

/* True if a member of a region of @class does not answer. */
static bool is_frozen(const struct service_class *class) {
    for (size_t i = 0; i < class->count; i++) {
        const struct service_view *view = class->regions[i]->now;
        if (view != NULL && view->frozen) {
            return true;
        }
    }
    return false;
}

static bool wants_address(const struct mcast_service *service, const struct service_group *group) {
    return group->name != 0 && group->next_address == MCAST_ADDRESS_NONE &&
           group->next->count >= service->config.hybrid_regions &&
           group->next->count <= MCAST_HYBRID_VIEWS_MOST && !is_frozen(group->next);
}

int mcast_service_hybrid_propose(struct mcast_service *service) {
    if (service->config.hybrid_regions < MCAST_HYBRID_VIEWS_LEAST) {
        return MCAST_OK;
    }
    struct mcast_address_pool *pool = &service->addresses;
    uint32_t there = mcast_address_pool_free_count(pool, service->now);
    for (uint32_t slot = 0; slot < service->groups.count && there > pool->count / 2; slot++) {
        struct service_group *group = service_group_at(service, slot);
        if (!wants_address(service, group)) {
            continue;
        }
        int code = mcast_service_proposal_touch(service, slot);
        if (code != MCAST_OK) {
            return code;
        }
        group->next_address = mcast_address_pool_take(pool, service->now);
        there--;
    }
    return MCAST_OK;
}

void mcast_service_hybrid_settle(struct mcast_service *service, struct service_group *group,
                                 bool commit) {
    uint32_t keep = commit ? group->next_address : group->address;
    uint32_t drop = commit ? group->address : group->next_address;
    if (drop != keep && drop != MCAST_ADDRESS_NONE) {
        mcast_address_pool_give(&service->addresses, drop, service->now);
    }
    group->address = keep;
    group->next_address = keep;
}

void mcast_service_hybrid_release(struct mcast_service *service, struct service_group *group) {
    group->next_address = MCAST_ADDRESS_NONE;
    mcast_service_hybrid_settle(service, group, true);
}

void mcast_service_hybrid_adopt(struct mcast_service *service, const struct mcast_sm_hybrid *told) {
    uint32_t slot = mcast_service_group_named(service, told->group);
    uint32_t index = mcast_address_pool_index(&service->addresses, &told->address);
    if (slot == SERVICE_NO_GROUP || index == MCAST_ADDRESS_NONE ||
        !mcast_address_pool_is_free(&service->addresses, index)) {
        return;
    }
    struct service_group *group = service_group_at(service, slot);
    if (group->address == MCAST_ADDRESS_NONE) {
        mcast_address_pool_claim(&service->addresses, index, service->now);
        group->address = index;
        group->next_address = index;
    }
}
