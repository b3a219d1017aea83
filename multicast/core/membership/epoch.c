/* Epoch: a membership change in two phases (rules 1.0.5, 1.0.6).
 *
 * PREPARE creates what the epoch needs, so that packets of faster senders find their view; COMMIT
 * closes our old views and switches the routes of all groups at one moment. A death counts from
 * PREPARE on, because a ring must not wait for a dead node. */
#include "member/member_state.h"

void mcast_epoch_bury(struct mcast_member *member, mcast_node node) {
    if (mcast_peer_find(member, node) == NULL && mcast_is_forgotten(member, node)) {
        return;
    }
    mcast_peer_meet_dead(member, node);
    struct mcast_peer *peer = mcast_peer_find(member, node);
    if (peer == NULL || peer->dead || node == member->node) {
        return;
    }
    peer->dead = true;
    mcast_forget_later(member, peer);
    member->partials_orphaned = true;
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_DEAD, .sender = node});
    for (struct mcast_view_state *view = member->first_view; view != NULL; view = view->next) {
        mcast_view_bury(member, view, node);
    }
}

int mcast_epoch_prepare(struct mcast_member *member, mcast_epoch epoch,
                        struct mcast_sm_update *update) {
    int code = MCAST_OK;
    for (size_t i = 0; i < update->node_count && code == MCAST_OK; i++) {
        code = mcast_peer_put(member, &update->nodes[i]);
    }
    for (size_t i = 0; i < update->dead_count; i++) {
        mcast_epoch_bury(member, update->dead[i]);
    }
    for (size_t i = 0; i < update->view_count && code == MCAST_OK; i++) {
        code = mcast_view_make(member, &update->views[i], epoch);
    }
    return code == MCAST_OK ? mcast_hybrid_prepare(member, epoch, update) : code;
}

static bool names_view(const struct mcast_sm_update *update, mcast_view view) {
    for (size_t i = 0; i < update->view_count; i++) {
        if (update->views[i].view == view) {
            return true;
        }
    }
    for (size_t i = 0; i < update->closing_count; i++) {
        if (update->closing[i] == view) {
            return true;
        }
    }
    return false;
}

/* Drop the proposal that waits for COMMIT. Views that @next (may be NULL) names stay: they are
 * proposed again, or are in force for members that a COMMIT reached. */
static void drop_proposal(struct mcast_member *member, const struct mcast_sm_update *next,
                          mcast_epoch epoch) {
    if (!member->has_prepared) {
        return;
    }
    for (struct mcast_view_state *view = member->first_view; view != NULL; view = view->next) {
        if (view->committed || view->epoch != member->prepared.as.prepare.epoch) {
            continue;
        }
        if (next != NULL && names_view(next, view->number)) {
            view->epoch = epoch;
        } else {
            view->closing = view->ended = view->over = true;
            view->ring.heard = 0;
            member->views_to_free = true;
        }
    }
    mcast_hybrid_forget(member, member->prepared.as.prepare.epoch);
    mcast_service_message_free(&member->alloc, &member->prepared);
    member->has_prepared = false;
    mcast_brought_end(member);
}

void mcast_epoch_forget(struct mcast_member *member) {
    drop_proposal(member, NULL, 0);
}

void mcast_recv_prepare(struct mcast_member *member, struct mcast_service_message *message) {
    mcast_epoch epoch = message->as.prepare.epoch;
    drop_proposal(member, &message->as.prepare.update, epoch);
    member->prepared = *message;
    member->has_prepared = true;
    message->kind = 0;           /* its lists belong to the member now */
    mcast_brought_begin(member); /* before a death lets streams flow, also when memory is short */
    int code = mcast_epoch_prepare(member, epoch, &member->prepared.as.prepare.update);
    if (code != MCAST_OK) {
        /* Without PREPARED the service regards us as slow and then as dead, which is right. */
        member->stats.drop_malformed += code == MCAST_EMALFORMED ? 1 : 0;
        member->short_of_memory |= code == MCAST_ENOMEM;
        return;
    }
    struct mcast_service_message answer = {.kind = MCAST_SM_PREPARED};
    answer.as.prepared.epoch = epoch;
    mcast_say(member, &answer);
    mcast_streams_flow_again(member); /* packets that waited for an earlier proposal */
    mcast_unknown_replay(member);
}

