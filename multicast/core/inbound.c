/* Inbound: in which order a step takes what came in (rules 1.16, 1.0.9).
 *
 * First all packets of data are marked as received, those sent again before those sent for the
 * first time; then what acts on what is missing, by class: tokens and acknowledgements, then
 * requests. So a token never reports as lost what lies in the same batch, and a burst of requests
 * does not keep a token waiting. As the papers have it (qsm6), repair, tokens and requests are one
 * class; under fifo there is one class and one turn, in the order of arrival. */
#include "machine.h"

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

static void take_class(struct mcast_member *member, const struct mcast_event *events, size_t count,
                       int turn, enum mcast_priority class) {
    for (size_t i = 0; i < count; i++) {
        if (is_datagram(&events[i]) && turn_of(member, &events[i]) == turn &&
            class_of(member, &events[i]) == class) {
            mcast_datagram_take(member, &events[i]);
        }
    }
}

void mcast_inbound(struct mcast_member *member, const struct mcast_event *events, size_t count) {
    uint32_t there[TURNS] = {0}; /* is a bit a class */
    for (size_t i = 0; i < count; i++) {
        if (is_datagram(&events[i])) {
            there[turn_of(member, &events[i])] |= 1U << class_of(member, &events[i]);
        }
    }
    for (int turn = MARK; turn < TURNS; turn++) {
        for (uint32_t class = 0; there[turn] >> class != 0; class++) {
            if ((there[turn] >> class & 1) != 0) {
                take_class(member, events, count, turn, (enum mcast_priority)class);
            }
        }
    }
}
