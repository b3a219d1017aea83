#include "service_update.h"
#include "memory.h"
#include "service_delta.h"
#include "service_node.h"
#include "service_out.h"
#include "sort.h"

#include "mcast/error.h"

/* The update of one node in the making, and the deltas found so far. */
struct draft {
    struct mcast_service *service;
    struct mcast_map by_way;      /* way -> chain of deltas */
    struct mcast_vector deltas;   /* of struct service_delta * */
    struct mcast_vector chosen;   /* of struct service_delta *, those of the node in hand */
    struct service_delta sending; /* is that of what it sends to from outside */
    struct mcast_bits dead;       /* are the nodes that die with this epoch */
    struct mcast_vector nodes;    /* of struct mcast_sm_node */
    struct mcast_vector views;    /* of struct mcast_sm_view */
    struct mcast_vector classes;  /* of struct mcast_sm_class */
    struct mcast_vector names;    /* of mcast_view, the lists of the classes */
    struct mcast_vector runs;     /* of struct mcast_sm_group_run */
    struct mcast_vector closing;  /* of mcast_view */
    struct mcast_vector dying;    /* of mcast_node */
    struct mcast_vector hybrids;  /* of struct mcast_sm_hybrid */
    struct mcast_vector named;    /* of uint64_t, short names and slots of their groups */
    uint64_t stamp;               /* is the one of what was put down for the node in hand */
    uint64_t had;                 /* is the one of what it had already */
};

static void *push(struct draft *draft, struct mcast_vector *list, size_t size) {
    return mcast_vector_push(list, draft->service->alloc, size);
}

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

/* Finds the delta of the way from @from to @to, once for all who take it. NULL without memory. */
static struct service_delta *shared_delta(struct draft *draft, struct service_view *from,
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
    struct service_delta **place = delta == NULL ? NULL : push(draft, &draft->deltas, sizeof delta);
    if (place == NULL) {
        mcast_memory_free(service->alloc, delta, 1, sizeof *delta);
        return NULL;
    }
    *place = delta;
    *delta = (struct service_delta){.from = from, .to = to, .chain = chain};
    set_own(delta, to, false);
    struct service_ways ways = ways_between(from, to, false);
    bool kept = mcast_service_delta_find(service, &ways, delta) == MCAST_OK &&
                mcast_map_put(&draft->by_way, key, (uint64_t)(uintptr_t)delta) == MCAST_OK;
    return kept ? delta : NULL;
}

static int choose(struct draft *draft, struct service_delta *delta) {
    struct service_delta **place = delta == NULL ? NULL : push(draft, &draft->chosen, sizeof delta);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = delta;
    return MCAST_OK;
}

