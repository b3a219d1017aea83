/* Unknown view: packets for a view that this node does not know yet are kept for a while, because a
 * join may be under way (rule 1.14). Their number and age are bounded. A repeated datagram takes no
 * second place: the counter tells when the sender is known, otherwise its bytes are compared. */
#include "base/memory.h"
#include "member/member_state.h"

#include <string.h>

static bool is_old(const struct mcast_member *member, const struct mcast_unknown *unknown) {
    return member->now > unknown->came + member->config.unknown_time;
}

static void drop(struct mcast_member *member, struct mcast_unknown *unknown) {
    member->stats.unknown_dropped++;
    mcast_buffer_release(unknown->in.buffer);
}

/* Drop packets that waited long enough; the ring is in order of arrival. */
static void expire(struct mcast_member *member) {
    size_t old = 0;
    while (old < member->unknown_count && is_old(member, &member->unknown[old])) {
        drop(member, &member->unknown[old++]);
    }
    member->unknown_count -= old;
    if (old > 0) {
        memmove(member->unknown, member->unknown + old,
                member->unknown_count * sizeof *member->unknown);
    }
}

static bool is_kept(const struct mcast_member *member, const struct mcast_datagram_in *in) {
    for (size_t i = 0; i < member->unknown_count; i++) {
        const struct mcast_datagram_in *other = &member->unknown[i].in;
        if (other->header.sender == in->header.sender && other->socket == in->socket &&
            other->header.counter == in->header.counter) {
            return true;
        }
    }
    return false;
}

/* True when @in may be kept. */
static bool may_keep(struct mcast_member *member, const struct mcast_datagram_in *in) {
    if (in->peer != NULL) {
        return mcast_is_new(member, in);
    }
    bool again = is_kept(member, in);
    member->stats.drop_replay += again ? 1 : 0;
    return !again;
}

void mcast_unknown_keep(struct mcast_member *member, const struct mcast_datagram_in *in) {
    expire(member);
    if (member->unknown_count >= member->config.unknown_packets) {
        member->stats.unknown_dropped++;
        return;
    }
    if (!may_keep(member, in)) {
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
    *place = (struct mcast_unknown){.in = *in, .counted = in->peer != NULL, .came = member->now};
    place->in.buffer = copy;
    place->in.body = copy->bytes;
    member->stats.unknown_kept++;
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
        if (unknown->in.view == NULL || unknown->in.peer == NULL) {
            drop(member, unknown);
            continue;
        }
        if (unknown->counted || mcast_is_new(member, &unknown->in)) {
            mcast_dispatch(member, &unknown->in);
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
