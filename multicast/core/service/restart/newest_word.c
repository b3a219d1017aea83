/* Newest word: where a group is sent to. The reporter with the newest epoch is right: every COMMIT
 * went to all that the group concerns, so a reporter that differs missed one. */
#include "base/memory.h"
#include "service/restart/reports.h"

#include "mcast/error.h"

/* Take those statements of one reporter about groups that no newer reporter made. */
static int take_statements(struct service_rebuild *rebuild, const struct mcast_sm_report *report) {
    struct mcast_map classes;
    int code = MCAST_OK;
    mcast_map_init(&classes, rebuild->service->alloc, rebuild->service->config.seed);
    for (size_t c = 0; c < report->class_count && code == MCAST_OK; c++) {
        code = mcast_map_put(&classes, report->classes[c].class_number, c);
    }
    for (size_t g = 0; g < report->group_count && code == MCAST_OK; g++) {
        uint32_t slot = mcast_service_report_slot(rebuild, &report->groups[g]);
        uint64_t at = mcast_map_get(&classes, report->groups[g].class_number);
        if (slot != SERVICE_NO_GROUP && at != MCAST_MAP_NONE &&
            rebuild->words[slot].class == NULL) {
            rebuild->words[slot] = (struct service_word){&report->classes[at], report->epoch};
        }
    }
    mcast_map_free(&classes);
    return code;
}

int mcast_service_words_find(struct service_rebuild *rebuild) {
    struct mcast_service *service = rebuild->service;
    int code = MCAST_OK;
    rebuild->word_count = service->groups.count;
    rebuild->words =
        mcast_memory_new(service->alloc, rebuild->word_count + 1, sizeof *rebuild->words);
    if (rebuild->words == NULL) {
        return MCAST_ENOMEM;
    }
    for (size_t i = 0; i < mcast_service_reports_count(rebuild) && code == MCAST_OK; i++) {
        code = mcast_service_reporter_at(rebuild, i) == NULL
                   ? code
                   : take_statements(rebuild, mcast_service_report_at(rebuild, i));
    }
    return code;
}