/* Chooses the deltas of what @node is a member of. */
static int choose_memberships(struct draft *draft, const struct service_node *node) {
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

/* Chooses one delta of all that concerns @node, which may have missed anything. */
static int choose_everything(struct draft *draft, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        struct service_view *to = node->next[h];
        struct service_delta *delta =
            to == NULL ? NULL : mcast_memory_new(draft->service->alloc, 1, sizeof *delta);
        struct service_delta **place =
            delta == NULL ? NULL : push(draft, &draft->deltas, sizeof delta);
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

static int choose_sending(struct draft *draft, const struct service_node *node) {
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

static void mark_had(struct draft *draft, const uint32_t *groups, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct service_class *class = service_group_at(draft->service, groups[i])->now;
        for (size_t j = 0; class->was != draft->had && j < class->count; j++) {
            class->regions[j]->now->seen = draft->had;
        }
        class->was = draft->had;
    }
}

/* What a node is a member of and what it sends to from outside are found apart, so each may tell it
 * what it knows by the other. */
static void find_had(struct draft *draft, const struct service_node *node) {
    draft->had = ++draft->service->stamp;
    if (node->resync || (node->sender_count == 0 && node->next_sender_count == 0)) {
        return;
    }
    mark_had(draft, node->senders, node->sender_count);
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        if (node->now[h] != NULL) {
            mark_had(draft, node->now[h]->groups, node->now[h]->group_count);
        }
    }
}

static bool had_view(const struct draft *draft, const struct service_view *view) {
    const struct service_view *now = view->region->now;
    return now != NULL && now->seen == draft->had && now->name == view->name;
}

/* Puts down @view for the node in hand, with its members if it is a member. */
static int put_view(struct draft *draft, struct service_view *view, bool own) {
    if (view->seen == draft->stamp || (!own && had_view(draft, view))) {
        return MCAST_OK;
    }
    view->seen = draft->stamp;
    struct mcast_sm_view *place = push(draft, &draft->views, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = (struct mcast_sm_view){.view = view->name,
                                    .region = view->region->number,
                                    .hierarchy = view->region->hierarchy,
                                    .parents = view->parents,
                                    .parent_count = view->parent_count};
    place->address = mcast_address_pool_at(&draft->service->addresses, view->region->address);
    if (own) {
        place->members = view->names;
        place->member_count = view->member_count;
    }
    return MCAST_OK;
}

/* Whether @node is still to receive something that was sent in @view, closed or closing. */
static bool is_owed(const struct service_view *view, const struct service_node *node) {
    return mcast_bits_has(&view->unended, node->slot);
}

/* A node that missed something may never have seen a view that it was made a member of, and that
 * closed since: what was sent there is meant for it as well. */
static int put_owed(struct draft *draft, const struct service_node *node) {
    struct mcast_service *service = draft->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->closing.count && code == MCAST_OK; i++) {
        struct service_view *view = service_closing_at(service, i);
        bool tellable = view->region->address != MCAST_ADDRESS_NONE; /* else it has the view */
        code = tellable && is_owed(view, node) ? put_view(draft, view, true) : code;
    }
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        struct service_view *view = node->now[h];
        code = view != NULL && service_view_closes(view) ? put_view(draft, view, true) : code;
    }
    return code;
}

/* Own views first: the same view as a mere address must not come in their place. */
static int put_views(struct draft *draft, const struct service_node *node) {
    struct service_delta **chosen = draft->chosen.items;
    int code = node->resync ? put_owed(draft, node) : MCAST_OK;
    for (size_t i = 0; i < draft->chosen.count && code == MCAST_OK; i++) {
        code = chosen[i]->own == NULL ? MCAST_OK : put_view(draft, chosen[i]->own, true);
    }
    for (size_t i = 0; i < draft->chosen.count; i++) {
        struct service_view **views = chosen[i]->views.items;
        for (size_t j = 0; j < chosen[i]->views.count && code == MCAST_OK; j++) {
            code = put_view(draft, views[j], false);
        }
    }
    return code;
}

static int put_class(struct draft *draft, struct service_class *class) {
    bool had = class->was == draft->had && class->changed != draft->service->plan->class_stamp;
    if (class->seen == draft->stamp || had) {
        return MCAST_OK;
    }
    class->seen = draft->stamp;
    struct mcast_sm_class *place = push(draft, &draft->classes, sizeof *place);
    if (place == NULL ||
        mcast_vector_reserve(&draft->names, draft->service->alloc,
                             draft->names.count + class->count, sizeof(mcast_view)) != MCAST_OK) {
        return MCAST_ENOMEM;
    }
    for (size_t i = 0; i < class->count; i++) {
        ((mcast_view *)draft->names.items)[draft->names.count + i] = class->regions[i]->next->name;
    }
    if (class->count > 0) {
        mcast_sort_u64((mcast_view *)draft->names.items + draft->names.count, class->count);
    }
    draft->names.count += class->count;
    *place = (struct mcast_sm_class){.class_number = class->number, .view_count = class->count};
    return MCAST_OK;
}

/* The lists of names moved while they grew: points the classes to their own. */
static void place_names(struct draft *draft) {
    mcast_view *names = draft->names.items;
    struct mcast_sm_class *classes = draft->classes.items;
    for (size_t i = 0; i < draft->classes.count; i++) {
        classes[i].views = names;
        names = names == NULL ? NULL : names + classes[i].view_count;
    }
}

