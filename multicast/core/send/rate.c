/* Rate: how much data a node sends, where the driver set a cap (rule 1.12).
 *
 * A token bucket of 20 ms fills at the rate. An acknowledgement that leaves more than three
 * quarters of a window under way, twice in a row, lowers the rate to seven tenths; any other adds a
 * twentieth of the cap. Without a cap, only the windows bound what is under way. */
#include "member/member_state.h"

enum {
    BURST_MILLISECONDS = 20, /* what the bucket holds */
    SLOWEST_PART = 20,       /* the rate stays above a twentieth of the cap */
};

static int64_t burst(const struct mcast_member *member) {
    int64_t bytes = (int64_t)(member->rate / 1000 * BURST_MILLISECONDS);
    int64_t least = 2 * (int64_t)member->config.packet_size;
    return bytes > least ? bytes : least;
}

bool mcast_rate_allows(struct mcast_member *member) {
    if (member->config.rate_cap == 0) {
        return true;
    }
    if (member->rate == 0) {
        member->rate = member->config.rate_cap;
        member->rate_credit = burst(member);
        member->rate_credited = member->now;
    }
    mcast_time gone = member->now - member->rate_credited;
    gone = gone < MCAST_SECOND ? gone : MCAST_SECOND;
    member->rate_credit += (int64_t)(member->rate / 1000 * (gone / MCAST_MICROSECOND) / 1000);
    member->rate_credited += gone / MCAST_MICROSECOND * MCAST_MICROSECOND;
    if (gone == MCAST_SECOND) {
        member->rate_credited = member->now;
    }
    if (member->rate_credit > burst(member)) {
        member->rate_credit = burst(member);
    }
    return member->rate_credit > 0;
}

void mcast_rate_spend(struct mcast_member *member, uint32_t bytes) {
    if (member->config.rate_cap != 0) {
        member->rate_credit -= bytes;
    }
}

void mcast_rate_heed(struct mcast_member *member, const struct mcast_outbound *out) {
    uint64_t cap = member->config.rate_cap;
    if (cap == 0 || member->rate == 0) {
        return;
    }
    if (out->flight <= out->window / 4 * 3) {
        member->rate_laggard = 0;
        member->rate = member->rate + cap / 20 < cap ? member->rate + cap / 20 : cap;
    } else if (++member->rate_laggard >= 2) {
        member->rate_laggard = 0;
        uint64_t slower = member->rate / 10 * 7;
        member->rate = slower > cap / SLOWEST_PART ? slower : cap / SLOWEST_PART;
    }
    member->stats.rate_bytes = member->rate;
}

mcast_time mcast_rate_deadline(const struct mcast_member *member) {
    bool waits = member->config.rate_cap != 0 && member->ready_routes != NULL &&
                 member->rate != 0 && member->rate_credit <= 0;
    if (!waits) {
        return MCAST_NEVER;
    }
    uint64_t owed = (uint64_t)(1 - member->rate_credit);
    return member->now + owed * MCAST_SECOND / member->rate + MCAST_MICROSECOND;
}
