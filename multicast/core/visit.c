/* Visit: what a node does with one record of a token (rule 1.10, steps 1 to 6).
 *
 * It adds what it knows, drops what everybody has, and starts repair: a push to the hop before, a
 * pull from it, or a pull from a member of the partition that keeps the packet, once all its
 * members have it. Nothing above `cut` is judged; what was asked for is asked again a round later
 * at the earliest, because only a visit asks. */
#include "machine.h"
#include "set_hash.h"

enum { MORE_LISTS = 12 };

/* The part of @numbers that @seat should keep. */
static void restrict_to_kept(const struct mcast_member *member, const struct mcast_view_state *view,
                             uint32_t seat, const struct mcast_spans *numbers,
                             struct mcast_spans *kept) {
    mcast_spans_clear(kept, numbers->most);
    uint64_t block = member->config.owner_block;
    for (uint32_t i = 0; i < numbers->count; i++) {
        uint64_t number = numbers->at[i].first;
        while (number <= numbers->at[i].last) {
            uint64_t end = (number / block + 1) * block - 1;
            end = end < numbers->at[i].last ? end : numbers->at[i].last;
            if (mcast_layout_keeps(member, view, seat, number)) {
                (void)mcast_spans_append(kept, number, end);
            }
            number = end + 1;
        }
    }
    mcast_spans_trim(kept, numbers->limit);
}

/* Step 3, first half: the hop before misses it and we have it. */
static void push_to(struct mcast_member *member, struct mcast_view_state *view,
                    struct mcast_stream *stream, const struct mcast_record *record, uint32_t from) {
    if (record->prev.count == 0) {
        return;
    }
    struct mcast_spans wanted = record->prev;
    mcast_spans_subtract(&wanted, &record->pulled);
    for (uint32_t i = 0; i < wanted.count; i++) {
        for (uint64_t n = wanted.at[i].first; n <= wanted.at[i].last; n++) {
            if (mcast_has_copy(member, view, stream->sender, n)) {
                mcast_repair_intend(member, view, stream->sender, n, view->seats[from].node,
                                    MCAST_REPAIR_PUSH);
            }
        }
    }
}

/* Step 3, second half: we miss it, the hop before keeps it and does not. */
static void pull_from(struct mcast_member *member, struct mcast_view_state *view,
                      struct mcast_stream *stream, const struct mcast_record *record, uint32_t from,
                      const struct mcast_spans *missing, struct mcast_spans *pulled) {
    if (view->seats[from].node == stream->sender) {
        *pulled = *missing; /* the sender has all of its own */
    } else {
        restrict_to_kept(member, view, from, missing, pulled);
        mcast_spans_subtract(pulled, &record->prev);
    }
    if (pulled->count > 0) {
        mcast_request_send(member, view, stream, view->seats[from].peer, MCAST_REQUEST_PULL,
                           pulled);
    }
}

/* Whether @list, which speaks of what was judged up to @judged, says that the members of @partition
 * have
 * @number. */
static bool is_held(const struct mcast_own_list *list, uint32_t partition, uint64_t judged,
                    uint64_t number) {
    if (number > judged || partition >= list->known) {
        return false;
    }
    const struct mcast_own *own = mcast_own_find(list, partition);
    return own == NULL || mcast_spans_exclude(&own->missing, number);
}

/* A partition that the token passed already is known by this round, any other by the last one. */
static bool partition_holds(const struct mcast_record *record, uint32_t partition,
                            uint32_t self_partition, uint64_t number) {
    return (partition < self_partition && is_held(&record->own, partition, record->cut, number)) ||
           is_held(&record->last, partition, record->before, number);
}

/* A live member of @partition, the same for all who ask in one round, so that the answers to
 * several become one to the region (rule 1.0.2); another one each round. */
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

/* Gathers into @held the blocks of @missing that belong to @partition and can be had there. */
static void gather_held(const struct mcast_member *member, const struct mcast_view_state *view,
                        const struct mcast_record *record, uint32_t partition,
                        const struct mcast_spans *missing, struct mcast_spans *held) {
    uint64_t block = member->config.owner_block;
    uint32_t self = mcast_layout_partition(view, view->self);
    mcast_spans_clear(held, missing->most);
    for (uint32_t i = 0; i < missing->count; i++) {
        uint64_t number = missing->at[i].first;
        while (number <= missing->at[i].last) {
            uint64_t end = (number / block + 1) * block - 1;
            end = end < missing->at[i].last ? end : missing->at[i].last;
            /* All or nothing a block would let one hole hold back its neighbours. */
            for (uint64_t n = number;
                 mcast_layout_owner(member, view, number) == partition && n <= end; n++) {
                if (partition_holds(record, partition, self, n)) {
                    (void)mcast_spans_append(held, n, n);
                }
            }
            number = end + 1;
        }
    }
}

/* Nobody lives who should keep it: only the sender has it. */
static void ask_sender(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream, uint32_t partition,
                       const struct mcast_spans *missing) {
    struct mcast_spans orphaned;
    mcast_spans_clear(&orphaned, missing->most);
    uint64_t block = member->config.owner_block;
    for (uint32_t i = 0; i < missing->count; i++) {
        uint64_t number = missing->at[i].first;
        while (number <= missing->at[i].last) {
            uint64_t end = (number / block + 1) * block - 1;
            end = end < missing->at[i].last ? end : missing->at[i].last;
            if (mcast_layout_owner(member, view, number) == partition) {
                (void)mcast_spans_append(&orphaned, number, end);
            }
            number = end + 1;
        }
    }
    if (orphaned.count > 0) {
        mcast_request_send(member, view, stream, stream->peer, MCAST_REQUEST_NAK_ONE, &orphaned);
    }
}

