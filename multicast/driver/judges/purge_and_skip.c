/* Purge and skip: no packet that a live member lacks is reported as received, purged or skipped. */
#include "judges/wire_state.h"

/* The numbers of one skip that are checked. */
enum { SKIPS_MOST = 4096 };

/* Every live member must hold all of @stream up to @number before it is reported as received by
 * all. */
static void check_held(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number,
                       const char *what, uint64_t now) {
    struct wire_region *region = stream->region;
    oracle_apply(wire->oracle, ORACLE_PURGE);
    for (uint32_t seat = 0; seat < region->count; seat++) {
        uint32_t actor = wire_actor_at(wire, region, seat);
        if (region->names[seat] == stream->sender || !wire_counts(wire, actor) ||
            stream->trackers[seat].contig >= number) {
            continue;
        }
        oracle_fail(wire->oracle, ORACLE_PURGE, now,
                    "%s of sender %u in view %llx is %llu, and actor %u has all up to %llu", what,
                    stream->sender, (unsigned long long)region->number, (unsigned long long)number,
                    actor, (unsigned long long)stream->trackers[seat].contig);
    }
}

void wire_purge(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number,
                uint64_t now) {
    if (number > stream->purge) {
        wire_life_purged(wire, stream, number, now);
        stream->purge = number;
        check_held(wire, stream, number, "purge", now);
    }
}

void wire_ack(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number, uint64_t now) {
    if (number > stream->ack) {
        wire_life_acked(wire, stream, number, now);
        stream->ack = number;
        check_held(wire, stream, number, "acknowledgement", now);
    }
}

/* Ranges reported beyond the one number must be at all members too. */
void wire_ack_above(struct oracle_wire *wire, struct wire_stream *stream, uint64_t first,
                    uint64_t last, uint64_t now) {
    oracle_apply(wire->oracle, ORACLE_PURGE);
    for (uint64_t number = first; number <= last && number <= stream->top; number++) {
        for (uint32_t seat = 0; seat < stream->region->count; seat++) {
            uint32_t actor = wire_actor_at(wire, stream->region, seat);
            if (stream->region->names[seat] == stream->sender || !wire_counts(wire, actor) ||
                oracle_tracker_has(&stream->trackers[seat], number)) {
                continue;
            }
            oracle_fail(wire->oracle, ORACLE_PURGE, now,
                        "number %llu of sender %u is acknowledged, and actor %u lacks it",
                        (unsigned long long)number, stream->sender, actor);
            return;
        }
    }
}

/* ---- skips ---- */

/* True if @seat keeps copies of @number for others (1.8, 1.9): partitions of about k, one of them
 * for each block of numbers. */
static bool keeps(const struct oracle_wire *wire, const struct wire_region *region, uint32_t seat,
                  uint64_t number) {
    uint32_t partitions = region->count / wire->rules.partition_size;
    partitions = partitions == 0 ? 1 : partitions;
    uint64_t owner = number / wire->rules.owner_block % partitions;
    return wire->rules.replicas == 0 && (uint64_t)seat * partitions / region->count == owner;
}

/* True if the member at @seat, alive and healthy, has a copy of @number: kept for others, or
 * waiting. */
static bool has_copy(struct oracle_wire *wire, struct wire_stream *stream, uint32_t seat,
                     uint64_t number) {
    const struct oracle_tracker *tracker = &stream->trackers[seat];
    return wire_counts(wire, wire_actor_at(wire, stream->region, seat)) &&
           oracle_tracker_has(tracker, number) &&
           (number > tracker->contig || keeps(wire, stream->region, seat, number));
}

/* True if a live and healthy member has not received @number: then nobody has dropped it. */
static bool is_lacking(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number) {
    for (uint32_t seat = 0; seat < stream->region->count; seat++) {
        if (wire_counts(wire, wire_actor_at(wire, stream->region, seat)) &&
            !oracle_tracker_has(&stream->trackers[seat], number)) {
            return true;
        }
    }
    return false;
}

static void check_skip(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number,
                       uint64_t now) {
    if (!is_lacking(wire, stream, number)) {
        return;
    }
    for (uint32_t seat = 0; seat < stream->region->count; seat++) {
        if (has_copy(wire, stream, seat, number)) {
            oracle_fail(wire->oracle, ORACLE_PURGE, now,
                        "number %llu of sender %u is skipped, and actor %u has it",
                        (unsigned long long)number, stream->sender, stream->region->actors[seat]);
            return;
        }
    }
}

/* A number that a live member has must not be skipped; a skipped one counts as held. */
void wire_skip(struct oracle_wire *wire, struct wire_stream *stream, uint64_t first, uint64_t last,
               uint64_t now) {
    for (uint64_t n = first; n <= last && n - first < SKIPS_MOST; n++) {
        check_skip(wire, stream, n, now);
    }
    for (uint32_t seat = 0; seat < stream->region->count; seat++) {
        oracle_tracker_add(&stream->trackers[seat], first, last);
    }
    wire->counts.skipped += last - first + 1;
}
