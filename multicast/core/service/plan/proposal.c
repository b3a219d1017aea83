#include "service/plan/proposal.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/class.h"
#include "service/epoch/view_close.h"
#include "service/group.h"

#include "mcast/error.h"

#include <string.h>

static int push_u32(struct mcast_service *service, struct mcast_vector *list, uint32_t value) {
    uint32_t *place = mcast_vector_push(list, service->alloc, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = value;
    return MCAST_OK;
}

int mcast_service_proposal_touch(struct mcast_service *service, uint32_t slot) {
    struct service_group *group = service_group_at(service, slot);
    if (group->touched) {
        return MCAST_OK;
    }
    int code = push_u32(service, &service->plan->touched, slot);
    group->touched = code == MCAST_OK;
    return code;
}

/* True if @node is in the view that stands for @target before the change and not after it. */
static bool leaves(const struct service_node *node, const struct service_target *target) {
    return node->moves && node->target[target->hierarchy] != target;
}

/* Gather the members of @target in the list of names: short name and slot, by short name. */
static int gather_members(struct mcast_service *service, const struct service_target *target) {
    struct mcast_vector *list = &service->plan->views;
    const struct service_view *base = target->base;
    size_t stayers = base == NULL ? 0 : base->member_count;
    list->count = 0;
    if (mcast_vector_reserve(list, service->alloc, stayers + target->joiners.count + 1,
                             sizeof(uint64_t)) != MCAST_OK) {
        return MCAST_ENOMEM;
    }
    uint64_t *keys = list->items;
    for (size_t i = 0; i < stayers; i++) {
        const struct service_node *node = service_node_at(service, base->members[i]);
        if (!leaves(node, target)) {
            keys[list->count++] = (uint64_t)node->name << 32 | node->slot;
        }
    }
    for (size_t i = 0; i < target->joiners.count; i++) {
        uint32_t slot = ((uint32_t *)target->joiners.items)[i];
        keys[list->count++] = (uint64_t)service_node_at(service, slot)->name << 32 | slot;
    }
    mcast_sort_u64(keys, list->count);
    return MCAST_OK;
}

/* Make a view of @target with the gathered members, not yet named. */
static struct service_view *make_view(struct mcast_service *service,
                                      const struct service_target *target) {
    const struct mcast_alloc *alloc = service->alloc;
    const struct mcast_vector *list = &service->plan->views;
    struct service_view *view = mcast_memory_new(alloc, 1, sizeof *view);
    if (view == NULL) {
        return NULL;
    }
    view->region = target->region;
    view->hash = target->hash;
    view->groups = mcast_memory_new(alloc, target->count, sizeof *view->groups);
    view->group_count = target->count;
    view->member_count = list->count;
    view->members = mcast_memory_new(alloc, list->count, sizeof *view->members);
    view->names = mcast_memory_new(alloc, list->count, sizeof *view->names);
    bool made = view->groups != NULL && view->members != NULL && view->names != NULL;
    for (size_t i = 0; made && i < list->count; i++) {
        view->members[i] = (uint32_t)((uint64_t *)list->items)[i];
        view->names[i] = (mcast_node)(((uint64_t *)list->items)[i] >> 32);
        made = mcast_bits_add(&view->bits, alloc, view->members[i]) == MCAST_OK;
    }
    if (!made) {
        mcast_service_view_free(service, view);
        return NULL;
    }
    memcpy(view->groups, target->groups, target->count * sizeof *view->groups);
    return view;
}

static bool contains_all(const struct service_view *view, const struct service_view *other) {
    size_t at = 0;
    for (size_t i = 0; i < other->group_count; i++) {
        while (at < view->group_count && view->groups[at] < other->groups[i]) {
            at++;
        }
        if (at == view->group_count || view->groups[at] != other->groups[i]) {
            return false;
        }
    }
    return true;
}

/* True if @view only adds groups to @heritage: the same members and no group removed. Then it keeps
 * its name, and no node has to move. */
static bool extends(const struct service_view *view, const struct service_view *heritage) {
    return heritage != NULL && view->member_count == heritage->member_count &&
           memcmp(view->members, heritage->members, view->member_count * sizeof *view->members) ==
               0 &&
           contains_all(view, heritage);
}

static int propose(struct mcast_service *service, struct service_region *region,
                   struct service_view *next) {
    struct service_region **place =
        mcast_vector_push(&service->plan->changed, service->alloc, sizeof *place);
    if (place == NULL) {
        if (next != NULL) {
            mcast_service_view_free(service, next);
        }
        return MCAST_ENOMEM;
    }
    *place = region;
    region->next = next;
    for (size_t i = 0; next != NULL && i < next->member_count; i++) {
        /* Listed first: giving up the plan resets whatever is listed. */
        if (push_u32(service, &service->plan->placed, next->members[i]) != MCAST_OK) {
            return MCAST_ENOMEM;
        }
        service_node_at(service, next->members[i])->next[region->hierarchy] = next;
    }
    return MCAST_OK;
}

static int propose_target(struct mcast_service *service, struct service_target *target) {
    int code = gather_members(service, target);
    if (code != MCAST_OK) {
        return code;
    }
    if (service->plan->views.count == 0) {
        return propose(service, target->region, NULL);
    }
    struct service_view *view = make_view(service, target);
    if (view == NULL) {
        return MCAST_ENOMEM;
    }
    bool same = extends(view, target->heritage);
    view->name =
        same ? target->heritage->name : MCAST_EPOCH(service->generation, ++service->last_view);
    view->opened_by = same ? target->heritage->opened_by : service->plan->epoch;
    return propose(service, target->region, view);
}

static bool changes(const struct service_target *target) {
    return target->region != NULL &&
           (target->joiners.count > 0 || (target->base != NULL && target->base->leavers > 0));
}

/* Find the closing views that have a member in @view. */
static int find_parents(struct mcast_service *service, struct service_view *view) {
    struct mcast_vector *list = &service->plan->views;
    uint64_t stamp = ++service->stamp;
    list->count = 0;
    for (size_t i = 0; i < view->member_count; i++) {
        const struct service_node *node = service_node_at(service, view->members[i]);
        for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
            struct service_view *old = node->now[h];
            if (old == NULL || !service_view_closes(old) || old->seen == stamp) {
                continue;
            }
            old->seen = stamp;
            uint64_t *place = mcast_vector_push(list, service->alloc, sizeof *place);
            if (place == NULL) {
                return MCAST_ENOMEM;
            }
            *place = old->name;
        }
    }
    if (list->count == 0) {
        return MCAST_OK;
    }
    view->parents = mcast_memory_new(service->alloc, list->count, sizeof *view->parents);
    if (view->parents == NULL) {
        return MCAST_ENOMEM;
    }
    view->parent_count = list->count;
    memcpy(view->parents, list->items, list->count * sizeof *view->parents);
    mcast_sort_u64(view->parents, view->parent_count);
    return MCAST_OK;
}

