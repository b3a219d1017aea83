/* Token: the message that circulates in a region view (rule 1.10), with one record for each active
 * sender. */
#ifndef MCAST_WIRE_TOKEN_H
#define MCAST_WIRE_TOKEN_H

#include "base/range_list.h"
#include "mcast/types.h"
#include "wire/codec.h"

/* The leg that a token is on when it leaves a node. */
enum mcast_stage {
    MCAST_STAGE_WALK = 0,   /* to the next member of the partition */
    MCAST_STAGE_RETURN = 1, /* back to the leader of the partition */
    MCAST_STAGE_ACROSS = 2, /* to the leader of the next partition */
    MCAST_STAGE_HOME = 3,   /* back to the leader of the region */
};

enum {
    MCAST_TOKEN_LAST = 1,    /* the last token of a round: here a member adds streams that it lacks
                              */
    MCAST_TOKEN_ALONE = 2,   /* circulates in its own partition only (independent rings) */
    MCAST_TOKEN_LEADERS = 8, /* passes from leader to leader only (independent rings) */
    MCAST_TOKEN_ENDED = 4,   /* the view is closed and stable: forget it */
    MCAST_TOKEN_TWICE = 16,  /* is sent twice to each: rounds were lost, and the control budget
                              * allows it */
};

/* A round number: the seat of the leader, its round counter, and the part of the round, so that the
 * rounds of a later leader compare above those of an earlier one. */
#define MCAST_ROUND(seat, count, part)                                                             \
    (((uint64_t)(seat) << 48) | ((uint64_t)(count) << 8) | (uint64_t)(part))
#define MCAST_ROUND_SET(round) ((round) >> 8)
#define MCAST_ROUND_PART(round) ((round) & 0xff)

enum { MCAST_PARTS_MOST = 64 };

enum { MCAST_TOKEN_HEAD_SIZE = 14 };

struct mcast_token_head {
    uint64_t round;
    uint8_t stage;
    uint8_t flags;
    uint32_t records;
    uint32_t asked; /* the count of requests that it caused so far; they count as control traffic */
};

enum {
    MCAST_RECORD_QUIESCENT = 1,  /* nothing is new, missing or unpurged: forget the record */
    MCAST_RECORD_FRESH = 2,      /* was added on the way: nothing is judged this round */
    MCAST_RECORD_MISSING = 4,    /* some member lacks a packet */
    MCAST_RECORD_DEAD = 8,       /* the sender is dead: only live members repair */
    MCAST_RECORD_AWARE = 16,     /* the sender is dead and all members visited so far know it */
    MCAST_RECORD_HOLES = 32,     /* the lists of this partition follow */
    MCAST_RECORD_OWN = 64,       /* the lists of all partitions follow */
    MCAST_RECORD_SKIP = 128,     /* the numbers to skip follow */
    MCAST_RECORD_SKIP_NOW = 256, /* all members know the numbers to skip: skip them */
    MCAST_RECORD_GAPS = 512,     /* the missing packets of any member follow, for an ACK with ranges
                                  */
    MCAST_RECORD_FLAGS = 1024,
};

/* The packets that members of one partition lack and should keep. */
struct mcast_own {
    uint32_t partition;
    struct mcast_spans missing;
};

enum { MCAST_OWN_MOST = 24 };

/* One entry for each partition; a partition without an entry lacks nothing. */
struct mcast_own_list {
    uint32_t known; /* the first partition without information; UINT32_MAX if all have reported */
    uint32_t count;
    struct mcast_own at[MCAST_OWN_MOST]; /* ascending by partition */
};

struct mcast_record {
    mcast_node sender;
    uint32_t flags;
    uint64_t purge;  /* every member may drop packets up to here; constant in a round */
    uint64_t cut;    /* packets up to here are judged; constant in a round */
    uint64_t before; /* the cut of the round that @last describes; constant in a round */
    uint64_t hi;     /* the highest number known to any member; maximum */
    uint64_t contig; /* every member so far has all packets up to here; minimum */
    uint32_t low;    /* the seat of the member that determined @contig */

    /* Of the partition that the token walks, with HOLES. */
    struct mcast_spans owned;  /* missing at a member that should keep it; union */
    struct mcast_spans all;    /* missing at every member; intersection */
    struct mcast_spans prev;   /* missing at the previous hop */
    struct mcast_spans pulled; /* missing at the previous hop, which has already requested them */

    /* Of all partitions, with OWN. */
    struct mcast_own_list last; /* of the last round; constant */
    struct mcast_own_list own;  /* of this round, added as it passes the leaders */

    /* Of a dead sender, with DEAD. */
    struct mcast_spans want;    /* missing somewhere in the last round; constant */
    struct mcast_spans wanted;  /* missing somewhere; union */
    struct mcast_spans lacking; /* in @want, and no member so far has a copy; intersection */
    struct mcast_spans skip;    /* with SKIP */

    struct mcast_spans gaps; /* with GAPS: missing at any member so far; union */
};

void mcast_token_head_write(struct mcast_writer *writer, const struct mcast_token_head *head);
bool mcast_token_head_read(struct mcast_reader *reader, struct mcast_token_head *head);

void mcast_record_clear(struct mcast_record *record);
/* Keep the oldest @most ranges of each list and lower the limits of the lists accordingly. */
void mcast_record_shorten(struct mcast_record *record, uint32_t most);
void mcast_record_write(struct mcast_writer *writer, const struct mcast_record *record);

/* Read one record; the lists that it does not carry are empty. */
bool mcast_record_read(struct mcast_reader *reader, struct mcast_record *record);

/* The entry of @partition, or NULL if it lacks nothing or nothing is known. */
const struct mcast_own *mcast_own_find(const struct mcast_own_list *list, uint32_t partition);

#endif
