/* VIEW_CLOSED came: each sender of an old view said its last number, or is dead (rule 1.0.6). What
 * is missing up to there is known from now on; when all has it, the view ends. */
#include "member/member_state.h"

static void set_final(struct mcast_member *member, struct mcast_view_state *view,
                      const struct mcast_sm_final *final) {
    struct mcast_peer *peer = mcast_peer_recall(member, final->node);
    if (peer == NULL || final->last <= member->config.first_number) {
        return;
    }
    struct mcast_stream *stream = mcast_stream_make(member, view, peer);
    if (stream != NULL) {
        stream->final = final->last;
        mcast_stream_know(member, stream, final->last);
    }
}

/* Whether our last number is among those up to which the members waited. */
static bool is_counted(const struct mcast_member *member, const struct mcast_view_state *view,
                       const struct mcast_service_message *message) {
    for (size_t i = 0; i < message->as.view_closed.count; i++) {
        const struct mcast_sm_final *final = &message->as.view_closed.finals[i];
        if (final->node == member->node) {
            return final->last >= view->out->last;
        }
    }
    return false;
}

/* To a sender from outside it says that all members who live have ended the view. They waited for
 * what it sent only if its last number was told to them; else a service took it for dead, or took
 * its word along when it died itself, and what is not acknowledged is uncertain (1.0.11). */
static void outside_is_over(struct mcast_member *member, struct mcast_view_state *view,
                            const struct mcast_service_message *message) {
    if (view->out != NULL && is_counted(member, view, message)) {
        mcast_outbound_ack(member, view->out, view->out->last);
    } else if (view->out != NULL) {
        mcast_outbound_give_up(member, view->out);
    }
    mcast_view_review(member, view);
}

void mcast_recv_view_closed(struct mcast_member *member,
                            const struct mcast_service_message *message) {
    /* Nobody waited for what these said (1.0.8). If the service dies before it proposes an epoch
     * without them, the next one hears of it from us (1.0.12). */
    for (size_t i = 0; i < message->as.view_closed.dead_count; i++) {
        mcast_epoch_bury(member, message->as.view_closed.dead[i]);
    }
    struct mcast_view_state *view = mcast_view_find(member, message->as.view_closed.view);
    if (view != NULL && !mcast_view_is_member(view)) {
        outside_is_over(member, view, message);
        return;
    }
    if (view == NULL || !mcast_view_is_member(view) || view->closed) {
        return;
    }
    view->closed = true;
    view->ring.closed = view->ring.count;
    for (size_t i = 0; i < message->as.view_closed.count; i++) {
        set_final(member, view, &message->as.view_closed.finals[i]);
    }
    for (size_t i = 0; i < view->stream_count; i++) {
        view->streams[i]->quiescent = false;
    }
    mcast_ring_wake(member, view);
}
