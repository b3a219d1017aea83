/* Step: handle a batch of events and emit the result. This file only fixes the order (rule 1.16):
 * application and service events first, then received datagrams (member/arrival_order.c), then
 * alarms that are due, then what may leave, by class. Each piece is handled in the file of its
 * subject. */
#include "member/member_state.h"

enum { AHEAD = 8 }; /* events between the prefetch of a group and the use of it */

static void handle_service_message(struct mcast_member *member,
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

static void handle_control(struct mcast_member *member, const struct mcast_event *event) {
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
        handle_service_message(member, &message);
    }
    if (message.kind != 0) {
        mcast_service_message_free(&member->alloc, &message);
    }
}

static void handle_request(struct mcast_member *member, const struct mcast_event *event) {
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
        handle_control(member, event);
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
static void handle_events(struct mcast_member *member, const struct mcast_event *events,
                          size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (count - i > AHEAD && events[i + AHEAD].kind == MCAST_EVENT_SEND) {
            mcast_group_prefetch(member, events[i + AHEAD].as.send.group);
        }
        if (events[i].kind != MCAST_EVENT_DATAGRAM) {
            handle_request(member, &events[i]);
        }
    }
    mcast_inbound(member, events, count);
}

/* Emit what may leave, by class. In the papers' mode, repair shares the class of tokens and
 * precedes tokens that are due after the request; in fifo mode, waiting data precedes them as well.
 */
static void emit_by_class(struct mcast_member *member) {
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
    handle_events(member, events, count);
    mcast_slow_review(member, output->unread_for);
    mcast_alarms_ring(member);
    if (member->wants_eviction) {
        member->wants_eviction = false;
        mcast_evict(member, member->epoch, MCAST_EEVICTED);
    }
    mcast_change_pump(member);
    mcast_members_pump(member);
    emit_by_class(member);
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
