/* Unknown: packets for a view that this node does not know yet, kept a while because a join may be
 * under way (rule 1.14). They are bounded in number and time. */
#include "machine.h"
#include "memory.h"

#include <string.h>

void mcast_unknown_keep(struct mcast_member *member, const struct mcast_datagram_in *in) {
    if (member->unknown_count >= member->config.unknown_packets) {
        member->stats.unknown_dropped++;
        return;
    }
    if (member->unknown == NULL) {
        member->unknown = mcast_memory_new(&member->alloc, member->config.unknown_packets,
                                           sizeof *member->unknown);
    }
    struct mcast_buffer *copy =
        member->unknown == NULL ? NULL : mcast_buffer_new(&member->alloc, in->length);
    if (copy == NULL) {
        member->short_of_memory = true;
        member->stats.drop_memory++;
        return;
    }
    memcpy(copy->bytes, in->body, in->length);
    struct mcast_unknown *place = &member->unknown[member->unknown_count++];
    *place = (struct mcast_unknown){.in = *in, .came = member->now};
    place->in.buffer = copy;
    place->in.body = copy->bytes;
    member->stats.unknown_kept++;
}

static bool is_old(const struct mcast_member *member, const struct mcast_unknown *unknown) {
    return member->now > unknown->came + member->config.unknown_time;
}

void mcast_unknown_replay(struct mcast_member *member) {
    size_t kept = 0;
    size_t count = member->unknown_count;
    for (size_t i = 0; i < count; i++) {
        struct mcast_unknown *unknown = &member->unknown[i];
        unknown->in.view = mcast_view_meant(member, &unknown->in);
        unknown->in.peer = mcast_peer_find(member, unknown->in.header.sender);
        if (unknown->in.view == NULL && !is_old(member, unknown)) {
            member->unknown[kept++] = *unknown;
            continue;
        }
        if (unknown->in.view != NULL && unknown->in.peer != NULL) {
            mcast_dispatch(member, &unknown->in);
        } else {
            member->stats.unknown_dropped++;
        }
        mcast_buffer_release(unknown->in.buffer);
    }
    member->unknown_count = kept;
}

void mcast_unknown_free(struct mcast_member *member) {
    for (size_t i = 0; i < member->unknown_count; i++) {
        mcast_buffer_release(member->unknown[i].in.buffer);
    }
    member->unknown_count = 0;
    mcast_memory_free(&member->alloc, member->unknown, member->config.unknown_packets,
                      sizeof *member->unknown);
    member->unknown = NULL;
}
