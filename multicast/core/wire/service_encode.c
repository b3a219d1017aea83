#include "base/memory.h"
#include "wire/codec.h"
#include "wire/service.h"
#include "wire/service_message.h"

#include "mcast/error.h"

#include <assert.h>

enum { FIRST_ROOM = 256 };

static void put_id(struct mcast_writer *out, struct mcast_id id) {
    mcast_write_u64(out, id.high);
    mcast_write_u64(out, id.low);
}

static void put_address(struct mcast_writer *out, const struct mcast_address *address) {
    mcast_write_bytes(out, address->ip, sizeof address->ip);
    for (unsigned i = 0; i < MCAST_SOCKETS; i++) {
        mcast_write_u16(out, address->port[i]);
    }
}

static void put_node(struct mcast_writer *out, const struct mcast_sm_node *node) {
    mcast_write_varint(out, node->node);
    put_id(out, node->id);
    mcast_write_varint(out, node->incarnation);
    put_address(out, &node->address);
}

static void put_nodes(struct mcast_writer *out, const struct mcast_sm_node *nodes, size_t count) {
    mcast_write_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        put_node(out, &nodes[i]);
    }
}

/* Write ascending numbers, each as its distance to the one before. */
static void put_ascending_nodes(struct mcast_writer *out, const mcast_node *nodes, size_t count) {
    mcast_node before = 0;
    mcast_write_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        assert(nodes[i] > before);
        mcast_write_varint(out, nodes[i] - before);
        before = nodes[i];
    }
}

static void put_ascending_views(struct mcast_writer *out, const mcast_view *views, size_t count) {
    mcast_view before = 0;
    mcast_write_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        assert(views[i] > before);
        mcast_write_varint(out, views[i] - before);
        before = views[i];
    }
}

static void put_views(struct mcast_writer *out, const struct mcast_sm_view *views, size_t count) {
    mcast_write_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        mcast_write_varint(out, views[i].view);
        mcast_write_varint(out, views[i].region);
        mcast_write_varint(out, views[i].hierarchy);
        put_address(out, &views[i].address);
        put_ascending_views(out, views[i].parents, views[i].parent_count);
        assert(views[i].base < views[i].view && (views[i].base != 0 || views[i].gone_count == 0));
        mcast_write_varint(out, views[i].base == 0 ? 0 : views[i].view - views[i].base);
        if (views[i].base != 0) {
            put_ascending_nodes(out, views[i].gone, views[i].gone_count);
        }
        put_ascending_nodes(out, views[i].members, views[i].member_count);
    }
}

static void put_classes(struct mcast_writer *out, const struct mcast_sm_class *classes,
                        size_t count) {
    mcast_write_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        mcast_write_varint(out, classes[i].class_number);
        put_ascending_views(out, classes[i].views, classes[i].view_count);
    }
}

static void put_runs(struct mcast_writer *out, const struct mcast_sm_group_run *runs,
                     size_t count) {
    uint64_t next = 0;
    mcast_epoch epoch = 0;
    mcast_write_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        mcast_write_delta(out, next, runs[i].first);
        mcast_write_varint(out, runs[i].count);
        mcast_write_varint(out, runs[i].class_number);
        mcast_write_delta(out, epoch, runs[i].view_number);
        next = (uint64_t)runs[i].first + runs[i].count;
        epoch = runs[i].view_number;
    }
}

static void put_hybrids(struct mcast_writer *out, const struct mcast_sm_hybrid *hybrids,
                        size_t count) {
    uint32_t before = 0;
    mcast_write_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        assert(hybrids[i].group > before);
        mcast_write_varint(out, hybrids[i].group - before);
        put_address(out, &hybrids[i].address);
        mcast_write_u8(out, hybrids[i].listens ? 1 : 0);
        before = hybrids[i].group;
    }
}

static void put_update(struct mcast_writer *out, const struct mcast_sm_update *update) {
    put_nodes(out, update->nodes, update->node_count);
    put_views(out, update->views, update->view_count);
    put_classes(out, update->classes, update->class_count);
    put_runs(out, update->runs, update->run_count);
    put_ascending_views(out, update->closing, update->closing_count);
    put_ascending_nodes(out, update->dead, update->dead_count);
    put_hybrids(out, update->hybrids, update->hybrid_count);
}

