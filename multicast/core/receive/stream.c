/* Stream: the packets of one sender in one region view, as this node has them.
 *
 * Rule 1.7: numbers run across all groups of the region view. Rule 1.0.4: `contig` counts what was
 * accepted; `delivered` follows it and stops at a gate (1.0.7), or until the view is in force.
 * Nothing here requests repair: the data path notes gaps, and tokens alone act on them (1.11). */
#include "base/memory.h"
#include "base/prefetch.h"
#include "member/member_state.h"

enum { SMALLEST_FRAME = 4 };

static size_t place_of(const struct mcast_view_state *view, mcast_node sender) {
    size_t low = 0;
    size_t high = view->stream_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (view->streams[middle]->sender < sender) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct mcast_stream *mcast_stream_find(const struct mcast_view_state *view, mcast_node sender) {
    if (view->recent != NULL && view->recent->sender == sender) {
        return view->recent;
    }
    size_t place = place_of(view, sender);
    if (place == view->stream_count || view->streams[place]->sender != sender) {
        return NULL;
    }
    return view->streams[place];
}

static void begin_stream(struct mcast_member *member, struct mcast_stream *stream) {
    uint64_t first = member->config.first_number;
    stream->contig = stream->delivered = stream->hi = stream->purged = first;
    stream->settled = stream->settling = first;
    stream->settling_since = stream->hi_at = member->now;
    stream->final = UINT64_MAX;
    stream->arrivals.low = first + 1;
}

struct mcast_stream *mcast_stream_make(struct mcast_member *member, struct mcast_view_state *view,
                                       struct mcast_peer *peer) {
    struct mcast_stream *stream = mcast_stream_find(view, peer->node);
    if (stream != NULL) {
        view->recent = stream;
        return stream;
    }
    struct mcast_stream **streams =
        mcast_memory_grow(&member->alloc, view->streams, &view->stream_room, view->stream_count + 1,
                          sizeof(struct mcast_stream *));
    if (streams != NULL) {
        view->streams = streams;
        stream = mcast_memory_new(&member->alloc, 1, sizeof *stream);
    }
    if (stream == NULL) {
        member->short_of_memory = true;
        return NULL;
    }
    stream->view = view;
    stream->peer = peer;
    stream->sender = peer->node;
    begin_stream(member, stream);
    size_t place = place_of(view, peer->node);
    for (size_t i = view->stream_count; i > place; i--) {
        streams[i] = streams[i - 1];
    }
    streams[place] = stream;
    view->stream_count++;
    view->recent = stream;
    member->stats.streams++;
    return stream;
}

static void leave_gates(struct mcast_stream *stream) {
    struct mcast_stream **link = &stream->peer->gated;
    while (*link != NULL && *link != stream) {
        link = &(*link)->next_gated;
    }
    if (*link == stream) {
        *link = stream->next_gated;
    }
}

void mcast_stream_free(struct mcast_member *member, struct mcast_stream *stream) {
    leave_gates(stream);
    mcast_arrivals_free(member, &stream->arrivals);
    mcast_memory_free(&member->alloc, stream->gates, stream->gate_count, sizeof *stream->gates);
    mcast_memory_free(&member->alloc, stream->judged, 1, sizeof *stream->judged);
    mcast_memory_free(&member->alloc, stream->apart, 1, sizeof *stream->apart);
    mcast_memory_free(&member->alloc, stream->skip, 1, sizeof *stream->skip);
    mcast_memory_free(&member->alloc, stream, 1, sizeof *stream);
    member->stats.streams--;
}

struct mcast_judged *mcast_stream_judged(struct mcast_member *member, struct mcast_stream *stream) {
    if (stream->judged == NULL) {
        stream->judged = mcast_memory_new(&member->alloc, 1, sizeof *stream->judged);
        if (stream->judged == NULL) {
            member->short_of_memory = true;
            return NULL;
        }
        stream->judged->cut = stream->judged->before = stream->purged;
        stream->judged->contig = stream->judged->hi = stream->purged;
        stream->judged->acked = member->config.first_number;
        stream->judged->own.known = 0;
        mcast_spans_clear(&stream->judged->want, MCAST_SPANS_MOST);
        mcast_spans_clear(&stream->judged->skip, MCAST_SPANS_MOST);
    }
    return stream->judged;
}

/* Return how old a number must be before its absence means loss (rule 1.0.9). */
static mcast_time reordering_time(const struct mcast_member *member) {
    mcast_time twice = 2 * member->reorder;
    return twice > 2 * MCAST_MILLISECOND ? twice : 2 * MCAST_MILLISECOND;
}

/* Rule 1.0.9: `settled` trails behind `hi` by the reordering time. */
void mcast_stream_settle(struct mcast_member *member, struct mcast_stream *stream) {
    mcast_time age = reordering_time(member);
    if (member->now - stream->hi_at >= age) {
        stream->settled = stream->settling = stream->hi;
        stream->settling_since = member->now;
    } else if (member->now - stream->settling_since >= age) {
        stream->settled = stream->settling;
        stream->settling = stream->hi;
        stream->settling_since = member->now;
    }
}

static void wake_rings(struct mcast_member *member, struct mcast_view_state *view) {
    if (view->ring.interval == 0) {
        mcast_ring_wake(member, view);
    }
    if (member->config.ring_mode == MCAST_INDEPENDENT) {
        mcast_apart_wake(member, view);
    }
}

void mcast_stream_know(struct mcast_member *member, struct mcast_stream *stream, uint64_t hi) {
    mcast_stream_settle(member, stream);
    if (hi > stream->hi) {
        stream->hi = hi;
        stream->hi_at = member->now;
        if (hi > stream->contig && stream->gap_since == 0) {
            stream->gap_since = member->now;
        }
        stream->quiescent = false;
    }
    if (!stream->quiescent) {
        wake_rings(member, stream->view);
    }
}

void mcast_stream_rouse(struct mcast_member *member, struct mcast_stream *stream) {
    stream->quiescent = false;
    wake_rings(member, stream->view);
}

bool mcast_stream_is_active(const struct mcast_stream *stream) {
    return !stream->quiescent;
}

static void advance_low(struct mcast_stream *stream) {
    uint64_t low = stream->purged < stream->delivered ? stream->purged : stream->delivered;
    if (low + 1 > stream->arrivals.low) {
        stream->arrivals.low = low + 1;
    }
}

/* True when the first frame of a packet is an OPEN; then it is the only frame. */
static bool is_open(const uint8_t *frames, uint32_t length) {
    return length > 0 && frames[0] == MCAST_FRAME_OPEN;
}

/* True when memory suffices to deliver all messages that a packet can hold and to keep its OPEN. */
static bool can_deliver(struct mcast_member *member, struct mcast_stream *stream,
                        const uint8_t *frames, uint32_t length) {
    return mcast_emit_reserve(member, length / SMALLEST_FRAME + 1) &&
           (!is_open(frames, length) ||
            mcast_gate_learn(member, stream, frames, length) == MCAST_OK);
}

static void deliver_frames(struct mcast_member *member, struct mcast_stream *stream,
                           struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length) {
    stream->delivered++;
    if (is_open(frames, length)) {
        member->stats.opens++;
        stream->opened = true;
        mcast_gate_close(member, stream);
    } else {
        mcast_deliver(member, stream, buffer, frames, length);
    }
}

static bool keeps(const struct mcast_member *member, const struct mcast_stream *stream,
                  uint64_t number) {
    return number > stream->purged &&
           mcast_layout_keeps(member, stream->view, stream->view->self, number);
}

/* Report skipped numbers at their place in the stream. */
static void report_lost(struct mcast_member *member, const struct mcast_stream *stream,
                        uint64_t first, uint64_t last) {
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_LOST,
                                                     .group = MCAST_NO_GROUP,
                                                     .sender = stream->sender,
                                                     .number = first,
                                                     .last = last,
                                                     .count = stream->view->number});
}

