#include "service/plan/region_assignment.h"
#include "base/memory.h"
#include "base/mix.h"
#include "base/sort.h"

#include "mcast/error.h"

#include <string.h>

/* The request of the current node about a group. */
enum { MARK_NONE = 0, MARK_JOIN, MARK_LEAVE };

static uint64_t key_of(struct mcast_set_hash hash, uint32_t hierarchy) {
    return mcast_mix64(hash.low ^ mcast_mix64(hash.high + hierarchy));
}

static struct service_target *chain_of(const struct service_plan *plan, uint64_t key) {
    uint64_t found = mcast_map_get(&plan->by_key, key);
    return found == MCAST_MAP_NONE ? NULL : (struct service_target *)(uintptr_t)found;
}

/* Equal digests are not enough: members choose the ids and could search for two sets that collide.
 */
static struct service_target *find(const struct service_plan *plan, struct mcast_set_hash hash,
                                   uint32_t hierarchy, const uint32_t *groups, size_t count) {
    struct service_target *at = chain_of(plan, key_of(hash, hierarchy));
    while (at != NULL && (at->hierarchy != hierarchy || at->count != count ||
                          memcmp(at->groups, groups, count * sizeof *groups) != 0)) {
        at = at->chain;
    }
    return at;
}

static void target_free(struct mcast_service *service, struct service_target *target) {
    mcast_memory_free(service->alloc, target->groups, target->count, sizeof *target->groups);
    mcast_vector_free(&target->joiners, service->alloc, sizeof(uint32_t));
    mcast_memory_free(service->alloc, target, 1, sizeof *target);
}

static struct service_target *make(struct mcast_service *service, struct mcast_set_hash hash,
                                   uint32_t hierarchy, const uint32_t *groups, size_t count) {
    struct service_plan *plan = service->plan;
    const struct mcast_alloc *alloc = service->alloc;
    struct service_target *target = mcast_memory_new(alloc, 1, sizeof *target);
    if (target == NULL) {
        return NULL;
    }
    *target = (struct service_target){.hash = hash, .hierarchy = hierarchy, .count = count};
    target->groups = mcast_memory_new(alloc, count, sizeof *groups);
    struct service_target **place = NULL;
    uint64_t key = key_of(hash, hierarchy);
    target->chain = chain_of(plan, key);
    if (target->groups != NULL &&
        mcast_vector_reserve(&plan->targets, alloc, plan->targets.count + 1, sizeof target) ==
            MCAST_OK &&
        mcast_map_put(&plan->by_key, key, (uint64_t)(uintptr_t)target) == MCAST_OK) {
        place = mcast_vector_push(&plan->targets, alloc, sizeof target);
    }
    if (place == NULL) {
        target_free(service, target);
        return NULL;
    }
    memcpy(target->groups, groups, count * sizeof *groups);
    *place = target;
    return target;
}

int mcast_service_target_begin(struct mcast_service *service) {
    for (size_t i = 0; i < service->regions.count; i++) {
        struct service_region *region = service_region_at(service, i);
        struct service_view *view = region->now;
        view->heir = NULL;
        view->leavers = 0;
        view->scattered = false;
        struct service_target *target =
            make(service, view->hash, region->hierarchy, view->groups, view->group_count);
        if (target == NULL) {
            return MCAST_ENOMEM;
        }
        target->base = view;
        target->region = region;
        view->home = target;
    }
    return MCAST_OK;
}

void mcast_service_target_clear(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    for (size_t i = 0; i < plan->targets.count; i++) {
        target_free(service, ((struct service_target **)plan->targets.items)[i]);
    }
    plan->targets.count = 0;
    mcast_map_free(&plan->by_key);
}

/* Mark the request of @node on each group that it names; the last item about a group counts. */
static void mark(struct mcast_service *service, const struct service_node *node, bool set) {
    if (node->request_state == REQUEST_NONE) {
        return;
    }
    for (size_t i = 0; i < node->item_count; i++) {
        const struct service_item *item = &node->items[i];
        if (item->group != SERVICE_NO_GROUP && item->op <= MCAST_SM_LEAVE) {
            uint8_t wish = item->op == MCAST_SM_JOIN ? MARK_JOIN : MARK_LEAVE;
            service_group_at(service, item->group)->mark = set ? wish : MARK_NONE;
        }
    }
}

