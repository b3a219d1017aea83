/* Messages of the membership service in a fuzz run: false statements with real names. */
#ifndef MEMBER_SCRIPT_SERVICE_H
#define MEMBER_SCRIPT_SERVICE_H

#include "member_script.h"

static inline void say(struct script *script, const struct mcast_service_message *message) {
    uint8_t *bytes = NULL;
    size_t length = 0, room = 0;
    CHECK(mcast_service_message_encode(message, &script->network.alloc, &bytes, &length, &room) ==
          MCAST_OK);
    struct mcast_event event = {.kind = MCAST_EVENT_CONTROL};
    event.as.control.bytes = bytes;
    event.as.control.length = length;
    step(script, &event, 1);
    mcast_memory_free(&script->network.alloc, bytes, room, 1);
}

static inline void welcome(struct script *script) {
    struct mcast_service_message message = {.kind = MCAST_SM_WELCOME};
    uint8_t how = next(script);
    message.as.welcome.node = SELF + (how > 250 ? 1 : 0);
    message.as.welcome.epoch = script->epoch;
    message.as.welcome.heartbeat = 200 * MCAST_MILLISECOND;
    message.as.welcome.suspicion = MCAST_SECOND;
    message.as.welcome.report_wanted = (how & 1) != 0;
    say(script, &message);
}

static inline struct mcast_sm_node node_of(uint32_t name) {
    struct mcast_sm_node node = {.node = name, .id = {1, name}, .incarnation = name + 100};
    node.address.ip[15] = (uint8_t)name;
    node.address.port[0] = node.address.port[1] = node.address.port[2] = 1000;
    return node;
}

/* Storage for everything that an update refers to. */
struct told {
    struct mcast_sm_node nodes[NODES];
    struct mcast_sm_view views[2];
    mcast_view parents[2];
    mcast_node members[2][NODES];
    struct mcast_sm_class classes[2];
    mcast_view class_views[2][2];
    struct mcast_sm_hybrid hybrids[2];
    struct mcast_sm_group_run runs[2];
    mcast_view closing[2];
    mcast_node dead[2];
};

static inline void tell_views(struct script *script, struct told *told,
                              struct mcast_sm_update *update) {
    update->view_count = next(script) % 3;
    update->views = told->views;
    for (size_t i = 0; i < update->view_count; i++) {
        struct mcast_sm_view *view = &told->views[i];
        uint8_t who = next(script), which = next(script);
        *view = (struct mcast_sm_view){.view = (script->epoch % VIEWS) * 4 + which % 4 + 1,
                                       .region = which % 5 + 1,
                                       .hierarchy = which % 3,
                                       .members = told->members[i]};
        view->address.ip[14] = 239;
        view->address.ip[15] = (uint8_t)(which % 6);
        view->parents = told->parents;
        view->parent_count = which >= 128 ? 1 : 0;
        told->parents[0] = which % VIEWS + 1;
        for (uint32_t n = 0; n < NODES; n++) {
            if ((who >> n & 1) != 0) {
                told->members[i][view->member_count++] = n + 1;
            }
        }
    }
}

static inline void tell_groups(struct script *script, struct told *told,
                               struct mcast_sm_update *update) {
    uint8_t what = next(script);
    update->class_count = what % 3;
    update->classes = told->classes;
    for (size_t i = 0; i < update->class_count; i++) {
        told->class_views[i][0] = update->view_count > 0 ? told->views[i % update->view_count].view
                                                         : next(script) % 40 + 1u;
        bool both = update->view_count == 2 && told->views[0].view < told->views[1].view;
        if (both) {
            told->class_views[i][0] = told->views[0].view;
            told->class_views[i][1] = told->views[1].view;
        }
        told->classes[i] = (struct mcast_sm_class){(uint32_t)(what >> 4) % 3 + (uint32_t)i + 1,
                                                   told->class_views[i], both ? 2 : 1};
    }
    update->run_count = (what >> 2 & 3) % 3;
    update->runs = told->runs;
    uint32_t first = 1;
    for (size_t i = 0; i < update->run_count; i++) {
        uint8_t how = next(script);
        told->runs[i] =
            (struct mcast_sm_group_run){first, how % 4 + 1u, how >> 5, script->epoch - how % 3};
        first += how % 4 + 1u;
    }
}

