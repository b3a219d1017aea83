#include "service/class.h"
#include "base/memory.h"
#include "base/mix.h"

#include "mcast/error.h"

#include <assert.h>
#include <string.h>

static struct service_class *chain_of(const struct mcast_service *service, uint64_t key) {
    uint64_t found = mcast_map_get(&service->classes, key);
    return found == MCAST_MAP_NONE ? NULL : (struct service_class *)(uintptr_t)found;
}

static void class_free(struct mcast_service *service, struct service_class *old) {
    mcast_memory_free(service->alloc, old->regions, old->count, sizeof(struct service_region *));
    mcast_memory_free(service->alloc, old, 1, sizeof *old);
}

/* Make the class of @regions, which it takes over, and link it in. */
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

struct service_class *mcast_service_class_empty(struct mcast_service *service) {
    struct service_class *empty = class_find(service, NULL, 0, 0);
    return empty != NULL ? empty : class_make(service, NULL, 0, 0);
}

/* Copy the regions of @from to @regions, adding or leaving out @region. */
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
        return mcast_service_class_empty(service);
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

void mcast_service_classes_free(struct mcast_service *service) {
    struct mcast_map_slot entry;
    for (size_t cursor = 0; mcast_map_next(&service->classes, &cursor, &entry);) {
        struct service_class *at = (struct service_class *)(uintptr_t)entry.value;
        while (at != NULL) {
            struct service_class *chain = at->chain;
            class_free(service, at);
            at = chain;
        }
    }
    mcast_map_free(&service->classes);
}