static void put_hello(struct mcast_writer *out, const struct mcast_service_message *message) {
    mcast_write_u8(out, message->as.hello.version);
    mcast_write_varint(out, message->as.hello.cluster);
    put_id(out, message->as.hello.id);
    mcast_write_varint(out, message->as.hello.incarnation);
    put_address(out, &message->as.hello.address);
    mcast_write_varint(out, message->as.hello.epoch);
    mcast_write_varint(out, message->as.hello.node);
}

static void put_report(struct mcast_writer *out, const struct mcast_sm_report *report) {
    mcast_write_varint(out, report->epoch);
    put_views(out, report->views, report->view_count);
    put_ascending_views(out, report->old_views, report->old_view_count);
    put_ascending_views(out, report->outbound, report->outbound_count);
    put_views(out, report->prepared, report->prepared_count);
    put_nodes(out, report->nodes, report->node_count);
    put_ascending_nodes(out, report->dead, report->dead_count);
    put_classes(out, report->classes, report->class_count);
    mcast_write_varint(out, report->group_count);
    for (size_t i = 0; i < report->group_count; i++) {
        put_id(out, report->groups[i].group);
        mcast_write_varint(out, report->groups[i].short_name);
        mcast_write_varint(out, report->groups[i].class_number);
        mcast_write_varint(out, report->groups[i].view_number);
        mcast_write_u8(out, report->groups[i].member ? 1 : 0);
    }
    put_hybrids(out, report->hybrids, report->hybrid_count);
}

static void put_change(struct mcast_writer *out, const struct mcast_service_message *message) {
    assert(message->as.change.count <= MCAST_SM_CHANGE_MOST);
    mcast_write_varint(out, message->as.change.request);
    mcast_write_varint(out, message->as.change.count);
    for (size_t i = 0; i < message->as.change.count; i++) {
        const struct mcast_sm_change_item *item = &message->as.change.items[i];
        put_id(out, item->group);
        mcast_write_varint(out, item->cookie);
        mcast_write_u8(out, item->op);
    }
}

static void put_closed(struct mcast_writer *out, const struct mcast_service_message *message) {
    mcast_write_varint(out, message->as.closed.epoch);
    mcast_write_varint(out, message->as.closed.count);
    for (size_t i = 0; i < message->as.closed.count; i++) {
        mcast_write_varint(out, message->as.closed.finals[i].view);
        mcast_write_varint(out, message->as.closed.finals[i].last);
    }
}

static void put_welcome(struct mcast_writer *out, const struct mcast_service_message *message) {
    mcast_write_varint(out, message->as.welcome.node);
    mcast_write_varint(out, message->as.welcome.epoch);
    mcast_write_varint(out, message->as.welcome.heartbeat);
    mcast_write_varint(out, message->as.welcome.suspicion);
    mcast_write_u8(out, message->as.welcome.report_wanted ? 1 : 0);
}

static void put_changed(struct mcast_writer *out, const struct mcast_service_message *message) {
    mcast_write_varint(out, message->as.changed.request);
    mcast_write_varint(out, message->as.changed.count);
    for (size_t i = 0; i < message->as.changed.count; i++) {
        const struct mcast_sm_changed_item *item = &message->as.changed.items[i];
        mcast_write_varint(out, item->cookie);
        mcast_write_varint(out, item->group);
        mcast_write_u32(out, (uint32_t)item->code);
    }
}

static void put_view_closed(struct mcast_writer *out, const struct mcast_service_message *message) {
    mcast_write_varint(out, message->as.view_closed.view);
    mcast_write_varint(out, message->as.view_closed.count);
    for (size_t i = 0; i < message->as.view_closed.count; i++) {
        mcast_write_varint(out, message->as.view_closed.finals[i].node);
        mcast_write_varint(out, message->as.view_closed.finals[i].last);
    }
    put_ascending_nodes(out, message->as.view_closed.dead, message->as.view_closed.dead_count);
}

