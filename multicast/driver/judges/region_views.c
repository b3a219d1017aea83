/* Region views: the members of each region view, read from the messages of the membership service.
 */
#include "judges/wire_state.h"
#include "simulator/base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE_PREPARE = 34, MESSAGE_COMMIT, MESSAGE_VIEW_CLOSED = 37 };

void *wire_must(void *memory) {
    if (memory == NULL) {
        abort(); /* a judge without memory must not go on */
    }
    return memory;
}

void wire_put(struct sim_map *map, uint64_t key, uint64_t value) {
    if (!sim_map_put(map, key, (void *)(uintptr_t)value)) {
        abort();
    }
}

uint64_t wire_get(const struct sim_map *map, uint64_t key) {
    return (uint64_t)(uintptr_t)sim_map_get(map, key);
}

/* ---- identities ---- */

static uint64_t id_key(uint64_t low, uint64_t incarnation) {
    return sim_hash_number(sim_hash_number(3, low), incarnation) | 1;
}

void oracle_wire_actor(struct oracle_wire *wire, uint32_t actor, uint64_t id_low,
                       uint64_t incarnation) {
    wire_put(&wire->ids, id_key(id_low, incarnation), actor);
}

uint32_t wire_actor_of(const struct oracle_wire *wire, uint32_t name) {
    return (uint32_t)wire_get(&wire->actors, (uint64_t)name + 1);
}

uint32_t wire_name_of(const struct oracle_wire *wire, uint32_t actor) {
    return (uint32_t)wire_get(&wire->names, actor);
}

bool wire_counts(const struct oracle_wire *wire, uint32_t actor) {
    const struct oracle *oracle = wire->oracle;
    return actor != 0 && oracle->actors[actor].alive && !oracle_excuses(oracle, actor);
}

uint32_t wire_actor_at(struct oracle_wire *wire, struct wire_region *region, uint32_t seat) {
    if (region->actors[seat] == 0) {
        region->actors[seat] = wire_actor_of(wire, region->names[seat]);
    }
    return region->actors[seat];
}

uint32_t wire_seat_of(const struct wire_region *region, uint64_t name) {
    uint32_t low = 0, high = region->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (region->names[middle] < name) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < region->count && region->names[low] == name ? low : UINT32_MAX;
}

/* ---- regions and streams ---- */

struct wire_region *wire_region_find(const struct oracle_wire *wire, uint64_t number) {
    return (struct wire_region *)(uintptr_t)wire_get(&wire->regions, number);
}

static struct wire_region *add_region(struct oracle_wire *wire, uint64_t number, uint64_t epoch,
                                      uint64_t count) {
    struct wire_region *region = wire_must(calloc(1, sizeof *region));
    region->number = number;
    region->epoch = epoch;
    region->count = (uint32_t)count;
    region->due = UINT64_MAX;
    region->names = wire_must(calloc(count, sizeof *region->names));
    region->actors = wire_must(calloc(count, sizeof *region->actors));
    region->next = wire->all_regions;
    wire->all_regions = region;
    wire->counts.views++;
    wire_put(&wire->regions, number, (uintptr_t)region);
    return region;
}

static struct wire_stream *add_stream(struct oracle_wire *wire, struct wire_region *region,
                                      uint32_t sender) {
    struct wire_stream *stream = wire_must(calloc(1, sizeof *stream));
    stream->region = region;
    stream->sender = sender;
    stream->purge = stream->ack = stream->top = wire->rules.first_number;
    stream->trackers = wire_must(calloc(region->count, sizeof *stream->trackers));
    stream->repairs = wire_must(calloc(region->count, sizeof *stream->repairs));
    for (uint32_t i = 0; i < region->count; i++) {
        stream->trackers[i].contig = wire->rules.first_number;
    }
    stream->next = wire->all_streams;
    wire->all_streams = stream;
    stream->sibling = region->streams;
    region->streams = stream;
    return stream;
}

