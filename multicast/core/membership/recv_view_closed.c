/* VIEW_CLOSED: each sender of an old view has given its last number, or is dead (rule 1.0.6). From
 * now on the missing numbers up to there are known; when all members have them, the view ends. */
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

/* True when the members waited for our last number. */
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

/* Handle VIEW_CLOSED as an outside sender: all live members have ended the view. They waited for
 * our packets only if they learned our last number. Otherwise a service regarded us as dead, or
 * died itself before it passed the number on, and unacknowledged messages are uncertain (1.0.11).
 */
static void end_as_outside_sender(struct mcast_member *member, struct mcast_view_state *view,
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
    /* Nobody waited for packets of these nodes (1.0.8). If the service dies before it proposes an
     * epoch without them, the next service learns of it from us (1.0.12). */
    for (size_t i = 0; i < message->as.view_closed.dead_count; i++) {
        mcast_epoch_bury(member, message->as.view_closed.dead[i]);
    }
    struct mcast_view_state *view = mcast_view_find(member, message->as.view_closed.view);
    if (view != NULL && !mcast_view_is_member(view)) {
        end_as_outside_sender(member, view, message);
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
