/* Transmit: choose the group whose message leaves next, and the packets for it (rules 1.12, 1.15).
 *
 * A message is bound to the region views of its group when it leaves, in all of them at once. So a
 * group waits until each of its views has room, and no receiver learns of a number that another
 * view then lacks. Groups take turns, a packet each: a long message goes as fragments between the
 * messages of others (1.0.15). */
#include "member/member_state.h"

/* Return how many datagrams the next packet of @route takes. */
static uint32_t datagrams_for(const struct mcast_member *member, const struct mcast_route *route) {
    const struct mcast_group *group = mcast_group_at(member, route->first_ready);
    return group != NULL && mcast_hybrid_excess(group, route) > 0 ? 1 : (uint32_t)route->count;
}

static bool is_open(const struct mcast_member *member, const struct mcast_route *route) {
    for (size_t i = 0; i < route->count; i++) {
        if (route->views[i] == NULL || !mcast_outbound_open(member, route->views[i])) {
            return false;
        }
    }
    return route->count > 0;
}

/* A packet for more regions than the driver ever accepts leaves when the driver's room is unused:
 * it cannot be split, because its message is bound to the views of one moment. */
static bool has_room(struct mcast_member *member, const struct mcast_route *route) {
    uint32_t room = member->emitted.room;
    if (!is_open(member, route)) {
        return false;
    }
    bool fits = room >= route->count || room == member->emitted.whole_room ||
                room >= datagrams_for(member, route);
    if (room == 0 || !fits) {
        member->emitted.more = true; /* it waits for the driver only */
        return false;
    }
    return true;
}

/* A long message leaves half of each window to others. */
static bool may_go_on(struct mcast_member *member, const struct mcast_route *route) {
    bool may = true;
    for (size_t i = 0; i < route->count; i++) {
        struct mcast_outbound *out = route->views[i]->out;
        if (out != NULL) {
            bool waits = out->flight > out->window / 2;
            mcast_outbound_wait(member, out, waits);
            may = may && !waits;
        }
    }
    return may;
}

void mcast_transmit_flush(struct mcast_member *member, struct mcast_outbound *out) {
    struct mcast_packet *packet = out->filling;
    if (packet == NULL) {
        return;
    }
    out->filling = NULL;
    mcast_alarm_stop(member, &out->batch);
    if (mcast_packet_send(member, out, packet) != MCAST_OK) {
        out->filling = packet; /* it waits for memory */
        mcast_alarm_set(member, &out->batch, member->now + MCAST_MILLISECOND);
    }
}

static struct mcast_packet *packet_for(struct mcast_member *member, struct mcast_outbound *out,
                                       const struct mcast_frame *frame, bool refer) {
    if (out->filling != NULL) {
        return out->filling;
    }
    uint32_t room = member->config.batch_delay > 0
                        ? member->config.packet_size
                        : MCAST_DATA_HEAD + MCAST_FRAME_HEAD_MOST + (refer ? 0 : frame->length);
    out->filling = mcast_packet_new(member, room);
    return out->filling;
}

/* Put @frame into the packet of one view, and send the packet when it is full or must not wait. */
static int put_frame(struct mcast_member *member, struct mcast_view_state *view,
                     const struct mcast_frame *frame, struct mcast_buffer *buffer,
                     struct mcast_sent *sent) {
    int code = mcast_open_send(member, view);
    for (int tries = 0; code == MCAST_OK && tries < 2; tries++) {
        struct mcast_outbound *out = view->out;
        bool fresh = out->filling == NULL;
        struct mcast_packet *packet =
            packet_for(member, out, frame, mcast_packet_refers(member, buffer, frame->length));
        if (packet == NULL) {
            return MCAST_ENOMEM;
        }
        code = mcast_packet_add(member, packet, frame, buffer, sent);
        if (code == MCAST_OK) {
            if (member->config.batch_delay == 0 || packet->body != NULL) {
                mcast_transmit_flush(member, out);
            } else if (fresh) {
                mcast_alarm_set(member, &out->batch, member->now + member->config.batch_delay);
            }
            return MCAST_OK;
        }
        if (code == MCAST_EFULL && !fresh) {
            mcast_transmit_flush(member, out);
            code = MCAST_OK;
        }
    }
    return code;
}

