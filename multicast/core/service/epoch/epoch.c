#include "service/epoch/epoch.h"
#include "service/epoch/answer.h"
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

/* Forgets the dead that no view holds any more, and those who left and have nothing to finish. */
static void forget_gone(struct mcast_service *service) {
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

/* Takes note that @node was told of the deaths. Who died since the proposal was drawn is told of by
 * the next one. */
static void forget_dead(struct mcast_service *service, struct service_node *node) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        if (is_drafted_dead(service_node_at(service, i))) {
            mcast_bits_remove(&node->known, i);
        }
    }
}

/* Takes note that @node knows what its PREPARE told it; @deaths says whether any were told. */
static void learn(struct mcast_service *service, struct service_node *node, bool deaths) {
    /* Without memory to remember it, all is told again with the next epoch. */
    if (mcast_bits_add_all(&node->known, service->alloc, &node->fresh) != MCAST_OK) {
        node->resync = true;
        return;
    }
    if (deaths) {
        forget_dead(service, node);
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
        service); /* before COMMIT: no group is in force under a name not yet told */
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
        learn(service, node, deaths);
        node->told = false;
        node->answers = false;
    }
    service->phase = SERVICE_IDLE;
    service->dirty = service->dirty || service->settling;
    service->settling = false;
    service->stats.epochs++;
    service->dirty = service->dirty || mcast_service_split_is_due(service);
    mcast_service_plan_clear(service);
    forget_gone(service);
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

/* Whoever keeps a change from being made has to answer within the limit. */
static void press(struct mcast_service *service, struct service_node *node) {
    if (!mcast_timer_is_set(&node->answer.timer)) {
        (void)mcast_heap_set(&service->timers, &node->answer.timer,
                             service->now + service->config.ack_limit);
    }
}

static void press_silent(struct mcast_service *service) {
    for (size_t i = 0; i < service->nodes.count; i++) {
        struct service_node *node = service_node_at(service, i);
        if (node != NULL && !node->dead && (node->told || node->lagging || !node->connection)) {
            press(service, node);
        }
    }
}

/* How long to wait for all: those who are known to answer slowly get twice the time they took. */
static mcast_time patience(const struct mcast_service *service) {
    mcast_time longest = service->config.ack_wait;
    for (size_t i = 0; i < service->nodes.count; i++) {
        const struct service_node *node = service_node_at(service, i);
        if (node != NULL && node->answers && 2 * node->lag > longest) {
            longest = 2 * node->lag;
        }
    }
    return longest < service->config.ack_limit ? longest : service->config.ack_limit;
}

/* Refuses those who wait for an address when none will come: all are in use by regions. */
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

/* Grants requests that change nothing at all, such as joining what one is in. */
static void grant_trivial(struct mcast_service *service) {
    mcast_service_answer_epoch(service);
    mcast_service_plan_abort(service);
    service->dirty = service->dirty || service->settling; /* there was nobody to be told */
    service->settling = false;
    forget_gone(service);
}

void mcast_service_epoch_forget(struct mcast_service *service) {
    if (service->phase == SERVICE_IDLE) {
        forget_gone(service);
    }
}

static int propose(struct mcast_service *service) {
    size_t told = 0;
    service->dirty = false;
    service->not_before = service->now + service->config.batch;
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
        service->patience = patience(service);
    } else {
        grant_trivial(service);
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

/* Whether all who were told have answered; with @must_only, all who get a new view. */
static bool answered(const struct mcast_service *service, bool must_only) {
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

/* A proposal stands on those that were told: when one of them dies or is cut off it is made anew.
 */
static bool is_broken(const struct mcast_service *service) {
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
    if (answered(service, false)) {
        commit(service);
    } else if (is_broken(service)) {
        mcast_service_epoch_give_up(service);
    } else if (service->now >= service->started + service->patience) {
        if (answered(service, true)) {
            commit(service);
        } else {
            blame(service);
            mcast_service_epoch_give_up(service);
        }
    }
}

/* When those who were held back are tried again, whatever was in their way. */
static mcast_time retry_time(const struct mcast_service *service) {
    return service->not_before + service->config.ack_wait;
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
    if (service->phase == SERVICE_IDLE && service->dirty && service->now >= service->not_before) {
        int code = propose(service);
        if (code != MCAST_OK) {
            return code;
        }
        if (service->phase == SERVICE_PREPARING) {
            pursue(service); /* nobody may have to answer */
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
        return service->not_before;
    }
    if (service->held) {
        return retry_time(service);
    }
    return service->wants_address ? mcast_address_pool_deadline(&service->addresses) : MCAST_NEVER;
}