/* Pass the next number, which is lost. If it was an OPEN, its contents must be guessed before
 * anything behind it is delivered. */
static bool pass_one(struct mcast_member *member, struct mcast_stream *stream) {
    bool opens = stream->delivered == member->config.first_number;
    if (opens && mcast_gate_guess(member, stream) != MCAST_OK) {
        return false;
    }
    mcast_arrivals_drop(member, &stream->arrivals, ++stream->delivered);
    if (opens) {
        mcast_gate_close(member, stream);
    }
    return true;
}

/* Pass the lost numbers that are next. Return false to wait for memory. */
static bool pass_lost(struct mcast_member *member, struct mcast_stream *stream) {
    uint64_t first = stream->delivered + 1;
    uint64_t last = stream->delivered;
    const struct mcast_slot *slot = mcast_arrivals_find(&stream->arrivals, first, stream->hi);
    while (slot != NULL && slot->state == MCAST_SLOT_SKIPPED && last < stream->contig &&
           stream->delivered == last && !stream->gated) {
        if (!pass_one(member, stream)) {
            break;
        }
        last++;
        slot = mcast_arrivals_find(&stream->arrivals, last + 1, stream->hi);
    }
    if (last < first) {
        member->flow_again = true;
        return false;
    }
    report_lost(member, stream, first, last);
    return true;
}

