/* Tokens, and the requests that follow from them: the size of a record and how long it stays, and
 * that no request is for packets above the cut. */
#include "judges/wire_state.h"

enum {
    RECORD_DEAD = 8,
    RECORD_HOLES = 32,
    RECORD_OWN = 64,
    RECORD_SKIP = 128,
    RECORD_SKIP_NOW = 256,
    RECORD_GAPS = 512,
};

/* The last stage of a token; the flags of the last token of a round, and of one that walks a single
 * partition: with independent rings, rounds are those of the ring of leaders. */
enum { STAGE_RETURN = 1, STAGE_HOME = 3, TOKEN_LAST = 1, TOKEN_ALONE = 2, SEAT_SHIFT = 40 };

/* The bytes that a record may take beside its lists. */
enum { RECORD_MOST = 48 };

/* Oracles 4 and 5: the whole rounds after its last packet that a record may stay, and packets may
 * be kept, when nothing is lost. */
enum { RECORD_ROUNDS = 3, CACHE_ROUNDS = 3 };

/* A list being read, and its sender. */
struct listing {
    struct oracle_wire *wire;
    struct wire_stream *stream;
    uint64_t now;
};

static void skip(void *user, uint64_t first, uint64_t last) {
    struct listing *listing = user;
    wire_skip(listing->wire, listing->stream, first, last, listing->now);
}

/* True if at most one member is left: it judges rounds that no wire shows. */
static bool is_alone(struct oracle_wire *wire, struct wire_region *region) {
    uint32_t alive = 0;
    for (uint32_t seat = 0; seat < region->count; seat++) {
        alive += wire_counts(wire, wire_actor_at(wire, region, seat)) ? 1 : 0;
    }
    return alive <= 1;
}

/* A request must be at or below the cut of its stream. */
static void ask(void *user, uint64_t first, uint64_t last) {
    struct listing *asking = user;
    (void)first;
    oracle_apply(asking->wire->oracle, ORACLE_CUT);
    if (last > asking->stream->cut && !is_alone(asking->wire, asking->stream->region)) {
        oracle_fail(asking->wire->oracle, ORACLE_CUT, asking->now,
                    "number %llu of sender %u is requested, and the cut is %llu",
                    (unsigned long long)last, asking->stream->sender,
                    (unsigned long long)asking->stream->cut);
    }
}

/* ---- records ---- */

static void read_own(struct oracle_bytes *from, uint64_t base) {
    oracle_varint(from);
    for (uint64_t i = oracle_varint(from); i > 0 && !from->bad; i--) {
        oracle_varint(from);
        oracle_spans(from, base, NULL, NULL);
    }
}

static void read_lists(struct oracle_bytes *from, uint64_t flags, uint64_t base, oracle_each each,
                       void *user) {
    int holes = (flags & RECORD_HOLES) != 0 ? 4 : 0;
    for (int i = 0; i < holes; i++) {
        oracle_spans(from, base, NULL, NULL);
    }
    for (int i = 0; (flags & RECORD_OWN) != 0 && i < 2; i++) {
        read_own(from, base);
    }
    for (int i = 0; (flags & RECORD_DEAD) != 0 && i < 3; i++) {
        oracle_spans(from, base, NULL, NULL);
    }
    if ((flags & RECORD_SKIP) != 0) {
        oracle_spans(from, base, (flags & RECORD_SKIP_NOW) != 0 ? each : NULL, user);
    }
    if ((flags & RECORD_GAPS) != 0) {
        oracle_spans(from, base, NULL, NULL);
    }
}

/* The count of rounds that began after the one under way at the last packet and before this one. */
static uint64_t idle_rounds(const struct wire_stream *stream) {
    uint64_t begun = stream->region->rounds - stream->sent_round;
    return begun == 0 ? 0 : begun - 1;
}

static void check_record(struct oracle_wire *wire, struct wire_stream *stream, uint64_t flags,
                         size_t fixed, uint64_t now) {
    oracle_apply(wire->oracle, ORACLE_TOKEN);
    if (fixed > RECORD_MOST) {
        oracle_fail(wire->oracle, ORACLE_TOKEN, now, "a record of sender %u takes %zu bytes",
                    stream->sender, fixed);
    }
    if (!wire->rules.calm || (flags & RECORD_DEAD) != 0) {
        return;
    }
    uint64_t idle = idle_rounds(stream);
    if (idle >= RECORD_ROUNDS) {
        oracle_fail(
            wire->oracle, ORACLE_TOKEN, now,
            "sender %u is still in the token of view %llx, %llu rounds after its last packet",
            stream->sender, (unsigned long long)stream->region->number, (unsigned long long)idle);
    }
    oracle_apply(wire->oracle, ORACLE_QUIET);
    if (idle >= CACHE_ROUNDS && stream->purge < stream->top) {
        oracle_fail(wire->oracle, ORACLE_QUIET, now,
                    "of sender %u in view %llx only packets up to %llu are purged, of %llu, %llu "
                    "rounds after",
                    stream->sender, (unsigned long long)stream->region->number,
                    (unsigned long long)stream->purge, (unsigned long long)stream->top,
                    (unsigned long long)idle);
    }
}

