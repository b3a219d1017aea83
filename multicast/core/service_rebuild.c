/* What each reporter says of a view is put into a claim; a claim on which all reporters agree is
 * adopted, a region as it stands. Whoever is in no adopted view gets a fresh one with those who
 * have the same groups. Views that were closing, and those not adopted, are closed again from the
 * start: nobody knows what was said of them to the service before. */
#include "service_rebuild.h"
#include "memory.h"
#include "service_close.h"
#include "service_delta.h"
#include "service_group.h"
#include "service_hybrid.h"
#include "service_node.h"
#include "service_place.h"
#include "service_recv.h"
#include "sort.h"

#include "mcast/error.h"

/* What members say of one view. */
struct claim {
    mcast_view name;
    uint64_t region;
    uint32_t hierarchy;
    struct mcast_address address;
    const struct mcast_sm_view *word; /* is the first reporter's */
    uint32_t *groups;                 /* are slots, ascending: those of the first reporter */
    size_t group_count;
    mcast_epoch epoch; /* is the newest epoch that one of them knows */
    bool disputed;
};

/* What is said of a group by the reporter who knows the newest epoch. */
struct word {
    const struct mcast_sm_class *class; /* NULL: nobody knows */
    mcast_epoch epoch;
};

enum { NAMES_LEFT_OUT = 4096 };

struct rebuild {
    struct mcast_service *service;
    struct mcast_vector claims;  /* of struct claim */
    struct mcast_vector scratch; /* of uint32_t */
    struct word *words;          /* by group slot */
    size_t word_count;
};

static size_t report_count(const struct rebuild *rebuild) {
    return rebuild->service->reports.count;
}

static const struct mcast_sm_report *report_at(const struct rebuild *rebuild, size_t index) {
    return &((struct service_report *)rebuild->service->reports.items)[index].message.as.report;
}

/* Who made a report; NULL when it is not to be heard. */
static struct service_node *reporter_at(const struct rebuild *rebuild, size_t index) {
    uint32_t slot = ((struct service_report *)rebuild->service->reports.items)[index].slot;
    struct service_node *node = service_node_at(rebuild->service, slot);
    return node == NULL || node->dead ? NULL : node;
}

/* Makes the nodes that others name as members and that have not come: unconfirmed, they stay. */
static int make_absent(struct rebuild *rebuild, const struct mcast_sm_report *report,
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

static int make_nodes(struct rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < report_count(rebuild); i++) {
        const struct mcast_sm_report *report = report_at(rebuild, i);
        bool heard = reporter_at(rebuild, i) != NULL;
        for (size_t v = 0; heard && v < report->view_count && code == MCAST_OK; v++) {
            code = make_absent(rebuild, report, &report->views[v]);
        }
    }
    return code;
}

/* Makes the group that a reporter names. Its word counts only if nobody whose state is newer has
 * another group by that name, or the group by another name. */
