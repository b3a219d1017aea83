/* Slow node: an engine that falls behind and holds back everybody's window (rule 1.0.4, the second
 * kind).
 *
 * When senders are pressed and one seat keeps the bound of a stream in place for eight seconds, the
 * leader publishes it; the membership service confirms, and from then on that seat counts neither
 * for the bound nor for purging. It goes on as it can: when it has caught up, it takes part again;
 * when others have purged what it misses, it is evicted and takes the state from them under a new
 * incarnation. A leader judges itself like others, where there are any.
 *
 * A node can repair its losses in rounds only (rule 1.11), so time is counted by rounds that came
 * home, each for a second at most: quiet times of a stream, times when the ring stood still, and
 * the start of a stream are not the fault of the seat that the next round finds behind. */
#include "member/member_state.h"

#define BEHIND_FOR (8 * MCAST_SECOND) /* ours: rule 1.0.4 says only "past the bound" */
#define ROUND_MOST MCAST_SECOND       /* what one round adds at most */

static void report_slow(struct mcast_member *member, const struct mcast_view_state *view,
                        mcast_node node, uint64_t behind) {
    struct mcast_service_message message = {.kind = MCAST_SM_SLOW};
    message.as.slow.node = node;
    message.as.slow.view = view->number;
    message.as.slow.behind = behind;
    mcast_say(member, &message);
}

/* Return how long one seat has held back a stream, including the round that came home now. */
static mcast_time behind_for(const struct mcast_member *member, struct mcast_judged *judged,
                             bool stands) {
    mcast_time gone = member->now - judged->low_at;
    judged->low_at = member->now;
    judged->low_for = stands ? judged->low_for + (gone < ROUND_MOST ? gone : ROUND_MOST) : 0;
    return judged->low_for;
}

void mcast_slow_node_judge(struct mcast_member *member, struct mcast_view_state *view,
                           struct mcast_judged *judged, const struct mcast_record *record) {
    bool stands = record->contig < record->cut && record->contig <= judged->contig &&
                  record->low == judged->low && mcast_pace_is_pressed(member, view) &&
                  record->low < view->count && view->alive > 1;
    if (behind_for(member, judged, stands) >= BEHIND_FOR && !view->seats[record->low].dead) {
        judged->low_for = 0; /* repeated if it does not help */
        report_slow(member, view, view->seats[record->low].node, record->cut - record->contig);
    }
}

static bool has_caught_up(const struct mcast_view_state *view) {
    for (size_t i = 0; i < view->stream_count; i++) {
        if (view->streams[i]->contig < view->streams[i]->hi) {
            return false;
        }
    }
    return true;
}

void mcast_slow_node_visit(struct mcast_member *member, struct mcast_view_state *view,
                           const struct mcast_stream *stream, const struct mcast_record *record) {
    if (stream->sender == member->node || stream->peer->dead) {
        return;
    }
    if (record->purge > stream->contig) {
        struct mcast_service_message bye = {.kind = MCAST_SM_BYE};
        mcast_say(member, &bye);
        member->wants_eviction = true;
    } else if (view->seats[view->self].demoted && has_caught_up(view) &&
               member->now >= view->demoted_said + MCAST_SECOND) {
        view->demoted_said = member->now;
        report_slow(member, view, member->node, 0);
    }
}