static struct mcast_sent *record_sent(struct mcast_member *member, uint32_t index,
                                      struct mcast_group *group, struct mcast_send *send) {
    struct mcast_sent *sent = mcast_slab_take(&member->sent_slab);
    if (sent == NULL) {
        member->short_of_memory = true;
        return NULL;
    }
    send->number = ++group->number;
    *sent = (struct mcast_sent){.group = index, .number = send->number, .cookie = send->cookie};
    struct mcast_active *active = group->active;
    if (active->newest != NULL) {
        active->newest->next = sent;
    } else {
        active->oldest = sent;
    }
    active->newest = sent;
    send->sent = sent;
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_SENT,
                                                     .group = index,
                                                     .sender = member->node,
                                                     .number = send->number,
                                                     .cookie = send->cookie});
    member->stats.messages_sent++;
    return sent;
}

/* Return one record for all stability announcements of a group under way; the application hears of
 * none. */
static struct mcast_sent *record_announcement(struct mcast_member *member, uint32_t index,
                                              struct mcast_active *active,
                                              struct mcast_send *send) {
    if (active->told == NULL) {
        active->told = mcast_slab_take(&member->sent_slab);
        if (active->told == NULL) {
            member->short_of_memory = true;
            return NULL;
        }
        *active->told = (struct mcast_sent){.group = index};
    }
    active->told->whole = false;
    send->sent = active->told;
    return send->sent;
}

/* Record a message that begins to leave, until all its targets have it. */
static bool begin_message(struct mcast_member *member, uint32_t index, struct mcast_group *group,
                          struct mcast_send *send) {
    if (send->sent != NULL) {
        return true;
    }
    return send->stable ? record_announcement(member, index, group->active, send) != NULL
                        : record_sent(member, index, group, send) != NULL;
}

/* Return the next frame. @excess is how many bytes the packet needs beyond the header of a data
 * packet. */
static struct mcast_frame frame_of(const struct mcast_member *member, struct mcast_group *group,
                                   const struct mcast_send *send, uint32_t excess) {
    struct mcast_frame frame = {.group = group->short_name, .number = send->number};
    uint32_t most = member->config.packet_size - MCAST_DATA_HEAD - MCAST_FRAME_HEAD_MOST -
                    MCAST_TAG_SIZE - excess;
    if (send->stable) {
        frame.kind = MCAST_FRAME_STABLE;
        return frame;
    }
    uint32_t left = send->length - send->offset;
    bool whole = send->offset == 0 && send->length <= most;
    frame.kind = whole ? MCAST_FRAME_MESSAGE : MCAST_FRAME_FRAGMENT;
    frame.bytes = send->bytes == NULL ? NULL : send->bytes + send->offset;
    frame.length = left < most ? left : most;
    frame.offset = send->offset;
    frame.total = send->length;
    return frame;
}

/* Deliver our own copy once the whole message left. */
static void deliver_own(struct mcast_member *member, uint32_t index, struct mcast_group *group,
                        const struct mcast_send *send) {
    if (mcast_group_receives(group)) {
        mcast_deliver_message(member, index, member->node, send->number, send->buffer, send->bytes,
                              send->length);
    }
}

/* Put @frame into packets of all views of @route, or of those that do not have it yet. */
static int send_to_each_region(struct mcast_member *member, const struct mcast_route *route,
                               const struct mcast_frame *frame, struct mcast_send *send) {
    while (send->done < route->count) {
        int code = put_frame(member, route->views[send->done], frame, send->buffer, send->sent);
        if (code != MCAST_OK) {
            return code; /* the other views get it when there is memory */
        }
        send->done++;
    }
    send->done = 0;
    uint32_t room = member->emitted.room;
    member->emitted.room -= route->count < room ? (uint32_t)route->count : room;
    return MCAST_OK;
}

static int send_to_group_address(struct mcast_member *member, const struct mcast_route *route,
                                 const struct mcast_group *group, const struct mcast_frame *frame,
                                 const struct mcast_send *send) {
    int code = mcast_hybrid_send(member, route, group, frame, send->buffer, send->sent);
    member->emitted.room -= code == MCAST_OK ? 1 : 0;
    return code;
}

