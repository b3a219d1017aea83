/* Messages of every kind, drawn from a seed: for round trips and as the start of mutations. */
#ifndef SERVICE_SAMPLES_H
#define SERVICE_SAMPLES_H

#include "base/memory.h"
#include "counting_memory.h"
#include "wire/header.h"
#include "wire/service.h"
#include "wire/service_message.h"

static const enum mcast_service_message_kind sample_kinds[] = {
    MCAST_SM_HELLO,   MCAST_SM_REPORT,        MCAST_SM_CHANGE,    MCAST_SM_PREPARED,
    MCAST_SM_CLOSED,  MCAST_SM_VIEW_ENDED,    MCAST_SM_HEARTBEAT, MCAST_SM_SUSPECT,
    MCAST_SM_SLOW,    MCAST_SM_MEMBERS_QUERY, MCAST_SM_BYE,       MCAST_SM_WELCOME,
    MCAST_SM_REFUSED, MCAST_SM_PREPARE,       MCAST_SM_COMMIT,    MCAST_SM_CHANGED,
    MCAST_SM_DEMOTE,  MCAST_SM_VIEW_CLOSED,   MCAST_SM_MEMBERS,   MCAST_SM_EVICTED,
};
enum { SAMPLE_KINDS = sizeof sample_kinds / sizeof sample_kinds[0] };

struct sampler {
    uint64_t seed;
    const struct mcast_alloc *alloc;
};

/* Mostly small numbers, now and then one of any length. */
static inline uint64_t sample_number(struct sampler *from) {
    unsigned shift = test_random(&from->seed) % 4 == 0 ? test_random(&from->seed) % 64 : 57;
    return test_random(&from->seed) >> shift;
}

static inline uint64_t sample_name(struct sampler *from) {
    uint64_t number = sample_number(from);
    return number == 0 ? 1 : number;
}

static inline uint32_t sample_short(struct sampler *from) {
    return (uint32_t)(sample_number(from) >> 32) + (uint32_t)(test_random(&from->seed) % 90) + 1;
}

static inline struct mcast_id sample_id(struct sampler *from) {
    return (struct mcast_id){test_random(&from->seed), test_random(&from->seed) | 1};
}

static inline size_t sample_count(struct sampler *from) {
    return test_random(&from->seed) % 5;
}

static inline void *sample_list(struct sampler *from, size_t count, size_t size) {
    return mcast_memory_new(from->alloc, count, size);
}

static inline struct mcast_address sample_address(struct sampler *from) {
    struct mcast_address address;
    for (size_t i = 0; i < sizeof address.ip; i++) {
        address.ip[i] = (uint8_t)test_random(&from->seed);
    }
    for (size_t i = 0; i < MCAST_SOCKETS; i++) {
        address.port[i] = (uint16_t)test_random(&from->seed);
    }
    return address;
}

static inline struct mcast_sm_node *sample_nodes(struct sampler *from, size_t *count) {
    *count = sample_count(from);
    struct mcast_sm_node *nodes = sample_list(from, *count, sizeof *nodes);
    for (size_t i = 0; i < *count; i++) {
        nodes[i] = (struct mcast_sm_node){.node = sample_short(from),
                                          .id = sample_id(from),
                                          .incarnation = sample_name(from),
                                          .address = sample_address(from)};
    }
    return nodes;
}

static inline mcast_node *sample_ascending(struct sampler *from, size_t *count) {
    *count = sample_count(from);
    mcast_node *nodes = sample_list(from, *count, sizeof *nodes);
    mcast_node last = 0;
    for (size_t i = 0; i < *count; i++) {
        last += 1 + (mcast_node)(test_random(&from->seed) % 1000);
        nodes[i] = last;
    }
    return nodes;
}

static inline mcast_view *sample_views_named(struct sampler *from, size_t *count) {
    *count = sample_count(from);
    mcast_view *views = sample_list(from, *count, sizeof *views);
    mcast_view last = MCAST_EPOCH(test_random(&from->seed) % 3, 0);
    for (size_t i = 0; i < *count; i++) {
        last += 1 + test_random(&from->seed) % 1000;
        views[i] = last;
    }
    return views;
}

static inline struct mcast_sm_view *sample_views(struct sampler *from, size_t *count) {
    *count = sample_count(from);
    struct mcast_sm_view *views = sample_list(from, *count, sizeof *views);
    for (size_t i = 0; i < *count; i++) {
        views[i].view = sample_name(from);
        views[i].region = sample_name(from);
        views[i].hierarchy = (uint32_t)(test_random(&from->seed) % MCAST_SM_HIERARCHIES_MOST);
        views[i].address = sample_address(from);
        views[i].parents = sample_views_named(from, &views[i].parent_count);
        views[i].members = sample_ascending(from, &views[i].member_count);
    }
    return views;
}

