#include "service/update/delta.h"
#include "base/sort.h"

#include "mcast/error.h"

/* The state of finding a delta: stamps mark what the reader had and what was added. */
struct search {
    struct mcast_service *service;
    struct service_delta *delta;
    bool everything;
    uint64_t had; /* the stamp of classes and views that the reader had */
    uint64_t put; /* the stamp of those that were visited for what it will have */
};

static int push_pointer(const struct search *search, struct mcast_vector *list, void *pointer) {
    void **place = mcast_vector_push(list, search->service->alloc, sizeof pointer);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = pointer;
    return MCAST_OK;
}

/* Mark everything the reader had through @group, and add the views of it that close. */
static int had_group(const struct search *search, const struct service_group *group) {
    struct service_class *class = group->now;
    if (class->was == search->had) {
        return MCAST_OK;
    }
    class->was = search->had;
    for (size_t i = 0; i < class->count; i++) {
        struct service_view *view = class->regions[i]->now;
        if (view->seen == search->had) {
            continue;
        }
        view->seen = search->had;
        if (service_view_closes(view)) {
            mcast_view *place =
                mcast_vector_push(&search->delta->closing, search->service->alloc, sizeof *place);
            if (place == NULL) {
                return MCAST_ENOMEM;
            }
            *place = view->name;
        }
    }
    return MCAST_OK;
}

static bool had_view(const struct search *search, const struct service_region *region) {
    return region->now != NULL && region->now->seen == search->had &&
           region->now->name == region->next->name;
}

static int put_view(const struct search *search, struct service_region *region) {
    struct service_view *view = region->next;
    int code = mcast_bits_add_all(&search->delta->needed, search->service->alloc, &view->bits);
    if (code != MCAST_OK || had_view(search, region) || view->seen == search->put) {
        return code;
    }
    view->seen = search->put;
    return push_pointer(search, &search->delta->views, view);
}

static int put_class(const struct search *search, struct service_class *class) {
    if (class->seen == search->put) {
        return MCAST_OK;
    }
    class->seen = search->put;
    bool known = class->was == search->had &&
                 class->changed != search->service->plan->class_stamp && !search->everything;
    int code = known ? MCAST_OK : push_pointer(search, &search->delta->classes, class);
    for (size_t i = 0; i < class->count && code == MCAST_OK; i++) {
        code = put_view(search, class->regions[i]);
    }
    return code;
}

static int put_senders(const struct search *search, const struct service_group *group) {
    int code = MCAST_OK;
    for (size_t i = 0; i < group->senders.count && code == MCAST_OK; i++) {
        uint32_t slot = ((uint32_t *)group->senders.items)[i];
        code = mcast_bits_add(&search->delta->needed, search->service->alloc, slot);
    }
    return code;
}

/* Extend the last run by @group, or start one. */
static int put_run(const struct search *search, const struct service_group *group) {
    struct mcast_vector *runs = &search->delta->runs;
    struct mcast_sm_group_run *last = runs->items;
    if (runs->count > 0) {
        last += runs->count - 1;
        if (last->first + last->count == group->name && last->class_number == group->next->number &&
            last->view_number == group->next_number) {
            last->count++;
            return MCAST_OK;
        }
    }
    struct mcast_sm_group_run *run = mcast_vector_push(runs, search->service->alloc, sizeof *run);
    if (run == NULL) {
        return MCAST_ENOMEM;
    }
    *run = (struct mcast_sm_group_run){group->name, 1, group->next->number, group->next_number};
    return MCAST_OK;
}

