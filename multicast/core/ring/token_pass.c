/* Token pass: apply the records of a token at this node and pass it on (rule 1.10). */
#include "member/member_state.h"

/* Return the size up to which a leader fills a token before it begins another; holes are added on
 * the way. */
static size_t usual_size(const struct mcast_member *member) {
    return member->config.packet_size / 2;
}

enum { REQUESTS_LEAST = 2 };

size_t mcast_token_kind(const struct mcast_token_head *head) {
    return head->stage + ((head->flags & MCAST_TOKEN_ALONE) != 0 ? 4U : 0U);
}

/* Count the requests of the round of @head, over all its tokens seen here by @head->stage. A token
 * that comes back to the leader of a partition is counted already. */
static struct mcast_requested *requests_of_round(struct mcast_view_state *view,
                                                 const struct mcast_token_head *head) {
    bool alone = (head->flags & MCAST_TOKEN_ALONE) != 0;
    bool again = head->stage == MCAST_STAGE_RETURN || head->stage == MCAST_STAGE_HOME;
    struct mcast_requested *known = &view->ring.requested[alone ? 1 : 0];
    if (known->set != MCAST_ROUND_SET(head->round)) {
        *known = (struct mcast_requested){.set = MCAST_ROUND_SET(head->round)};
    }
    known->count += again ? 0 : head->asked;
    known->count = known->count > head->asked ? known->count : head->asked;
    return known;
}

/* Return how many tokens of the round of @head are still to come, as far as it shows. */
static uint32_t tokens_behind(const struct mcast_view_state *view,
                              const struct mcast_token_head *head) {
    size_t kind = mcast_token_kind(head);
    uint64_t own = MCAST_ROUND_PART(head->round);
    uint64_t least = own + ((head->flags & MCAST_TOKEN_LAST) != 0 ? 1 : 2);
    bool current = view->ring.seen[kind] == MCAST_ROUND_SET(head->round);
    uint64_t here = current ? view->ring.seen_parts[kind] : 0;
    uint32_t behind = 0;
    for (uint64_t part = 0; part < least && part < MCAST_PARTS_MOST; part++) {
        behind += part != own && (here >> part & 1) == 0 ? 1 : 0;
    }
    return behind;
}

/* Return how many requests a token may cause here. All tokens of a round share the control budget.
 * A burst lost at one member takes one request to each partition (lesson 6), so a visited node may
 * use half of what is left; nodes after many that asked get a few each, and the answers to the
 * many, which go to everybody. Tokens of the round that are under way side by side are assumed to
 * have as many requests as this one, since the first to arrive knows of no other. */
static uint32_t requests_allowed(const struct mcast_view_state *view,
                                 const struct mcast_token_head *head,
                                 const struct mcast_requested *round) {
    bool alone = (head->flags & MCAST_TOKEN_ALONE) != 0;
    uint32_t most = alone ? MCAST_REQUESTS_A_ROUND / view->partitions : MCAST_REQUESTS_A_ROUND;
    uint64_t count = round->count + (uint64_t)tokens_behind(view, head) * head->asked;
    uint32_t half = count < most ? (most - (uint32_t)count) / 2 : 0;
    uint32_t least = round->own < REQUESTS_LEAST ? REQUESTS_LEAST - round->own : 0;
    return half > least ? half : least;
}

struct passing {
    struct mcast_view_state *view;
    struct mcast_token_head head;
    uint8_t arrived;
    uint32_t from;              /* the hop before in the partition */
    uint32_t to;                /* the next seat, MCAST_NO_SEAT when the round is complete */
    bool ends;                  /* the walk of this partition ends here */
    struct mcast_writer writer; /* collects the records that go on */
    uint8_t *bytes;
};

static void begin_datagram(struct mcast_member *member, struct passing *passing) {
    passing->writer =
        mcast_emit_begin(member, member->config.packet_size - MCAST_HEADER_SIZE - MCAST_TAG_SIZE);
    passing->head.records = 0;
    struct mcast_token_head empty = passing->head;
    mcast_token_head_write(&passing->writer, &empty);
}

static void emit_token(struct mcast_member *member, const struct passing *passing,
                       const struct mcast_writer *writer) {
    const struct mcast_view_state *view = passing->view;
    member->stats.tokens_sent++;
    member->stats.token_records += passing->head.records;
    member->stats.token_bytes +=
        MCAST_HEADER_SIZE + mcast_writer_count(writer) + member->config.auth.trailer;
    mcast_emit(member, writer, MCAST_WIRE_TOKEN, 0, view->number,
               &view->seats[passing->to].peer->address);
}

/* A token sent twice is a separate datagram each time: one may be lost. */
static void send_token(struct mcast_member *member, struct passing *passing) {
    struct mcast_writer head = mcast_writer_over(passing->writer.begin, MCAST_TOKEN_HEAD_SIZE);
    mcast_token_head_write(&head, &passing->head);
    if ((passing->head.flags & MCAST_TOKEN_TWICE) != 0 && !passing->writer.failed) {
        size_t length = mcast_writer_count(&passing->writer);
        struct mcast_writer again = mcast_emit_begin(member, length);
        mcast_write_bytes(&again, passing->writer.begin, length);
        emit_token(member, passing, &again);
    }
    emit_token(member, passing, &passing->writer);
}

