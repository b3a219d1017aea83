/* What the judges share among themselves. */
#ifndef ORACLE_INSIDE_H
#define ORACLE_INSIDE_H

#include "judges/judge.h"
#include "simulator/base/map.h"

struct oracle_wire;

enum { ORACLE_BREACHES = 32, ORACLE_LINE = 240 };

/* A view as the first member that told it saw it; the others must agree. */
struct oracle_view {
    uint64_t number;
    uint32_t group;
    uint32_t count;
    uint32_t *members;        /* is in ascending order */
    struct oracle_view *next; /* is the list of all, for the end */
};

/* One life of one node. */
struct oracle_actor {
    uint32_t node;
    bool alive;
    bool doubted;  /* was treated badly enough that the cluster may go on without it */
    bool declared; /* … and does: somebody was told that it is dead */
};

/* An actor's part in a group. */
struct oracle_membership {
    uint32_t actor, group;
    uint32_t session; /* is the count of joins: what was delivered before counts no more */
    bool wants, joined, may_drop;
    uint64_t joined_at;
    struct oracle_view *view; /* is the last it told of */
    struct oracle_membership *next;
};

/* From which message on a sender knew a view. */
struct oracle_bound {
    struct oracle_view *view;
    uint64_t first;
    uint64_t at; /* is when it was told */
};

/* All that one actor sent to one group. */
struct oracle_stream {
    uint32_t actor, group;
    uint64_t sent; /* is the number of the last message */
    uint64_t left; /* is how many of them are known to have left */
    uint64_t last_at;
    uint64_t ahead;  /* is how far our numbers are ahead of the core's, in the first session */
    uint64_t stable; /* is the highest of the core's numbers that is told to be stable */
    struct oracle_membership *sender;
    struct oracle_bound *bounds;
    uint32_t bound_count, bound_room;
    struct oracle_stream *next;
};

/* How far one actor got in one stream. */
struct oracle_cursor {
    struct oracle_membership *receiver;
    uint32_t session;
    uint32_t sender; /* is the core's short name */
    uint64_t first, last;
    uint64_t core_last;      /* is the core's number of the last delivery */
    uint32_t sender_session; /* is the sender's session then: it counts anew when it joins again */
    bool may_skip;
    bool robbed;     /* was ever told of lost data of this sender, lawfully */
    bool missed;     /* was told that it lacks what comes after */
    uint32_t losses; /* is how many of the pair's losses excused a gap */
    struct oracle_cursor *next;
};

struct oracle {
    struct oracle_actor *actors; /* begins at 1 */
    uint32_t actor_count, actor_room;
    struct sim_map memberships; /* actor, group */
    struct sim_map streams;     /* actor, group */
    struct sim_map cursors;     /* receiver, sender, group */
    struct sim_map views;       /* group, view number */
    struct sim_map names;       /* the core's short name → actor */
    struct sim_map losses;      /* receiver, sender → how often it was told of lost packets */
    struct oracle_membership *all_memberships;
    struct oracle_stream *all_streams;
    struct oracle_cursor *all_cursors;
    struct oracle_view *all_views;
    uint64_t broken[ORACLE_COUNT];
    uint64_t applied[ORACLE_COUNT];
    char breaches[ORACLE_BREACHES][ORACLE_LINE];
    size_t breach_count;
    const struct oracle_wire *wire; /* is who knows what is on its way, NULL when nobody looks */
};

/* The membership of @actor in @group, made when it is new. Ends the program without memory: a judge
 * that forgets is no judge. */
struct oracle_membership *oracle_membership_of(struct oracle *oracle, uint32_t actor,
                                               uint32_t group);

/* A life that began; it is an error of the judge to ask for another. */
struct oracle_actor *oracle_actor_of(struct oracle *oracle, uint32_t actor);

/* The actor that the core's short name @sender means, 0 when nobody has used it. */
uint32_t oracle_named(const struct oracle *oracle, uint32_t sender);

/* All that @actor sent to @group; NULL when that is nothing. */
struct oracle_stream *oracle_stream_find(const struct oracle *oracle, uint32_t actor,
                                         uint32_t group);

/* How far @receiver got in what @sender sends to @group, made when it is new. */
struct oracle_cursor *oracle_cursor_of(struct oracle *oracle, uint32_t receiver, uint32_t sender,
                                       uint32_t group);

/* oracle_region.c: whether @receiver may have accepted what @sender sent and hold it back: it lacks
 * packets of an older region view than the last that both are in, for which what came later waits
 * (1.0.7), or was not told yet that the last is in force (1.0.6). */
bool oracle_wire_waits(const struct oracle_wire *wire, uint32_t receiver, uint32_t sender);

#endif
