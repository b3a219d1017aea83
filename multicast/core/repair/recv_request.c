/* REQUEST: some member requests copies. Nothing is built yet; each is an intent that is checked
 * again when the packet is about to leave (rules 1.11, 1.15). */
#include "member/member_state.h"

static uint8_t repair_kind(uint8_t request) {
    switch (request) {
    case MCAST_REQUEST_PULL:
        return MCAST_REPAIR_PULL;
    case MCAST_REQUEST_CROSS:
        return MCAST_REPAIR_CROSS;
    default:
        return MCAST_REPAIR_SOURCE;
    }
}

/* Handle one entry: numbers of one sender. */
static void handle_entry(struct mcast_member *member, struct mcast_view_state *view,
                         mcast_node from, const struct mcast_request *request) {
    mcast_node target = request->kind == MCAST_REQUEST_NAK ? 0 : from;
    for (uint32_t i = 0; i < request->numbers.count; i++) {
        struct mcast_range range = request->numbers.at[i];
        if (!mcast_copies_clip(member, view, request->origin, &range)) {
            continue;
        }
        for (uint64_t n = range.first; n <= range.last && member->lookups_left > 0; n++) {
            member->lookups_left--;
            if (mcast_has_copy(member, view, request->origin, n)) {
                mcast_repair_intend(member, view, request->origin, n, target,
                                    repair_kind(request->kind));
            }
        }
    }
}

/* True when the body is a list of entries and nothing else. */
static bool is_sound(const struct mcast_datagram_in *in) {
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_request request;
    do {
        if (!mcast_request_read(&reader, &request)) {
            return false;
        }
    } while (mcast_reader_left(&reader) > 0);
    return true;
}

/* True when the requesting node may ask in @view: a member, where the members are known. */
static bool may_ask_here(const struct mcast_datagram_in *in, const struct mcast_view_state *view) {
    return !in->peer->dead && (!mcast_view_is_member(view) ||
                               mcast_layout_seat(view, in->header.sender) != MCAST_NO_SEAT);
}

bool mcast_recv_request(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_view_state *view = in->view;
    if (!is_sound(in)) {
        return false;
    }
    member->stats.requests_received++;
    if (view == NULL || !may_ask_here(in, view)) {
        return true;
    }
    if (view->out != NULL) {
        mcast_outbound_hear(member, view->out);
    }
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_request request;
    member->lookups_left = MCAST_LOOKS_A_DATAGRAM;
    while (mcast_reader_left(&reader) > 0 && !view->ended &&
           mcast_request_read(&reader, &request)) {
        handle_entry(member, view, in->header.sender, &request);
    }
    return true;
}
