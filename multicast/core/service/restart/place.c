#include "service/restart/place.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/class.h"
#include "service/epoch/view_close.h"
#include "service/group.h"
#include "service/node.h"

#include "mcast/error.h"

#include <string.h>

static bool is_taken(const struct mcast_service *service, uint64_t number) {
    for (size_t i = 0; i < service->regions.count; i++) {
        if (service_region_at(service, i)->number == number) {
            return true;
        }
    }
    return false;
}

static int fill_groups(struct mcast_service *service, struct service_view *view,
                       const struct service_place *place) {
    view->groups = mcast_memory_new(service->alloc, place->group_count, sizeof *view->groups);
    if (view->groups == NULL) {
        return MCAST_ENOMEM;
    }
    view->group_count = place->group_count;
    memcpy(view->groups, place->groups, place->group_count * sizeof *view->groups);
    for (size_t i = 0; i < place->group_count; i++) {
        struct mcast_id id = service_group_at(service, place->groups[i])->id;
        mcast_set_hash_add(&view->hash, id.high, id.low);
    }
    return MCAST_OK;
}

/* Put the members with @names, or the known ones among them, into @view. */
static int fill_members(struct mcast_service *service, struct service_view *view,
                        const mcast_node *names, size_t count) {
    view->members = mcast_memory_new(service->alloc, count, sizeof *view->members);
    view->names = mcast_memory_new(service->alloc, count, sizeof *view->names);
    view->member_count = count;
    if (view->members == NULL || view->names == NULL) {
        return MCAST_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        const struct service_node *node = mcast_service_node_named(service, names[i]);
        view->names[i] = names[i];
        view->members[i] = node == NULL ? UINT32_MAX : node->slot;
        if (node != NULL && mcast_bits_add(&view->bits, service->alloc, node->slot) != MCAST_OK) {
            return MCAST_ENOMEM;
        }
    }
    return MCAST_OK;
}

/* The classes that the groups of @view get once its region carries them, each held once. */
static struct service_class **find_classes(struct mcast_service *service,
                                           const struct service_view *view) {
    size_t count = view->group_count;
    struct service_class **found = mcast_memory_new(service->alloc, count + 1, sizeof *found);
    service->stamp++;
    for (size_t i = 0; found != NULL && i < count; i++) {
        struct service_group *group = service_group_at(service, view->groups[i]);
        found[i] = mcast_service_class_change(service, group->now, view->region, true);
        if (found[i] != NULL) {
            found[i]->uses++;
            continue;
        }
        while (i > 0) {
            mcast_service_class_release(service, found[--i]);
        }
        mcast_memory_free(service->alloc, found, count + 1, sizeof *found);
        return NULL;
    }
    return found;
}

/* Let the region of @view carry all its groups; take @classes over. */
static void carry(struct mcast_service *service, const struct service_view *view,
                  struct service_class **classes) {
    for (size_t i = 0; i < view->group_count; i++) {
        struct service_group *group = service_group_at(service, view->groups[i]);
        mcast_service_group_propose(service, view->groups[i], classes[i]);
        struct service_class *old = group->now;
        group->now = classes[i];
        mcast_service_class_release(service, old);
        group->hierarchy = view->region->hierarchy;
        group->next_hierarchy = group->hierarchy;
    }
    mcast_memory_free(service->alloc, classes, view->group_count + 1,
                      sizeof(struct service_class *));
}

/* True if the view is already placed: an earlier attempt to rebuild ran out of memory after it. */
static bool is_placed(const struct mcast_service *service, mcast_view name) {
    for (size_t i = 0; i < service->regions.count; i++) {
        if (service_region_at(service, i)->now->name == name) {
            return true;
        }
    }
    return false;
}

static void settle(struct mcast_service *service, struct service_view *view) {
    for (size_t i = 0; i < view->member_count; i++) {
        struct service_node *node = service_node_at(service, view->members[i]);
        node->now[view->region->hierarchy] = view;
        node->next[view->region->hierarchy] = view;
    }
}

static void set_up(struct mcast_service *service, struct service_region *region,
                   struct service_view *view, const struct service_place *place) {
    *region = (struct service_region){.number = place->region,
                                      .hierarchy = place->hierarchy,
                                      .address = place->address,
                                      .now = view,
                                      .next = view};
    if (is_taken(service, region->number)) {
        region->number = ++service->last_region;
    }
    view->name = place->name;
    view->region = region;
}

