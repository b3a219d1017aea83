/* Outbound: packets that this node sent in one region view and the region has not acknowledged
 * (rules 1.7, 1.12).
 *
 * A packet gets its number when it leaves, and stays until the leader of the region acknowledged
 * it; acknowledgements are cumulative. The window is in bytes (1.0.3, send/window.c). */
#include "base/memory.h"
#include "member/member_state.h"

enum { FIRST_PACKETS = 16 };

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
    out->high_water.ring = mcast_high_water_ring;
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

/* True when this node is the only live member of the region. */
static bool is_alone(const struct mcast_view_state *view) {
    return mcast_view_is_member(view) && view->alive <= 1;
}

bool mcast_outbound_enter(struct mcast_member *member, struct mcast_outbound *out,
                          struct mcast_packet *packet, uint8_t *flags) {
    struct mcast_view_state *view = out->view;
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
    mcast_high_water_after(member, out, *flags);
    view->ring.data_bytes += bytes;
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
static void count_received(struct mcast_member *member, struct mcast_packet *packet) {
    if (!packet->received_by_all) {
        packet->received_by_all = true;
        member->stats.pending_packets--;
        member->stats.pending_bytes -= packet->length + packet->body_length;
    }
}

static void forget_packet(struct mcast_member *member, struct mcast_outbound *out,
                          struct mcast_packet *packet) {
    out->flight -= packet->length + packet->body_length;
    count_received(member, packet);
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
            count_received(member, out->packets[number & out->mask]);
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
        count_received(member, packet);
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