static void read_record(struct oracle_wire *wire, const struct wire_header *header,
                        struct oracle_bytes *from, uint64_t now) {
    const uint8_t *begin = from->at;
    uint32_t sender = (uint32_t)oracle_varint(from);
    uint64_t flags = oracle_varint(from);
    uint64_t purge = oracle_varint(from);
    uint64_t cut = oracle_delta(from, purge);
    oracle_delta(from, cut);
    oracle_delta(from, cut);
    oracle_delta(from, cut);
    oracle_varint(from);
    size_t fixed = (size_t)(from->at - begin);
    struct wire_stream *stream = from->bad ? NULL : wire_stream_of(wire, header->view, sender);
    struct listing skipping = {wire, stream, now};
    read_lists(from, flags, purge, stream == NULL ? NULL : skip, &skipping);
    if (stream == NULL || from->bad) {
        return;
    }
    stream->cut = cut > stream->cut ? cut : stream->cut;
    wire_purge(wire, stream, purge, now);
    check_record(wire, stream, flags, fixed, now);
}

static uint64_t partitions_of(const struct oracle_wire *wire, const struct wire_region *region) {
    uint64_t partitions = region->count / wire->rules.partition_size;
    return partitions == 0 ? 1 : partitions;
}

/* A token of the ring of one partition: the seat of its leader is in the number of the round. The
 * ring has turned when the token comes back. A token that is not passed on, by a member that
 * crashed and was not yet declared dead, leads nowhere, like a round of the region that does not
 * come home (1.14). */
static void note_turn(const struct oracle_wire *wire, struct wire_region *region, uint64_t round,
                      bool back) {
    uint64_t partition = (round >> SEAT_SHIFT) * partitions_of(wire, region) / region->count;
    region->apart = true;
    region->turned |= back ? (uint64_t)1 << (partition % 64) : 0;
}

/* The ring of the region begins a round. With independent rings it counts once all of them turned:
 * only then could every member report. */
static void note_round(struct oracle_wire *wire, struct wire_region *region, uint64_t round) {
    uint64_t partitions = partitions_of(wire, region);
    uint64_t all = partitions >= 64 ? UINT64_MAX : ((uint64_t)1 << partitions) - 1;
    region->round = round;
    if (!region->apart || region->turned == all) {
        region->turned = 0;
        region->counted = round;
        region->rounds++;
        wire->counts.rounds++;
    }
}

void wire_read_token(struct oracle_wire *wire, const struct wire_header *header,
                     struct oracle_bytes *from, uint64_t now) {
    uint64_t round = oracle_number(from, 8) >> 8;
    uint64_t stage = oracle_number(from, 1);
    uint64_t flags = oracle_number(from, 1);
    uint64_t records = oracle_number(from, 2);
    oracle_number(from, 2); /* the count of requests that it caused */
    struct wire_region *region = wire_region_find(wire, header->view);
    bool alone = (flags & TOKEN_ALONE) != 0;
    if (region != NULL && alone) {
        note_turn(wire, region, round, stage == STAGE_RETURN);
    } else if (region != NULL && round > region->round) {
        note_round(wire, region, round);
    }
    for (uint64_t i = 0; i < records && !from->bad; i++) {
        read_record(wire, header, from, now);
    }
    bool home = stage == STAGE_HOME && (flags & TOKEN_LAST) != 0 && !alone;
    if (region != NULL && records != 0 && !alone) {
        region->carried = round;
    }
    if (region != NULL && home && round > region->home) {
        region->home = round;
        if (round == region->counted) {
            wire_round_done(wire, region, now);
        }
    }
}

/* ---- requests ---- */

static void read_bitmap(struct oracle_bytes *from, struct listing *asking, uint64_t first) {
    uint64_t size = oracle_varint(from);
    const uint8_t *bits = from->at;
    oracle_jump(from, size);
    for (uint64_t i = 0; i < 8 * size && !from->bad; i++) {
        if ((bits[i / 8] >> (i % 8) & 1) != 0) {
            ask(asking, first + i, first + i);
        }
    }
}

static void read_request(struct oracle_wire *wire, const struct wire_header *header,
                         struct oracle_bytes *from, uint64_t now) {
    uint64_t kind = oracle_number(from, 1);
    uint32_t origin = (uint32_t)oracle_number(from, 4);
    uint64_t first = oracle_varint(from);
    struct wire_stream *stream = from->bad ? NULL : wire_stream_of(wire, header->view, origin);
    struct listing asking = {wire, stream, now};
    if (stream == NULL) {
        from->at = from->end; /* a view that this judge does not know */
        return;
    }
    stream->active_round = stream->region->rounds;
    if ((kind & 0x80) == 0) {
        oracle_spans(from, first, ask, &asking);
    } else {
        read_bitmap(from, &asking, first);
    }
}

void wire_read_requests(struct oracle_wire *wire, const struct wire_header *header,
                        struct oracle_bytes *from, uint64_t now) {
    do {
        read_request(wire, header, from, now);
    } while (from->at < from->end && !from->bad);
}
