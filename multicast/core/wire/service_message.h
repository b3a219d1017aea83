// clang-format off
/* Service messages: the messages between a member and the membership service, as structures.
 *
 * They travel over a reliable ordered stream, one message at a time (the driver frames them). The
 * sizes and limits of the encoding are in service.h. A decoded message owns its lists until
 * mcast_service_message_free.
 *
 * The course of a membership (spec/qsm.md 1.5, 1.0.5-1.0.7, 1.0.11-1.0.13):
 *
 *   member -> service                      service -> member
 *   HELLO                                  WELCOME | REFUSED
 *   CHANGE (again, if one has no answer)
 *   REPORT (if the service asked in        (WELCOME.report_wanted)
 *     WELCOME: a new generation)
 *   CHANGE  one at a time, a list          PREPARE(e, update)  to the members concerned
 *   PREPARED(e)                            CHANGED(request)    just before the COMMIT of its epoch,
 *                                            on the same stream: no data of a new group is delivered
 *                                            before its short name is known
 *   CLOSED(e, finals)                      COMMIT(e)           when all are prepared
 *                                          VIEW_CLOSED(view, finals) to the members of an old view,
 *                                            when each of its senders has closed it or is dead,
 *                                            and to its senders from outside when all live members
 *                                            have ended it
 *   VIEW_ENDED(view)                       (the address of the view rests, then is free)
 *   HEARTBEAT                              HEARTBEAT
 *   SUSPECT, SLOW                          DEMOTE
 *   MEMBERS_QUERY                          MEMBERS
 *   BYE                                    EVICTED
 *
 * The rules of an update:
 *   - It is the difference from the committed state of the member. A PREPARE replaces any earlier
 *     one that was not committed: if a member does not answer, the service proposes the rest of the
 *     changes again, without the regions of that member (rule 1.0.6).
 *   - It is idempotent. After a reconnection the service cannot know which messages arrived and
 *     sends everything that concerns the member; the member ignores what it has already.
 *   - A member that missed an epoch may get a view together with its closing: it was made a member
 *     of the view, and the messages sent there are meant for it as well.
 *   - A member learns the short name of a group before any update with that group. So it repeats a
 *     CHANGE without an answer before it reports: those items that it has been granted, by a message
 *     that was lost, are answered with the epoch that sends it everything, and the rest of the list
 *     when that is granted.
 *   - Runs are applied in order; of two that name one group the later counts.
 *   - A region whose members all join a group keeps its view, which then carries that group too.
 *     Any other change to the groups or the members of a region makes a new view of it.
 */
// clang-format on
#ifndef MCAST_WIRE_SERVICE_MESSAGE_H
#define MCAST_WIRE_SERVICE_MESSAGE_H

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

/* A node, as other members need to know it. */
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
    uint32_t cookie; /* the number that the member itself gave the group; comes back in CHANGED */
    uint8_t op;
};

/* The answer to one item of a CHANGE. */
struct mcast_sm_changed_item {
    uint32_t cookie;
    uint32_t group; /* the short name of the group, never reused within a generation */
    int32_t code;   /* 0 or an error code */
};

/* The last number that @node sent in a view; 0 if it sent nothing there. */
struct mcast_sm_final {
    mcast_node node;
    uint64_t last;
};

/* The last number that this node sent in @view. */
struct mcast_sm_view_final {
    mcast_view view;
    uint64_t last;
};

/* A new region view. Members get it with the member list, senders without (member_count 0). The
 * list is whole or, with @base, a difference from another view that the member is in. */
struct mcast_sm_view {
    mcast_view view;
    uint64_t region;    /* the number of the region; successive views of a region share it */
    uint32_t hierarchy; /* the hierarchy that the region belongs to */
    struct mcast_address address;
    mcast_view *parents; /* the views, of any hierarchy, that close with this epoch and share a
                          * member with this one: rule 1.0.7 orders this view after them */
    size_t parent_count;
    mcast_view base;  /* an older view, or 0 if the list is whole */
    mcast_node *gone; /* the members of @base that are not in this view; ascending */
    size_t gone_count;
    mcast_node *members; /* all members, or those not in @base, in ascending order of short name;
                          * their mcast_sm_node entries come in this update or an earlier one */
    size_t member_count;
};

/* A class: the groups with one and the same list of regions. */
struct mcast_sm_class {
    uint32_t class_number;
    mcast_view *views; /* at most one for each region, ascending */
    size_t view_count;
};

/* From now on the @count groups with short names from @first on belong to @class_number, and their
 * view has the number @view_number (the epoch in which their member set last changed). class_number
 * 0: this node is no longer concerned with them. */
struct mcast_sm_group_run {
    uint32_t first;
    uint32_t count;
    uint32_t class_number;
    mcast_epoch view_number;
};

/* A group with an address of its own (rule 1.6, hybrid). */
struct mcast_sm_hybrid {
    uint32_t group; /* the short name */
    struct mcast_address address;
    bool listens; /* true if this node is a member; a node that only sends need not listen */
};