int mcast_service_place_region(struct mcast_service *service, const struct service_place *place) {
    const struct mcast_alloc *alloc = service->alloc;
    if (is_placed(service, place->name)) {
        return MCAST_OK;
    }
    struct service_region *region = mcast_memory_new(alloc, 1, sizeof *region);
    struct service_view *view = mcast_memory_new(alloc, 1, sizeof *view);
    struct service_class **classes = NULL;
    if (region != NULL && view != NULL &&
        mcast_vector_reserve(&service->regions, alloc, service->regions.count + 1, sizeof region) ==
            MCAST_OK &&
        fill_groups(service, view, place) == MCAST_OK &&
        fill_members(service, view, place->names, place->name_count) == MCAST_OK) {
        set_up(service, region, view, place);
        classes = find_classes(service, view);
    }
    if (classes == NULL) {
        if (view != NULL) {
            mcast_service_view_free(service, view);
        }
        mcast_memory_free(alloc, region, 1, sizeof *region);
        return MCAST_ENOMEM;
    }
    /* Nothing below needs memory. */
    ((struct service_region **)service->regions.items)[service->regions.count++] = region;
    settle(service, view);
    carry(service, view, classes);
    return MCAST_OK;
}

static struct service_view *find_fresh(const struct mcast_service *service, uint32_t hierarchy,
                                       const uint32_t *groups, size_t count) {
    for (size_t i = 0; i < service->regions.count; i++) {
        struct service_region *region = service_region_at(service, i);
        struct service_view *view = region->now;
        if (region->hierarchy == hierarchy && view->group_count == count &&
            MCAST_GENERATION(view->name) == service->generation &&
            memcmp(view->groups, groups, count * sizeof *groups) == 0) {
            return view;
        }
    }
    return NULL;
}

/* Put @node into @view, which no node knows of yet. */
static int enter(struct mcast_service *service, struct service_view *view,
                 const struct service_node *node) {
    const struct mcast_alloc *alloc = service->alloc;
    struct service_view wider = {.name = 0};
    size_t count = view->member_count;
    mcast_node *names = mcast_memory_new(alloc, count + 1, sizeof *names);
    if (names == NULL) {
        return MCAST_ENOMEM;
    }
    memcpy(names, view->names, count * sizeof *names);
    names[count] = node->name;
    mcast_sort_u32(names, count + 1);
    int code = fill_members(service, &wider, names, count + 1);
    mcast_memory_free(alloc, names, count + 1, sizeof *names);
    struct service_view *old = code == MCAST_OK ? view : &wider;
    mcast_memory_free(alloc, old->members, old->member_count, sizeof *old->members);
    mcast_memory_free(alloc, old->names, old->member_count, sizeof *old->names);
    mcast_bits_free(&old->bits, alloc);
    if (code == MCAST_OK) {
        view->members = wider.members;
        view->names = wider.names;
        view->member_count = wider.member_count;
        view->bits = wider.bits;
        settle(service, view);
    }
    return code;
}

int mcast_service_place_node(struct mcast_service *service, struct service_node *node,
                             uint32_t hierarchy, const uint32_t *groups, size_t count) {
    struct service_view *view = find_fresh(service, hierarchy, groups, count);
    if (view != NULL) {
        return enter(service, view, node);
    }
    uint32_t address = mcast_address_pool_take(&service->addresses, service->now);
    if (address == MCAST_ADDRESS_NONE) {
        return MCAST_ENOMEM;
    }
    struct service_place place = {.name = MCAST_EPOCH(service->generation, ++service->last_view),
                                  .region = ++service->last_region,
                                  .hierarchy = hierarchy,
                                  .address = address,
                                  .groups = groups,
                                  .group_count = count,
                                  .names = &node->name,
                                  .name_count = 1};
    int code = mcast_service_place_region(service, &place);
    if (code != MCAST_OK) {
        mcast_address_pool_give(&service->addresses, address, service->now);
    }
    return code;
}

