/* TOKEN: accept a token from the ring predecessor only, with a round above the last seen at that
 * stage (rules 1.10, 1.0.11), and apply it (ring/token_pass.c). */
#include "member/member_state.h"

/* Tokens of one round may overtake each other; a round may not arrive after a later one. */
static bool is_new(struct mcast_ring *ring, const struct mcast_token_head *head) {
    size_t kind = mcast_token_kind(head);
    uint64_t set = MCAST_ROUND_SET(head->round);
    uint64_t part = MCAST_ROUND_PART(head->round);
    if (part >= MCAST_PARTS_MOST || set < ring->seen[kind]) {
        return false;
    }
    if (set > ring->seen[kind]) {
        ring->seen[kind] = set;
        ring->seen_parts[kind] = 0;
    }
    if ((ring->seen_parts[kind] >> part & 1) != 0) {
        return false;
    }
    ring->seen_parts[kind] |= UINT64_C(1) << part;
    return true;
}

/* True when all records are complete and nothing follows them. Nothing is applied before. */
static bool is_sound(struct mcast_member *member, struct mcast_reader reader, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!mcast_record_read(&reader, member->record)) {
            return false;
        }
    }
    return mcast_reader_done(&reader);
}

bool mcast_recv_token(struct mcast_member *member, const struct mcast_datagram_in *in) {
    struct mcast_view_state *view = in->view;
    struct mcast_reader reader = mcast_reader_over(in->body, in->length);
    struct mcast_token_head head;
    if (!mcast_token_head_read(&reader, &head) || !is_sound(member, reader, head.records)) {
        return false;
    }
    member->stats.tokens_received++;
    if (view == NULL || !mcast_view_is_member(view)) {
        return true;
    }
    uint32_t before = mcast_layout_before(view, view->self, head.stage);
    bool passed_on = before != MCAST_NO_SEAT && view->seats[before].node == in->header.sender;
    if (!passed_on || !is_new(&view->ring, &head)) {
        bool again = passed_on && (head.flags & MCAST_TOKEN_TWICE) != 0;
        member->stats.drop_stale_token += again ? 0 : 1;
        return true;
    }
    bool walked = head.stage == MCAST_STAGE_WALK || head.stage == MCAST_STAGE_RETURN;
    mcast_token_pass(member, view, &head, &reader, walked ? before : MCAST_NO_SEAT);
    return true;
}
