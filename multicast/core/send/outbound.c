/* Outbound: packets that this node sent in one region view and the region has not acknowledged
 * (rules 1.7, 1.12).
 *
 * A packet gets its number when it leaves, and stays until the leader of the region acknowledged
 * it; acknowledgements are cumulative. The window is in bytes (1.0.3, send/window.c). After data, a
 * high-water mark is repeated until everything is acknowledged, so that a lost tail becomes known
 * (1.0.10). */
#include "base/memory.h"
#include "member/member_state.h"

#define LONGEST_STEP (160 * MCAST_MILLISECOND)
#define WIDENED_EVERY (10 * MCAST_MILLISECOND)
#define FULL_STEP (40 * MCAST_MILLISECOND)

enum {
    FIRST_PACKETS = 16,
    AWAKE_MILLISECONDS = 500, /* longer than a round that the budget slows down */
};

/* True when nothing else tells the leader that this sender is pressed: its window stops the data
 * that would say so, and a slow node is judged only while a sender is pressed (rule 1.0.4). */
static bool must_say(const struct mcast_member *member, const struct mcast_outbound *out) {
    return member->config.pace == MCAST_ADAPTIVE && out->high_water_step >= LONGEST_STEP &&
           !mcast_layout_leads_region(out->view);
}

static void ring_high_water(struct mcast_member *member, struct mcast_alarm *self);
static void ring_batch(struct mcast_member *member, struct mcast_alarm *self);

struct mcast_outbound *mcast_outbound_make(struct mcast_member *member,
                                           struct mcast_view_state *view) {
    if (view->out != NULL) {
        return view->out;
    }
    if (mcast_alarms_add(member, MCAST_OUTBOUND_ALARMS) != MCAST_OK) {
        return NULL;
    }
    struct mcast_outbound *out = mcast_memory_new(&member->alloc, 1, sizeof *out);
    if (out == NULL) {
        mcast_alarms_remove(member, MCAST_OUTBOUND_ALARMS);
        member->short_of_memory = true;
        return NULL;
    }
    out->view = view;
    out->last = out->acked = member->config.first_number;
    out->window = member->config.window_floor;
    out->high_water.ring = ring_high_water;
    out->batch.ring = ring_batch;
    out->rate_since = member->now;
    out->low = MCAST_NO_SEAT;
    view->out = out;
    member->stats.outbound_views++;
    member->stats.window_bytes += out->window;
    return out;
}

struct mcast_packet *mcast_outbound_find(const struct mcast_outbound *out, uint64_t number) {
    if (number <= out->acked || number > out->last || out->packets == NULL) {
        return NULL;
    }
    return out->packets[number & out->mask];
}

bool mcast_outbound_open(const struct mcast_member *member, const struct mcast_view_state *view) {
    if (!view->committed || view->closing) {
        return false;
    }
    const struct mcast_outbound *out = view->out;
    return out == NULL || (!mcast_window_is_reached(member, out, out->window) &&
                           out->last - out->acked < MCAST_PENDING_MOST);
}

int mcast_outbound_reserve(struct mcast_member *member, struct mcast_outbound *out) {
    uint32_t old = out->packets == NULL ? 0 : out->mask + 1;
    if (out->last - out->acked < old) {
        return MCAST_OK;
    }
    uint32_t room = old == 0 ? FIRST_PACKETS : 2 * old;
    struct mcast_packet **packets =
        mcast_memory_new(&member->alloc, room, sizeof(struct mcast_packet *));
    if (packets == NULL) {
        member->short_of_memory = true;
        return MCAST_ENOMEM;
    }
    for (uint64_t n = out->acked + 1; n <= out->last; n++) {
        packets[n & (room - 1)] = out->packets[n & out->mask];
    }
    mcast_memory_free(&member->alloc, out->packets, old, sizeof(struct mcast_packet *));
    out->packets = packets;
    out->mask = room - 1;
    return MCAST_OK;
}

/* Handle our own @flags as the other members do. */
static void heed(struct mcast_member *member, struct mcast_outbound *out, uint8_t flags) {
    if ((flags & MCAST_FLAG_PRESSED) != 0) {
        mcast_pace_press(member, out->view);
    }
    mcast_brink_told(member, out->view, flags);
}