struct wire_stream *wire_stream_of(struct oracle_wire *wire, uint64_t number, uint32_t sender) {
    uint64_t key = sim_hash_number(sim_hash_number(5, number), sender) | 1;
    struct wire_stream *stream = (struct wire_stream *)(uintptr_t)wire_get(&wire->streams, key);
    if (stream == NULL && number != 0) {
        struct wire_region *region = wire_region_find(wire, number);
        if (region != NULL) {
            stream = add_stream(wire, region, sender);
            wire_put(&wire->streams, key, (uintptr_t)stream);
        }
    }
    return stream;
}

bool oracle_wire_waits(const struct oracle_wire *wire, uint32_t receiver, uint32_t sender) {
    const struct wire_region *last = NULL;
    bool lacks_there = false, lacks_before = false;
    uint32_t name = wire_name_of(wire, receiver), origin = wire_name_of(wire, sender);
    for (const struct wire_stream *stream = wire->all_streams; stream != NULL;
         stream = stream->next) {
        uint32_t seat = stream->sender == origin ? wire_seat_of(stream->region, name) : UINT32_MAX;
        if (seat == UINT32_MAX) {
            continue;
        }
        bool lacks = stream->trackers[seat].contig < stream->top;
        if (last == NULL || stream->region->number > last->number) {
            lacks_before = lacks_before || lacks_there;
            lacks_there = lacks;
            last = stream->region;
        } else {
            lacks_before = lacks_before || lacks;
        }
    }
    return lacks_before || (last != NULL && wire_get(&wire->commits, receiver) < last->epoch);
}

void wire_regions_free(struct oracle_wire *wire) {
    while (wire->all_streams != NULL) {
        struct wire_stream *stream = wire->all_streams;
        wire->all_streams = stream->next;
        for (uint32_t i = 0; i < stream->region->count; i++) {
            oracle_tracker_free(&stream->trackers[i]);
        }
        free(stream->trackers);
        free(stream->repairs);
        free(stream->lives);
        free(stream);
    }
    while (wire->all_regions != NULL) {
        struct wire_region *region = wire->all_regions;
        wire->all_regions = region->next;
        free(region->names);
        free(region->actors);
        free(region);
    }
}

/* ---- messages of the service ---- */

static void read_node(struct oracle_wire *wire, struct oracle_bytes *from) {
    uint64_t name = oracle_varint(from);
    oracle_number(from, 8);
    uint64_t low = oracle_number(from, 8);
    uint64_t incarnation = oracle_varint(from);
    oracle_jump(from, WIRE_ADDRESS);
    uint64_t actor = wire_get(&wire->ids, id_key(low, incarnation));
    if (!from->bad && actor != 0) {
        wire_put(&wire->actors, name + 1, actor);
        wire_put(&wire->names, actor, name);
    }
}

/* Read an ascending list of names and store its length in *@count. */
static uint32_t *read_names(struct oracle_bytes *from, uint64_t *count) {
    *count = oracle_varint(from);
    if (from->bad || *count > (uint64_t)(from->end - from->at)) {
        from->bad = true;
        *count = 0;
    }
    uint32_t *names = wire_must(calloc(*count + 1, sizeof *names));
    uint64_t name = 0;
    for (uint64_t i = 0; i < *count; i++) {
        name += oracle_varint(from);
        names[i] = (uint32_t)name;
    }
    return names;
}

static int compare_names(const void *one, const void *other) {
    uint32_t first = *(const uint32_t *)one, second = *(const uint32_t *)other;
    return first < second ? -1 : first > second;
}

static bool is_named(const uint32_t *names, uint64_t count, uint32_t name) {
    return bsearch(&name, names, count, sizeof *names, compare_names) != NULL;
}

/* The members of @base without those that left, and with the @count of *@names that came. */
static void change_names(const struct wire_region *base, struct oracle_bytes *from,
                         const uint32_t *gone, uint64_t gone_count, uint32_t **names,
                         uint64_t *count) {
    uint32_t *all = wire_must(calloc(base->count + *count + 1, sizeof *all));
    uint64_t kept = 0, went = 0;
    for (uint32_t i = 0; i < base->count; i++) {
        bool goes = is_named(gone, gone_count, base->names[i]);
        went += goes ? 1 : 0;
        from->bad = from->bad || is_named(*names, *count, base->names[i]);
        all[kept] = base->names[i];
        kept += goes ? 0 : 1;
    }
    from->bad = from->bad || went != gone_count;
    memcpy(all + kept, *names, *count * sizeof *all);
    qsort(all, kept + *count, sizeof *all, compare_names);
    free(*names);
    *names = all;
    *count += kept;
}

