/* Deliver: turn packets in order into messages for the application. Payloads stay in their buffer,
 * which is held until the next step. */
#include "member/member_state.h"

enum { AHEAD = 16 }; /* frames read before the first of them is delivered */

struct ahead {
    struct mcast_frame frame;
    uint32_t group; /* the caller's number, or MCAST_NO_GROUP */
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

/* True for messages of a view that closed before this node joined the group: a node that leaves and
 * comes back receives what is sent from then on. */
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

/* Read some frames ahead, so that the states of groups far apart in memory are fetched together
 * instead of one after the other. @last is the frame before them. */
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
