/* A request came: copies are asked for. Nothing is built now; each is an intent, looked at again
 * when the packet is about to leave (rules 1.11, 1.15). */
#include "machine.h"

/* A token may give rise to so many requests; which streams ask goes round, so that none starves. */
static bool may_ask(struct mcast_member *member, struct mcast_view_state *view,
                    const struct mcast_stream *stream) {
    if (stream->sender < view->ring.ask_from) {
        return false;
    }
    if (member->requests_left == 0) {
        if (view->ring.ask_next == 0) {
            view->ring.ask_next = stream->sender;
        }
        return false;
    }
    member->requests_left--;
    return true;
}

void mcast_request_send(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_stream *stream, const struct mcast_peer *to,
                        uint8_t kind, const struct mcast_spans *numbers) {
    if (to == NULL || to->dead || !may_ask(member, view, stream)) {
        return; /* what is not asked for now waits a round */
    }
    struct mcast_request request = {.kind = kind, .origin = stream->sender, .numbers = *numbers};
    struct mcast_writer writer = mcast_emit_begin(member, 1024);
    mcast_request_write(&writer, &request);
    mcast_emit(member, &writer, MCAST_WIRE_REQUEST, 0, view->number, &to->address);
    if (kind == MCAST_REQUEST_NAK || kind == MCAST_REQUEST_NAK_ONE) {
        member->stats.naks_sent++;
    } else {
        member->stats.pulls_sent++;
    }
}

static uint8_t repair_kind(uint8_t request) {
    switch (request) {
    case MCAST_REQUEST_PULL:
        return MCAST_REPAIR_PULL;
    case MCAST_REQUEST_CROSS:
        return MCAST_REPAIR_CROSS;
    default:
        return MCAST_REPAIR_SOURCE;
    }
}

bool mcast_recv_request(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_request request;
    if (!mcast_request_read(&reader, &request)) {
        return false;
    }
    member->stats.requests_received++;
    struct mcast_view_state *view = in->view;
    if (view == NULL || view->ended) {
        return true;
    }
    mcast_node target = request.kind == MCAST_REQUEST_NAK ? 0 : in->header.sender;
    for (uint32_t i = 0; i < request.numbers.count; i++) {
        for (uint64_t n = request.numbers.at[i].first; n <= request.numbers.at[i].last; n++) {
            if (!mcast_has_copy(member, view, request.origin, n)) {
                if (n == request.numbers.at[i].last ||
                    n > request.numbers.at[i].first + MCAST_REPLAY_WINDOW) {
                    break; /* a range may be as long as a stranger likes */
                }
                continue;
            }
            mcast_repair_intend(member, view, request.origin, n, target, repair_kind(request.kind));
        }
    }
    return true;
}
