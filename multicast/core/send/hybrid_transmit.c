/* Hybrid transmit: send to the address of a group (rule 1.6, hybrid).
 *
 * Each region gets a packet with a number of its own as ever, which counts in its window and is
 * kept until that region acknowledged it. Only one datagram leaves, with the numbers of all regions
 * in front. Repairs go to regions, never to the group.
 *
 * The papers let the packet leave when each region granted it a slot. No count of grants and no
 * timeout is needed here: a group waits until each of its views has room (send/transmit.c), and
 * holds no slot and no number meanwhile. */
#include "member/member_state.h"

uint32_t mcast_hybrid_excess(const struct mcast_group *group, const struct mcast_route *route) {
    if (group->hybrid == NULL || route->count < MCAST_HYBRID_VIEWS_LEAST ||
        route->count > MCAST_HYBRID_VIEWS_MOST) {
        return 0;
    }
    return MCAST_HYBRID_HEAD((uint32_t)route->count) - MCAST_DATA_HEAD;
}

/* Prepare each view to take a packet. Small messages that wait to be batched leave first. */
static int prepare_views(struct mcast_member *member, const struct mcast_route *route) {
    for (size_t i = 0; i < route->count; i++) {
        struct mcast_view_state *view = route->views[i];
        int code = mcast_open_send(member, view);
        if (code != MCAST_OK) {
            return code;
        }
        mcast_transmit_flush(member, view->out);
        if (view->out->filling != NULL || mcast_outbound_reserve(member, view->out) != MCAST_OK) {
            return MCAST_ENOMEM;
        }
    }
    return MCAST_OK;
}

static void undo(struct mcast_member *member, struct mcast_packet **packets, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < packets[i]->sent_count; j++) {
            mcast_sent_abandon(member, packets[i]->sents[j]);
        }
        mcast_packet_free(member, packets[i]);
    }
}

/* Make a packet with @frame for each view. */
static int fill(struct mcast_member *member, const struct mcast_route *route,
                const struct mcast_frame *frame, struct mcast_buffer *buffer,
                struct mcast_sent *sent, struct mcast_packet **packets) {
    bool refer = mcast_packet_refers(member, buffer, frame->length);
    uint32_t room = MCAST_DATA_HEAD + MCAST_FRAME_HEAD_MOST + (refer ? 0 : frame->length);
    for (size_t i = 0; i < route->count; i++) {
        packets[i] = mcast_packet_new(member, room);
        int code = packets[i] == NULL ? MCAST_ENOMEM
                                      : mcast_packet_add(member, packets[i], frame, buffer, sent);
        if (code != MCAST_OK) {
            undo(member, packets, i + (packets[i] == NULL ? 0 : 1));
            return code;
        }
    }
    return MCAST_OK;
}

int mcast_hybrid_send(struct mcast_member *member, const struct mcast_route *route,
                      const struct mcast_group *group, const struct mcast_frame *frame,
                      struct mcast_buffer *buffer, struct mcast_sent *sent) {
    struct mcast_packet *packets[MCAST_HYBRID_VIEWS_MOST];
    struct mcast_hybrid_entry entries[MCAST_HYBRID_VIEWS_MOST];
    size_t heard = 0; /* count of views with somebody who listens */
    size_t last = 0;  /* the last of them */
    int code = prepare_views(member, route);
    code = code == MCAST_OK ? fill(member, route, frame, buffer, sent, packets) : code;
    if (code != MCAST_OK) {
        return code;
    }
    mcast_rate_spend(member, packets[0]->length + packets[0]->body_length);
    for (size_t i = 0; i < route->count; i++) {
        struct mcast_hybrid_entry *entry = &entries[heard];
        entry->view = route->views[i]->number;
        if (mcast_outbound_enter(member, route->views[i]->out, packets[i], &entry->flags)) {
            entry->number = packets[i]->number;
            last = i;
            heard++;
        }
    }
    if (heard >= MCAST_HYBRID_VIEWS_LEAST) {
        mcast_emit_hybrid(member, packets[0], entries, heard, &group->hybrid->address);
    } else if (heard == 1) {
        mcast_emit_packet(member, packets[last], route->views[last], entries[0].flags);
    }
    for (size_t i = 0; i < route->count; i++) {
        mcast_outbound_follow(member, route->views[i]->out, packets[i]->number);
    }
    return MCAST_OK;
}
