#include "service/update/update.h"
#include "base/memory.h"
#include "base/sort.h"
#include "service/output.h"
#include "service/update/draft.h"

#include "mcast/error.h"

static void begin_draft(struct service_draft *draft) {
    draft->chosen.count = 0;
    draft->nodes.count = 0;
    draft->views.count = 0;
    draft->classes.count = 0;
    draft->names.count = 0;
    draft->runs.count = 0;
    draft->closing.count = 0;
    draft->dying.count = 0;
    draft->hybrids.count = 0;
    mcast_service_delta_free(draft->service, &draft->sending);
    draft->stamp = ++draft->service->stamp;
}

static size_t unique_names(mcast_node *names, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || names[kept - 1] != names[i]) {
            names[kept++] = names[i];
        }
    }
    return kept;
}

static void send(struct service_draft *draft, struct service_node *node) {
    struct mcast_service *service = draft->service;
    struct mcast_service_message message = {.kind = MCAST_SM_PREPARE};
    message.as.prepare.epoch = service->plan->epoch;
    struct mcast_sm_update *update = &message.as.prepare.update;
    *update = (struct mcast_sm_update){
        .nodes = draft->nodes.items,
        .node_count = draft->nodes.count,
        .views = draft->views.items,
        .view_count = draft->views.count,
        .classes = draft->classes.items,
        .class_count = draft->classes.count,
        .runs = draft->runs.items,
        .run_count = draft->runs.count,
        .closing = draft->closing.items,
        .closing_count = draft->closing.count,
        .dead = draft->dying.items,
        .dead_count = unique_names(draft->dying.items, draft->dying.count),
        .hybrids = draft->hybrids.items,
        .hybrid_count = draft->hybrids.count,
    };
    node->told = true;
    node->prepare_time = service->now;
    mcast_service_out_send(service, node->connection, &message);
}

static bool is_worth_telling(const struct service_draft *draft, const struct service_node *node) {
    return node->resync || draft->nodes.count > 0 || draft->views.count > 0 ||
           draft->classes.count > 0 || draft->runs.count > 0 || draft->closing.count > 0 ||
           draft->dying.count > 0;
}

static int tell(struct service_draft *draft, struct service_node *node) {
    begin_draft(draft);
    int code = mcast_service_draft_choose(draft, node);
    mcast_service_draft_had(draft, node);
    code = code == MCAST_OK ? mcast_service_draft_views(draft, node) : code;
    code = code == MCAST_OK ? mcast_service_draft_classes(draft) : code;
    code = code == MCAST_OK ? mcast_service_draft_groups(draft, node) : code;
    code = code == MCAST_OK ? mcast_service_draft_closing(draft, node) : code;
    code = code == MCAST_OK ? mcast_service_draft_nodes(draft, node) : code;
    code = code == MCAST_OK ? mcast_service_draft_dead(draft, node) : code;
    code = code == MCAST_OK ? mcast_service_draft_hybrids(draft, node) : code;
    if (code != MCAST_OK || !is_worth_telling(draft, node)) {
        return code;
    }
    code = mcast_service_draft_lost(draft, node);
    if (code == MCAST_OK) {
        send(draft, node);
    }
    return code;
}

/* A node that gets a new view, more groups in a view, or a new address to listen at must have it
 * before anybody sends there. */
static bool must_answer(const struct service_node *node) {
    bool changes = node->resync || node->hears;
    for (size_t h = 0; h < SERVICE_HIERARCHIES; h++) {
        changes = changes || (node->next[h] != NULL && node->next[h] != node->now[h]);
    }
    return changes;
}

static void draft_free(struct service_draft *draft) {
    struct mcast_service *service = draft->service;
    const struct mcast_alloc *alloc = service->alloc;
    for (size_t i = 0; i < draft->deltas.count; i++) {
        struct service_delta *delta = ((struct service_delta **)draft->deltas.items)[i];
        mcast_service_delta_free(service, delta);
        mcast_memory_free(alloc, delta, 1, sizeof *delta);
    }
    mcast_service_delta_free(service, &draft->sending);
    mcast_map_free(&draft->by_way);
    mcast_bits_free(&draft->dead, alloc);
    mcast_vector_free(&draft->deltas, alloc, sizeof(struct service_delta *));
    mcast_vector_free(&draft->chosen, alloc, sizeof(struct service_delta *));
    mcast_vector_free(&draft->nodes, alloc, sizeof(struct mcast_sm_node));
    mcast_vector_free(&draft->views, alloc, sizeof(struct mcast_sm_view));
    mcast_vector_free(&draft->classes, alloc, sizeof(struct mcast_sm_class));
    mcast_vector_free(&draft->names, alloc, sizeof(mcast_view));
    mcast_vector_free(&draft->runs, alloc, sizeof(struct mcast_sm_group_run));
    mcast_vector_free(&draft->closing, alloc, sizeof(mcast_view));
    mcast_vector_free(&draft->dying, alloc, sizeof(mcast_node));
    mcast_vector_free(&draft->hybrids, alloc, sizeof(struct mcast_sm_hybrid));
    mcast_vector_free(&draft->named, alloc, sizeof(uint64_t));
}

static int tell_all(struct service_draft *draft, size_t *told) {
    struct mcast_service *service = draft->service;
    int code = MCAST_OK;
    for (size_t i = 0; i < service->nodes.count && code == MCAST_OK; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->dead) {
            code = mcast_bits_add(&draft->dead, service->alloc, i);
            service_node_at(service, i)->death_drafted = true;
        }
    }
    for (size_t i = 0; i < service->nodes.count && code == MCAST_OK; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node == NULL) {
            continue;
        }
        node->told = false;
        node->hears = false;
        if (node->connection != 0 && !node->dead && !node->awaited) {
            code = tell(draft, node);
        }
        node->answers = node->told && must_answer(node);
        *told += node->told ? 1 : 0;
    }
    return code;
}

int mcast_service_update_send(struct mcast_service *service, size_t *told) {
    struct service_draft draft = {.service = service};
    mcast_map_init(&draft.by_way, service->alloc, service->config.seed);
    *told = 0;
    int code = tell_all(&draft, told);
    draft_free(&draft);
    return code;
}