/* Step 4: what other partitions keep, from one of their members. */
static void pull_across(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, const struct mcast_record *record,
                        const struct mcast_spans *missing, uint64_t round) {
    uint32_t self = mcast_layout_partition(view, view->self);
    for (uint32_t partition = 0; partition < view->partitions && missing->count > 0; partition++) {
        struct mcast_spans held;
        if (partition == self) {
            continue;
        }
        if (mcast_layout_alive(view, partition) == 0) {
            ask_sender(member, view, stream, partition, missing);
            continue;
        }
        gather_held(member, view, record, partition, missing, &held);
        uint32_t seat = held.count > 0 ? choose_holder(view, partition, round) : MCAST_NO_SEAT;
        if (seat != MCAST_NO_SEAT) {
            mcast_request_send(member, view, stream, view->seats[seat].peer, MCAST_REQUEST_CROSS,
                               &held);
        }
    }
}

/* A token says at most 32 ranges of what is missing; a request has no such need. What the record
 * cannot say of the hop before is asked of it all the same: it answers what it has. */
static void ask_for_more(struct mcast_member *member, struct mcast_view_state *view,
                         struct mcast_stream *stream, struct mcast_record *record, uint32_t from,
                         uint64_t said, uint64_t round) {
    struct mcast_spans prev = record->prev;
    prev.limit = UINT64_MAX;
    for (uint32_t i = 0; i < MORE_LISTS && said < record->cut; i++) {
        struct mcast_spans more;
        struct mcast_spans pulled;
        mcast_stream_missing_from(member, stream, said + 1, record->cut, &more);
        said = more.limit;
        mcast_spans_clear(&pulled, more.most);
        if (from != MCAST_NO_SEAT && more.count > 0) {
            restrict_to_kept(member, view, from, &more, &pulled);
            mcast_spans_subtract(&pulled, &prev);
        }
        if (pulled.count > 0) {
            mcast_request_send(member, view, stream, view->seats[from].peer, MCAST_REQUEST_PULL,
                               &pulled);
            mcast_spans_subtract(&more, &pulled);
        }
        pull_across(member, view, stream, record, &more, round);
    }
}

/* Step 1, what concerns numbers; false when the record is not to be judged here. */
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

/* Adds what we should keep and do not, up to the highest number known: nothing above the cut is
 * judged, but who judges it a round later then knows already where it can be had. */
static void tell_owned(const struct mcast_member *member, const struct mcast_view_state *view,
                       const struct mcast_stream *stream, struct mcast_record *record) {
    struct mcast_spans missing, kept;
    mcast_stream_missing(member, stream, record->hi, &missing);
    restrict_to_kept(member, view, view->self, &missing, &kept);
    if ((kept.count > 0 || kept.limit != UINT64_MAX) && !view->seats[view->self].demoted) {
        mcast_spans_unite(&record->owned, &kept);
    }
}

static void tell_missing(const struct mcast_member *member, const struct mcast_view_state *view,
                         const struct mcast_stream *stream, struct mcast_record *record,
                         bool begins, const struct mcast_spans *missing,
                         const struct mcast_spans *pulled) {
    struct mcast_spans kept;
    restrict_to_kept(member, view, view->self, missing, &kept);
    tell_owned(member, view, stream, record);
    if (begins) {
        record->all = kept;
    } else {
        mcast_spans_intersect(&record->all, missing);
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
        if (missing.count > 0) {
            pull_from(member, view, stream, record, from, &missing, &pulled);
        }
    }
    if (missing.count > pulled.count || mcast_spans_total(&missing) > mcast_spans_total(&pulled)) {
        struct mcast_spans rest = missing;
        mcast_spans_subtract(&rest, &pulled);
        pull_across(member, view, stream, record, &rest, round);
    }
    ask_for_more(member, view, stream, record, from, missing.limit, round);
    tell_missing(member, view, stream, record, from == MCAST_NO_SEAT, &missing, &pulled);
}

void mcast_visit_return(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, struct mcast_record *record, uint32_t from) {
    if ((record->flags & (MCAST_RECORD_FRESH | MCAST_RECORD_DEAD)) != 0) {
        return;
    }
    struct mcast_spans missing;
    struct mcast_spans pulled;
    push_to(member, view, stream, record, from);
    mcast_stream_missing(member, stream, record->cut, &missing);
    if (missing.count > 0) {
        pull_from(member, view, stream, record, from, &missing, &pulled);
    }
}

/* The shortcut to the sender: what every member of the partition that should keep it misses. */
static void nak(struct mcast_member *member, struct mcast_view_state *view,
                struct mcast_stream *stream, const struct mcast_record *record) {
    if (record->all.count == 0 || stream->peer->dead || stream->sender == member->node) {
        return;
    }
    uint32_t partition = mcast_layout_partition(view, view->self);
    uint8_t kind =
        mcast_layout_alive(view, partition) == 1 ? MCAST_REQUEST_NAK_ONE : MCAST_REQUEST_NAK;
    mcast_request_send(member, view, stream, stream->peer, kind, &record->all);
}

void mcast_visit_partition_end(struct mcast_member *member, struct mcast_view_state *view,
                               struct mcast_stream *stream, struct mcast_record *record) {
    if ((record->flags & (MCAST_RECORD_FRESH | MCAST_RECORD_DEAD)) != 0) {
        return;
    }
    nak(member, view, stream, record);
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
