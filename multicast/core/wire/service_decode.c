#include "base/memory.h"
#include "wire/codec.h"
#include "wire/service.h"
#include "wire/service_message.h"

#include "mcast/error.h"

/* The fewest bytes that an entry of each list takes: bounds a count by the bytes that are present.
 */
enum {
    NUMBER_LEAST = 1,
    NODE_LEAST = 40,
    VIEW_LEAST = 28,
    CLASS_LEAST = 2,
    RUN_LEAST = 4,
    CHANGE_LEAST = 18,
    CHANGED_LEAST = 6,
    FINAL_LEAST = 2,
    GROUP_LEAST = 20,
    HYBRID_LEAST = 24
};

/* The state of reading one message: the bytes, the allocator for lists, and true if memory was the
 * reason of a failure. */
struct intake {
    struct mcast_reader in;
    const struct mcast_alloc *alloc;
    bool starved;
};

/* Allocate @count entries. Return NULL if there are none or the message is malformed. */
static void *list(struct intake *intake, size_t count, size_t size) {
    if (count == 0 || intake->in.failed) {
        return NULL;
    }
    void *entries = mcast_memory_new(intake->alloc, count, size);
    if (entries == NULL) {
        intake->starved = true;
        intake->in.failed = true;
    }
    return entries;
}

/* Read a count and allocate its list; the count stays 0 unless there is a list. */
static void *begin_list(struct intake *intake, size_t *count, size_t least, size_t size) {
    size_t wanted = mcast_read_count(&intake->in, least);
    void *entries = list(intake, wanted, size);
    *count = entries == NULL ? 0 : wanted;
    return entries;
}

static void refuse(struct intake *intake) {
    intake->in.failed = true;
}

static void demand(struct intake *intake, bool holds) {
    if (!holds) {
        refuse(intake);
    }
}

static struct mcast_id get_id(struct intake *intake) {
    struct mcast_id id;
    id.high = mcast_read_u64(&intake->in);
    id.low = mcast_read_u64(&intake->in);
    demand(intake, (id.high | id.low) != 0);
    return id;
}

static void get_address(struct intake *intake, struct mcast_address *address) {
    const uint8_t *ip = mcast_read_bytes(&intake->in, sizeof address->ip);
    for (size_t i = 0; ip != NULL && i < sizeof address->ip; i++) {
        address->ip[i] = ip[i];
    }
    for (unsigned i = 0; i < MCAST_SOCKETS; i++) {
        address->port[i] = mcast_read_u16(&intake->in);
    }
}

static uint32_t get_u32(struct intake *intake) {
    return (uint32_t)mcast_read_varint_most(&intake->in, UINT32_MAX);
}

/* Read a short name, which is never 0. */
static uint32_t get_name(struct intake *intake) {
    uint32_t name = get_u32(intake);
    demand(intake, name != 0);
    return name;
}

static uint64_t get_long_name(struct intake *intake) {
    uint64_t name = mcast_read_varint(&intake->in);
    demand(intake, name != 0);
    return name;
}

static bool get_bool(struct intake *intake) {
    uint8_t value = mcast_read_u8(&intake->in);
    demand(intake, value <= 1);
    return value == 1;
}

static int32_t get_code(struct intake *intake) {
    uint32_t bits = mcast_read_u32(&intake->in);
    return bits <= INT32_MAX ? (int32_t)bits : -(int32_t)(UINT32_MAX - bits) - 1;
}

static struct mcast_sm_node *get_nodes(struct intake *intake, size_t *count) {
    struct mcast_sm_node *nodes = begin_list(intake, count, NODE_LEAST, sizeof *nodes);
    for (size_t i = 0; i < *count; i++) {
        nodes[i].node = get_name(intake);
        nodes[i].id = get_id(intake);
        nodes[i].incarnation = get_long_name(intake);
        get_address(intake, &nodes[i].address);
    }
    return nodes;
}

static mcast_node *get_ascending_nodes(struct intake *intake, size_t *count) {
    mcast_node *nodes = begin_list(intake, count, NUMBER_LEAST, sizeof *nodes);
    uint64_t before = 0;
    for (size_t i = 0; i < *count; i++) {
        before += get_name(intake);
        demand(intake, before <= UINT32_MAX);
        nodes[i] = (mcast_node)before;
    }
    return nodes;
}

