/* Pull: the requests of a token visit (rule 1.10, steps 3 and 4; rule 1.0.2).
 *
 * From the hop before: what it keeps and has. From a member of another partition: what all members
 * of that have. From the sender: what no member of a partition has. A list holds 32 ranges, and
 * neighbouring numbers may belong to different partitions, so each may be a range of its own:
 * missing numbers are processed in pieces that fit the lists. A request is one datagram at most;
 * the rest waits a round. */
#include "base/mix.h"
#include "member/member_state.h"

enum { PIECES_MOST = 64, PIECE_NUMBERS = 4096 }; /* of one visit; of one piece */

/* Return the last number of @number's block that is not above @most. */
static uint64_t block_end(const struct mcast_member *member, uint64_t number, uint64_t most) {
    uint64_t block = member->config.owner_block;
    uint64_t end = (number / block + 1) * block - 1;
    return end < most ? end : most;
}

/* Store the part of @numbers, from @from on, that @seat should keep. */
static void restrict_to_kept(const struct mcast_member *member, const struct mcast_view_state *view,
                             uint32_t seat, const struct mcast_spans *numbers, uint64_t from,
                             struct mcast_spans *kept) {
    mcast_spans_clear(kept, numbers->most);
    for (uint32_t i = 0; i < numbers->count; i++) {
        const struct mcast_range *range = &numbers->at[i];
        uint64_t number = range->first > from ? range->first : from;
        while (number <= range->last && number <= kept->limit) {
            uint64_t end = block_end(member, number, range->last);
            if (mcast_layout_keeps(member, view, seat, number)) {
                (void)mcast_spans_append(kept, number, end);
            }
            number = end + 1;
        }
    }
    mcast_spans_trim(kept, numbers->limit);
}

/* Step 3, second half: request what we miss and the hop before keeps and has. Numbers that its list
 * left out are requested as well: it answers with what it has. */
static void pull_from(struct mcast_member *member, struct mcast_view_state *view,
                      struct mcast_stream *stream, const struct mcast_record *record, uint32_t from,
                      const struct mcast_spans *missing, struct mcast_spans *pulled) {
    if (view->seats[from].node == stream->sender) {
        *pulled = *missing; /* the sender has all of its own */
    } else {
        struct mcast_spans prev = record->prev;
        prev.limit = UINT64_MAX;
        restrict_to_kept(member, view, from, missing, 0, pulled);
        mcast_spans_subtract(pulled, &prev);
    }
    if (pulled->count > 0) {
        mcast_request_send(member, view, stream, view->seats[from].peer, MCAST_REQUEST_PULL,
                           pulled);
    }
}

/* True when @list, which covers numbers up to @judged, says that the members of @partition have
 * @number. */
static bool is_held(const struct mcast_own_list *list, uint32_t partition, uint64_t judged,
                    uint64_t number) {
    if (number > judged || partition >= list->known) {
        return false;
    }
    const struct mcast_own *own = mcast_own_find(list, partition);
    return own == NULL || mcast_spans_exclude(&own->missing, number);
}

/* True when @partition has @number: by this round if the token passed it already, otherwise by the
 * last. */
static bool partition_holds(const struct mcast_record *record, uint32_t partition,
                            uint32_t self_partition, uint64_t number) {
    return (partition < self_partition && is_held(&record->own, partition, record->cut, number)) ||
           is_held(&record->last, partition, record->before, number);
}

/* Return a live member of @partition: the same for all requests of one round, so that several
 * answers become one to the region (rule 1.0.2), and another one each round. */
static uint32_t choose_holder(const struct mcast_view_state *view, uint32_t partition,
                              uint64_t round) {
    uint32_t alive = mcast_layout_alive(view, partition);
    if (alive == 0) {
        return MCAST_NO_SEAT;
    }
    uint64_t dice = mcast_mix64(mcast_mix64(MCAST_ROUND_SET(round)) + partition);
    uint32_t nth = (uint32_t)(dice % alive);
    uint32_t seat = mcast_layout_begin(view, partition);
    for (;; seat++) {
        if (!view->seats[seat].dead && nth-- == 0) {
            return seat;
        }
    }
}

