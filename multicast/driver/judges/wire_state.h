/* The state that the parts of the wire judge share. */
#ifndef DRIVER_JUDGES_WIRE_STATE_H
#define DRIVER_JUDGES_WIRE_STATE_H

#include "judges/byte_reader.h"
#include "judges/judge_state.h"
#include "judges/tracker.h"
#include "judges/wire.h"

/* The format, from docs/wire.md. */
enum { WIRE_HEADER = 32, WIRE_TAG = 16, WIRE_ADDRESS = 22, WIRE_VERSION = 2 };
enum wire_type {
    WIRE_DATA = 1,
    WIRE_REPAIR,
    WIRE_TOKEN,
    WIRE_ACK,
    WIRE_HIGH_WATER,
    WIRE_REQUEST,
    WIRE_STALE,
    WIRE_EVICTED,
    WIRE_FLOW,
    WIRE_HYBRID,
    WIRE_CALL,
    WIRE_TYPES
};

struct wire_header {
    uint8_t type;
    uint32_t sender;
    uint64_t view;
};

/* The control traffic of a region in the current second. */
struct wire_window {
    uint64_t start, packets, bytes, data_bytes;
    uint32_t by_type[WIRE_TYPES]; /* the control packets by type */
    bool rested;                  /* true if everything was stable when the second began */
};

/* A region view and its members, as the service reported them. */
struct wire_region {
    uint64_t number;
    uint64_t epoch; /* the epoch that it came with first */
    uint32_t count;
    uint32_t *names;  /* the short names of the members, ascending */
    uint32_t *actors; /* the actors of the members, 0 while unknown */
    uint64_t round;   /* the highest round seen of the region's own ring */
    uint64_t rounds;  /* the count of rounds begun; with independent rings, of those in which all
                       * rings turned */
    uint64_t counted; /* the last round counted among these */
    uint64_t turned;  /* one bit for each partition, modulo 64: its own ring turned since then */
    bool apart;       /* partitions have rings of their own */
    uint64_t carried; /* the last round that had records */
    uint64_t home;    /* the highest round that came home */
    uint64_t done;    /* the count of rounds that came home */
    uint64_t due;     /* the count at which all members must have everything, UINT64_MAX: not judged
                       */
    bool closed;      /* the service closed it: its ring goes on until it is stable */
    struct wire_window window;
    uint64_t quiet_since;        /* the second in which the quiet began, 0 if there is none */
    uint64_t quiet_packets;      /* the control packets since */
    struct wire_stream *streams; /* the list of streams sent in it */
    struct wire_region *next;
};

/* The life of one packet. */
struct wire_life {
    uint64_t number;
    uint64_t sent_at;
    uint32_t sent_round, repaired_round; /* 0 if it was not repaired */
};

/* The packets of @sender in a region view. */
struct wire_stream {
    struct wire_region *region;
    uint32_t sender;
    uint64_t top; /* the highest number sent */
    uint64_t purge, ack, cut;
    uint64_t bytes;          /* of all packets sent */
    uint64_t due_top;        /* the number up to which all members must have everything when the
                              * rounds of the region are due */
    uint64_t active_round;   /* the region's count of rounds when the stream was last active */
    uint64_t sent_round;     /* the region's count of rounds at its last packet */
    uint64_t repairers;      /* one bit for each seat, modulo 64 */
    uint32_t *repairs;       /* the count of repairs by each seat */
    struct wire_life *lives; /* a ring by number, of packets not purged */
    uint32_t life_room;
    struct oracle_tracker *trackers;
    struct wire_stream *next;    /* the list of all */
    struct wire_stream *sibling; /* the list of those of its region */
};

struct oracle_wire {
    struct oracle *oracle;
    struct oracle_rules rules;
    struct sim_map regions; /* view number → struct wire_region */
    struct sim_map streams; /* view and sender → struct wire_stream */
    struct sim_map ids;     /* id and incarnation → actor */
    struct sim_map actors;  /* short name + 1 → actor */
    struct sim_map names;   /* actor → short name */
    struct sim_map commits; /* actor → the last epoch that it knows to be in force */
    struct sim_map buried;  /* the node that was told, and the dead one, → 1 */
    struct wire_region *all_regions;
    struct wire_stream *all_streams;
    struct oracle_wire_counts counts;
};

