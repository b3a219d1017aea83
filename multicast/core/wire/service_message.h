// clang-format off
/* Service messages: what a member and the membership service say to each other, as structures.
 *
 * They travel over a reliable ordered stream, one message at a time (the driver frames them). Sizes
 * and limits of the encoding: wire_service.h. A decoded message owns its lists until
 * mcast_service_message_free.
 *
 * The course of a membership (spec/qsm.md 1.5, 1.0.5-1.0.7, 1.0.11-1.0.13):
 *
 *   member -> service                      service -> member
 *   HELLO                                  WELCOME | REFUSED
 *   CHANGE (again, if one is unanswered)
 *   REPORT (if the service asked in        (WELCOME.report_wanted)
 *     WELCOME: a new generation)
 *   CHANGE  one outstanding, a list        PREPARE(e, update)  to those concerned
 *   PREPARED(e)                            CHANGED(request)    just before the COMMIT of its epoch,
 *                                            on the same stream: no data of a new group is delivered
 *                                            before its short name is known
 *   CLOSED(e, finals)                      COMMIT(e)           when all prepared
 *                                          VIEW_CLOSED(view, finals) to the members of an old view,
 *                                            when each of its senders closed it or is dead
 *                                            and to its senders from outside when all members who
 *                                            live have ended it
 *   VIEW_ENDED(view)                       (the address of the view rests, then is free)
 *   HEARTBEAT                              HEARTBEAT
 *   SUSPECT, SLOW                          DEMOTE
 *   MEMBERS_QUERY                          MEMBERS
 *   BYE                                    EVICTED
 *
 * What holds of an update:
 *   - It says what differs from what this member has committed. A PREPARE takes the place of any
 *     earlier one that was not committed: when a member does not answer, the service proposes the
 *     rest of the changes again, without the regions that hold that member (rule 1.0.6).
 *   - It is idempotent. After a reconnection the service cannot know what got through and sends all
 *     that concerns the member: what the member has already, it passes over.
 *   - A member that missed an epoch may get a view together with its closing: it was made a member
 * of it, and what was sent there is meant for it as well.
 *   - A member learns what a group is called before it is told of it. So it repeats a CHANGE that was
 *     not answered before it reports: what it asks for and has, by a word that was lost, is answered
 *     with the epoch that tells it everything, and the rest of the list when that is granted.
 *   - Runs are applied in order; of two that name one group the later holds.
 *   - A region whose members all join a group keeps its view, which then carries that group too.
 *     All else that changes the groups or the members of a region makes a new view of it.
 */
// clang-format on
#ifndef MCAST_CORE_SERVICE_MESSAGES_H
#define MCAST_CORE_SERVICE_MESSAGES_H

#include "mcast/alloc.h"
#include "mcast/types.h"

enum mcast_service_message_kind {
    MCAST_SM_HELLO = 1,
    MCAST_SM_REPORT,
    MCAST_SM_CHANGE,
    MCAST_SM_PREPARED,
    MCAST_SM_CLOSED,
    MCAST_SM_VIEW_ENDED,
    MCAST_SM_HEARTBEAT,
    MCAST_SM_SUSPECT,
    MCAST_SM_SLOW,
    MCAST_SM_MEMBERS_QUERY,
    MCAST_SM_BYE,

    MCAST_SM_WELCOME = 32,
    MCAST_SM_REFUSED,
    MCAST_SM_PREPARE,
    MCAST_SM_COMMIT,
    MCAST_SM_CHANGED,
    MCAST_SM_VIEW_CLOSED,
    MCAST_SM_DEMOTE,
    MCAST_SM_MEMBERS,
    MCAST_SM_EVICTED,
};

/* A node as others need to know it. */
struct mcast_sm_node {
    mcast_node node;
    struct mcast_id id;
    uint64_t incarnation;
    struct mcast_address address;
};

enum mcast_sm_change_op {
    MCAST_SM_JOIN = 1,
    MCAST_SM_LEAVE,
    MCAST_SM_REGISTER_SENDER,
    MCAST_SM_UNREGISTER_SENDER,
};

