/* Wire judge: reads datagrams as docs/wire.md writes them, learns the members of each region view
 * from the messages of the membership service, and follows what each member has received. */
#ifndef DRIVER_JUDGES_WIRE_H
#define DRIVER_JUDGES_WIRE_H

#include "judges/judge.h"

/* The configuration of the members, as far as judging depends on it. */
struct oracle_rules {
    uint64_t first_number; /* the number before the first of every stream */
    bool adaptive;         /* rounds at an adaptive pace, with a budget for control */
    uint32_t partition_size, owner_block, replicas; /* decide which member keeps a packet */
    bool isolated; /* losses are far apart: each is repaired and purged in few rounds */
    bool calm;     /* no loss, duplicate or fault: then nothing may be repaired */
};

/* The second byte of a token. */
enum { ORACLE_TOKEN_TYPE = 3 };

struct oracle_wire;

/* Return NULL without memory. Breaches are recorded in @oracle, which must outlive it. */
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

/* @actor was told that the node of this name is dead: from then on it accepts nothing from it. */
void oracle_wire_buried(struct oracle_wire *wire, uint32_t actor, uint32_t name);

/* @actor takes this datagram out of its socket, and knows of all deaths reported to it before. */
void oracle_wire_read(struct oracle_wire *wire, uint32_t actor, const uint8_t *bytes, size_t length,
                      uint64_t now);

/* All faults are over: every packet sent so far must be at all live members within the rounds that
 * the specification allows, if repair may send @budget bytes in a round. Return the most rounds
 * that a region is allowed. */
uint64_t oracle_wire_calm(struct oracle_wire *wire, uint64_t budget);

/* The run is over: all packets of live senders are at all live members. */
void oracle_wire_settle(struct oracle_wire *wire, uint64_t now);

/* Round are counted up to here; the last entry is for all beyond. */
enum { ORACLE_ROUNDS = 16 };

/* Count for coverage and figures. */
struct oracle_wire_counts {
    uint64_t kind[16];      /* datagrams sent, by type */
    uint64_t bytes[16];     /* bytes of the datagrams sent, by type */
    uint64_t rounds;        /* rounds begun, over all views */
    uint64_t views;         /* region views known */
    uint64_t skipped;       /* numbers skipped */
    uint64_t repairers;     /* the largest count of different nodes that repaired one stream */
    uint64_t token_longest; /* the longest token, in bytes */
    uint64_t ack_sum;       /* the time from sending to the ACK, over all packets, in ns */
    uint64_t ack_count;     /* the count of those packets */
    uint64_t repair_rounds[ORACLE_ROUNDS]; /* repaired packets, by rounds since they were sent */
    uint64_t purge_rounds[ORACLE_ROUNDS];  /* repaired packets, by rounds from their repair to their
                                            * purge */
    uint64_t repairs_most;                 /* the most repairs of one stream by one node */
};
struct oracle_wire_counts oracle_wire_counts(const struct oracle_wire *wire);

#endif
