#include "service/group.h"
#include "service/class.h"
#include "service/plan/hybrid.h"

#include "mcast/error.h"

uint32_t mcast_service_group_find(const struct mcast_service *service, struct mcast_id id) {
    return mcast_id_map_get(&service->group_by_id, id.high, id.low);
}

uint32_t mcast_service_group_named(const struct mcast_service *service, uint32_t name) {
    uint64_t slot = mcast_map_get(&service->group_by_name, name);
    return slot == MCAST_MAP_NONE ? SERVICE_NO_GROUP : (uint32_t)slot;
}

/* Claim a zeroed slot for one more group. */
static int claim_slot(struct mcast_service *service, uint32_t *slot) {
    if (service->free_groups.count > 0) {
        *slot = ((uint32_t *)service->free_groups.items)[service->free_groups.count - 1];
        return MCAST_OK;
    }
    /* Reserve room in the list of free slots too, so that giving a slot back cannot fail. */
    if (service->groups.count >= SERVICE_GROUPS_MOST) {
        return MCAST_EFULL;
    }
    if (mcast_vector_reserve(&service->free_groups, service->alloc, service->groups.count + 1,
                             sizeof(uint32_t)) != MCAST_OK) {
        return MCAST_ENOMEM;
    }
    uint32_t fresh = (uint32_t)service->groups.count;
    if (mcast_vector_push(&service->groups, service->alloc, sizeof(struct service_group)) == NULL) {
        return MCAST_ENOMEM;
    }
    ((uint32_t *)service->free_groups.items)[service->free_groups.count++] = fresh;
    *slot = fresh;
    return MCAST_OK;
}

static int group_make(struct mcast_service *service, struct mcast_id id, uint32_t name,
                      uint32_t *slot) {
    int code = claim_slot(service, slot);
    if (code != MCAST_OK) {
        return code;
    }
    uint32_t given = name != 0 ? name : service->last_group + 1;
    bool room =
        mcast_id_map_reserve(&service->group_by_id, service->group_by_id.count + 1) == MCAST_OK &&
        mcast_map_reserve(&service->group_by_name, service->group_by_name.count + 1) == MCAST_OK;
    struct service_class *empty = room ? mcast_service_class_empty(service) : NULL;
    if (empty == NULL) {
        return MCAST_ENOMEM;
    }
    service->free_groups.count--;
    (void)mcast_id_map_put(&service->group_by_id, id.high, id.low, *slot);
    (void)mcast_map_put(&service->group_by_name, given, *slot);
    empty->uses += 2;
    *service_group_at(service, *slot) = (struct service_group){.id = id,
                                                               .name = given,
                                                               .now = empty,
                                                               .next = empty,
                                                               .address = MCAST_ADDRESS_NONE,
                                                               .next_address = MCAST_ADDRESS_NONE};
    if (given > service->last_group) {
        service->last_group = given;
    }
    return MCAST_OK;
}

int mcast_service_group_obtain(struct mcast_service *service, struct mcast_id id, uint32_t name,
                               uint32_t *slot) {
    *slot = mcast_service_group_find(service, id);
    return *slot != SERVICE_NO_GROUP ? MCAST_OK : group_make(service, id, name, slot);
}

void mcast_service_group_release(struct mcast_service *service, uint32_t slot) {
    struct service_group *group = service_group_at(service, slot);
    if (group->name == 0 || group->wanted > 0 || group->senders.count > 0 ||
        group->now->count > 0 || group->next->count > 0) {
        return;
    }
    (void)mcast_id_map_take(&service->group_by_id, group->id.high, group->id.low);
    (void)mcast_map_take(&service->group_by_name, group->name);
    mcast_service_class_release(service, group->now);
    mcast_service_class_release(service, group->next);
    mcast_vector_free(&group->senders, service->alloc, sizeof(uint32_t));
    mcast_service_hybrid_release(service, group);
    *group = (struct service_group){.name = 0};
    ((uint32_t *)service->free_groups.items)[service->free_groups.count++] = slot;
}

void mcast_service_group_propose(struct mcast_service *service, uint32_t slot,
                                 struct service_class *next) {
    struct service_group *group = service_group_at(service, slot);
    struct service_class *old = group->next;
    next->uses++;
    group->next = next;
    mcast_service_class_release(service, old);
}

void mcast_service_groups_free(struct mcast_service *service) {
    mcast_service_classes_free(service);
    for (size_t i = 0; i < service->groups.count; i++) {
        mcast_vector_free(&service_group_at(service, i)->senders, service->alloc, sizeof(uint32_t));
    }
    mcast_vector_free(&service->groups, service->alloc, sizeof(struct service_group));
    mcast_vector_free(&service->free_groups, service->alloc, sizeof(uint32_t));
    mcast_id_map_free(&service->group_by_id);
    mcast_map_free(&service->group_by_name);
}