/* ---- region_views.c: the members of each view ---- */

/* The region view @number, or NULL if it is unknown. */
struct wire_region *wire_region_find(const struct oracle_wire *wire, uint64_t number);

/* The stream of @sender in the region view @number, made if it is new; NULL if the view is unknown.
 */
struct wire_stream *wire_stream_of(struct oracle_wire *wire, uint64_t number, uint32_t sender);

/* The seat of the member with this short name, UINT32_MAX if it is not a member. */
uint32_t wire_seat_of(const struct wire_region *region, uint64_t name);

/* The actor at @seat, 0 while unknown. */
uint32_t wire_actor_at(struct oracle_wire *wire, struct wire_region *region, uint32_t seat);

/* True if @actor is alive and suffered no fault that excuses it. */
bool wire_counts(const struct oracle_wire *wire, uint32_t actor);

/* The actor with this short name, and the short name of an actor; 0 if unknown. */
uint32_t wire_actor_of(const struct oracle_wire *wire, uint32_t name);
uint32_t wire_name_of(const struct oracle_wire *wire, uint32_t actor);

void wire_regions_free(struct oracle_wire *wire);

/* ---- wire.c, hybrid.c: data ---- */

/* A packet of @length bytes is sent under @number in the view of @header. */
void wire_sent(struct oracle_wire *wire, const struct wire_header *header, uint64_t number,
               size_t length, uint64_t now);
/* A packet for several views is sent; a member has received it. */
void wire_sent_hybrid(struct oracle_wire *wire, const struct wire_header *header,
                      struct oracle_bytes *from, size_t length, uint64_t now);
void wire_read_hybrid(struct oracle_wire *wire, uint32_t actor, const struct wire_header *header,
                      struct oracle_bytes *from);

/* ---- repair_rounds.c: the lives of packets ---- */

void wire_life_begin(struct wire_stream *stream, uint64_t number, uint64_t now);
void wire_life_repaired(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number,
                        uint64_t now);
void wire_life_acked(struct oracle_wire *wire, const struct wire_stream *stream, uint64_t to,
                     uint64_t now);
void wire_life_purged(struct oracle_wire *wire, const struct wire_stream *stream, uint64_t to,
                      uint64_t now);

/* ---- purge_and_skip.c: no packet that a member lacks is dropped ---- */

/* The leader of the region reports that all members have everything up to @number: purge it, or
 * acknowledge it. */
void wire_purge(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number,
                uint64_t now);
void wire_ack(struct oracle_wire *wire, struct wire_stream *stream, uint64_t number, uint64_t now);
void wire_ack_above(struct oracle_wire *wire, struct wire_stream *stream, uint64_t first,
                    uint64_t last, uint64_t now);

/* The numbers are skipped everywhere. */
void wire_skip(struct oracle_wire *wire, struct wire_stream *stream, uint64_t first, uint64_t last,
               uint64_t now);

/* ---- control_budget.c ---- */

void wire_charge(struct oracle_wire *wire, const struct wire_header *header, size_t length,
                 uint64_t now);

/* ---- token.c: tokens and the requests that follow from them ---- */

void wire_read_token(struct oracle_wire *wire, const struct wire_header *header,
                     struct oracle_bytes *from, uint64_t now);
void wire_read_requests(struct oracle_wire *wire, const struct wire_header *header,
                        struct oracle_bytes *from, uint64_t now);

/* ---- progress.c: what must arrive after the last fault ---- */

/* A round of @region, one of those that count, came home. */
void wire_round_done(struct oracle_wire *wire, struct wire_region *region, uint64_t now);

/* ---- helpers ---- */

void wire_put(struct sim_map *map, uint64_t key, uint64_t value);
uint64_t wire_get(const struct sim_map *map, uint64_t key);
void *wire_must(void *memory);

#endif