static mcast_view *get_ascending_views(struct intake *intake, size_t *count) {
    mcast_view *views = begin_list(intake, count, NUMBER_LEAST, sizeof *views);
    uint64_t before = 0;
    for (size_t i = 0; i < *count; i++) {
        uint64_t distance = get_long_name(intake);
        demand(intake, distance <= UINT64_MAX - before);
        before += distance;
        views[i] = before;
    }
    return views;
}

/* Read the older view that the member list of @view is a difference from, if it is not whole. */
static void get_base(struct intake *intake, struct mcast_sm_view *view) {
    uint64_t distance = mcast_read_varint(&intake->in);
    demand(intake, distance < view->view);
    if (distance != 0 && !intake->in.failed) {
        view->base = view->view - distance;
        view->gone = get_ascending_nodes(intake, &view->gone_count);
    }
}

static struct mcast_sm_view *get_views(struct intake *intake, size_t *count) {
    struct mcast_sm_view *views = begin_list(intake, count, VIEW_LEAST, sizeof *views);
    for (size_t i = 0; i < *count; i++) {
        views[i].view = get_long_name(intake);
        views[i].region = get_long_name(intake);
        views[i].hierarchy =
            (uint32_t)mcast_read_varint_most(&intake->in, MCAST_SM_HIERARCHIES_MOST - 1);
        get_address(intake, &views[i].address);
        views[i].parents = get_ascending_views(intake, &views[i].parent_count);
        get_base(intake, &views[i]);
        views[i].members = get_ascending_nodes(intake, &views[i].member_count);
    }
    return views;
}

/* The views of a report are whole: its reader has no older view to apply a difference to. */
static struct mcast_sm_view *get_whole_views(struct intake *intake, size_t *count) {
    struct mcast_sm_view *views = get_views(intake, count);
    for (size_t i = 0; i < *count; i++) {
        demand(intake, views[i].base == 0);
    }
    return views;
}

static struct mcast_sm_class *get_classes(struct intake *intake, size_t *count) {
    struct mcast_sm_class *classes = begin_list(intake, count, CLASS_LEAST, sizeof *classes);
    for (size_t i = 0; i < *count; i++) {
        classes[i].class_number = get_name(intake);
        classes[i].views = get_ascending_views(intake, &classes[i].view_count);
    }
    return classes;
}

static struct mcast_sm_group_run *get_runs(struct intake *intake, size_t *count) {
    struct mcast_sm_group_run *runs = begin_list(intake, count, RUN_LEAST, sizeof *runs);
    uint64_t next = 0;
    mcast_epoch epoch = 0;
    for (size_t i = 0; i < *count; i++) {
        uint64_t first = mcast_read_delta(&intake->in, next);
        demand(intake, first >= 1 && first <= UINT32_MAX);
        runs[i].first = (uint32_t)first;
        runs[i].count = get_name(intake);
        demand(intake, runs[i].count - 1 <= UINT32_MAX - runs[i].first);
        runs[i].class_number = get_u32(intake);
        runs[i].view_number = mcast_read_delta(&intake->in, epoch);
        next = first + runs[i].count;
        epoch = runs[i].view_number;
    }
    return runs;
}

static struct mcast_sm_hybrid *get_hybrids(struct intake *intake, size_t *count) {
    struct mcast_sm_hybrid *hybrids = begin_list(intake, count, HYBRID_LEAST, sizeof *hybrids);
    uint64_t before = 0;
    for (size_t i = 0; i < *count; i++) {
        before += get_name(intake);
        demand(intake, before <= UINT32_MAX);
        hybrids[i].group = (uint32_t)before;
        get_address(intake, &hybrids[i].address);
        hybrids[i].listens = get_bool(intake);
    }
    return hybrids;
}

static void get_update(struct intake *intake, struct mcast_sm_update *update) {
    update->nodes = get_nodes(intake, &update->node_count);
    update->views = get_views(intake, &update->view_count);
    update->classes = get_classes(intake, &update->class_count);
    update->runs = get_runs(intake, &update->run_count);
    update->closing = get_ascending_views(intake, &update->closing_count);
    update->dead = get_ascending_nodes(intake, &update->dead_count);
    update->hybrids = get_hybrids(intake, &update->hybrid_count);
}