/* Collect in @held the numbers of @missing that belong to @partition and are available there, or
 * any if @orphaned. Number by number: a rule of whole blocks would let one hole hold back its
 * neighbours. */
static void collect_available(const struct mcast_member *member,
                              const struct mcast_view_state *view,
                              const struct mcast_record *record, uint32_t partition, bool orphaned,
                              const struct mcast_spans *missing, struct mcast_spans *held) {
    uint32_t self = mcast_layout_partition(view, view->self);
    mcast_spans_clear(held, missing->most);
    for (uint32_t i = 0; i < missing->count; i++) {
        uint64_t number = missing->at[i].first;
        while (number <= missing->at[i].last && number <= held->limit) {
            uint64_t end = block_end(member, number, missing->at[i].last);
            bool theirs = mcast_layout_owner(member, view, number) == partition;
            for (uint64_t n = number; theirs && n <= end; n++) {
                if (orphaned || partition_holds(record, partition, self, n)) {
                    (void)mcast_spans_append(held, n, n);
                }
            }
            number = end + 1;
        }
    }
}

/* Step 4: request what another partition keeps from one of its members, or from the sender when no
 * member lives. Return the number up to which the lists reached. */
static uint64_t pull_across(struct mcast_member *member, struct mcast_view_state *view,
                            struct mcast_stream *stream, const struct mcast_record *record,
                            const struct mcast_spans *missing, uint64_t round) {
    uint32_t self = mcast_layout_partition(view, view->self);
    uint64_t said = missing->limit;
    for (uint32_t partition = 0; partition < view->partitions && missing->count > 0; partition++) {
        struct mcast_spans held;
        if (partition == self) {
            continue;
        }
        uint32_t seat = choose_holder(view, partition, round);
        bool orphaned = seat == MCAST_NO_SEAT;
        collect_available(member, view, record, partition, orphaned, missing, &held);
        if (held.count > 0) {
            mcast_request_send(member, view, stream,
                               orphaned ? stream->peer : view->seats[seat].peer,
                               orphaned ? MCAST_REQUEST_NAK_ONE : MCAST_REQUEST_CROSS, &held);
        }
        said = said < held.limit ? said : held.limit;
    }
    return said;
}

/* Store the next piece of what is missing in (@said, @cut]. */
static void next_piece(const struct mcast_member *member, const struct mcast_stream *stream,
                       uint64_t said, uint64_t cut, struct mcast_spans *missing) {
    uint64_t end = cut - said > PIECE_NUMBERS ? said + PIECE_NUMBERS : cut;
    mcast_stream_missing_from(member, stream, said + 1, end, missing);
    if (end < cut) {
        mcast_spans_trim(missing, end);
    }
}

void mcast_pull(struct mcast_member *member, struct mcast_view_state *view,
                struct mcast_stream *stream, const struct mcast_record *record, uint32_t from,
                uint64_t round, struct mcast_spans *pulled) {
    uint64_t said = stream->contig;
    mcast_spans_clear(pulled, MCAST_SPANS_MOST);
    for (uint32_t i = 0; i < PIECES_MOST && said < record->cut; i++) {
        struct mcast_spans rest;
        struct mcast_spans asked;
        next_piece(member, stream, said, record->cut, &rest);
        mcast_spans_clear(&asked, rest.most);
        if (from != MCAST_NO_SEAT && rest.count > 0) {
            pull_from(member, view, stream, record, from, &rest, &asked);
            mcast_spans_subtract(&rest, &asked);
        }
        said = pull_across(member, view, stream, record, &rest, round);
        if (i == 0) {
            *pulled = asked;
            mcast_spans_trim(pulled, said);
        }
    }
}

