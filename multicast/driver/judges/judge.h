/* The oracles: judges beside the protocol, which share no code with it.
 *
 * They are told what applications asked for and got, and they read the bytes on the wire. From that
 * alone they decide whether the promises of the specification were kept. An actor is one life of
 * one node: who starts again after a crash, or under a new incarnation, is another actor. Groups
 * are numbered by the simulation, from 0. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, word, what it demands) */
#define ORACLES(X)                                                                                 \
    X(ORACLE_PREFIX, "prefix", "deliveries of a sender in a group have no gap and no duplicate")   \
    X(ORACLE_PURGE, "purge", "nothing is purged that a live member has not received")              \
    X(ORACLE_CONTROL, "control", "control traffic stays within its budget")                        \
    X(ORACLE_TOKEN, "token", "a token costs by active senders and shrinks when they stop")         \
    X(ORACLE_QUIET, "quiet", "caches are empty soon after senders stop")                           \
    X(ORACLE_ACK, "ack", "pending data is rate times time to acknowledge")                         \
    X(ORACLE_ROUND, "round", "a round is linear in the members, or flat when rings are apart")     \
    X(ORACLE_REPAIR, "repair", "an isolated loss is repaired and purged within its rounds")        \
    X(ORACLE_SPREAD, "spread", "a burst is repaired by many, each a little")                       \
    X(ORACLE_CUT, "cut", "nothing above the cut is asked for, nothing not lost is repaired")       \
    X(ORACLE_LEAVE, "leave", "a group that was left is neither sent to nor delivered")             \
    X(ORACLE_VIEWS, "views", "members that install one view agree on it")                          \
    X(ORACLE_MEMORY, "memory", "every queue is bounded")                                           \
    X(ORACLE_PROGRESS, "progress", "what a live sender sent reaches all live members")             \
    X(ORACLE_CONTENT, "content", "what is delivered is what was sent, and by whom")                \
    X(ORACLE_EVICTION, "eviction", "nobody healthy is evicted, declared dead or robbed of data")   \
    X(ORACLE_STABLE, "stable", "what is told to be stable is at all members")                      \
    X(ORACLE_MISSED, "missed", "who is out is told of each sender the first number that it lacks") \
    X(ORACLE_WIRE, "wire", "every datagram on the wire reads by docs/wire.md")

enum oracle_id {
#define X(name, word, text) name,
    ORACLES(X)
#undef X
        ORACLE_COUNT
};

struct oracle;

/* NULL when there is no memory. */
struct oracle *oracle_new(void);
void oracle_free(struct oracle *oracle);

const char *oracle_word(enum oracle_id id);
const char *oracle_text(enum oracle_id id);

/* ---- the verdict ---- */

/* How often @id was broken, and how often it was applied. A rule never applied proves nothing. */
uint64_t oracle_broken(const struct oracle *oracle, enum oracle_id id);
uint64_t oracle_applied(const struct oracle *oracle, enum oracle_id id);
uint64_t oracle_broken_total(const struct oracle *oracle);

/* The text of the breach @index, counted from 0, NULL beyond the last kept; the first 32 are kept.
 */
const char *oracle_breach(const struct oracle *oracle, size_t index);

/* Used by the judges, and by a simulation whose measure found fault: counts and tells a breach. */
void oracle_fail(struct oracle *oracle, enum oracle_id id, uint64_t now, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void oracle_apply(struct oracle *oracle, enum oracle_id id);

/* ---- what applications do ---- */

/* A node begins a life; returns the actor, from 1. 0 when there is no memory. */
uint32_t oracle_start(struct oracle *oracle, uint32_t node);

/* The life ends, by crash, stop or eviction. */
void oracle_end(struct oracle *oracle, uint32_t actor);

/* Something was done to the actor for which it may lawfully be declared dead. */
void oracle_doubt(struct oracle *oracle, uint32_t actor);

/* Somebody was told that the actor is dead. From then on others owe nothing to one that was doubted
 * (1.0.8); until then it has the rights of any. */
void oracle_declare(struct oracle *oracle, uint32_t actor);
bool oracle_excuses(const struct oracle *oracle, uint32_t actor);

/* The application of @actor asks to join or leave, and is told that it happened. */
void oracle_join(struct oracle *oracle, uint32_t actor, uint32_t group, bool may_drop);
void oracle_joined(struct oracle *oracle, uint32_t actor, uint32_t group, uint64_t now);
void oracle_leave(struct oracle *oracle, uint32_t actor, uint32_t group);
void oracle_left(struct oracle *oracle, uint32_t actor, uint32_t group);

/* The least payload: what a stamp takes. */
enum { ORACLE_STAMP = 32 };

/* @actor sends @size bytes to @group: stamps @bytes, @size >= ORACLE_STAMP, with who, where and
 * which, and fills the rest with a pattern. Returns the number, from 1. */
uint64_t oracle_send(struct oracle *oracle, uint32_t actor, uint32_t group, uint8_t *bytes,
                     size_t size, uint64_t now);

/* A message of @actor for @group left: from now on it is owed to the members. */
void oracle_sent(struct oracle *oracle, uint32_t actor, uint32_t group, uint64_t now);

/* The stamp of a payload, read without judging. */
struct oracle_stamp {
    uint32_t actor, group;
    uint64_t number;
    uint64_t sent_at;
};
bool oracle_read(const uint8_t *bytes, size_t size, struct oracle_stamp *stamp);

/* @actor gets a message; @sender and @core_number are what the core says it is. Returns when it was
 * sent, UINT64_MAX when nobody sent it. */
uint64_t oracle_deliver(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                        uint64_t core_number, const uint8_t *bytes, size_t size, uint64_t now);

/* In the place of a group: all of them. */
#define ORACLE_ANY_GROUP UINT32_MAX

/* @actor is told that messages are lost or dropped: its next delivery of that sender may skip. */
void oracle_skipped(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                    bool dropped, uint64_t now);

/* @actor is told that the core's numbers up to @core_number of @sender in @group are stable. */
void oracle_stable(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                   uint64_t core_number, uint64_t now);

/* @actor is told who is in @group in the view @number. @members are actors, in ascending order; 0
 * stands for somebody that nobody started. */
void oracle_members(struct oracle *oracle, uint32_t actor, uint32_t group, uint64_t number,
                    const uint32_t *members, size_t count, uint64_t now);

/* @actor is told that it lacks the core's numbers of @sender in @group from @core_number on, of
 * which those up to @last are known to exist. */
void oracle_missed(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                   uint64_t core_number, uint64_t last, uint64_t now);

/* @actor was evicted, and was told before what it lacks. */
void oracle_evicted(struct oracle *oracle, uint32_t actor, uint64_t now);

/* The run is over, all faults ended long ago: judges what must have arrived. */
void oracle_settle(struct oracle *oracle, uint64_t now);

#endif