static void get_hello(struct intake *intake, struct mcast_service_message *message) {
    message->as.hello.version = mcast_read_u8(&intake->in);
    message->as.hello.cluster = get_u32(intake);
    message->as.hello.id = get_id(intake);
    message->as.hello.incarnation = get_long_name(intake);
    get_address(intake, &message->as.hello.address);
    message->as.hello.epoch = mcast_read_varint(&intake->in);
    message->as.hello.node = get_u32(intake);
}

static void get_report(struct intake *intake, struct mcast_sm_report *report) {
    report->epoch = mcast_read_varint(&intake->in);
    report->views = get_whole_views(intake, &report->view_count);
    report->old_views = get_ascending_views(intake, &report->old_view_count);
    report->outbound = get_ascending_views(intake, &report->outbound_count);
    report->prepared = get_whole_views(intake, &report->prepared_count);
    report->nodes = get_nodes(intake, &report->node_count);
    report->dead = get_ascending_nodes(intake, &report->dead_count);
    report->classes = get_classes(intake, &report->class_count);
    report->groups = begin_list(intake, &report->group_count, GROUP_LEAST, sizeof *report->groups);
    for (size_t i = 0; i < report->group_count; i++) {
        report->groups[i].group = get_id(intake);
        report->groups[i].short_name = get_name(intake);
        report->groups[i].class_number = get_u32(intake);
        report->groups[i].view_number = mcast_read_varint(&intake->in);
        report->groups[i].member = get_bool(intake);
    }
    report->hybrids = get_hybrids(intake, &report->hybrid_count);
}

static void get_change(struct intake *intake, struct mcast_service_message *message) {
    message->as.change.request = get_long_name(intake);
    size_t *count = &message->as.change.count;
    struct mcast_sm_change_item *items = begin_list(intake, count, CHANGE_LEAST, sizeof *items);
    message->as.change.items = items;
    demand(intake, *count <= MCAST_SM_CHANGE_MOST);
    for (size_t i = 0; i < *count; i++) {
        items[i].group = get_id(intake);
        items[i].cookie = get_u32(intake);
        items[i].op = mcast_read_u8(&intake->in);
        demand(intake, items[i].op >= MCAST_SM_JOIN && items[i].op <= MCAST_SM_UNREGISTER_SENDER);
    }
}

static void get_closed(struct intake *intake, struct mcast_service_message *message) {
    message->as.closed.epoch = get_long_name(intake);
    size_t *count = &message->as.closed.count;
    struct mcast_sm_view_final *finals = begin_list(intake, count, FINAL_LEAST, sizeof *finals);
    message->as.closed.finals = finals;
    for (size_t i = 0; i < *count; i++) {
        finals[i].view = get_long_name(intake);
        finals[i].last = mcast_read_varint(&intake->in);
    }
}

static void get_welcome(struct intake *intake, struct mcast_service_message *message) {
    message->as.welcome.node = get_name(intake);
    message->as.welcome.epoch = get_long_name(intake);
    message->as.welcome.heartbeat = get_long_name(intake);
    message->as.welcome.suspicion = get_long_name(intake);
    message->as.welcome.report_wanted = get_bool(intake);
}

static void get_changed(struct intake *intake, struct mcast_service_message *message) {
    message->as.changed.request = get_long_name(intake);
    size_t *count = &message->as.changed.count;
    struct mcast_sm_changed_item *items = begin_list(intake, count, CHANGED_LEAST, sizeof *items);
    message->as.changed.items = items;
    for (size_t i = 0; i < *count; i++) {
        items[i].cookie = get_u32(intake);
        items[i].group = get_u32(intake);
        items[i].code = get_code(intake);
    }
}

static void get_view_closed(struct intake *intake, struct mcast_service_message *message) {
    message->as.view_closed.view = get_long_name(intake);
    size_t *count = &message->as.view_closed.count;
    struct mcast_sm_final *finals = begin_list(intake, count, FINAL_LEAST, sizeof *finals);
    message->as.view_closed.finals = finals;
    for (size_t i = 0; i < *count; i++) {
        finals[i].node = get_name(intake);
        finals[i].last = mcast_read_varint(&intake->in);
    }
    message->as.view_closed.dead = get_ascending_nodes(intake, &message->as.view_closed.dead_count);
}

