/* Wire judge: the datagrams sent and received. */
#include "judges/wire_state.h"

#include <stdlib.h>

struct oracle_wire *oracle_wire_new(struct oracle *oracle, const struct oracle_rules *rules) {
    struct oracle_wire *wire = calloc(1, sizeof *wire);
    if (wire != NULL) {
        wire->oracle = oracle;
        wire->rules = *rules;
        oracle->wire = wire;
    }
    return wire;
}

void oracle_wire_free(struct oracle_wire *wire) {
    if (wire == NULL) {
        return;
    }
    wire->oracle->wire = NULL;
    wire_regions_free(wire);
    sim_map_free(&wire->regions);
    sim_map_free(&wire->streams);
    sim_map_free(&wire->ids);
    sim_map_free(&wire->actors);
    sim_map_free(&wire->names);
    sim_map_free(&wire->commits);
    sim_map_free(&wire->buried);
    free(wire);
}

struct oracle_wire_counts oracle_wire_counts(const struct oracle_wire *wire) {
    return wire->counts;
}

static bool read_header(struct oracle_bytes *from, struct wire_header *header) {
    uint64_t version = oracle_number(from, 1);
    header->type = (uint8_t)oracle_number(from, 1);
    oracle_jump(from, 6);
    header->sender = (uint32_t)oracle_number(from, 4);
    oracle_jump(from, 12);
    header->view = oracle_number(from, 8);
    return !from->bad && version == WIRE_VERSION && header->type >= WIRE_DATA &&
           header->type < WIRE_TYPES && header->sender != 0;
}

/* ---- sending ---- */

void wire_sent(struct oracle_wire *wire, const struct wire_header *header, uint64_t number,
               size_t length, uint64_t now) {
    struct wire_stream *stream = wire_stream_of(wire, header->view, header->sender);
    if (stream != NULL) {
        stream->active_round = stream->sent_round = stream->region->rounds;
        stream->bytes += length;
        stream->top = number > stream->top ? number : stream->top;
        wire_life_begin(stream, number, now);
    }
}

static void sent_data(struct oracle_wire *wire, const struct wire_header *header,
                      struct oracle_bytes *from, size_t length, uint64_t now) {
    uint64_t number = oracle_number(from, 8);
    from->at = from->end;
    wire_sent(wire, header, number, length, now);
}

static void count_repairer(struct oracle_wire *wire, struct wire_stream *stream, uint32_t seat) {
    stream->repairers |= (uint64_t)1 << (seat % 64);
    uint64_t sent = ++stream->repairs[seat];
    uint64_t many = (uint64_t)__builtin_popcountll(stream->repairers);
    struct oracle_wire_counts *counts = &wire->counts;
    counts->repairs_most = sent > counts->repairs_most ? sent : counts->repairs_most;
    counts->repairers = many > counts->repairers ? many : counts->repairers;
}

static void sent_repair(struct oracle_wire *wire, const struct wire_header *header,
                        struct oracle_bytes *from, uint64_t now) {
    uint32_t origin = (uint32_t)oracle_number(from, 4);
    uint64_t number = oracle_number(from, 8);
    struct wire_stream *stream = wire_stream_of(wire, header->view, origin);
    from->at = from->end;
    oracle_apply(wire->oracle, ORACLE_CUT);
    if (wire->rules.calm) {
        oracle_fail(wire->oracle, ORACLE_CUT, now, "number %llu of sender %u is repaired, not lost",
                    (unsigned long long)number, origin);
    }
    if (stream == NULL) {
        return;
    }
    stream->active_round = stream->region->rounds;
    uint32_t seat = wire_seat_of(stream->region, header->sender);
    if (seat != UINT32_MAX) {
        count_repairer(wire, stream, seat);
    }
}

struct acked {
    struct oracle_wire *wire;
    struct wire_stream *stream;
    uint64_t now;
};

static void ack_above(void *user, uint64_t first, uint64_t last) {
    const struct acked *acked = user;
    wire_ack_above(acked->wire, acked->stream, first, last, acked->now);
}

