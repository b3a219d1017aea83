#include "service/restart/reports.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/class.h"
#include "service/group.h"

#include "mcast/error.h"

size_t mcast_service_reports_count(const struct service_rebuild *rebuild) {
    return rebuild->service->reports.count;
}

const struct mcast_sm_report *mcast_service_report_at(const struct service_rebuild *rebuild,
                                                      size_t index) {
    return &((struct service_report *)rebuild->service->reports.items)[index].message.as.report;
}

struct service_node *mcast_service_reporter_at(const struct service_rebuild *rebuild,
                                               size_t index) {
    uint32_t slot = ((struct service_report *)rebuild->service->reports.items)[index].slot;
    struct service_node *node = service_node_at(rebuild->service, slot);
    return node == NULL || node->dead ? NULL : node;
}

void mcast_service_reports_order(struct service_rebuild *rebuild) {
    struct service_report *reports = rebuild->service->reports.items;
    for (size_t i = 1; i < mcast_service_reports_count(rebuild); i++) {
        struct service_report one = reports[i];
        size_t at = i;
        for (; at > 0 && reports[at - 1].message.as.report.epoch < one.message.as.report.epoch;
             at--) {
            reports[at] = reports[at - 1];
        }
        reports[at] = one;
    }
}

bool mcast_service_class_lists(const struct mcast_sm_class *class, mcast_view view) {
    for (size_t v = 0; v < class->view_count; v++) {
        if (class->views[v] == view) {
            return true;
        }
    }
    return false;
}

bool mcast_service_report_class_has(const struct mcast_sm_report *report, uint32_t number,
                                    mcast_view view) {
    for (size_t c = 0; c < report->class_count; c++) {
        const struct mcast_sm_class *class = &report->classes[c];
        if (class->class_number == number && mcast_service_class_lists(class, view)) {
            return true;
        }
    }
    return false;
}

uint32_t mcast_service_report_slot(const struct service_rebuild *rebuild,
                                   const struct mcast_sm_report_group *reported) {
    uint32_t slot = mcast_service_group_find(rebuild->service, reported->group);
    bool same = slot != SERVICE_NO_GROUP &&
                service_group_at(rebuild->service, slot)->name == reported->short_name;
    return same ? slot : SERVICE_NO_GROUP;
}

int mcast_service_report_gather(struct service_rebuild *rebuild,
                                const struct mcast_sm_report *report, mcast_view view) {
    struct mcast_vector *list = &rebuild->scratch;
    list->count = 0;
    for (size_t g = 0; g < report->group_count; g++) {
        const struct mcast_sm_report_group *reported = &report->groups[g];
        uint32_t slot = mcast_service_report_slot(rebuild, reported);
        if (!reported->member || slot == SERVICE_NO_GROUP ||
            (view != 0 && !mcast_service_report_class_has(report, reported->class_number, view))) {
            continue;
        }
        uint32_t *place = mcast_vector_push(list, rebuild->service->alloc, sizeof *place);
        if (place == NULL) {
            return MCAST_ENOMEM;
        }
        *place = slot;
    }
    mcast_sort_u32(list->items, list->count);
    return MCAST_OK;
}
