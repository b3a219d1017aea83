#include "service/recv/report_limits.h"

/* In any case so many restarts of a service, short names, classes and regions remain available. */
#define GENERATION_MOST ((1U << 24) - (1U << 16))
#define NAME_MOST 0xf0000000U
#define REGION_MOST (UINT64_MAX / 2)

bool mcast_service_sound_generation(const struct mcast_service_message *hello) {
    return MCAST_GENERATION(hello->as.hello.epoch) < GENERATION_MOST;
}

bool mcast_service_sound_name(const struct mcast_service_message *hello) {
    return hello->as.hello.node <= NAME_MOST;
}

static bool views_are_sound(const struct mcast_service *service, const struct mcast_sm_view *views,
                            size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (MCAST_GENERATION(views[i].view) > service->generation ||
            views[i].region > REGION_MOST) {
            return false;
        }
    }
    return true;
}

static bool groups_are_sound(const struct mcast_service *service,
                             const struct mcast_sm_report *report) {
    for (size_t i = 0; i < report->group_count; i++) {
        const struct mcast_sm_report_group *group = &report->groups[i];
        if (group->short_name > NAME_MOST || group->class_number > NAME_MOST ||
            MCAST_GENERATION(group->view_number) > service->generation) {
            return false;
        }
    }
    return true;
}

bool mcast_service_sound_report(const struct mcast_service *service,
                                const struct mcast_sm_report *report) {
    for (size_t i = 0; i < report->node_count; i++) {
        if (report->nodes[i].node > NAME_MOST) {
            return false;
        }
    }
    for (size_t i = 0; i < report->class_count; i++) {
        if (report->classes[i].class_number > NAME_MOST) {
            return false;
        }
    }
    return views_are_sound(service, report->views, report->view_count) &&
           views_are_sound(service, report->prepared, report->prepared_count) &&
           groups_are_sound(service, report);
}
