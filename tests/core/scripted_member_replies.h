/* Scripted member replies: a scripted member checks each message of the service, records it, and
 * answers as the protocol asks. */
#ifndef SCRIPTED_MEMBER_REPLIES_H
#define SCRIPTED_MEMBER_REPLIES_H

#include "service_streams.h"

static inline void answer_commit(struct world *world, struct member *member,
                                 const struct mcast_sm_update *update) {
    struct mcast_sm_view_final finals[BELIEFS];
    size_t count = 0;
    for (size_t i = 0; i < update->closing_count; i++) {
        struct belief_view *view = believed(member, update->closing[i]);
        if (view != NULL) {
            view->closing = true;
            finals[count++] = (struct mcast_sm_view_final){view->name, view->sent};
        } else {
            CHECK(member->resyncs);
        }
    }
    struct mcast_service_message message = {.kind = MCAST_SM_CLOSED};
    message.as.closed.epoch = member->epoch;
    message.as.closed.finals = finals;
    message.as.closed.count = count;
    say(world, member, &message);
}

static inline void commit(struct world *world, struct member *member) {
    const struct mcast_sm_update *update = &member->proposal.as.prepare.update;
    for (size_t i = 0; i < update->node_count; i++) {
        CHECK(update->nodes[i].node < sizeof member->nodes);
        CHECK(member->resyncs || !member->nodes[update->nodes[i].node]);
        member->nodes[update->nodes[i].node] = true;
        member->node_ids[update->nodes[i].node] = update->nodes[i].id;
    }
    for (size_t i = 0; i < update->dead_count; i++) {
        member->dead[update->dead[i]] = true;
        member->nodes[update->dead[i]] = false;
    }
    for (size_t i = 0; i < update->view_count; i++) {
        believe_view(member, &update->views[i]);
    }
    for (size_t i = 0; i < update->class_count; i++) {
        believe_class(member, &update->classes[i]);
    }
    for (size_t i = 0; i < update->run_count; i++) {
        believe_run(member, &update->runs[i]);
    }
    for (size_t i = 0; i < update->hybrid_count; i++) {
        believe_hybrid(member, &update->hybrids[i]);
    }
    answer_commit(world, member, update);
    tidy(member);
    member->resyncs = false;
    for (size_t i = 0; i < member->view_count; i++) {
        if (!member->views[i].closing && test_random(&world->seed) % 2 == 0) {
            member->views[i].sent += test_random(&world->seed) % 5;
        }
    }
    mcast_service_message_free(&world->memory.alloc, &member->proposal);
    member->proposal = (struct mcast_service_message){.kind = 0};
}

static inline void view_closed(struct world *world, struct member *member,
                               const struct mcast_service_message *message) {
    struct belief_view *view = believed(member, message->as.view_closed.view);
    if (view == NULL || !view->own) {
        /* Senders from outside that may have sent there hear it once it is over. */
        return;
    }
    CHECK(view != NULL && view->own && view->closing && !view->closed);
    for (size_t i = 0; i < message->as.view_closed.count; i++) {
        CHECK(message->as.view_closed.finals[i].last > 0);
    }
    view->closed = true;
    struct mcast_service_message ended = {.kind = MCAST_SM_VIEW_ENDED};
    ended.as.view_ended.view = view->name;
    world_log(world, "%c VIEW_CLOSED %u senders %zu dead %zu\n", name_of(world, member),
              (unsigned)(view->name & 0xffffff), message->as.view_closed.count,
              message->as.view_closed.dead_count);
    *view = member->views[--member->view_count];
    say(world, member, &ended);
}

static inline void log_prepare(struct world *world, const struct member *member,
                               const struct mcast_service_message *message) {
    const struct mcast_sm_update *update = &message->as.prepare.update;
    world_log(world, "%c PREPARE %u:", name_of(world, member),
              (unsigned)(message->as.prepare.epoch & 0xffffff));
    for (size_t i = 0; i < update->view_count; i++) {
        world_log(world, " view %u", (unsigned)(update->views[i].view & 0xffffff));
        for (size_t m = 0; m < update->views[i].member_count; m++) {
            const char *sign = update->views[i].base != 0 ? "+" : m == 0 ? "=" : ",";
            world_log(world, "%s%u", sign, update->views[i].members[m]);
        }
        for (size_t m = 0; m < update->views[i].gone_count; m++) {
            world_log(world, "-%u", update->views[i].gone[m]);
        }
        for (size_t p = 0; p < update->views[i].parent_count; p++) {
            world_log(world, "<%u", (unsigned)(update->views[i].parents[p] & 0xffffff));
        }
    }
    for (size_t i = 0; i < update->run_count; i++) {
        world_log(world, " groups %u+%u:%s", update->runs[i].first, update->runs[i].count,
                  update->runs[i].class_number == 0 ? "-" : "");
        struct member *believer = world->members + (member - world->members);
        const struct belief_class *class = believed_class(believer, update->runs[i].class_number);
        const mcast_view *views = class == NULL ? NULL : class->views;
        size_t count = class == NULL ? 0 : class->count;
        for (size_t c = 0; c < update->class_count; c++) {
            if (update->classes[c].class_number == update->runs[i].class_number) {
                views = update->classes[c].views;
                count = update->classes[c].view_count;
            }
        }
        for (size_t v = 0; v < count; v++) {
            world_log(world, "%s%u", v == 0 ? "" : ",", (unsigned)(views[v] & 0xffffff));
        }
    }
    for (size_t i = 0; i < update->closing_count; i++) {
        world_log(world, " closing %u", (unsigned)(update->closing[i] & 0xffffff));
    }
    for (size_t i = 0; i < update->dead_count; i++) {
        world_log(world, " dead %u", update->dead[i]);
    }
    for (size_t i = 0; i < update->hybrid_count; i++) {
        world_log(world, " %s %u@%u", update->hybrids[i].listens ? "hear" : "send",
                  update->hybrids[i].group, update->hybrids[i].address.ip[15]);
    }
    world_log(world, "\n");
}