static int make_group(struct rebuild *rebuild, const struct mcast_sm_report_group *reported,
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

/* Makes the groups under the names they had. A member that knows one under a name that was given
 * anew missed a whole generation; nothing it says fits, so it has to begin anew. */
static int make_groups(struct rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < report_count(rebuild); i++) {
        const struct mcast_sm_report *report = report_at(rebuild, i);
        struct service_node *reporter = reporter_at(rebuild, i);
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

/* Who knows the newest epoch speaks first. */
static void order_reports(struct rebuild *rebuild) {
    struct service_report *reports = rebuild->service->reports.items;
    for (size_t i = 1; i < report_count(rebuild); i++) {
        struct service_report one = reports[i];
        size_t at = i;
        for (; at > 0 && reports[at - 1].message.as.report.epoch < one.message.as.report.epoch;
             at--) {
            reports[at] = reports[at - 1];
        }
        reports[at] = one;
    }
}

static bool lists(const struct mcast_sm_class *class, mcast_view view) {
    for (size_t v = 0; v < class->view_count; v++) {
        if (class->views[v] == view) {
            return true;
        }
    }
    return false;
}

static bool class_has(const struct mcast_sm_report *report, uint32_t number, mcast_view view) {
    for (size_t c = 0; c < report->class_count; c++) {
        const struct mcast_sm_class *class = &report->classes[c];
        if (class->class_number == number && lists(class, view)) {
            return true;
        }
    }
    return false;
}

/* The group that is meant, if it goes by that name. */
static uint32_t slot_of(const struct rebuild *rebuild,
                        const struct mcast_sm_report_group *reported) {
    uint32_t slot = mcast_service_group_find(rebuild->service, reported->group);
    bool same = slot != SERVICE_NO_GROUP &&
                service_group_at(rebuild->service, slot)->name == reported->short_name;
    return same ? slot : SERVICE_NO_GROUP;
}

/* Gathers the groups that a reporter receives through @view, or all it receives if that is 0. */
static int gather_groups(struct rebuild *rebuild, const struct mcast_sm_report *report,
                         mcast_view view) {
    struct mcast_vector *list = &rebuild->scratch;
    list->count = 0;
    for (size_t g = 0; g < report->group_count; g++) {
        const struct mcast_sm_report_group *reported = &report->groups[g];
        uint32_t slot = slot_of(rebuild, reported);
        if (!reported->member || slot == SERVICE_NO_GROUP ||
            (view != 0 && !class_has(report, reported->class_number, view))) {
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

static struct claim *find_claim(const struct rebuild *rebuild, mcast_view name) {
    struct claim *claims = rebuild->claims.items;
    for (size_t i = 0; i < rebuild->claims.count; i++) {
        if (claims[i].name == name) {
            return &claims[i];
        }
    }
    return NULL;
}

static bool same_u32(const uint32_t *one, size_t count, const uint32_t *other, size_t other_count) {
    bool same = count == other_count;
    for (size_t i = 0; i < count && same; i++) {
        same = one[i] == other[i];
    }
    return same;
}

static int begin_claim(struct rebuild *rebuild, const struct mcast_sm_view *view,
                       mcast_epoch epoch) {
    const struct mcast_alloc *alloc = rebuild->service->alloc;
    struct claim *claim = mcast_vector_push(&rebuild->claims, alloc, sizeof *claim);
    if (claim == NULL) {
        return MCAST_ENOMEM;
    }
    *claim = (struct claim){.name = view->view,
                            .region = view->region,
                            .hierarchy = view->hierarchy,
                            .address = view->address,
                            .word = view,
                            .epoch = epoch};
    size_t count = rebuild->scratch.count;
    claim->groups = count == 0 ? NULL : mcast_memory_new(alloc, count, sizeof *claim->groups);
    claim->disputed = count == 0;
    if (count > 0 && claim->groups == NULL) {
        return MCAST_ENOMEM;
    }
    claim->group_count = count;
    for (size_t i = 0; i < count; i++) {
        claim->groups[i] = ((uint32_t *)rebuild->scratch.items)[i];
    }
    return MCAST_OK;
}

/* Takes in what one reporter says of a view it is in. */
static int hear_view(struct rebuild *rebuild, const struct service_node *reporter,
                     const struct mcast_sm_report *report, const struct mcast_sm_view *view) {
    if (!mcast_sort_has_u32(view->members, view->member_count, reporter->name)) {
        return MCAST_OK; /* it only sends there */
    }
    int code = gather_groups(rebuild, report, view->view);
    struct claim *claim = find_claim(rebuild, view->view);
    if (code != MCAST_OK || claim == NULL) {
        return code == MCAST_OK ? begin_claim(rebuild, view, report->epoch) : code;
    }
    bool agrees = same_u32(view->members, view->member_count, claim->word->members,
                           claim->word->member_count) &&
                  same_u32(rebuild->scratch.items, rebuild->scratch.count, claim->groups,
                           claim->group_count) &&
                  view->hierarchy == claim->hierarchy && view->region == claim->region;
    claim->disputed = claim->disputed || !agrees;
    return MCAST_OK;
}

static bool reports_own(const struct mcast_sm_report *report, mcast_view name) {
    for (size_t v = 0; v < report->view_count; v++) {
        if (report->views[v].view == name) {
            return true;
        }
    }
    return false;
}

/* A member that came and does not say that it is in the view contradicts those who say it is. */
static void contradict(struct rebuild *rebuild, struct claim *claim) {
    for (size_t i = 0; i < report_count(rebuild); i++) {
        const struct service_node *reporter = reporter_at(rebuild, i);
        bool named =
            reporter != NULL &&
            mcast_sort_has_u32(claim->word->members, claim->word->member_count, reporter->name);
        claim->disputed =
            claim->disputed || (named && !reports_own(report_at(rebuild, i), claim->name));
    }
}

/* Finds the words of one reporter that nobody newer has spoken of. */
static int hear_groups(struct rebuild *rebuild, const struct mcast_sm_report *report) {
    struct mcast_map classes;
    int code = MCAST_OK;
    mcast_map_init(&classes, rebuild->service->alloc, rebuild->service->config.seed);
    for (size_t c = 0; c < report->class_count && code == MCAST_OK; c++) {
        code = mcast_map_put(&classes, report->classes[c].class_number, c);
    }
    for (size_t g = 0; g < report->group_count && code == MCAST_OK; g++) {
        uint32_t slot = slot_of(rebuild, &report->groups[g]);
        uint64_t at = mcast_map_get(&classes, report->groups[g].class_number);
        if (slot != SERVICE_NO_GROUP && at != MCAST_MAP_NONE &&
            rebuild->words[slot].class == NULL) {
            rebuild->words[slot] = (struct word){&report->classes[at], report->epoch};
        }
    }
    mcast_map_free(&classes);
    return code;
}

static int find_words(struct rebuild *rebuild) {
    struct mcast_service *service = rebuild->service;
    int code = MCAST_OK;
    rebuild->word_count = service->groups.count;
    rebuild->words =
        mcast_memory_new(service->alloc, rebuild->word_count + 1, sizeof *rebuild->words);
    if (rebuild->words == NULL) {
        return MCAST_ENOMEM;
    }
    for (size_t i = 0; i < report_count(rebuild) && code == MCAST_OK; i++) {
        code = reporter_at(rebuild, i) == NULL ? code : hear_groups(rebuild, report_at(rebuild, i));
    }
    return code;
}

/* Members that missed an epoch may still believe in a view that was closed with it. Those who know
 * better send its groups elsewhere. */
static bool is_outdated(const struct rebuild *rebuild, const struct claim *claim) {
    for (size_t i = 0; i < claim->group_count; i++) {
        const struct word *word = &rebuild->words[claim->groups[i]];
        if (word->class != NULL && word->epoch > claim->epoch && !lists(word->class, claim->name)) {
            return true;
        }
    }
    return false;
}

static int make_claims(struct rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < report_count(rebuild); i++) {
        const struct mcast_sm_report *report = report_at(rebuild, i);
        const struct service_node *reporter = reporter_at(rebuild, i);
        for (size_t v = 0; reporter != NULL && v < report->view_count && code == MCAST_OK; v++) {
            code = hear_view(rebuild, reporter, report, &report->views[v]);
        }
    }
    struct claim *claims = rebuild->claims.items;
    for (size_t i = 0; i < rebuild->claims.count; i++) {
        contradict(rebuild, &claims[i]);
        claims[i].disputed = claims[i].disputed || is_outdated(rebuild, &claims[i]);
    }
    return code;
}

/* Whether the members named are all known, and nobody has a view of that hierarchy already, and the
 * groups are of no other hierarchy. */
static bool is_free(const struct rebuild *rebuild, const struct claim *claim) {
    const struct mcast_service *service = rebuild->service;
    for (size_t i = 0; i < claim->word->member_count; i++) {
        const struct service_node *node =
            mcast_service_node_named(service, claim->word->members[i]);
        if (node == NULL || node->now[claim->hierarchy] != NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < claim->group_count; i++) {
        const struct service_group *group = service_group_at(service, claim->groups[i]);
        if (group->now->count > 0 && group->hierarchy != claim->hierarchy) {
            return false;
        }
    }
    return true;
}

/* Whether an attempt that ran out of memory had adopted it already. */
static bool is_adopted(const struct mcast_service *service, const struct claim *claim) {
    for (size_t i = 0; i < service->regions.count; i++) {
        if (service_region_at(service, i)->now->name == claim->name) {
            return true;
        }
    }
    return false;
}

static int adopt(struct rebuild *rebuild, struct claim *claim) {
    struct mcast_service *service = rebuild->service;
    if (is_adopted(service, claim)) {
        return MCAST_OK;
    }
    uint32_t address = mcast_address_pool_index(&service->addresses, &claim->address);
    if (claim->disputed || address == MCAST_ADDRESS_NONE ||
        mcast_service_place_is_used(service, address) || !is_free(rebuild, claim)) {
        claim->disputed = true;
        return MCAST_OK;
    }
    mcast_address_pool_claim(&service->addresses, address, service->now);
    struct service_place place = {.name = claim->name,
                                  .region = claim->region,
                                  .hierarchy = claim->hierarchy,
                                  .address = address,
                                  .groups = claim->groups,
                                  .group_count = claim->group_count,
                                  .names = claim->word->members,
                                  .name_count = claim->word->member_count};
    return mcast_service_place_region(service, &place);
}

/* Groups of which no view could be adopted stay in the hierarchy in which they were. */
static void keep_hierarchies(struct rebuild *rebuild, const struct claim *claim) {
    for (size_t i = 0; i < claim->group_count; i++) {
        struct service_group *group = service_group_at(rebuild->service, claim->groups[i]);
        if (group->now->count == 0) {
            group->hierarchy = claim->hierarchy;
            group->next_hierarchy = claim->hierarchy;
        }
    }
}

static int adopt_all(struct rebuild *rebuild) {
    struct claim *claims = rebuild->claims.items;
    int code = MCAST_OK;
    for (size_t i = 0; i < rebuild->claims.count && code == MCAST_OK; i++) {
        code = adopt(rebuild, &claims[i]);
    }
    for (size_t i = 0; i < rebuild->claims.count; i++) {
        keep_hierarchies(rebuild, &claims[i]);
    }
    return code;
}

/* Closes again a view that was closing, or that could not be adopted. */
static int close_again(struct rebuild *rebuild, mcast_view name, uint32_t address,
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

static int close_all(struct rebuild *rebuild) {
    const struct claim *claims = rebuild->claims.items;
    int code = MCAST_OK;
    for (size_t i = 0; i < rebuild->claims.count && code == MCAST_OK; i++) {
        if (claims[i].disputed) {
            uint32_t address =
                mcast_address_pool_index(&rebuild->service->addresses, &claims[i].address);
            code = close_again(rebuild, claims[i].name, address, claims[i].word->members,
                               claims[i].word->member_count);
        }
    }
    for (size_t i = 0; i < report_count(rebuild); i++) {
        const struct mcast_sm_report *report = report_at(rebuild, i);
        const struct service_node *reporter = reporter_at(rebuild, i);
        for (size_t v = 0; reporter != NULL && v < report->old_view_count && code == MCAST_OK;
             v++) {
            code =
                close_again(rebuild, report->old_views[v], MCAST_ADDRESS_NONE, &reporter->name, 1);
        }
    }
    return code;
}

/* Gives @node a place for those of its groups that no adopted view carries. */
static int place_rest(struct rebuild *rebuild, struct service_node *node,
                      const struct mcast_sm_report *report) {
    int code = gather_groups(rebuild, report, 0);
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

static int restore_senders(struct rebuild *rebuild, struct service_node *node,
                           const struct mcast_sm_report *report) {
    int code = MCAST_OK;
    for (size_t g = 0; g < report->group_count && code == MCAST_OK; g++) {
        uint32_t slot = slot_of(rebuild, &report->groups[g]);
        if (!report->groups[g].member && slot != SERVICE_NO_GROUP) {
            code = mcast_service_place_sender(rebuild->service, node, slot);
        }
    }
    return code;
}

/* Whether @node has a place in all groups it was a member of. When the former service stopped while
 * groups moved between hierarchies there may be none that fits all; then the node has to begin
 * anew. */
static bool is_restored(const struct rebuild *rebuild, const struct service_node *node,
                        const struct mcast_sm_report *report) {
    for (size_t g = 0; g < report->group_count; g++) {
        uint32_t slot = slot_of(rebuild, &report->groups[g]);
        if (report->groups[g].member && !mcast_service_delta_carried(node->now, slot)) {
            return false;
        }
    }
    return true;
}

/* Notes which nodes a reporter knows that are no more. */
static int find_lost(struct rebuild *rebuild, struct service_node *node,
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
        }
    }
    return MCAST_OK;
}

static int find_over(struct rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < report_count(rebuild) && code == MCAST_OK; i++) {
        struct service_node *node = reporter_at(rebuild, i);
        code = node == NULL
                   ? code
                   : mcast_service_report_over(rebuild->service, node, report_at(rebuild, i));
    }
    return code;
}

static int place_all(struct rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < report_count(rebuild) && code == MCAST_OK; i++) {
        struct service_node *node = reporter_at(rebuild, i);
        const struct mcast_sm_report *report = report_at(rebuild, i);
        if (node == NULL) {
            continue;
        }
        node->resync = true;
        code = place_rest(rebuild, node, report);
        code = code == MCAST_OK ? restore_senders(rebuild, node, report) : code;
        code = code == MCAST_OK ? find_lost(rebuild, node, report) : code;
        if (code == MCAST_OK && !is_restored(rebuild, node, report)) {
            mcast_service_node_kill(rebuild->service, node, MCAST_EEVICTED);
        }
    }
    return code;
}

/* What one reporter knows of others: names, in order. */
struct acquaintance {
    struct mcast_vector nodes;  /* of mcast_node */
    struct mcast_vector groups; /* of uint32_t */
};

static int acquaint(struct rebuild *rebuild, const struct mcast_sm_report *report,
                    struct acquaintance *with) {
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

/* Whether @reporter, if @other lived, would have to know it: they share a view or a group. */
static bool share_something(const struct acquaintance *with, const struct service_node *reporter,
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

/* Removes those whom @reporter would have to know and does not, though what it knows is as new. A
 * death is believed when it is proposed, so the epoch of the death itself may never have been
 * committed. */
static void expel_unknown(struct rebuild *rebuild, const struct service_node *reporter,
                          const struct mcast_sm_report *report, const struct acquaintance *with) {
    for (size_t i = 0; i < report_count(rebuild); i++) {
        struct service_node *other = reporter_at(rebuild, i);
        const struct mcast_sm_report *theirs = report_at(rebuild, i);
        if (other != NULL && other != reporter && report->epoch >= theirs->epoch &&
            !mcast_sort_has_u32(with->nodes.items, with->nodes.count, other->name) &&
            share_something(with, reporter, theirs)) {
            mcast_service_node_kill(rebuild->service, other, MCAST_EEVICTED);
        }
    }
}

/* A node that the former service declared dead and that did not hear of it comes and reports as if
 * nothing had happened. Those it shared something with know better. */
static int expel_dead(struct rebuild *rebuild) {
    struct acquaintance with = {.nodes = {.items = NULL}};
    int code = MCAST_OK;
    for (size_t i = 0; i < report_count(rebuild) && code == MCAST_OK; i++) {
        const struct service_node *reporter = reporter_at(rebuild, i);
        if (reporter == NULL) {
            continue;
        }
        code = acquaint(rebuild, report_at(rebuild, i), &with);
        if (code == MCAST_OK) {
            expel_unknown(rebuild, reporter, report_at(rebuild, i), &with);
        }
    }
    mcast_vector_free(&with.nodes, rebuild->service->alloc, sizeof(mcast_node));
    mcast_vector_free(&with.groups, rebuild->service->alloc, sizeof(uint32_t));
    return code;
}

/* Numbers of regions and classes go on where the former service stopped. Short names of nodes and
 * groups that are no more are not reported, yet members may remember them; so some are left out. */
static void find_highest(struct rebuild *rebuild) {
    struct mcast_service *service = rebuild->service;
    for (size_t i = 0; i < report_count(rebuild); i++) {
        const struct mcast_sm_report *report = report_at(rebuild, i);
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
    service->last_name += NAMES_LEFT_OUT;
    service->last_group += NAMES_LEFT_OUT;
}

static int name_adopted(const struct rebuild *rebuild, struct mcast_map *adopted) {
    struct mcast_service *service = rebuild->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->regions.count && code == MCAST_OK; i++) {
        const struct service_view *view = service_region_at(service, i)->now;
        bool fresh = MCAST_GENERATION(view->name) == service->generation;
        code = fresh ? code : mcast_map_put(adopted, view->name, (uint64_t)(uintptr_t)view);
    }
    return code;
}

/* Whether the views of @class were all adopted, all carry the group in @slot, and no other does. */
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

/* Gives a new view number to the groups that one reporter knows with a view that was not adopted,
 * or that carries them no more: they may have other members than they had under the old number. */
static int renumber(struct rebuild *rebuild, const struct mcast_sm_report *report,
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
        uint32_t slot = slot_of(rebuild, &report->groups[g]);
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

static int renumber_all(struct rebuild *rebuild) {
    struct mcast_map adopted;
    mcast_map_init(&adopted, rebuild->service->alloc, rebuild->service->config.seed);
    int code = name_adopted(rebuild, &adopted);
    for (size_t i = 0; i < report_count(rebuild) && code == MCAST_OK; i++) {
        if (reporter_at(rebuild, i) != NULL) {
            code = renumber(rebuild, report_at(rebuild, i), &adopted);
        }
    }
    mcast_map_free(&adopted);
    return code;
}

/* Groups keep the addresses of their own: members listen there and send to them. */
static void adopt_addresses(struct rebuild *rebuild) {
    for (size_t i = 0; i < report_count(rebuild); i++) {
        const struct mcast_sm_report *report = report_at(rebuild, i);
        bool heard = reporter_at(rebuild, i) != NULL;
        for (size_t h = 0; heard && h < report->hybrid_count; h++) {
            mcast_service_hybrid_adopt(rebuild->service, &report->hybrids[h]);
        }
    }
}

int mcast_service_rebuild(struct mcast_service *service) {
    struct rebuild rebuild = {.service = service};
    order_reports(&rebuild);
    find_highest(&rebuild);
    int code = expel_dead(&rebuild);
    code = code == MCAST_OK ? make_groups(&rebuild) : code;
    code = code == MCAST_OK ? make_nodes(&rebuild) : code;
    code = code == MCAST_OK ? find_words(&rebuild) : code;
    code = code == MCAST_OK ? make_claims(&rebuild) : code;
    code = code == MCAST_OK ? adopt_all(&rebuild) : code;
    if (code == MCAST_OK) {
        adopt_addresses(&rebuild); /* after those of regions, before fresh ones are given */
    }
    code = code == MCAST_OK ? place_all(&rebuild) : code;
    code = code == MCAST_OK ? close_all(&rebuild) : code;
    code = code == MCAST_OK ? mcast_service_place_parents(service) : code;
    code = code == MCAST_OK ? find_over(&rebuild) : code;
    code = code == MCAST_OK ? renumber_all(&rebuild) : code;
    struct claim *claims = rebuild.claims.items;
    for (size_t i = 0; i < rebuild.claims.count; i++) {
        mcast_memory_free(service->alloc, claims[i].groups, claims[i].group_count,
                          sizeof *claims[i].groups);
    }
    mcast_memory_free(service->alloc, rebuild.words, rebuild.word_count + 1, sizeof *rebuild.words);
    mcast_vector_free(&rebuild.claims, service->alloc, sizeof(struct claim));
    mcast_vector_free(&rebuild.scratch, service->alloc, sizeof(uint32_t));
    service->settling = code == MCAST_OK;
    return code;
}