/* Send the next packet of @group's first message. Return false when nothing could be done. */
static bool send_next(struct mcast_member *member, struct mcast_route *route, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_send *send = group->active->first;
    bool begun = send->done > 0; /* some regions have the packet: the others get it now */
    if (!begun && send->length > member->config.packet_size / 2 && send->offset > 0 &&
        !may_go_on(member, route)) {
        return false;
    }
    if (!mcast_emit_reserve(member, 1)) {
        return false;
    }
    if (!begin_message(member, index, group, send)) {
        return false;
    }
    /* A packet that went to some regions separately goes so to all. */
    uint32_t excess = send->done > 0 ? 0 : mcast_hybrid_excess(group, route);
    struct mcast_frame frame = frame_of(member, group, send, excess);
    int code = excess > 0 ? send_to_group_address(member, route, group, &frame, send)
                          : send_to_each_region(member, route, &frame, send);
    if (code != MCAST_OK) {
        member->short_of_memory = true;
        member->partly_sent = member->partly_sent || send->done > 0;
        return false;
    }
    member->stats.fragments_sent += frame.kind == MCAST_FRAME_FRAGMENT ? 1 : 0;
    send->offset += frame.length;
    if (send->offset < send->length && !send->stable) {
        return true;
    }
    send->sent->whole = true;
    if (!send->stable) {
        deliver_own(member, index, group, send);
        mcast_slow_spend(member, index);
    }
    struct mcast_sent *sent = send->sent;
    mcast_send_done(member, index);
    if (sent->views == 0) {
        mcast_sent_review(member, index); /* there was no other receiver */
    }
    return true;
}

static bool leads_to(const struct mcast_route *route, const struct mcast_view_state *view) {
    for (size_t i = 0; route != NULL && i < route->count; i++) {
        if (route->views[i] == view) {
            return true;
        }
    }
    return false;
}

/* Abandon a message: some regions have a part of it that the others can no longer get, so it is
 * uncertain and does not go on. */
static void abandon_message(struct mcast_member *member, uint32_t index) {
    struct mcast_send *send = mcast_group_at(member, index)->active->first;
    struct mcast_sent *sent = send->sent;
    if (sent != NULL) {
        sent->whole = sent->uncertain = true;
    }
    mcast_send_done(member, index);
    if (sent != NULL && sent->views == 0) {
        mcast_sent_review(member, index);
    }
}

static void finish_partly_sent(struct mcast_member *member, uint32_t index,
                               const struct mcast_view_state *view) {
    const struct mcast_group *group = mcast_group_at(member, index);
    const struct mcast_send *send =
        group == NULL || group->active == NULL ? NULL : group->active->first;
    if (send == NULL || send->done == 0) {
        return;
    }
    if (!leads_to(group->route, view)) {
        member->partly_sent = true;
        return;
    }
    mcast_route_unready(member, index);
    if (!send_next(member, group->route, index)) {
        abandon_message(member, index);
    }
    mcast_route_ready(member, index);
}

void mcast_transmit_close(struct mcast_member *member, const struct mcast_view_state *view) {
    if (!member->partly_sent) {
        return;
    }
    member->partly_sent = false;
    for (size_t i = 0; i < member->chunk_count * MCAST_GROUP_CHUNK; i++) {
        finish_partly_sent(member, (uint32_t)i, view);
    }
}

/* Take one turn for the first group of @route. Return true when something left. */
static bool take_turn(struct mcast_member *member, struct mcast_route *route) {
    uint32_t index = mcast_route_take(member, route);
    if (index == MCAST_NO_GROUP) {
        return false;
    }
    const struct mcast_group *group = mcast_group_at(member, index);
    if (group->active->first->pull) {
        mcast_want_ask(member, index);
        return true;
    }
    bool sent = send_next(member, route, index);
    mcast_route_ready(member, index);
    return sent;
}

void mcast_transmit(struct mcast_member *member) {
    uint32_t idle = 0; /* consecutive routes that could do nothing */
    while (member->ready_routes != NULL) {
        struct mcast_route *route = member->ready_routes;
        bool did = mcast_rate_allows(member) && has_room(member, route) && take_turn(member, route);
        if (did) {
            idle = 0;
        } else {
            idle++;
        }
        if (member->ready_routes == NULL || idle > member->routes.count) {
            break;
        }
        if (member->ready_routes == route) {
            member->ready_routes = route->next;
        }
    }
}