static int put_classes(struct draft *draft) {
    struct service_delta **chosen = draft->chosen.items;
    int code = MCAST_OK;
    for (size_t i = 0; i < draft->chosen.count; i++) {
        struct service_class **classes = chosen[i]->classes.items;
        for (size_t j = 0; j < chosen[i]->classes.count && code == MCAST_OK; j++) {
            code = put_class(draft, classes[j]);
        }
    }
    place_names(draft);
    return code;
}

/* Whether @node has to do with the group in @slot by what is proposed, by whatever way. */
static bool still_has(const struct service_node *node, uint32_t slot) {
    return mcast_service_delta_carried(node->next, slot) ||
           mcast_sort_has_u32(node->next_senders, node->next_sender_count, slot);
}

static int put_removed(struct draft *draft, uint32_t name) {
    struct mcast_sm_group_run *runs = draft->runs.items;
    if (draft->runs.count > 0) {
        struct mcast_sm_group_run *last = &runs[draft->runs.count - 1];
        if (last->first + last->count == name) {
            last->count++;
            return MCAST_OK;
        }
    }
    struct mcast_sm_group_run *run = push(draft, &draft->runs, sizeof *run);
    if (run == NULL) {
        return MCAST_ENOMEM;
    }
    *run = (struct mcast_sm_group_run){name, 1, 0, draft->service->plan->epoch};
    return MCAST_OK;
}

static int put_dropped(struct draft *draft, const struct service_node *node, const uint32_t *groups,
                       size_t count) {
    int code = MCAST_OK;
    for (size_t i = 0; i < count && code == MCAST_OK; i++) {
        if (!still_has(node, groups[i])) {
            code = put_removed(draft, service_group_at(draft->service, groups[i])->name);
        }
    }
    return code;
}

/* What a node that missed something may still believe to have: what it reported and is not in, and
 * what it leaves with this very epoch. */
static int put_outdated(struct draft *draft, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t i = 0; i < node->gone.count && code == MCAST_OK; i++) {
        code = put_removed(draft, ((uint32_t *)node->gone.items)[i]);
    }
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        const struct service_view *view = node->now[h];
        code = view == NULL ? code : put_dropped(draft, node, view->groups, view->group_count);
    }
    return code == MCAST_OK ? put_dropped(draft, node, node->senders, node->sender_count) : code;
}

/* First what is gone, then what is there: of two runs the later holds. */
static int put_runs(struct draft *draft, const struct service_node *node) {
    struct service_delta **chosen = draft->chosen.items;
    int code = node->resync ? put_outdated(draft, node) : MCAST_OK;
    for (size_t i = 0; i < draft->chosen.count; i++) {
        code = code == MCAST_OK
                   ? put_dropped(draft, node, chosen[i]->removed.items, chosen[i]->removed.count)
                   : code;
    }
    for (size_t i = 0; i < draft->chosen.count; i++) {
        const struct mcast_sm_group_run *runs = chosen[i]->runs.items;
        for (size_t j = 0; j < chosen[i]->runs.count && code == MCAST_OK; j++) {
            struct mcast_sm_group_run *place = push(draft, &draft->runs, sizeof *place);
            code = place == NULL ? MCAST_ENOMEM : MCAST_OK;
            if (place != NULL) {
                *place = runs[j];
            }
        }
    }
    return code;
}

static int put_closing_name(struct draft *draft, mcast_view name) {
    mcast_view *place = push(draft, &draft->closing, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = name;
    return MCAST_OK;
}

/* A node that missed something is told again of all views that it has not closed. */
static int put_unclosed(struct draft *draft, const struct service_node *node) {
    struct mcast_service *service = draft->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->closing.count && code == MCAST_OK; i++) {
        const struct service_view *view = service_closing_at(service, i);
        if (mcast_bits_has(&view->unclosed, node->slot)) {
            code = put_closing_name(draft, view->name);
        }
    }
    for (size_t i = 0; i < node->over.count && code == MCAST_OK; i++) {
        code = put_closing_name(draft, ((mcast_view *)node->over.items)[i]);
    }
    for (size_t i = 0; i < service->regions.count && code == MCAST_OK; i++) {
        const struct service_view *view = service_region_at(service, i)->now;
        if (view != NULL && service_view_closes(view) &&
            mcast_bits_has(&view->unclosed, node->slot)) {
            code = put_closing_name(draft, view->name);
        }
    }
    return code;
}

