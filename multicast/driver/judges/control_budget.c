/* Control budget: the control traffic of a region may be a hundredth of the data bytes, or so many
 * packets a second; and next to nothing when everything is stable. Seconds are counted from the
 * first packet. */
#include "judges/wire_state.h"

#include <string.h>

/* Ruling 10: the packets that a region may spend in a second while anything is unstable, and when
 * nothing is. */
enum { CONTROL_MOST = 200, QUIET_MOST = 1 };

/* The rounds that a stream may take to leave the token after its last packet (oracle 4). */
enum { LEAVE_ROUNDS = 4 };

#define SECOND ((uint64_t)1000000000)

/* True if all members are alive, every packet of the region is purged, its records had time to
 * leave, and a round came home since the last of them. */
static bool is_at_rest(struct oracle_wire *wire, struct wire_region *region) {
    for (uint32_t seat = 0; seat < region->count; seat++) {
        if (!wire_counts(wire, wire_actor_at(wire, region, seat))) {
            return false;
        }
    }
    for (const struct wire_stream *stream = region->streams; stream != NULL;
         stream = stream->sibling) {
        bool dead = !wire_counts(wire, wire_actor_of(wire, stream->sender));
        if (dead || stream->purge < stream->top ||
            region->rounds - stream->active_round <= LEAVE_ROUNDS) {
            return false;
        }
    }
    return !region->closed && region->home >= region->carried;
}

static void blame(struct oracle_wire *wire, const struct wire_region *region, const char *when,
                  uint64_t packets, uint64_t most, uint64_t now) {
    const struct wire_window *window = &region->window;
    oracle_fail(
        wire->oracle, ORACLE_CONTROL, now,
        "%llu control packets, of %llu, %s of view %llx of %u; in the last second %u tokens, "
        "%u acks, %u high waters, %u requests, %llu bytes, data %llu",
        (unsigned long long)packets, (unsigned long long)most, when,
        (unsigned long long)region->number, region->count, window->by_type[WIRE_TOKEN],
        window->by_type[WIRE_ACK], window->by_type[WIRE_HIGH_WATER], window->by_type[WIRE_REQUEST],
        (unsigned long long)window->bytes, (unsigned long long)window->data_bytes);
}

/* Allow one packet a second over the whole quiet time. A round circulates as a whole, so its hops
 * come together. */
static void judge_quiet(struct oracle_wire *wire, struct wire_region *region, uint64_t now) {
    if (region->quiet_since == 0) {
        region->quiet_since = region->window.start;
        region->quiet_packets = 0;
    }
    region->quiet_packets += region->window.packets;
    uint64_t round = region->count + region->count / wire->rules.partition_size;
    uint64_t most = round + (now - region->quiet_since) / SECOND * QUIET_MOST;
    if (region->quiet_packets > most) {
        blame(wire, region, "in the quiet", region->quiet_packets, most, now);
    }
}

static void judge(struct oracle_wire *wire, struct wire_region *region, uint64_t now) {
    const struct wire_window *window = &region->window;
    oracle_apply(wire->oracle, ORACLE_CONTROL);
    if (window->rested && window->data_bytes == 0 && is_at_rest(wire, region)) {
        judge_quiet(wire, region, now);
        return;
    }
    region->quiet_since = 0;
    if (window->packets > CONTROL_MOST && window->bytes * 100 > window->data_bytes) {
        blame(wire, region, "in a second", window->packets, CONTROL_MOST, now);
    }
}

static void open_window(struct oracle_wire *wire, struct wire_region *region, uint64_t now) {
    region->window = (struct wire_window){.start = now, .rested = is_at_rest(wire, region)};
}

void wire_charge(struct oracle_wire *wire, const struct wire_header *header, size_t length,
                 uint64_t now) {
    struct wire_region *region = wire_region_find(wire, header->view);
    if (region == NULL) {
        return;
    }
    struct wire_window *window = &region->window;
    if (now - window->start >= SECOND) {
        if (wire->rules.adaptive) {
            judge(wire, region, now);
        }
        open_window(wire, region, now);
    }
    if (header->type == WIRE_DATA || header->type == WIRE_REPAIR || header->type == WIRE_HYBRID) {
        window->data_bytes += length;
    } else {
        window->packets++;
        window->by_type[header->type]++;
        window->bytes += length;
    }
}
