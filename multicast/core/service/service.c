#include "mcast/service.h"
#include "base/memory.h"
#include "base/mix.h"
#include "service/epoch/epoch.h"
#include "service/epoch/view_close.h"
#include "service/group.h"
#include "service/node.h"
#include "service/output.h"
#include "service/plan/plan.h"
#include "service/recv/recv.h"
#include "service/restart/gather.h"

#include "mcast/error.h"

enum {
    STRANGERS_MOST = 4096,
    LATE_PART = 4 /* a service may be late by this part of a heartbeat and still count as healthy */
};

void mcast_service_config_default(struct mcast_service_config *config) {
    *config = (struct mcast_service_config){
        .generation = 1,
        .heartbeat = MCAST_SECOND,
        .suspicion = 5 * MCAST_SECOND,
        .batch = 50 * MCAST_MILLISECOND,
        .ack_wait = 200 * MCAST_MILLISECOND,
        .ack_limit = 2 * MCAST_SECOND,
        .address_rest = 60 * MCAST_SECOND,
        .smallest_region = 0,
        .hybrid_regions = 0,
        .first_address = {.ip = {[10] = 0xff, [11] = 0xff, [12] = 239, [13] = 255},
                          .port = {7601, 7602, 7603}},
        .address_count = 65536,
        .seed = 1,
    };
}

static bool is_sound(const struct mcast_service_config *config) {
    return config->generation >= 1 && config->generation < 1u << 24 && config->heartbeat > 0 &&
           config->suspicion > config->heartbeat && config->ack_limit >= config->ack_wait &&
           config->address_count >= 1 && config->hybrid_regions != 1;
}

/* Call the allocator of the owner and count the bytes. */
static void *resize_counted(void *context, void *block, size_t old, size_t size) {
    struct mcast_service *service = context;
    void *answer = service->outer->resize(service->outer->context, block, old, size);
    if (answer != NULL || size == 0) {
        service->stats.memory_bytes += size - old;
    }
    return answer;
}

static void init_maps(struct mcast_service *service) {
    const struct mcast_alloc *alloc = service->alloc;
    uint64_t seed = mcast_mix64(service->config.seed);
    mcast_id_map_init(&service->node_by_id, alloc, seed);
    mcast_map_init(&service->node_by_name, alloc, seed + 1);
    mcast_map_init(&service->node_by_connection, alloc, seed + 2);
    mcast_map_init(&service->strangers, alloc, seed + 3);
    mcast_id_map_init(&service->group_by_id, alloc, seed + 4);
    mcast_map_init(&service->group_by_name, alloc, seed + 5);
    mcast_map_init(&service->classes, alloc, seed + 6);
    mcast_map_init(&service->buried, alloc, seed + 8);
    mcast_map_init(&service->plan->by_key, alloc, seed + 7);
}

int mcast_service_new(const struct mcast_service_config *config, const struct mcast_alloc *alloc,
                      struct mcast_service **service) {
    if (!is_sound(config)) {
        return MCAST_ECONFIG;
    }
    struct mcast_service *made = mcast_memory_new(alloc, 1, sizeof *made);
    struct service_plan *plan = mcast_memory_new(alloc, 1, sizeof *plan);
    if (made == NULL || plan == NULL) {
        mcast_memory_free(alloc, made, 1, sizeof *made);
        mcast_memory_free(alloc, plan, 1, sizeof *plan);
        return MCAST_ENOMEM;
    }
    made->outer = alloc;
    made->counting = (struct mcast_alloc){.context = made, .resize = resize_counted};
    made->alloc = &made->counting;
    made->config = *config;
    made->generation = config->generation;
    made->plan = plan;
    made->hierarchies = 1;
    made->stats.memory_bytes = sizeof *made + sizeof *plan;
    made->strangers_due = MCAST_NEVER;
    init_maps(made);
    mcast_heap_init(&made->timers, made->alloc);
    mcast_address_pool_init(&made->addresses, made->alloc, config->first_address,
                            config->address_count, config->address_rest);
    *service = made;
    return MCAST_OK;
}

static void free_regions(struct mcast_service *service) {
    for (size_t i = 0; i < service->closing.count; i++) {
        struct service_view *view = service_closing_at(service, i);
        struct service_region *region = view->region;
        mcast_service_view_free(service, view);
        if (--region->closing == 0 && region->now == NULL) {
            mcast_memory_free(service->alloc, region, 1, sizeof *region);
        }
    }
    for (size_t i = 0; i < service->regions.count; i++) {
        struct service_region *region = service_region_at(service, i);
        mcast_service_view_free(service, region->now);
        mcast_memory_free(service->alloc, region, 1, sizeof *region);
    }
    mcast_vector_free(&service->closing, service->alloc, sizeof(struct service_view *));
    mcast_vector_free(&service->regions, service->alloc, sizeof(struct service_region *));
}

