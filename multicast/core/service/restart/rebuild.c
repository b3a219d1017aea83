/* A claim that its members agree on is adopted: the region stays as it is (view_claims.c). A node
 * in no adopted view gets a fresh one with the nodes that have the same groups. Views that were
 * closing, and those not adopted, are closed again from the start: nobody knows what the former
 * service had heard about them. */
#include "service/restart/rebuild.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/epoch/view_close.h"
#include "service/group.h"
#include "service/node.h"
#include "service/plan/hybrid.h"
#include "service/recv/recv.h"
#include "service/restart/place.h"
#include "service/restart/reports.h"
#include "service/restart/view_claims.h"
#include "service/update/delta.h"

#include "mcast/error.h"

enum { NAMES_LEFT_OUT = 4096, NAME_PARTS = 1 << 19 };

/* Make the nodes that others name as members and that have not connected: they stay, unconfirmed.
 */
static int make_absent(struct service_rebuild *rebuild, const struct mcast_sm_report *report,
                       const struct mcast_sm_view *view) {
    struct mcast_service *service = rebuild->service;
    for (size_t n = 0; n < report->node_count; n++) {
        const struct mcast_sm_node *named = &report->nodes[n];
        if (!mcast_sort_has_u32(view->members, view->member_count, named->node) ||
            mcast_service_node_named(service, named->node) != NULL ||
            mcast_service_node_find(service, named->id) != NULL) {
            continue;
        }
        struct service_node *node =
            mcast_service_node_make(service, named->id, named->incarnation, named->node);
        if (node == NULL) {
            return MCAST_ENOMEM;
        }
        node->address = named->address;
        (void)mcast_heap_set(&service->timers, &node->silence.timer, service->quiet_until);
    }
    return MCAST_OK;
}

static int make_nodes(struct service_rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        bool heard = mcast_service_reporter_at(rebuild, i) != NULL;
        for (size_t v = 0; heard && v < report->view_count && code == MCAST_OK; v++) {
            code = make_absent(rebuild, report, &report->views[v]);
        }
    }
    return code;
}

/* Make the group that a reporter names. The report counts only if no reporter with a newer state
 * uses the name for another group, or another name for the group. */
static int make_group(struct service_rebuild *rebuild, const struct mcast_sm_report_group *reported,
                      bool *agrees) {
    struct mcast_service *service = rebuild->service;
    uint32_t named = mcast_service_group_named(service, reported->short_name);
    uint32_t slot = mcast_service_group_find(service, reported->group);
    *agrees = named == slot;
    if (!*agrees) {
        return MCAST_OK;
    }
    int code = mcast_service_group_obtain(service, reported->group, reported->short_name, &slot);
    if (code != MCAST_OK) {
        return MCAST_ENOMEM;
    }
    struct service_group *group = service_group_at(service, slot);
    if (reported->view_number > group->number) {
        group->number = reported->view_number;
        group->next_number = group->number;
    }
    return MCAST_OK;
}

/* Make the groups under their old names. A member that knows a group by a name that was reused
 * missed a whole generation; nothing in its report fits, so it has to start anew. */
static int make_groups(struct service_rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        struct service_node *reporter = mcast_service_reporter_at(rebuild, i);
        bool agrees = reporter != NULL;
        for (size_t g = 0; g < report->group_count && code == MCAST_OK && agrees; g++) {
            code = make_group(rebuild, &report->groups[g], &agrees);
        }
        if (code == MCAST_OK && reporter != NULL && !agrees) {
            mcast_service_node_kill(rebuild->service, reporter, MCAST_EEVICTED);
        }
    }
    return code;
}

/* Short names of nodes and groups that no longer exist are not reported, yet members may remember
 * them. So some names are skipped; and because all nodes with names of a former generation may be
 * dead, each generation has a range of names of its own. */
static uint32_t first_name(const struct mcast_service *service, uint32_t highest) {
    uint32_t part = service->generation % NAME_PARTS * NAMES_LEFT_OUT;
    highest += NAMES_LEFT_OUT;
    return highest > part ? highest : part;
}

