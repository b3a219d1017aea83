/* Reassembly: messages longer than a packet, put together from fragments that arrive in order (rule
 * 1.0.15). Fragments without a head are ignored. Memory is refused at the head, never midway. */
#include "member/member_state.h"

#include <string.h>

struct mcast_partial {
    struct mcast_partial *next;
    uint32_t group;
    mcast_node sender;
    uint64_t number;
    uint64_t filled;
    struct mcast_buffer *buffer;
};

void mcast_fragments_init(struct mcast_member *member) {
    mcast_slab_init(&member->partial_slab, &member->alloc, sizeof(struct mcast_partial), 1 << 16);
}

static struct mcast_partial *take_out(struct mcast_partial **link) {
    struct mcast_partial *partial = *link;
    *link = partial->next;
    return partial;
}

static void end(struct mcast_member *member, struct mcast_partial *partial) {
    member->stats.reassembly_bytes -= partial->buffer->size;
    mcast_emit_hold(member, partial->buffer);
    mcast_buffer_release(partial->buffer);
    mcast_slab_give(&member->partial_slab, partial);
}

static void end_partial(struct mcast_member *member, struct mcast_partial **link) {
    end(member, take_out(link));
}

static struct mcast_partial **find(struct mcast_member *member, uint32_t group, mcast_node sender) {
    struct mcast_partial **link = &member->partials;
    while (*link != NULL && ((*link)->group != group || (*link)->sender != sender)) {
        link = &(*link)->next;
    }
    return link;
}

static void refuse_head(struct mcast_member *member, uint32_t group, mcast_node sender,
                        const struct mcast_frame *frame) {
    member->stats.heads_refused++;
    member->stats.messages_dropped++;
    mcast_emit_notice(member, &(struct mcast_notice){.kind = MCAST_NOTICE_DROPPED,
                                                     .group = group,
                                                     .sender = sender,
                                                     .number = frame->number,
                                                     .last = frame->number,
                                                     .count = 1});
}

static bool begin(struct mcast_member *member, uint32_t group, mcast_node sender,
                  const struct mcast_frame *frame) {
    struct mcast_partial *partial = NULL;
    if (frame->total <= member->config.reassembly_cap - member->stats.reassembly_bytes) {
        partial = mcast_slab_take(&member->partial_slab);
    }
    struct mcast_buffer *buffer =
        partial == NULL ? NULL : mcast_buffer_new(&member->alloc, (uint32_t)frame->total);
    if (buffer == NULL) {
        if (partial != NULL) {
            mcast_slab_give(&member->partial_slab, partial);
        }
        refuse_head(member, group, sender, frame);
        return false;
    }
    *partial = (struct mcast_partial){.next = member->partials,
                                      .group = group,
                                      .sender = sender,
                                      .number = frame->number,
                                      .buffer = buffer};
    member->partials = partial;
    member->stats.reassembly_bytes += frame->total;
    return true;
}

void mcast_fragment(struct mcast_member *member, uint32_t group, mcast_node sender,
                    const struct mcast_frame *frame) {
    struct mcast_partial **link = find(member, group, sender);
    if (frame->offset == 0) {
        if (*link != NULL) {
            end_partial(member, link); /* the rest of it was skipped */
        }
        if (!begin(member, group, sender, frame)) {
            return;
        }
        link = &member->partials;
    }
    struct mcast_partial *partial = *link;
    if (partial == NULL || partial->number != frame->number || partial->filled != frame->offset ||
        partial->buffer->size != frame->total) {
        return;
    }
    memcpy(partial->buffer->bytes + frame->offset, frame->bytes, frame->length);
    partial->filled += frame->length;
    if (partial->filled == frame->total) {
        member->stats.messages_assembled++;
        (void)take_out(link); /* delivery may end the group, and with it list entries */
        mcast_deliver_message(member, group, sender, partial->number, partial->buffer,
                              partial->buffer->bytes, partial->buffer->size);
        end(member, partial);
    }
}

void mcast_fragments_forget(struct mcast_member *member, mcast_node sender, uint32_t group) {
    struct mcast_partial **link = &member->partials;
    while (*link != NULL) {
        bool meant = (sender == 0 || (*link)->sender == sender) &&
                     (group == MCAST_NO_GROUP || (*link)->group == group);
        if (meant) {
            end_partial(member, link);
        } else {
            link = &(*link)->next;
        }
    }
}

void mcast_fragments_look_ahead(struct mcast_member *member) {
    for (const struct mcast_partial *partial = member->partials; partial != NULL;
         partial = partial->next) {
        mcast_heard_of(member, partial->group, partial->sender, partial->number);
    }
}

bool mcast_fragments_has(const struct mcast_member *member, mcast_node sender) {
    const struct mcast_partial *partial = member->partials;
    while (partial != NULL && partial->sender != sender) {
        partial = partial->next;
    }
    return partial != NULL;
}

/* True when more of @sender may arrive: some view has not reached the end of its stream. */
static bool may_go_on(const struct mcast_member *member, mcast_node sender) {
    const struct mcast_peer *peer = mcast_peer_find(member, sender);
    if (peer != NULL && !peer->dead) {
        return true;
    }
    for (const struct mcast_view_state *view = member->first_view; view != NULL;
         view = view->next) {
        const struct mcast_stream *stream =
            mcast_view_is_member(view) ? mcast_stream_find(view, sender) : NULL;
        bool over = stream == NULL ||
                    ((view->ended || stream->quiescent) && stream->delivered == stream->hi);
        if (!over) {
            return true;
        }
    }
    return false;
}

void mcast_fragments_review(struct mcast_member *member) {
    if (!member->partials_orphaned) {
        return;
    }
    member->partials_orphaned = false;
    struct mcast_partial **link = &member->partials;
    while (*link != NULL) {
        if (may_go_on(member, (*link)->sender)) {
            link = &(*link)->next;
        } else {
            end_partial(member, link);
        }
    }
}
