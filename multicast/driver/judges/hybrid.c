/* Hybrid packets: one packet for several region views, with a number in each. */
#include "judges/wire_state.h"

/* The count of views that one packet may be in. */
enum { LEAST = 2, MOST = 32 };

void wire_sent_hybrid(struct oracle_wire *wire, const struct wire_header *header,
                      struct oracle_bytes *from, size_t length, uint64_t now) {
    uint64_t count = oracle_number(from, 1);
    uint64_t before = 0;
    from->bad |= header->view != 0 || count < LEAST || count > MOST;
    for (uint64_t i = 0; i < count && !from->bad; i++) {
        struct wire_header one = *header;
        from->bad |= oracle_number(from, 1) > 1;
        one.view = oracle_number(from, 8);
        uint64_t number = oracle_number(from, 8);
        from->bad |= one.view <= before;
        before = one.view;
        if (!from->bad) {
            wire_charge(wire, &one, length, now);
            wire_sent(wire, &one, number, length, now);
        }
    }
    if (!from->bad) {
        from->at = from->end;
    }
}

void wire_read_hybrid(struct oracle_wire *wire, uint32_t actor, const struct wire_header *header,
                      struct oracle_bytes *from) {
    uint64_t count = oracle_number(from, 1);
    uint32_t name = wire_name_of(wire, actor);
    for (uint64_t i = 0; i < count && i < MOST && !from->bad; i++) {
        oracle_jump(from, 1);
        uint64_t view = oracle_number(from, 8);
        uint64_t number = oracle_number(from, 8);
        struct wire_stream *stream =
            from->bad || name == 0 ? NULL : wire_stream_of(wire, view, header->sender);
        uint32_t seat = stream == NULL ? UINT32_MAX : wire_seat_of(stream->region, name);
        if (seat != UINT32_MAX) {
            oracle_tracker_add(&stream->trackers[seat], number, number);
        }
    }
}