void mcast_pull_back(struct mcast_member *member, struct mcast_view_state *view,
                     struct mcast_stream *stream, const struct mcast_record *record,
                     uint32_t from) {
    uint64_t said = stream->contig;
    for (uint32_t i = 0; i < PIECES_MOST && said < record->cut; i++) {
        struct mcast_spans missing;
        struct mcast_spans asked;
        next_piece(member, stream, said, record->cut, &missing);
        pull_from(member, view, stream, record, from, &missing, &asked);
        said = asked.limit < missing.limit ? asked.limit : missing.limit;
    }
}

void mcast_pull_from_sender(struct mcast_member *member, struct mcast_view_state *view,
                            struct mcast_stream *stream, uint8_t kind,
                            const struct mcast_spans *numbers) {
    uint64_t said = 0;
    struct mcast_spans ours; /* the missing numbers inside our own window; nobody requests more */
    uint64_t top = stream->contig + (uint64_t)PIECES_MOST * PIECE_NUMBERS;
    mcast_spans_clear(&ours, numbers->most);
    if (stream->hi > stream->contig) {
        (void)mcast_spans_append(&ours, stream->contig + 1, stream->hi < top ? stream->hi : top);
    }
    mcast_spans_intersect(&ours, numbers);
    for (uint32_t i = 0; i < PIECES_MOST && said < ours.limit; i++) {
        struct mcast_spans piece;
        restrict_to_kept(member, view, view->self, &ours, said + 1, &piece);
        if (piece.count > 0) {
            mcast_request_send(member, view, stream, stream->peer, kind, &piece);
        }
        said = piece.limit;
    }
}

/* ---- the missing numbers that this node should keep ---- */

/* Return the first number at or above @number that @self's partition keeps. */
static uint64_t next_kept(const struct mcast_member *member, const struct mcast_view_state *view,
                          uint32_t self, uint64_t number) {
    while (mcast_layout_owner(member, view, number) != self) {
        number = block_end(member, number, UINT64_MAX) + 1;
    }
    return number;
}

/* Add the numbers of @range that @self's partition keeps, together with those between. */
static void add_outline(const struct mcast_member *member, const struct mcast_view_state *view,
                        uint32_t self, const struct mcast_range *range,
                        struct mcast_spans *outline) {
    uint64_t first = next_kept(member, view, self, range->first);
    uint64_t last = range->last;
    while (last >= first && mcast_layout_owner(member, view, last) != self) {
        last = last / member->config.owner_block * member->config.owner_block - 1;
    }
    if (first > last) {
        return;
    }
    struct mcast_range *top = outline->count > 0 ? &outline->at[outline->count - 1] : NULL;
    if (top != NULL && first <= outline->limit &&
        next_kept(member, view, self, top->last + 1) >= first) {
        top->last = last;
    } else {
        (void)mcast_spans_append(outline, first, last);
    }
}

void mcast_pull_outline(const struct mcast_member *member, const struct mcast_view_state *view,
                        const struct mcast_stream *stream, uint64_t limit,
                        struct mcast_spans *outline) {
    uint32_t self = mcast_layout_partition(view, view->self);
    uint64_t said = stream->contig;
    struct mcast_spans missing;
    if (view->replicas != 0) {
        mcast_stream_missing(member, stream, limit, &missing);
        restrict_to_kept(member, view, view->self, &missing, 0, outline);
        return;
    }
    mcast_spans_clear(outline, member->config.nak_ranges);
    for (uint32_t i = 0; i < PIECES_MOST && said < limit && said < outline->limit; i++) {
        next_piece(member, stream, said, limit, &missing);
        for (uint32_t j = 0; j < missing.count; j++) {
            add_outline(member, view, self, &missing.at[j], outline);
        }
        said = missing.limit;
    }
    if (said < limit) {
        mcast_spans_trim(outline, said);
    }
}
