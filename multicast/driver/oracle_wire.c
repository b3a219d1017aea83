#include "oracle_wire.h"
#include "oracle_bytes.h"
#include "oracle_inside.h"
#include "oracle_tracker.h"
#include "sim_hash.h"

#include <stdlib.h>
#include <string.h>

/* The format, from docs/wire.md. */
enum { HEADER = 32, TAG = 16, ADDRESS = 22, VERSION = 1, TOKEN_BASE = HEADER + 12 + TAG };
enum type { DATA = 1, REPAIR, TOKEN, ACK, HIGH_WATER, REQUEST, STALE, EVICTED, FLOW, HYBRID };
enum { MESSAGE_PREPARE = 34 };
enum {
    RECORD_QUIESCENT = 1,
    RECORD_DEAD = 8,
    RECORD_HOLES = 32,
    RECORD_OWN = 64,
    RECORD_SKIP = 128,
    RECORD_SKIP_NOW = 256,
};

/* What a record may cost beside its lists (issue: 48 bytes). */
enum { RECORD_MOST = 48 };

/* How many rounds a record may stay after the last sign of life of its stream, nothing being lost.
 */
enum { ROUNDS_MOST = 6 };

/* The budget of control for a region and second, with room for windows that cut a burst in two. */
enum { CONTROL_MOST = 300 };

/* The most packets of one stream whose lives are followed at a time. */
enum { LIVES_MOST = 1 << 20 };

/* Oracle 8: an isolated loss is repaired within so many rounds, and purged so many after. The round
 * that was under way when the packet was sent counts as the first. */
enum { REPAIR_ROUNDS = 3, PURGE_ROUNDS = 2 };

/* How many numbers of one skip are looked at. */
enum { SKIPS_MOST = 4096 };
#define WINDOW ((uint64_t)1000000000)

struct header {
    uint8_t type;
    uint32_t sender;
    uint64_t view;
};

/* A region view and its members, as the service told them. */
struct view {
    uint64_t number;
    uint32_t count;
    uint32_t *names;  /* is the members' short names, ascending */
    uint32_t *actors; /* … who they are, 0 while unknown */
    uint64_t round, rounds;
    uint64_t window_start, control_packets, control_bytes, data_bytes;
    uint32_t by_type[16]; /* is the control packets of the window */
    struct view *next;
};

/* What became of one packet. */
struct life {
    uint64_t number;
    uint64_t sent_at;
    uint32_t sent_round, repaired_round; /* is 0 when it was not repaired */
};

/* What @sender sends in a view. */
struct stream {
    struct view *view;
    uint32_t sender;
    uint64_t top; /* is the highest number sent */
    uint64_t purge, ack, cut;
    uint64_t active_round; /* is the view's count of rounds at its last sign of life */
    uint64_t repairers;    /* is one bit a seat, modulo 64 */
    uint32_t *repairs;     /* is how many repairs each seat sent */
    struct life *lives;    /* is a ring by number, of what is not purged */
    uint32_t life_room;
    struct oracle_tracker *trackers;
    struct stream *next;
};

struct oracle_wire {
    struct oracle *oracle;
    struct oracle_rules rules;
    struct sim_map views;   /* number → struct view */
    struct sim_map streams; /* view and sender → struct stream */
    struct sim_map ids;     /* id and incarnation → actor */
    struct sim_map actors;  /* short name + 1 → actor */
    struct sim_map names;   /* actor → short name */
    struct view *all_views;
    struct stream *all_streams;
    struct oracle_wire_counts counts;
};

