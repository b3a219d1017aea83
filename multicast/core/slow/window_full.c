/* Window full: senders have no room left because a member stands still (rules 1.0.3, 1.0.4: a slow
 * node).
 *
 * Packets that a member has not acknowledged are kept by their senders, and by all others for it: a
 * window each and no more. So one stopped member finally stops everybody. From the time when a
 * sender reports that an eighth of its window is in use and no token passes, the region is called:
 * by its leader or, when that is silent too, by the next seat that hears no earlier caller; eight
 * times in 0.2 seconds, then more and more rarely. Once a sender reports a full window, a member is
 * accused for that reason if it has been silent for 0.2 seconds and several times as long as the
 * slowest answer of the others, while most answer; the membership service removes it at once. The
 * others go on; the removed member learns when it runs again that it is out, and what it misses
 * (member/eviction.c). On a busy machine everybody answers late, and nobody is accused.
 *
 * With two members nobody else waits: the stopped one is suspected by the usual rule
 * (slow/ring_stopped.c). The papers' mode has no such rule. */
#include "member/member_state.h"

/* All of these are ours: the specification gives no figures for a member that stands still. */
#define CALL_STEP (25 * MCAST_MILLISECOND)      /* between calls: eight fit into 0.2 seconds */
#define AWAY_AFTER (2 * CALL_STEP)              /* a check later than this begins anew */
#define TOKEN_GAP (30 * MCAST_MILLISECOND)      /* longer than a round under a pressed sender */
#define REPORT_HOLDS (350 * MCAST_MILLISECOND)  /* how long a sender's report counts */
#define SILENCE_LEAST (200 * MCAST_MILLISECOND) /* shorter silence is normal */

enum {
    CALLS_LEAST = 4,     /* before anybody is accused */
    QUICK_CHECKS = 8,    /* before checks become rarer */
    INTERVAL_GROWTH = 4, /* the longest interval, in first intervals */
    SILENCE_FACTOR = 4,  /* silence that counts, in slowest answers */
    SEATS_A_STEP = 8,    /* live seats that make calls rarer by a step */
    ACCUSED_MOST = 8     /* accusations of one check */
};

/* Return the interval of calls: in a large region a call causes as many answers, so calls are
 * rarer. */
static mcast_time call_interval(const struct mcast_view_state *view) {
    return CALL_STEP * (1 + view->alive / SEATS_A_STEP);
}

/* Return how many live seats come before this one. */
static uint32_t rank(const struct mcast_view_state *view) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->self; i++) {
        count += view->seats[i].dead ? 0 : 1;
    }
    return count;
}

/* True when tokens stand still as far as this node can tell. The leader knows which rounds did not
 * come home; others saw no token for longer than a round under a pressed sender takes, and lower
 * seats conclude it earlier than higher ones. */
static bool is_still(const struct mcast_member *member, const struct mcast_view_state *view) {
    uint32_t before = rank(view);
    if (before == 0) {
        return view->ring.still_since != 0;
    }
    mcast_time turn = before * CALL_STEP;
    return member->now >= view->ring.heard + TOKEN_GAP + turn &&
           member->now >= view->ring.brink.since + turn;
}

/* True when this node has to call: it leads, or the seats before it are silent as well. */
static bool is_caller(const struct mcast_member *member, const struct mcast_view_state *view) {
    mcast_time longest = (INTERVAL_GROWTH + 1) * call_interval(view);
    return rank(view) == 0 || member->now >= view->ring.spoken + longest;
}

/* Return for how long a seat owes an answer. */
static mcast_time silence(const struct mcast_member *member, const struct mcast_seat *seat) {
    return seat->dead || seat->owes_since == 0 ? 0 : member->now - seat->owes_since;
}

/* Return how long a seat may be silent and count as merely slow. */
static mcast_time patience(const struct mcast_member *member, const struct mcast_view_state *view) {
    mcast_time slowest = view->ring.brink.slowest;
    for (uint32_t i = 0; i < view->count; i++) {
        mcast_time owes = silence(member, &view->seats[i]);
        slowest = owes < SILENCE_LEAST && owes > slowest ? owes : slowest;
    }
    return slowest * SILENCE_FACTOR > SILENCE_LEAST ? slowest * SILENCE_FACTOR : SILENCE_LEAST;
}

static void accuse_seat(struct mcast_member *member, const struct mcast_view_state *view,
                        const struct mcast_seat *seat) {
    struct mcast_service_message message = {.kind = MCAST_SM_SUSPECT};
    message.as.suspect.node = seat->node;
    message.as.suspect.view = view->number;
    message.as.suspect.full = true;
    mcast_say(member, &message);
}

/* Return by how much this check is later than planned. */
static mcast_time lateness(const struct mcast_member *member, const struct mcast_brink *brink) {
    return member->now > brink->look_at ? member->now - brink->look_at : 0;
}

/* True when this node did not run when it should have checked: answers may wait here unread. */
static bool was_not_running(const struct mcast_member *member, const struct mcast_brink *brink) {
    return lateness(member, brink) > CALL_STEP;
}

/* Accuse the members that stand still, if a sender waits for them and most of the region answers.
 */
static void accuse(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_brink *brink = &view->ring.brink;
    bool waits = brink->full_at != 0 && member->now < brink->full_at + REPORT_HOLDS;
    if (!waits || was_not_running(member, brink) || !is_caller(member, view) ||
        brink->looks < CALLS_LEAST || member->now < brink->accused_at + call_interval(view)) {
        return;
    }
    mcast_time most = patience(member, view);
    uint32_t still = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        still += silence(member, &view->seats[i]) >= most ? 1 : 0;
    }
    if (still == 0 || 2 * still >= view->alive) {
        return;
    }
    brink->accused_at = member->now;
    uint32_t said = 0;
    for (uint32_t i = 0; i < view->count && said < ACCUSED_MOST; i++) {
        if (silence(member, &view->seats[i]) >= most) {
            accuse_seat(member, view, &view->seats[i]);
            said++;
        }
    }
}

