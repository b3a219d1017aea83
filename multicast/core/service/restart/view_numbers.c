/* View numbers: one view number of a group stands for one set of members, whichever service gave it
 * (rule 1.0.12). */
#include "base/sort.h"
#include "service/restart/reports.h"

#include "mcast/error.h"

static int name_adopted(const struct service_rebuild *rebuild, struct mcast_map *adopted) {
    struct mcast_service *service = rebuild->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->regions.count && code == MCAST_OK; i++) {
        const struct service_view *view = service_region_at(service, i)->now;
        bool fresh = MCAST_GENERATION(view->name) == service->generation;
        code = fresh ? code : mcast_map_put(adopted, view->name, (uint64_t)(uintptr_t)view);
    }
    return code;
}

/* True if the views of @class were all adopted, all carry the group in @slot, and no other view
 * does. */
static bool stands(const struct mcast_sm_class *class, const struct mcast_map *adopted,
                   uint32_t slot, const struct service_group *group) {
    if (group->now->count != class->view_count) {
        return false;
    }
    for (size_t v = 0; v < class->view_count; v++) {
        uint64_t found = mcast_map_get(adopted, class->views[v]);
        const struct service_view *view =
            found == MCAST_MAP_NONE ? NULL : (const struct service_view *)(uintptr_t)found;
        if (view == NULL || !mcast_sort_has_u32(view->groups, view->group_count, slot)) {
            return false;
        }
    }
    return true;
}

/* Give a new view number to the groups that one reporter has with a view that was not adopted or no
 * longer carries them: they may have other members than under the old number. */
static int renumber(struct service_rebuild *rebuild, const struct mcast_sm_report *report,
                    const struct mcast_map *adopted) {
    struct mcast_service *service = rebuild->service;
    mcast_epoch number = MCAST_EPOCH(service->generation, service->epoch_count + 1);
    struct mcast_map classes;
    int code = MCAST_OK;
    mcast_map_init(&classes, service->alloc, service->config.seed);
    for (size_t c = 0; c < report->class_count && code == MCAST_OK; c++) {
        code = mcast_map_put(&classes, report->classes[c].class_number, c);
    }
    for (size_t g = 0; g < report->group_count && code == MCAST_OK; g++) {
        uint32_t slot = mcast_service_report_slot(rebuild, &report->groups[g]);
        uint64_t at = mcast_map_get(&classes, report->groups[g].class_number);
        if (slot != SERVICE_NO_GROUP &&
            (at == MCAST_MAP_NONE ||
             !stands(&report->classes[at], adopted, slot, service_group_at(service, slot)))) {
            service_group_at(service, slot)->number = number;
            service_group_at(service, slot)->next_number = number;
        }
    }
    mcast_map_free(&classes);
    return code;
}

int mcast_service_renumber(struct service_rebuild *rebuild) {
    struct mcast_map adopted;
    mcast_map_init(&adopted, rebuild->service->alloc, rebuild->service->config.seed);
    int code = name_adopted(rebuild, &adopted);
    for (size_t i = 0; i < mcast_service_reports_count(rebuild) && code == MCAST_OK; i++) {
        if (mcast_service_reporter_at(rebuild, i) != NULL) {
            code = renumber(rebuild, mcast_service_report_at(rebuild, i), &adopted);
        }
    }
    mcast_map_free(&adopted);
    return code;
}