int mcast_service_place_sender(struct mcast_service *service, struct service_node *node,
                               uint32_t slot) {
    const struct mcast_alloc *alloc = service->alloc;
    size_t count = node->sender_count;
    if (mcast_sort_has_u32(node->senders, count, slot)) {
        return MCAST_OK;
    }
    struct service_group *group = service_group_at(service, slot);
    uint32_t *senders = mcast_memory_new(alloc, count + 1, sizeof *senders);
    uint32_t *place =
        senders == NULL ? NULL : mcast_vector_push(&group->senders, alloc, sizeof *place);
    if (place == NULL) {
        mcast_memory_free(alloc, senders, count + 1, sizeof *senders);
        return MCAST_ENOMEM;
    }
    *place = node->slot;
    for (size_t i = 0; i < count; i++) {
        senders[i] = node->senders[i];
    }
    senders[count] = slot;
    mcast_sort_u32(senders, count + 1);
    mcast_memory_free(alloc, node->senders, count, sizeof *senders);
    node->senders = senders;
    node->sender_count = count + 1;
    node->next_senders = senders;
    node->next_sender_count = count + 1;
    return MCAST_OK;
}

static int everybody(struct mcast_service *service, struct mcast_bits *all) {
    int code = MCAST_OK;
    for (size_t i = 0; i < service->nodes.count && code == MCAST_OK; i++) {
        const struct service_node *node = service_node_at(service, i);
        code = node == NULL || node->dead ? code : mcast_bits_add(all, service->alloc, i);
    }
    return code;
}

bool mcast_service_place_is_used(const struct mcast_service *service, uint32_t address) {
    bool used = false;
    for (size_t i = 0; i < service->regions.count && !used; i++) {
        used = service_region_at(service, i)->address == address;
    }
    for (size_t i = 0; i < service->closing.count && !used; i++) {
        used = service_closing_at(service, i)->region->address == address;
    }
    return used;
}

int mcast_service_place_closed(struct mcast_service *service, mcast_view name, uint32_t address,
                               const mcast_node *names, size_t count) {
    const struct mcast_alloc *alloc = service->alloc;
    struct service_region *region = mcast_memory_new(alloc, 1, sizeof *region);
    struct service_view *view = mcast_memory_new(alloc, 1, sizeof *view);
    struct mcast_bits all = {.words = NULL};
    int code = region != NULL && view != NULL ? everybody(service, &all) : MCAST_ENOMEM;
    code = code == MCAST_OK ? fill_members(service, view, names, count) : code;
    code = code == MCAST_OK ? mcast_service_close_prepare(service, view, &all) : code;
    mcast_bits_free(&all, alloc);
    if (code != MCAST_OK) {
        if (view != NULL) {
            mcast_service_view_free(service, view);
        }
        mcast_memory_free(alloc, region, 1, sizeof *region);
        return code;
    }
    region->number = ++service->last_region;
    region->borrowed = mcast_service_place_is_used(service, address);
    region->address = address;
    view->name = name;
    view->region = region;
    mcast_service_close_begin(service, view);
    return MCAST_OK;
}

static bool shares_member(const struct service_view *fresh, const struct service_view *closed) {
    for (size_t i = 0; i < fresh->member_count; i++) {
        if (mcast_bits_has(&closed->unended, fresh->members[i])) {
            return true;
        }
    }
    return false;
}

static int find_parents(struct mcast_service *service, struct service_view *fresh) {
    size_t most = service->closing.count;
    mcast_view *parents = mcast_memory_new(service->alloc, most + 1, sizeof *parents);
    if (parents == NULL) {
        return MCAST_ENOMEM;
    }
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        const struct service_view *closed = service_closing_at(service, i);
        if (shares_member(fresh, closed)) {
            parents[count++] = closed->name;
        }
    }
    mcast_sort_u64(parents, count);
    if (count > 0) {
        fresh->parents = mcast_memory_new(service->alloc, count, sizeof *parents);
    }
    if (fresh->parents != NULL) {
        memcpy(fresh->parents, parents, count * sizeof *parents);
        fresh->parent_count = count;
    }
    mcast_memory_free(service->alloc, parents, most + 1, sizeof *parents);
    return count == 0 || fresh->parents != NULL ? MCAST_OK : MCAST_ENOMEM;
}

int mcast_service_place_parents(struct mcast_service *service) {
    int code = MCAST_OK;
    for (size_t i = 0; i < service->regions.count && code == MCAST_OK; i++) {
        struct service_view *view = service_region_at(service, i)->now;
        if (MCAST_GENERATION(view->name) == service->generation && view->parents == NULL) {
            code = find_parents(service, view);
        }
    }
    return code;
}