/* A reader that learns of a group learns the address of that group too. */
static int put_hybrid(const struct search *search, uint32_t slot) {
    if (service_group_at(search->service, slot)->next_address == MCAST_ADDRESS_NONE) {
        return MCAST_OK;
    }
    uint32_t *place =
        mcast_vector_push(&search->delta->hybrids, search->service->alloc, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = slot;
    return MCAST_OK;
}

static int put_group(const struct search *search, uint32_t slot, bool had) {
    const struct service_group *group = service_group_at(search->service, slot);
    int code = put_class(search, group->next);
    code = code == MCAST_OK ? put_senders(search, group) : code;
    bool same = had && group->now == group->next && group->number == group->next_number &&
                group->address == group->next_address;
    if (code != MCAST_OK || (same && !search->everything)) {
        return code;
    }
    code = put_run(search, group);
    return code == MCAST_OK ? put_hybrid(search, slot) : code;
}

bool mcast_service_delta_carried(struct service_view *const *views, uint32_t slot) {
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        const struct service_view *view = views[h];
        if (view != NULL && mcast_sort_has_u32(view->groups, view->group_count, slot)) {
            return true;
        }
    }
    return false;
}

/* Walk both sorted sets side by side. */
static int put_groups(const struct search *search, const struct service_ways *ways) {
    size_t old = 0;
    int code = MCAST_OK;
    for (size_t i = 0; i < ways->new_count && code == MCAST_OK; i++) {
        while (old < ways->old_count && ways->old[old] < ways->new[i]) {
            old++;
        }
        bool had =
            (old < ways->old_count && ways->old[old] == ways->new[i]) ||
            (ways->node != NULL && mcast_service_delta_carried(ways->node->now, ways->new[i]));
        if (ways->node == NULL || !mcast_service_delta_carried(ways->node->next, ways->new[i])) {
            code = put_group(search, ways->new[i], had);
        }
    }
    return code;
}

static int put_removed(const struct search *search, const struct service_ways *ways) {
    size_t new = 0;
    for (size_t i = 0; i < ways->old_count; i++) {
        while (new < ways->new_count && ways->new[new] < ways->old[i]) {
            new++;
        }
        if (new < ways->new_count && ways->new[new] == ways->old[i]) {
            continue;
        }
        uint32_t *place =
            mcast_vector_push(&search->delta->removed, search->service->alloc, sizeof *place);
        if (place == NULL) {
            return MCAST_ENOMEM;
        }
        *place = ways->old[i];
    }
    return MCAST_OK;
}

int mcast_service_delta_find(struct mcast_service *service, const struct service_ways *ways,
                             struct service_delta *delta) {
    struct search search = {.service = service, .delta = delta, .everything = ways->everything};
    search.had = ++service->stamp;
    search.put = ++service->stamp;
    int code = MCAST_OK;
    for (size_t i = 0; i < ways->old_count && code == MCAST_OK; i++) {
        code = had_group(&search, service_group_at(service, ways->old[i]));
    }
    code = code == MCAST_OK ? put_groups(&search, ways) : code;
    return code == MCAST_OK ? put_removed(&search, ways) : code;
}

bool mcast_service_delta_is_empty(const struct service_delta *delta) {
    return delta->own == NULL && delta->views.count == 0 && delta->classes.count == 0 &&
           delta->runs.count == 0 && delta->removed.count == 0 && delta->closing.count == 0;
}

void mcast_service_delta_free(struct mcast_service *service, struct service_delta *delta) {
    const struct mcast_alloc *alloc = service->alloc;
    mcast_vector_free(&delta->views, alloc, sizeof(struct service_view *));
    mcast_vector_free(&delta->classes, alloc, sizeof(struct service_class *));
    mcast_vector_free(&delta->runs, alloc, sizeof(struct mcast_sm_group_run));
    mcast_vector_free(&delta->removed, alloc, sizeof(uint32_t));
    mcast_vector_free(&delta->closing, alloc, sizeof(mcast_view));
    mcast_vector_free(&delta->hybrids, alloc, sizeof(uint32_t));
    mcast_vector_free(&delta->gone, alloc, sizeof(mcast_node));
    mcast_vector_free(&delta->come, alloc, sizeof(mcast_node));
    mcast_bits_free(&delta->needed, alloc);
}