struct mcast_sm_change_item {
    struct mcast_id group;
    uint32_t cookie; /* is the member's own number of the group; comes back in CHANGED */
    uint8_t op;
};

/* The answer to one item of a CHANGE. */
struct mcast_sm_changed_item {
    uint32_t cookie;
    uint32_t group; /* is the short name of the group, never given twice within a generation */
    int32_t code;   /* is 0 or an error code */
};

/* A number of a stream: the last that @node sent in a view; 0 when it sent nothing there. */
struct mcast_sm_final {
    mcast_node node;
    uint64_t last;
};

/* The last number this node sent in @view. */
struct mcast_sm_view_final {
    mcast_view view;
    uint64_t last;
};

/* A new region view. Members get it with the member list, senders without (member_count 0). The
 * list is whole, or, with @base, what changed since another view in which the member is. */
struct mcast_sm_view {
    mcast_view view;
    uint64_t region;    /* is the region's number; equal for successive views of one region */
    uint32_t hierarchy; /* is the hierarchy it belongs to */
    struct mcast_address address;
    mcast_view *parents; /* are the views that close with this epoch, of any hierarchy, and have a
                          * member in this one: rule 1.0.7 orders this view after them */
    size_t parent_count;
    mcast_view base;  /* is an older view, or 0; then the list is whole */
    mcast_node *gone; /* are the members of @base who are not in this one; ascending */
    size_t gone_count;
    mcast_node *members; /* are in ascending order of short name, all or those who are not in @base;
                          * their mcast_sm_node entries come in this or an earlier update */
    size_t member_count;
};

/* Groups with equal region lists. */
struct mcast_sm_class {
    uint32_t class_number;
    mcast_view *views; /* at most one a region, ascending */
    size_t view_count;
};

/* @count groups with short names from @first on belong to @class_number from now on, and have the
 * view number @view_number (the epoch in which their member set last changed). class_number 0: this
 * node has nothing to do with them any more. */
struct mcast_sm_group_run {
    uint32_t first;
    uint32_t count;
    uint32_t class_number;
    mcast_epoch view_number;
};

/* A group with an address of its own (rule 1.6, hybrid). */
struct mcast_sm_hybrid {
    uint32_t group; /* is the short name */
    struct mcast_address address;
    bool listens; /* is whether this node is a member; one that only sends need not listen */
};

/* What changes for one member with an epoch. Only what concerns it, only what is new. */
struct mcast_sm_update {
    struct mcast_sm_node *nodes; /* are new to this member: fellow members of its views, and all who
                                  * may send to them */
    size_t node_count;
    struct mcast_sm_view *views;
    size_t view_count;
    struct mcast_sm_class *classes; /* are new or changed; a class that no group has is forgotten */
    size_t class_count;
    struct mcast_sm_group_run *runs;
    size_t run_count;
    mcast_view *closing; /* are the views that take no new message after COMMIT */
    size_t closing_count;
    mcast_node *dead; /* crashed or were evicted: take their data only as repair from now on */
    size_t dead_count;
    struct mcast_sm_hybrid *hybrids; /* are those of the groups in the runs that have an address of
                                      * their own; one that is not here has none; by group */
    size_t hybrid_count;
};

/* What a member tells a new service. */
struct mcast_sm_report {
    mcast_epoch epoch;
    struct mcast_sm_view *views; /* in force, its own with members */
    size_t view_count;
    mcast_view *old_views; /* its own, closing, not yet ended; ascending */
    size_t old_view_count;
    mcast_view *outbound; /* are others' views that it may send to, or that have not acknowledged
                           * all it sent: those that are over are told to it again; ascending */
    size_t outbound_count;
    struct mcast_sm_view *prepared; /* its own, of a proposal whose COMMIT it did not hear; others
                                     * may have heard it */
    size_t prepared_count;
    struct mcast_sm_node *nodes;
    size_t node_count;
    mcast_node *dead; /* are those whose death it was told of: it takes nothing from them any more;
                       * ascending */
    size_t dead_count;
    struct mcast_sm_class *classes;
    size_t class_count;
    struct mcast_sm_report_group {
        struct mcast_id group;
        uint32_t short_name;
        uint32_t class_number;
        mcast_epoch view_number;
        bool member; /* is false for a registered sender */
    } *groups;
    size_t group_count;
    struct mcast_sm_hybrid *hybrids; /* by group */
    size_t hybrid_count;
};