static void *must(void *memory) {
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void put(struct sim_map *map, uint64_t key, uint64_t value) {
    if (!sim_map_put(map, key, (void *)(uintptr_t)value)) {
        abort();
    }
}

static uint64_t get(const struct sim_map *map, uint64_t key) {
    return (uint64_t)(uintptr_t)sim_map_get(map, key);
}

struct oracle_wire *oracle_wire_new(struct oracle *oracle, const struct oracle_rules *rules) {
    struct oracle_wire *wire = calloc(1, sizeof *wire);
    if (wire != NULL) {
        wire->oracle = oracle;
        wire->rules = *rules;
    }
    return wire;
}

void oracle_wire_free(struct oracle_wire *wire) {
    if (wire == NULL) {
        return;
    }
    while (wire->all_streams != NULL) {
        struct stream *stream = wire->all_streams;
        wire->all_streams = stream->next;
        for (uint32_t i = 0; i < stream->view->count; i++) {
            oracle_tracker_free(&stream->trackers[i]);
        }
        free(stream->trackers);
        free(stream->repairs);
        free(stream->lives);
        free(stream);
    }
    while (wire->all_views != NULL) {
        struct view *view = wire->all_views;
        wire->all_views = view->next;
        free(view->names);
        free(view->actors);
        free(view);
    }
    sim_map_free(&wire->views);
    sim_map_free(&wire->streams);
    sim_map_free(&wire->ids);
    sim_map_free(&wire->actors);
    sim_map_free(&wire->names);
    free(wire);
}

struct oracle_wire_counts oracle_wire_counts(const struct oracle_wire *wire) {
    return wire->counts;
}

/* ---- who is who ---- */

static uint64_t id_key(uint64_t low, uint64_t incarnation) {
    return sim_hash_number(sim_hash_number(3, low), incarnation) | 1;
}

void oracle_wire_actor(struct oracle_wire *wire, uint32_t actor, uint64_t id_low,
                       uint64_t incarnation) {
    put(&wire->ids, id_key(id_low, incarnation), actor);
}

static void read_node(struct oracle_wire *wire, struct oracle_bytes *from) {
    uint64_t name = oracle_varint(from);
    oracle_number(from, 8);
    uint64_t low = oracle_number(from, 8);
    uint64_t incarnation = oracle_varint(from);
    oracle_jump(from, ADDRESS);
    uint64_t actor = get(&wire->ids, id_key(low, incarnation));
    if (!from->bad && actor != 0) {
        put(&wire->actors, name + 1, actor);
        put(&wire->names, actor, name);
    }
}

static void read_view(struct oracle_wire *wire, struct oracle_bytes *from) {
    uint64_t number = oracle_varint(from);
    oracle_varint(from);
    oracle_varint(from);
    oracle_jump(from, ADDRESS);
    for (uint64_t i = oracle_varint(from); i > 0 && !from->bad; i--) {
        oracle_varint(from);
    }
    uint64_t count = oracle_varint(from);
    if (from->bad || count > (uint64_t)(from->end - from->at)) {
        from->bad = true;
        return;
    }
    bool known = count == 0 || get(&wire->views, number) != 0;
    struct view *view = known ? NULL : must(calloc(1, sizeof *view));
    if (view != NULL) {
        view->number = number;
        view->count = (uint32_t)count;
        view->names = must(calloc(count, sizeof *view->names));
        view->actors = must(calloc(count, sizeof *view->actors));
        view->next = wire->all_views;
        wire->all_views = view;
        wire->counts.views++;
        put(&wire->views, number, (uintptr_t)view);
    }
    uint64_t name = 0;
    for (uint64_t i = 0; i < count; i++) {
        name += oracle_varint(from);
        if (view != NULL) {
            view->names[i] = (uint32_t)name;
        }
    }
}

void oracle_wire_service(struct oracle_wire *wire, const uint8_t *bytes, size_t length,
                         uint64_t now) {
    struct oracle_bytes from = {bytes, bytes + length, false};
    oracle_number(&from, 1);
    if (oracle_number(&from, 1) != MESSAGE_PREPARE) {
        return;
    }
    oracle_apply(wire->oracle, ORACLE_WIRE);
    oracle_varint(&from);
    for (uint64_t i = oracle_varint(&from); i > 0 && !from.bad; i--) {
        read_node(wire, &from);
    }
    for (uint64_t i = oracle_varint(&from); i > 0 && !from.bad; i--) {
        read_view(wire, &from);
    }
    if (from.bad) {
        oracle_fail(wire->oracle, ORACLE_WIRE, now, "a PREPARE of %zu bytes does not read", length);
    }
}

/* The actor at @seat of @view, 0 while nobody told who it is. */
static uint32_t actor_at(struct oracle_wire *wire, struct view *view, uint32_t seat) {
    if (view->actors[seat] == 0) {
        view->actors[seat] = (uint32_t)get(&wire->actors, (uint64_t)view->names[seat] + 1);
    }
    return view->actors[seat];
}

/* Whether what happens to the member counts: it lives, and nothing was done to it that excuses. */
static bool counts(const struct oracle_wire *wire, uint32_t actor) {
    const struct oracle *oracle = wire->oracle;
    return actor != 0 && oracle->actors[actor].alive && !oracle->actors[actor].doubted;
}

static uint32_t seat_of(const struct view *view, uint64_t name) {
    uint32_t low = 0, high = view->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (view->names[middle] < name) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < view->count && view->names[low] == name ? low : UINT32_MAX;
}

static struct stream *stream_of(struct oracle_wire *wire, uint64_t number, uint32_t sender) {
    uint64_t key = sim_hash_number(sim_hash_number(5, number), sender) | 1;
    struct stream *stream = (struct stream *)(uintptr_t)get(&wire->streams, key);
    struct view *view = stream != NULL ? NULL : (struct view *)(uintptr_t)get(&wire->views, number);
    if (view != NULL && number != 0) {
        stream = must(calloc(1, sizeof *stream));
        stream->view = view;
        stream->sender = sender;
        stream->purge = stream->ack = stream->top = wire->rules.first_number;
        stream->trackers = must(calloc(view->count, sizeof *stream->trackers));
        stream->repairs = must(calloc(view->count, sizeof *stream->repairs));
        for (uint32_t i = 0; i < view->count; i++) {
            stream->trackers[i].contig = wire->rules.first_number;
        }
        stream->next = wire->all_streams;
        wire->all_streams = stream;
        put(&wire->streams, key, (uintptr_t)stream);
    }
    return stream;
}

static bool is_dead(const struct oracle_wire *wire, uint32_t name) {
    return !counts(wire, (uint32_t)get(&wire->actors, (uint64_t)name + 1));
}

/* ---- the life of a packet ---- */

static struct life *life_of(const struct stream *stream, uint64_t number) {
    struct life *life =
        stream->life_room == 0 ? NULL : &stream->lives[number & (stream->life_room - 1)];
    return life != NULL && life->number == number ? life : NULL;
}

static void grow_lives(struct stream *stream) {
    uint32_t room = stream->life_room == 0 ? 64 : stream->life_room * 2;
    struct life *lives = must(calloc(room, sizeof *lives));
    for (uint32_t i = 0; i < stream->life_room; i++) {
        lives[stream->lives[i].number & (room - 1)] = stream->lives[i];
    }
    free(stream->lives);
    stream->lives = lives;
    stream->life_room = room;
}

static void begin_life(struct stream *stream, uint64_t number, uint64_t now) {
    uint64_t low = stream->purge < stream->ack ? stream->purge : stream->ack;
    while (number - low >= stream->life_room && stream->life_room < LIVES_MOST) {
        grow_lives(stream);
    }
    stream->lives[number & (stream->life_room - 1)] =
        (struct life){number, now, (uint32_t)stream->view->rounds, 0};
}

static uint64_t bounded(uint64_t rounds) {
    return rounds < ORACLE_ROUNDS ? rounds : ORACLE_ROUNDS - 1;
}

static void note_acked(struct oracle_wire *wire, const struct stream *stream, uint64_t from,
                       uint64_t to, uint64_t now) {
    for (uint64_t n = from + 1; n <= to; n++) {
        const struct life *life = life_of(stream, n);
        if (life != NULL) {
            wire->counts.ack_sum += now - life->sent_at;
            wire->counts.ack_count++;
        }
    }
}

static void judge_rounds(struct oracle_wire *wire, const struct stream *stream, uint64_t number,
                         uint64_t rounds, uint64_t most, const char *what, uint64_t now) {
    if (!wire->rules.isolated) {
        return;
    }
    oracle_apply(wire->oracle, ORACLE_REPAIR);
    if (rounds > most) {
        oracle_fail(wire->oracle, ORACLE_REPAIR, now,
                    "number %llu of sender %u is %s after %llu rounds", (unsigned long long)number,
                    stream->sender, what, (unsigned long long)rounds);
    }
}

static void note_repaired(struct oracle_wire *wire, struct stream *stream, uint64_t number,
                          uint64_t now) {
    struct life *life = life_of(stream, number);
    if (life != NULL && life->repaired_round == 0) {
        uint64_t rounds = stream->view->rounds - life->sent_round;
        life->repaired_round = (uint32_t)stream->view->rounds;
        wire->counts.repair_rounds[bounded(rounds)]++;
        judge_rounds(wire, stream, number, rounds, REPAIR_ROUNDS, "repaired", now);
    }
}

static void note_purged(struct oracle_wire *wire, const struct stream *stream, uint64_t from,
                        uint64_t to, uint64_t now) {
    for (uint64_t n = from + 1; n <= to; n++) {
        const struct life *life = life_of(stream, n);
        if (life != NULL && life->repaired_round != 0) {
            uint64_t rounds = stream->view->rounds - life->repaired_round;
            wire->counts.purge_rounds[bounded(rounds)]++;
            judge_rounds(wire, stream, n, rounds, PURGE_ROUNDS, "purged, once repaired,", now);
        }
    }
}

/* ---- the rules ---- */

/* Everybody alive must hold all of @stream up to @number before it is called received by all. */
static void check_held(struct oracle_wire *wire, struct stream *stream, uint64_t number,
                       const char *what, uint64_t now) {
    oracle_apply(wire->oracle, ORACLE_PURGE);
    for (uint32_t seat = 0; seat < stream->view->count; seat++) {
        uint32_t actor = actor_at(wire, stream->view, seat);
        if (stream->view->names[seat] == stream->sender || !counts(wire, actor) ||
            stream->trackers[seat].contig >= number) {
            continue;
        }
        oracle_fail(wire->oracle, ORACLE_PURGE, now,
                    "%s of sender %u in view %llx is %llu, and actor %u has all up to %llu", what,
                    stream->sender, (unsigned long long)stream->view->number,
                    (unsigned long long)number, actor,
                    (unsigned long long)stream->trackers[seat].contig);
    }
}

static void note_purge(struct oracle_wire *wire, struct stream *stream, uint64_t purge,
                       uint64_t now) {
    if (purge > stream->purge) {
        note_purged(wire, stream, stream->purge, purge, now);
        stream->purge = purge;
        if (!is_dead(wire, stream->sender)) {
            check_held(wire, stream, purge, "purge", now);
        }
    }
}

struct skipping {
    struct oracle_wire *wire;
    struct stream *stream;
    uint64_t now;
};

/* Whether @seat keeps copies of @number for others (1.8, 1.9): partitions of about k, one of them
 * for each block of numbers. */
static bool keeps(const struct oracle_wire *wire, const struct view *view, uint32_t seat,
                  uint64_t number) {
    uint32_t partitions = view->count / wire->rules.partition_size;
    partitions = partitions == 0 ? 1 : partitions;
    uint64_t owner = number / wire->rules.owner_block % partitions;
    return wire->rules.replicas == 0 && (uint64_t)seat * partitions / view->count == owner;
}

/* Whether the member at @seat, alive and well, has a copy of @number: kept for others, or waiting.
 */
static bool has_copy(struct oracle_wire *wire, struct stream *stream, uint32_t seat,
                     uint64_t number) {
    const struct oracle_tracker *tracker = &stream->trackers[seat];
    return counts(wire, actor_at(wire, stream->view, seat)) &&
           oracle_tracker_has(tracker, number) &&
           (number > tracker->contig || keeps(wire, stream->view, seat, number));
}

/* Whether some member, alive and well, has not received @number: then nobody let go of it. */
static bool is_lacking(struct oracle_wire *wire, struct stream *stream, uint64_t number) {
    for (uint32_t seat = 0; seat < stream->view->count; seat++) {
        if (counts(wire, actor_at(wire, stream->view, seat)) &&
            !oracle_tracker_has(&stream->trackers[seat], number)) {
            return true;
        }
    }
    return false;
}

static void check_skip(struct skipping *skipping, uint64_t number) {
    struct stream *stream = skipping->stream;
    if (!is_lacking(skipping->wire, stream, number)) {
        return;
    }
    for (uint32_t seat = 0; seat < stream->view->count; seat++) {
        if (has_copy(skipping->wire, stream, seat, number)) {
            oracle_fail(skipping->wire->oracle, ORACLE_PURGE, skipping->now,
                        "number %llu of sender %u is skipped, and actor %u has it",
                        (unsigned long long)number, stream->sender, stream->view->actors[seat]);
            return;
        }
    }
}

/* A number that somebody alive has must not be skipped; one that is skipped counts as held. */
static void skip(void *user, uint64_t first, uint64_t last) {
    struct skipping *skipping = user;
    struct stream *stream = skipping->stream;
    for (uint64_t n = first; n <= last && n - first < SKIPS_MOST; n++) {
        check_skip(skipping, n);
    }
    for (uint32_t seat = 0; seat < stream->view->count; seat++) {
        oracle_tracker_add(&stream->trackers[seat], first, last);
    }
    skipping->wire->counts.skipped += last - first + 1;
}

/* Whether at most one member of @view is left: it judges rounds that no wire shows. */
static bool is_alone(struct oracle_wire *wire, struct view *view) {
    uint32_t alive = 0;
    for (uint32_t seat = 0; seat < view->count; seat++) {
        alive += counts(wire, actor_at(wire, view, seat)) ? 1 : 0;
    }
    return alive <= 1;
}

/* What is asked for must lie at or below the cut of its stream. */
static void ask(void *user, uint64_t first, uint64_t last) {
    struct skipping *asking = user;
    (void)first;
    oracle_apply(asking->wire->oracle, ORACLE_CUT);
    if (last > asking->stream->cut && !is_alone(asking->wire, asking->stream->view)) {
        oracle_fail(asking->wire->oracle, ORACLE_CUT, asking->now,
                    "number %llu of sender %u is asked for, and the cut is %llu",
                    (unsigned long long)last, asking->stream->sender,
                    (unsigned long long)asking->stream->cut);
    }
}

static void note_alive(struct stream *stream) {
    stream->active_round = stream->view->rounds;
}

/* ---- control within its budget ---- */

static void close_window(struct oracle_wire *wire, struct view *view, uint64_t now) {
    bool dear = view->control_packets > CONTROL_MOST + 2 * (uint64_t)view->count &&
                view->control_bytes > view->data_bytes / 100 + 1;
    if (wire->rules.adaptive && view->control_packets != 0) {
        oracle_apply(wire->oracle, ORACLE_CONTROL);
        if (dear) {
            oracle_fail(
                wire->oracle, ORACLE_CONTROL, now,
                "%llu control packets (%u tokens, %u acks, %u high waters, %u requests) of %llu "
                "bytes in a second of view %llx of %u, data %llu",
                (unsigned long long)view->control_packets, view->by_type[TOKEN], view->by_type[ACK],
                view->by_type[HIGH_WATER], view->by_type[REQUEST],
                (unsigned long long)view->control_bytes, (unsigned long long)view->number,
                view->count, (unsigned long long)view->data_bytes);
        }
    }
    view->window_start = now;
    view->control_packets = view->control_bytes = view->data_bytes = 0;
    memset(view->by_type, 0, sizeof view->by_type);
}

static void charge(struct oracle_wire *wire, const struct header *header, size_t length,
                   uint64_t now) {
    struct view *view = (struct view *)(uintptr_t)get(&wire->views, header->view | 0);
    if (view == NULL) {
        return;
    }
    if (now - view->window_start >= WINDOW) {
        close_window(wire, view, now);
    }
    if (header->type == DATA || header->type == REPAIR || header->type == HYBRID) {
        view->data_bytes += length;
    } else {
        view->control_packets++;
        view->by_type[header->type]++;
        view->control_bytes += length;
    }
}

/* ---- tokens ---- */

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
}

