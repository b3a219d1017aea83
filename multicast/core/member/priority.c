/* Priority: the class in which a received or sent datagram is handled (rule 1.16). */
#include "member/member_state.h"

enum mcast_priority mcast_priority_of(enum mcast_priority_mode mode, const uint8_t *bytes,
                                      size_t length) {
    uint8_t type = length > 1 ? bytes[1] : 0;
    if (mode == MCAST_FIFO) {
        return MCAST_TOKEN_IN;
    }
    switch (type) {
    case MCAST_WIRE_DATA:
    case MCAST_WIRE_HYBRID:
        return MCAST_DATA_IN;
    case MCAST_WIRE_REPAIR:
        return mode == MCAST_QSM6 ? MCAST_TOKEN_IN : MCAST_REPAIR_IN;
    case MCAST_WIRE_REQUEST:
        return mode == MCAST_QSM6 ? MCAST_TOKEN_IN : MCAST_REQUEST_IN;
    default:
        return MCAST_TOKEN_IN;
    }
}