/* Append @record. When it has grown too long on its way, shorten its lists to their oldest ranges.
 */
static void add_record(struct passing *passing, struct mcast_record *record) {
    struct mcast_writer before = passing->writer;
    for (uint32_t most = MCAST_SPANS_MOST; most > 0; most /= 2) {
        if (most < MCAST_SPANS_MOST) {
            mcast_record_shorten(record, most);
        }
        mcast_record_write(&passing->writer, record);
        if (!passing->writer.failed) {
            passing->head.records++;
            return;
        }
        passing->writer = before;
    }
    /* Even that has no room: treat the record as lost; the leader puts fewer into the next token.
     */
}

/* True when the region's leader knows what exists of @stream, or will by this token. A partition's
 * own token does not go there; its cut, which is the region's, shows how far the leader has come. A
 * sleeping leader is woken by the sender's high-water marks (1.0.10). */
static bool leader_learns(const struct passing *passing, const struct mcast_stream *stream,
                          const struct mcast_record *record) {
    return (passing->head.flags & MCAST_TOKEN_ALONE) == 0 || record->cut >= stream->hi;
}

/* Apply one record at this node, depending on how the token arrived. */
static void apply_record(struct mcast_member *member, struct passing *passing,
                         struct mcast_stream *stream, struct mcast_record *record) {
    struct mcast_view_state *view = passing->view;
    stream->round_set = MCAST_ROUND_SET(passing->head.round);
    if ((record->flags & MCAST_RECORD_QUIESCENT) != 0) {
        stream->round_at = 0;
    } else if (leader_learns(passing, stream, record)) {
        stream->round_at = member->now;
    }
    if ((passing->head.flags & MCAST_TOKEN_LEADERS) != 0) {
        mcast_apart_merge(member, view, stream, record);
        return;
    }
    if (passing->arrived == MCAST_STAGE_RETURN) {
        mcast_visit_return(member, view, stream, record, passing->from);
    } else {
        if (passing->arrived == MCAST_STAGE_ACROSS) {
            mcast_visit_partition_begin(record);
        }
        mcast_visit(member, view, stream, record, passing->from, passing->head.round);
    }
    if (passing->ends) {
        mcast_visit_partition_end(member, view, stream, record);
    }
}

static void pass_record_on(struct mcast_member *member, struct passing *passing,
                           struct mcast_record *record) {
    if (passing->to == MCAST_NO_SEAT && (passing->head.flags & MCAST_TOKEN_ALONE) != 0) {
        mcast_apart_record(member, passing->view, record, passing->head.round);
    } else if (passing->to == MCAST_NO_SEAT) {
        mcast_round_record(member, passing->view, record, passing->head.round);
    } else {
        add_record(passing, record);
    }
}

/* Change the record of an unknown sender: this node has nothing of it. */
static void mark_nothing_received(struct mcast_member *member, struct mcast_record *record) {
    if (record->contig > member->config.first_number) {
        record->contig = member->config.first_number;
    }
    record->flags &= ~(uint32_t)(MCAST_RECORD_QUIESCENT | MCAST_RECORD_AWARE);
    record->flags |= MCAST_RECORD_MISSING;
}

static bool take_records(struct mcast_member *member, struct passing *passing,
                         struct mcast_reader *reader, uint32_t count) {
    struct mcast_record *record = member->record;
    for (uint32_t i = 0; i < count; i++) {
        if (!mcast_record_read(reader, record)) {
            return false;
        }
        struct mcast_peer *peer = mcast_peer_recall(member, record->sender);
        struct mcast_stream *stream =
            peer == NULL ? NULL : mcast_stream_make(member, passing->view, peer);
        if (passing->arrived == MCAST_STAGE_HOME) {
            mcast_round_record(member, passing->view, record, passing->head.round);
            continue;
        }
        if (stream == NULL) {
            mark_nothing_received(member, record);
        } else {
            apply_record(member, passing, stream, record);
        }
        pass_record_on(member, passing, record);
    }
    return mcast_reader_done(reader);
}

/* Add records for streams that this node knows and the round does not (rule 1.13); they are not
 * judged. */
static void add_new_streams(struct mcast_member *member, struct passing *passing) {
    struct mcast_view_state *view = passing->view;
    uint64_t set = MCAST_ROUND_SET(passing->head.round);
    if ((passing->head.flags & MCAST_TOKEN_LAST) == 0 || passing->arrived == MCAST_STAGE_HOME) {
        return;
    }
    for (size_t i = 0; i < view->stream_count; i++) {
        struct mcast_stream *stream = view->streams[i];
        if (stream->round_set == set || !mcast_stream_is_active(stream)) {
            continue;
        }
        mcast_record_clear(member->record);
        member->record->sender = stream->sender;
        member->record->hi = stream->hi;
        member->record->flags = MCAST_RECORD_FRESH;
        stream->round_set = set;
        pass_record_on(member, passing, member->record);
    }
}

