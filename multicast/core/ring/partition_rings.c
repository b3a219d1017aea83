/* Partition rings: each partition's ring turns independently, beside a ring of leaders (rule 1.8,
 * mode `independent`).
 *
 * A partition's leader sends a token round its partition at its own pace and keeps the result; the
 * region's token visits only the leaders and takes the results along. So a region's round takes as
 * many hops as there are partitions, not members. Values that are constant in a round (purge, cut,
 * what partitions hold) reach a partition with the region's token. While a sender is dead or a view
 * is closing, the region uses the single nested token again, whose rules are stricter. */
#include "base/memory.h"
#include "member/member_state.h"

enum { CALM_MILLISECONDS = 100 }; /* longest interval while data flows, as for the region */

static void ring_apart(struct mcast_member *member, struct mcast_alarm *self);

static struct mcast_view_state *view_of(struct mcast_alarm *alarm) {
    uint8_t *ring = (uint8_t *)alarm - offsetof(struct mcast_ring, apart_alarm);
    return (struct mcast_view_state *)(void *)(ring - offsetof(struct mcast_view_state, ring));
}

void mcast_apart_init(struct mcast_view_state *view) {
    view->ring.apart_alarm.ring = ring_apart;
}

static bool leads_partition(const struct mcast_view_state *view) {
    return mcast_view_is_member(view) &&
           mcast_layout_leader(view, mcast_layout_partition(view, view->self)) == view->self;
}

bool mcast_apart_is_on(const struct mcast_member *member, const struct mcast_view_state *view) {
    if (member->config.ring_mode != MCAST_INDEPENDENT || view->partitions < 2 || view->closing) {
        return false;
    }
    for (size_t i = 0; i < view->stream_count; i++) {
        const struct mcast_stream *stream = view->streams[i];
        if (stream->peer->dead && mcast_stream_is_active(stream)) {
            return false;
        }
    }
    return true;
}

void mcast_apart_wake(struct mcast_member *member, struct mcast_view_state *view) {
    bool sleeps = !mcast_timer_is_set(&view->ring.apart_alarm.timer);
    if (member->config.ring_mode == MCAST_INDEPENDENT && sleeps && leads_partition(view)) {
        view->ring.apart_interval = member->config.interval_floor;
        mcast_alarm_set(member, &view->ring.apart_alarm,
                        member->now + member->config.interval_floor);
    }
}

static struct mcast_apart *apart_of(struct mcast_member *member, struct mcast_stream *stream) {
    if (stream->apart == NULL) {
        stream->apart = mcast_memory_new(&member->alloc, 1, sizeof *stream->apart);
        if (stream->apart == NULL) {
            member->short_of_memory = true;
        }
    }
    return stream->apart;
}

/* Add what the partition's last round learned to the region's record. */
static void add_partition(const struct mcast_stream *stream, const struct mcast_apart *apart,
                          uint32_t partition, struct mcast_record *record) {
    uint64_t contig = apart->walked ? apart->contig : stream->purged;
    if (contig < record->contig) {
        record->contig = contig;
        record->low = apart->low;
    }
    if (apart->hi > record->hi) {
        record->hi = apart->hi;
    }
    if (!apart->walked || apart->missing || contig < record->cut) {
        record->flags |= MCAST_RECORD_MISSING;
    }
    if (record->own.count == MCAST_OWN_MOST) {
        record->own.known = record->own.known < partition ? record->own.known : partition;
        return;
    }
    struct mcast_own *own = &record->own.at[record->own.count++];
    own->partition = partition;
    own->missing = apart->owned;
    mcast_spans_trim(&own->missing, apart->walked ? apart->judged : stream->purged);
    record->flags |= MCAST_RECORD_OWN;
}

/* Take what earlier leaders of this round said about their partitions: it is newer than the result
 * of the round before. */
static void take_newer(struct mcast_own_list *last, const struct mcast_own_list *own,
                       uint32_t self) {
    for (uint32_t i = 0; i < last->count; i++) {
        const struct mcast_own *newer = mcast_own_find(own, last->at[i].partition);
        if (newer != NULL && newer->partition != self) {
            last->at[i].missing = newer->missing;
        }
    }
}