/* Prefetch the next waiting packet, which has left the cache, while this one is delivered. */
static void prefetch_next(const struct mcast_stream *stream, uint64_t number) {
    const struct mcast_slot *slot =
        mcast_arrivals_find(&stream->arrivals, number + 1, stream->contig);
    if (slot != NULL && slot->state != MCAST_SLOT_SKIPPED) {
        mcast_prefetch_read(slot->frames);
    }
}

/* True when a packet has to wait for an epoch (membership/wait_for_commit.c). A view that takes
 * nothing new contains nothing of a later epoch. */
static bool waits_for_commit(struct mcast_member *member, const struct mcast_stream *stream,
                             const uint8_t *frames, uint32_t length) {
    return member->brought && !stream->view->closing &&
           mcast_brought_awaits(member, frames, length);
}

static void deliver_ready(struct mcast_member *member, struct mcast_stream *stream) {
    while (stream->delivered < stream->contig && !stream->gated) {
        uint64_t number = stream->delivered + 1;
        struct mcast_slot *slot = mcast_arrivals_find(&stream->arrivals, number, stream->hi);
        if (slot == NULL) {
            stream->delivered++; /* our own: nothing to deliver */
        } else if (slot->state == MCAST_SLOT_SKIPPED) {
            if (!pass_lost(member, stream)) {
                break;
            }
            continue;
        } else if (waits_for_commit(member, stream, slot->frames, slot->length)) {
            break;
        } else if (!can_deliver(member, stream, slot->frames, slot->length)) {
            member->flow_again = true;
            break;
        } else {
            struct mcast_slot copy = *slot;
            prefetch_next(stream, number);
            deliver_frames(member, stream, copy.buffer, copy.frames, copy.length);
        }
        if (slot != NULL && !keeps(member, stream, number)) {
            mcast_arrivals_drop(member, &stream->arrivals, number);
        }
    }
    advance_low(stream);
}

void mcast_stream_flow(struct mcast_member *member, struct mcast_stream *stream) {
    uint64_t before = stream->delivered;
    while (stream->contig < stream->hi &&
           mcast_arrivals_find(&stream->arrivals, stream->contig + 1, stream->hi) != NULL) {
        stream->contig++;
    }
    if (stream->view->committed) {
        deliver_ready(member, stream);
    }
    /* Another stream can wait for a closing view only. */
    if (stream->view->closing && stream->delivered != before) {
        mcast_gates_review(member, stream->peer);
    }
    if (stream->view->ended) {
        stream->view->over = true; /* reviewed at the end of the step */
        member->views_to_free = true;
    }
}

/* Measure the network's reordering: how long after a higher number this one arrived without repair.
 */
static void note_reordering(struct mcast_member *member, const struct mcast_stream *stream) {
    mcast_time late = member->now - stream->hi_at;
    if (late < 100 * MCAST_MILLISECOND && late > member->reorder) {
        member->reorder = late;
    } else {
        member->reorder -= member->reorder / 1024;
    }
}

/* Accept the next number in order while nothing waits, the usual case. A copy is kept only if
 * others need it. */
static bool accept_next(struct mcast_member *member, struct mcast_stream *stream, uint64_t number,
                        struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length) {
    if (!can_deliver(member, stream, frames, length)) {
        member->stats.drop_memory++;
        return false;
    }
    if (keeps(member, stream, number) &&
        (mcast_arrivals_reserve(member, &stream->arrivals, number, stream->hi) != MCAST_OK ||
         mcast_arrivals_keep(member, &stream->arrivals, number, buffer, frames, length) !=
             MCAST_OK)) {
        member->stats.drop_memory++;
        return false;
    }
    stream->contig = number;
    deliver_frames(member, stream, buffer, frames, length);
    advance_low(stream);
    return true;
}

static bool accept_later(struct mcast_member *member, struct mcast_stream *stream, uint64_t number,
                         struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length) {
    if (member->stats.cached_bytes + length > member->config.reorder_cap) {
        member->stats.drop_reorder++;
        return false;
    }
    int code = mcast_arrivals_reserve(member, &stream->arrivals, number, stream->hi);
    if (code == MCAST_OK) {
        code = mcast_arrivals_keep(member, &stream->arrivals, number, buffer, frames, length);
    }
    member->stats.drop_reorder += code == MCAST_EFULL ? 1 : 0;
    member->stats.drop_memory += code == MCAST_ENOMEM ? 1 : 0;
    return code == MCAST_OK;
}

