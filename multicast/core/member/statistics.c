/* Statistics: measurements that are reported and steer nothing. */
#include "member/member_state.h"

/* Moving mean with a weight of one eighth for the new value. */
static uint64_t moving_mean(uint64_t mean, uint64_t fresh) {
    return mean == 0 ? fresh : (7 * mean + fresh) / 8;
}

void mcast_measure_alarm(struct mcast_member *member, mcast_time late) {
    if (member->now - member->worst_delay_since >= MCAST_SECOND) {
        member->stats.alarm_latest = member->worst_delay;
        member->worst_delay_since = member->now;
        member->worst_delay = 0;
    }
    member->worst_delay = late > member->worst_delay ? late : member->worst_delay;
    member->stats.alarms++;
    member->stats.alarms_late += late;
}

void mcast_measure_token(struct mcast_member *member, mcast_time before) {
    mcast_time gap = member->now - before;
    /* A ring that was at rest says nothing about the time of a running ring. */
    if (before != 0 && gap <= 2 * member->config.interval_ceiling) {
        member->stats.token_gap = moving_mean(member->stats.token_gap, gap);
    }
}

void mcast_measure_gap(struct mcast_member *member, struct mcast_stream *stream, bool repaired) {
    if (repaired) {
        member->stats.repair_time =
            moving_mean(member->stats.repair_time, member->now - stream->gap_since);
    }
    if (stream->contig == stream->hi) {
        stream->gap_since = 0;
    }
}