void mcast_service_free(struct mcast_service *service) {
    if (service == NULL) {
        return;
    }
    mcast_service_epoch_give_up(service);
    mcast_service_plan_free(service);
    mcast_service_recover_free(service);
    free_regions(service);
    mcast_service_nodes_free(service);
    mcast_service_groups_free(service);
    mcast_map_free(&service->strangers);
    mcast_heap_free(&service->timers);
    mcast_address_pool_free(&service->addresses);
    mcast_service_out_free(service);
    mcast_memory_free(service->outer, service, 1, sizeof *service);
}

static void dispatch(struct mcast_service *service, struct service_node *node,
                     struct mcast_service_message *message) {
    mcast_service_node_heard(service, node);
    switch (message->kind) {
    case MCAST_SM_REPORT:
        mcast_service_recv_report(service, node, message);
        break;
    case MCAST_SM_CHANGE:
        mcast_service_recv_change(service, node, message);
        break;
    case MCAST_SM_PREPARED:
        mcast_service_epoch_prepared(service, node, message->as.prepared.epoch);
        break;
    case MCAST_SM_CLOSED:
        mcast_service_close_answer(service, node, message);
        break;
    case MCAST_SM_VIEW_ENDED:
        mcast_service_close_ended(service, node, message->as.view_ended.view);
        break;
    case MCAST_SM_HEARTBEAT: {
        struct mcast_service_message answer = {.kind = MCAST_SM_HEARTBEAT};
        answer.as.heartbeat.epoch = service->epoch;
        mcast_service_out_send(service, node->connection, &answer);
        break;
    }
    case MCAST_SM_SUSPECT:
        mcast_service_recv_suspect(service, node, message);
        break;
    case MCAST_SM_SLOW:
        mcast_service_recv_slow(service, node, message);
        break;
    case MCAST_SM_MEMBERS_QUERY:
        mcast_service_recv_members_query(service, node, message);
        break;
    case MCAST_SM_BYE:
        mcast_service_recv_bye(service, node);
        break;
    default:
        service->stats.malformed++;
        break;
    }
}

/* The first message of a connection must be a HELLO; a later one must not. */
static int receive(struct mcast_service *service, const struct mcast_service_event *event) {
    struct service_node *node = mcast_service_node_connected(service, event->connection);
    bool stranger = mcast_map_get(&service->strangers, event->connection) != MCAST_MAP_NONE;
    if (node == NULL && !stranger) {
        return MCAST_OK; /* of a connection that was closed here */
    }
    struct mcast_service_message message;
    int code = mcast_service_message_decode(event->bytes, event->length, service->alloc, &message);
    if (code != MCAST_OK || stranger != (message.kind == MCAST_SM_HELLO)) {
        service->stats.malformed += code == MCAST_ENOMEM ? 0 : 1;
        mcast_service_refuse(service, event->connection,
                             code == MCAST_ENOMEM ? MCAST_ENOMEM : MCAST_EMALFORMED);
        if (node != NULL) {
            mcast_service_node_disconnect(service, node);
        }
    } else if (stranger) {
        mcast_service_recv_hello(service, event->connection, &message);
    } else {
        dispatch(service, node, &message);
    }
    mcast_service_message_free(service->alloc, &message);
    return code == MCAST_ENOMEM ? code : MCAST_OK;
}

static int connect(struct mcast_service *service, uint64_t connection) {
    if (service->strangers.count >= STRANGERS_MOST) {
        mcast_service_refuse(service, connection, MCAST_EFULL);
        return MCAST_OK;
    }
    int code = mcast_map_put(&service->strangers, connection, service->now);
    if (code != MCAST_OK) {
        mcast_service_refuse(service, connection, code);
        return code;
    }
    mcast_time due = service->now + service->config.suspicion;
    service->strangers_due = due < service->strangers_due ? due : service->strangers_due;
    return MCAST_OK;
}

static void disconnect(struct mcast_service *service, uint64_t connection) {
    struct service_node *node = mcast_service_node_connected(service, connection);
    (void)mcast_map_take(&service->strangers, connection);
    mcast_service_recover_disconnect(service, connection);
    if (node == NULL) {
        return;
    }
    mcast_service_node_disconnect(service, node);
    if (node->leaving || !mcast_service_node_is_placed(node)) {
        /* Nobody waits for its messages; it leaves at once, and starts anew if it comes back. */
        mcast_service_node_kill(service, node, MCAST_EEVICTED);
    }
}