/* True when the budget allows a call. A call and its answers leave twice their cost to rounds; a
 * node that does not lead knows little of what others spent and leaves more. Rounds that do not
 * come home wait until the budget is as large, or they would take each packet that it earns. */
static bool is_affordable(struct mcast_member *member, struct mcast_view_state *view) {
    uint32_t others = rank(view) > 0 ? 5 : 2;
    uint32_t packets = view->alive * (1 + others);
    if (!mcast_pace_allows(member, view, packets)) {
        view->ring.brink.reserved = packets;
        return false;
    }
    view->ring.brink.reserved = 0;
    if (rank(view) > 0) {
        mcast_pace_spent(member, view, (uint64_t)view->alive * others);
    }
    return true;
}

static void call_region(struct mcast_member *member, struct mcast_view_state *view) {
    if (!is_affordable(member, view)) {
        return; /* at the next check, perhaps */
    }
    for (uint32_t i = 0; i < view->count; i++) {
        struct mcast_seat *seat = &view->seats[i];
        if (i != view->self && seat->owes_since == 0) {
            seat->owes_since = member->now;
        }
    }
    mcast_suspect_call(member, view);
}

/* The first calls give the result; later ones are for members that stop later. */
static mcast_time next_interval(const struct mcast_view_state *view) {
    const struct mcast_brink *brink = &view->ring.brink;
    mcast_time most = INTERVAL_GROWTH * call_interval(view);
    mcast_time longer = brink->looks > QUICK_CHECKS ? 2 * brink->interval : call_interval(view);
    return longer < most ? longer : most;
}

/* Clear the owed answers: only calls from now on count. */
static void begin_calls(struct mcast_view_state *view) {
    for (uint32_t i = 0; i < view->count; i++) {
        view->seats[i].owes_since = 0;
    }
    view->ring.brink.looks = view->ring.brink.reserved = 0;
    view->ring.brink.interval = call_interval(view);
}

/* Ignore silence from the time when this node did not run. Other nodes were probably not scheduled
 * either: after a long time, begin anew. */
static void ignore_silence(const struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_brink *brink = &view->ring.brink;
    mcast_time late = lateness(member, brink);
    for (uint32_t i = 0; i < view->count; i++) {
        view->seats[i].owes_since += view->seats[i].owes_since > 0 ? late : 0;
    }
    brink->slowest = late > brink->slowest ? late : brink->slowest;
}

/* Schedule the next check, sooner if tokens may be found standing still before. */
static void schedule_check(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_brink *brink = &view->ring.brink;
    mcast_time soonest = member->now + CALL_STEP / 5;
    mcast_time still = view->ring.heard + TOKEN_GAP + rank(view) * CALL_STEP;
    brink->look_at = member->now + brink->interval;
    if (brink->looks == 0 && still < brink->look_at) {
        brink->look_at = still > soonest ? still : soonest;
    }
    mcast_alarm_set(member, &brink->alarm, brink->look_at);
}

static void ring_brink(struct mcast_member *member, struct mcast_alarm *self) {
    uint8_t *ring = (uint8_t *)self - offsetof(struct mcast_ring, brink.alarm);
    struct mcast_view_state *view =
        (struct mcast_view_state *)(void *)(ring - offsetof(struct mcast_view_state, ring));
    struct mcast_brink *brink = &view->ring.brink;
    bool over = member->now >= brink->told_at + REPORT_HOLDS + brink->interval;
    if (view->ended || over || mcast_apart_is_on(member, view)) {
        brink->reserved = 0;
        return;
    }
    if (!is_still(member, view) || lateness(member, brink) > AWAY_AFTER) {
        begin_calls(view);
    } else {
        ignore_silence(member, view);
        if (is_caller(member, view)) {
            accuse(member, view);
            call_region(member, view);
        }
        brink->looks++;
        brink->interval = next_interval(view);
    }
    schedule_check(member, view);
}

void mcast_brink_init(struct mcast_view_state *view) {
    view->ring.brink.alarm.ring = ring_brink;
}

void mcast_brink_told(struct mcast_member *member, struct mcast_view_state *view, uint8_t flags) {
    struct mcast_brink *brink = &view->ring.brink;
    if ((flags & (MCAST_FLAG_NEAR | MCAST_FLAG_FULL)) == 0 || !mcast_view_is_member(view) ||
        member->config.pace != MCAST_ADAPTIVE || view->ended) {
        return;
    }
    brink->told_at = member->now;
    if (!mcast_timer_is_set(&brink->alarm.timer)) {
        begin_calls(view);
        brink->since = member->now;
        if (rank(view) > 0) {
            mcast_pace_begin(member, view); /* the leader has spent the budget */
        }
        schedule_check(member, view);
    }
    if ((flags & MCAST_FLAG_FULL) != 0) {
        brink->full_at = member->window_full_at = member->now;
        accuse(member, view);
    }
}

void mcast_brink_answered(const struct mcast_member *member, struct mcast_view_state *view,
                          uint32_t seat) {
    struct mcast_brink *brink = &view->ring.brink;
    mcast_time took = silence(member, &view->seats[seat]);
    if (member->now >= brink->slow_since + 2 * MCAST_SECOND) {
        brink->slowest /= 2; /* old extremes fade */
        brink->slow_since = member->now;
    }
    if (took > brink->slowest && !was_not_running(member, brink)) {
        brink->slowest = took;
    }
    view->seats[seat].owes_since = 0;
}
