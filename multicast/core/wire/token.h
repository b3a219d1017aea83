/* Token: what goes round a region view (rule 1.10). One record an active sender. */
#ifndef MCAST_CORE_WIRE_TOKEN_H
#define MCAST_CORE_WIRE_TOKEN_H

#include "base/range_list.h"
#include "mcast/types.h"
#include "wire/codec.h"

/* Where on its way a token is when it leaves a node. */
enum mcast_stage {
    MCAST_STAGE_WALK = 0,   /* to the next member of the partition */
    MCAST_STAGE_RETURN = 1, /* back to the leader of the partition */
    MCAST_STAGE_ACROSS = 2, /* to the leader of the next partition */
    MCAST_STAGE_HOME = 3,   /* back to the leader of the region */
};

enum {
    MCAST_TOKEN_LAST = 1,    /* the last token of a round: here a member adds streams it misses */
    MCAST_TOKEN_ALONE = 2,   /* walks its own partition only (independent rings) */
    MCAST_TOKEN_LEADERS = 8, /* goes from leader to leader only (independent rings) */
    MCAST_TOKEN_ENDED = 4,   /* the view is closed and stable: forget it */
    MCAST_TOKEN_TWICE = 16,  /* goes twice to each: rounds were lost, and control may cost it */
};

/* A round: the leader's seat, its count of rounds, and which token of the round, so that rounds of
 * a later leader are above those of an earlier one. */
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
    uint32_t asked; /* is how many requests it gave rise to so far; they count as control */
};

enum {
    MCAST_RECORD_QUIESCENT = 1,  /* nothing is new, missing or unpurged: forget the record */
    MCAST_RECORD_FRESH = 2,      /* was put in on the way: nothing is judged this round */
    MCAST_RECORD_MISSING = 4,    /* somebody misses something */
    MCAST_RECORD_DEAD = 8,       /* the sender is dead: only live members repair */
    MCAST_RECORD_AWARE = 16,     /* … and all visited so far know it */
    MCAST_RECORD_HOLES = 32,     /* the lists of this partition follow */
    MCAST_RECORD_OWN = 64,       /* the lists of all partitions follow */
    MCAST_RECORD_SKIP = 128,     /* numbers to be skipped follow */
    MCAST_RECORD_SKIP_NOW = 256, /* … all know them: skip */
    MCAST_RECORD_GAPS = 512,     /* what somebody misses follows, for an ACK with ranges */
    MCAST_RECORD_FLAGS = 1024,
};

/* What the members of one partition miss of what they should keep. */
struct mcast_own {
    uint32_t partition;
    struct mcast_spans missing;
};

enum { MCAST_OWN_MOST = 24 };

/* All partitions; one without an entry misses nothing. */
struct mcast_own_list {
    uint32_t
        known; /* is the first partition that nothing is said of; UINT32_MAX when all are told */
    uint32_t count;
    struct mcast_own at[MCAST_OWN_MOST]; /* ascend by partition */
};

struct mcast_record {
    mcast_node sender;
    uint32_t flags;
    uint64_t purge;  /* is what everybody may drop up to; constant in a round */
    uint64_t cut;    /* is what is judged up to; constant in a round */
    uint64_t before; /* is the cut of the round that @last tells about; constant in a round */
    uint64_t hi;     /* is the highest number known to anybody; maximum */
    uint64_t contig; /* is what everybody so far has all up to; minimum */
    uint32_t low;    /* is the seat that gave @contig */

    /* Of the partition that the token walks, with HOLES. */
    struct mcast_spans owned;  /* is missing at a member that should keep it; union */
    struct mcast_spans all;    /* is missing at every member; intersection */
    struct mcast_spans prev;   /* is missing at the hop before */
    struct mcast_spans pulled; /* … and it already asked for these */

    /* Of all partitions, with OWN. */
    struct mcast_own_list last; /* of the last round; constant */
    struct mcast_own_list own;  /* of this round, as leaders come by */

    /* Of a dead sender, with DEAD. */
    struct mcast_spans want;    /* was missing somewhere in the last round; constant */
    struct mcast_spans wanted;  /* is missing somewhere; union */
    struct mcast_spans lacking; /* is in @want and nobody so far has a copy; intersection */
    struct mcast_spans skip;    /* with SKIP */

    struct mcast_spans gaps; /* with GAPS: is missing at any member so far; union */
};

void mcast_token_head_write(struct mcast_writer *writer, const struct mcast_token_head *head);
bool mcast_token_head_read(struct mcast_reader *reader, struct mcast_token_head *head);

void mcast_record_clear(struct mcast_record *record);
/* Keeps the oldest @most ranges of each list; the lists say up to where they speak. */
void mcast_record_shorten(struct mcast_record *record, uint32_t most);
void mcast_record_write(struct mcast_writer *writer, const struct mcast_record *record);

/* Reads one record; the lists that it does not carry are empty. */
bool mcast_record_read(struct mcast_reader *reader, struct mcast_record *record);

/* The entry of @partition, or NULL when it misses nothing or nothing is known. */
const struct mcast_own *mcast_own_find(const struct mcast_own_list *list, uint32_t partition);

#endif
