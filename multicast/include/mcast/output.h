/* Outputs: all that a member asks its driver to do. Every pointer in it belongs to the member and
 * lives until the next call; what must live longer is held (deliveries) or copied (all else). */
#ifndef MCAST_OUTPUT_H
#define MCAST_OUTPUT_H

#include "mcast/buffer.h"
#include "mcast/types.h"

enum { MCAST_DATAGRAM_PARTS = 4 };

/* The order of all that a node does, in and out, in the mode `fine8`; lower goes first. The core
 * keeps it within a step; a driver hands on deliveries after the datagrams below MCAST_DATA_IN
 * left, and before the others. The other modes give several kinds one number: under `qsm6` tokens,
 * requests and repair are one class each way, and all that comes in is before all that leaves;
 * under `fifo` there is one class each way. */
enum mcast_priority {
    MCAST_TOKEN_IN = 0,
    MCAST_TOKEN_OUT = 1,
    MCAST_REQUEST_IN = 2,
    MCAST_REQUEST_OUT = 3,
    MCAST_REPAIR_IN = 4,
    MCAST_DATA_IN = 5,
    MCAST_REPAIR_OUT = 6,
    MCAST_DATA_OUT = 7,
};

/* A datagram to send now. The pieces of @parts, in order, are the whole of it, tag included. */
struct mcast_datagram {
    struct mcast_part parts[MCAST_DATAGRAM_PARTS];
    uint32_t part_count;
    uint32_t length; /* is the sum of the pieces */
    struct mcast_address to;
    enum mcast_socket socket; /* is the port of @to to use, and the socket to send from */
    enum mcast_priority priority;
};

/* A message for the application. A message longer than one packet comes whole, in a buffer of its
 * own. */
struct mcast_delivery {
    uint32_t group; /* is the caller's number */
    mcast_node sender;
    uint64_t number;      /* is the message's, for (sender, group); consecutive */
    const uint8_t *bytes; /* lies in @buffer */
    uint32_t length;
    struct mcast_buffer *buffer; /* is to be held by who keeps @bytes */
};

/* A message for the membership service, over the stream. */
struct mcast_control {
    const uint8_t *bytes;
    size_t length;
};

/* A payload is asked for: a SEND with `pull` has come to its turn. Answered by MCAST_EVENT_PAYLOAD.
 */
struct mcast_want {
    uint32_t group;
    uint64_t cookie;
    uint32_t budget; /* is how many bytes fit the packet that is about to leave; more is allowed */
};

enum mcast_notice_kind {
    MCAST_NOTICE_JOINED = 1, /* the group's first view is installed; deliveries may follow */
    MCAST_NOTICE_LEFT,       /* the last delivery of the group was made */
    MCAST_NOTICE_REGISTERED, /* messages can be sent to the group from outside */
    MCAST_NOTICE_REFUSED,    /* a JOIN, REGISTER, SEND or PAYLOAD cannot be done; @code says why */
    MCAST_NOTICE_VIEW,       /* the member set of @group changed; @number is its view number */
    MCAST_NOTICE_MEMBERS,    /* the answer to MEMBERS: @nodes of view @number */
    MCAST_NOTICE_SENT,      /* the message @cookie got @number and left, or was put in its packet */
    MCAST_NOTICE_STABLE,    /* messages of @sender in @group up to @number are at all members */
    MCAST_NOTICE_LOST,      /* packets @number to @last of the dead @sender in view @count exist
                             * nowhere any more; nobody can say what was in them, so @group is all
                             * ones: any group shared with it may lack messages */
    MCAST_NOTICE_DROPPED,   /* @count messages of @sender in @group were dropped, from @number on */
    MCAST_NOTICE_UNCERTAIN, /* it is not known whether the message @cookie arrived everywhere */
    MCAST_NOTICE_WITHDRAWN, /* a WANT was not answered in time; the SEND @cookie is taken back */
    MCAST_NOTICE_PAUSED,    /* a receiver of @group asks its senders to wait */
    MCAST_NOTICE_RESUMED,   /* … no longer */
    MCAST_NOTICE_DEMOTED,   /* this member's application fell behind in @group, or, with @group all
                             * ones, this node fell behind in a region */
    MCAST_NOTICE_EVICTED,   /* the cluster goes on without this node; REJOIN or end */
    MCAST_NOTICE_STOPPED,   /* STOP is done */
    MCAST_NOTICE_LISTEN,    /* begin to listen at @address (join the multicast group) */
    MCAST_NOTICE_UNLISTEN,  /* stop to */
    MCAST_NOTICE_DEAD,   /* @sender was declared dead; nothing of it is delivered after its rest */
    MCAST_NOTICE_BEHIND, /* @count messages of @group wait for this member's application: half of
                          * what its policy allows */
    MCAST_NOTICE_EXPELLED, /* this member is out of @group, for its application fell behind: LEFT of
                            * a member that did not ask. JOIN and take the state from the others */
    MCAST_NOTICE_MISSED,   /* this member is out, or out of @group, which EVICTED or EXPELLED says
                            * next: of @sender, of whom it was handed messages, @number is the first
                            * that it lacks. Up to @last, @count of them, are known to exist; how many
                            * there are the sender's next message says. Once a group and sender */
};

struct mcast_notice {
    enum mcast_notice_kind kind;
    size_t after; /* is how many deliveries of this step come before it; all others come after */
    int code;     /* is an error code for REFUSED and EVICTED, else 0 */
    uint32_t group;
    mcast_node sender;
    uint64_t number;
    uint64_t last;
    uint64_t count;
    uint64_t cookie;
    struct mcast_address address;
    const struct mcast_member_name *nodes; /* has @count entries, for MEMBERS */
};

/* Who stands behind a short name. */
struct mcast_member_name {
    mcast_node node;
    struct mcast_id id;
    uint64_t incarnation;
};

struct mcast_output {
    /* Set by the caller before each call: how many data and repair datagrams the driver can take
     * now. Control has no bound; it is small by rule. UINT32_MAX when there is no bound. A message
     * for more regions than that leaves all the same, by itself. */
    uint32_t room;

    /* … and how much of what it was handed the application has not taken yet; see unread_messages
     * of the configuration. 0 where nobody counts. */
    uint64_t unread;
    uint64_t unread_bytes;

    /* Set by the core. Datagrams stand in the order in which they are to leave. */
    const struct mcast_datagram *datagrams;
    size_t datagram_count;
    const struct mcast_delivery *deliveries;
    size_t delivery_count;
    const struct mcast_control *controls;
    size_t control_count;
    const struct mcast_want *wants;
    size_t want_count;
    const struct mcast_notice *notices;
    size_t notice_count;
    bool more; /* says that data waits only for @room: call again when the socket takes more */
};

#endif