static void get_members(struct intake *intake, struct mcast_service_message *message) {
    message->as.members.cookie = get_u32(intake);
    message->as.members.view_number = mcast_read_varint(&intake->in);
    message->as.members.nodes = get_nodes(intake, &message->as.members.count);
}

/* Read a message of a member. Return false if @message is one of the service. */
static bool get_from_member(struct intake *intake, struct mcast_service_message *message) {
    switch (message->kind) {
    case MCAST_SM_HELLO:
        get_hello(intake, message);
        return true;
    case MCAST_SM_REPORT:
        get_report(intake, &message->as.report);
        return true;
    case MCAST_SM_CHANGE:
        get_change(intake, message);
        return true;
    case MCAST_SM_PREPARED:
        message->as.prepared.epoch = get_long_name(intake);
        return true;
    case MCAST_SM_CLOSED:
        get_closed(intake, message);
        return true;
    case MCAST_SM_VIEW_ENDED:
        message->as.view_ended.view = get_long_name(intake);
        return true;
    case MCAST_SM_SUSPECT:
        message->as.suspect.node = get_name(intake);
        message->as.suspect.view = get_long_name(intake);
        message->as.suspect.full = get_bool(intake);
        return true;
    case MCAST_SM_SLOW:
        message->as.slow.node = get_name(intake);
        message->as.slow.view = get_long_name(intake);
        message->as.slow.behind = mcast_read_varint(&intake->in);
        return true;
    case MCAST_SM_MEMBERS_QUERY:
        message->as.members_query.cookie = get_u32(intake);
        message->as.members_query.group = get_name(intake);
        return true;
    case MCAST_SM_BYE:
        return true;
    default:
        return false;
    }
}

static void get_from_service(struct intake *intake, struct mcast_service_message *message) {
    switch (message->kind) {
    case MCAST_SM_HEARTBEAT:
        message->as.heartbeat.epoch = mcast_read_varint(&intake->in);
        break;
    case MCAST_SM_WELCOME:
        get_welcome(intake, message);
        break;
    case MCAST_SM_REFUSED:
        message->as.refused.code = get_code(intake);
        break;
    case MCAST_SM_PREPARE:
        message->as.prepare.epoch = get_long_name(intake);
        get_update(intake, &message->as.prepare.update);
        break;
    case MCAST_SM_COMMIT:
        message->as.commit.epoch = get_long_name(intake);
        break;
    case MCAST_SM_CHANGED:
        get_changed(intake, message);
        break;
    case MCAST_SM_VIEW_CLOSED:
        get_view_closed(intake, message);
        break;
    case MCAST_SM_DEMOTE:
        message->as.demote.view = get_long_name(intake);
        message->as.demote.node = get_name(intake);
        message->as.demote.demoted = get_bool(intake);
        break;
    case MCAST_SM_MEMBERS:
        get_members(intake, message);
        break;
    case MCAST_SM_EVICTED:
        message->as.evicted.epoch = mcast_read_varint(&intake->in);
        message->as.evicted.code = get_code(intake);
        break;
    default:
        refuse(intake);
        break;
    }
}

int mcast_service_message_decode(const uint8_t *bytes, size_t length,
                                 const struct mcast_alloc *alloc,
                                 struct mcast_service_message *message) {
    *message = (struct mcast_service_message){.kind = 0};
    if (length > MCAST_SM_BYTES_MOST) {
        return MCAST_EMALFORMED;
    }
    struct intake intake = {.in = mcast_reader_over(bytes, length), .alloc = alloc};
    demand(&intake, mcast_read_u8(&intake.in) == MCAST_SM_VERSION);
    message->kind = (enum mcast_service_message_kind)mcast_read_u8(&intake.in);
    if (!get_from_member(&intake, message)) {
        get_from_service(&intake, message);
    }
    if (mcast_reader_done(&intake.in)) {
        return MCAST_OK;
    }
    mcast_service_message_free(alloc, message);
    return intake.starved ? MCAST_ENOMEM : MCAST_EMALFORMED;
}