static void put_members(struct mcast_writer *out, const struct mcast_service_message *message) {
    mcast_write_varint(out, message->as.members.cookie);
    mcast_write_varint(out, message->as.members.view_number);
    put_nodes(out, message->as.members.nodes, message->as.members.count);
}

/* Write a message of a member. Return false if @message is one of the service. */
static bool put_from_member(struct mcast_writer *out, const struct mcast_service_message *message) {
    switch (message->kind) {
    case MCAST_SM_HELLO:
        put_hello(out, message);
        return true;
    case MCAST_SM_REPORT:
        put_report(out, &message->as.report);
        return true;
    case MCAST_SM_CHANGE:
        put_change(out, message);
        return true;
    case MCAST_SM_PREPARED:
        mcast_write_varint(out, message->as.prepared.epoch);
        return true;
    case MCAST_SM_CLOSED:
        put_closed(out, message);
        return true;
    case MCAST_SM_VIEW_ENDED:
        mcast_write_varint(out, message->as.view_ended.view);
        return true;
    case MCAST_SM_SUSPECT:
        mcast_write_varint(out, message->as.suspect.node);
        mcast_write_varint(out, message->as.suspect.view);
        mcast_write_u8(out, message->as.suspect.full ? 1 : 0);
        return true;
    case MCAST_SM_SLOW:
        mcast_write_varint(out, message->as.slow.node);
        mcast_write_varint(out, message->as.slow.view);
        mcast_write_varint(out, message->as.slow.behind);
        return true;
    case MCAST_SM_MEMBERS_QUERY:
        mcast_write_varint(out, message->as.members_query.cookie);
        mcast_write_varint(out, message->as.members_query.group);
        return true;
    case MCAST_SM_BYE:
        return true;
    default:
        return false;
    }
}

static void put_from_service(struct mcast_writer *out,
                             const struct mcast_service_message *message) {
    switch (message->kind) {
    case MCAST_SM_HEARTBEAT:
        mcast_write_varint(out, message->as.heartbeat.epoch);
        break;
    case MCAST_SM_WELCOME:
        put_welcome(out, message);
        break;
    case MCAST_SM_REFUSED:
        mcast_write_u32(out, (uint32_t)message->as.refused.code);
        break;
    case MCAST_SM_PREPARE:
        mcast_write_varint(out, message->as.prepare.epoch);
        put_update(out, &message->as.prepare.update);
        break;
    case MCAST_SM_COMMIT:
        mcast_write_varint(out, message->as.commit.epoch);
        break;
    case MCAST_SM_CHANGED:
        put_changed(out, message);
        break;
    case MCAST_SM_VIEW_CLOSED:
        put_view_closed(out, message);
        break;
    case MCAST_SM_DEMOTE:
        mcast_write_varint(out, message->as.demote.view);
        mcast_write_varint(out, message->as.demote.node);
        mcast_write_u8(out, message->as.demote.demoted ? 1 : 0);
        break;
    case MCAST_SM_MEMBERS:
        put_members(out, message);
        break;
    default:
        assert(message->kind == MCAST_SM_EVICTED);
        mcast_write_varint(out, message->as.evicted.epoch);
        mcast_write_u32(out, (uint32_t)message->as.evicted.code);
        break;
    }
}

static void put_message(struct mcast_writer *out, const struct mcast_service_message *message) {
    mcast_write_u8(out, MCAST_SM_VERSION);
    mcast_write_u8(out, (uint8_t)message->kind);
    if (!put_from_member(out, message)) {
        put_from_service(out, message);
    }
}

int mcast_service_message_encode(const struct mcast_service_message *message,
                                 const struct mcast_alloc *alloc, uint8_t **bytes, size_t *length,
                                 size_t *room) {
    for (;;) {
        if (*bytes != NULL) {
            struct mcast_writer out = mcast_writer_over(*bytes + *length, *room - *length);
            put_message(&out, message);
            if (!out.failed) {
                *length += mcast_writer_count(&out);
                return MCAST_OK;
            }
        }
        size_t need = *bytes == NULL ? FIRST_ROOM : *room * 2;
        uint8_t *grown = mcast_memory_grow(alloc, *bytes, room, need, 1);
        if (grown == NULL) {
            return MCAST_ENOMEM;
        }
        *bytes = grown;
    }
}