static void check_record(struct oracle_wire *wire, struct stream *stream, uint64_t flags,
                         size_t fixed, uint64_t now) {
    oracle_apply(wire->oracle, ORACLE_TOKEN);
    if (fixed > RECORD_MOST) {
        oracle_fail(wire->oracle, ORACLE_TOKEN, now, "a record of sender %u takes %zu bytes",
                    stream->sender, fixed);
    }
    uint64_t idle = stream->view->rounds - stream->active_round;
    if (wire->rules.calm && idle > ROUNDS_MOST && (flags & RECORD_DEAD) == 0) {
        oracle_fail(wire->oracle, ORACLE_TOKEN, now,
                    "sender %u is still in the token of view %llx, %llu rounds after its last word",
                    stream->sender, (unsigned long long)stream->view->number,
                    (unsigned long long)idle);
    }
}

static void read_record(struct oracle_wire *wire, const struct header *header,
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
    struct stream *stream = from->bad ? NULL : stream_of(wire, header->view, sender);
    struct skipping skipping = {wire, stream, now};
    read_lists(from, flags, purge, stream == NULL ? NULL : skip, &skipping);
    if (stream == NULL || from->bad) {
        return;
    }
    stream->cut = cut > stream->cut ? cut : stream->cut;
    note_purge(wire, stream, purge, now);
    check_record(wire, stream, flags, fixed, now);
}