static inline bool hear_proposal(struct world *world, struct member *member,
                                 struct mcast_service_message *message) {
    if (message->kind == MCAST_SM_COMMIT) {
        CHECK(member->proposal.kind == MCAST_SM_PREPARE);
        CHECK(member->proposal.as.prepare.epoch == message->as.commit.epoch);
        CHECK(message->as.commit.epoch > member->epoch);
        member->epoch = message->as.commit.epoch;
        world_log(world, "%c COMMIT %u\n", name_of(world, member),
                  (unsigned)(member->epoch & 0xffffff));
        commit(world, member);
        return false;
    }
    mcast_service_message_free(&world->memory.alloc, &member->proposal);
    member->proposal = *message;
    member->prepares++;
    log_prepare(world, member, message);
    if (!member->mute) {
        struct mcast_service_message answer = {.kind = MCAST_SM_PREPARED};
        answer.as.prepared.epoch = message->as.prepare.epoch;
        say(world, member, &answer);
    }
    return true;
}

static inline void hear_changed(struct world *world, struct member *member,
                                const struct mcast_service_message *message) {
    if (message->as.changed.request != member->request || !member->open) {
        return; /* repeated over the next stream, answered twice */
    }
    size_t kept = 0;
    size_t at = 0;
    for (size_t i = 0; i < member->item_count; i++) {
        uint32_t group = member->items[i].cookie;
        if (at == message->as.changed.count || message->as.changed.items[at].cookie != group) {
            member->items[kept++] = member->items[i];
            continue;
        }
        at++;
        bool *in = &member->is_in[group];
        bool *sender = &member->is_sender[group];
        *in = member->items[i].op == MCAST_SM_JOIN ||
              (*in && member->items[i].op != MCAST_SM_LEAVE) || (*in && !*sender);
        *sender = member->items[i].op == MCAST_SM_REGISTER_SENDER ||
                  (*sender && member->items[i].op != MCAST_SM_UNREGISTER_SENDER) ||
                  (*sender && !*in);
    }
    CHECK(at == message->as.changed.count);
    member->item_count = kept;
    member->open = kept > 0;
    world_log(world, "%c CHANGED %u\n", name_of(world, member),
              (unsigned)message->as.changed.request);
    for (size_t i = 0; i < message->as.changed.count; i++) {
        const struct mcast_sm_changed_item *item = &message->as.changed.items[i];
        member->names[item->cookie] = item->group;
        member->codes[item->cookie] = item->code;
        if (item->code != MCAST_OK) {
            member->wants[item->cookie] = false;
            member->sends[item->cookie] = false;
        }
    }
}

static inline void send_report(struct world *world, struct member *member);

static inline void hear_end(struct world *world, struct member *member, int code, bool evicted) {
    world_log(world, "%c %s %d\n", name_of(world, member), evicted ? "EVICTED" : "REFUSED", code);
    member->evicted = evicted;
    member->refused = code;
    member->connection = 0;
}