void mcast_apart_learn(struct mcast_stream *stream, const struct mcast_record *record) {
    if (stream->apart != NULL && stream->apart->told) {
        stream->apart->last = record->own;
        stream->apart->before = record->hi;
    }
}

void mcast_apart_merge(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream, struct mcast_record *record) {
    struct mcast_apart *apart = apart_of(member, stream);
    if (record->hi > stream->hi && stream->sender != member->node) {
        mcast_stream_know(member, stream, record->hi);
    }
    if (stream->hi > record->hi) {
        record->hi = stream->hi;
        record->flags &= ~(uint32_t)MCAST_RECORD_QUIESCENT;
    }
    if (apart == NULL) {
        record->flags |= MCAST_RECORD_FRESH;
    }
    if ((record->flags & MCAST_RECORD_FRESH) != 0) {
        return;
    }
    if (apart->owned.most == 0) {
        mcast_spans_clear(&apart->owned, MCAST_SPANS_MOST);
    }
    add_partition(stream, apart, mcast_layout_partition(view, view->self), record);
    apart->purge = record->purge;
    apart->cut = record->cut;
    apart->before = record->before;
    apart->last = record->last;
    take_newer(&apart->last, &record->own, mcast_layout_partition(view, view->self));
    apart->told = true;
    bool rests = apart->walked && apart->contig == record->hi && stream->contig == record->hi;
    if ((record->flags & MCAST_RECORD_QUIESCENT) != 0 && !rests) {
        record->flags &= ~(uint32_t)MCAST_RECORD_QUIESCENT;
    }
    apart->rest = (record->flags & MCAST_RECORD_QUIESCENT) != 0;
    mcast_apart_wake(member, view);
}

bool mcast_apart_begin(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream, struct mcast_record *record) {
    struct mcast_apart *apart = stream->apart;
    bool ready = apart != NULL && apart->told && !stream->peer->dead &&
                 (mcast_stream_is_active(stream) || apart->rest);
    if (!ready) {
        return false;
    }
    (void)member;
    mcast_record_clear(record);
    record->sender = stream->sender;
    record->purge = apart->purge;
    record->cut = apart->cut;
    record->before = apart->before;
    record->hi = apart->reach = stream->hi;
    record->contig = stream->contig;
    record->low = view->self;
    record->last = apart->last;
    record->own.known = 0; /* nothing of this round is known elsewhere */
    record->flags = MCAST_RECORD_OWN | (apart->rest ? MCAST_RECORD_QUIESCENT : 0);
    return true;
}

void mcast_apart_record(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_record *record, uint64_t round) {
    struct mcast_stream *stream = mcast_stream_find(view, record->sender);
    if (stream == NULL) {
        return;
    }
    if (record->hi > stream->hi && stream->sender != member->node) {
        mcast_stream_know(member, stream, record->hi);
    }
    if ((record->flags & MCAST_RECORD_FRESH) != 0 || stream->apart == NULL) {
        mcast_stream_rouse(member, stream);
        return;
    }
    struct mcast_apart *apart = stream->apart;
    const struct mcast_own *own = record->own.count > 0 ? &record->own.at[0] : NULL;
    apart->contig = record->contig;
    apart->low = record->low;
    apart->hi = record->hi;
    /* Everybody visited tells what should be kept beyond the cut (ring/token_visit.c), up to what
     * was known when the round began. */
    uint64_t newest = MCAST_ROUND_SET(MCAST_ROUND(view->self, view->ring.apart_count, 0));
    apart->judged = MCAST_ROUND_SET(round) == newest ? apart->reach : record->cut;
    apart->missing = (record->flags & MCAST_RECORD_MISSING) != 0;
    apart->walked = true;
    if (own != NULL) {
        apart->owned = own->missing;
    } else {
        mcast_spans_clear(&apart->owned, MCAST_SPANS_MOST);
    }
    apart->rest = apart->rest && (record->flags & MCAST_RECORD_QUIESCENT) == 0;
}

/* True when the partition has a reason for a round; @missing says if something is missing. */
static bool is_busy(const struct mcast_view_state *view, bool *missing) {
    bool busy = false;
    *missing = false;
    for (size_t i = 0; i < view->stream_count; i++) {
        const struct mcast_stream *stream = view->streams[i];
        if (mcast_stream_is_active(stream) || (stream->apart != NULL && stream->apart->rest)) {
            busy = true;
            *missing |= stream->apart != NULL && stream->apart->missing;
        }
    }
    return busy;
}

