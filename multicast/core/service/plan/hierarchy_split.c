#include "service/plan/hierarchy_split.h"
#include "base/sort.h"
#include "service/plan/hierarchies.h"
#include "service/plan/plan.h"

#include "mcast/error.h"

bool mcast_service_split_is_due(const struct mcast_service *service) {
    uint64_t links = 0;
    bool small = false;
    if (service->config.smallest_region <= 1) {
        return false;
    }
    for (size_t i = 0; i < service->regions.count; i++) {
        const struct service_view *view = service_region_at(service, i)->now;
        if (view != NULL) {
            links += (uint64_t)view->member_count * view->group_count;
            small = small || view->member_count < service->config.smallest_region;
        }
    }
    bool other = links >= 2 * service->split_links || links <= service->split_links / 2;
    return small && other && links > 0;
}

static uint64_t count_links(const struct mcast_service *service) {
    uint64_t links = 0;
    for (size_t i = 0; i < service->regions.count; i++) {
        const struct service_view *view = service_region_at(service, i)->now;
        links += (uint64_t)view->member_count * view->group_count;
    }
    return links;
}

static size_t size_of(const struct service_group *group) {
    size_t size = 0;
    for (size_t i = 0; i < group->now->count; i++) {
        size += group->now->regions[i]->now->member_count;
    }
    return size;
}

/* List the groups that have members, the biggest first, each as its negated size and its slot. */
static int by_size(struct mcast_service *service, struct mcast_vector *list) {
    list->count = 0;
    for (size_t slot = 0; slot < service->groups.count; slot++) {
        const struct service_group *group = service_group_at(service, slot);
        size_t size = group->name == 0 ? 0 : size_of(group);
        if (size == 0) {
            continue;
        }
        uint64_t *place = mcast_vector_push(list, service->alloc, sizeof *place);
        if (place == NULL) {
            return MCAST_ENOMEM;
        }
        *place = (uint64_t)(UINT32_MAX - (uint32_t)size) << 32 | slot;
    }
    mcast_sort_u64(list->items, list->count);
    return MCAST_OK;
}

static int place(struct mcast_service *service, struct mcast_split *split, uint32_t slot) {
    struct service_group *group = service_group_at(service, slot);
    struct mcast_vector *members = &service->plan->scratch;
    members->count = 0;
    if (mcast_vector_reserve(members, service->alloc, size_of(group) + 1, sizeof(uint32_t)) !=
        MCAST_OK) {
        return MCAST_ENOMEM;
    }
    for (size_t i = 0; i < group->now->count; i++) {
        const struct service_view *view = group->now->regions[i]->now;
        for (size_t j = 0; j < view->member_count; j++) {
            ((uint32_t *)members->items)[members->count++] = view->members[j];
        }
    }
    int code = mcast_split_place(split, members->items, members->count, group->hierarchy,
                                 &group->next_hierarchy);
    if (code == MCAST_OK && group->next_hierarchy != group->hierarchy) {
        service->plan->regrouped = true;
    }
    return code;
}

int mcast_service_split_groups(struct mcast_service *service) {
    if (!mcast_service_split_is_due(service)) {
        return MCAST_OK;
    }
    struct mcast_split split;
    struct mcast_vector *list = &service->plan->views;
    enum mcast_split_rule rule =
        service->config.strict_hierarchies ? MCAST_SPLIT_STRICT : MCAST_SPLIT_LOOSE;
    int code = mcast_split_init(&split, service->alloc, service->nodes.count, SERVICE_HIERARCHIES,
                                rule, service->config.smallest_region);
    code = code == MCAST_OK ? by_size(service, list) : code;
    for (size_t i = 0; i < list->count && code == MCAST_OK; i++) {
        code = place(service, &split, (uint32_t)((uint64_t *)list->items)[i]);
    }
    service->next_links = count_links(service);
    if (service->hierarchies < split.count) {
        service->hierarchies = (uint32_t)split.count;
    }
    mcast_split_free(&split);
    return code;
}

void mcast_service_split_settle(struct mcast_service *service, bool commit) {
    if (service->next_links == 0) {
        return;
    }
    if (commit) {
        service->split_links = service->next_links;
    }
    service->next_links = 0;
    for (size_t slot = 0; slot < service->groups.count; slot++) {
        struct service_group *group = service_group_at(service, slot);
        if (commit) {
            group->hierarchy = group->next_hierarchy;
        } else {
            group->next_hierarchy = group->hierarchy;
        }
    }
}
