/* Progress: once all faults are over, every packet sent is at all live members within N rounds that
 * come home, N = 4 + ceil(bytes owed / bytes that repair may send in a round). */
#include "judges/wire_state.h"

enum { ROUNDS_LEAST = 4 };

/* The count of packets of @stream that live members lack. */
static uint64_t lacking(struct oracle_wire *wire, struct wire_stream *stream) {
    uint64_t sum = 0;
    for (uint32_t seat = 0; seat < stream->region->count; seat++) {
        const struct oracle_tracker *tracker = &stream->trackers[seat];
        if (stream->region->names[seat] == stream->sender || tracker->contig >= stream->top ||
            !wire_counts(wire, wire_actor_at(wire, stream->region, seat))) {
            continue;
        }
        sum += stream->top - tracker->contig;
        for (uint32_t i = 0; i < tracker->count; i++) {
            sum -= tracker->pieces[i].last - tracker->pieces[i].first + 1;
        }
    }
    return sum;
}

static uint64_t mean_size(const struct wire_stream *stream, uint64_t first_number) {
    return stream->top == first_number ? 0 : stream->bytes / (stream->top - first_number) + 1;
}

uint64_t oracle_wire_calm(struct oracle_wire *wire, uint64_t budget) {
    uint64_t most = 0;
    for (struct wire_region *region = wire->all_regions; region != NULL; region = region->next) {
        uint64_t owed = 0;
        for (struct wire_stream *stream = region->streams; stream != NULL;
             stream = stream->sibling) {
            stream->due_top = stream->top;
            owed += lacking(wire, stream) * mean_size(stream, wire->rules.first_number);
        }
        uint64_t rounds = ROUNDS_LEAST + (owed + budget - 1) / budget;
        region->due = region->done + rounds;
        most = rounds > most ? rounds : most;
    }
    return most;
}

static void judge_member(struct oracle_wire *wire, const struct wire_stream *stream, uint32_t seat,
                         uint64_t top, uint64_t now) {
    struct wire_region *region = stream->region;
    uint32_t actor = wire_actor_at(wire, region, seat);
    if (region->names[seat] == stream->sender || !wire_counts(wire, actor)) {
        return;
    }
    oracle_apply(wire->oracle, ORACLE_PROGRESS);
    if (stream->trackers[seat].contig < top) {
        oracle_fail(wire->oracle, ORACLE_PROGRESS, now,
                    "actor %u has %llu of %llu of sender %u in view %llx, %llu rounds after the "
                    "last fault are over",
                    actor, (unsigned long long)stream->trackers[seat].contig,
                    (unsigned long long)top, stream->sender, (unsigned long long)region->number,
                    (unsigned long long)region->done);
    }
}

static void judge_stream(struct oracle_wire *wire, const struct wire_stream *stream, uint64_t top,
                         uint64_t now) {
    if (!wire_counts(wire, wire_actor_of(wire, stream->sender))) {
        return; /* a dead member owes nothing */
    }
    for (uint32_t seat = 0; seat < stream->region->count; seat++) {
        judge_member(wire, stream, seat, top, now);
    }
}

void wire_round_done(struct oracle_wire *wire, struct wire_region *region, uint64_t now) {
    if (++region->done != region->due) {
        return;
    }
    for (const struct wire_stream *stream = region->streams; stream != NULL;
         stream = stream->sibling) {
        judge_stream(wire, stream, stream->due_top, now);
    }
}

void oracle_wire_settle(struct oracle_wire *wire, uint64_t now) {
    for (const struct wire_stream *stream = wire->all_streams; stream != NULL;
         stream = stream->next) {
        judge_stream(wire, stream, stream->top, now);
    }
}
