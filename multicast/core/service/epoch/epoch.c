#include "service/epoch/epoch.h"
#include "service/epoch/answer.h"
#include "service/epoch/change_batch.h"
#include "service/epoch/view_close.h"
#include "service/node.h"
#include "service/output.h"
#include "service/plan/hierarchy_split.h"
#include "service/plan/plan.h"
#include "service/update/update.h"

#include "mcast/error.h"

static void set_requests(struct mcast_service *service, enum service_request_state from,
                         enum service_request_state to) {
    const struct mcast_vector *asked = &service->plan->asked;
    for (size_t i = 0; i < asked->count; i++) {
        struct service_node *node = service_node_at(service, ((uint32_t *)asked->items)[i]);
        if (node != NULL && node->request_state == from) {
            node->request_state = to;
        }
    }
}

/* Forget dead nodes that no view names any more, and nodes that left and have nothing to finish. */
static void forget_departed(struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node == NULL || service_node_stays(node) || mcast_service_node_is_placed(node)) {
            continue;
        }
        if (node->dead && !node->death_drafted) {
            continue;
        }
        if (node->dead || node->connection == 0 || !mcast_service_close_concerns(service, node)) {
            mcast_service_node_forget(service, node);
        }
    }
}

static bool is_drafted_dead(const struct service_node *node) {
    return node != NULL && node->dead && node->death_drafted;
}

static bool has_drafted_dead(const struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        if (is_drafted_dead(service_node_at(service, i))) {
            return true;
        }
    }
    return false;
}

/* Record that @node knows of the deaths. A node that died after the proposal was made is reported
 * by the next one. */
static void record_known_deaths(struct mcast_service *service, struct service_node *node) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        if (is_drafted_dead(service_node_at(service, i))) {
            mcast_bits_remove(&node->known, i);
        }
    }
}

/* Record what @node knows from its PREPARE. @deaths is true if that reported deaths. */
static void record_known(struct mcast_service *service, struct service_node *node, bool deaths) {
    /* Without memory to record it, everything is sent again with the next epoch. */
    if (mcast_bits_add_all(&node->known, service->alloc, &node->fresh) != MCAST_OK) {
        node->resync = true;
        return;
    }
    if (deaths) {
        record_known_deaths(service, node);
    }
    node->lost.count = 0;
    if (node->resync) {
        node->resync = false;
        node->gone.count = 0;
        mcast_service_close_resume(service, node);
    }
}

static void commit(struct mcast_service *service) {
    bool deaths = has_drafted_dead(service);
    mcast_service_plan_commit(service);
    mcast_service_answer_epoch(
        service); /* before COMMIT: no group is in force under a name that the member does not know
                   */
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node == NULL || !node->told) {
            continue;
        }
        struct mcast_service_message message = {.kind = MCAST_SM_COMMIT};
        message.as.commit.epoch = service->epoch;
        node->committed = service->epoch;
        if (node->connection != 0) {
            mcast_service_out_send(service, node->connection, &message);
        }
        record_known(service, node, deaths);
        node->told = false;
        node->answers = false;
    }
    service->phase = SERVICE_IDLE;
    service->dirty = service->dirty || service->settling;
    service->settling = false;
    service->stats.epochs++;
    service->dirty = service->dirty || mcast_service_split_is_due(service);
    mcast_service_plan_clear(service);
    forget_departed(service);
}

void mcast_service_epoch_give_up(struct mcast_service *service) {
    if (service->phase != SERVICE_PREPARING) {
        return;
    }
    set_requests(service, REQUEST_PLANNED, REQUEST_OPEN);
    mcast_service_plan_abort(service);
    service->phase = SERVICE_IDLE;
    service->dirty = true;
}

/* A node that blocks a change has to answer within the limit. */
static void limit_answer_time(struct mcast_service *service, struct service_node *node) {
    if (!mcast_timer_is_set(&node->answer.timer)) {
        (void)mcast_heap_set(&service->timers, &node->answer.timer,
                             service->now + service->config.ack_limit);
    }
}

static void press_silent(struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && !node->dead && (node->told || node->lagging || !node->connection)) {
            limit_answer_time(service, node);
        }
    }
}

/* The time to wait for all answers: nodes known to be slow get twice the time they took last. */
static mcast_time answer_wait(const struct mcast_service *service) {
    mcast_time longest = service->config.ack_wait;
    for (size_t i = 0; i < service->nodes.count; i++) {
        const struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->answers && 2 * node->lag > longest) {
            longest = 2 * node->lag;
        }
    }
    return longest < service->config.ack_limit ? longest : service->config.ack_limit;
}

/* Refuse nodes that wait for an address when none will become free: all are in use by regions. */
static void refuse_starved(struct mcast_service *service) {
    bool hope = service->closing.count > 0 || service->plan->changed.count > 0 ||
                mcast_address_pool_deadline(&service->addresses) != MCAST_NEVER;
    if (!service->wants_address || hope) {
        return;
    }
    service->wants_address = false;
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node == NULL || !node->starved || node->request_state != REQUEST_OPEN) {
            continue;
        }
        for (size_t j = 0; j < node->item_count; j++) {
            node->items[j].code = MCAST_EFULL;
        }
        mcast_service_answer(service, node, node->items, node->item_count);
        mcast_service_node_end_request(service, node);
    }
}