/* Return the share of the partition's ring: together these rings get two thirds of the control
 * budget (ring/control_budget.c). */
static int64_t share(const struct mcast_view_state *view, int64_t packets) {
    return packets * 2 / 3 * 1000 / (int64_t)view->partitions;
}

static void spend(struct mcast_member *member, struct mcast_view_state *view, uint64_t packets) {
    struct mcast_ring *ring = &view->ring;
    mcast_time gone = member->now - ring->apart_credited;
    gone = ring->apart_credited == 0 || gone > MCAST_SECOND ? MCAST_SECOND : gone;
    int64_t most = share(view, MCAST_BURST_PACKETS);
    ring->apart_credit +=
        (int64_t)(gone / MCAST_MICROSECOND) * share(view, MCAST_PACKETS_A_SECOND) / 1000000;
    ring->apart_credit = ring->apart_credit < most ? ring->apart_credit : most;
    ring->apart_credited = member->now;
    ring->apart_credit -= (int64_t)packets * 1000;
}

static mcast_time time_to_afford(const struct mcast_view_state *view) {
    int64_t credit = view->ring.apart_credit;
    return credit >= 0 ? 0
                       : (mcast_time)-credit * MCAST_SECOND /
                             (mcast_time)share(view, MCAST_PACKETS_A_SECOND);
}

/* Set the partition's next round: after @wait, or later when its budget allows one. */
static void set_alarm(struct mcast_member *member, struct mcast_view_state *view, mcast_time wait) {
    wait = wait > time_to_afford(view) ? wait : time_to_afford(view);
    if (member->config.pace == MCAST_FIXED || wait > member->config.interval_ceiling) {
        wait = member->config.interval_ceiling;
    }
    mcast_alarm_set(member, &view->ring.apart_alarm, member->now + wait);
}

/* The cost of a round is known only now; it delays the next one. */
void mcast_apart_complete(struct mcast_member *member, struct mcast_view_state *view,
                          uint32_t asked) {
    struct mcast_ring *ring = &view->ring;
    ring->apart_home = member->now;
    spend(member, view, asked);
    if (asked > 0 && mcast_timer_is_set(&ring->apart_alarm.timer)) {
        mcast_time due = ring->apart_alarm.timer.deadline;
        set_alarm(member, view, due > member->now ? due - member->now : 0);
    }
}

/* A region's round spreads what partition rounds learned: it waits for this partition's, a second
 * at most. */
bool mcast_apart_is_due(const struct mcast_member *member, const struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    bool walks = mcast_timer_is_set(&ring->apart_alarm.timer) && mcast_apart_is_on(member, view);
    return walks && ring->apart_home < ring->released &&
           member->now < ring->released + member->config.interval_ceiling;
}

static void ring_apart(struct mcast_member *member, struct mcast_alarm *self) {
    struct mcast_view_state *view = view_of(self);
    bool missing;
    if (view->ended || !leads_partition(view) || !is_busy(view, &missing)) {
        return;
    }
    struct mcast_ring *ring = &view->ring;
    if (mcast_apart_is_on(member, view)) {
        ring->apart_parts = 0;
        struct mcast_token_head head = {
            .round = MCAST_ROUND(view->self, ++ring->apart_count, 0),
            .stage = MCAST_STAGE_ACROSS,
            .flags = MCAST_TOKEN_LAST | MCAST_TOKEN_ALONE,
        };
        mcast_token_pass(member, view, &head, NULL, MCAST_NO_SEAT);
        uint32_t partition = mcast_layout_partition(view, view->self);
        spend(member, view, (uint64_t)mcast_layout_alive(view, partition) * ring->apart_parts);
    }
    mcast_time calm = CALM_MILLISECONDS * MCAST_MILLISECOND;
    mcast_time longer = 2 * ring->apart_interval < calm ? 2 * ring->apart_interval : calm;
    ring->apart_interval = missing ? member->config.interval_floor : longer;
    set_alarm(member, view, ring->apart_interval);
}
