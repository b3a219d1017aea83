/* A node declared dead stays dead after a restart of the service (rules 1.0.8, 1.0.12). A node that
 * did not learn of its own death reports as if nothing had happened; those who learned of it know
 * better and accept nothing from it any more. So do nodes that share a view or group with it and
 * know of an epoch without it, unless another member knew at that time that it was alive: it was
 * about to leave, and they came as it went. */
#include "base/map.h"
#include "base/sort.h"
#include "service/node.h"
#include "service/restart/reports.h"

#include "mcast/error.h"

/* The nodes and groups that one reporter knows, in order. */
struct known_to_reporter {
    struct mcast_vector nodes;  /* of mcast_node */
    struct mcast_vector groups; /* of uint32_t */
};

static int acquaint(struct service_rebuild *rebuild, const struct mcast_sm_report *report,
                    struct known_to_reporter *with) {
    const struct mcast_alloc *alloc = rebuild->service->alloc;
    if (mcast_vector_reserve(&with->nodes, alloc, report->node_count, sizeof(mcast_node)) !=
            MCAST_OK ||
        mcast_vector_reserve(&with->groups, alloc, report->group_count, sizeof(uint32_t)) !=
            MCAST_OK) {
        return MCAST_ENOMEM;
    }
    for (size_t n = 0; n < report->node_count; n++) {
        ((mcast_node *)with->nodes.items)[n] = report->nodes[n].node;
    }
    for (size_t g = 0; g < report->group_count; g++) {
        ((uint32_t *)with->groups.items)[g] = report->groups[g].short_name;
    }
    with->nodes.count = report->node_count;
    with->groups.count = report->group_count;
    mcast_sort_u32(with->nodes.items, with->nodes.count);
    mcast_sort_u32(with->groups.items, with->groups.count);
    return MCAST_OK;
}

/* True if @reporter would have to know @other if that were alive: they share a view or a group. */
static bool share_view_or_group(const struct known_to_reporter *with,
                                const struct service_node *reporter,
                                const struct mcast_sm_report *other) {
    for (size_t v = 0; v < other->view_count; v++) {
        const struct mcast_sm_view *view = &other->views[v];
        if (mcast_sort_has_u32(view->members, view->member_count, reporter->name)) {
            return true;
        }
    }
    for (size_t g = 0; g < other->group_count; g++) {
        if (other->groups[g].member && mcast_sort_has_u32(with->groups.items, with->groups.count,
                                                          other->groups[g].short_name)) {
            return true;
        }
    }
    return false;
}

/* Find, for each node that another member knows to be alive, the newest report that says so; the
 * reports are ordered newest first. */
static int find_known_alive(struct service_rebuild *rebuild, struct mcast_map *known_alive) {
    int code = MCAST_OK;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct service_node *reporter = mcast_service_reporter_at(rebuild, i);
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        for (size_t n = 0; reporter != NULL && n < report->node_count && code == MCAST_OK; n++) {
            mcast_node name = report->nodes[n].node;
            if (name != reporter->name && mcast_map_get(known_alive, name) == MCAST_MAP_NONE) {
                code = mcast_map_put(known_alive, name, i);
            }
        }
    }
    return code;
}

/* True if a member knew in @epoch or later that @node is alive: all who know a node are told of its
 * death. */
static bool was_known_alive(const struct service_rebuild *rebuild,
                            const struct mcast_map *known_alive, const struct service_node *node,
                            mcast_epoch epoch) {
    uint64_t newest = mcast_map_get(known_alive, node->name);
    return newest != MCAST_MAP_NONE && mcast_service_report_at(rebuild, newest)->epoch >= epoch;
}

/* Remove nodes that an equally recent report does not mention though its reporter must know them. A
 * death is believed when it is proposed, so the epoch of the death itself may never have been
 * committed. */
static void remove_unmentioned(struct service_rebuild *rebuild, const struct service_node *reporter,
                               const struct mcast_sm_report *report,
                               const struct known_to_reporter *with,
                               const struct mcast_map *known_alive) {
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        struct service_node *other = mcast_service_reporter_at(rebuild, i);
        const struct mcast_sm_report *theirs = mcast_service_report_at(rebuild, i);
        if (other != NULL && other != reporter && report->epoch >= theirs->epoch &&
            !mcast_sort_has_u32(with->nodes.items, with->nodes.count, other->name) &&
            share_view_or_group(with, reporter, theirs) &&
            !was_known_alive(rebuild, known_alive, other, report->epoch)) {
            mcast_service_node_kill(rebuild->service, other, MCAST_EEVICTED);
        }
    }
}

/* One member that learned of a death is enough: it learned it by PREPARE and believed it. */
static int remove_reported_dead(struct service_rebuild *rebuild) {
    struct mcast_service *service = rebuild->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild) && code == MCAST_OK; i++) {
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        bool heard = mcast_service_reporter_at(rebuild, i) != NULL;
        for (size_t n = 0; heard && n < report->dead_count && code == MCAST_OK; n++) {
            struct service_node *node = mcast_service_node_named(service, report->dead[n]);
            code = mcast_map_put(&service->buried, report->dead[n], 1);
            if (node != NULL) {
                mcast_service_node_kill(service, node, MCAST_EEVICTED);
            }
        }
    }
    return code;
}

void mcast_service_expel_absent(struct service_rebuild *rebuild) {
    struct mcast_service *service = rebuild->service;
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && mcast_map_get(&service->buried, node->name) != MCAST_MAP_NONE) {
            mcast_service_node_kill(service, node, MCAST_EEVICTED);
        }
    }
}

int mcast_service_expel(struct service_rebuild *rebuild) {
    const struct mcast_alloc *alloc = rebuild->service->alloc;
    struct known_to_reporter with = {.nodes = {.items = NULL}};
    struct mcast_map known_alive;
    mcast_map_init(&known_alive, alloc, rebuild->service->config.seed);
    int code = remove_reported_dead(rebuild);
    code = code == MCAST_OK ? find_known_alive(rebuild, &known_alive) : code;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild) && code == MCAST_OK; i++) {
        const struct service_node *reporter = mcast_service_reporter_at(rebuild, i);
        if (reporter == NULL) {
            continue;
        }
        code = acquaint(rebuild, mcast_service_report_at(rebuild, i), &with);
        if (code == MCAST_OK) {
            remove_unmentioned(rebuild, reporter, mcast_service_report_at(rebuild, i), &with,
                               &known_alive);
        }
    }
    mcast_map_free(&known_alive);
    mcast_vector_free(&with.nodes, alloc, sizeof(mcast_node));
    mcast_vector_free(&with.groups, alloc, sizeof(uint32_t));
    return code;
}
