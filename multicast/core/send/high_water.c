/* High-water: after data, repeat the highest number until everything is acknowledged, so that the
 * leader learns of a lost tail and of a sender that waits (rules 1.0.4, 1.0.10). */
#include "member/member_state.h"

#define LONGEST_STEP (160 * MCAST_MILLISECOND) /* the last of 10, 20, 40, 80 … (1.0.10) */
#define WIDENED_EVERY (10 * MCAST_MILLISECOND) /* how often a full window is computed again */
#define FULL_STEP (40 * MCAST_MILLISECOND)     /* between marks of a sender that waits */

enum { AWAKE_MILLISECONDS = 500 }; /* longer than a round that the budget slows down */

/* True when nothing else tells the leader that this sender is pressed: its window stops the data
 * that would say so, and a slow node is judged only while a sender is pressed (rule 1.0.4). */
static bool leader_needs_mark(const struct mcast_member *member, const struct mcast_outbound *out) {
    return member->config.pace == MCAST_ADAPTIVE && out->high_water_step >= LONGEST_STEP &&
           !mcast_layout_leads_region(out->view);
}

/* Return the time to the first high-water mark. While packets follow one another, each is a mark by
 * itself. After quiet the first step is the shortest (rule 1.0.10); otherwise the acknowledgement
 * gets its usual time, or each packet would cost a mark and its answer. */
static mcast_time first_step(const struct mcast_member *member, const struct mcast_outbound *out) {
    if (member->config.pace == MCAST_FIXED) {
        return member->config.interval_ceiling;
    }
    mcast_time floor = member->config.interval_floor;
    bool rested = member->now >= out->last_sent + MCAST_SECOND;
    mcast_time step = rested || 2 * out->ack_time < floor ? floor : 2 * out->ack_time;
    return step < LONGEST_STEP ? step : LONGEST_STEP;
}

/* True when the window lets nothing pass. */
static bool window_is_shut(const struct mcast_member *member, const struct mcast_outbound *out) {
    return member->config.pace == MCAST_ADAPTIVE &&
           (out->long_waits || mcast_window_is_reached(member, out, out->window) ||
            mcast_window_is_full(member, out));
}

/* Return when to check a waiting message again: a full window may have to grow soon. */
static mcast_time next_check(const struct mcast_member *member, const struct mcast_outbound *out) {
    mcast_time mark = out->last_sent + out->high_water_step;
    mcast_time look = member->now + WIDENED_EVERY;
    return window_is_shut(member, out) && look < mark ? look : mark;
}

static void arm_for_full_window(struct mcast_member *member, struct mcast_outbound *out) {
    out->high_water_step = mcast_window_is_full(member, out) ? FULL_STEP : out->high_water_step;
    mcast_alarm_set(member, &out->high_water, next_check(member, out));
}

void mcast_outbound_wait(struct mcast_member *member, struct mcast_outbound *out, bool waits) {
    bool begins = waits && !out->long_waits;
    out->long_waits = waits;
    if (begins && window_is_shut(member, out)) {
        arm_for_full_window(member, out);
    }
}

/* Handle our own @flags as the other members do. */
static void heed_own_flags(struct mcast_member *member, struct mcast_outbound *out, uint8_t flags) {
    if ((flags & MCAST_FLAG_PRESSED) != 0) {
        mcast_pace_press(member, out->view);
    }
    mcast_brink_told(member, out->view, flags);
}

void mcast_high_water_after(struct mcast_member *member, struct mcast_outbound *out,
                            uint8_t flags) {
    heed_own_flags(member, out, flags);
    if (out->last - out->acked == 1) {
        out->high_water_step = first_step(member, out);
    }
    out->last_sent = member->now;
    if (window_is_shut(member, out)) {
        arm_for_full_window(member, out);
    } else if (!mcast_timer_is_set(&out->high_water.timer)) {
        mcast_alarm_set(member, &out->high_water, member->now + out->high_water_step);
    }
}

void mcast_high_water_send(struct mcast_member *member, const struct mcast_outbound *out) {
    uint8_t flags = mcast_window_flags(member, out);
    struct mcast_writer writer = mcast_emit_begin(member, 16);
    mcast_write_varint(&writer, out->last);
    mcast_emit(member, &writer, MCAST_WIRE_HIGH_WATER, flags, out->view->number,
               &out->view->address);
    member->stats.high_waters_sent++;
}

/* True when a token tells the leader our highest number. A member adds it to each token that
 * passes. If one with our stream passed recently, the leader is awake, and the next token will tell
 * it. */
static bool token_tells_leader(const struct mcast_member *member,
                               const struct mcast_outbound *out) {
    const struct mcast_view_state *view = out->view;
    if (!mcast_view_is_member(view)) {
        return false;
    }
    const struct mcast_stream *own = mcast_stream_find(view, member->node);
    bool runs = own != NULL && own->round_at != 0 &&
                member->now < own->round_at + AWAKE_MILLISECONDS * MCAST_MILLISECOND;
    return runs || member->config.pace == MCAST_FIXED || mcast_layout_leads_region(view) ||
           view->ring.heard > out->last_sent;
}

void mcast_high_water_ring(struct mcast_member *member, struct mcast_alarm *self) {
    uint8_t *place = (uint8_t *)self - offsetof(struct mcast_outbound, high_water);
    struct mcast_outbound *out = (struct mcast_outbound *)(void *)place;
    if (out->acked == out->last) {
        return;
    }
    bool due = member->now >= out->last_sent + out->high_water_step;
    if (due || (window_is_shut(member, out) && mcast_window_stands_still(member, out))) {
        mcast_window_set(member, out);
    }
    if (!due) {
        mcast_alarm_set(member, self, next_check(member, out));
        return;
    }
    uint8_t flags = mcast_window_flags(member, out);
    heed_own_flags(member, out, flags);
    bool full = (flags & MCAST_FLAG_FULL) != 0;
    bool pressed = (flags & MCAST_FLAG_PRESSED) != 0;
    if (mcast_outside_is_silent(member, out)) {
        mcast_outbound_give_up(member, out);
        return;
    }
    if (full || !token_tells_leader(member, out) || (pressed && leader_needs_mark(member, out))) {
        mcast_high_water_send(member, out);
        out->unheard++;
    }
    if (member->config.pace == MCAST_ADAPTIVE && out->high_water_step < LONGEST_STEP) {
        out->high_water_step *= 2;
    }
    out->last_sent = member->now;
    mcast_alarm_set(member, self, next_check(member, out));
}
