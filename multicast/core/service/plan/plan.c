#include "service/plan/plan.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/class.h"
#include "service/epoch/view_close.h"
#include "service/group.h"
#include "service/plan/hierarchy_split.h"
#include "service/plan/hybrid.h"
#include "service/plan/proposal.h"
#include "service/plan/region_assignment.h"

#include "mcast/error.h"

#include <string.h>

static struct service_region *changed_at(const struct service_plan *plan, size_t index) {
    return ((struct service_region **)plan->changed.items)[index];
}

static struct service_node *node_in(struct mcast_service *service, const struct mcast_vector *list,
                                    size_t index) {
    return service_node_at(service, ((uint32_t *)list->items)[index]);
}

void mcast_service_plan_clear(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    mcast_service_target_clear(service);
    plan->movers.count = 0;
    plan->placed.count = 0;
    plan->changed.count = 0;
    plan->touched.count = 0;
    plan->asked.count = 0;
    plan->regrouped = false;
    plan->waits_for_address = false;
    plan->held = false;
}

void mcast_service_plan_free(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    if (plan == NULL) {
        return;
    }
    mcast_service_plan_clear(service);
    mcast_vector_free(&plan->movers, service->alloc, sizeof(uint32_t));
    mcast_vector_free(&plan->placed, service->alloc, sizeof(uint32_t));
    mcast_vector_free(&plan->targets, service->alloc, sizeof(struct service_target *));
    mcast_vector_free(&plan->changed, service->alloc, sizeof(struct service_region *));
    mcast_vector_free(&plan->touched, service->alloc, sizeof(uint32_t));
    mcast_vector_free(&plan->asked, service->alloc, sizeof(uint32_t));
    mcast_vector_free(&plan->scratch, service->alloc, sizeof(uint32_t));
    mcast_vector_free(&plan->views, service->alloc, sizeof(uint64_t));
    mcast_memory_free(service->alloc, plan, 1, sizeof *plan);
    service->plan = NULL;
}

/* Find the regions that must stay as they are because a member of them does not answer. Return true
 * if there are any. */
static bool freeze(struct mcast_service *service) {
    bool any = false;
    for (size_t i = 0; i < service->regions.count; i++) {
        struct service_view *view = service_region_at(service, i)->now;
        view->frozen = false;
        for (size_t m = 0; m < view->member_count; m++) {
            const struct service_node *node = service_node_at(service, view->members[m]);
            if (!node->dead && (node->lagging || node->awaited || node->connection == 0)) {
                view->frozen = true;
                any = true;
            }
        }
    }
    return any;
}

/* True if @node has a request that can be granted: a node that has yet to report may be elsewhere.
 */
static bool asks(const struct service_node *node) {
    return node->request_state != REQUEST_NONE && !node->awaited;
}

static bool may_move(const struct mcast_service *service, const struct service_node *node) {
    return node != NULL && !node->held && !service->settling &&
           (!service_node_stays(node) || asks(node) || service->plan->regrouped);
}

/* Choose a target for each mover. Hold a node that would change a region where nothing may change.
 */
static int choose_targets(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node == NULL) {
            continue;
        }
        node->moves = false;
        if (!may_move(service, node)) {
            continue;
        }
        int code = mcast_service_target_choose(service, node, &node->moves);
        if (code == MCAST_OK && node->moves && mcast_service_target_blocked(node)) {
            node->held = true;
            node->moves = false;
            plan->held = true;
        }
        if (code == MCAST_OK && node->moves) {
            code = mcast_service_target_go(service, node);
        }
        uint32_t *place = code == MCAST_OK && node->moves
                              ? mcast_vector_push(&plan->movers, service->alloc, sizeof *place)
                              : NULL;
        if (code != MCAST_OK || (node->moves && place == NULL)) {
            return MCAST_ENOMEM;
        }
        if (place != NULL) {
            *place = node->slot;
        }
    }
    return MCAST_OK;
}

/* Hold the nodes that go to the last @count targets without a region, for want of addresses. Groups
 * that were to change their hierarchy stay where they are first of all. */
static void hold_last_targets(struct mcast_service *service, size_t count) {
    struct service_plan *plan = service->plan;
    if (plan->regrouped) {
        mcast_service_split_settle(service, false);
        plan->regrouped = false;
        return;
    }
    for (size_t i = plan->targets.count; i > 0 && count > 0; i--) {
        const struct service_target *target =
            ((struct service_target **)plan->targets.items)[i - 1];
        if (target->region != NULL || target->joiners.count == 0) {
            continue;
        }
        for (size_t j = 0; j < target->joiners.count; j++) {
            struct service_node *node = node_in(service, &target->joiners, j);
            node->held = true;
            node->starved = true;
        }
        count--;
    }
    plan->waits_for_address = true;
}