static bool is_new(const struct service_region *region) {
    return region->next != NULL && (region->now == NULL || region->now->name != region->next->name);
}

int mcast_service_proposal_views(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    int code = MCAST_OK;
    for (size_t i = 0; i < plan->movers.count && code == MCAST_OK; i++) {
        uint32_t slot = ((uint32_t *)plan->movers.items)[i];
        struct service_node *node = service_node_at(service, slot);
        code = push_u32(service, &plan->placed, slot);
        for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
            bool stays = node->target[h] != NULL && node->target[h]->base == node->now[h];
            node->next[h] = stays ? node->now[h] : NULL;
        }
    }
    for (size_t i = 0; i < plan->targets.count && code == MCAST_OK; i++) {
        struct service_target *target = ((struct service_target **)plan->targets.items)[i];
        code = changes(target) ? propose_target(service, target) : MCAST_OK;
    }
    for (size_t i = 0; i < plan->changed.count && code == MCAST_OK; i++) {
        struct service_region *region = ((struct service_region **)plan->changed.items)[i];
        code = is_new(region) ? find_parents(service, region->next) : MCAST_OK;
    }
    return code;
}

static int regroup_one(struct mcast_service *service, struct service_region *region, uint32_t slot,
                       bool add) {
    /* Listed first: giving up the plan resets whatever is listed. */
    int code = mcast_service_proposal_touch(service, slot);
    if (code != MCAST_OK) {
        return code;
    }
    struct service_class *from = service_group_at(service, slot)->next;
    struct service_class *next = mcast_service_class_change(service, from, region, add);
    if (next == NULL) {
        return MCAST_ENOMEM;
    }
    mcast_service_group_propose(service, slot, next);
    return MCAST_OK;
}

/* Reclass the groups of @from that are not in @to. */
static int regroup(struct mcast_service *service, struct service_region *region,
                   const struct service_view *from, const struct service_view *to, bool add) {
    size_t at = 0;
    service->stamp++;
    for (size_t i = 0; from != NULL && i < from->group_count; i++) {
        while (to != NULL && at < to->group_count && to->groups[at] < from->groups[i]) {
            at++;
        }
        if (to != NULL && at < to->group_count && to->groups[at] == from->groups[i]) {
            continue;
        }
        int code = regroup_one(service, region, from->groups[i], add);
        if (code != MCAST_OK) {
            return code;
        }
    }
    return MCAST_OK;
}

enum { MARK_NEW = 1, MARK_BOTH = 2 };

static int renumber(struct mcast_service *service, uint32_t slot) {
    int code = mcast_service_proposal_touch(service, slot);
    if (code == MCAST_OK) {
        service_group_at(service, slot)->next_number = service->plan->epoch;
    }
    return code;
}

/* Give a new view number to each group that @node joins or leaves. */
static int number_groups(struct mcast_service *service, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        for (size_t i = 0; node->next[h] != NULL && i < node->next[h]->group_count; i++) {
            service_group_at(service, node->next[h]->groups[i])->mark = MARK_NEW;
        }
    }
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        for (size_t i = 0; node->now[h] != NULL && i < node->now[h]->group_count; i++) {
            struct service_group *group = service_group_at(service, node->now[h]->groups[i]);
            bool stays = group->mark == MARK_NEW;
            group->mark = stays ? MARK_BOTH : group->mark;
            code = stays || code != MCAST_OK ? code : renumber(service, node->now[h]->groups[i]);
        }
    }
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        for (size_t i = 0; node->next[h] != NULL && i < node->next[h]->group_count; i++) {
            struct service_group *group = service_group_at(service, node->next[h]->groups[i]);
            bool fresh = group->mark == MARK_NEW;
            group->mark = 0;
            code = !fresh || code != MCAST_OK ? code : renumber(service, node->next[h]->groups[i]);
        }
    }
    return code;
}

