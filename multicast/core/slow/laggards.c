/* Laggards: the members that this node waits for, derived from what it knows anyway.
 *
 * An ACK names the seat that holds it back. The leader of a region knows which seats answer none of
 * its calls, and names them in the next call (slow/ring_stopped.c); when nothing is heard of a
 * leader whose region owes an ACK, it is the leader. Everybody knows the demoted members by the
 * view, and a receiver that requests a pause is known by name. */
#include "mcast/laggard.h"
#include "member/member_state.h"

#define LAGS_AFTER (500 * MCAST_MILLISECOND)     /* a shorter wait is not listed */
#define ANSWERS_WITHIN (100 * MCAST_MILLISECOND) /* time for a call and its answer */

enum { HEARTBEATS_HEARD = 2 }; /* how long the word of a leader counts */

struct list {
    struct mcast_laggard *items;
    size_t count;
    size_t most;
};

/* Add a node; one that is waited for in two regions is listed once. */
static void add(struct list *list, const struct mcast_laggard *found) {
    for (size_t i = 0; i < list->count; i++) {
        struct mcast_laggard *known = &list->items[i];
        if (known->node == found->node && known->kind == found->kind &&
            known->group == found->group) {
            known->packets += found->packets;
            known->age = found->age > known->age ? found->age : known->age;
            return;
        }
    }
    if (list->count < list->most) {
        list->items[list->count++] = *found;
    }
}

static mcast_time time_since(mcast_time now, mcast_time then) {
    return now > then ? now - then : 0;
}

/* Return for how long a seat has answered none of our calls. */
static mcast_time unanswered_for(const struct mcast_view_state *view, const struct mcast_seat *seat,
                                 mcast_time now) {
    const struct mcast_ring *ring = &view->ring;
    bool called = ring->still_since != 0 && ring->calls != ring->first_call &&
                  mcast_layout_leads_region(view);
    /* The counter wraps round: compare by difference only. */
    uint32_t missed = ring->calls - seat->answered;
    bool silent = missed > 1 || (missed == 1 && now >= ring->called + ANSWERS_WITHIN);
    mcast_time calls = called && silent ? time_since(now, ring->still_since) : 0;
    mcast_time owes = seat->owes_since == 0 ? 0 : time_since(now, seat->owes_since);
    return owes > calls ? owes : calls;
}

uint32_t mcast_laggard_seat(const struct mcast_member *member,
                            const struct mcast_view_state *view) {
    uint32_t found = MCAST_NO_SEAT;
    mcast_time longest = LAGS_AFTER - 1;
    for (uint32_t i = 0; i < view->count; i++) {
        mcast_time silence = unanswered_for(view, &view->seats[i], member->now);
        if (i != view->self && !view->seats[i].dead && silence > longest) {
            found = i;
            longest = silence;
        }
    }
    return found;
}

/* Return for how long the oldest packet under way has waited. */
static mcast_time oldest_wait(const struct mcast_view_state *view, mcast_time now) {
    const struct mcast_outbound *out = view->out;
    const struct mcast_packet *oldest =
        out == NULL ? NULL : mcast_outbound_find(out, out->acked + 1);
    return oldest == NULL ? 0 : time_since(now, oldest->sent_at);
}

/* Return the seat that the leader says it waits for, while it says so. */
static uint32_t seat_named_by_leader(const struct mcast_member *member,
                                     const struct mcast_view_state *view, mcast_time now) {
    const struct mcast_ring *ring = &view->ring;
    bool fresh = time_since(now, ring->spoken) <= HEARTBEATS_HEARD * member->heartbeat;
    bool known = ring->waits_for < view->count && !view->seats[ring->waits_for].dead;
    bool waits = oldest_wait(view, now) >= LAGS_AFTER && !mcast_layout_leads_region(view);
    return fresh && known && waits ? ring->waits_for : MCAST_NO_SEAT;
}

/* True when nothing is heard of the leader, though it owes an acknowledgement. */
static bool is_leader_silent(const struct mcast_member *member, const struct mcast_view_state *view,
                             mcast_time now) {
    mcast_time patience = HEARTBEATS_HEARD * member->heartbeat;
    patience = patience > LAGS_AFTER ? patience : LAGS_AFTER;
    return !mcast_layout_leads_region(view) && oldest_wait(view, now) >= patience &&
           time_since(now, view->ring.heard) >= patience &&
           time_since(now, view->ring.spoken) >= patience &&
           time_since(now, view->out->heard) >= patience;
}

/* Return for how long the seat has been silent, as far as this node can tell. */
static mcast_time silence_of(const struct mcast_member *member, const struct mcast_view_state *view,
                             uint32_t seat, mcast_time now) {
    mcast_time age = unanswered_for(view, &view->seats[seat], now);
    bool leads = seat == mcast_layout_region_leader(view);
    bool said = seat_named_by_leader(member, view, now) == seat;
    if (said || (leads && is_leader_silent(member, view, now))) {
        mcast_time own = oldest_wait(view, now);
        age = own > age ? own : age;
    }
    return age;
}

/* Return the seat that lacks the oldest packet under way, though a round long after it asked the
 * seat. */
static uint32_t lagging_seat(const struct mcast_view_state *view, mcast_time now) {
    const struct mcast_outbound *out = view->out;
    mcast_time age = oldest_wait(view, now);
    if (age < LAGS_AFTER || out->low >= view->count || out->low == view->self ||
        view->seats[out->low].dead || out->low_at + age < now + ANSWERS_WITHIN) {
        return MCAST_NO_SEAT;
    }
    return out->low;
}

static uint64_t under_way(const struct mcast_view_state *view) {
    return view->out == NULL ? 0 : view->out->last - view->out->acked;
}

/* Add the laggards of one region view: silent seats, demoted seats, and the seat that lacks our
 * packets. */
static void add_laggards_of(const struct mcast_member *member, const struct mcast_view_state *view,
                            mcast_time now, struct list *list) {
    bool silent = false;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct mcast_seat *seat = &view->seats[i];
        if (i == view->self || seat->dead) {
            continue;
        }
        struct mcast_laggard found = {.node = seat->node, .group = MCAST_NO_GROUP};
        if (seat->demoted) {
            found.kind = MCAST_LAGGARD_DEMOTED;
            add(list, &found);
        }
        found.age = silence_of(member, view, i, now);
        if (found.age >= LAGS_AFTER) {
            found.kind = MCAST_LAGGARD_SILENT;
            found.packets = under_way(view);
            silent = true;
            add(list, &found);
        }
    }
    uint32_t low = silent ? MCAST_NO_SEAT : lagging_seat(view, now);
    if (low != MCAST_NO_SEAT) {
        add(list, &(struct mcast_laggard){.node = view->seats[low].node,
                                          .kind = MCAST_LAGGARD_BEHIND,
                                          .group = MCAST_NO_GROUP,
                                          .packets = under_way(view),
                                          .age = oldest_wait(view, now)});
    }
}

size_t mcast_member_laggards(const struct mcast_member *member, mcast_time now,
                             struct mcast_laggard *laggards, size_t most) {
    struct list list = {.items = laggards, .most = most};
    const struct mcast_view_state *view = member->first_view;
    for (; view != NULL; view = view->next) {
        if (mcast_view_is_member(view) && view->committed && !view->ended) {
            add_laggards_of(member, view, now, &list);
        }
    }
    struct mcast_laggard braking = {.kind = MCAST_LAGGARD_BRAKING};
    for (size_t i = 0; mcast_slow_brake(member, i, now, &braking); i++) {
        if (braking.node != 0) {
            add(&list, &braking);
        }
    }
    return list.count;
}