static void read_token(struct oracle_wire *wire, const struct header *header,
                       struct oracle_bytes *from, uint64_t now) {
    uint64_t round = oracle_number(from, 8) >> 8;
    oracle_number(from, 2);
    uint64_t records = oracle_number(from, 2);
    oracle_number(from, 2); /* how many requests it gave rise to */
    struct view *view = (struct view *)(uintptr_t)get(&wire->views, header->view);
    if (view != NULL && round > view->round) {
        view->round = round;
        view->rounds++;
        wire->counts.rounds++;
    }
    for (uint64_t i = 0; i < records && !from->bad; i++) {
        read_record(wire, header, from, now);
    }
}

static void read_request(struct oracle_wire *wire, const struct header *header,
                         struct oracle_bytes *from, uint64_t now) {
    uint64_t kind = oracle_number(from, 1);
    uint32_t origin = (uint32_t)oracle_number(from, 4);
    uint64_t first = oracle_varint(from);
    struct stream *stream = from->bad ? NULL : stream_of(wire, header->view, origin);
    struct skipping asking = {wire, stream, now};
    if (stream == NULL) {
        from->at = from->end; /* a view this judge was never told of */
        return;
    }
    note_alive(stream);
    if ((kind & 0x80) == 0) {
        oracle_spans(from, first, ask, &asking);
        return;
    }
    uint64_t size = oracle_varint(from);
    const uint8_t *bits = from->at;
    oracle_jump(from, size);
    for (uint64_t i = 0; i < 8 * size && !from->bad; i++) {
        if ((bits[i / 8] >> (i % 8) & 1) != 0) {
            ask(&asking, first + i, first + i);
        }
    }
}