int mcast_service_proposal_groups(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    int code = MCAST_OK;
    for (size_t i = 0; i < plan->changed.count && code == MCAST_OK; i++) {
        struct service_region *region = ((struct service_region **)plan->changed.items)[i];
        code = regroup(service, region, region->now, region->next, false);
        if (code == MCAST_OK) {
            code = regroup(service, region, region->next, region->now, true);
        }
    }
    for (size_t i = 0; i < plan->movers.count && code == MCAST_OK; i++) {
        uint32_t slot = ((uint32_t *)plan->movers.items)[i];
        code = number_groups(service, service_node_at(service, slot));
    }
    return code;
}

/* Gather in the scratch list the groups that @node sends to after its request. */
static int gather_senders(struct mcast_service *service, struct service_node *node) {
    struct mcast_vector *list = &service->plan->scratch;
    size_t most = node->sender_count + node->item_count + 1;
    list->count = 0;
    if (mcast_vector_reserve(list, service->alloc, most, sizeof(uint32_t)) != MCAST_OK) {
        return MCAST_ENOMEM;
    }
    uint32_t *slots = list->items;
    for (size_t i = 0; i < node->sender_count; i++) {
        slots[list->count++] = node->senders[i];
    }
    for (size_t i = 0; i < node->item_count; i++) {
        const struct service_item *item = &node->items[i];
        if (item->group != SERVICE_NO_GROUP && item->op == MCAST_SM_REGISTER_SENDER) {
            slots[list->count++] = item->group;
        }
    }
    return MCAST_OK;
}

/* Remove from the scratch list the groups that the request takes back, and repetitions. */
static void settle_senders(struct mcast_service *service, const struct service_node *node) {
    struct mcast_vector *list = &service->plan->scratch;
    uint32_t *slots = list->items;
    size_t kept = 0;
    enum { KEEP = 1, DROP = 2 };
    for (size_t i = 0; i < list->count; i++) {
        service_group_at(service, slots[i])->mark = KEEP;
    }
    for (size_t i = 0; i < node->item_count; i++) {
        const struct service_item *item = &node->items[i];
        if (item->group != SERVICE_NO_GROUP && item->op >= MCAST_SM_REGISTER_SENDER) {
            bool drop = item->op == MCAST_SM_UNREGISTER_SENDER;
            service_group_at(service, item->group)->mark = drop ? DROP : KEEP;
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        struct service_group *group = service_group_at(service, slots[i]);
        if (group->mark == KEEP) {
            slots[kept++] = slots[i];
        }
        group->mark = 0;
    }
    for (size_t i = 0; i < node->item_count; i++) {
        if (node->items[i].group != SERVICE_NO_GROUP) {
            service_group_at(service, node->items[i].group)->mark = 0;
        }
    }
    list->count = kept;
    mcast_sort_u32(slots, kept);
}

/* Add the new sender to the group at once; an aborted plan removes it. */
static int enlist(struct mcast_service *service, const struct service_node *node, uint32_t slot) {
    struct service_group *group = service_group_at(service, slot);
    const uint32_t *there = group->senders.items;
    for (size_t i = 0; i < group->senders.count; i++) {
        if (there[i] == node->slot) {
            return MCAST_OK;
        }
    }
    int code = push_u32(service, &group->senders, node->slot);
    return code == MCAST_OK ? mcast_service_proposal_touch(service, slot) : code;
}

int mcast_service_proposal_senders(struct mcast_service *service, struct service_node *node) {
    bool stays = service_node_stays(node);
    int code = gather_senders(service, node);
    if (code != MCAST_OK) {
        return code;
    }
    settle_senders(service, node);
    size_t count = stays ? service->plan->scratch.count : 0;
    const uint32_t *slots = service->plan->scratch.items;
    if (count == node->sender_count &&
        (count == 0 || memcmp(slots, node->senders, count * sizeof *slots) == 0)) {
        return MCAST_OK;
    }
    uint32_t *next = NULL;
    if (count > 0) {
        next = mcast_memory_new(service->alloc, count, sizeof *next);
        if (next == NULL) {
            return MCAST_ENOMEM;
        }
        memcpy(next, slots, count * sizeof *next);
    }
    code = push_u32(service, &service->plan->placed, node->slot);
    if (code != MCAST_OK) {
        mcast_memory_free(service->alloc, next, count, sizeof *next);
        return code;
    }
    node->next_senders = next;
    node->next_sender_count = count;
    node->senders_change = true;
    for (size_t i = 0; i < count && code == MCAST_OK; i++) {
        code = enlist(service, node, next[i]);
    }
    return code;
}
