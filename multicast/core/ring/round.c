/* Round: the work of a region view's leader (rules 1.8, 1.10). It releases tokens, learns from
 * those that come home what every member received, acknowledges it to senders, and lets the region
 * purge. A lost token is a lost round; another follows. */
#include "member/member_state.h"

/* A member that does not pass the end on is frozen: it comes back or is declared dead well before.
 */
enum { ENDS_MOST = 60 };

static void ring_alarm(struct mcast_member *member, struct mcast_alarm *self);

/* Set the alarm for the next round. */
static void await_round(struct mcast_member *member, struct mcast_view_state *view,
                        mcast_time due) {
    struct mcast_ring *ring = &view->ring;
    mcast_time look = mcast_pace_look(member, view, due);
    ring->due = due;
    ring->looks = look < due;
    mcast_alarm_set(member, &ring->alarm, look);
}

/* Return the view that a ring's alarm belongs to. */
static struct mcast_view_state *view_of(struct mcast_alarm *alarm) {
    uint8_t *ring = (uint8_t *)alarm - offsetof(struct mcast_ring, alarm);
    return (struct mcast_view_state *)(void *)(ring - offsetof(struct mcast_view_state, ring));
}

void mcast_ring_init(struct mcast_view_state *view) {
    view->ring.alarm.ring = ring_alarm;
    view->ring.waits_for = MCAST_NO_SEAT;
}

void mcast_ring_wake(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    if (ring->interval != 0 || !mcast_layout_leads_region(view) || view->ended) {
        return;
    }
    ring->interval = member->config.interval_floor;
    if (member->config.pace == MCAST_ADAPTIVE) {
        mcast_alarm_set(member, &ring->alarm, mcast_pace_first(member, view));
    }
}

void mcast_ring_review(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    bool leads = mcast_layout_leads_region(view);
    if (leads && !ring->leading) {
        ring->leading = true;
        ring->heard = member->now;
        for (size_t i = 0; i < view->stream_count; i++) {
            view->streams[i]->quiescent = false; /* the former leader may not have told all */
        }
        mcast_alarm_set(member, &ring->alarm, member->now + member->config.interval_floor);
    }
    ring->leading = leads;
}

void mcast_record_begin(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, struct mcast_record *record) {
    struct mcast_judged *judged = mcast_stream_judged(member, stream);
    mcast_record_clear(record);
    record->sender = stream->sender;
    record->hi = stream->hi;
    /* A leader that fell behind counts no more than any other demoted node (rule 1.0.4). */
    record->contig = view->seats[view->self].demoted ? stream->hi : stream->contig;
    record->low = view->self;
    if (judged == NULL) {
        record->flags = MCAST_RECORD_FRESH;
        return;
    }
    mcast_stream_settle(member, stream);
    uint64_t cut = stream->settled;
    if (member->config.pace == MCAST_FIXED && cut > judged->hi) {
        cut = judged->hi; /* in the papers' mode, judge what the round before had seen */
    }
    record->cut = judged->cut = cut > judged->cut ? cut : judged->cut;
    record->purge = judged->contig > stream->purged ? judged->contig : stream->purged;
    record->before = judged->before;
    judged->reach = stream->hi;
    if (judged->own.count > 0 || judged->own.known != UINT32_MAX) {
        record->last = judged->own;
        record->flags |= MCAST_RECORD_OWN;
    }
    if (stream->peer->dead) {
        record->flags |= MCAST_RECORD_DEAD | MCAST_RECORD_AWARE;
        record->cut = stream->hi;
        record->want = record->lacking = judged->want;
        if (stream->skip != NULL) {
            record->skip = *stream->skip;
            record->flags |= MCAST_RECORD_SKIP | (judged->skip_told ? MCAST_RECORD_SKIP_NOW : 0);
        }
    }
    if (member->config.ack_ranges > 0 && !stream->peer->dead && !mcast_apart_is_on(member, view)) {
        record->flags |= MCAST_RECORD_GAPS;
    }
    /* Each member checks for itself, with this same purge, that it has everything and keeps
     * nothing. */
    bool at_rest =
        judged->hi == stream->hi && record->purge == stream->hi && stream->contig == stream->hi;
    if (at_rest && (!stream->peer->dead || judged->aware)) {
        record->flags |= MCAST_RECORD_QUIESCENT;
    }
}

