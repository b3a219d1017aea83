/* View state: questions about a region view, its end, and the time for which silence is normal
 * (rules 1.5, 1.14, 1.0.6, 1.0.12). */
#include "member/member_state.h"

struct mcast_view_state *mcast_view_find(const struct mcast_member *member, mcast_view number) {
    uint64_t found = mcast_map_get(&member->views, number);
    return found == MCAST_MAP_NONE ? NULL : (struct mcast_view_state *)(uintptr_t)found;
}

/* Return the last number of a stream in a closed view. When the sender left or died first, nobody
 * announced one: it is the highest known number, and may differ between members. */
static uint64_t last_of(const struct mcast_stream *stream) {
    return stream->final != UINT64_MAX ? stream->final : stream->hi;
}

static bool stream_is_stable(const struct mcast_stream *stream) {
    const struct mcast_judged *judged = stream->judged;
    if (judged == NULL || judged->missing || judged->contig < judged->hi ||
        stream->hi > judged->contig) {
        return false;
    }
    return stream->peer->dead ? judged->aware : judged->contig >= last_of(stream);
}

bool mcast_view_is_stable(const struct mcast_view_state *view) {
    /* A round that began before the view was closed cannot have learned of everything sent. */
    if (!view->closed || view->ring.home <= view->ring.closed) {
        return false;
    }
    for (size_t i = 0; i < view->stream_count; i++) {
        const struct mcast_stream *stream = view->streams[i];
        bool unused = last_of(stream) == stream->hi && stream->hi == stream->delivered &&
                      stream->hi == stream->purged && !stream->peer->dead;
        if (!unused && !stream_is_stable(stream)) {
            return false;
        }
    }
    return true;
}

/* Without a service no death is detected, and a new service removes nobody for twice the suspicion
 * time (rule 1.0.12): silence counts from its WELCOME on. */
mcast_time mcast_member_patience(const struct mcast_member *member, mcast_time heard) {
    mcast_time since = heard > member->welcomed_at ? heard : member->welcomed_at;
    return since + 3 * member->suspicion + 2 * MCAST_SECOND;
}

mcast_time mcast_view_patience(const struct mcast_member *member,
                               const struct mcast_view_state *view) {
    const struct mcast_ring *ring = &view->ring;
    return mcast_member_patience(member, ring->heard > ring->spoken ? ring->heard : ring->spoken);
}

bool mcast_view_was(const struct mcast_member *member, mcast_view number) {
    for (uint32_t i = 0; i < 256 && i < member->past_count; i++) {
        if (member->past[i] == number) {
            return true;
        }
    }
    return false;
}