static int handle(struct mcast_service *service, const struct mcast_service_event *event) {
    switch (event->kind) {
    case MCAST_SERVICE_CONNECTED:
        return connect(service, event->connection);
    case MCAST_SERVICE_DISCONNECTED:
        disconnect(service, event->connection);
        return MCAST_OK;
    case MCAST_SERVICE_MESSAGE:
        return receive(service, event);
    }
    return MCAST_OK;
}

/* A service that was stopped or starved finds its input unread and everybody silent: it reads for
 * two heartbeats before it judges any node. */
static void note_standstill(struct mcast_service *service, mcast_time now) {
    mcast_time due = mcast_heap_deadline(&service->timers);
    if (due != MCAST_NEVER && now > due + service->config.heartbeat / LATE_PART) {
        service->awake_since = now;
    }
}

/* The time before which no node is removed: a while after a start or a standstill. */
static mcast_time judges_from(const struct mcast_service *service) {
    mcast_time awake = service->awake_since + 2 * service->config.heartbeat;
    bool stood = service->awake_since != 0;
    return stood && awake > service->quiet_until ? awake : service->quiet_until;
}

/* Act on nodes that were silent, or owed an answer, for too long. */
static void run_timers(struct mcast_service *service) {
    struct mcast_timer *timer;
    mcast_time from = judges_from(service);
    while ((timer = mcast_heap_take_due(&service->timers, service->now)) != NULL) {
        struct service_node *node = ((struct service_timer *)(void *)timer)->node;
        if (service->now < from) {
            (void)mcast_heap_set(&service->timers, timer, from);
        } else {
            mcast_service_node_kill(service, node, MCAST_EEVICTED);
        }
    }
}

/* Close connections that sent nothing for as long as a member may be silent. */
static void expel_strangers(struct mcast_service *service) {
    if (service->now < service->strangers_due) {
        return;
    }
    struct mcast_map_slot slot;
    uint64_t late = MCAST_MAP_NONE;
    service->strangers_due = MCAST_NEVER;
    for (size_t cursor = 0; mcast_map_next(&service->strangers, &cursor, &slot);) {
        mcast_time due = slot.value + service->config.suspicion;
        if (due <= service->now) {
            late = slot.key;
            service->strangers_due = service->now; /* one for each step: the map must not change
                                                    * during the walk */
        } else if (due < service->strangers_due) {
            service->strangers_due = due;
        }
    }
    if (late != MCAST_MAP_NONE) {
        mcast_service_refuse(service, late, MCAST_EREFUSED);
    }
}

int mcast_service_step(struct mcast_service *service, const struct mcast_service_event *events,
                       size_t count, mcast_time now, struct mcast_service_output *output) {
    int code = MCAST_OK;
    note_standstill(service, now);
    service->now = now;
    mcast_service_out_begin(service);
    if (!service->began) {
        service->began = true;
        mcast_service_recover_begin(service);
    }
    int recovered = mcast_service_recover_advance(service);
    for (size_t i = 0; i < count; i++) {
        int handled = handle(service, &events[i]);
        code = handled != MCAST_OK ? handled : code;
    }
    run_timers(service);
    expel_strangers(service);
    recovered = recovered == MCAST_OK ? mcast_service_recover_advance(service) : recovered;
    int advanced = mcast_service_epoch_advance(service);
    mcast_service_close_sweep(service);
    mcast_service_epoch_forget(service);
    mcast_service_out_show(service, output);
    code = recovered != MCAST_OK ? recovered : code;
    return advanced != MCAST_OK ? advanced : code;
}

mcast_time mcast_service_next_deadline(const struct mcast_service *service) {
    mcast_time deadlines[] = {
        mcast_heap_deadline(&service->timers),
        service->strangers_due,
        mcast_service_epoch_deadline(service),
        mcast_service_recover_deadline(service),
    };
    mcast_time earliest = MCAST_NEVER;
    for (size_t i = 0; i < sizeof deadlines / sizeof deadlines[0]; i++) {
        earliest = deadlines[i] < earliest ? deadlines[i] : earliest;
    }
    return earliest < service->now ? service->now : earliest;
}

uint32_t mcast_service_generation(const struct mcast_service *service) {
    return service->generation;
}

void mcast_service_stats(const struct mcast_service *service, struct mcast_service_stats *stats) {
    *stats = service->stats;
    stats->members = service->node_by_name.count;
    stats->groups = service->group_by_id.count;
    stats->regions = service->regions.count;
    stats->classes = service->class_count;
    bool used[SERVICE_HIERARCHIES] = {false};
    for (size_t i = 0; i < service->regions.count; i++) {
        used[service_region_at(service, i)->hierarchy] = true;
    }
    for (size_t i = 0; i < SERVICE_HIERARCHIES; i++) {
        stats->hierarchies += used[i] ? 1 : 0;
    }
}
