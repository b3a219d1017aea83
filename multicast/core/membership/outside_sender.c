/* Outside: the views that this node only sends to (rule 1.0.13).
 *
 * Who leaves the last group of such a view is no sender there any more, and is told nothing of it:
 * not that it closes, nor that it ended. What it sent there before it left is acknowledged, or a
 * member that remembers says that the view is no more (recv_stale.c). Where no member lives to say
 * either, silence says it; then what is under way is uncertain (1.0.11), and nothing waits for it.
 * The view itself stays known: a group joined again may lead there, and the numbers go on. */
#include "member/member_state.h"

enum { UNHEARD_LEAST = 8 };

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

/* Since when somebody could have answered: what was never sent cannot be. */
static mcast_time silent_since(const struct mcast_outbound *out) {
    const struct mcast_packet *oldest = mcast_outbound_find(out, out->acked + 1);
    return oldest != NULL && oldest->sent_at > out->heard ? oldest->sent_at : out->heard;
}

/* A leader answers every mark, and one that is silent is replaced in time, by the service, which
 * tells those who still are senders. Who slept itself has not asked yet. */
bool mcast_outside_is_silent(const struct mcast_member *member, const struct mcast_outbound *out) {
    if (mcast_view_is_member(out->view) || !member->connected || !member->welcomed ||
        out->unheard < UNHEARD_LEAST ||
        member->now <= mcast_member_patience(member, silent_since(out))) {
        return false;
    }
    return out->view->closing || mcast_outside_is_left(member, out->view);
}
