/* Stream gate: FIFO order across views (rule 1.0.7).
 *
 * The first packet of a stream, OPEN, lists the older views in which its sender sent, with its last
 * number in each. Nothing after OPEN is delivered before the listed views that this node was in are
 * delivered up to that number. A view that this node no longer knows has ended, so it was
 * delivered; one that it never knew was not its own.
 *
 * The OPEN of a dead sender may be lost (1.0.8). Then the stream waits for the end of each older
 * view that may have been listed. */
#include "base/memory.h"
#include "member/member_state.h"

#define UNTIL_THE_END UINT64_MAX

/* Keep the list; nothing that follows may be delivered without it. */
static int keep_list(struct mcast_member *member, struct mcast_stream *stream,
                     const struct mcast_open_entry *entries, size_t count) {
    if (count == 0 || stream->gates != NULL) {
        return MCAST_OK;
    }
    stream->gates = mcast_memory_new(&member->alloc, count, sizeof *stream->gates);
    if (stream->gates == NULL) {
        member->short_of_memory = true;
        return MCAST_ENOMEM;
    }
    stream->gate_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        stream->gates[i] = (struct mcast_gate){entries[i].view, entries[i].last};
    }
    return MCAST_OK;
}

int mcast_gate_learn(struct mcast_member *member, struct mcast_stream *stream,
                     const uint8_t *frames, uint32_t length) {
    struct mcast_reader reader = mcast_reader_over(frames, length);
    struct mcast_frame frame;
    struct mcast_open_entry entries[MCAST_OPEN_MOST];
    size_t count;
    if (!mcast_frame_read(&reader, &frame) || frame.kind != MCAST_FRAME_OPEN ||
        !mcast_open_read(frame.bytes, frame.length, entries, &count)) {
        return MCAST_OK; /* nothing to wait for */
    }
    return keep_list(member, stream, entries, count);
}

void mcast_gate_close(struct mcast_member *member, struct mcast_stream *stream) {
    if (stream->gate_count == 0) {
        return;
    }
    stream->gated = true;
    stream->next_gated = stream->peer->gated;
    stream->peer->gated = stream;
    mcast_gates_review(member, stream->peer);
}

/* True when a gate with an unknown last number is open: its view has ended. */
static bool is_over(const struct mcast_view_state *view, const struct mcast_peer *peer) {
    const struct mcast_stream *stream = mcast_stream_find(view, peer->node);
    return view->ended && (stream == NULL || stream->delivered >= stream->contig);
}

/* True when @older closed before @view came into force: the sender may have been in both. */
static bool comes_before(const struct mcast_view_state *older,
                         const struct mcast_view_state *view) {
    return older != view && older->number < view->number && mcast_view_is_member(older) &&
           older->closed_with != 0 && older->closed_with <= view->epoch;
}

int mcast_gate_guess(struct mcast_member *member, struct mcast_stream *stream) {
    struct mcast_open_entry entries[MCAST_OPEN_MOST];
    size_t count = 0;
    for (struct mcast_view_state *older = member->first_view; older != NULL; older = older->next) {
        if (comes_before(older, stream->view) && count < MCAST_OPEN_MOST &&
            mcast_stream_make(member, older, stream->peer) != NULL) {
            entries[count++] = (struct mcast_open_entry){older->number, UNTIL_THE_END};
        }
    }
    return keep_list(member, stream, entries, count);
}

/* True when everything up to @gate was delivered here; otherwise note that those numbers exist. */
static bool is_passed(struct mcast_member *member, struct mcast_peer *peer,
                      const struct mcast_gate *gate) {
    struct mcast_view_state *view = mcast_view_find(member, gate->view);
    if (view == NULL || !mcast_view_is_member(view) || gate->last <= member->config.first_number) {
        return true;
    }
    if (gate->last == UNTIL_THE_END) {
        return is_over(view, peer);
    }
    struct mcast_stream *stream = mcast_stream_make(member, view, peer);
    if (stream == NULL) {
        return false;
    }
    if (stream->delivered >= gate->last) {
        return true;
    }
    if (stream->hi < gate->last) {
        mcast_stream_know(member, stream, gate->last);
    }
    return false;
}

static bool opens(struct mcast_member *member, struct mcast_stream *stream) {
    for (uint32_t i = 0; i < stream->gate_count; i++) {
        if (!is_passed(member, stream->peer, &stream->gates[i])) {
            return false;
        }
    }
    return true;
}

void mcast_gates_review(struct mcast_member *member, struct mcast_peer *peer) {
    struct mcast_stream **link = &peer->gated;
    while (*link != NULL) {
        struct mcast_stream *stream = *link;
        if (!opens(member, stream)) {
            link = &stream->next_gated;
            continue;
        }
        *link = stream->next_gated;
        stream->next_gated = NULL;
        stream->gated = false;
        mcast_stream_flow(member, stream);
        link = &peer->gated; /* delivery may have opened others */
    }
}