/* Continue the numbers of regions and classes where the former service stopped. */
static void find_highest(struct service_rebuild *rebuild) {
    struct mcast_service *service = rebuild->service;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        for (size_t v = 0; v < report->view_count; v++) {
            uint64_t region = report->views[v].region;
            service->last_region = region > service->last_region ? region : service->last_region;
            uint32_t reach = report->views[v].hierarchy + 1;
            service->hierarchies = reach > service->hierarchies ? reach : service->hierarchies;
        }
        for (size_t c = 0; c < report->class_count; c++) {
            uint32_t number = report->classes[c].class_number;
            service->last_class = number > service->last_class ? number : service->last_class;
        }
        for (size_t n = 0; n < report->node_count; n++) {
            mcast_node name = report->nodes[n].node;
            service->last_name = name > service->last_name ? name : service->last_name;
        }
        for (size_t g = 0; g < report->group_count; g++) {
            uint32_t name = report->groups[g].short_name;
            service->last_group = name > service->last_group ? name : service->last_group;
        }
    }
    service->last_name = first_name(service, service->last_name);
    service->last_group = first_name(service, service->last_group);
}

/* Close a view again that was closing, or that could not be adopted. */
static int close_again(struct service_rebuild *rebuild, mcast_view name, uint32_t address,
                       const mcast_node *names, size_t count) {
    struct mcast_service *service = rebuild->service;
    struct service_view *view = NULL;
    for (size_t i = 0; i < service->closing.count && view == NULL; i++) {
        struct service_view *other = service_closing_at(service, i);
        view = other->name == name ? other : NULL;
    }
    if (view == NULL) {
        mcast_address_pool_claim(&service->addresses, address, service->now);
        return mcast_service_place_closed(service, name, address, names, count);
    }
    int code = MCAST_OK;
    for (size_t i = 0; i < count && code == MCAST_OK; i++) {
        const struct service_node *node = mcast_service_node_named(service, names[i]);
        code = node == NULL ? code : mcast_bits_add(&view->unended, service->alloc, node->slot);
    }
    return code;
}

static bool lists(const mcast_view *views, size_t count, mcast_view name) {
    for (size_t i = 0; i < count; i++) {
        if (views[i] == name) {
            return true;
        }
    }
    return false;
}

/* True if any member had the view in force, so that messages may have been sent in it. */
static bool was_in_force(const struct service_rebuild *rebuild, mcast_view name) {
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        if (mcast_service_reporter_at(rebuild, i) != NULL &&
            (lists(report->old_views, report->old_view_count, name) ||
             lists(report->outbound, report->outbound_count, name))) {
            return true;
        }
    }
    return false;
}

static bool is_adopted(const struct mcast_service *service, mcast_view name) {
    for (size_t i = 0; i < service->regions.count; i++) {
        if (service_region_at(service, i)->now->name == name) {
            return true;
        }
    }
    return false;
}

/* A member that received PREPARE and not COMMIT may be owed messages of nodes that received the
 * COMMIT. Reports of others that are members of the view make a claim, which is treated as such. */
static int close_prepared(struct service_rebuild *rebuild, const struct mcast_sm_report *report) {
    struct mcast_service *service = rebuild->service;
    int code = MCAST_OK;
    for (size_t v = 0; v < report->prepared_count && code == MCAST_OK; v++) {
        const struct mcast_sm_view *view = &report->prepared[v];
        if (was_in_force(rebuild, view->view) && !is_adopted(service, view->view)) {
            uint32_t address = mcast_address_pool_index(&service->addresses, &view->address);
            code = close_again(rebuild, view->view, address, view->members, view->member_count);
        }
    }
    return code;
}

static int close_all(struct service_rebuild *rebuild) {
    const struct service_claim *claims = rebuild->claims.items;
    int code = MCAST_OK;
    for (size_t i = 0; i < rebuild->claims.count && code == MCAST_OK; i++) {
        if (claims[i].disputed && !claims[i].outvoted) {
            uint32_t address =
                mcast_address_pool_index(&rebuild->service->addresses, &claims[i].address);
            code = close_again(rebuild, claims[i].name, address, claims[i].word->members,
                               claims[i].word->member_count);
        }
    }
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        const struct service_node *reporter = mcast_service_reporter_at(rebuild, i);
        for (size_t v = 0; reporter != NULL && v < report->old_view_count && code == MCAST_OK;
             v++) {
            code =
                close_again(rebuild, report->old_views[v], MCAST_ADDRESS_NONE, &reporter->name, 1);
        }
        if (reporter != NULL && code == MCAST_OK) {
            code = close_prepared(rebuild, report);
        }
    }
    return code;
}

