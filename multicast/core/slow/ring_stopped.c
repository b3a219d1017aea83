/* Suspect: the ring of a region stands still (rule 1.5: a node that fails is suspected).
 *
 * A node that speaks to the service and hears no datagrams, or whose own get nowhere, is alive for
 * the service, and no token passes it. Its leader sees only that no round comes home. After a
 * heartbeat of that it calls the region by name: who hears it says which round passed there last.
 * After the time of suspicion, and several calls, the first seat that answered none of them, or
 * that no token reaches, is accused, and again half of that time later; then the service removes
 * it. Nobody at all of several answers a leader who hears nothing itself, or the network is away:
 * when it has waited as long as for a region that is gone, it goes, and takes the state from the
 * others. */
#include "member/member_state.h"

/* Calls, answers and tokens may be lost like anything: so many in a row are no accident. */
enum { CALLS_LEAST = 4, CALLS_AGAIN = 2 };

/* Where an answer says which token of a round, a call says which seat, counted from 1, its caller
 * waits for. */
enum { SEATS_NAMED = 255 };

void mcast_suspect_call(struct mcast_member *member, struct mcast_view_state *view) {
    uint32_t waits_for = mcast_laggard_seat(member, view);
    uint32_t named = waits_for < SEATS_NAMED ? waits_for + 1 : 0;
    struct mcast_writer writer = mcast_emit_begin(member, 8);
    mcast_write_u64(&writer, MCAST_ROUND(view->self, view->ring.count, named));
    mcast_emit(member, &writer, MCAST_WIRE_CALL, 0, view->number, &view->address);
    mcast_pace_spent(member, view, view->alive); /* with the answers */
}

static bool is_silent(const struct mcast_view_state *view, const struct mcast_seat *seat) {
    return view->ring.calls - seat->answered >= CALLS_LEAST;
}

/* Compares what the answers to the last call say: a round was at the seat before that did not come
 * here. Each such round counts once, however often it is told: of those after it that were lost
 * before both, nothing follows. A round that passed here begins the count anew (recv_call.c). Where
 * partitions turn apart, tokens of the region pass their leaders alone. */
static void compare_answers(const struct mcast_member *member, struct mcast_view_state *view) {
    uint64_t before = MCAST_ROUND_SET(MCAST_ROUND(view->self, view->ring.count, 0));
    for (uint32_t i = 0; i < view->count; i++) {
        struct mcast_seat *seat = &view->seats[i];
        if (seat->dead || i == view->self || seat->passed == MCAST_PASSED_UNKNOWN ||
            mcast_apart_is_on(member, view)) {
            continue;
        }
        if (seat->passed < before && seat->reached < before && seat->answered == view->ring.calls) {
            seat->missed++;
            seat->reached = before;
        }
        before = seat->passed;
    }
}

/* The first seat where the ring breaks, MCAST_NO_SEAT if none is known; that of this node when
 * nobody else of several answers. */
static uint32_t broken_seat(const struct mcast_view_state *view) {
    uint32_t first = MCAST_NO_SEAT;
    uint32_t silent = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct mcast_seat *seat = &view->seats[i];
        if (seat->dead || i == view->self) {
            continue;
        }
        bool hears = !is_silent(view, seat);
        silent += hears ? 0 : 1;
        if (first == MCAST_NO_SEAT && (!hears || seat->missed >= CALLS_LEAST)) {
            first = i;
        }
    }
    return silent > 1 && silent + 1 >= view->alive ? view->self : first;
}

static void accuse(struct mcast_member *member, struct mcast_view_state *view) {
    uint32_t seat = broken_seat(view);
    view->ring.accused = member->now;
    if (seat == MCAST_NO_SEAT) {
        return;
    }
    if (seat != view->self) {
        struct mcast_service_message message = {.kind = MCAST_SM_SUSPECT};
        message.as.suspect.node = view->seats[seat].node;
        message.as.suspect.view = view->number;
        mcast_say(member, &message);
    } else if (member->now > mcast_member_patience(member, view->ring.still_since)) {
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

/* Whether it is time to accuse somebody, for the first time or again. */
static bool is_due(const struct mcast_member *member, const struct mcast_ring *ring) {
    uint32_t calls = ring->calls - ring->first_call;
    if (ring->accused < ring->still_since) {
        return member->now - ring->still_since >= member->suspicion && calls >= CALLS_LEAST;
    }
    return member->now - ring->accused >= member->suspicion / 2 &&
           calls >= CALLS_LEAST + CALLS_AGAIN;
}

void mcast_suspect_review(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    if (!ring->out || view->alive <= 1 || !is_served(member)) {
        ring->still_since = 0;
        return;
    }
    if (ring->still_since == 0) {
        ring->still_since = member->now;
        ring->first_call = ring->calls;
    }
    if (member->now - ring->still_since < member->heartbeat ||
        member->now < ring->called + member->heartbeat) {
        return;
    }
    compare_answers(member, view);
    if (is_due(member, ring)) {
        accuse(member, view);
    }
    mcast_suspect_call(member, view);
    ring->called = member->now;
    ring->calls++;
}