static inline void prepare(struct script *script) {
    struct told told;
    struct mcast_service_message message = {.kind = MCAST_SM_PREPARE};
    struct mcast_sm_update *update = &message.as.prepare.update;
    uint8_t how = next(script);
    script->epoch += how % 4 != 0 ? 1 : 0;
    message.as.prepare.epoch = script->epoch;
    update->nodes = told.nodes;
    update->node_count = how > 200 ? 0 : NODES;
    for (uint32_t n = 0; n < NODES; n++) {
        told.nodes[n] = node_of(n + 1);
    }
    tell_views(script, &told, update);
    tell_groups(script, &told, update);
    update->closing = told.closing;
    update->closing_count = how >> 3 & 1;
    told.closing[0] = next(script) % 40 + 1;
    update->dead = told.dead;
    update->dead_count = how >> 4 & 1;
    told.dead[0] = next(script) % NODES + 1;
    update->hybrids = told.hybrids;
    update->hybrid_count = (how >> 5) % 3;
    for (uint32_t i = 0; i < update->hybrid_count; i++) {
        told.hybrids[i] = (struct mcast_sm_hybrid){.group = i + 1, .listens = (how & 1) != 0};
        told.hybrids[i].address.ip[15] = (uint8_t)(200 + how % 4 + i);
    }
    say(script, &message);
}

static inline void answer_change(struct script *script) {
    struct mcast_sm_changed_item items[GROUPS];
    struct mcast_service_message message = {.kind = MCAST_SM_CHANGED};
    uint8_t how = next(script);
    size_t count = how % GROUPS + 1u;
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct mcast_sm_changed_item){(uint32_t)i, (uint32_t)i + 1,
                                                  how > 240 ? MCAST_EREFUSED : 0};
    }
    script->request += how % 8 != 0 ? 1 : 0;
    message.as.changed.request = script->request;
    message.as.changed.items = items;
    message.as.changed.count = count;
    say(script, &message);
}

static inline void close_view(struct script *script) {
    struct mcast_sm_final finals[2];
    mcast_node dead = next(script) % NODES + 1;
    struct mcast_service_message message = {.kind = MCAST_SM_VIEW_CLOSED};
    uint8_t how = next(script);
    message.as.view_closed.view = how % 40 + 1u;
    message.as.view_closed.finals = finals;
    message.as.view_closed.count = how % 3;
    finals[0] = (struct mcast_sm_final){1, next(script)};
    finals[1] = (struct mcast_sm_final){2 + how % 3u, next(script)};
    message.as.view_closed.dead = &dead;
    message.as.view_closed.dead_count = how >> 7;
    say(script, &message);
}

static inline void say_short(struct script *script, uint8_t what) {
    struct mcast_service_message message = {.kind = MCAST_SM_COMMIT};
    struct mcast_sm_node nodes[2] = {node_of(1), node_of(2)};
    uint8_t how = next(script);
    message.as.commit.epoch = script->epoch - (how > 240 ? 1 : 0);
    if (what == 1) {
        message.kind = MCAST_SM_HEARTBEAT;
        message.as.heartbeat.epoch = script->epoch;
    } else if (what == 2) {
        message.kind = MCAST_SM_DEMOTE;
        message.as.demote.view = how % 40 + 1u;
        message.as.demote.node = how % NODES + 1u;
        message.as.demote.demoted = (how & 128) != 0;
    } else if (what == 3) {
        message.kind = MCAST_SM_MEMBERS;
        message.as.members.cookie = how % GROUPS;
        message.as.members.view_number = script->epoch;
        message.as.members.nodes = nodes;
        message.as.members.count = how % 3;
    } else if (what == 4 && how < 40) {
        message.kind = MCAST_SM_EVICTED;
        message.as.evicted.epoch = script->epoch;
        message.as.evicted.code = MCAST_EEVICTED;
    }
    say(script, &message);
}

/* Send an arbitrary message, of either side. */
static inline void babble(struct script *script) {
    struct sampler from = {.seed = next(script) * 251u + next(script),
                           .alloc = &script->network.alloc};
    struct mcast_service_message message =
        sample_message(&from, sample_kinds[next(script) % SAMPLE_KINDS]);
    say(script, &message);
    mcast_service_message_free(&script->network.alloc, &message);
}

static inline void service_speaks(struct script *script) {
    uint8_t what = next(script);
    if (what < 80) {
        prepare(script);
    } else if (what < 150) {
        say_short(script, what % 2 == 0 ? 0 : what % 5);
    } else if (what < 190) {
        answer_change(script);
    } else if (what < 220) {
        close_view(script);
    } else if (what < 245) {
        welcome(script);
    } else {
        babble(script);
    }
}

#endif
