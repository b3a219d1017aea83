/* Suspect: the ring of a region stands still (rule 1.5: a node that fails is suspected).
 *
 * A node that speaks to the service and hears no datagrams, or whose own get nowhere, is alive for
 * the service, and no token passes it. Its leader sees only that no round comes home. After a
 * heartbeat of that it calls the region by name: who hears it says which round passed there last.
 * After the time of suspicion the first seat that is silent, or that the token does not reach, is
 * accused, and again half of that time later; then the service removes it. Nobody at all of several
 * answers a leader who hears nothing itself: it goes, and takes the state from the others. */
#include "machine.h"

static void call(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_writer writer = mcast_emit_begin(member, 8);
    mcast_write_u64(&writer, MCAST_ROUND(view->self, view->ring.count, 0));
    mcast_emit(member, &writer, MCAST_WIRE_CALL, 0, view->number, &view->address);
    mcast_pace_spent(member, view, view->alive); /* with the answers */
}

/* Whether @seat answered one of the last calls; each may have been lost. */
static bool answers(const struct mcast_member *member, const struct mcast_seat *seat) {
    return seat->answered != 0 && member->now - seat->answered < member->suspicion / 2;
}

/* Whether a token passed @seat since the last round came home. Where partitions turn apart the
 * region's token passes their leaders alone. */
static bool passes(const struct mcast_member *member, const struct mcast_view_state *view,
                   const struct mcast_seat *seat) {
    uint64_t home = MCAST_ROUND_SET(MCAST_ROUND(view->self, view->ring.home, 0));
    return seat->passed > home || mcast_apart_is_on(member, view);
}

/* The first seat where the ring breaks, MCAST_NO_SEAT if none is known; that of this node when
 * nobody else of several answers. */
static uint32_t broken_seat(const struct mcast_member *member,
                            const struct mcast_view_state *view) {
    uint32_t first = MCAST_NO_SEAT;
    uint32_t silent = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct mcast_seat *seat = &view->seats[i];
        if (seat->dead || i == view->self) {
            continue;
        }
        bool heard = answers(member, seat);
        silent += heard ? 0 : 1;
        if (first == MCAST_NO_SEAT && (!heard || !passes(member, view, seat))) {
            first = i;
        }
    }
    return silent > 1 && silent + 1 >= view->alive ? view->self : first;
}

static void accuse(struct mcast_member *member, struct mcast_view_state *view) {
    uint32_t seat = broken_seat(member, view);
    bool again = view->ring.accused >= view->ring.still_since;
    view->ring.accused = member->now;
    if (seat == MCAST_NO_SEAT) {
        return;
    }
    if (seat != view->self) {
        struct mcast_service_message message = {.kind = MCAST_SM_SUSPECT};
        message.as.suspect.node = view->seats[seat].node;
        message.as.suspect.view = view->number;
        mcast_say(member, &message);
    } else if (again) {
        struct mcast_service_message bye = {.kind = MCAST_SM_BYE};
        mcast_say(member, &bye);
        member->wants_eviction = true;
    }
}

/* Whether the service is there to hear of it; without it this node may be the one that is cut off,
 * and rule 1.0.11 holds. */
static bool is_served(const struct mcast_member *member) {
    return member->connected && member->welcomed &&
           member->now <= member->service_heard + 3 * member->heartbeat;
}

void mcast_suspect_review(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    if (!ring->out || view->alive <= 1 || !is_served(member)) {
        ring->still_since = 0;
        return;
    }
    if (ring->still_since == 0) {
        ring->still_since = member->now;
    }
    mcast_time still = member->now - ring->still_since;
    if (still < member->heartbeat || member->now < ring->called + member->heartbeat) {
        return;
    }
    mcast_time since = ring->accused > ring->still_since ? ring->accused : 0;
    bool due = since == 0 ? still >= member->suspicion
                          : member->now - since >= member->suspicion / 2;
    if (due) {
        accuse(member, view);
    }
    ring->called = member->now;
    call(member, view);
}
