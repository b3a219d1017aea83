/* DEMOTE: the membership service confirms that a node is slow, or has caught up (rule 1.0.4). */
#include "member/member_state.h"

void mcast_recv_demote(struct mcast_member *member, const struct mcast_service_message *message) {
    struct mcast_view_state *view = mcast_view_find(member, message->as.demote.view);
    if (view == NULL || !mcast_view_is_member(view)) {
        return;
    }
    uint32_t seat = mcast_layout_seat(view, message->as.demote.node);
    if (seat == MCAST_NO_SEAT) {
        return;
    }
    view->seats[seat].demoted = message->as.demote.demoted;
    if (seat == view->self && message->as.demote.demoted) {
        mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_DEMOTED,
                                                         .group = MCAST_NO_GROUP,
                                                         .number = view->number});
    }
}
