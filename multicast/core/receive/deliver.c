/* Deliver: from packets in order to messages for the application. Payloads are handed on where they
 * lie; the buffer is held until the next step. */
#include "member/member_state.h"

enum { AHEAD = 16 }; /* is how many frames are read before the first of them is handed on */

struct ahead {
    struct mcast_frame frame;
    uint32_t group; /* is the caller's number of it, or MCAST_NO_GROUP */
};

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

/* Reads some frames. What is kept of groups that are far apart comes out of memory together, and
 * not one after the other when it is needed. @last is the frame before them. */
static size_t read_ahead(const struct mcast_member *member, struct mcast_reader *reader,
                         struct ahead *last, struct ahead *ahead) {
    size_t count = 0;
    while (count < AHEAD && mcast_reader_left(reader) > 0 &&
           mcast_frame_read(reader, &ahead[count].frame)) {
        uint32_t name = ahead[count].frame.group;
        if (last->group == MCAST_NO_GROUP || name != last->frame.group) {
            last->frame.group = name;
            last->group = mcast_group_named(member, name);
            mcast_group_prefetch(member, last->group);
        }
        ahead[count++].group = last->group;
    }
    return count;
}

void mcast_deliver(struct mcast_member *member, const struct mcast_stream *stream,
                   struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length) {
    struct mcast_reader reader = mcast_reader_over(frames, length);
    struct ahead ahead[AHEAD];
    struct ahead last = {.group = MCAST_NO_GROUP};
    size_t count;
    mcast_emit_hold(member, buffer);
    while ((count = read_ahead(member, &reader, &last, ahead)) > 0) {
        for (size_t i = 0; i < count; i++) {
            deliver_frame(member, stream, buffer, &ahead[i].frame, ahead[i].group);
        }
    }
}
