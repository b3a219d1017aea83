/* Outside sender: views that this node sends to without being a member (rule 1.0.13).
 *
 * A node that leaves the last group of such a view is no sender of it any more; it learns neither
 * that the view closes nor that it ended. Its earlier packets are acknowledged, or a member answers
 * that the view is gone (membership/recv_stale.c). When no member lives to say either, silence
 * decides: what is under way is uncertain (1.0.11), and nothing waits for it. The view stays known,
 * because a later join may lead there and its numbers continue. */
#include "member/member_state.h"

enum { UNHEARD_LEAST = 8 }; /* high-water marks without an answer */

bool mcast_outside_is_left(const struct mcast_member *member, const struct mcast_view_state *view) {
    if (mcast_view_is_member(view)) {
        return false;
    }
    size_t cursor = 0;
    struct mcast_map_slot slot;
    while (mcast_map_next(&member->routes, &cursor, &slot)) {
        const struct mcast_route *route = (const struct mcast_route *)(uintptr_t)slot.value;
        for (size_t i = 0; i < route->count; i++) {
            if (route->groups > 0 && route->views[i] == view) {
                return false;
            }
        }
    }
    return true;
}

/* Return since when somebody could have answered: packets never sent get no answer. */
static mcast_time unanswered_since(const struct mcast_outbound *out) {
    const struct mcast_packet *oldest = mcast_outbound_find(out, out->acked + 1);
    return oldest != NULL && oldest->sent_at > out->heard ? oldest->sent_at : out->heard;
}

/* A live leader answers every high-water mark, and the service replaces a silent one in time and
 * tells the current senders. A node that slept has not asked yet. */
bool mcast_outside_is_silent(const struct mcast_member *member, const struct mcast_outbound *out) {
    if (mcast_view_is_member(out->view) || !member->connected || !member->welcomed ||
        out->unheard < UNHEARD_LEAST ||
        member->now <= mcast_member_patience(member, unanswered_since(out))) {
        return false;
    }
    return out->view->closing || mcast_outside_is_left(member, out->view);
}