/* Read the members of a view: all, or the difference from another view. */
static uint32_t *read_members(struct oracle_wire *wire, struct oracle_bytes *from, uint64_t number,
                              uint64_t *count) {
    uint64_t distance = oracle_varint(from);
    const struct wire_region *base =
        distance == 0 ? NULL : wire_region_find(wire, number - distance);
    uint64_t gone_count = 0;
    uint32_t *gone = distance == 0 ? NULL : read_names(from, &gone_count);
    uint32_t *names = read_names(from, count);
    if (base != NULL) {
        change_names(base, from, gone, gone_count, &names, count);
    } else {
        from->bad = from->bad || distance != 0;
    }
    free(gone);
    return names;
}

/* The members of a view, recorded the first time and compared ever after. */
static void note_members(struct oracle_wire *wire, struct oracle_bytes *from, uint64_t number,
                         uint64_t epoch, const uint32_t *names, uint64_t count, uint64_t now) {
    struct wire_region *known = wire_region_find(wire, number);
    struct wire_region *region = known != NULL ? known : add_region(wire, number, epoch, count);
    bool same = region->count == count;
    if (known == NULL) {
        memcpy(region->names, names, count * sizeof *names);
    }
    for (uint64_t i = 0; i < count && same; i++) {
        same = region->names[i] == names[i];
    }
    oracle_apply(wire->oracle, ORACLE_VIEWS);
    if (!same && !from->bad) {
        oracle_fail(wire->oracle, ORACLE_VIEWS, now,
                    "the region view %llx is reported with %llu members, and was with %u",
                    (unsigned long long)number, (unsigned long long)count, region->count);
    }
}

static void read_view(struct oracle_wire *wire, struct oracle_bytes *from, uint64_t epoch,
                      uint64_t now) {
    uint64_t number = oracle_varint(from);
    oracle_varint(from);
    oracle_varint(from);
    oracle_jump(from, WIRE_ADDRESS);
    for (uint64_t i = oracle_varint(from); i > 0 && !from->bad; i--) {
        oracle_varint(from);
    }
    uint64_t count = 0;
    uint32_t *names = read_members(wire, from, number, &count);
    if (!from->bad && count != 0) { /* a node that only sends there gets no members */
        note_members(wire, from, number, epoch, names, count, now);
    }
    free(names);
}

static void read_prepare(struct oracle_wire *wire, struct oracle_bytes *from, uint64_t now) {
    uint64_t epoch = oracle_varint(from);
    for (uint64_t i = oracle_varint(from); i > 0 && !from->bad; i--) {
        read_node(wire, from);
    }
    for (uint64_t i = oracle_varint(from); i > 0 && !from->bad; i--) {
        read_view(wire, from, epoch, now);
    }
}

void oracle_wire_service(struct oracle_wire *wire, const uint8_t *bytes, size_t length,
                         uint64_t now) {
    struct oracle_bytes from = {bytes, bytes + length, false};
    oracle_number(&from, 1);
    uint64_t kind = oracle_number(&from, 1);
    if (kind == MESSAGE_PREPARE) {
        oracle_apply(wire->oracle, ORACLE_WIRE);
        read_prepare(wire, &from, now);
    } else if (kind == MESSAGE_VIEW_CLOSED) {
        struct wire_region *region = wire_region_find(wire, oracle_varint(&from));
        if (region != NULL) {
            region->closed = true;
        }
    }
    if (from.bad) {
        oracle_fail(wire->oracle, ORACLE_WIRE, now,
                    "a message of kind %llu and %zu bytes is malformed", (unsigned long long)kind,
                    length);
    }
}

void oracle_wire_told(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes,
                      size_t length) {
    struct oracle_bytes from = {bytes, bytes + length, false};
    oracle_number(&from, 1);
    uint64_t kind = oracle_number(&from, 1);
    uint64_t epoch = oracle_varint(&from);
    if (kind == MESSAGE_COMMIT && !from.bad) {
        wire_put(&wire->commits, actor, epoch);
    }
}