/* The views of an update, some of them as differences from another. */
static inline struct mcast_sm_view *sample_changed_views(struct sampler *from, size_t *count) {
    struct mcast_sm_view *views = sample_views(from, count);
    for (size_t i = 0; i < *count; i++) {
        if (views[i].view > 1 && test_random(&from->seed) % 2 == 0) {
            views[i].base = 1 + test_random(&from->seed) % (views[i].view - 1);
            views[i].gone = sample_ascending(from, &views[i].gone_count);
        }
    }
    return views;
}

static inline struct mcast_sm_class *sample_classes(struct sampler *from, size_t *count) {
    *count = sample_count(from);
    struct mcast_sm_class *classes = sample_list(from, *count, sizeof *classes);
    for (size_t i = 0; i < *count; i++) {
        classes[i].class_number = sample_short(from);
        classes[i].views = sample_views_named(from, &classes[i].view_count);
    }
    return classes;
}

static inline struct mcast_sm_hybrid *sample_hybrids(struct sampler *from, size_t *count) {
    *count = sample_count(from);
    struct mcast_sm_hybrid *hybrids = sample_list(from, *count, sizeof *hybrids);
    uint32_t last = 0;
    for (size_t i = 0; i < *count; i++) {
        last += 1 + (uint32_t)(test_random(&from->seed) % 1000);
        hybrids[i] =
            (struct mcast_sm_hybrid){last, sample_address(from), test_random(&from->seed) % 2 == 0};
    }
    return hybrids;
}

static inline void sample_update(struct sampler *from, struct mcast_sm_update *update) {
    update->nodes = sample_nodes(from, &update->node_count);
    update->views = sample_changed_views(from, &update->view_count);
    update->classes = sample_classes(from, &update->class_count);
    update->run_count = sample_count(from);
    update->runs = sample_list(from, update->run_count, sizeof *update->runs);
    for (size_t i = 0; i < update->run_count; i++) {
        update->runs[i].first = 1 + (uint32_t)(test_random(&from->seed) % 5000);
        update->runs[i].count = 1 + (uint32_t)(test_random(&from->seed) % 5000);
        update->runs[i].class_number = (uint32_t)(test_random(&from->seed) % 3);
        update->runs[i].view_number = sample_number(from);
    }
    update->closing = sample_views_named(from, &update->closing_count);
    update->dead = sample_ascending(from, &update->dead_count);
    update->hybrids = sample_hybrids(from, &update->hybrid_count);
}

static inline void sample_report(struct sampler *from, struct mcast_sm_report *report) {
    report->epoch = sample_number(from);
    report->views = sample_views(from, &report->view_count);
    report->old_views = sample_views_named(from, &report->old_view_count);
    report->outbound = sample_views_named(from, &report->outbound_count);
    report->prepared = sample_views(from, &report->prepared_count);
    report->nodes = sample_nodes(from, &report->node_count);
    report->dead = sample_ascending(from, &report->dead_count);
    report->classes = sample_classes(from, &report->class_count);
    report->group_count = sample_count(from);
    report->groups = sample_list(from, report->group_count, sizeof *report->groups);
    for (size_t i = 0; i < report->group_count; i++) {
        report->groups[i].group = sample_id(from);
        report->groups[i].short_name = sample_short(from);
        report->groups[i].class_number = sample_short(from);
        report->groups[i].view_number = sample_number(from);
        report->groups[i].member = test_random(&from->seed) % 2 == 0;
    }
    report->hybrids = sample_hybrids(from, &report->hybrid_count);
}

static inline void sample_change(struct sampler *from, struct mcast_service_message *message) {
    size_t count = sample_count(from);
    struct mcast_sm_change_item *items = sample_list(from, count, sizeof *items);
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct mcast_sm_change_item){sample_id(from), sample_short(from),
                                                 (uint8_t)(1 + test_random(&from->seed) % 4)};
    }
    message->as.change.request = sample_name(from);
    message->as.change.items = items;
    message->as.change.count = count;
}

static inline void sample_changed(struct sampler *from, struct mcast_service_message *message) {
    size_t count = sample_count(from);
    struct mcast_sm_changed_item *items = sample_list(from, count, sizeof *items);
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct mcast_sm_changed_item){sample_short(from), sample_short(from),
                                                  -(int32_t)(test_random(&from->seed) % 20)};
    }
    message->as.changed.request = sample_name(from);
    message->as.changed.items = items;
    message->as.changed.count = count;
}