/* ---- datagrams ---- */

static bool read_header(struct oracle_bytes *from, struct header *header) {
    uint64_t version = oracle_number(from, 1);
    header->type = (uint8_t)oracle_number(from, 1);
    oracle_jump(from, 6);
    header->sender = (uint32_t)oracle_number(from, 4);
    oracle_jump(from, 12);
    header->view = oracle_number(from, 8);
    return !from->bad && version == VERSION && header->type >= DATA && header->type <= HYBRID &&
           header->sender != 0;
}

static void sent_data(struct oracle_wire *wire, const struct header *header,
                      struct oracle_bytes *from, uint64_t now) {
    uint64_t number = oracle_number(from, 8);
    struct stream *stream = stream_of(wire, header->view, header->sender);
    from->at = from->end;
    if (stream != NULL) {
        note_alive(stream);
        stream->top = number > stream->top ? number : stream->top;
        begin_life(stream, number, now);
    }
}

static void sent_repair(struct oracle_wire *wire, const struct header *header,
                        struct oracle_bytes *from, uint64_t now) {
    uint32_t origin = (uint32_t)oracle_number(from, 4);
    uint64_t number = oracle_number(from, 8);
    struct stream *stream = stream_of(wire, header->view, origin);
    from->at = from->end;
    oracle_apply(wire->oracle, ORACLE_CUT);
    if (wire->rules.calm) {
        oracle_fail(wire->oracle, ORACLE_CUT, now, "number %llu of sender %u is repaired, not lost",
                    (unsigned long long)number, origin);
    }
    if (stream == NULL) {
        return;
    }
    note_alive(stream);
    uint32_t seat = seat_of(stream->view, header->sender);
    if (seat != UINT32_MAX) {
        stream->repairers |= (uint64_t)1 << (seat % 64);
        uint64_t sent = ++stream->repairs[seat];
        wire->counts.repairs_most =
            sent > wire->counts.repairs_most ? sent : wire->counts.repairs_most;
    }
    uint64_t many = (uint64_t)__builtin_popcountll(stream->repairers);
    wire->counts.repairers = many > wire->counts.repairers ? many : wire->counts.repairers;
}

