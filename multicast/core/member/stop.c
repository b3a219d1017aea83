/* Stop: leave all groups in order, and end when nobody needs this node any more. */
#include "member/member_state.h"

void mcast_stop(struct mcast_member *member) {
    member->stopping = true;
    for (size_t i = 0; i < member->chunk_count; i++) {
        for (uint32_t j = 0; member->chunks[i] != NULL && j < 256; j++) {
            uint32_t index = (uint32_t)i * 256 + j;
            const struct mcast_group *group = mcast_group_at(member, index);
            if (group != NULL && group->state != MCAST_GROUP_LEAVING) {
                mcast_group_leave(member, index);
            }
        }
    }
}

/* True while this node holds something that others may still need. */
static bool is_needed(const struct mcast_member *member) {
    for (const struct mcast_view_state *view = member->first_view; view != NULL;
         view = view->next) {
        bool member_of = mcast_view_is_member(view) && !view->ended;
        if (member_of || (view->out != NULL && view->out->acked < view->out->last)) {
            return true;
        }
    }
    return member->stats.groups > 0;
}

void mcast_stop_review(struct mcast_member *member) {
    if (!member->stopping || member->stopped || (is_needed(member) && !member->evicted)) {
        return;
    }
    member->stopped = true;
    struct mcast_service_message message = {.kind = MCAST_SM_BYE};
    mcast_say(member, &message);
    mcast_emit_notice(
        member, &(struct mcast_notice){.kind = MCAST_NOTICE_STOPPED, .group = MCAST_NO_GROUP});
}
