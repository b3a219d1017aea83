#include "service/restart/view_claims.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/node.h"
#include "service/restart/place.h"

#include "mcast/error.h"

static bool same_u32(const uint32_t *one, size_t count, const uint32_t *other, size_t other_count) {
    bool same = count == other_count;
    for (size_t i = 0; i < count && same; i++) {
        same = one[i] == other[i];
    }
    return same;
}

static int begin_claim(struct service_rebuild *rebuild, const struct mcast_sm_view *view,
                       mcast_epoch epoch) {
    const struct mcast_alloc *alloc = rebuild->service->alloc;
    struct service_claim *claim = mcast_vector_push(&rebuild->claims, alloc, sizeof *claim);
    if (claim == NULL) {
        return MCAST_ENOMEM;
    }
    *claim = (struct service_claim){.name = view->view,
                                    .region = view->region,
                                    .hierarchy = view->hierarchy,
                                    .address = view->address,
                                    .word = view,
                                    .epoch = epoch,
                                    .votes = 1};
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

/* True if @claim says about its view the same as the reporter whose groups are gathered. */
static bool says_the_same(const struct service_rebuild *rebuild, const struct service_claim *claim,
                          const struct mcast_sm_view *view) {
    return same_u32(view->members, view->member_count, claim->word->members,
                    claim->word->member_count) &&
           same_u32(rebuild->scratch.items, rebuild->scratch.count, claim->groups,
                    claim->group_count) &&
           view->hierarchy == claim->hierarchy && view->region == claim->region;
}

/* The claim of that name that says the same, or NULL. Mark all that say something else as
 * *@disagreed, and the new one if there is to be one. */
static struct service_claim *find_claim(struct service_rebuild *rebuild,
                                        const struct mcast_sm_view *view, bool *disagreed) {
    struct service_claim *claims = rebuild->claims.items;
    struct service_claim *found = NULL;
    for (size_t i = 0; i < rebuild->claims.count; i++) {
        bool same = claims[i].name == view->view && says_the_same(rebuild, &claims[i], view);
        found = same ? &claims[i] : found;
        *disagreed = *disagreed || (claims[i].name == view->view && !same);
    }
    for (size_t i = 0; i < rebuild->claims.count && *disagreed; i++) {
        claims[i].disagreed = claims[i].disagreed || claims[i].name == view->view;
    }
    return found;
}

/* Record what one reporter says about a view that it is in. */
static int record_view(struct service_rebuild *rebuild, const struct service_node *reporter,
                       const struct mcast_sm_report *report, const struct mcast_sm_view *view) {
    if (!mcast_sort_has_u32(view->members, view->member_count, reporter->name)) {
        return MCAST_OK; /* it only sends there */
    }
    int code = mcast_service_report_gather(rebuild, report, view->view);
    if (code != MCAST_OK) {
        return code;
    }
    bool disagreed = false;
    struct service_claim *claim = find_claim(rebuild, view, &disagreed);
    if (claim != NULL) {
        claim->votes++;
        return MCAST_OK;
    }
    code = begin_claim(rebuild, view, report->epoch);
    if (code == MCAST_OK) {
        struct service_claim *claims = rebuild->claims.items;
        claims[rebuild->claims.count - 1].disagreed = disagreed;
    }
    return code;
}

static bool lists(const struct mcast_sm_view *views, size_t count, mcast_view name) {
    for (size_t v = 0; v < count; v++) {
        if (views[v].view == name) {
            return true;
        }
    }
    return false;
}

/* A connected member that reports the view as prepared did not hear that it is in force; it
 * disagrees, like members that say something else. A member that does not know the view, or has
 * closed it, knows better than those who believe in it. */
static void count_disagreement(struct service_rebuild *rebuild, struct service_claim *claim) {
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct service_node *reporter = mcast_service_reporter_at(rebuild, i);
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        bool named =
            reporter != NULL &&
            mcast_sort_has_u32(claim->word->members, claim->word->member_count, reporter->name);
        if (named && !lists(report->views, report->view_count, claim->name)) {
            bool missed = lists(report->prepared, report->prepared_count, claim->name);
            claim->disagreed = claim->disagreed || missed;
            claim->disputed = claim->disputed || !missed;
        }
    }
}