static int put_closing(struct draft *draft, const struct service_node *node) {
    struct service_delta **chosen = draft->chosen.items;
    int code = node->resync ? put_unclosed(draft, node) : MCAST_OK;
    for (size_t i = 0; i < draft->chosen.count; i++) {
        const mcast_view *names = chosen[i]->closing.items;
        for (size_t j = 0; j < chosen[i]->closing.count && code == MCAST_OK; j++) {
            code = put_closing_name(draft, names[j]);
        }
    }
    mcast_sort_u64(draft->closing.items, draft->closing.count);
    draft->closing.count = mcast_sort_unique_u64(draft->closing.items, draft->closing.count);
    return code;
}

static int push_dying(struct draft *draft, mcast_node name) {
    mcast_node *place = push(draft, &draft->dying, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = name;
    return MCAST_OK;
}

static int put_node(struct draft *draft, const struct service_node *node) {
    struct mcast_sm_node *place = push(draft, &draft->nodes, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = (struct mcast_sm_node){node->name, node->id, node->incarnation, node->address};
    return MCAST_OK;
}

/* Those who share with @node what it is still to receive; the dead among them were forgotten. */
static int add_owed(struct draft *draft, struct service_node *node) {
    struct mcast_service *service = draft->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->closing.count && code == MCAST_OK; i++) {
        const struct service_view *view = service_closing_at(service, i);
        for (size_t m = 0; is_owed(view, node) && m < view->member_count && code == MCAST_OK; m++) {
            const struct service_node *other = mcast_service_node_named(service, view->names[m]);
            code = other == NULL ? push_dying(draft, view->names[m])
                                 : mcast_bits_add(&node->fresh, service->alloc, other->slot);
        }
    }
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        const struct service_view *view = node->now[h];
        bool closes = view != NULL && service_view_closes(view);
        code = closes ? mcast_bits_add_all(&node->fresh, service->alloc, &view->bits) : code;
    }
    return code;
}

/* Whether the node in @slot shares a view with @node by what is proposed. One that is dead may,
 * while nothing may change in another of its regions. */
static bool is_fellow(const struct service_node *node, size_t slot) {
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        if (node->next[h] != NULL && mcast_bits_has(&node->next[h]->bits, slot)) {
            return true;
        }
    }
    return false;
}

/* The nodes that @node must know and was not told of. */
static int put_nodes(struct draft *draft, struct service_node *node) {
    struct service_delta **chosen = draft->chosen.items;
    const struct mcast_alloc *alloc = draft->service->alloc;
    const struct mcast_bits none = {.words = NULL};
    const struct mcast_bits *known = node->resync ? &none : &node->known;
    int code = MCAST_OK;
    mcast_bits_clear(&node->fresh);
    for (size_t i = 0; i < draft->chosen.count && code == MCAST_OK; i++) {
        code = mcast_bits_add_all(&node->fresh, alloc, &chosen[i]->needed);
    }
    code = code == MCAST_OK && node->resync ? add_owed(draft, node) : code;
    mcast_bits_remove(&node->fresh, node->slot);
    for (size_t at = mcast_bits_next(&draft->dead, 0); at != MCAST_BITS_END;
         at = mcast_bits_next(&draft->dead, at + 1)) {
        if (!is_fellow(node, at)) {
            mcast_bits_remove(&node->fresh, at);
        }
    }
    for (size_t at = mcast_bits_next_without(&node->fresh, known, 0);
         at != MCAST_BITS_END && code == MCAST_OK;
         at = mcast_bits_next_without(&node->fresh, known, at + 1)) {
        code = put_node(draft, service_node_at(draft->service, at));
    }
    return code;
}

static int put_dead(struct draft *draft, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t at = mcast_bits_next(&draft->dead, 0); at != MCAST_BITS_END && code == MCAST_OK;
         at = mcast_bits_next(&draft->dead, at + 1)) {
        if (node->resync || mcast_bits_has(&node->known, at) || mcast_bits_has(&node->fresh, at)) {
            code = push_dying(draft, service_node_at(draft->service, at)->name);
        }
    }
    return code;
}

