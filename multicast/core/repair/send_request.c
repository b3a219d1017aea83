/* Send request: collect the requests that one token causes, and send one datagram to each target
 * (rules 1.11, 1.15). */
#include "member/member_state.h"

enum { ASKS_MOST = 256 };

/* True when this token's visit may send requests to @target. When there are too many targets, the
 * streams take turns, so that none starves. */
static bool may_ask(struct mcast_member *member, struct mcast_view_state *view,
                    const struct mcast_stream *stream, mcast_node target) {
    const struct mcast_ask *asks = member->asks.items;
    if (stream->sender < view->ring.ask_from || member->asks.count >= ASKS_MOST) {
        return false;
    }
    for (size_t i = 0; i < member->asks.count; i++) {
        if (asks[i].to->node == target) {
            return true;
        }
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
    if (to == NULL || to->dead || !may_ask(member, view, stream, to->node)) {
        return; /* the rest waits a round */
    }
    struct mcast_ask *ask = mcast_list_add(member, &member->asks, sizeof *ask);
    if (ask != NULL) {
        *ask = (struct mcast_ask){
            .to = to, .request = {.kind = kind, .origin = stream->sender, .numbers = *numbers}};
    }
}

/* Send all requests to the target of @asks[@first] and mark them as sent. */
static void send_to(struct mcast_member *member, const struct mcast_view_state *view,
                    struct mcast_ask *asks, size_t first) {
    const struct mcast_peer *to = asks[first].to;
    struct mcast_writer writer =
        mcast_emit_begin(member, member->config.packet_size - MCAST_HEADER_SIZE - MCAST_TAG_SIZE);
    bool nak = false;
    for (size_t i = first; i < member->asks.count; i++) {
        if (asks[i].to != to) {
            continue;
        }
        struct mcast_writer before = writer;
        mcast_request_write(&writer, &asks[i].request);
        if (writer.failed) {
            writer = before; /* it waits a round */
        }
        nak |= asks[i].request.kind >= MCAST_REQUEST_NAK;
        asks[i].to = NULL;
    }
    mcast_emit(member, &writer, MCAST_WIRE_REQUEST, 0, view->number, &to->address);
    member->stats.naks_sent += nak ? 1 : 0;
    member->stats.pulls_sent += nak ? 0 : 1;
}

void mcast_requests_flush(struct mcast_member *member, const struct mcast_view_state *view) {
    struct mcast_ask *asks = member->asks.items;
    for (size_t i = 0; i < member->asks.count; i++) {
        if (asks[i].to != NULL) {
            send_to(member, view, asks, i);
        }
    }
    member->asks.count = 0;
}
