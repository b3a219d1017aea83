/* Judge: checks beside the protocol, which share no code with it.
 *
 * The judges learn what applications requested and received, and read the bytes on the wire. From
 * that alone they decide if the promises of the specification were kept. An actor is one
 * incarnation of one node: a node that restarts after a crash, or under a new incarnation, is
 * another actor. The simulation numbers groups from 0. */
#ifndef DRIVER_JUDGES_JUDGE_H
#define DRIVER_JUDGES_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, word, the rule) */
#define ORACLES(X)                                                                                 \
    X(ORACLE_PREFIX, "prefix", "deliveries of a sender in a group have no gap and no duplicate")   \
    X(ORACLE_PURGE, "purge", "nothing is purged that a live member has not received")              \
    X(ORACLE_CONTROL, "control", "control traffic stays within its budget")                        \
    X(ORACLE_TOKEN, "token", "a token grows with active senders and shrinks when they stop")       \
    X(ORACLE_QUIET, "quiet", "caches are empty soon after senders stop")                           \
    X(ORACLE_ACK, "ack", "pending data is rate times time to acknowledge")                         \
    X(ORACLE_ROUND, "round", "a round is linear in the members, or flat with independent rings")   \
    X(ORACLE_REPAIR, "repair", "an isolated loss is repaired and purged within its rounds")        \
    X(ORACLE_SPREAD, "spread", "a burst is repaired by many members")                              \
    X(ORACLE_CUT, "cut", "no request is above the cut, and only lost packets are repaired")        \
    X(ORACLE_LEAVE, "leave", "a member that left neither sends to the group nor gets deliveries")  \
    X(ORACLE_VIEWS, "views", "members that install one view agree on it")                          \
    X(ORACLE_MEMORY, "memory", "every queue is bounded")                                           \
    X(ORACLE_PROGRESS, "progress", "all messages of live senders reach all live members")          \
    X(ORACLE_CONTENT, "content", "deliveries have the content and the sender of the message sent") \
    X(ORACLE_EVICTION, "eviction",                                                                 \
      "no healthy member is evicted, declared dead or deprived of data")                           \
    X(ORACLE_STABLE, "stable", "messages reported stable are at all members")                      \
    X(ORACLE_MISSED, "missed",                                                                     \
      "a removed member learns the first number that it lacks of each sender")                     \
    X(ORACLE_WIRE, "wire", "every datagram is as docs/wire.md says")

enum oracle_id {
#define X(name, word, text) name,
    ORACLES(X)
#undef X
        ORACLE_COUNT
};

struct oracle;

/* Return NULL without memory. */
struct oracle *oracle_new(void);
void oracle_free(struct oracle *oracle);

const char *oracle_word(enum oracle_id id);
const char *oracle_text(enum oracle_id id);

/* ---- the verdict ---- */

/* The counts of times that @id was broken, and applied. A rule that was never applied proves
 * nothing. */
uint64_t oracle_broken(const struct oracle *oracle, enum oracle_id id);
uint64_t oracle_applied(const struct oracle *oracle, enum oracle_id id);
uint64_t oracle_broken_total(const struct oracle *oracle);

/* The text of the breach @index, counted from 0; NULL beyond the last one kept. The first 32 are
 * kept. */
const char *oracle_breach(const struct oracle *oracle, size_t index);

/* Record and log a breach. For the judges, and for a simulation whose measurement found a fault. */
void oracle_fail(struct oracle *oracle, enum oracle_id id, uint64_t now, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void oracle_apply(struct oracle *oracle, enum oracle_id id);

/* ---- the actions of applications ---- */

/* Register a new incarnation of a node. Return the actor, from 1, or 0 without memory. */
uint32_t oracle_start(struct oracle *oracle, uint32_t node);

/* The incarnation ended, by crash, stop or eviction. */
void oracle_end(struct oracle *oracle, uint32_t actor);

/* The actor suffered a fault for which it may lawfully be declared dead. */
void oracle_doubt(struct oracle *oracle, uint32_t actor);

/* A member was told that the actor is dead. From then on others owe nothing to an actor that was
 * doubted (rule 1.0.8); until then it has the rights of any. */
void oracle_declare(struct oracle *oracle, uint32_t actor);
bool oracle_excuses(const struct oracle *oracle, uint32_t actor);

/* The application of @actor asks to join or leave, or learns that it happened. */
void oracle_join(struct oracle *oracle, uint32_t actor, uint32_t group, bool may_drop);
void oracle_joined(struct oracle *oracle, uint32_t actor, uint32_t group, uint64_t now);
void oracle_leave(struct oracle *oracle, uint32_t actor, uint32_t group);
void oracle_left(struct oracle *oracle, uint32_t actor, uint32_t group);

/* The smallest payload: the size of a stamp. */
enum { ORACLE_STAMP = 32 };

/* @actor sends @size bytes to @group: stamp @bytes, @size >= ORACLE_STAMP, with sender, group and
 * number, and fill the rest with a pattern. Return the number, from 1. */
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

/* @actor receives a message; @sender and @core_number are those reported by the core. Return when
 * it was sent, UINT64_MAX if nobody sent it. */
uint64_t oracle_deliver(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                        uint64_t core_number, const uint8_t *bytes, size_t size, uint64_t now);

/* In place of a group: all groups. */
#define ORACLE_ANY_GROUP UINT32_MAX

/* @actor is told that messages are lost or dropped: its next delivery of that sender may leave a
 * gap. */
void oracle_skipped(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                    bool dropped, uint64_t now);

/* @actor is told that the numbers of the core up to @core_number of @sender in @group are stable.
 */
void oracle_stable(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                   uint64_t core_number, uint64_t now);

/* @actor is told the members of @group in the view @number. @members are actors, in ascending
 * order; 0 stands for a node that nobody started. */
void oracle_members(struct oracle *oracle, uint32_t actor, uint32_t group, uint64_t number,
                    const uint32_t *members, size_t count, uint64_t now);

/* @actor is told that it lacks the numbers of @sender in @group from @core_number on, of which
 * those up to @last are known to exist. */
void oracle_missed(struct oracle *oracle, uint32_t actor, uint32_t group, uint32_t sender,
                   uint64_t core_number, uint64_t last, uint64_t now);

/* @actor was evicted, and was told before what it lacks. */
void oracle_evicted(struct oracle *oracle, uint32_t actor, uint64_t now);

/* The run is over and all faults ended long ago: judge what must have arrived. */
void oracle_settle(struct oracle *oracle, uint64_t now);

#endif