/* Who left in good order is told of when there is something else to say. */
static int put_lost(struct draft *draft, const struct service_node *node) {
    int code = MCAST_OK;
    for (size_t i = 0; i < node->lost.count && code == MCAST_OK; i++) {
        code = push_dying(draft, ((mcast_node *)node->lost.items)[i]);
    }
    mcast_sort_u32(draft->dying.items, draft->dying.count);
    return code;
}

/* Gathers the groups with an address of their own among those that the runs name, by name. */
static int name_hybrids(struct draft *draft) {
    struct service_delta **chosen = draft->chosen.items;
    draft->named.count = 0;
    for (size_t i = 0; i < draft->chosen.count; i++) {
        const uint32_t *slots = chosen[i]->hybrids.items;
        for (size_t j = 0; j < chosen[i]->hybrids.count; j++) {
            uint64_t *place = push(draft, &draft->named, sizeof *place);
            if (place == NULL) {
                return MCAST_ENOMEM;
            }
            *place = (uint64_t)service_group_at(draft->service, slots[j])->name << 32 | slots[j];
        }
    }
    mcast_sort_u64(draft->named.items, draft->named.count);
    draft->named.count = mcast_sort_unique_u64(draft->named.items, draft->named.count);
    return MCAST_OK;
}

static int put_hybrids(struct draft *draft, struct service_node *node) {
    int code = name_hybrids(draft);
    for (size_t i = 0; i < draft->named.count && code == MCAST_OK; i++) {
        uint32_t slot = (uint32_t)((uint64_t *)draft->named.items)[i];
        const struct service_group *group = service_group_at(draft->service, slot);
        struct mcast_sm_hybrid *place = push(draft, &draft->hybrids, sizeof *place);
        if (place == NULL) {
            return MCAST_ENOMEM;
        }
        place->group = group->name;
        place->address = mcast_address_pool_at(&draft->service->addresses, group->next_address);
        place->listens = mcast_service_delta_carried(node->next, slot);
        bool fresh = group->address != group->next_address;
        node->hears = node->hears || (fresh && place->listens);
    }
    return code;
}

static void begin_draft(struct draft *draft) {
    draft->chosen.count = 0;
    draft->nodes.count = 0;
    draft->views.count = 0;
    draft->classes.count = 0;
    draft->names.count = 0;
    draft->runs.count = 0;
    draft->closing.count = 0;
    draft->dying.count = 0;
    draft->hybrids.count = 0;
    mcast_service_delta_free(draft->service, &draft->sending);
    draft->stamp = ++draft->service->stamp;
}

static size_t unique_names(mcast_node *names, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || names[kept - 1] != names[i]) {
            names[kept++] = names[i];
        }
    }
    return kept;
}

static void send(struct draft *draft, struct service_node *node) {
    struct mcast_service *service = draft->service;
    struct mcast_service_message message = {.kind = MCAST_SM_PREPARE};
    message.as.prepare.epoch = service->plan->epoch;
    struct mcast_sm_update *update = &message.as.prepare.update;
    *update = (struct mcast_sm_update){
        .nodes = draft->nodes.items,
        .node_count = draft->nodes.count,
        .views = draft->views.items,
        .view_count = draft->views.count,
        .classes = draft->classes.items,
        .class_count = draft->classes.count,
        .runs = draft->runs.items,
        .run_count = draft->runs.count,
        .closing = draft->closing.items,
        .closing_count = draft->closing.count,
        .dead = draft->dying.items,
        .dead_count = unique_names(draft->dying.items, draft->dying.count),
        .hybrids = draft->hybrids.items,
        .hybrid_count = draft->hybrids.count,
    };
    node->told = true;
    node->prepare_time = service->now;
    mcast_service_out_send(service, node->connection, &message);
}

static int choose_all(struct draft *draft, const struct service_node *node) {
    int code = node->resync ? choose_everything(draft, node) : choose_memberships(draft, node);
    return code == MCAST_OK ? choose_sending(draft, node) : code;
}

