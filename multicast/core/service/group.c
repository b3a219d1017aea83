#include "service/group.h"
#include "base/memory.h"
#include "service/plan/hybrid.h"

#include "mcast/error.h"

#include <assert.h>
#include <string.h>

uint32_t mcast_service_group_find(const struct mcast_service *service, struct mcast_id id) {
    return mcast_id_map_get(&service->group_by_id, id.high, id.low);
}

uint32_t mcast_service_group_named(const struct mcast_service *service, uint32_t name) {
    uint64_t slot = mcast_map_get(&service->group_by_name, name);
    return slot == MCAST_MAP_NONE ? SERVICE_NO_GROUP : (uint32_t)slot;
}

static struct service_class *chain_of(const struct mcast_service *service, uint64_t key) {
    uint64_t found = mcast_map_get(&service->classes, key);
    return found == MCAST_MAP_NONE ? NULL : (struct service_class *)(uintptr_t)found;
}

static void class_free(struct mcast_service *service, struct service_class *old) {
    mcast_memory_free(service->alloc, old->regions, old->count, sizeof(struct service_region *));
    mcast_memory_free(service->alloc, old, 1, sizeof *old);
}

/* Makes the class of @regions, which it takes over, and links it in. */
static struct service_class *class_make(struct mcast_service *service,
                                        struct service_region **regions, size_t count,
                                        uint64_t key) {
    struct service_class *made = mcast_memory_new(service->alloc, 1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->number = service->last_class + 1;
    made->regions = regions;
    made->count = count;
    made->key = key;
    made->chain = chain_of(service, key);
    if (mcast_map_put(&service->classes, key, (uint64_t)(uintptr_t)made) != MCAST_OK) {
        mcast_memory_free(service->alloc, made, 1, sizeof *made);
        return NULL;
    }
    service->last_class++;
    service->class_count++;
    return made;
}

static struct service_class *class_find(const struct mcast_service *service,
                                        struct service_region *const *regions, size_t count,
                                        uint64_t key) {
    struct service_class *at = chain_of(service, key);
    while (at != NULL && (at->count != count ||
                          (count > 0 && memcmp(at->regions, regions, count * sizeof *regions)))) {
        at = at->chain;
    }
    return at;
}

static struct service_class *class_empty(struct mcast_service *service) {
    struct service_class *empty = class_find(service, NULL, 0, 0);
    return empty != NULL ? empty : class_make(service, NULL, 0, 0);
}

/* Copies the regions of @from to @regions with @region put in or left out. */
static void copy_changed(struct service_region **regions, const struct service_class *from,
                         struct service_region *region, bool add) {
    size_t count = 0;
    bool placed = !add;
    for (size_t i = 0; i < from->count; i++) {
        if (!placed && from->regions[i]->number > region->number) {
            regions[count++] = region;
            placed = true;
        }
        if (from->regions[i] != region) {
            regions[count++] = from->regions[i];
        }
    }
    if (!placed) {
        regions[count] = region;
    }
}

static struct service_class *class_derive(struct mcast_service *service, struct service_class *from,
                                          struct service_region *region, bool add) {
    size_t count = add ? from->count + 1 : from->count - 1;
    uint64_t term = mcast_mix64(region->number);
    uint64_t key = add ? from->key + term : from->key - term;
    if (count == 0) {
        return class_empty(service);
    }
    struct service_region **regions = mcast_memory_new(service->alloc, count, sizeof *regions);
    if (regions == NULL) {
        return NULL;
    }
    copy_changed(regions, from, region, add);
    struct service_class *found = class_find(service, regions, count, key);
    struct service_class *made = found == NULL ? class_make(service, regions, count, key) : found;
    if (found != NULL || made == NULL) {
        mcast_memory_free(service->alloc, regions, count, sizeof *regions);
    }
    return made;
}

struct service_class *mcast_service_class_change(struct mcast_service *service,
                                                 struct service_class *from,
                                                 struct service_region *region, bool add) {
    if (from->memo_stamp != service->stamp) {
        struct service_class *to = class_derive(service, from, region, add);
        if (to == NULL) {
            return NULL;
        }
        from->memo = to;
        from->memo_stamp = service->stamp;
    }
    return from->memo;
}

static void unlink_class(struct mcast_service *service, struct service_class *old) {
    struct service_class *head = chain_of(service, old->key);
    if (head != old) {
        while (head->chain != old) {
            head = head->chain;
        }
        head->chain = old->chain;
    } else if (old->chain == NULL) {
        (void)mcast_map_take(&service->classes, old->key);
    } else {
        (void)mcast_map_put(&service->classes, old->key, (uint64_t)(uintptr_t)old->chain);
    }
}

void mcast_service_class_release(struct mcast_service *service, struct service_class *old) {
    assert(old->uses > 0);
    if (--old->uses == 0) {
        unlink_class(service, old);
        class_free(service, old);
        service->class_count--;
    }
}

/* A slot for one group more, zeroed. */
static int claim_slot(struct mcast_service *service, uint32_t *slot) {
    if (service->free_groups.count > 0) {
        *slot = ((uint32_t *)service->free_groups.items)[service->free_groups.count - 1];
        return MCAST_OK;
    }
    /* Room in the list of free slots goes along, so that giving a slot back cannot fail. */
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
    struct service_class *empty = room ? class_empty(service) : NULL;
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
    struct mcast_map_slot entry;
    for (size_t cursor = 0; mcast_map_next(&service->classes, &cursor, &entry);) {
        struct service_class *at = (struct service_class *)(uintptr_t)entry.value;
        while (at != NULL) {
            struct service_class *chain = at->chain;
            class_free(service, at);
            at = chain;
        }
    }
    for (size_t i = 0; i < service->groups.count; i++) {
        mcast_vector_free(&service_group_at(service, i)->senders, service->alloc, sizeof(uint32_t));
    }
    mcast_map_free(&service->classes);
    mcast_vector_free(&service->groups, service->alloc, sizeof(struct service_group));
    mcast_vector_free(&service->free_groups, service->alloc, sizeof(uint32_t));
    mcast_id_map_free(&service->group_by_id);
    mcast_map_free(&service->group_by_name);
}