static bool changes_anything(const struct mcast_service *service, size_t told) {
    return told > 0 || service->plan->placed.count > 0 || service->plan->touched.count > 0;
}

/* Grant requests that change nothing, such as joining a group that the node is in. */
static void grant_unchanged(struct mcast_service *service) {
    mcast_service_answer_epoch(service);
    mcast_service_plan_abort(service);
    service->dirty = service->dirty || service->settling; /* no node had to be told */
    service->settling = false;
    forget_departed(service);
}

void mcast_service_epoch_forget(struct mcast_service *service) {
    if (service->phase == SERVICE_IDLE) {
        forget_departed(service);
    }
}

static int propose(struct mcast_service *service) {
    size_t told = 0;
    mcast_service_change_batch_begin(service);
    int code = mcast_service_plan_make(service);
    if (code != MCAST_OK) {
        service->dirty = true;
        return code;
    }
    set_requests(service, REQUEST_OPEN, REQUEST_PLANNED);
    service->held = service->plan->held;
    service->wants_address = service->plan->waits_for_address;
    refuse_starved(service);
    code = mcast_service_update_send(service, &told);
    if (code != MCAST_OK || changes_anything(service, told)) {
        service->epoch_count++;
        service->phase = SERVICE_PREPARING;
        service->started = service->now;
        service->patience = answer_wait(service);
    } else {
        grant_unchanged(service);
    }
    if (code != MCAST_OK) {
        mcast_service_epoch_give_up(service);
        return code;
    }
    if (service->held || told > 0) {
        press_silent(service);
    }
    return MCAST_OK;
}

void mcast_service_epoch_prepared(struct mcast_service *service, struct service_node *node,
                                  mcast_epoch epoch) {
    mcast_epoch newest = MCAST_EPOCH(service->generation, service->epoch_count);
    if (epoch > newest || epoch <= node->prepared) {
        return;
    }
    node->prepared = epoch;
    mcast_heap_cancel(&service->timers, &node->answer.timer);
    node->lag = service->now - node->prepare_time;
    if (node->lagging) {
        node->lagging = false;
        service->dirty = true;
    }
}

/* True if all nodes that got the PREPARE have answered; with @must_only, all that get a new view.
 */
static bool all_answered(const struct mcast_service *service, bool must_only) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        const struct service_node *node = service_node_at(service, i);
        if (node == NULL || !node->told || node->prepared >= service->plan->epoch) {
            continue;
        }
        if (node->answers || (!must_only && node->connection != 0)) {
            return false;
        }
    }
    return true;
}

static void blame(struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->answers && node->prepared < service->plan->epoch) {
            node->lagging = true;
        }
    }
}

/* A proposal depends on the nodes that got it: when one dies or is disconnected, make a new one. */
static bool must_be_remade(const struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        const struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->answers && node->prepared < service->plan->epoch &&
            (node->dead || node->connection == 0)) {
            return true;
        }
    }
    return false;
}

static void pursue(struct mcast_service *service) {
    if (all_answered(service, false)) {
        commit(service);
    } else if (must_be_remade(service)) {
        mcast_service_epoch_give_up(service);
    } else if (service->now >= service->started + service->patience) {
        if (all_answered(service, true)) {
            commit(service);
        } else {
            blame(service);
            mcast_service_epoch_give_up(service);
        }
    }
}

/* The time when held nodes are tried again, whatever blocked them. */
static mcast_time retry_time(const struct mcast_service *service) {
    return mcast_service_change_batch_end(service) + service->config.ack_wait;
}

int mcast_service_epoch_advance(struct mcast_service *service) {
    if (service->held && service->phase == SERVICE_IDLE && service->now >= retry_time(service)) {
        service->dirty = true;
    }
    if (service->wants_address && service->phase == SERVICE_IDLE &&
        mcast_address_pool_free_count(&service->addresses, service->now) > 0) {
        service->dirty = true;
    }
    if (service->phase == SERVICE_PREPARING) {
        pursue(service);
    }
    if (service->phase == SERVICE_IDLE && mcast_service_change_batch_is_due(service)) {
        int code = propose(service);
        if (code != MCAST_OK) {
            return code;
        }
        if (service->phase == SERVICE_PREPARING) {
            pursue(service); /* perhaps no node has to answer */
        }
    }
    return MCAST_OK;
}

mcast_time mcast_service_epoch_deadline(const struct mcast_service *service) {
    if (service->phase == SERVICE_PREPARING) {
        return service->started + service->patience;
    }
    if (service->phase != SERVICE_IDLE) {
        return MCAST_NEVER;
    }
    if (service->dirty) {
        return mcast_service_change_batch_end(service);
    }
    if (service->held) {
        return retry_time(service);
    }
    return service->wants_address ? mcast_address_pool_deadline(&service->addresses) : MCAST_NEVER;
}