/* Move all who can move. Holding a node changes where others go, so repeat until no more are held;
 * each pass has one target less, so it ends. */
static int move_all(struct mcast_service *service) {
    for (;;) {
        size_t short_of = 0;
        mcast_service_target_clear(service);
        service->plan->movers.count = 0;
        int code = mcast_service_target_begin(service);
        if (code == MCAST_OK) {
            code = choose_targets(service);
        }
        if (code == MCAST_OK) {
            code = mcast_service_target_settle(service, &short_of);
        }
        if (code != MCAST_OK || short_of == 0) {
            return code;
        }
        hold_last_targets(service, short_of);
    }
}

/* Collect the requests that this plan grants. */
static int grant(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node == NULL || node->held || service->settling ||
            (service_node_stays(node) && !asks(node))) {
            continue;
        }
        int code = mcast_service_proposal_senders(service, node);
        if (code != MCAST_OK) {
            return code;
        }
        uint32_t *place = mcast_vector_push(&plan->asked, service->alloc, sizeof *place);
        if (place == NULL) {
            return MCAST_ENOMEM;
        }
        *place = node->slot;
    }
    return MCAST_OK;
}

/* Find the nodes that may have sent to @view: members and registered senders of its groups, as
 * committed. */
static int find_senders(struct mcast_service *service, const struct service_view *view,
                        struct mcast_bits *senders) {
    uint64_t stamp = ++service->stamp;
    int code = MCAST_OK;
    for (size_t i = 0; i < view->group_count; i++) {
        const struct service_group *group = service_group_at(service, view->groups[i]);
        for (size_t j = 0; group->now->seen != stamp && j < group->now->count; j++) {
            code = mcast_bits_add_all(senders, service->alloc, &group->now->regions[j]->now->bits);
            if (code != MCAST_OK) {
                return code;
            }
        }
        group->now->seen = stamp;
        for (size_t j = 0; j < group->senders.count; j++) {
            const struct service_node *node = node_in(service, &group->senders, j);
            if (mcast_sort_has_u32(node->senders, node->sender_count, view->groups[i])) {
                code = mcast_bits_add(senders, service->alloc, node->slot);
            }
            if (code != MCAST_OK) {
                return code;
            }
        }
    }
    return code;
}

/* Reserve memory for closing the views that close. */
static int prepare_closing(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    struct mcast_bits senders = {.words = NULL};
    int code = MCAST_OK;
    for (size_t i = 0; i < plan->changed.count && code == MCAST_OK; i++) {
        struct service_view *old = changed_at(plan, i)->now;
        if (old == NULL || !service_view_closes(old)) {
            continue;
        }
        mcast_bits_clear(&senders);
        code = find_senders(service, old, &senders);
        if (code == MCAST_OK) {
            code = mcast_service_close_prepare(service, old, &senders);
        }
    }
    mcast_bits_free(&senders, service->alloc);
    return code;
}

/* Mark the views whose members need an update: one of their groups changed, or a region that
 * carries one of their groups got another view. */
static void mark_dirty(const struct service_class *of) {
    for (size_t i = 0; i < of->count; i++) {
        if (of->regions[i]->now != NULL) {
            of->regions[i]->now->dirty = true;
        }
    }
}

static void find_dirty(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    for (size_t i = 0; i < service->regions.count; i++) {
        struct service_view *view = service_region_at(service, i)->now;
        if (view != NULL) {
            view->dirty = false;
        }
    }
    for (size_t i = 0; i < plan->touched.count; i++) {
        const struct service_group *group =
            service_group_at(service, ((uint32_t *)plan->touched.items)[i]);
        mark_dirty(group->now);
        mark_dirty(group->next);
    }
    plan->class_stamp = ++service->stamp;
    for (size_t i = 0; i < plan->changed.count; i++) {
        const struct service_region *region = changed_at(plan, i);
        const struct service_view *next = region->next;
        bool renamed = region->now == NULL || next == NULL || region->now->name != next->name;
        for (size_t j = 0; renamed && next != NULL && j < next->group_count; j++) {
            struct service_class *class = service_group_at(service, next->groups[j])->next;
            if (class->changed != plan->class_stamp) {
                class->changed = plan->class_stamp;
                mark_dirty(class);
            }
        }
    }
}