/* Where members disagree, the majority of the members of the view holds (rule 1.0.12). Of two
 * statements about one view only the one of the newest epoch may hold, since nobody can be removed
 * from a view that it was told to be in. Members that missed an epoch are sent it now. */
static void count_votes(struct service_rebuild *rebuild) {
    struct service_claim *claims = rebuild->claims.items;
    for (size_t i = 0; i < rebuild->claims.count; i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++) {
            first = first && claims[j].name != claims[i].name;
        }
        bool majority = 2 * claims[i].votes > claims[i].word->member_count;
        claims[i].disputed = claims[i].disputed || (claims[i].disagreed && !(first && majority));
        for (size_t j = 0; j < i && claims[i].disputed; j++) {
            claims[i].outvoted =
                claims[i].outvoted || (claims[j].name == claims[i].name && !claims[j].disputed);
        }
    }
}

/* Members that missed an epoch may still believe in a view that it closed. Those who know better
 * send its groups elsewhere. */
static bool is_outdated(const struct service_rebuild *rebuild, const struct service_claim *claim) {
    for (size_t i = 0; i < claim->group_count; i++) {
        const struct service_word *word = &rebuild->words[claim->groups[i]];
        if (word->class != NULL && word->epoch > claim->epoch &&
            !mcast_service_class_lists(word->class, claim->name)) {
            return true;
        }
    }
    return false;
}

int mcast_service_claims_make(struct service_rebuild *rebuild) {
    int code = MCAST_OK;
    for (size_t i = 0; i < mcast_service_reports_count(rebuild); i++) {
        const struct mcast_sm_report *report = mcast_service_report_at(rebuild, i);
        const struct service_node *reporter = mcast_service_reporter_at(rebuild, i);
        for (size_t v = 0; reporter != NULL && v < report->view_count && code == MCAST_OK; v++) {
            code = record_view(rebuild, reporter, report, &report->views[v]);
        }
    }
    struct service_claim *claims = rebuild->claims.items;
    for (size_t i = 0; i < rebuild->claims.count; i++) {
        count_disagreement(rebuild, &claims[i]);
        claims[i].disputed = claims[i].disputed || is_outdated(rebuild, &claims[i]);
    }
    count_votes(rebuild);
    return code;
}

/* True if all members named are known, none has a view of that hierarchy already, and the groups
 * are in no other hierarchy. */
static bool is_free(const struct service_rebuild *rebuild, const struct service_claim *claim) {
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

/* True if an attempt that ran out of memory had adopted the claim already. */
static bool is_adopted(const struct mcast_service *service, const struct service_claim *claim) {
    for (size_t i = 0; i < service->regions.count; i++) {
        if (service_region_at(service, i)->now->name == claim->name) {
            return true;
        }
    }
    return false;
}

static int adopt(struct service_rebuild *rebuild, struct service_claim *claim) {
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

/* Groups without an adopted view stay in the hierarchy they were in. */
static void keep_hierarchies(struct service_rebuild *rebuild, const struct service_claim *claim) {
    for (size_t i = 0; i < claim->group_count; i++) {
        struct service_group *group = service_group_at(rebuild->service, claim->groups[i]);
        if (group->now->count == 0) {
            group->hierarchy = claim->hierarchy;
            group->next_hierarchy = claim->hierarchy;
        }
    }
}

int mcast_service_claims_adopt(struct service_rebuild *rebuild) {
    struct service_claim *claims = rebuild->claims.items;
    int code = MCAST_OK;
    for (size_t i = 0; i < rebuild->claims.count && code == MCAST_OK; i++) {
        code = adopt(rebuild, &claims[i]);
    }
    for (size_t i = 0; i < rebuild->claims.count; i++) {
        keep_hierarchies(rebuild, &claims[i]);
    }
    return code;
}