static bool is_worth_telling(const struct draft *draft, const struct service_node *node) {
    return node->resync || draft->nodes.count > 0 || draft->views.count > 0 ||
           draft->classes.count > 0 || draft->runs.count > 0 || draft->closing.count > 0 ||
           draft->dying.count > 0;
}

static int tell(struct draft *draft, struct service_node *node) {
    begin_draft(draft);
    int code = choose_all(draft, node);
    find_had(draft, node);
    code = code == MCAST_OK ? put_views(draft, node) : code;
    code = code == MCAST_OK ? put_classes(draft) : code;
    code = code == MCAST_OK ? put_runs(draft, node) : code;
    code = code == MCAST_OK ? put_closing(draft, node) : code;
    code = code == MCAST_OK ? put_nodes(draft, node) : code;
    code = code == MCAST_OK ? put_dead(draft, node) : code;
    code = code == MCAST_OK ? put_hybrids(draft, node) : code;
    if (code != MCAST_OK || !is_worth_telling(draft, node)) {
        return code;
    }
    code = put_lost(draft, node);
    if (code == MCAST_OK) {
        send(draft, node);
    }
    return code;
}

/* Those who get a new view, or more groups in theirs, or a new address to listen at, must have it
 * before anybody sends there. */
static bool must_answer(const struct service_node *node) {
    bool changes = node->resync || node->hears;
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        changes = changes || (node->next[h] != NULL && node->next[h] != node->now[h]);
    }
    return changes;
}

static void draft_free(struct draft *draft) {
    struct mcast_service *service = draft->service;
    const struct mcast_alloc *alloc = service->alloc;
    for (size_t i = 0; i < draft->deltas.count; i++) {
        struct service_delta *delta = ((struct service_delta **)draft->deltas.items)[i];
        mcast_service_delta_free(service, delta);
        mcast_memory_free(alloc, delta, 1, sizeof *delta);
    }
    mcast_service_delta_free(service, &draft->sending);
    mcast_map_free(&draft->by_way);
    mcast_bits_free(&draft->dead, alloc);
    mcast_vector_free(&draft->deltas, alloc, sizeof(struct service_delta *));
    mcast_vector_free(&draft->chosen, alloc, sizeof(struct service_delta *));
    mcast_vector_free(&draft->nodes, alloc, sizeof(struct mcast_sm_node));
    mcast_vector_free(&draft->views, alloc, sizeof(struct mcast_sm_view));
    mcast_vector_free(&draft->classes, alloc, sizeof(struct mcast_sm_class));
    mcast_vector_free(&draft->names, alloc, sizeof(mcast_view));
    mcast_vector_free(&draft->runs, alloc, sizeof(struct mcast_sm_group_run));
    mcast_vector_free(&draft->closing, alloc, sizeof(mcast_view));
    mcast_vector_free(&draft->dying, alloc, sizeof(mcast_node));
    mcast_vector_free(&draft->hybrids, alloc, sizeof(struct mcast_sm_hybrid));
    mcast_vector_free(&draft->named, alloc, sizeof(uint64_t));
}

static int tell_all(struct draft *draft, size_t *told) {
    struct mcast_service *service = draft->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->nodes.count && code == MCAST_OK; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->dead) {
            code = mcast_bits_add(&draft->dead, service->alloc, i);
            service_node_at(service, i)->death_drafted = true;
        }
    }
    for (size_t i = 0; i < service->nodes.count && code == MCAST_OK; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node == NULL) {
            continue;
        }
        node->told = false;
        node->hears = false;
        if (node->connection != 0 && !node->dead && !node->awaited) {
            code = tell(draft, node);
        }
        node->answers = node->told && must_answer(node);
        *told += node->told ? 1 : 0;
    }
    return code;
}

int mcast_service_update_send(struct mcast_service *service, size_t *told) {
    struct draft draft = {.service = service};
    mcast_map_init(&draft.by_way, service->alloc, service->config.seed);
    *told = 0;
    int code = tell_all(&draft, told);
    draft_free(&draft);
    return code;
}
