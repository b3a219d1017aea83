/* Step: handle a batch of events and emit the result. This file only fixes the order (rule 1.16):
 * application and service events first, then received datagrams (member/arrival_order.c), then
 * alarms that are due, then what may leave, by class. Each piece is handled in the file of its
 * subject. */
#include "member/member_state.h"

#include <string.h>

enum { AHEAD = 8 }; /* events between the prefetch of a group and the use of it */

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

static bool handle(struct mcast_member *member, const struct mcast_datagram_in *in) {
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
    if (!handle(member, in)) {
        member->stats.drop_malformed++;
    }
}

/* Handle a datagram for an unknown view: the view has ended, or a join is under way. */
static void unknown_view(struct mcast_member *member, struct mcast_datagram_in *in) {
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
        unknown_view(member, &in);
    } else if (in.peer == NULL) {
        member->stats.drop_stranger++;
    } else if (mcast_is_new(member, &in)) {
        mcast_dispatch(member, &in);
    }
}

static void take_service_message(struct mcast_member *member,
                                 struct mcast_service_message *message) {
    switch (message->kind) {
    case MCAST_SM_WELCOME:
        mcast_recv_welcome(member, message);
        break;
    case MCAST_SM_REFUSED:
        mcast_refuse(member, MCAST_NO_GROUP, 0, message->as.refused.code);
        break;
    case MCAST_SM_PREPARE:
        mcast_recv_prepare(member, message);
        break;
    case MCAST_SM_COMMIT:
        mcast_recv_commit(member, message);
        break;
    case MCAST_SM_CHANGED:
        mcast_recv_changed(member, message);
        break;
    case MCAST_SM_VIEW_CLOSED:
        mcast_recv_view_closed(member, message);
        break;
    case MCAST_SM_DEMOTE:
        mcast_recv_demote(member, message);
        break;
    case MCAST_SM_MEMBERS:
        mcast_recv_members(member, message);
        break;
    case MCAST_SM_EVICTED:
        mcast_evict(member, message->as.evicted.epoch, message->as.evicted.code);
        break;
    default:
        break;
    }
}

static void take_control(struct mcast_member *member, const struct mcast_event *event) {
    struct mcast_service_message message;
    int code = mcast_service_message_decode(event->as.control.bytes, event->as.control.length,
                                            &member->alloc, &message);
    if (code != MCAST_OK) {
        member->stats.drop_malformed += code == MCAST_EMALFORMED ? 1 : 0;
        member->short_of_memory |= code == MCAST_ENOMEM;
        return;
    }
    member->service_heard = member->now;
    if (!member->evicted) {
        take_service_message(member, &message);
    }
    if (message.kind != 0) {
        mcast_service_message_free(&member->alloc, &message);
    }
}

static void take_other(struct mcast_member *member, const struct mcast_event *event) {
    switch (event->kind) {
    case MCAST_EVENT_CONNECTED:
        member->connected = true;
        member->served = false;
        member->service_heard = member->now;
        if (!member->evicted) { /* after an eviction, HELLO waits for REJOIN */
            mcast_hello(member);
        }
        break;
    case MCAST_EVENT_DISCONNECTED:
        member->connected = false;
        member->served = false;
        break;
    case MCAST_EVENT_CONTROL:
        take_control(member, event);
        break;
    case MCAST_EVENT_JOIN:
    case MCAST_EVENT_REGISTER:
        mcast_group_join(member, event->as.join.group, &event->as.join.id, &event->as.join.policy,
                         event->kind == MCAST_EVENT_JOIN);
        break;
    case MCAST_EVENT_LEAVE:
        mcast_group_leave(member, event->as.leave.group);
        break;
    case MCAST_EVENT_SEND:
        mcast_send_add(member, event);
        break;
    case MCAST_EVENT_PAYLOAD:
        mcast_want_answer(member, event);
        break;
    case MCAST_EVENT_CONSUMED:
        mcast_slow_consumed(member, event->as.consumed.group, event->as.consumed.messages,
                            event->as.consumed.bytes);
        break;
    case MCAST_EVENT_RESUME:
        mcast_slow_resume(member, event->as.leave.group);
        break;
    case MCAST_EVENT_MEMBERS:
        mcast_members_ask(member, event->as.leave.group);
        break;
    case MCAST_EVENT_STOP:
        mcast_stop(member);
        break;
    case MCAST_EVENT_REJOIN:
        mcast_rejoin(member, event->as.rejoin.incarnation);
        break;
    default:
        break;
    }
}