static uint64_t active_streams(const struct mcast_view_state *view) {
    uint64_t active = 0;
    for (size_t i = 0; i < view->stream_count; i++) {
        active += mcast_stream_is_active(view->streams[i]) ? 1 : 0;
    }
    return active;
}

static void release(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    ring->count++;
    ring->released = member->now;
    ring->parts = ring->parts_home = ring->asked_now = 0;
    ring->out = true;
    ring->owing = ring->owing || active_streams(view) != 0;
    struct mcast_token_head head = {
        .round = MCAST_ROUND(view->self, ring->count, 0),
        .stage = MCAST_STAGE_ACROSS,
        .flags = MCAST_TOKEN_LAST,
    };
    if (mcast_view_is_stable(view)) {
        head.flags |= MCAST_TOKEN_ENDED;
        view->ends_tried++;
    } else if (mcast_apart_is_on(member, view)) {
        head.flags |= MCAST_TOKEN_LEADERS;
    } else if (mcast_pace_doubles(member, view)) {
        head.flags |= MCAST_TOKEN_TWICE;
    }
    mcast_token_pass(member, view, &head, NULL, MCAST_NO_SEAT);
    /* A round costs its hops and an acknowledgement for each sender. */
    uint64_t hops =
        (head.flags & MCAST_TOKEN_LEADERS) != 0 ? view->partitions : mcast_layout_hops(view);
    hops *= (head.flags & MCAST_TOKEN_TWICE) != 0 ? 2 : 1;
    ring->cost = hops * ring->parts + active_streams(view) + ring->asked;
    mcast_pace_spent(member, view, ring->cost);
}

static bool is_anything_missing(const struct mcast_view_state *view) {
    for (size_t i = 0; i < view->stream_count; i++) {
        const struct mcast_stream *stream = view->streams[i];
        if (mcast_stream_is_active(stream) && (stream->judged == NULL || stream->judged->missing)) {
            return true;
        }
    }
    return false;
}

static void ring_alarm(struct mcast_member *member, struct mcast_alarm *self) {
    struct mcast_view_state *view = view_of(self);
    if (view->ended) {
        mcast_view_review(member, view);
        return;
    }
    if (mcast_view_abandon(member, view)) {
        return;
    }
    if (!mcast_layout_leads_region(view)) {
        if (view->closing) {
            mcast_time again = mcast_view_patience(member, view);
            mcast_alarm_set(member, self, again > member->now ? again : member->now + MCAST_SECOND);
        }
        return;
    }
    if (view->ring.looks && !mcast_pace_is_due(member, view)) {
        await_round(member, view, view->ring.due);
        return;
    }
    if (view->ring.out && member->config.pace == MCAST_ADAPTIVE) {
        view->ring.unrest = true; /* the round is lost, or very late */
        view->ring.lost_at = member->now;
        if (is_anything_missing(view)) {
            view->ring.asked =
                mcast_pace_requests(member, view); /* nobody reports how many requests it caused */
        }
    }
    mcast_suspect_review(member, view);
    if (mcast_apart_is_due(member, view)) {
        mcast_alarm_set(member, self, member->now + member->config.interval_floor);
        return;
    }
    release(member, view);
    if (view->ends_tried > ENDS_MOST) {
        mcast_view_end(member, view); /* the others have gone: only the announcement was left */
    }
    if (!view->ended) {
        await_round(member, view, mcast_pace_next(member, view));
    }
}

/* Judge what a round showed about a dead sender (rule 1.0.8). */
static void judge_death(struct mcast_member *member, struct mcast_stream *stream,
                        const struct mcast_record *record) {
    struct mcast_judged *judged = stream->judged;
    bool aware = (record->flags & MCAST_RECORD_AWARE) != 0;
    if ((record->flags & MCAST_RECORD_SKIP) != 0) {
        judged->skip_told = true;
    }
    if ((record->flags & MCAST_RECORD_SKIP_NOW) != 0) {
        mcast_skip_forget(member, stream);
        judged->skip_told = false;
    }
    /* Nobody has a copy, all know that none will come from the sender, and somebody waits. */
    if (aware && judged->aware && record->lacking.count > 0 && stream->skip == NULL) {
        mcast_skip_propose(member, stream, &record->lacking);
    }
    judged->want = record->wanted;
    judged->aware = aware;
}

