/* Resend: copies that are about to be sent again (rules 1.11, 1.15, 1.0.2).
 *
 * A request leaves an intent. The packet is built when it is about to leave, if the copy is still
 * there and the requesting node alive. Two requests for one packet become one repair to the region.
 * A cap bounds the bytes of repairs: a share of the send budget, or of the data passing by where
 * that is more; four times as much while a sender's window is full, since everybody waits for it
 * then. */
#include "base/mix.h"
#include "member/member_state.h"

enum {
    REPAIRS_MOST = 65536,     /* intents that wait; more are dropped and requested again */
    RECENT = 1024,            /* slots for recent repairs */
    BUDGET_BYTES = 125000000, /* the send budget of a second when no rate is set: 1 Gbit/s */
    BURST_MILLISECONDS = 20,  /* what an idle budget may hold */
    TIMES_AWAITED = 4         /* the cap grows so much while a sender waits */
};

#define CARRIED_OVER (20 * MCAST_MILLISECOND) /* over what time the data rate is measured */
#define AWAITED (100 * MCAST_MILLISECOND)     /* how long the flag of a waiting sender counts */

/* A packet repaired to the whole region a moment ago is not repaired again for another request. */
struct mcast_recent {
    uint64_t digest;
    mcast_time when;
};

static uint64_t digest_of(const struct mcast_view_state *view, mcast_node origin, uint64_t number) {
    return mcast_mix64(mcast_mix64(mcast_mix64(view->number) + origin) + number);
}

bool mcast_has_copy(const struct mcast_member *member, const struct mcast_view_state *view,
                    mcast_node origin, uint64_t number) {
    if (origin == member->node) {
        return view->out != NULL && mcast_outbound_find(view->out, number) != NULL;
    }
    const struct mcast_stream *stream =
        mcast_view_is_member(view) ? mcast_stream_find(view, origin) : NULL;
    const struct mcast_slot *slot =
        stream == NULL ? NULL : mcast_arrivals_find(&stream->arrivals, number, stream->hi);
    return slot != NULL && slot->state == MCAST_SLOT_KEPT;
}

bool mcast_copies_clip(const struct mcast_member *member, const struct mcast_view_state *view,
                       mcast_node origin, struct mcast_range *range) {
    uint64_t first = 1;
    uint64_t last = 0;
    if (origin == member->node) {
        first = view->out == NULL ? 1 : view->out->acked + 1;
        last = view->out == NULL ? 0 : view->out->last;
    } else {
        const struct mcast_stream *stream =
            mcast_view_is_member(view) ? mcast_stream_find(view, origin) : NULL;
        if (stream != NULL && stream->arrivals.slots != NULL) {
            uint64_t top = stream->arrivals.low + stream->arrivals.mask;
            first = stream->arrivals.low;
            last = stream->hi < top ? stream->hi : top;
        }
    }
    range->first = range->first > first ? range->first : first;
    range->last = range->last < last ? range->last : last;
    return range->first <= range->last;
}

static bool was_just_repaired(const struct mcast_member *member, uint64_t digest) {
    const struct mcast_recent *recent = &member->recent[digest % RECENT];
    return recent->digest == digest && member->now - recent->when < 5 * MCAST_MILLISECOND;
}

static bool is_same(const struct mcast_repair *repair, const struct mcast_view_state *view,
                    mcast_node origin, uint64_t number) {
    return repair->view == view->number && repair->origin == origin && repair->number == number;
}

void mcast_repair_intend(struct mcast_member *member, struct mcast_view_state *view,
                         mcast_node origin, uint64_t number, mcast_node target, uint8_t kind) {
    uint64_t digest = digest_of(view, origin, number);
    uint64_t found = mcast_map_get(&member->repair_index, digest);
    if (found != MCAST_MAP_NONE) {
        struct mcast_repair *repair = (struct mcast_repair *)(uintptr_t)found;
        if (is_same(repair, view, origin, number)) {
            repair->target = repair->target == target ? target : 0;
            return;
        }
    }
    if (was_just_repaired(member, digest) || member->repair_count >= REPAIRS_MOST) {
        return;
    }
    struct mcast_repair *repair = mcast_slab_take(&member->repair_slab);
    if (repair == NULL || (found == MCAST_MAP_NONE &&
                           mcast_map_put(&member->repair_index, digest, (uintptr_t)repair) != 0)) {
        member->short_of_memory = true;
        if (repair != NULL) {
            mcast_slab_give(&member->repair_slab, repair);
        }
        return;
    }
    *repair = (struct mcast_repair){
        .view = view->number, .origin = origin, .target = target, .number = number, .kind = kind};
    if (member->repair_last != NULL) {
        member->repair_last->next = repair;
    } else {
        member->repair_first = repair;
    }
    member->repair_last = repair;
    member->repair_count++;
}

static void count_repair(struct mcast_member *member, const struct mcast_repair *repair) {
    uint64_t *const counters[] = {&member->stats.repairs_pushed, &member->stats.repairs_pulled,
                                  &member->stats.repairs_crossed, &member->stats.repairs_sourced};
    (*counters[repair->kind])++;
    member->stats.repairs_multicast += repair->target == 0 ? 1 : 0;
}