int mcast_service_plan_make(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    mcast_service_plan_clear(service);
    plan->epoch = MCAST_EPOCH(service->generation, service->epoch_count + 1);
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL) {
            node->held = false;
            node->starved = false;
            node->moves = false;
        }
    }
    bool fixed = freeze(service) || service->settling; /* a group moves with all its members */
    int code = fixed ? MCAST_OK : mcast_service_split_groups(service);
    code = code == MCAST_OK ? move_all(service) : code;
    code = code == MCAST_OK ? mcast_service_proposal_views(service) : code;
    code = code == MCAST_OK ? mcast_service_proposal_groups(service) : code;
    code = code == MCAST_OK ? mcast_service_hybrid_propose(service) : code;
    code = code == MCAST_OK ? grant(service) : code;
    code = code == MCAST_OK ? prepare_closing(service) : code;
    if (code != MCAST_OK) {
        mcast_service_plan_abort(service);
        return code;
    }
    find_dirty(service);
    return MCAST_OK;
}

/* Remove @slot from the senders of @group. */
static void remove_sender(struct service_group *group, uint32_t slot) {
    for (size_t i = 0; i < group->senders.count; i++) {
        if (((uint32_t *)group->senders.items)[i] == slot) {
            mcast_vector_swap_out(&group->senders, i, sizeof slot);
            return;
        }
    }
}

/* Make one of the two lists of @node its groups as a sender, and remove it from the groups of the
 * other. */
static void settle_senders(struct mcast_service *service, struct service_node *node, bool commit) {
    if (!node->senders_change) {
        return;
    }
    uint32_t *drop = commit ? node->senders : node->next_senders;
    size_t drop_count = commit ? node->sender_count : node->next_sender_count;
    uint32_t *keep = commit ? node->next_senders : node->senders;
    size_t keep_count = commit ? node->next_sender_count : node->sender_count;
    for (size_t i = 0; i < drop_count; i++) {
        if (!mcast_sort_has_u32(keep, keep_count, drop[i])) {
            remove_sender(service_group_at(service, drop[i]), node->slot);
            mcast_service_group_release(service, drop[i]);
        }
    }
    mcast_memory_free(service->alloc, drop, drop_count, sizeof *drop);
    node->senders = keep;
    node->sender_count = keep_count;
    node->next_senders = keep;
    node->next_sender_count = keep_count;
    node->senders_change = false;
}

static void settle_group(struct mcast_service *service, uint32_t slot, bool commit) {
    struct service_group *group = service_group_at(service, slot);
    struct service_class *keep = commit ? group->next : group->now;
    struct service_class *drop = commit ? group->now : group->next;
    keep->uses++;
    group->now = keep;
    group->next = keep;
    group->touched = false;
    if (commit) {
        group->number = group->next_number;
    }
    group->next_number = group->number;
    mcast_service_hybrid_settle(service, group, commit);
    mcast_service_class_release(service, drop);
    mcast_service_group_release(service, slot);
}

static void settle_lists(struct mcast_service *service, bool commit) {
    struct service_plan *plan = service->plan;
    for (size_t i = 0; i < plan->touched.count; i++) {
        settle_group(service, ((uint32_t *)plan->touched.items)[i], commit);
    }
    for (size_t i = 0; i < plan->placed.count; i++) {
        struct service_node *node = node_in(service, &plan->placed, i);
        memcpy(commit ? node->now : node->next, commit ? node->next : node->now, sizeof node->now);
        settle_senders(service, node, commit);
    }
    mcast_service_split_settle(service, commit);
}

/* Remove regions without a view from the list; only closed views still refer to them. */
static void drop_empty_regions(struct mcast_service *service) {
    for (size_t i = 0; i < service->regions.count;) {
        struct service_region *region = service_region_at(service, i);
        if (region->now != NULL) {
            i++;
            continue;
        }
        mcast_vector_swap_out(&service->regions, i, sizeof region);
        mcast_service_region_release(service, region);
    }
}

void mcast_service_plan_commit(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    service->epoch = plan->epoch;
    settle_lists(service, true);
    for (size_t i = 0; i < plan->changed.count; i++) {
        struct service_region *region = changed_at(plan, i);
        struct service_view *old = region->now;
        bool closes = old != NULL && service_view_closes(old);
        region->now = region->next;
        if (closes) {
            mcast_service_close_begin(service, old);
        } else if (old != NULL) {
            mcast_service_view_free(service, old);
        }
    }
    drop_empty_regions(service);
}

void mcast_service_plan_abort(struct mcast_service *service) {
    struct service_plan *plan = service->plan;
    settle_lists(service, false);
    for (size_t i = 0; i < plan->changed.count; i++) {
        struct service_region *region = changed_at(plan, i);
        if (region->next != NULL) {
            mcast_service_view_free(service, region->next);
        }
        region->next = region->now;
    }
    drop_empty_regions(service);
    mcast_service_plan_clear(service);
}
