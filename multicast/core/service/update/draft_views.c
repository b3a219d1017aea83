/* Region views, the classes that lead to them, and the views that close: only those that concern
 * this node and are new to it (rule 1.0.5). */
#include "base/sort.h"
#include "service/update/draft.h"

#include "mcast/error.h"

void *mcast_service_draft_push(struct service_draft *draft, struct mcast_vector *list,
                               size_t size) {
    return mcast_vector_push(list, draft->service->alloc, size);
}

static void mark_had(struct service_draft *draft, const uint32_t *groups, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct service_class *class = service_group_at(draft->service, groups[i])->now;
        for (size_t j = 0; class->was != draft->had && j < class->count; j++) {
            class->regions[j]->now->seen = draft->had;
        }
        class->was = draft->had;
    }
}

void mcast_service_draft_had(struct service_draft *draft, const struct service_node *node) {
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

static bool had_view(const struct service_draft *draft, const struct service_view *view) {
    const struct service_view *now = view->region->now;
    return now != NULL && now->seen == draft->had && now->name == view->name;
}

/* Add the members of @view, or the difference that its reader needs. */
static void put_members(struct mcast_sm_view *place, const struct service_view *view,
                        const struct service_delta *way) {
    place->members = view->names;
    place->member_count = view->member_count;
    if (way != NULL && way->short_lineup) {
        place->base = way->from->name;
        place->gone = way->gone.items;
        place->gone_count = way->gone.count;
        place->members = way->come.items;
        place->member_count = way->come.count;
    }
}

/* Add @view for the current node, with its members if the node is one. @way is the transition that
 * made it a member, NULL if that may be new to it. */
static int put_view(struct service_draft *draft, struct service_view *view, bool own,
                    const struct service_delta *way) {
    if (view->seen == draft->stamp || (!own && had_view(draft, view))) {
        return MCAST_OK;
    }
    view->seen = draft->stamp;
    struct mcast_sm_view *place = mcast_service_draft_push(draft, &draft->views, sizeof *place);
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
        put_members(place, view, way);
    }
    return MCAST_OK;
}

bool mcast_service_draft_is_owed(const struct service_view *view, const struct service_node *node) {
    return mcast_bits_has(&view->unended, node->slot);
}

/* A node that missed something may never have heard of a view that it was made a member of and that
 * closed since: the messages sent there are meant for it too. */
static int put_owed(struct service_draft *draft, const struct service_node *node) {
    struct mcast_service *service = draft->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->closing.count && code == MCAST_OK; i++) {
        struct service_view *view = service_closing_at(service, i);
        bool tellable = view->region->address != MCAST_ADDRESS_NONE; /* otherwise it knows the view
                                                                      */
        code = tellable && mcast_service_draft_is_owed(view, node)
                   ? put_view(draft, view, true, NULL)
                   : code;
    }
    for (size_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        struct service_view *view = node->now[h];
        code = view != NULL && service_view_closes(view) ? put_view(draft, view, true, NULL) : code;
    }
    return code;
}

int mcast_service_draft_views(struct service_draft *draft, const struct service_node *node) {
    struct service_delta **chosen = draft->chosen.items;
    int code = node->resync ? put_owed(draft, node) : MCAST_OK;
    for (size_t i = 0; i < draft->chosen.count && code == MCAST_OK; i++) {
        code = chosen[i]->own == NULL ? MCAST_OK : put_view(draft, chosen[i]->own, true, chosen[i]);
    }
    for (size_t i = 0; i < draft->chosen.count; i++) {
        struct service_view **views = chosen[i]->views.items;
        for (size_t j = 0; j < chosen[i]->views.count && code == MCAST_OK; j++) {
            code = put_view(draft, views[j], false, NULL);
        }
    }
    return code;
}

static int put_class(struct service_draft *draft, struct service_class *class) {
    bool had = class->was == draft->had && class->changed != draft->service->plan->class_stamp;
    if (class->seen == draft->stamp || had) {
        return MCAST_OK;
    }
    class->seen = draft->stamp;
    struct mcast_sm_class *place = mcast_service_draft_push(draft, &draft->classes, sizeof *place);
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

/* The lists of names moved as they grew: point the classes to their own again. */
static void place_names(struct service_draft *draft) {
    mcast_view *names = draft->names.items;
    struct mcast_sm_class *classes = draft->classes.items;
    for (size_t i = 0; i < draft->classes.count; i++) {
        classes[i].views = names;
        names = names == NULL ? NULL : names + classes[i].view_count;
    }
}

int mcast_service_draft_classes(struct service_draft *draft) {
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

static int put_closing_name(struct service_draft *draft, mcast_view name) {
    mcast_view *place = mcast_service_draft_push(draft, &draft->closing, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = name;
    return MCAST_OK;
}

/* A node that missed something is sent again all views that it has not closed. */
static int put_unclosed(struct service_draft *draft, const struct service_node *node) {
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

int mcast_service_draft_closing(struct service_draft *draft, const struct service_node *node) {
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