/* The changes that an epoch brings for one member: only what concerns it, and only what is new. */
struct mcast_sm_update {
    struct mcast_sm_node *nodes; /* nodes that are new to this member: members of its views, and all
                                  * who may send to them */
    size_t node_count;
    struct mcast_sm_view *views;
    size_t view_count;
    struct mcast_sm_class *classes; /* new or changed classes; a class without groups is forgotten
                                     */
    size_t class_count;
    struct mcast_sm_group_run *runs;
    size_t run_count;
    mcast_view *closing; /* the views that accept no new message after COMMIT */
    size_t closing_count;
    mcast_node *dead; /* nodes that crashed or were evicted: from now on their data is accepted as
                       * repair only */
    size_t dead_count;
    struct mcast_sm_hybrid *hybrids; /* the addresses of those groups in the runs that have one; a
                                      * group in a run without an entry here has none; by group */
    size_t hybrid_count;
};

/* The report of a member to a new service. */
struct mcast_sm_report {
    mcast_epoch epoch;
    struct mcast_sm_view *views; /* its own views in force, with members */
    size_t view_count;
    mcast_view *old_views; /* its own views that are closing and not yet ended; ascending */
    size_t old_view_count;
    mcast_view *outbound; /* views of others that it may send to, or that have not acknowledged all
                           * it sent; the service tells it again which of them are over; ascending
                           */
    size_t outbound_count;
    struct mcast_sm_view *prepared; /* its own views of a proposal whose COMMIT it did not receive;
                                     * others may have received it */
    size_t prepared_count;
    struct mcast_sm_node *nodes;
    size_t node_count;
    mcast_node *dead; /* the nodes that it knows to be dead, from which it accepts nothing any more;
                       * ascending */
    size_t dead_count;
    struct mcast_sm_class *classes;
    size_t class_count;
    struct mcast_sm_report_group {
        struct mcast_id group;
        uint32_t short_name;
        uint32_t class_number;
        mcast_epoch view_number;
        bool member; /* false for a registered sender */
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
            mcast_epoch epoch; /* the newest epoch known here, 0 for none */
            mcast_node node;   /* the short name that it has from that generation, 0 for none */
        } hello;
        struct mcast_sm_report report;
        struct {
            uint64_t request; /* counts up by one from 1 within an incarnation */
            struct mcast_sm_change_item *items;
            size_t count;
        } change;
        struct {
            mcast_epoch epoch;
        } prepared;
        struct {
            mcast_epoch epoch;
            struct mcast_sm_view_final
                *finals; /* one entry for each closing view that it may send to */
            size_t count;
        } closed;
        struct {
            mcast_view view;
        } view_ended; /* everything in a closed view is stable at this member, which has forgotten
                       * the view */
        struct {
            mcast_epoch epoch; /* the newest committed epoch */
        } heartbeat;           /* both ways */
        struct {
            mcast_node node;
            mcast_view view;
            bool full; /* the node stands still, and senders have no room left to keep packets for
                        * it */
        } suspect;     /* tokens stop at @node */
        struct {
            mcast_node node;
            mcast_view view;
            uint64_t behind; /* in bytes */
        } slow;
        struct {
            uint32_t cookie;
            uint32_t group; /* the short name */
        } members_query;

        struct {
            mcast_node node; /* the short name given to the node */
            mcast_epoch epoch;
            mcast_time heartbeat;
            mcast_time suspicion;
            bool report_wanted;
        } welcome;
        struct {
            int32_t code; /* an error code; the connection ends */
        } refused;        /* also EVICTED, where @epoch is the first without this node */
        struct {
            mcast_epoch epoch;
            struct mcast_sm_update update;
        } prepare;
        struct {
            mcast_epoch epoch; /* the epoch of the latest PREPARE to this member */
        } commit;
        struct {
            uint64_t request;
            struct mcast_sm_changed_item *items;
            size_t count;
        } changed;
        struct {
            mcast_view view;
            struct mcast_sm_final
                *finals; /* the nodes that sent in the view; dead senders are not among them */
            size_t count;
            mcast_node *dead; /* the senders that died before they closed the view */
            size_t dead_count;
        } view_closed;
        struct {
            mcast_view view;
            mcast_node node;
            bool demoted; /* false takes the demotion back */
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

/* Append @message to @bytes, of which *@length of *@room bytes are in use, growing it with @alloc.
 * Return 0, or MCAST_ENOMEM and change nothing. It asserts what the caller must guarantee. */
int mcast_service_message_encode(const struct mcast_service_message *message,
                                 const struct mcast_alloc *alloc, uint8_t **bytes, size_t *length,
                                 size_t *room);

/* Read one whole message. Return 0, MCAST_EMALFORMED or MCAST_ENOMEM. After 0, free it with
 * mcast_service_message_free. */
int mcast_service_message_decode(const uint8_t *bytes, size_t length,
                                 const struct mcast_alloc *alloc,
                                 struct mcast_service_message *message);

/* Free the lists of a decoded @message. */
void mcast_service_message_free(const struct mcast_alloc *alloc,
                                struct mcast_service_message *message);

#endif
