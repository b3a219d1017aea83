/* Datagram: check a received datagram (header, cluster, tag, socket, sender, counter), find its
 * view, and pass it to the handler of its type. */
#include "member/member_state.h"

static enum mcast_socket socket_of(uint8_t type) {
    switch (type) {
    case MCAST_WIRE_DATA:
    case MCAST_WIRE_HYBRID:
        return MCAST_DATA;
    case MCAST_WIRE_REPAIR:
        return MCAST_REPAIR;
    default:
        return MCAST_CONTROL;
    }
}

static bool needs_view(uint8_t type) {
    return type == MCAST_WIRE_DATA || type == MCAST_WIRE_REPAIR || type == MCAST_WIRE_HIGH_WATER ||
           type == MCAST_WIRE_HYBRID;
}

static bool call_handler(struct mcast_member *member, const struct mcast_datagram_in *in) {
    switch (in->header.type) {
    case MCAST_WIRE_DATA:
        return mcast_recv_data(member, in);
    case MCAST_WIRE_REPAIR:
        return mcast_recv_repair(member, in);
    case MCAST_WIRE_TOKEN:
        return mcast_recv_token(member, in);
    case MCAST_WIRE_ACK:
        return mcast_recv_ack(member, in);
    case MCAST_WIRE_HIGH_WATER:
        return mcast_recv_high_water(member, in);
    case MCAST_WIRE_REQUEST:
        return mcast_recv_request(member, in);
    case MCAST_WIRE_STALE:
        return mcast_recv_stale(member, in);
    case MCAST_WIRE_EVICTED:
        return mcast_recv_evicted(member, in);
    case MCAST_WIRE_FLOW:
        return mcast_recv_flow(member, in);
    case MCAST_WIRE_HYBRID:
        return mcast_recv_hybrid(member, in);
    case MCAST_WIRE_CALL:
        return mcast_recv_call(member, in);
    default:
        return false;
    }
}

bool mcast_is_new(struct mcast_member *member, const struct mcast_datagram_in *in) {
    if (in->peer->check != in->header.incarnation) {
        member->stats.drop_stranger++;
        return false;
    }
    if (!mcast_peer_counter(member, in->peer, in->socket, in->header.counter)) {
        member->stats.drop_replay++;
        return false;
    }
    return true;
}

void mcast_dispatch(struct mcast_member *member, const struct mcast_datagram_in *in) {
    if (!call_handler(member, in)) {
        member->stats.drop_malformed++;
    }
}

/* Handle a datagram for an unknown view: the view has ended, or a join is under way. */
static void handle_unknown_view(struct mcast_member *member, struct mcast_datagram_in *in) {
    if (in->header.type == MCAST_WIRE_HYBRID) {
        mcast_hybrid_stray(member, in);
    } else if (in->peer != NULL && mcast_view_was(member, in->header.view)) {
        member->stats.drop_closed++;
        mcast_tell_gone(member, in->peer, in->header.view);
    } else if (in->header.type != MCAST_WIRE_HIGH_WATER) {
        mcast_unknown_keep(member, in);
    }
}

struct mcast_view_state *mcast_view_meant(const struct mcast_member *member,
                                          const struct mcast_datagram_in *in) {
    if (in->header.type == MCAST_WIRE_HYBRID) {
        return mcast_hybrid_view(member, in);
    }
    return in->header.view == 0 ? NULL : mcast_view_find(member, in->header.view);
}

static bool tag_is_right(const struct mcast_member *member, const struct mcast_header *header,
                         const uint8_t *bytes, size_t length) {
    const struct mcast_auth *auth = &member->config.auth;
    return auth->open == NULL ||
           auth->open(auth->context, header->key_id, header->sender, header->incarnation, bytes,
                      length - MCAST_TAG_SIZE, bytes + length - MCAST_TAG_SIZE);
}

void mcast_datagram_take(struct mcast_member *member, const struct mcast_event *event) {
    const uint8_t *bytes = event->as.datagram.bytes;
    uint32_t length = event->as.datagram.length;
    struct mcast_datagram_in in = {.buffer = event->as.datagram.buffer,
                                   .socket = event->as.datagram.socket};
    if (!mcast_header_read(bytes, length, &in.header)) {
        member->stats.drop_malformed++;
        return;
    }
    if (in.header.cluster != member->config.cluster) {
        member->stats.drop_foreign++;
        return;
    }
    if (member->node == 0 || in.header.sender == member->node) {
        return; /* our own datagram, looped back by the network */
    }
    if (!tag_is_right(member, &in.header, bytes, length)) {
        member->stats.drop_tag++;
        return;
    }
    if (socket_of(in.header.type) != in.socket) {
        member->stats.drop_malformed++;
        return;
    }
    in.body = bytes + MCAST_HEADER_SIZE;
    in.length = length - MCAST_HEADER_SIZE - MCAST_TAG_SIZE;
    in.peer = mcast_peer_find(member, in.header.sender);
    in.view = mcast_view_meant(member, &in);
    if (in.peer == NULL && mcast_is_forgotten(member, in.header.sender)) {
        member->stats.drop_stranger++;
    } else if (in.view == NULL && needs_view(in.header.type)) {
        handle_unknown_view(member, &in);
    } else if (in.peer == NULL) {
        member->stats.drop_stranger++;
    } else if (mcast_is_new(member, &in)) {
        mcast_dispatch(member, &in);
    }
}