void mcast_round_record(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_record *record, uint64_t round) {
    struct mcast_stream *stream = mcast_stream_find(view, record->sender);
    if (stream == NULL) {
        return;
    }
    if (stream->sender != member->node && record->hi > stream->hi) {
        mcast_stream_know(member, stream, record->hi);
    }
    struct mcast_judged *judged = mcast_stream_judged(member, stream);
    if (judged == NULL || (record->flags & MCAST_RECORD_FRESH) != 0) {
        mcast_stream_rouse(member, stream); /* some member does not know yet that it rests */
        return;
    }
    judged->missing = (record->flags & MCAST_RECORD_MISSING) != 0;
    mcast_slow_node_judge(member, view, judged, record);
    judged->hi = record->hi;
    bool newest =
        MCAST_ROUND_SET(round) == MCAST_ROUND_SET(MCAST_ROUND(view->self, view->ring.count, 0));
    if (mcast_apart_is_on(member, view)) {
        judged->before = record->hi; /* each partition's list says itself how far it goes */
        mcast_apart_learn(stream, record);
    } else {
        judged->before = newest ? judged->reach : record->cut;
    }
    judged->own = record->own;
    judged->low = record->low;
    if (stream->sender == member->node && view->out != NULL) {
        view->out->low = record->low;
        view->out->low_at = member->now;
    }
    if (record->contig > judged->contig) {
        judged->contig = record->contig;
    }
    if (stream->peer->dead && (record->flags & MCAST_RECORD_DEAD) != 0) {
        judge_death(member, stream, record);
    }
    /* A lost ACK is requested by a high-water mark; in the papers' mode each round repeats it. */
    bool news = judged->contig != judged->acked ||
                ((record->flags & MCAST_RECORD_GAPS) != 0 && judged->missing);
    if (!stream->quiescent && (news || member->config.pace == MCAST_FIXED)) {
        mcast_ack_send(member, view, stream, record);
    }
}

/* Settle the charge for requests. A round is charged in advance with as many as the last one that
 * came home caused. */
static void settle_requests(struct mcast_member *member, struct mcast_view_state *view) {
    struct mcast_ring *ring = &view->ring;
    if (ring->asked_now > ring->asked) {
        mcast_pace_spent(member, view, ring->asked_now - ring->asked);
    }
    ring->cost = ring->cost - ring->asked + ring->asked_now;
    ring->asked = ring->asked_now;
}

void mcast_round_complete(struct mcast_member *member, struct mcast_view_state *view,
                          const struct mcast_token_head *head) {
    struct mcast_ring *ring = &view->ring;
    ring->still_since = 0;
    if ((head->flags & MCAST_TOKEN_ENDED) != 0) {
        mcast_view_end(member, view);
        mcast_alarm_stop(member, &ring->alarm);
        view->ring.heard = 0; /* all know: nothing to linger for */
        mcast_view_review(member, view);
        return;
    }
    if (MCAST_ROUND_SET(head->round) != MCAST_ROUND_SET(MCAST_ROUND(view->self, ring->count, 0))) {
        return; /* an older, overlapping round: only its records count */
    }
    ring->asked_now += head->asked;
    ring->parts_home++;
    if (ring->parts_home < ring->parts) {
        return;
    }
    settle_requests(member, view);
    ring->home = ring->count;
    ring->heard = member->now;
    mcast_time took = member->now - ring->released;
    ring->rtt = ring->rtt == 0 ? took : (7 * ring->rtt + took) / 8;
    ring->out = ring->owing = false;
    ring->unrest = is_anything_missing(view);
    member->stats.rounds++;
    member->stats.token_rtt = ring->rtt;
    if (member->config.pace == MCAST_ADAPTIVE) {
        await_round(member, view, mcast_pace_next(member, view));
    }
}
