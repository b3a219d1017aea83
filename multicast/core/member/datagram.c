/* Datagram: check a received datagram (header, cluster, trailer, socket, sender, counter), find its
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

#define UNREADABLE_PAUSE (60 * MCAST_SECOND)

/* A datagram does not open. If it names a member that we know, tell the application now and then:
 * it may have another key. The header may be forged, so nothing else follows from it. */
static void note_unreadable(struct mcast_member *member, const struct mcast_header *header) {
    const struct mcast_peer *peer = mcast_peer_find(member, header->sender);
    bool encrypted = header->encrypted || member->config.auth.encrypts;
    member->stats.drop_tag++;
    if (!encrypted || peer == NULL || peer->check != header->incarnation) {
        return;
    }
    member->unreadable++;
    if (member->now >= member->tell_unreadable) {
        mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_UNREADABLE,
                                                         .group = UINT32_MAX,
                                                         .sender = header->sender,
                                                         .count = member->unreadable});
        member->unreadable = 0;
        member->tell_unreadable = member->now + UNREADABLE_PAUSE;
    }
}

/* Read the header of a datagram. Return false, and count why, if it is none of another member of
 * this cluster. */
static bool read_header(struct mcast_member *member, const struct mcast_event *event,
                        struct mcast_header *header) {
    if (!mcast_header_read(event->as.datagram.bytes, event->as.datagram.length, header)) {
        bool other =
            event->as.datagram.length > 0 && !mcast_header_is_ours(event->as.datagram.bytes[0]);
        member->stats.drop_foreign += other ? 1 : 0;
        member->stats.drop_malformed += other ? 0 : 1;
        return false;
    }
    if (header->cluster != member->config.cluster) {
        member->stats.drop_foreign++;
        return false;
    }
    if (member->node == 0 || header->sender == member->node) {
        return false; /* our own datagram, looped back by the network */
    }
    if (header->encrypted != member->config.auth.encrypts) {
        note_unreadable(member, header);
        return false;
    }
    return true;
}

bool mcast_datagram_open(struct mcast_member *member, const struct mcast_event *event) {
    const struct mcast_auth *auth = &member->config.auth;
    struct mcast_header header;
    if (!read_header(member, event, &header)) {
        return false;
    }
    bool ours = event->as.datagram.length >= MCAST_HEADER_SIZE + auth->trailer &&
                auth->open(auth->context, event->as.datagram.bytes, event->as.datagram.length);
    if (!ours) {
        note_unreadable(member, &header);
    }
    return ours;
}

void mcast_datagram_take(struct mcast_member *member, const struct mcast_event *event) {
    struct mcast_datagram_in in = {.buffer = event->as.datagram.buffer,
                                   .socket = event->as.datagram.socket};
    if (!read_header(member, event, &in.header)) {
        return;
    }
    if (socket_of(in.header.type) != in.socket) {
        member->stats.drop_malformed++;
        return;
    }
    in.body = event->as.datagram.bytes + MCAST_HEADER_SIZE;
    in.length = event->as.datagram.length - MCAST_HEADER_SIZE - member->config.auth.trailer;
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