static bool begin_record(struct mcast_member *member, const struct passing *passing,
                         struct mcast_stream *stream) {
    if ((passing->head.flags & MCAST_TOKEN_ALONE) != 0) {
        return mcast_apart_begin(member, passing->view, stream, member->record);
    }
    if (!mcast_stream_is_active(stream)) {
        return false;
    }
    mcast_record_begin(member, passing->view, stream, member->record);
    return true;
}

/* Begin a round with the leader's own streams, in as many tokens as they need. */
static void begin_records(struct mcast_member *member, struct passing *passing) {
    struct mcast_view_state *view = passing->view;
    uint8_t last = passing->head.flags & MCAST_TOKEN_LAST;
    passing->head.flags &= (uint8_t)~MCAST_TOKEN_LAST;
    for (size_t i = 0; i < view->stream_count; i++) {
        struct mcast_stream *stream = view->streams[i];
        if (!begin_record(member, passing, stream)) {
            continue;
        }
        apply_record(member, passing, stream, member->record);
        pass_record_on(member, passing, member->record);
        bool full = passing->to != MCAST_NO_SEAT &&
                    mcast_writer_count(&passing->writer) > usual_size(member);
        bool alone = (passing->head.flags & MCAST_TOKEN_ALONE) != 0;
        if (full && MCAST_ROUND_PART(passing->head.round) < MCAST_PARTS_MOST - 1) {
            send_token(member, passing);
            *(alone ? &view->ring.apart_parts : &view->ring.parts) += 1;
            passing->head.round++;
            begin_datagram(member, passing);
        }
    }
    passing->head.flags |= last;
    bool alone = (passing->head.flags & MCAST_TOKEN_ALONE) != 0;
    *(alone ? &view->ring.apart_parts : &view->ring.parts) += 1;
}

static uint32_t next_hop(const struct mcast_view_state *view, const struct mcast_token_head *head,
                         uint8_t *stage) {
    if ((head->flags & MCAST_TOKEN_LEADERS) != 0) {
        return mcast_layout_next_leader(view, view->self, stage);
    }
    uint32_t next = mcast_layout_next(view, view->self, stage);
    bool leaves = *stage == MCAST_STAGE_ACROSS || *stage == MCAST_STAGE_HOME;
    return (head->flags & MCAST_TOKEN_ALONE) != 0 && leaves ? MCAST_NO_SEAT : next;
}

static uint64_t requests_sent(const struct mcast_member *member) {
    return member->stats.pulls_sent + member->stats.naks_sent;
}

void mcast_token_pass(struct mcast_member *member, struct mcast_view_state *view,
                      const struct mcast_token_head *head, struct mcast_reader *reader,
                      uint32_t from) {
    struct passing passing = {.view = view, .head = *head, .arrived = head->stage, .from = from};
    uint8_t stage = head->stage;
    passing.to = next_hop(view, head, &stage);
    passing.ends = passing.arrived == MCAST_STAGE_RETURN ||
                   (passing.arrived == MCAST_STAGE_ACROSS && stage != MCAST_STAGE_WALK);
    passing.head.stage = stage;
    if (reader != NULL && (head->flags & MCAST_TOKEN_ALONE) == 0) {
        mcast_measure_token(member, view->ring.heard);
        view->ring.heard = member->now;
    }
    uint64_t sent = requests_sent(member);
    struct mcast_requested *requested = requests_of_round(view, head);
    view->ring.ask_from = view->ring.ask_next;
    view->ring.ask_next = 0;
    member->requests_left = requests_allowed(view, head, requested);
    member->lookups_left = MCAST_LOOKS_A_DATAGRAM;
    if (passing.to != MCAST_NO_SEAT) {
        begin_datagram(member, &passing);
    }
    if (reader == NULL) {
        begin_records(member, &passing);
    } else if (!take_records(member, &passing, reader, head->records)) {
        member->stats.drop_malformed++;
        mcast_requests_flush(member, view);
        return;
    }
    add_new_streams(member, &passing);
    mcast_requests_flush(member, view);
    uint32_t asked = (uint32_t)(requests_sent(member) - sent);
    passing.head.asked += asked;
    requested->count += asked;
    requested->own += asked;
    if (passing.to == MCAST_NO_SEAT) {
        if ((head->flags & MCAST_TOKEN_ALONE) == 0) {
            mcast_round_complete(member, view, &passing.head);
        } else {
            mcast_apart_complete(member, view, passing.head.asked);
        }
        return;
    }
    send_token(member, &passing);
    if ((head->flags & MCAST_TOKEN_ENDED) != 0 && !mcast_layout_leads_region(view)) {
        mcast_view_end(member, view); /* the leader waits until all were told */
    }
}
