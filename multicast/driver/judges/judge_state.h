/* The state that the judges share. */
#ifndef DRIVER_JUDGES_JUDGE_STATE_H
#define DRIVER_JUDGES_JUDGE_STATE_H

#include "judges/judge.h"
#include "simulator/base/map.h"

struct oracle_wire;

enum { ORACLE_BREACHES = 32, ORACLE_LINE = 240 };

/* A view as the first member that reported it saw it; the others must agree. */
struct oracle_view {
    uint64_t number;
    uint32_t group;
    uint32_t count;
    uint32_t *members;        /* in ascending order */
    struct oracle_view *next; /* the list of all, to free them */
};

/* One incarnation of one node. */
struct oracle_actor {
    uint32_t node;
    bool alive;
    bool doubted;  /* suffered enough faults that the cluster may go on without it */
    bool declared; /* a member was told that it is dead */
};

/* The membership of an actor in a group. */
struct oracle_membership {
    uint32_t actor, group;
    uint32_t session; /* the count of joins: earlier deliveries do not count any more */
    bool wants, joined, may_drop;
    uint64_t joined_at;
    struct oracle_view *view; /* the last view that it reported */
    struct oracle_membership *next;
};

/* The first message that a sender sent knowing a view. */
struct oracle_bound {
    struct oracle_view *view;
    uint64_t first;
    uint64_t at; /* when it was told */
};

/* Everything that one actor sent to one group. */
struct oracle_stream {
    uint32_t actor, group;
    uint64_t sent; /* the number of the last message */
    uint64_t left; /* how many of them are known to have left */
    uint64_t last_at;
    uint64_t ahead;  /* how far these numbers are ahead of those of the core, in the first session
                      */
    uint64_t stable; /* the highest number of the core that is reported as stable */
    struct oracle_membership *sender;
    struct oracle_bound *bounds;
    uint32_t bound_count, bound_room;
    struct oracle_stream *next;
};

/* The position of one actor in one stream. */
struct oracle_cursor {
    struct oracle_membership *receiver;
    uint32_t session;
    uint32_t sender; /* the short name in the core */
    uint64_t first, last;
    uint64_t core_last;      /* the number of the last delivery in the core */
    uint32_t sender_session; /* the session of the sender then: it counts anew when it joins again
                              */
    bool may_skip;
    bool robbed;     /* was ever told of lost data of this sender, lawfully */
    bool missed;     /* was told that it lacks what follows */
    uint32_t losses; /* how many losses of the pair excused a gap */
    struct oracle_cursor *next;
};

struct oracle {
    struct oracle_actor *actors; /* begins at 1 */
    uint32_t actor_count, actor_room;
    struct sim_map memberships; /* actor, group */
    struct sim_map streams;     /* actor, group */
    struct sim_map cursors;     /* receiver, sender, group */
    struct sim_map views;       /* group, view number */
    struct sim_map names;       /* the short name in the core → actor */
    struct sim_map losses;      /* receiver, sender → how often lost packets were reported */
    struct oracle_membership *all_memberships;
    struct oracle_stream *all_streams;
    struct oracle_cursor *all_cursors;
    struct oracle_view *all_views;
    uint64_t broken[ORACLE_COUNT];
    uint64_t applied[ORACLE_COUNT];
    char breaches[ORACLE_BREACHES][ORACLE_LINE];
    size_t breach_count;
    const struct oracle_wire *wire; /* the wire judge, which knows the packets under way; NULL
                                     * without one */
};

/* The membership of @actor in @group, made if it is new. End the program without memory: a judge
 * that forgets is no judge. */
struct oracle_membership *oracle_membership_of(struct oracle *oracle, uint32_t actor,
                                               uint32_t group);

/* A registered incarnation; asking for another is an error of the judge. */
struct oracle_actor *oracle_actor_of(struct oracle *oracle, uint32_t actor);

/* The actor that the short name @sender stands for, 0 if nobody has used it. */
uint32_t oracle_named(const struct oracle *oracle, uint32_t sender);

/* Everything that @actor sent to @group, or NULL. */
struct oracle_stream *oracle_stream_find(const struct oracle *oracle, uint32_t actor,
                                         uint32_t group);

/* The position of @receiver in what @sender sends to @group, made if it is new. */
struct oracle_cursor *oracle_cursor_of(struct oracle *oracle, uint32_t receiver, uint32_t sender,
                                       uint32_t group);

/* region_views.c: true if @receiver may have accepted messages of @sender and hold them back: it
 * lacks packets of an older region view than the last that contains both, for which later packets
 * wait (rule 1.0.7), or does not yet know that the last is in force (rule 1.0.6). */
bool oracle_wire_waits(const struct oracle_wire *wire, uint32_t receiver, uint32_t sender);

#endif