static void put_in_force(struct mcast_member *member, struct mcast_view_state *view) {
    if (mcast_open_inherit(member, view) != MCAST_OK) {
        member->short_of_memory = true;
    }
    member->stats.region_moves += mcast_view_is_member(view) ? 1 : 0;
    mcast_view_commit(member, view);
}

/* Close views. A view that closes before this node knew it to be in force was in force for others:
 * it is delivered like any other, and later views inherit what its OPEN would have named. */
static void close_views(struct mcast_member *member, const struct mcast_sm_update *update,
                        mcast_epoch epoch) {
    struct mcast_service_message answer = {.kind = MCAST_SM_CLOSED};
    answer.as.closed.epoch = epoch;
    struct mcast_sm_view_final *finals = (struct mcast_sm_view_final *)(void *)mcast_scratch(
        member, (update->closing_count + 1) * sizeof *finals);
    size_t count = 0;
    for (size_t i = 0; i < update->closing_count; i++) {
        struct mcast_view_state *view = mcast_view_find(member, update->closing[i]);
        if (view == NULL) {
            continue;
        }
        if (!view->committed) {
            put_in_force(member, view);
        }
        /* Closed again by a new service (1.0.12), it has accepted nothing since the first time. */
        view->closed_with = view->closed_with == 0 ? epoch : view->closed_with;
        uint64_t last = mcast_view_close(member, view);
        if (finals != NULL) {
            finals[count++] = (struct mcast_sm_view_final){view->number, last};
        }
    }
    answer.as.closed.finals = finals;
    answer.as.closed.count = count;
    if (update->closing_count >
        0) { /* also for views unknown here: the service waits for our answer */
        mcast_say(member, &answer);
    }
}

static void switch_group(struct mcast_member *member, uint32_t index, struct mcast_route *route,
                         mcast_epoch view_number) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL) {
        return;
    }
    mcast_route_move(member, index, route);
    mcast_hybrid_turn(member, group, member->prepared.as.prepare.epoch);
    if (group->view_number != view_number) {
        group->view_number = view_number;
        mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_VIEW,
                                                         .group = index,
                                                         .number = view_number});
    }
}

static void switch_groups(struct mcast_member *member, const struct mcast_sm_update *update) {
    for (size_t i = 0; i < update->class_count; i++) {
        if (mcast_route_put(member, &update->classes[i]) != MCAST_OK) {
            member->short_of_memory = true;
        }
    }
    mcast_routes_hold(member);
    for (size_t i = 0; i < update->run_count; i++) {
        const struct mcast_sm_group_run *run = &update->runs[i];
        struct mcast_route *route =
            run->class_number == 0 ? NULL : mcast_route_find(member, run->class_number);
        for (uint32_t j = 0; j < run->count; j++) {
            uint32_t index = mcast_group_named(member, run->first + j);
            if (index != MCAST_NO_GROUP) {
                switch_group(member, index, route, run->view_number);
            }
        }
    }
    mcast_routes_settle(member);
}

void mcast_epoch_commit(struct mcast_member *member, mcast_epoch epoch) {
    const struct mcast_sm_update *update = &member->prepared.as.prepare.update;
    close_views(member, update, epoch);
    for (struct mcast_view_state *view = member->first_view; view != NULL; view = view->next) {
        if (view->epoch == epoch && !view->committed) {
            put_in_force(member, view);
        }
    }
    mcast_hybrid_commit(member, epoch, update);
    switch_groups(member, update);
    member->epoch = epoch;
    for (struct mcast_view_state *view = member->first_view; view != NULL; view = view->next) {
        mcast_view_review(member, view);
    }
}

void mcast_recv_commit(struct mcast_member *member, const struct mcast_service_message *message) {
    if (!member->has_prepared || member->prepared.as.prepare.epoch != message->as.commit.epoch) {
        return;
    }
    mcast_epoch_commit(member, message->as.commit.epoch);
    mcast_service_message_free(&member->alloc, &member->prepared);
    member->has_prepared = false;
    mcast_brought_end(member);
    mcast_streams_flow_again(member);
    mcast_unknown_replay(member);
    member->members.due = true; /* classes may have split, or got the views of an answer */
    if (!member->served) {
        member->served = true;
        mcast_members_ask_again(member);
    }
}