static inline void sample_closed(struct sampler *from, struct mcast_service_message *message) {
    size_t count = sample_count(from);
    struct mcast_sm_view_final *finals = sample_list(from, count, sizeof *finals);
    for (size_t i = 0; i < count; i++) {
        finals[i] = (struct mcast_sm_view_final){sample_name(from), sample_number(from)};
    }
    message->as.closed.epoch = sample_name(from);
    message->as.closed.finals = finals;
    message->as.closed.count = count;
}

static inline void sample_view_closed(struct sampler *from, struct mcast_service_message *message) {
    size_t count = sample_count(from);
    struct mcast_sm_final *finals = sample_list(from, count, sizeof *finals);
    for (size_t i = 0; i < count; i++) {
        finals[i] = (struct mcast_sm_final){sample_short(from), sample_number(from)};
    }
    message->as.view_closed.view = sample_name(from);
    message->as.view_closed.finals = finals;
    message->as.view_closed.count = count;
    message->as.view_closed.dead = sample_ascending(from, &message->as.view_closed.dead_count);
}

static inline void sample_greeting(struct sampler *from, struct mcast_service_message *message) {
    if (message->kind == MCAST_SM_HELLO) {
        message->as.hello.version = MCAST_WIRE_VERSION;
        message->as.hello.cluster = sample_short(from);
        message->as.hello.id = sample_id(from);
        message->as.hello.incarnation = sample_name(from);
        message->as.hello.address = sample_address(from);
        message->as.hello.epoch = sample_number(from);
        message->as.hello.node = sample_short(from);
    } else {
        message->as.welcome.node = sample_short(from);
        message->as.welcome.epoch = sample_name(from);
        message->as.welcome.heartbeat = sample_name(from);
        message->as.welcome.suspicion = sample_name(from);
        message->as.welcome.report_wanted = test_random(&from->seed) % 2 == 0;
    }
}

static inline void sample_small(struct sampler *from, struct mcast_service_message *message) {
    switch (message->kind) {
    case MCAST_SM_SUSPECT:
        message->as.suspect.node = sample_short(from);
        message->as.suspect.view = sample_name(from);
        message->as.suspect.full = test_random(&from->seed) % 2 == 0;
        break;
    case MCAST_SM_SLOW:
        message->as.slow.node = sample_short(from);
        message->as.slow.view = sample_name(from);
        message->as.slow.behind = sample_number(from);
        break;
    case MCAST_SM_MEMBERS_QUERY:
        message->as.members_query.cookie = sample_short(from);
        message->as.members_query.group = sample_short(from);
        break;
    case MCAST_SM_DEMOTE:
        message->as.demote.view = sample_name(from);
        message->as.demote.node = sample_short(from);
        message->as.demote.demoted = test_random(&from->seed) % 2 == 0;
        break;
    case MCAST_SM_REFUSED:
        message->as.refused.code = -(int32_t)(test_random(&from->seed) % 20);
        break;
    case MCAST_SM_EVICTED:
        message->as.evicted.epoch = sample_number(from);
        message->as.evicted.code = -(int32_t)(test_random(&from->seed) % 20);
        break;
    case MCAST_SM_BYE:
        break;
    default: /* PREPARED, VIEW_ENDED, HEARTBEAT and COMMIT are one number each */
        message->as.commit.epoch = sample_name(from);
        break;
    }
}

/* A message of @kind, to be freed by mcast_service_message_free. */
static inline struct mcast_service_message sample_message(struct sampler *from,
                                                          enum mcast_service_message_kind kind) {
    struct mcast_service_message message = {.kind = kind};
    switch (kind) {
    case MCAST_SM_HELLO:
    case MCAST_SM_WELCOME:
        sample_greeting(from, &message);
        break;
    case MCAST_SM_REPORT:
        sample_report(from, &message.as.report);
        break;
    case MCAST_SM_CHANGE:
        sample_change(from, &message);
        break;
    case MCAST_SM_CHANGED:
        sample_changed(from, &message);
        break;
    case MCAST_SM_CLOSED:
        sample_closed(from, &message);
        break;
    case MCAST_SM_PREPARE:
        message.as.prepare.epoch = sample_name(from);
        sample_update(from, &message.as.prepare.update);
        break;
    case MCAST_SM_VIEW_CLOSED:
        sample_view_closed(from, &message);
        break;
    case MCAST_SM_MEMBERS:
        message.as.members.cookie = sample_short(from);
        message.as.members.view_number = sample_number(from);
        message.as.members.nodes = sample_nodes(from, &message.as.members.count);
        break;
    default:
        sample_small(from, &message);
        break;
    }
    return message;
}

#endif
