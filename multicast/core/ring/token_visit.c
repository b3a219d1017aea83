/* Token visit: what a node does with one record of a token (rule 1.10, steps 1 to 6).
 *
 * It adds what it knows, drops copies that everybody has, and starts repair: a push to the hop
 * before, and the requests of repair/pull.c. Nothing above `cut` is judged. A request is repeated a
 * round later at the earliest, because only a visit makes requests. */
#include "member/member_state.h"

/* Step 3, first half: push to the hop before what it misses and we have. */
static void push_to(struct mcast_member *member, struct mcast_view_state *view,
                    struct mcast_stream *stream, const struct mcast_record *record, uint32_t from) {
    if (record->prev.count == 0) {
        return;
    }
    struct mcast_spans wanted = record->prev;
    mcast_spans_subtract(&wanted, &record->pulled);
    for (uint32_t i = 0; i < wanted.count; i++) {
        struct mcast_range range = wanted.at[i];
        if (!mcast_copies_clip(member, view, stream->sender, &range)) {
            continue;
        }
        for (uint64_t n = range.first; n <= range.last && member->lookups_left > 0; n++) {
            member->lookups_left--;
            if (mcast_has_copy(member, view, stream->sender, n)) {
                mcast_repair_intend(member, view, stream->sender, n, view->seats[from].node,
                                    MCAST_REPAIR_PUSH);
            }
        }
    }
}

/* Step 1: add numbers; return false when the record is not to be judged here. */
static bool add_knowledge(struct mcast_member *member, struct mcast_view_state *view,
                          struct mcast_stream *stream, struct mcast_record *record) {
    if (record->hi > stream->hi && stream->sender != member->node) {
        mcast_stream_know(member, stream, record->hi);
    }
    if (stream->hi > record->hi) {
        record->hi = stream->hi;
        record->flags &= ~(uint32_t)MCAST_RECORD_QUIESCENT;
    }
    if ((record->flags & MCAST_RECORD_FRESH) != 0) {
        return false;
    }
    mcast_slow_node_visit(member, view, stream, record);
    mcast_stream_purge(member, stream, record->purge);
    if (!view->seats[view->self].demoted && stream->contig < record->contig) {
        record->contig = stream->contig;
        record->low = view->self;
    }
    if ((record->flags & MCAST_RECORD_QUIESCENT) != 0) {
        if (stream->contig == record->hi && stream->purged == record->hi) {
            stream->quiescent = true;
            member->partials_orphaned |= stream->peer->dead;
            member->stats.quiescent_marks++;
        } else {
            record->flags &= ~(uint32_t)MCAST_RECORD_QUIESCENT;
        }
    }
    return true;
}

void mcast_visit_partition_begin(struct mcast_record *record) {
    mcast_spans_clear(&record->owned, MCAST_SPANS_MOST);
    mcast_spans_clear(&record->all, MCAST_SPANS_MOST);
    mcast_spans_clear(&record->prev, MCAST_SPANS_MOST);
    mcast_spans_clear(&record->pulled, MCAST_SPANS_MOST);
    record->flags &= ~(uint32_t)MCAST_RECORD_HOLES;
}

/* Add what we should keep and lack, up to the highest known number. Nothing above the cut is
 * judged, but the visit that judges it a round later then knows where to get it. */
static void tell_owned(const struct mcast_member *member, const struct mcast_view_state *view,
                       const struct mcast_stream *stream, struct mcast_record *record) {
    struct mcast_spans kept;
    mcast_pull_outline(member, view, stream, record->hi, &kept);
    if ((kept.count > 0 || kept.limit != UINT64_MAX) && !view->seats[view->self].demoted) {
        mcast_spans_unite(&record->owned, &kept);
    }
}

static void tell_missing(const struct mcast_member *member, const struct mcast_view_state *view,
                         const struct mcast_stream *stream, struct mcast_record *record,
                         bool begins, const struct mcast_spans *missing,
                         const struct mcast_spans *pulled) {
    struct mcast_spans kept;
    mcast_pull_outline(member, view, stream, record->cut, &kept);
    tell_owned(member, view, stream, record);
    if (begins) {
        record->all = kept;
    } else {
        /* Where replicas are chosen by seat, other members keep what lies in it. */
        mcast_spans_intersect(&record->all, view->replicas == 0 ? &kept : missing);
    }
    if ((record->flags & MCAST_RECORD_GAPS) != 0 && !view->seats[view->self].demoted) {
        mcast_spans_unite(&record->gaps, missing);
    }
    record->prev = *missing;
    record->pulled = *pulled;
    if (missing->count > 0) {
        record->flags |= MCAST_RECORD_MISSING;
    }
    bool holes = missing->count > 0 || record->owned.count > 0 || record->all.count > 0 ||
                 record->owned.limit != UINT64_MAX;
    record->flags |= holes ? MCAST_RECORD_HOLES : 0;
}

void mcast_visit(struct mcast_member *member, struct mcast_view_state *view,
                 struct mcast_stream *stream, struct mcast_record *record, uint32_t from,
                 uint64_t round) {
    if (!add_knowledge(member, view, stream, record)) {
        return;
    }
    if ((record->flags & MCAST_RECORD_DEAD) != 0) {
        mcast_deathwatch(member, view, stream, record);
        return;
    }
    struct mcast_spans missing;
    struct mcast_spans pulled;
    mcast_stream_missing(member, stream, record->cut, &missing);
    mcast_spans_clear(&pulled, MCAST_SPANS_MOST);
    if (from != MCAST_NO_SEAT) {
        push_to(member, view, stream, record, from);
    }
    mcast_pull(member, view, stream, record, from, round, &pulled);
    tell_missing(member, view, stream, record, from == MCAST_NO_SEAT, &missing, &pulled);
}

void mcast_visit_return(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, struct mcast_record *record, uint32_t from) {
    if ((record->flags & (MCAST_RECORD_FRESH | MCAST_RECORD_DEAD)) != 0) {
        return;
    }
    push_to(member, view, stream, record, from);
    mcast_pull_back(member, view, stream, record, from);
}

/* Shortcut to the sender: request what every keeper in the partition misses. */
static void request_from_sender(struct mcast_member *member, struct mcast_view_state *view,
                                struct mcast_stream *stream, const struct mcast_record *record) {
    if (record->all.count == 0 || stream->peer->dead || stream->sender == member->node) {
        return;
    }
    uint32_t partition = mcast_layout_partition(view, view->self);
    uint8_t kind =
        mcast_layout_alive(view, partition) == 1 ? MCAST_REQUEST_NAK_ONE : MCAST_REQUEST_NAK;
    mcast_pull_from_sender(member, view, stream, kind, &record->all);
}

void mcast_visit_partition_end(struct mcast_member *member, struct mcast_view_state *view,
                               struct mcast_stream *stream, struct mcast_record *record) {
    if ((record->flags & (MCAST_RECORD_FRESH | MCAST_RECORD_DEAD)) != 0) {
        return;
    }
    request_from_sender(member, view, stream, record);
    uint32_t partition = mcast_layout_partition(view, view->self);
    if (record->owned.count > 0 || record->owned.limit != UINT64_MAX) {
        record->flags |= MCAST_RECORD_OWN;
        if (record->own.count < MCAST_OWN_MOST) {
            struct mcast_own *own = &record->own.at[record->own.count++];
            own->partition = partition;
            own->missing = record->owned;
        } else if (record->own.known > partition) {
            record->own.known = partition;
        }
    }
    mcast_visit_partition_begin(record);
}