struct mcast_service_message {
    enum mcast_service_message_kind kind;
    union {
        struct {
            uint8_t version;
            uint32_t cluster;
            struct mcast_id id;
            uint64_t incarnation;
            struct mcast_address address;
            mcast_epoch epoch; /* is the newest known here, 0 for none */
            mcast_node node;   /* is the short name it has from that generation, 0 for none */
        } hello;
        struct mcast_sm_report report;
        struct {
            uint64_t request; /* counts up by one, from 1, within an incarnation */
            struct mcast_sm_change_item *items;
            size_t count;
        } change;
        struct {
            mcast_epoch epoch;
        } prepared;
        struct {
            mcast_epoch epoch;
            struct mcast_sm_view_final
                *finals; /* has an entry for each closing view it may send to */
            size_t count;
        } closed;
        struct {
            mcast_view view;
        } view_ended; /* all of a closed view is stable at this member, which forgot it */
        struct {
            mcast_epoch epoch; /* is the newest committed */
        } heartbeat;           /* both ways */
        struct {
            mcast_node node;
            mcast_view view;
            bool full; /* it stands still, and senders have no room left to keep for it */
        } suspect;     /* tokens stop at @node */
        struct {
            mcast_node node;
            mcast_view view;
            uint64_t behind; /* is in bytes */
        } slow;
        struct {
            uint32_t cookie;
            uint32_t group; /* is the short name */
        } members_query;

        struct {
            mcast_node node; /* is the short name given */
            mcast_epoch epoch;
            mcast_time heartbeat;
            mcast_time suspicion;
            bool report_wanted;
        } welcome;
        struct {
            int32_t code; /* is an error code; the connection ends */
        } refused;        /* also EVICTED, where @epoch is the one without this node */
        struct {
            mcast_epoch epoch;
            struct mcast_sm_update update;
        } prepare;
        struct {
            mcast_epoch epoch; /* is that of the latest PREPARE to this member */
        } commit;
        struct {
            uint64_t request;
            struct mcast_sm_changed_item *items;
            size_t count;
        } changed;
        struct {
            mcast_view view;
            struct mcast_sm_final
                *finals; /* are those who sent in it; dead senders are not among them */
            size_t count;
            mcast_node *dead; /* are the senders that died before they closed */
            size_t dead_count;
        } view_closed;
        struct {
            mcast_view view;
            mcast_node node;
            bool demoted; /* false takes it back */
        } demote;
        struct {
            uint32_t cookie;
            mcast_epoch view_number;
            struct mcast_sm_node *nodes;
            size_t count;
        } members;
        struct {
            mcast_epoch epoch;
            int32_t code;
        } evicted;
    } as;
};

/* Writes @message at the end of @bytes, of which *@length are used and *@room are there, growing it
 * by @alloc. 0, or MCAST_ENOMEM with nothing changed. Asserts what the caller must keep. */
int mcast_service_message_encode(const struct mcast_service_message *message,
                                 const struct mcast_alloc *alloc, uint8_t **bytes, size_t *length,
                                 size_t *room);

/* Reads one whole message. 0; MCAST_EMALFORMED; MCAST_ENOMEM. On success the caller ends it. */
int mcast_service_message_decode(const uint8_t *bytes, size_t length,
                                 const struct mcast_alloc *alloc,
                                 struct mcast_service_message *message);

/* Ends the lists of a decoded @message. */
void mcast_service_message_free(const struct mcast_alloc *alloc,
                                struct mcast_service_message *message);

#endif