/* Handle the events of the application and the service first; there are few of them. */
static void take_events(struct mcast_member *member, const struct mcast_event *events,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (count - i > AHEAD && events[i + AHEAD].kind == MCAST_EVENT_SEND) {
            mcast_group_prefetch(member, events[i + AHEAD].as.send.group);
        }
        if (events[i].kind != MCAST_EVENT_DATAGRAM) {
            take_other(member, &events[i]);
        }
    }
    mcast_inbound(member, events, count);
}

/* Emit what may leave, by class. In the papers' mode, repair shares the class of tokens and
 * precedes tokens that are due after the request; in fifo mode, waiting data precedes them as well.
 */
static void pump(struct mcast_member *member) {
    if (member->config.priority_mode == MCAST_FINE8) {
        mcast_emit_control(member);
    }
    mcast_repair_pump(member);
    if (member->config.priority_mode == MCAST_QSM6) {
        mcast_emit_control(member);
    }
    mcast_emit_data(member);
    mcast_transmit(member);
}

int mcast_member_step(struct mcast_member *member, const struct mcast_event *events, size_t count,
                      mcast_time now, struct mcast_output *output) {
    mcast_emit_reset(member);
    member->now = now > member->now ? now : member->now;
    member->short_of_memory = false;
    member->emitted.room = member->emitted.whole_room = output->room;
    member->emitted.unread = output->unread;
    member->emitted.unread_bytes = output->unread_bytes;
    mcast_streams_flow_again(member);
    take_events(member, events, count);
    mcast_alarms_ring(member);
    if (member->wants_eviction) {
        member->wants_eviction = false;
        mcast_evict(member, member->epoch, MCAST_EEVICTED);
    }
    mcast_change_pump(member);
    mcast_members_pump(member);
    pump(member);
    mcast_stop_review(member);
    mcast_views_sweep(member);
    mcast_fragments_review(member);
    mcast_emit_control(member);
    mcast_emit_finish(member, output);
    return member->short_of_memory ? MCAST_ENOMEM : MCAST_OK;
}

mcast_time mcast_member_next_deadline(const struct mcast_member *member) {
    mcast_time deadline = mcast_heap_deadline(&member->timers);
    mcast_time repair = mcast_repair_deadline(member);
    mcast_time retry = member->short_of_memory ? member->now + 10 * MCAST_MILLISECOND : MCAST_NEVER;
    mcast_time rate = mcast_rate_deadline(member);
    deadline = deadline < rate ? deadline : rate;
    deadline = deadline < repair ? deadline : repair;
    deadline = deadline < retry ? deadline : retry;
    return deadline > member->now ? deadline : member->now;
}

enum mcast_priority mcast_priority_of(enum mcast_priority_mode mode, const uint8_t *bytes,
                                      size_t length) {
    uint8_t type = length > 1 ? bytes[1] : 0;
    if (mode == MCAST_FIFO) {
        return MCAST_TOKEN_IN;
    }
    switch (type) {
    case MCAST_WIRE_DATA:
    case MCAST_WIRE_HYBRID:
        return MCAST_DATA_IN;
    case MCAST_WIRE_REPAIR:
        return mode == MCAST_QSM6 ? MCAST_TOKEN_IN : MCAST_REPAIR_IN;
    case MCAST_WIRE_REQUEST:
        return mode == MCAST_QSM6 ? MCAST_TOKEN_IN : MCAST_REQUEST_IN;
    default:
        return MCAST_TOKEN_IN;
    }
}