static void sent_ack(struct oracle_wire *wire, const struct header *header,
                     struct oracle_bytes *from, uint64_t now) {
    uint32_t name = (uint32_t)oracle_varint(from);
    uint64_t contig = oracle_varint(from);
    struct stream *stream = name == 0 ? NULL : stream_of(wire, header->view, name);
    from->at = from->end;
    if (stream != NULL && contig > stream->ack) {
        note_acked(wire, stream, stream->ack, contig, now);
        stream->ack = contig;
        check_held(wire, stream, contig, "acknowledgement", now);
    }
}

void oracle_wire_sent(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes, size_t length,
                      uint64_t now) {
    struct oracle_bytes from = {bytes, bytes + (length < TAG ? 0 : length - TAG), false};
    struct header header;
    oracle_apply(wire->oracle, ORACLE_WIRE);
    if (!read_header(&from, &header)) {
        oracle_fail(wire->oracle, ORACLE_WIRE, now, "actor %u sends %zu bytes without a header",
                    actor, length);
        return;
    }
    wire->counts.kind[header.type]++;
    wire->counts.bytes[header.type] += length;
    charge(wire, &header, length, now);
    switch ((enum type)header.type) {
    case DATA:
        sent_data(wire, &header, &from, now);
        break;
    case REPAIR:
        sent_repair(wire, &header, &from, now);
        break;
    case TOKEN:
        wire->counts.token_longest =
            length > wire->counts.token_longest ? length : wire->counts.token_longest;
        read_token(wire, &header, &from, now);
        break;
    case ACK:
        sent_ack(wire, &header, &from, now);
        break;
    case REQUEST:
        do {
            read_request(wire, &header, &from, now);
        } while (from.at < from.end && !from.bad);
        break;
    default:
        from.at = from.end; /* their content is judged by what it leads to */
        break;
    }
    if (from.bad || from.at != from.end) {
        oracle_fail(wire->oracle, ORACLE_WIRE, now,
                    "actor %u sends type %u of %zu bytes unread at %td", actor, header.type, length,
                    from.at - bytes);
    }
}

void oracle_wire_read(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes, size_t length,
                      uint64_t now) {
    struct oracle_bytes from = {bytes, bytes + (length < TAG ? 0 : length - TAG), false};
    struct header header;
    if (!read_header(&from, &header) || (header.type != DATA && header.type != REPAIR)) {
        return;
    }
    uint32_t origin = header.type == DATA ? header.sender : (uint32_t)oracle_number(&from, 4);
    uint64_t number = oracle_number(&from, 8);
    struct stream *stream = stream_of(wire, header.view, origin);
    uint32_t name = (uint32_t)get(&wire->names, actor);
    if (stream == NULL || name == 0 || from.bad) {
        return;
    }
    uint32_t seat = seat_of(stream->view, name);
    if (seat == UINT32_MAX) {
        return;
    }
    if (header.type == REPAIR && !oracle_tracker_has(&stream->trackers[seat], number)) {
        note_repaired(wire, stream, number, now);
    }
    oracle_tracker_add(&stream->trackers[seat], number, number);
}
