/* Forgotten peers: dead nodes of which nothing more can arrive (rules 1.0.8, 1.0.11, 1.0.12).
 *
 * A dead node stays a peer for a time, so that it can be told EVICTED when it speaks, and as long
 * as a view seats it or holds a stream of it. After that only its name is kept, in a range set,
 * since names are consecutive. A forgotten node stays dead, also for a new membership service:
 * REPORT lists the newest forgotten names. When a token of a view that ends slowly still names one,
 * it becomes a peer again, marked as dead. */
#include "base/memory.h"
#include "member/member_state.h"

enum {
    RANGES_MOST = 512,    /* ranges of forgotten names */
    REPORTED_MOST = 4096, /* names in a REPORT */
    AGAIN_SECONDS = 60,   /* between reviews */
};

static void ring_forget(struct mcast_member *member, struct mcast_alarm *self);

int mcast_forget_init(struct mcast_member *member) {
    member->forget_alarm.ring = ring_forget;
    member->forgotten = mcast_ranges_new(&member->alloc, RANGES_MOST);
    return member->forgotten == NULL ? MCAST_ENOMEM : MCAST_OK;
}

void mcast_forget_free(struct mcast_member *member) {
    mcast_alarm_stop(member, &member->forget_alarm);
    mcast_ranges_free(member->forgotten);
    member->forgotten = NULL;
}

bool mcast_is_forgotten(const struct mcast_member *member, mcast_node node) {
    return mcast_ranges_contains(member->forgotten, node);
}

void mcast_forget_later(struct mcast_member *member, struct mcast_peer *peer) {
    peer->died_at = member->now;
    if (!mcast_timer_is_set(&member->forget_alarm.timer)) {
        mcast_alarm_set(member, &member->forget_alarm, member->now + member->config.forget_time);
    }
}

struct mcast_peer *mcast_peer_recall(struct mcast_member *member, mcast_node node) {
    if (mcast_peer_find(member, node) == NULL && mcast_is_forgotten(member, node)) {
        mcast_peer_meet_dead(member, node);
    }
    return mcast_peer_find(member, node);
}

static bool is_needed(const struct mcast_member *member, const struct mcast_peer *peer) {
    for (const struct mcast_view_state *view = member->first_view; view != NULL;
         view = view->next) {
        bool seated =
            mcast_view_is_member(view) && mcast_layout_seat(view, peer->node) != MCAST_NO_SEAT;
        if (seated || mcast_stream_find(view, peer->node) != NULL) {
            return true;
        }
    }
    return mcast_fragments_has(member, peer->node);
}

/* Add @node to the forgotten names. When the set is full, the lowest and so oldest name makes room.
 */
static bool add_name(struct mcast_member *member, mcast_node node) {
    int code = mcast_ranges_add(member->forgotten, node, node);
    if (code == MCAST_EFULL) {
        struct mcast_range oldest = mcast_ranges_at(member->forgotten, 0);
        (void)mcast_ranges_remove(member->forgotten, oldest.first, oldest.last);
        code = mcast_ranges_add(member->forgotten, node, node);
    }
    member->short_of_memory |= code == MCAST_ENOMEM;
    return code == MCAST_OK;
}

/* Forget @peer if nothing needs it. Return true when it has to be reviewed again later. */
static bool forget_if_unneeded(struct mcast_member *member, struct mcast_peer *peer) {
    bool due = member->now >= peer->died_at + member->config.forget_time;
    if (!due || is_needed(member, peer) || !add_name(member, peer->node)) {
        return true;
    }
    mcast_peer_end(member, peer);
    return false;
}

static void ring_forget(struct mcast_member *member, struct mcast_alarm *self) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    size_t count = 0;
    struct mcast_peer **dead = (struct mcast_peer **)(void *)mcast_scratch(
        member, (member->peers.count + 1) * sizeof(struct mcast_peer *));
    while (dead != NULL && mcast_map_next(&member->peers, &cursor, &slot)) {
        struct mcast_peer *peer = (struct mcast_peer *)(uintptr_t)slot.value;
        if (peer->dead) {
            dead[count++] = peer; /* the map must not change during the walk */
        }
    }
    bool again = dead == NULL;
    bool forgot = false;
    for (size_t i = 0; i < count; i++) {
        bool stays = forget_if_unneeded(member, dead[i]);
        again = stays || again;
        forgot = !stays || forgot;
    }
    if (forgot) {
        mcast_heard_forget(member);
    }
    mcast_time wait = AGAIN_SECONDS * MCAST_SECOND;
    if (again) {
        mcast_alarm_set(
            member, self,
            member->now + (wait < member->config.forget_time ? wait : member->config.forget_time));
    }
}

size_t mcast_forgotten_count(const struct mcast_member *member) {
    size_t count = 0;
    for (size_t i = mcast_ranges_count(member->forgotten); i > 0 && count < REPORTED_MOST; i--) {
        struct mcast_range range = mcast_ranges_at(member->forgotten, i - 1);
        count += (size_t)(range.last - range.first) + 1;
    }
    return count < REPORTED_MOST ? count : REPORTED_MOST;
}

size_t mcast_forgotten_names(const struct mcast_member *member, mcast_node *names) {
    size_t most = mcast_forgotten_count(member);
    size_t count = 0;
    for (size_t i = mcast_ranges_count(member->forgotten); i > 0 && count < most; i--) {
        struct mcast_range range = mcast_ranges_at(member->forgotten, i - 1);
        for (uint64_t name = range.last; name >= range.first && count < most; name--) {
            names[count++] = (mcast_node)name;
        }
    }
    return count;
}

void mcast_peer_meet_dead(struct mcast_member *member, mcast_node node) {
    if (mcast_peer_find(member, node) != NULL) {
        return;
    }
    if (mcast_peer_put(member, &(struct mcast_sm_node){.node = node}) != MCAST_OK) {
        member->short_of_memory = true;
        return;
    }
    struct mcast_peer *peer = mcast_peer_find(member, node);
    peer->dead = true;
    mcast_forget_later(member, peer);
}