/* Advance our own stream in a region that we are a member of: we have all of it. */
static void follow_own(struct mcast_member *member, struct mcast_view_state *view,
                       uint64_t number) {
    struct mcast_stream *stream = mcast_stream_make(member, view, member->self);
    if (stream == NULL) {
        return;
    }
    stream->contig = stream->delivered = number;
    stream->opened = true;
    mcast_stream_know(member, stream, number);
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
static bool is_shut(const struct mcast_member *member, const struct mcast_outbound *out) {
    return member->config.pace == MCAST_ADAPTIVE &&
           (out->long_waits || mcast_window_is_reached(member, out, out->window) ||
            mcast_window_is_full(member, out));
}

/* Return when to check a waiting message again: a full window may have to grow soon. */
static mcast_time next_look(const struct mcast_member *member, const struct mcast_outbound *out) {
    mcast_time mark = out->last_sent + out->high_water_step;
    mcast_time look = member->now + WIDENED_EVERY;
    return is_shut(member, out) && look < mark ? look : mark;
}

static void arm_shut(struct mcast_member *member, struct mcast_outbound *out) {
    out->high_water_step = mcast_window_is_full(member, out) ? FULL_STEP : out->high_water_step;
    mcast_alarm_set(member, &out->high_water, next_look(member, out));
}

void mcast_outbound_wait(struct mcast_member *member, struct mcast_outbound *out, bool waits) {
    bool begins = waits && !out->long_waits;
    out->long_waits = waits;
    if (begins && is_shut(member, out)) {
        arm_shut(member, out);
    }
}

static void arm_high_water(struct mcast_member *member, struct mcast_outbound *out, bool quiet) {
    if (quiet) {
        out->high_water_step = first_step(member, out);
    }
    out->last_sent = member->now;
    if (is_shut(member, out)) {
        arm_shut(member, out);
    } else if (!mcast_timer_is_set(&out->high_water.timer)) {
        mcast_alarm_set(member, &out->high_water, member->now + out->high_water_step);
    }
}

/* True when this node is the only live member of the region. */
static bool is_alone(const struct mcast_view_state *view) {
    return mcast_view_is_member(view) && view->alive <= 1;
}

bool mcast_outbound_enter(struct mcast_member *member, struct mcast_outbound *out,
                          struct mcast_packet *packet, uint8_t *flags) {
    struct mcast_view_state *view = out->view;
    bool quiet = out->acked == out->last;
    uint64_t number = ++out->last;
    uint32_t bytes = packet->length + packet->body_length;
    packet->number = number;
    packet->sent_at = member->now;
    struct mcast_writer writer = mcast_writer_over(packet->bytes + MCAST_HEADER_SIZE, 8);
    mcast_write_u64(&writer, number);
    out->packets[number & out->mask] = packet;
    out->flight += bytes;
    out->rate_bytes += bytes;
    member->stats.pending_packets++;
    member->stats.pending_bytes += bytes;
    mcast_window_measure(member, out);
    if (is_alone(view)) {
        return false;
    }
    *flags = mcast_window_flags(member, out);
    heed(member, out, *flags);
    view->ring.data_bytes += bytes;
    arm_high_water(member, out, quiet);
    return true;
}

void mcast_outbound_follow(struct mcast_member *member, struct mcast_outbound *out,
                           uint64_t number) {
    struct mcast_view_state *view = out->view;
    if (mcast_view_is_member(view)) {
        follow_own(member, view, number);
    }
    if (is_alone(view)) {
        mcast_outbound_ack(member, out, number);
    }
}

int mcast_packet_send(struct mcast_member *member, struct mcast_outbound *out,
                      struct mcast_packet *packet) {
    uint8_t flags;
    if (mcast_outbound_reserve(member, out) != MCAST_OK) {
        return MCAST_ENOMEM;
    }
    mcast_rate_spend(member, packet->length + packet->body_length);
    if (mcast_outbound_enter(member, out, packet, &flags)) {
        mcast_emit_packet(member, packet, out->view, flags);
    }
    mcast_outbound_follow(member, out, packet->number);
    return MCAST_OK;
}

/* Note that all members of the region have the packet: nobody waits for it any more. */
static void land(struct mcast_member *member, struct mcast_packet *packet) {
    if (!packet->landed) {
        packet->landed = true;
        member->stats.pending_packets--;
        member->stats.pending_bytes -= packet->length + packet->body_length;
    }
}

static void forget_packet(struct mcast_member *member, struct mcast_outbound *out,
                          struct mcast_packet *packet) {
    out->flight -= packet->length + packet->body_length;
    land(member, packet);
    for (uint32_t i = 0; i < packet->sent_count; i++) {
        mcast_sent_acked(member, packet->sents[i]);
    }
    mcast_packet_free(member, packet);
}

/* Measure the mean time over the packets that an ACK covers; the newest alone waited least. */
static void measure_ack(struct mcast_member *member, struct mcast_outbound *out, uint64_t number) {
    mcast_time oldest = member->now - out->packets[(out->acked + 1) & out->mask]->sent_at;
    mcast_time newest = member->now - out->packets[number & out->mask]->sent_at;
    mcast_time took = newest + (oldest - newest) / 2;
    out->ack_time = out->ack_time == 0 ? took : (7 * out->ack_time + took) / 8;
    member->stats.ack_time = out->ack_time;
}

/* The packet is kept until everything before it is everywhere too: only then are its messages
 * stable. The window goes by the cumulative number (1.12), because one that ignores gaps would let
 * a sender run away from a slow receiver. */
void mcast_outbound_ack_above(struct mcast_member *member, struct mcast_outbound *out,
                              const struct mcast_spans *above) {
    for (uint32_t i = 0; i < above->count; i++) {
        uint64_t number = above->at[i].first > out->acked ? above->at[i].first : out->acked + 1;
        uint64_t last = above->at[i].last < out->last ? above->at[i].last : out->last;
        for (; number <= last; number++) {
            land(member, out->packets[number & out->mask]);
        }
    }
}

void mcast_outbound_ack(struct mcast_member *member, struct mcast_outbound *out, uint64_t number) {
    if (number > out->last) {
        number = out->last;
    }
    if (number <= out->acked) {
        return;
    }
    measure_ack(member, out, number);
    while (out->acked < number) {
        uint64_t next = ++out->acked;
        struct mcast_packet *packet = out->packets[next & out->mask];
        out->packets[next & out->mask] = NULL;
        forget_packet(member, out, packet);
    }
    mcast_sents_review(member);
    mcast_window_set(member, out);
    mcast_rate_heed(member, out);
    if (out->acked == out->last) {
        mcast_alarm_stop(member, &out->high_water);
        if (out->view->closing) {
            mcast_view_review(member, out->view);
        }
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

void mcast_outbound_hear(struct mcast_member *member, struct mcast_outbound *out) {
    out->heard = member->now;
    out->unheard = 0;
}

void mcast_outbound_give_up(struct mcast_member *member, struct mcast_outbound *out) {
    for (uint64_t n = out->acked + 1; n <= out->last; n++) {
        struct mcast_packet *packet = out->packets[n & out->mask];
        for (uint32_t i = 0; i < packet->sent_count; i++) {
            packet->sents[i]->uncertain = true;
        }
    }
    mcast_outbound_ack(member, out, out->last);
}

/* True when a token tells the leader our highest number. A member adds it to each token that
 * passes. If one with our stream passed recently, the leader is awake, and the next token will tell
 * it. */
static bool token_tells(const struct mcast_member *member, const struct mcast_outbound *out) {
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

static void ring_high_water(struct mcast_member *member, struct mcast_alarm *self) {
    uint8_t *place = (uint8_t *)self - offsetof(struct mcast_outbound, high_water);
    struct mcast_outbound *out = (struct mcast_outbound *)(void *)place;
    if (out->acked == out->last) {
        return;
    }
    bool due = member->now >= out->last_sent + out->high_water_step;
    if (due || (is_shut(member, out) && mcast_window_stands_still(member, out))) {
        mcast_window_set(member, out);
    }
    if (!due) {
        mcast_alarm_set(member, self, next_look(member, out));
        return;
    }
    uint8_t flags = mcast_window_flags(member, out);
    heed(member, out, flags);
    bool full = (flags & MCAST_FLAG_FULL) != 0;
    bool pressed = (flags & MCAST_FLAG_PRESSED) != 0;
    if (mcast_outside_is_silent(member, out)) {
        mcast_outbound_give_up(member, out);
        return;
    }
    if (full || !token_tells(member, out) || (pressed && must_say(member, out))) {
        mcast_high_water_send(member, out);
        out->unheard++;
    }
    if (member->config.pace == MCAST_ADAPTIVE && out->high_water_step < LONGEST_STEP) {
        out->high_water_step *= 2;
    }
    out->last_sent = member->now;
    mcast_alarm_set(member, self, next_look(member, out));
}

static void ring_batch(struct mcast_member *member, struct mcast_alarm *self) {
    uint8_t *place = (uint8_t *)self - offsetof(struct mcast_outbound, batch);
    mcast_transmit_flush(member, (struct mcast_outbound *)(void *)place);
}

static void abandon_packet(struct mcast_member *member, struct mcast_packet *packet) {
    for (uint32_t i = 0; i < packet->sent_count; i++) {
        mcast_sent_abandon(member, packet->sents[i]);
    }
    mcast_packet_free(member, packet);
}

void mcast_outbound_free(struct mcast_member *member, struct mcast_outbound *out) {
    if (out->filling != NULL) {
        abandon_packet(member, out->filling);
    }
    for (uint64_t n = out->acked + 1; n <= out->last; n++) {
        struct mcast_packet *packet = out->packets[n & out->mask];
        out->flight -= packet->length + packet->body_length;
        land(member, packet);
        abandon_packet(member, packet);
    }
    mcast_alarm_stop(member, &out->high_water);
    mcast_alarm_stop(member, &out->batch);
    mcast_alarms_remove(member, MCAST_OUTBOUND_ALARMS);
    member->stats.outbound_views--;
    member->stats.window_bytes -= out->window;
    if (out->packets != NULL) {
        mcast_memory_free(&member->alloc, out->packets, (size_t)out->mask + 1,
                          sizeof(struct mcast_packet *));
    }
    out->view->out = NULL;
    mcast_memory_free(&member->alloc, out, 1, sizeof *out);
}