/* Give @node a place for those of its groups that no adopted view carries. */
static int place_rest(struct service_rebuild *rebuild, struct service_node *node,
                      const struct mcast_sm_report *report) {
    int code = mcast_service_report_gather(rebuild, report, 0);
    for (uint32_t h = 0; h < SERVICE_HIERARCHIES && code == MCAST_OK; h++) {
        const uint32_t *groups = rebuild->scratch.items;
        struct mcast_vector rest = {.items = NULL};
        for (size_t i = 0; i < rebuild->scratch.count && code == MCAST_OK; i++) {
            bool ours = service_group_at(rebuild->service, groups[i])->hierarchy == h;
            uint32_t *place = ours && node->now[h] == NULL
                                  ? mcast_vector_push(&rest, rebuild->service->alloc, sizeof *place)
                                  : NULL;
            if (place != NULL) {
                *place = groups[i];
            } else if (ours && node->now[h] == NULL) {
                code = MCAST_ENOMEM;
            }
        }
        if (code == MCAST_OK && rest.count > 0) {
            code = mcast_service_place_node(rebuild->service, node, h, rest.items, rest.count);
        }
        mcast_vector_free(&rest, rebuild->service->alloc, sizeof(uint32_t));
    }
    return code;
}

static int restore_senders(struct service_rebuild *rebuild, struct service_node *node,
                           const struct mcast_sm_report *report) {
    int code = MCAST_OK;
    for (size_t g = 0; g < report->group_count && code == MCAST_OK; g++) {
        uint32_t slot = mcast_service_report_slot(rebuild, &report->groups[g]);
        if (!report->groups[g].member && slot != SERVICE_NO_GROUP) {
            code = mcast_service_place_sender(rebuild->service, node, slot);
        }
    }
    return code;
}

/* True if @node asks to leave @group before it reports. */
static bool asks_to_leave(const struct mcast_service *service, const struct service_node *node,
                          struct mcast_id group) {
    for (size_t i = 0; i < service->changes.count; i++) {
        const struct service_report *kept = &((struct service_report *)service->changes.items)[i];
        size_t count = kept->slot == node->slot ? kept->message.as.change.count : 0;
        for (size_t j = 0; j < count; j++) {
            const struct mcast_sm_change_item *item = &kept->message.as.change.items[j];
            if (item->op == MCAST_SM_LEAVE && item->group.high == group.high &&
                item->group.low == group.low) {
                return true;
            }
        }
    }
    return false;
}

/* Record which groups @node was a member of and has no place in, and store in @restored if it keeps
 * its place all the same. It has left the groups that it asked to leave: the others heard so and it
 * did not. If the former service stopped while groups changed their hierarchy, perhaps no place
 * fits all groups; then the node has to start anew. */
static int find_unplaced(const struct service_rebuild *rebuild, struct service_node *node,
                         const struct mcast_sm_report *report, bool *restored) {
    *restored = true;
    node->gone.count = 0;
    for (size_t g = 0; g < report->group_count && *restored; g++) {
        const struct mcast_sm_report_group *group = &report->groups[g];
        uint32_t slot = mcast_service_report_slot(rebuild, group);
        if (!group->member || mcast_service_delta_carried(node->now, slot)) {
            continue;
        }
        *restored = asks_to_leave(rebuild->service, node, group->group);
        uint32_t *place = mcast_vector_push(&node->gone, rebuild->service->alloc, sizeof *place);
        if (place == NULL) {
            return MCAST_ENOMEM;
        }
        *place = group->short_name;
    }
    return MCAST_OK;
}

/* Record which nodes a reporter knows that no longer exist. It is told that they died, so that they
 * stay dead. */
