/* Dead sender: the packets of a sender that was declared dead (rule 1.0.8).
 *
 * Its data now comes from live members only. Each round collects the missing numbers; in the next
 * round the first member that has a copy sends it to the region. A number still missing after a
 * round in which everybody knew of the death and nobody had a copy exists nowhere: the leader
 * proposes to skip it, and all do once the proposal went round. A new leader takes over the
 * proposal that it holds.
 *
 * A list names the 32 oldest ranges exactly: a number merely near the missing ones may be kept by
 * others and must not be skipped. The rest waits a round; a thousand single holes take a third of a
 * second (tests/core/test_rule_dead_sender.c). */
#include "base/memory.h"
#include "member/member_state.h"

enum { PIECES_MOST = 64 }; /* of one record */

void mcast_skip_propose(struct mcast_member *member, struct mcast_stream *stream,
                        const struct mcast_spans *numbers) {
    if (stream->skip == NULL) {
        stream->skip = mcast_memory_new(&member->alloc, 1, sizeof *stream->skip);
        if (stream->skip == NULL) {
            member->short_of_memory = true;
            return;
        }
        mcast_spans_clear(stream->skip, MCAST_SPANS_MOST);
    }
    mcast_spans_unite(stream->skip, numbers);
}

void mcast_skip_forget(struct mcast_member *member, struct mcast_stream *stream) {
    mcast_memory_free(&member->alloc, stream->skip, 1, sizeof *stream->skip);
    stream->skip = NULL;
}

/* Send the wanted copies that are here to the region, and remove them from those lacking. */
static void send_copies(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, struct mcast_record *record) {
    struct mcast_spans left;
    mcast_spans_clear(&left, MCAST_SPANS_MOST);
    for (uint32_t i = 0; i < record->lacking.count; i++) {
        const struct mcast_range *all = &record->lacking.at[i];
        struct mcast_range here = *all;
        if (!mcast_copies_clip(member, view, stream->sender, &here)) {
            (void)mcast_spans_append(&left, all->first, all->last);
            continue;
        }
        if (here.first > all->first) {
            (void)mcast_spans_append(&left, all->first, here.first - 1);
        }
        for (uint64_t n = here.first; n <= here.last; n++) {
            if (mcast_has_copy(member, view, stream->sender, n)) {
                mcast_repair_intend(member, view, stream->sender, n, 0, MCAST_REPAIR_CROSS);
            } else {
                (void)mcast_spans_append(&left, n, n);
            }
        }
        if (here.last < all->last) {
            (void)mcast_spans_append(&left, here.last + 1, all->last);
        }
    }
    mcast_spans_trim(&left, record->lacking.limit);
    record->lacking = left;
}

/* Add what is missing in (@said, @stream->hi] and not in @asked, as far as a list of ranges can
 * hold it; return the number reached. */
static uint64_t add_piece(const struct mcast_member *member, const struct mcast_stream *stream,
                          uint64_t said, const struct mcast_spans *asked,
                          struct mcast_spans *wanted) {
    struct mcast_spans piece;
    mcast_stream_missing_from(member, stream, said + 1, stream->hi, &piece);
    uint64_t limit = piece.limit;
    mcast_spans_subtract(&piece, asked);
    for (uint32_t i = 0; i < piece.count; i++) {
        (void)mcast_spans_append(wanted, piece.at[i].first, piece.at[i].last);
    }
    return limit;
}

/* Store what this node still needs. Numbers that this round requests are under way, and may be
 * requested again a full round later (1.11). So each round serves the next ranges instead of
 * sending every copy twice. */
static void find_wanted(const struct mcast_member *member, const struct mcast_stream *stream,
                        const struct mcast_record *record, struct mcast_spans *wanted) {
    struct mcast_spans asked = record->want;
    asked.limit = UINT64_MAX;
    mcast_spans_clear(wanted, MCAST_SPANS_MOST);
    uint64_t said = stream->contig;
    for (uint32_t i = 0; i < PIECES_MOST && said < stream->hi && said < wanted->limit; i++) {
        said = add_piece(member, stream, said, &asked, wanted);
    }
    if (said < stream->hi) {
        mcast_spans_trim(wanted, said);
    }
}

void mcast_deathwatch(struct mcast_member *member, struct mcast_view_state *view,
                      struct mcast_stream *stream, struct mcast_record *record) {
    if (!stream->peer->dead) {
        record->flags &= ~(uint32_t)MCAST_RECORD_AWARE;
    }
    /* All knew of the death before the proposal: a node that did not was not asked. */
    if ((record->flags & MCAST_RECORD_SKIP) != 0 && stream->peer->dead) {
        if ((record->flags & MCAST_RECORD_SKIP_NOW) != 0) {
            mcast_stream_skip(member, stream, &record->skip);
            if (!mcast_layout_leads_region(view)) {
                mcast_skip_forget(member, stream);
            }
        } else {
            mcast_skip_propose(member, stream, &record->skip);
        }
    }
    send_copies(member, view, stream, record);
    if (stream->contig < stream->hi) {
        struct mcast_spans wanted;
        find_wanted(member, stream, record, &wanted);
        record->flags |= MCAST_RECORD_MISSING;
        mcast_spans_unite(&record->wanted, &wanted);
    }
}
