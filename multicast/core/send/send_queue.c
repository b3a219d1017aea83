/* Send queue: messages of the application, in order for each group, until they leave. */
#include "member/member_state.h"

#include <string.h>

enum { MESSAGE_MOST = 64 * 1024 * 1024, PENDING_MOST = 1 << 16 };

void mcast_refuse(struct mcast_member *member, uint32_t group, uint64_t cookie, int code) {
    mcast_emit_notice(
        member, &(struct mcast_notice){
                    .kind = MCAST_NOTICE_REFUSED, .code = code, .group = group, .cookie = cookie});
}

/* Keep @bytes: hold the caller's buffer or make a copy. */
static bool take_payload(struct mcast_member *member, struct mcast_send *send,
                         struct mcast_buffer *buffer, const uint8_t *bytes, uint32_t length) {
    send->length = length;
    if (buffer != NULL) {
        send->buffer = mcast_buffer_hold(buffer);
        send->bytes = bytes;
        return true;
    }
    send->buffer = mcast_buffer_new(&member->alloc, length);
    if (send->buffer == NULL) {
        member->short_of_memory = true;
        return false;
    }
    if (length > 0) {
        memcpy(send->buffer->bytes, bytes, length);
    }
    send->bytes = send->buffer->bytes;
    return true;
}

static int may_send(struct mcast_member *member, uint32_t index) {
    const struct mcast_group *group = mcast_group_at(member, index);
    if (member->evicted) {
        return MCAST_EEVICTED;
    }
    if (member->stopping) {
        return MCAST_ESTOPPED;
    }
    if (group == NULL || group->state == MCAST_GROUP_LEAVING || group->leave_asked) {
        return MCAST_EGROUP;
    }
    return group->active != NULL && group->active->pending >= PENDING_MOST ? MCAST_EFULL : MCAST_OK;
}

void mcast_active_append(struct mcast_member *member, struct mcast_active *active,
                         struct mcast_send *send) {
    if (active->last != NULL) {
        active->last->next = send;
    } else {
        active->first = send;
    }
    active->last = send;
    active->pending++;
    member->stats.pending_messages++;
}

void mcast_send_add(struct mcast_member *member, const struct mcast_event *event) {
    uint32_t index = event->as.send.group;
    int code = may_send(member, index);
    if (code == MCAST_OK && event->as.send.length > MESSAGE_MOST) {
        code = MCAST_ETOOLONG;
    }
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_active *active = code == MCAST_OK ? mcast_group_active(member, group) : NULL;
    struct mcast_send *send = active == NULL ? NULL : mcast_slab_take(&member->send_slab);
    if (code == MCAST_OK && send == NULL) {
        code = MCAST_ENOMEM;
    }
    if (code == MCAST_OK) {
        *send = (struct mcast_send){.cookie = event->as.send.cookie, .pull = event->as.send.pull};
        if (!send->pull && !take_payload(member, send, event->as.send.buffer, event->as.send.bytes,
                                         event->as.send.length)) {
            mcast_slab_give(&member->send_slab, send);
            code = MCAST_ENOMEM;
        }
    }
    if (code != MCAST_OK) {
        mcast_refuse(member, index, event->as.send.cookie, code);
        return;
    }
    mcast_active_append(member, active, send);
    mcast_route_ready(member, index);
}

void mcast_send_done(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_active *active = group->active;
    struct mcast_send *send = active->first;
    active->first = send->next;
    if (active->first == NULL) {
        active->last = NULL;
    }
    active->pending--;
    member->stats.pending_messages--;
    mcast_emit_hold(member, send->buffer);
    mcast_buffer_release(send->buffer);
    mcast_slab_give(&member->send_slab, send);
    if (group->leave_asked) {
        mcast_group_settled(member, index);
    }
    mcast_group_rest(member, group);
}

void mcast_want_answer(struct mcast_member *member, const struct mcast_event *event) {
    uint32_t index = event->as.payload.group;
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_active *active = group == NULL ? NULL : group->active;
    struct mcast_send *send = active == NULL ? NULL : active->first;
    if (send == NULL || !send->asked || send->cookie != event->as.payload.cookie) {
        mcast_refuse(member, index, event->as.payload.cookie, MCAST_ENOTASKED);
        return;
    }
    if (!event->as.payload.nothing && event->as.payload.length > MESSAGE_MOST) {
        mcast_refuse(member, index, event->as.payload.cookie, MCAST_ETOOLONG);
        return;
    }
    active->wanted = 0;
    if (event->as.payload.nothing) {
        mcast_send_done(member, index);
    } else if (take_payload(member, send, event->as.payload.buffer, event->as.payload.bytes,
                            event->as.payload.length)) {
        send->pull = send->asked = false;
    } else {
        mcast_send_done(member, index);
        mcast_refuse(member, index, event->as.payload.cookie, MCAST_ENOMEM);
    }
    mcast_route_ready(member, index);
}
