/* Arrival order: the order in which a step handles received datagrams (rules 1.16, 1.0.9).
 *
 * All data packets are marked as received first, repairs before first transmissions. Then come the
 * messages that act on what is missing, by class: tokens and acknowledgements, then requests. So a
 * token never reports a packet of the same batch as lost, and a burst of requests does not delay a
 * token. In the papers' mode (qsm6), repair, tokens and requests are one class; in fifo mode
 * everything is handled in order of arrival.
 *
 * The queue of a node that slept holds a token of each round that was lost on it. The newest token
 * contains all that the older ones said (rule 1.10: a round below the last one seen is dropped), so
 * it is handled first, and the node answers once instead of once a token. */
#include "member/member_state.h"

enum { MARK, ACT, TURNS };

static bool is_datagram(const struct mcast_event *event) {
    return event->kind == MCAST_EVENT_DATAGRAM;
}

static int turn_of(const struct mcast_member *member, const struct mcast_event *event) {
    bool acts = event->as.datagram.socket == MCAST_CONTROL;
    return acts && member->config.priority_mode != MCAST_FIFO ? ACT : MARK;
}

static enum mcast_priority class_of(const struct mcast_member *member,
                                    const struct mcast_event *event) {
    return mcast_priority_of(member->config.priority_mode, event->as.datagram.bytes,
                             event->as.datagram.length);
}

/* A token's round and its path. Both come from an unauthenticated header, so they affect the order
 * only. */
struct passage {
    mcast_node sender;
    mcast_view view;
    uint8_t way;
    uint64_t set;
};

static bool is_token(const struct mcast_event *event, struct passage *passage) {
    struct mcast_header header;
    struct mcast_token_head head;
    const uint8_t *bytes = event->as.datagram.bytes;
    if (!is_datagram(event) || event->as.datagram.socket != MCAST_CONTROL ||
        !mcast_header_read(bytes, event->as.datagram.length, &header) ||
        header.type != MCAST_WIRE_TOKEN) {
        return false;
    }
    struct mcast_reader reader = mcast_reader_over(
        bytes + MCAST_HEADER_SIZE,
        event->as.datagram.length - (size_t)MCAST_HEADER_SIZE - (size_t)MCAST_TAG_SIZE);
    if (!mcast_token_head_read(&reader, &head)) {
        return false;
    }
    uint8_t alone = head.flags & MCAST_TOKEN_ALONE;
    *passage = (struct passage){header.sender, header.view, (uint8_t)(head.stage << 4 | alone),
                                MCAST_ROUND_SET(head.round)};
    return true;
}

/* True when a token of a later round follows the token @first on the same path. */
static bool is_overtaken(const struct mcast_event *events, size_t count, size_t first) {
    struct passage earlier;
    struct passage later;
    if (!is_token(&events[first], &earlier)) {
        return false;
    }
    for (size_t i = first + 1; i < count; i++) {
        if (is_token(&events[i], &later) && later.sender == earlier.sender &&
            later.view == earlier.view && later.way == earlier.way && later.set > earlier.set) {
            return true;
        }
    }
    return false;
}

/* Handle the datagrams of one class. Overtaken tokens are handled only if @late; return how many
 * were left. */
static size_t handle_class(struct mcast_member *member, const struct mcast_event *events,
                           size_t count, int turn, enum mcast_priority class, bool late) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_datagram(&events[i]) || turn_of(member, &events[i]) != turn ||
            class_of(member, &events[i]) != class) {
            continue;
        }
        if (is_overtaken(events, count, i) == late) {
            mcast_datagram_take(member, &events[i]);
        } else {
            left++;
        }
    }
    return left;
}

void mcast_inbound(struct mcast_member *member, const struct mcast_event *events, size_t count) {
    uint32_t there[TURNS] = {0}; /* a bit for each class */
    for (size_t i = 0; i < count; i++) {
        if (is_datagram(&events[i])) {
            there[turn_of(member, &events[i])] |= 1U << class_of(member, &events[i]);
        }
    }
    for (int turn = MARK; turn < TURNS; turn++) {
        for (uint32_t class = 0; there[turn] >> class != 0; class++) {
            if ((there[turn] >> class & 1) != 0 &&
                handle_class(member, events, count, turn, (enum mcast_priority)class, false) > 0) {
                handle_class(member, events, count, turn, (enum mcast_priority)class, true);
            }
        }
    }
}
