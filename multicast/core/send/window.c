/* Window: how much a node may have under way in one region view (rules 1.0.3, 1.12).
 *
 * In bytes: twice what is under way at the measured rate and acknowledgement time, and at most what
 * the configuration allows. Senders, and other members, keep what a member has not acknowledged, so
 * this bounds their memory too. Packets carry flags that say how much of the window is used. */
#include "member/member_state.h"

#define USUAL_LEAST (20 * MCAST_MILLISECOND) /* bounds of what counts as the usual time */
#define USUAL_MOST (40 * MCAST_MILLISECOND)  /* of an acknowledgement */

enum {
    RATE_MILLISECONDS = 100, /* how often the rate is measured */
    FIRST_MILLISECONDS = 20, /* how long the first rate is measured */
};

/* Return the time that an acknowledgement takes: the measured one, or the age of the oldest packet.
 * So a member that stands still for a while does not stop the others (rule 1.0.3). */
static mcast_time ack_time(const struct mcast_member *member, const struct mcast_outbound *out) {
    const struct mcast_packet *oldest = mcast_outbound_find(out, out->acked + 1);
    mcast_time age = oldest == NULL ? 0 : member->now - oldest->sent_at;
    return age > out->ack_time ? age : out->ack_time;
}

bool mcast_window_stands_still(const struct mcast_member *member,
                               const struct mcast_outbound *out) {
    mcast_time usual = out->ack_time > USUAL_LEAST ? out->ack_time : USUAL_LEAST;
    usual = usual < USUAL_MOST ? usual : USUAL_MOST;
    return ack_time(member, out) > 3 * usual;
}

/* Return the most that may be under way. Others keep what the queue of a stopped receiver cannot
 * hold. */
static uint64_t largest_window(const struct mcast_member *member,
                               const struct mcast_outbound *out) {
    const struct mcast_config *config = &member->config;
    bool bounded = config->window_room > 0 && config->window_room < config->window_cap;
    return bounded && !mcast_window_stands_still(member, out) ? config->window_room
                                                              : config->window_cap;
}

bool mcast_window_is_reached(const struct mcast_member *member, const struct mcast_outbound *out,
                             uint64_t bytes) {
    return out->flight + member->config.packet_size > bytes;
}

bool mcast_window_is_full(const struct mcast_member *member, const struct mcast_outbound *out) {
    return mcast_window_is_reached(member, out, member->config.window_cap) ||
           (out->long_waits && out->flight > member->config.window_cap / 2) ||
           out->last - out->acked >= MCAST_PENDING_MOST;
}

uint8_t mcast_window_flags(const struct mcast_member *member, const struct mcast_outbound *out) {
    bool near = out->flight > member->config.window_cap / 8 ||
                out->last - out->acked > MCAST_PENDING_MOST / 8;
    unsigned flags = out->flight > out->window / 2 ? MCAST_FLAG_PRESSED : 0;
    if (member->config.pace == MCAST_ADAPTIVE) {
        flags |= near ? MCAST_FLAG_NEAR : 0;
        flags |= mcast_window_is_full(member, out) ? MCAST_FLAG_FULL : 0;
    }
    return (uint8_t)flags;
}

void mcast_window_set(struct mcast_member *member, struct mcast_outbound *out) {
    uint64_t window = 2 * out->rate / 1000 * (ack_time(member, out) / MCAST_MILLISECOND);
    uint64_t most = largest_window(member, out);
    if (window < member->config.window_floor) {
        window = member->config.window_floor;
    }
    if (window > most) {
        window = most;
    }
    member->stats.window_bytes += window - out->window;
    out->window = window;
}

void mcast_window_measure(struct mcast_member *member, struct mcast_outbound *out) {
    mcast_time span = member->now - out->rate_since;
    mcast_time least = out->rate == 0 ? FIRST_MILLISECONDS : RATE_MILLISECONDS;
    if (span < least * MCAST_MILLISECOND) {
        return;
    }
    uint64_t rate = out->rate_bytes * 1000 / (span / MCAST_MILLISECOND);
    out->rate = out->rate == 0 ? rate : (3 * out->rate + rate) / 4;
    out->rate_bytes = 0;
    out->rate_since = member->now;
    mcast_window_set(member, out);
}