static void sent_ack(struct oracle_wire *wire, const struct wire_header *header,
                     struct oracle_bytes *from, uint64_t now) {
    uint32_t name = (uint32_t)oracle_varint(from);
    uint64_t contig = oracle_varint(from);
    oracle_varint(from);
    struct wire_stream *stream = name == 0 ? NULL : wire_stream_of(wire, header->view, name);
    struct acked acked = {wire, stream, now};
    oracle_spans(from, contig, stream == NULL ? NULL : ack_above, &acked);
    if (stream != NULL) {
        wire_ack(wire, stream, contig, now);
    }
}

static void judge_body(struct oracle_wire *wire, const struct wire_header *header,
                       struct oracle_bytes *from, size_t length, uint64_t now) {
    switch ((enum wire_type)header->type) {
    case WIRE_DATA:
        sent_data(wire, header, from, length, now);
        break;
    case WIRE_HYBRID:
        wire_sent_hybrid(wire, header, from, length, now);
        break;
    case WIRE_REPAIR:
        sent_repair(wire, header, from, now);
        break;
    case WIRE_TOKEN:
        wire->counts.token_longest =
            length > wire->counts.token_longest ? length : wire->counts.token_longest;
        wire_read_token(wire, header, from, now);
        break;
    case WIRE_ACK:
        sent_ack(wire, header, from, now);
        break;
    case WIRE_REQUEST:
        wire_read_requests(wire, header, from, now);
        break;
    default:
        from->at = from->end; /* their content is judged by its effects */
        break;
    }
}

void oracle_wire_sent(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes, size_t length,
                      uint64_t now) {
    struct oracle_bytes from = {bytes, bytes + (length < WIRE_TAG ? 0 : length - WIRE_TAG), false};
    struct wire_header header;
    oracle_apply(wire->oracle, ORACLE_WIRE);
    if (!read_header(&from, &header)) {
        oracle_fail(wire->oracle, ORACLE_WIRE, now, "actor %u sends %zu bytes without a header",
                    actor, length);
        return;
    }
    wire->counts.kind[header.type]++;
    wire->counts.bytes[header.type] += length;
    wire_charge(wire, &header, length, now);
    judge_body(wire, &header, &from, length, now);
    if (from.bad || from.at != from.end) {
        oracle_fail(wire->oracle, ORACLE_WIRE, now,
                    "actor %u sends type %u of %zu bytes unread at %td", actor, header.type, length,
                    from.at - bytes);
    }
}

/* ---- receiving ---- */

static uint64_t death_key(uint32_t reader, uint32_t dead) {
    return (uint64_t)reader << 32 | dead;
}

void oracle_wire_buried(struct oracle_wire *wire, uint32_t actor, uint32_t name) {
    uint32_t dead = wire_actor_of(wire, name);
    wire_put(&wire->buried, death_key(actor, dead), 1);
    if (dead != 0) {
        oracle_declare(wire->oracle, dead);
    }
}

/* Rule 1.0.8: a node that was told of a death accepts data of the dead only as repair from the
 * living. */
static bool is_refused(const struct oracle_wire *wire, uint32_t reader, uint32_t sender) {
    return wire_get(&wire->buried, death_key(reader, wire_actor_of(wire, sender))) != 0;
}

void oracle_wire_read(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes, size_t length,
                      uint64_t now) {
    struct oracle_bytes from = {bytes, bytes + (length < WIRE_TAG ? 0 : length - WIRE_TAG), false};
    struct wire_header header;
    if (!read_header(&from, &header) || is_refused(wire, actor, header.sender)) {
        return;
    }
    if (header.type == WIRE_HYBRID) {
        wire_read_hybrid(wire, actor, &header, &from);
    }
    if (header.type != WIRE_DATA && header.type != WIRE_REPAIR) {
        return;
    }
    uint32_t origin = header.type == WIRE_DATA ? header.sender : (uint32_t)oracle_number(&from, 4);
    uint64_t number = oracle_number(&from, 8);
    struct wire_stream *stream = wire_stream_of(wire, header.view, origin);
    uint32_t name = wire_name_of(wire, actor);
    if (stream == NULL || name == 0 || from.bad) {
        return;
    }
    uint32_t seat = wire_seat_of(stream->region, name);
    if (seat == UINT32_MAX) {
        return;
    }
    if (header.type == WIRE_REPAIR && !oracle_tracker_has(&stream->trackers[seat], number)) {
        wire_life_repaired(wire, stream, number, now);
    }
    oracle_tracker_add(&stream->trackers[seat], number, number);
}