/* Update the digest along with the list: the part that a node keeps of a region is not hashed
 * again. */
static int push(struct mcast_service *service, uint32_t slot, bool counted) {
    uint32_t *place = mcast_vector_push(&service->plan->scratch, service->alloc, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = slot;
    if (!counted) {
        struct mcast_id id = service_group_at(service, slot)->id;
        mcast_set_hash_add(&service->plan->hash, id.high, id.low);
    }
    return MCAST_OK;
}

/* Gather the groups of @view in @hierarchy that the current node keeps. @counted: the digest
 * already holds all groups of the view. */
static int keep_from(struct mcast_service *service, const struct service_view *view,
                     uint32_t hierarchy, bool counted) {
    int code = MCAST_OK;
    for (size_t i = 0; view != NULL && i < view->group_count && code == MCAST_OK; i++) {
        struct service_group *group = service_group_at(service, view->groups[i]);
        if (group->next_hierarchy == hierarchy && group->mark != MARK_LEAVE) {
            group->mark = MARK_NONE; /* a member already: a JOIN adds nothing */
            code = push(service, view->groups[i], counted);
        } else if (counted) {
            mcast_set_hash_remove(&service->plan->hash, group->id.high, group->id.low);
        }
    }
    return code;
}

/* Gather the groups that @node joins in @hierarchy, each once even if it is named twice. */
static int join_new(struct mcast_service *service, const struct service_node *node,
                    uint32_t hierarchy) {
    int code = MCAST_OK;
    for (size_t i = 0; i < node->item_count && code == MCAST_OK; i++) {
        const struct service_item *item = &node->items[i];
        if (item->group == SERVICE_NO_GROUP || item->op != MCAST_SM_JOIN) {
            continue;
        }
        struct service_group *group = service_group_at(service, item->group);
        if (group->mark == MARK_JOIN && group->next_hierarchy == hierarchy) {
            group->mark = MARK_NONE;
            code = push(service, item->group, false);
        }
    }
    return code;
}

/* Gather the new group set of @node in @hierarchy in the scratch list. */
static int gather(struct mcast_service *service, struct service_node *node, uint32_t hierarchy,
                  bool regrouped) {
    service->plan->scratch.count = 0;
    service->plan->hash = (struct mcast_set_hash){0, 0};
    if (!service_node_stays(node)) {
        return MCAST_OK;
    }
    mark(service, node, true);
    int code = MCAST_OK;
    if (!regrouped && node->now[hierarchy] != NULL) {
        service->plan->hash = node->now[hierarchy]->hash;
        code = keep_from(service, node->now[hierarchy], hierarchy, true);
    }
    for (uint32_t from = 0; regrouped && from < SERVICE_HIERARCHIES && code == MCAST_OK; from++) {
        code = keep_from(service, node->now[from], hierarchy, false);
    }
    if (code == MCAST_OK && node->request_state != REQUEST_NONE) {
        code = join_new(service, node, hierarchy);
    }
    mark(service, node, false);
    mcast_sort_u32(service->plan->scratch.items, service->plan->scratch.count);
    return code;
}

/* The target for the groups in the scratch list, made if there is none yet. */
static struct service_target *obtain(struct mcast_service *service, uint32_t hierarchy) {
    const uint32_t *groups = service->plan->scratch.items;
    size_t count = service->plan->scratch.count;
    struct mcast_set_hash hash = service->plan->hash;
    struct service_target *found = find(service->plan, hash, hierarchy, groups, count);
    return found != NULL ? found : make(service, hash, hierarchy, groups, count);
}

int mcast_service_target_choose(struct mcast_service *service, struct service_node *node,
                                bool *moves) {
    bool regrouped = service->plan->regrouped;
    *moves = false;
    for (uint32_t h = 0; h < service->hierarchies; h++) {
        int code = gather(service, node, h, regrouped);
        if (code != MCAST_OK) {
            return code;
        }
        node->target[h] = NULL;
        if (service->plan->scratch.count > 0) {
            node->target[h] = obtain(service, h);
            if (node->target[h] == NULL) {
                return MCAST_ENOMEM;
            }
        }
        struct service_view *base = node->target[h] == NULL ? NULL : node->target[h]->base;
        *moves = *moves || node->now[h] != base || (base == NULL && node->target[h] != NULL);
    }
    return MCAST_OK;
}

static bool stays(const struct service_node *node, uint32_t hierarchy) {
    const struct service_target *target = node->target[hierarchy];
    return target == NULL ? node->now[hierarchy] == NULL
                          : target->base != NULL && target->base == node->now[hierarchy];
}

bool mcast_service_target_blocked(const struct service_node *node) {
    for (uint32_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        if (stays(node, h)) {
            continue;
        }
        const struct service_view *from = node->now[h];
        const struct service_target *to = node->target[h];
        if ((from != NULL && from->frozen) ||
            (to != NULL && to->base != NULL && to->base->frozen)) {
            return true;
        }
    }
    return false;
}

static void depart(struct service_view *from, struct service_target *to) {
    if (from->leavers == 0) {
        from->heir = to;
    } else if (from->heir != to) {
        from->scattered = true;
    }
    from->leavers++;
}

int mcast_service_target_go(struct mcast_service *service, struct service_node *node) {
    for (uint32_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        struct service_target *to = node->target[h];
        if (stays(node, h)) {
            continue;
        }
        if (to != NULL) {
            uint32_t *place = mcast_vector_push(&to->joiners, service->alloc, sizeof *place);
            if (place == NULL) {
                return MCAST_ENOMEM;
            }
            *place = node->slot;
        }
        if (node->now[h] != NULL) {
            depart(node->now[h], to);
        }
    }
    return MCAST_OK;
}

/* Give a target the region whose members all go to it. */
static void inherit(struct mcast_service *service) {
    for (size_t i = 0; i < service->regions.count; i++) {
        struct service_region *region = service_region_at(service, i);
        struct service_view *view = region->now;
        struct service_target *heir = view->heir;
        if (view->leavers == view->member_count && !view->scattered && heir != NULL &&
            heir->region == NULL && view->home->joiners.count == 0) {
            heir->region = region;
            heir->heritage = view;
            view->home->region = NULL;
        }
    }
}

static int begin_region(struct mcast_service *service, struct service_target *target,
                        uint32_t address) {
    const struct mcast_alloc *alloc = service->alloc;
    struct service_region *region = mcast_memory_new(alloc, 1, sizeof *region);
    struct service_region **place =
        region == NULL ? NULL : mcast_vector_push(&service->regions, alloc, sizeof region);
    if (place == NULL) {
        mcast_memory_free(alloc, region, 1, sizeof *region);
        mcast_address_pool_give(&service->addresses, address, service->now);
        return MCAST_ENOMEM;
    }
    region->number = ++service->last_region;
    region->hierarchy = target->hierarchy;
    region->address = address;
    *place = region;
    target->region = region;
    return MCAST_OK;
}

int mcast_service_target_settle(struct mcast_service *service, size_t *short_of) {
    struct service_plan *plan = service->plan;
    size_t wanted = 0;
    inherit(service);
    for (size_t i = 0; i < plan->targets.count; i++) {
        const struct service_target *target = ((struct service_target **)plan->targets.items)[i];
        wanted += target->joiners.count > 0 && target->region == NULL ? 1 : 0;
    }
    size_t there = mcast_address_pool_free_count(&service->addresses, service->now);
    *short_of = wanted > there ? wanted - there : 0;
    for (size_t i = 0; i < plan->targets.count && *short_of == 0; i++) {
        struct service_target *target = ((struct service_target **)plan->targets.items)[i];
        if (target->joiners.count > 0 && target->region == NULL) {
            uint32_t address = mcast_address_pool_take(&service->addresses, service->now);
            int code = begin_region(service, target, address);
            if (code != MCAST_OK) {
                return code;
            }
        }
    }
    return MCAST_OK;
}