/* Send one packet again; return its bytes, or 0 when it is no longer wanted or possible. */
static uint32_t send_again(struct mcast_member *member, const struct mcast_repair *repair) {
    struct mcast_view_state *view = mcast_view_find(member, repair->view);
    if (view == NULL || view->ended ||
        !mcast_has_copy(member, view, repair->origin, repair->number)) {
        return 0;
    }
    const struct mcast_peer *peer =
        repair->target == 0 ? NULL : mcast_peer_find(member, repair->target);
    if (repair->target != 0 && (peer == NULL || peer->dead)) {
        return 0;
    }
    const struct mcast_address *to = peer == NULL ? &view->address : &peer->address;
    if (repair->origin == member->node) {
        const struct mcast_packet *packet = mcast_outbound_find(view->out, repair->number);
        struct mcast_part parts[2] = {
            {packet->bytes + MCAST_DATA_HEAD, packet->length - MCAST_DATA_HEAD},
            {packet->body_bytes, packet->body_length}};
        mcast_emit_repair(member, view, repair->origin, repair->number, parts,
                          packet->body_length > 0 ? 2 : 1, to, packet->body);
        return packet->length + packet->body_length;
    }
    const struct mcast_stream *stream = mcast_stream_find(view, repair->origin);
    const struct mcast_slot *slot =
        mcast_arrivals_find(&stream->arrivals, repair->number, stream->hi);
    struct mcast_part part = {slot->frames, slot->length};
    mcast_emit_repair(member, view, repair->origin, repair->number, &part, 1, to, slot->buffer);
    return slot->length;
}

/* Measure the data passing by: lost packets are a share of it, whatever the network can carry. */
static void measure_carried(struct mcast_member *member) {
    mcast_time span = member->now - member->carried_since;
    uint64_t bytes = member->stats.bytes_sent + member->stats.bytes_received;
    if (span >= CARRIED_OVER) {
        member->carried = (bytes - member->carried_bytes) * 1000 / (span / MCAST_MILLISECOND);
        member->carried_bytes = bytes;
        member->carried_since = member->now;
    }
}

static uint64_t cap(const struct mcast_member *member) {
    uint64_t budget = member->config.rate_cap;
    if (budget == 0) {
        budget = member->carried > BUDGET_BYTES ? member->carried : BUDGET_BYTES;
    }
    uint64_t share = member->config.recovery_share;
    if (member->window_full_at != 0 && member->now < member->window_full_at + AWAITED) {
        share = TIMES_AWAITED * share < 100 ? TIMES_AWAITED * share : 100;
    }
    return budget / 100 * share;
}

static void earn(struct mcast_member *member) {
    measure_carried(member);
    mcast_time gone = member->now - member->repair_credited;
    uint64_t burst = cap(member) / 1000 * BURST_MILLISECONDS;
    burst = burst > MCAST_PACKET_MOST ? burst : MCAST_PACKET_MOST;
    uint64_t earned = gone > MCAST_SECOND ? burst : cap(member) / 1000 * gone / MCAST_MILLISECOND;
    member->repair_credit += (int64_t)earned;
    if (member->repair_credit > (int64_t)burst) {
        member->repair_credit = (int64_t)burst;
    }
    member->repair_credited = member->now;
}

static void handle_first(struct mcast_member *member) {
    struct mcast_repair *repair = member->repair_first;
    struct mcast_view_state *view = mcast_view_find(member, repair->view);
    member->repair_first = repair->next;
    if (member->repair_first == NULL) {
        member->repair_last = NULL;
    }
    member->repair_count--;
    if (view != NULL) {
        uint64_t digest = digest_of(view, repair->origin, repair->number);
        if (mcast_map_get(&member->repair_index, digest) == (uintptr_t)repair) {
            (void)mcast_map_take(&member->repair_index, digest);
        }
        if (repair->target == 0) {
            member->recent[digest % RECENT] = (struct mcast_recent){digest, member->now};
        }
    }
    mcast_slab_give(&member->repair_slab, repair);
}

void mcast_repair_pump(struct mcast_member *member) {
    if (member->repair_first == NULL) {
        return;
    }
    earn(member);
    while (member->repair_first != NULL && member->repair_credit > 0) {
        if (member->emitted.room == 0) {
            member->emitted.more = true;
            return;
        }
        uint32_t bytes = send_again(member, member->repair_first);
        if (bytes > 0) {
            count_repair(member, member->repair_first);
            member->repair_credit -= bytes;
            member->emitted.room--;
        } else {
            member->stats.repairs_idle++;
        }
        handle_first(member);
    }
}

mcast_time mcast_repair_deadline(const struct mcast_member *member) {
    if (member->repair_first == NULL || member->emitted.more) {
        return MCAST_NEVER;
    }
    uint64_t owed = member->repair_credit >= 0 ? 0 : (uint64_t)-member->repair_credit;
    return member->now + MCAST_MILLISECOND + owed * MCAST_MILLISECOND / (cap(member) / 1000 + 1);
}

int mcast_repair_init(struct mcast_member *member) {
    member->recent =
        member->alloc.resize(member->alloc.context, NULL, 0, RECENT * sizeof *member->recent);
    if (member->recent == NULL) {
        return MCAST_ENOMEM;
    }
    for (size_t i = 0; i < RECENT; i++) {
        member->recent[i] = (struct mcast_recent){0};
    }
    mcast_slab_init(&member->repair_slab, &member->alloc, sizeof(struct mcast_repair),
                    REPAIRS_MOST);
    return MCAST_OK;
}

void mcast_repair_free(struct mcast_member *member) {
    if (member->recent != NULL) {
        (void)member->alloc.resize(member->alloc.context, member->recent,
                                   RECENT * sizeof *member->recent, 0);
    }
    mcast_slab_free(&member->repair_slab);
    mcast_map_free(&member->repair_index);
}