/* Let @member receive a message. */
static inline void hear(struct world *world, struct member *member, const struct flying *one) {
    struct mcast_service_message message;
    CHECK(mcast_service_message_decode(one->bytes, one->length, &world->memory.alloc, &message) ==
          MCAST_OK);
    bool kept = false;
    switch (message.kind) {
    case MCAST_SM_WELCOME:
        CHECK(message.as.welcome.epoch >= member->epoch);
        if (member->node != 0 && message.as.welcome.report_wanted) {
            CHECK(message.as.welcome.node == member->node);
        }
        member->node = message.as.welcome.node;
        member->generation_epoch = message.as.welcome.epoch;
        world_log(world, "%c WELCOME %u\n", name_of(world, member), member->node);
        if (member->open) {
            say_change(world, member);
        }
        if (message.as.welcome.report_wanted) {
            send_report(world, member);
        }
        break;
    case MCAST_SM_PREPARE:
        member->prepare_bytes += one->length;
        kept = hear_proposal(world, member, &message);
        break;
    case MCAST_SM_COMMIT:
        kept = hear_proposal(world, member, &message);
        break;
    case MCAST_SM_CHANGED:
        hear_changed(world, member, &message);
        break;
    case MCAST_SM_VIEW_CLOSED:
        view_closed(world, member, &message);
        break;
    case MCAST_SM_REFUSED:
        hear_end(world, member, message.as.refused.code, false);
        break;
    case MCAST_SM_EVICTED:
        hear_end(world, member, message.as.evicted.code, true);
        break;
    case MCAST_SM_MEMBERS:
        member->queried = message.as.members.count;
        member->queried_number = message.as.members.view_number;
        break;
    case MCAST_SM_DEMOTE:
        member->demotions += message.as.demote.demoted ? 1 : 100;
        break;
    default:
        CHECK(message.kind == MCAST_SM_HEARTBEAT);
        break;
    }
    if (!kept) {
        mcast_service_message_free(&world->memory.alloc, &message);
    }
}

/* Insert @name at its place into the @count names of @list, which ascend. */
static inline void put_in_order(mcast_view *list, size_t count, mcast_view name) {
    for (; count > 0 && list[count - 1] > name; count--) {
        list[count] = list[count - 1];
    }
    list[count] = name;
}

/* The views of its own that @member was sent whole, and whose COMMIT it did not receive. */
static inline size_t proposed_views(struct member *member, struct mcast_sm_view *views) {
    size_t count = 0;
    if (member->proposal.kind != MCAST_SM_PREPARE) {
        return 0;
    }
    const struct mcast_sm_update *update = &member->proposal.as.prepare.update;
    for (size_t i = 0; i < update->view_count; i++) {
        const struct mcast_sm_view *view = &update->views[i];
        if (view->member_count > 0 && view->base == 0 && believed(member, view->view) == NULL) {
            views[count++] = (struct mcast_sm_view){
                .view = view->view,
                .region = view->region,
                .hierarchy = view->hierarchy,
                .address = view->address,
                .members = view->members,
                .member_count = view->member_count,
            };
        }
    }
    return count;
}

/* Report the state of @member. */
static inline void send_report(struct world *world, struct member *member) {
    static struct mcast_sm_view views[BELIEFS];
    static mcast_view old[BELIEFS];
    static mcast_view outbound[BELIEFS];
    static mcast_node dead[1 << 15];
    static struct mcast_sm_node nodes[1 << 15];
    static struct mcast_sm_class classes[BELIEFS];
    static struct mcast_sm_report_group groups[2 * GROUPS];
    static struct mcast_sm_view prepared[BELIEFS];
    struct mcast_service_message message = {.kind = MCAST_SM_REPORT};
    struct mcast_sm_report *report = &message.as.report;
    *report = (struct mcast_sm_report){.epoch = member->epoch,
                                       .views = views,
                                       .prepared = prepared,
                                       .old_views = old,
                                       .outbound = outbound,
                                       .nodes = nodes,
                                       .dead = dead,
                                       .classes = classes,
                                       .groups = groups,
                                       .hybrids = member->hybrids,
                                       .hybrid_count = member->hybrid_count};
    for (size_t i = 0; i < member->view_count; i++) {
        struct belief_view *view = &member->views[i];
        if (!view->own) {
            put_in_order(outbound, report->outbound_count++, view->name);
            continue;
        }
        if (view->closing) {
            put_in_order(old, report->old_view_count++, view->name);
            continue;
        }
        views[report->view_count++] = (struct mcast_sm_view){
            .view = view->name,
            .region = view->region,
            .hierarchy = view->hierarchy,
            .address = view->address,
            .members = view->members,
            .member_count = view->member_count,
        };
    }
    report->prepared_count = proposed_views(member, prepared);
    for (mcast_node node = 1; node < 1 << 15; node++) {
        if (member->nodes[node]) {
            nodes[report->node_count++] =
                (struct mcast_sm_node){node, member->node_ids[node], 1, {.port = {1, 2, 3}}};
        }
        if (member->dead[node]) {
            dead[report->dead_count++] = node;
        }
    }
    for (size_t i = 0; i < member->class_count; i++) {
        classes[report->class_count++] = (struct mcast_sm_class){
            member->classes[i].number, member->classes[i].views, member->classes[i].count};
    }
    for (size_t i = 0; i < member->group_count; i++) {
        struct belief_group *group = &member->groups[i];
        for (uint32_t g = 0; g < GROUPS; g++) {
            for (int as_member = 0; as_member < 2; as_member++) {
                bool does = as_member == 1 ? member->is_in[g] : member->is_sender[g];
                if (member->names[g] == group->name && does) {
                    groups[report->group_count++] = (struct mcast_sm_report_group){
                        group_id(g), group->name, group->class_number, group->view_number,
                        as_member == 1};
                }
            }
        }
    }
    member->resyncs = true;
    say(world, member, &message);
}

#endif
