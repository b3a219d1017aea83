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
 * it is handled first, and the node answers once instead of once a token.
 *
 * Sealed datagrams are opened before any of that, so nobody without a key affects the order. */
#include "member/member_state.h"

#include <string.h>

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

/* The datagrams of a step. */
struct arrivals {
    const struct mcast_event *events;
    size_t count;
    uint64_t *opened; /* a bit for each event: it was sealed, and is open; NULL where nothing is
                       * sealed */
};

static bool is_open(const struct arrivals *arrivals, size_t i) {
    return is_datagram(&arrivals->events[i]) &&
           (arrivals->opened == NULL || (arrivals->opened[i / 64] >> i % 64 & 1) != 0);
}

/* Open everything that is sealed. Return false without memory. */
static bool open_all(struct mcast_member *member, struct arrivals *arrivals) {
    size_t size = (arrivals->count + 63) / 64 * sizeof *arrivals->opened;
    arrivals->opened = (uint64_t *)(void *)mcast_scratch(member, size);
    if (arrivals->opened == NULL) {
        return false;
    }
    memset(arrivals->opened, 0, size);
    for (size_t i = 0; i < arrivals->count; i++) {
        if (is_datagram(&arrivals->events[i]) &&
            mcast_datagram_open(member, &arrivals->events[i])) {
            arrivals->opened[i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    return true;
}

/* A token's round and its path. Without keys both may be forged, so they affect the order only. */
struct passage {
    mcast_node sender;
    mcast_view view;
    uint8_t way;
    uint64_t set;
};

static bool is_token(const struct mcast_member *member, const struct mcast_event *event,
                     struct passage *passage) {
    struct mcast_header header;
    struct mcast_token_head head;
    const uint8_t *bytes = event->as.datagram.bytes;
    if (event->as.datagram.socket != MCAST_CONTROL ||
        !mcast_header_read(bytes, event->as.datagram.length, &header) ||
        header.type != MCAST_WIRE_TOKEN) {
        return false;
    }
    struct mcast_reader reader = mcast_reader_over(
        bytes + MCAST_HEADER_SIZE,
        event->as.datagram.length - (size_t)MCAST_HEADER_SIZE - member->config.auth.trailer);
    if (!mcast_token_head_read(&reader, &head)) {
        return false;
    }
    uint8_t alone = head.flags & MCAST_TOKEN_ALONE;
    *passage = (struct passage){header.sender, header.view, (uint8_t)(head.stage << 4 | alone),
                                MCAST_ROUND_SET(head.round)};
    return true;
}

/* True when a token of a later round follows the token @first on the same path. */
static bool is_overtaken(const struct mcast_member *member, const struct arrivals *arrivals,
                         size_t first) {
    struct passage earlier;
    struct passage later;
    if (!is_token(member, &arrivals->events[first], &earlier)) {
        return false;
    }
    for (size_t i = first + 1; i < arrivals->count; i++) {
        if (is_open(arrivals, i) && is_token(member, &arrivals->events[i], &later) &&
            later.sender == earlier.sender && later.view == earlier.view &&
            later.way == earlier.way && later.set > earlier.set) {
            return true;
        }
    }
    return false;
}

/* Handle the datagrams of one class. Overtaken tokens are handled only if @late; return how many
 * were left. */
static size_t handle_class(struct mcast_member *member, const struct arrivals *arrivals, int turn,
                           enum mcast_priority class, bool late) {
    size_t left = 0;
    for (size_t i = 0; i < arrivals->count; i++) {
        const struct mcast_event *event = &arrivals->events[i];
        if (!is_open(arrivals, i) || turn_of(member, event) != turn ||
            class_of(member, event) != class) {
            continue;
        }
        if (is_overtaken(member, arrivals, i) == late) {
            mcast_datagram_take(member, event);
        } else {
            left++;
        }
    }
    return left;
}

void mcast_inbound(struct mcast_member *member, const struct mcast_event *events, size_t count) {
    struct arrivals arrivals = {.events = events, .count = count};
    uint32_t there[TURNS] = {0}; /* a bit for each class */
    if (member->config.auth.open != NULL && !open_all(member, &arrivals)) {
        member->stats.drop_memory += count;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_open(&arrivals, i)) {
            there[turn_of(member, &events[i])] |= 1U << class_of(member, &events[i]);
        }
    }
    for (int turn = MARK; turn < TURNS; turn++) {
        for (uint32_t class = 0; there[turn] >> class != 0; class++) {
            if ((there[turn] >> class & 1) != 0 &&
                handle_class(member, &arrivals, turn, (enum mcast_priority)class, false) > 0) {
                handle_class(member, &arrivals, turn, (enum mcast_priority)class, true);
            }
        }
    }
}
