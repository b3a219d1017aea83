/* Deliver: from packets in order to messages for the application. Payloads are handed on where they
 * lie; the buffer is held until the next step. */
#include "machine.h"

void mcast_deliver_message(struct mcast_member *member, uint32_t index, mcast_node sender,
                           uint64_t number, struct mcast_buffer *buffer, const uint8_t *bytes,
                           uint32_t length) {
    if (!mcast_slow_admit(member, index, sender, number, length)) {
        return;
    }
    mcast_heard(member, mcast_group_at(member, index), sender, number);
    mcast_emit_delivery(member, &(struct mcast_delivery){.group = index,
                                                         .sender = sender,
                                                         .number = number,
                                                         .bytes = bytes,
                                                         .length = length,
                                                         .buffer = buffer});
    member->stats.messages_delivered++;
}

static void tell_stable(struct mcast_member *member, uint32_t index, mcast_node sender,
                        uint64_t number) {
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_STABLE,
                                                     .group = index,
                                                     .sender = sender,
                                                     .number = number});
}

/* What was sent in a view that closed before this node was in the group is not for it: who leaves
 * and comes back hears what is said from then on. */
static bool is_before(const struct mcast_view_state *view, const struct mcast_group *group) {
    return view->closed_with != 0 && view->closed_with <= group->since;
}

static void deliver_frame(struct mcast_member *member, const struct mcast_stream *stream,
                          struct mcast_buffer *buffer, const struct mcast_frame *frame,
                          uint32_t index) {
    const struct mcast_group *group =
        index == MCAST_NO_GROUP ? NULL : mcast_group_at(member, index);
    if (group == NULL || !mcast_group_receives(group) || is_before(stream->view, group)) {
        return;
    }
    mcast_node sender = stream->sender;
    switch (frame->kind) {
    case MCAST_FRAME_MESSAGE:
        mcast_deliver_message(member, index, sender, frame->number, buffer, frame->bytes,
                              frame->length);
        break;
    case MCAST_FRAME_FRAGMENT:
        mcast_fragment(member, index, sender, frame);
        break;
    case MCAST_FRAME_STABLE:
        tell_stable(member, index, sender, frame->number);
        break;
    default:
        break;
    }
}

void mcast_deliver(struct mcast_member *member, const struct mcast_stream *stream,
                   struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length) {
    struct mcast_reader reader = mcast_reader_over(frames, length);
    struct mcast_frame frame;
    uint32_t name = 0;
    uint32_t index = MCAST_NO_GROUP; /* is of the group that the last frame was for */
    mcast_emit_hold(member, buffer);
    while (mcast_reader_left(&reader) > 0 && mcast_frame_read(&reader, &frame)) {
        if (index == MCAST_NO_GROUP || frame.group != name) {
            name = frame.group;
            index = mcast_group_named(member, name);
        }
        deliver_frame(member, stream, buffer, &frame, index);
    }
}