static int find_lost(struct service_rebuild *rebuild, struct service_node *node,
                     const struct mcast_sm_report *report) {
    node->lost.count = 0;
    for (size_t n = 0; n < report->node_count; n++) {
        if (mcast_service_node_named(rebuild->service, report->nodes[n].node) == NULL) {
            mcast_node *place =
                mcast_vector_push(&node->lost, rebuild->service->alloc, sizeof *place);
            if (place == NULL) {
                return MCAST_ENOMEM;
            }
            *place = report->nodes[n].node;
            if (mcast_map_put(&rebuild->service->buried, *place, 1) != MCAST_OK) {
                return MCAST_ENOMEM;
            }
        }
    }
    return MCAST_OK;
}

static int find_over(struct service_rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild) && code == MCAST_OK; i++) {
        struct service_node *node = mcast_service_reporter_at(rebuild, i);
        code = node == NULL ? code
                            : mcast_service_report_over(rebuild->service, node,
                                                        mcast_service_report_at(rebuild, i));
    }
    return code;
}

static int place_all(struct service_rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild) && code == MCAST_OK; i++) {
        struct service_node *node = mcast_service_reporter_at(rebuild, i);
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        if (node == NULL) {
            continue;
        }
        node->resync = true;
        code = place_rest(rebuild, node, report);
        code = code == MCAST_OK ? restore_senders(rebuild, node, report) : code;
        code = code == MCAST_OK ? find_lost(rebuild, node, report) : code;
        code = code == MCAST_OK ? mcast_service_node_learn(rebuild->service, node, report) : code;
        bool restored = true;
        code = code == MCAST_OK ? find_unplaced(rebuild, node, report, &restored) : code;
        if (!restored) {
            mcast_service_node_kill(rebuild->service, node, MCAST_EEVICTED);
        }
    }
    return code;
}

/* Let groups keep their own addresses: members listen there and send to them. */
static void adopt_addresses(struct service_rebuild *rebuild) {
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        bool heard = mcast_service_reporter_at(rebuild, i) != NULL;
        for (size_t h = 0; heard && h < report->hybrid_count; h++) {
            mcast_service_hybrid_adopt(rebuild->service, &report->hybrids[h]);
        }
    }
}

int mcast_service_rebuild(struct mcast_service *service) {
    struct service_rebuild rebuild = {.service = service};
    mcast_service_reports_order(&rebuild);
    find_highest(&rebuild);
    int code = mcast_service_expel(&rebuild);
    code = code == MCAST_OK ? make_groups(&rebuild) : code;
    code = code == MCAST_OK ? make_nodes(&rebuild) : code;
    mcast_service_expel_absent(&rebuild);
    code = code == MCAST_OK ? mcast_service_words_find(&rebuild) : code;
    code = code == MCAST_OK ? mcast_service_claims_make(&rebuild) : code;
    code = code == MCAST_OK ? mcast_service_claims_adopt(&rebuild) : code;
    if (code == MCAST_OK) {
        adopt_addresses(&rebuild); /* after those of regions, before fresh ones are given */
    }
    code = code == MCAST_OK ? place_all(&rebuild) : code;
    code = code == MCAST_OK ? close_all(&rebuild) : code;
    code = code == MCAST_OK ? mcast_service_place_parents(service) : code;
    code = code == MCAST_OK ? find_over(&rebuild) : code;
    code = code == MCAST_OK ? mcast_service_renumber(&rebuild) : code;
    struct service_claim *claims = rebuild.claims.items;
    for (size_t i = 0; i < rebuild.claims.count; i++) {
        mcast_memory_free(service->alloc, claims[i].groups, claims[i].group_count,
                          sizeof *claims[i].groups);
    }
    mcast_memory_free(service->alloc, rebuild.words, rebuild.word_count + 1, sizeof *rebuild.words);
    mcast_vector_free(&rebuild.claims, service->alloc, sizeof(struct service_claim));
    mcast_vector_free(&rebuild.scratch, service->alloc, sizeof(uint32_t));
    service->settling = code == MCAST_OK;
    return code;
}