bool mcast_stream_accept(struct mcast_member *member, struct mcast_stream *stream, uint64_t number,
                         struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length,
                         bool repaired) {
    if (number <= stream->contig ||
        mcast_arrivals_find(&stream->arrivals, number, stream->hi) != NULL) {
        member->stats.duplicates++;
        return false;
    }
    if (number > stream->final) {
        member->stats.drop_closed++;
        return false;
    }
    if (!repaired && number < stream->hi) {
        note_reordering(member, stream);
    }
    uint64_t hi = stream->hi;
    bool next = number == stream->contig + 1 && stream->delivered == stream->contig &&
                !stream->gated && stream->view->committed &&
                !waits_for_commit(member, stream, frames, length);
    bool accepted = next ? accept_next(member, stream, number, buffer, frames, length)
                         : accept_later(member, stream, number, buffer, frames, length);
    if (!accepted) {
        return false;
    }
    member->stats.packets_received++;
    member->stats.bytes_received += length;
    mcast_stream_know(member, stream, number);
    if (!next || hi > number || stream->view->closing) {
        mcast_stream_flow(member, stream);
        if (next && stream->view->closing) {
            mcast_gates_review(member, stream->peer);
        }
    }
    if (stream->gap_since != 0) {
        mcast_measure_gap(member, stream, repaired);
    }
    return true;
}

/* Most numbers beyond `contig` that one round checks: more than any window holds. */
enum { JUDGED_MOST = 1 << 17 };

void mcast_stream_missing(const struct mcast_member *member, const struct mcast_stream *stream,
                          uint64_t limit, struct mcast_spans *missing) {
    mcast_stream_missing_from(member, stream, stream->contig + 1, limit, missing);
}

void mcast_stream_missing_from(const struct mcast_member *member, const struct mcast_stream *stream,
                               uint64_t number, uint64_t limit, struct mcast_spans *missing) {
    mcast_spans_clear(missing, member->config.nak_ranges);
    if (limit > stream->contig + JUDGED_MOST) {
        limit = stream->contig + JUDGED_MOST; /* a later round takes the rest */
    }
    uint64_t known = limit < stream->hi ? limit : stream->hi;
    while (number <= known) {
        if (mcast_arrivals_find(&stream->arrivals, number, stream->hi) != NULL) {
            number++;
            continue;
        }
        uint64_t first = number;
        while (number < known &&
               mcast_arrivals_find(&stream->arrivals, number + 1, stream->hi) == NULL) {
            number++;
        }
        if (!mcast_spans_append(missing, first, number)) {
            return;
        }
        number++;
    }
    if (number <= limit) {
        (void)mcast_spans_append(missing, number, limit); /* numbers that we never heard of */
    }
}

void mcast_stream_purge(struct mcast_member *member, struct mcast_stream *stream, uint64_t number) {
    if (number > stream->contig) {
        number = stream->contig;
    }
    if (number <= stream->purged) {
        return;
    }
    stream->purged = number;
    uint64_t done = number < stream->delivered ? number : stream->delivered;
    for (uint64_t n = stream->arrivals.low; n <= done && stream->arrivals.kept > 0; n++) {
        if (mcast_arrivals_find(&stream->arrivals, n, stream->hi) != NULL) {
            mcast_arrivals_drop(member, &stream->arrivals, n);
        }
    }
    advance_low(stream);
}

static void pass_over(struct mcast_member *member, struct mcast_stream *stream, uint64_t number) {
    if (number <= stream->contig ||
        mcast_arrivals_find(&stream->arrivals, number, stream->hi) != NULL ||
        mcast_arrivals_reserve(member, &stream->arrivals, number, stream->hi) != MCAST_OK) {
        return;
    }
    stream->arrivals.slots[number & stream->arrivals.mask].state = MCAST_SLOT_SKIPPED;
    stream->arrivals.kept++;
    member->stats.skips++;
}

void mcast_stream_skip(struct mcast_member *member, struct mcast_stream *stream,
                       const struct mcast_spans *numbers) {
    for (uint32_t i = 0; i < numbers->count; i++) {
        uint64_t first = numbers->at[i].first;
        uint64_t last = numbers->at[i].last;
        mcast_stream_know(member, stream, last);
        first = first > stream->contig ? first : stream->contig + 1;
        last = last < stream->contig + JUDGED_MOST ? last : stream->contig + JUDGED_MOST;
        for (uint64_t n = first; n <= last; n++) {
            pass_over(member, stream, n);
        }
    }
    mcast_stream_flow(member, stream);
}

void mcast_streams_flow_again(struct mcast_member *member) {
    if (!member->flow_again) {
        return;
    }
    member->flow_again = false;
    for (struct mcast_view_state *view = member->first_view; view != NULL; view = view->next) {
        for (size_t i = 0; i < view->stream_count; i++) {
            mcast_stream_flow(member, view->streams[i]);
        }
    }
}
