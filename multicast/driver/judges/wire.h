/* Judges of the wire: they read datagrams as docs/wire.md writes them, know who is in which region
 * view from what the membership service sends, and follow what each member has received. */
#ifndef ORACLE_WIRE_H
#define ORACLE_WIRE_H

#include "judges/judge.h"

/* How the members were set up, as far as judging depends on it. */
struct oracle_rules {
    uint64_t first_number; /* is the number before the first of every stream */
    bool adaptive;         /* has rounds of its own pace, and a budget for control */
    uint32_t partition_size, owner_block, replicas; /* say who keeps a packet */
    bool isolated; /* has losses far apart: each is repaired and purged in few rounds */
    bool calm;     /* has no loss, no duplicate, no fault: then nothing may be repaired */
};

/* The second byte of a token. */
enum { ORACLE_TOKEN_TYPE = 3 };

struct oracle_wire;

/* NULL when there is no memory. Breaches go to @oracle, which outlives it. */
struct oracle_wire *oracle_wire_new(struct oracle *oracle, const struct oracle_rules *rules);
void oracle_wire_free(struct oracle_wire *wire);

/* The actor @actor has this name and incarnation. */
void oracle_wire_actor(struct oracle_wire *wire, uint32_t actor, uint64_t id_low,
                       uint64_t incarnation);

/* The service sends this message to a member. */
void oracle_wire_service(struct oracle_wire *wire, const uint8_t *bytes, size_t length,
                         uint64_t now);

/* @actor takes this message of the service out of its stream. */
void oracle_wire_told(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes,
                      size_t length);

/* @actor sends this datagram. */
void oracle_wire_sent(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes, size_t length,
                      uint64_t now);

/* @actor was told that the node of this name is dead: from then on it takes nothing from it. */
void oracle_wire_buried(struct oracle_wire *wire, uint32_t actor, uint32_t name);

/* @actor takes this datagram out of its socket, and knows of all deaths it was told of before. */
void oracle_wire_read(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes, size_t length,
                      uint64_t now);

/* All faults are over: what was sent so far must be at all live members within as many rounds as
 * the specification allows, where repair may send @budget bytes a round. Returns the most rounds
 * that a region is allowed. */
uint64_t oracle_wire_calm(struct oracle_wire *wire, uint64_t budget);

/* The run is over: whatever live senders sent is at all live members. */
void oracle_wire_settle(struct oracle_wire *wire, uint64_t now);

/* Rounds are counted up to here; the last place is for all beyond. */
enum { ORACLE_ROUNDS = 16 };

/* What was seen, for coverage and figures. */
struct oracle_wire_counts {
    uint64_t kind[16];      /* is datagrams sent, by type */
    uint64_t bytes[16];     /* … their bytes */
    uint64_t rounds;        /* is rounds begun, over all views */
    uint64_t views;         /* is region views heard of */
    uint64_t skipped;       /* is numbers skipped */
    uint64_t repairers;     /* is the most different nodes that repaired one stream */
    uint64_t token_longest; /* is the longest token, bytes */
    uint64_t ack_sum;       /* is the time from sending to the ACK, over all packets, ns */
    uint64_t ack_count;     /* is how many packets that is */
    uint64_t repair_rounds[ORACLE_ROUNDS]; /* is repaired packets by rounds since they were sent */
    uint64_t purge_rounds[ORACLE_ROUNDS];  /* … by rounds from there to their purge */
    uint64_t repairs_most;                 /* is the most repairs of one stream by one node */
};
struct oracle_wire_counts oracle_wire_counts(const struct oracle_wire *wire);

#endif
