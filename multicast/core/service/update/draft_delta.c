/* All members with one transition, from one region to another or staying in one, learn the same:
 * the delta is computed once for each transition (rule 1.0.5). */
#include "base/memory.h"
#include "base/mix.h"
#include "service/update/draft.h"

#include "mcast/error.h"

static uint64_t way_key(const struct service_view *from, const struct service_view *to) {
    return mcast_mix64((uint64_t)(uintptr_t)from) + (uint64_t)(uintptr_t)to;
}

static void set_own(struct service_delta *delta, struct service_view *to, bool everything) {
    bool fresh = to != NULL && (delta->from == NULL || delta->from->name != to->name);
    delta->own = fresh || (to != NULL && everything) ? to : NULL;
}

static struct service_ways ways_between(const struct service_view *from,
                                        const struct service_view *to, bool everything) {
    struct service_ways ways = {.everything = everything};
    if (from != NULL && !everything) {
        ways.old = from->groups;
        ways.old_count = from->group_count;
    }
    if (to != NULL) {
        ways.new = to->groups;
        ways.new_count = to->group_count;
    }
    return ways;
}

/* Find the delta of the transition from @from to @to, once for all nodes that make it. NULL without
 * memory. */
static struct service_delta *shared_delta(struct service_draft *draft, struct service_view *from,
                                          struct service_view *to) {
    struct mcast_service *service = draft->service;
    uint64_t key = way_key(from, to);
    uint64_t found = mcast_map_get(&draft->by_way, key);
    struct service_delta *chain =
        found == MCAST_MAP_NONE ? NULL : (struct service_delta *)(uintptr_t)found;
    for (struct service_delta *at = chain; at != NULL; at = at->chain) {
        if (at->from == from && at->to == to) {
            return at;
        }
    }
    struct service_delta *delta = mcast_memory_new(service->alloc, 1, sizeof *delta);
    struct service_delta **place =
        delta == NULL ? NULL : mcast_service_draft_push(draft, &draft->deltas, sizeof delta);
    if (place == NULL) {
        mcast_memory_free(service->alloc, delta, 1, sizeof *delta);
        return NULL;
    }
    *place = delta;
    *delta = (struct service_delta){.from = from, .to = to, .chain = chain};
    set_own(delta, to, false);
    struct service_ways ways = ways_between(from, to, false);
    bool kept = mcast_service_delta_find(service, &ways, delta) == MCAST_OK &&
                mcast_service_lineup_find(service, delta) == MCAST_OK &&
                mcast_map_put(&draft->by_way, key, (uint64_t)(uintptr_t)delta) == MCAST_OK;
    return kept ? delta : NULL;
}

static int choose(struct service_draft *draft, struct service_delta *delta) {
    struct service_delta **place =
        delta == NULL ? NULL : mcast_service_draft_push(draft, &draft->chosen, sizeof delta);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = delta;
    return MCAST_OK;
}

/* Choose the deltas of the memberships of @node. */
static int choose_memberships(struct service_draft *draft, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        struct service_view *from = node->now[h];
        struct service_view *to = node->next[h];
        if (from == to && (from == NULL || !from->dirty)) {
            continue;
        }
        code = choose(draft, shared_delta(draft, from, to));
    }
    return code;
}

/* Choose one delta of everything that concerns @node, which may have missed anything. */
static int choose_everything(struct service_draft *draft, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        struct service_view *to = node->next[h];
        struct service_delta *delta =
            to == NULL ? NULL : mcast_memory_new(draft->service->alloc, 1, sizeof *delta);
        struct service_delta **place =
            delta == NULL ? NULL : mcast_service_draft_push(draft, &draft->deltas, sizeof delta);
        if (to == NULL) {
            continue;
        }
        if (place == NULL) {
            mcast_memory_free(draft->service->alloc, delta, 1, sizeof *delta);
            return MCAST_ENOMEM;
        }
        *place = delta;
        delta->to = to;
        set_own(delta, to, true);
        struct service_ways ways = ways_between(NULL, to, true);
        code = mcast_service_delta_find(draft->service, &ways, delta);
        code = code == MCAST_OK ? choose(draft, delta) : code;
    }
    return code;
}

static int choose_sending(struct service_draft *draft, const struct service_node *node) {
    if (node->sender_count == 0 && node->next_sender_count == 0) {
        return MCAST_OK;
    }
    struct service_ways ways = {.old = node->resync ? NULL : node->senders,
                                .old_count = node->resync ? 0 : node->sender_count,
                                .new = node->next_senders,
                                .new_count = node->next_sender_count,
                                .node = node,
                                .everything = node->resync};
    int code = mcast_service_delta_find(draft->service, &ways, &draft->sending);
    return code == MCAST_OK ? choose(draft, &draft->sending) : code;
}

int mcast_service_draft_choose(struct service_draft *draft, const struct service_node *node) {
    int code = node->resync ? choose_everything(draft, node) : choose_memberships(draft, node);
    return code == MCAST_OK ? choose_sending(draft, node) : code;
}
