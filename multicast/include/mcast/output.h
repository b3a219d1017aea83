/* Outputs: everything that a member asks its driver to do. Every pointer in it belongs to the
 * member and is valid until the next call; hold deliveries and copy everything else to keep it
 * longer. */
#ifndef MCAST_OUTPUT_H
#define MCAST_OUTPUT_H

#include "mcast/buffer.h"
#include "mcast/types.h"

enum { MCAST_DATAGRAM_PARTS = 4 };

/* The order in which a node handles input and output in the mode `fine8`; lower goes first. The
 * core keeps it within a step; a driver passes on deliveries after it has sent the datagrams below
 * MCAST_DATA_IN, and before the others. The other modes give several kinds one number: under `qsm6`
 * tokens, requests and repair are one class each way, and all input goes before all output; under
 * `fifo` there is one class each way. */
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

/* A datagram to send now. The pieces of @parts, in order, are all of it, tag included. */
struct mcast_datagram {
    struct mcast_part parts[MCAST_DATAGRAM_PARTS];
    uint32_t part_count;
    uint32_t length; /* the sum of the pieces */
    struct mcast_address to;
    enum mcast_socket socket; /* the port of @to to use, and the socket to send from */
    enum mcast_priority priority;
};

/* A message for the application. A message longer than a packet is delivered whole, in a buffer of
 * its own. */
struct mcast_delivery {
    uint32_t group; /* the number that the caller gave the group */
    mcast_node sender;
    uint64_t number;      /* the number of the message for (sender, group); consecutive */
    const uint8_t *bytes; /* within @buffer */
    uint32_t length;
    struct mcast_buffer *buffer; /* hold it to keep @bytes */
};

/* A message for the membership service, over the stream. */
struct mcast_control {
    const uint8_t *bytes;
    size_t length;
};

/* A request for a payload: a SEND with `pull` is next. The answer is MCAST_EVENT_PAYLOAD. */
struct mcast_want {
    uint32_t group;
    uint64_t cookie;
    uint32_t budget; /* the bytes that fit the packet about to be sent; more is allowed */
};

enum mcast_notice_kind {
    MCAST_NOTICE_JOINED = 1, /* the first view of the group is installed; deliveries may follow */
    MCAST_NOTICE_LEFT,       /* the last delivery of the group was made */
    MCAST_NOTICE_REGISTERED, /* messages can be sent to the group from outside */
    MCAST_NOTICE_REFUSED,    /* a JOIN, REGISTER, SEND or PAYLOAD cannot be done; @code is the
                              * reason */
    MCAST_NOTICE_VIEW,       /* the members of @group changed; @number is the number of the view */
    MCAST_NOTICE_MEMBERS,    /* the answer to MEMBERS: @nodes of view @number */
    MCAST_NOTICE_SENT,      /* the message @cookie got @number and left, or was put into a packet */
    MCAST_NOTICE_STABLE,    /* messages of @sender in @group up to @number are at all members */
    MCAST_NOTICE_LOST,      /* packets @number to @last of the dead @sender in view @count exist
                             * nowhere any more; nobody knows their contents, so @group is all ones:
                             * any group shared with the sender may lack messages */
    MCAST_NOTICE_DROPPED,   /* @count messages of @sender in @group were dropped, from @number on */
    MCAST_NOTICE_UNCERTAIN, /* it is unknown if the message @cookie arrived everywhere */
    MCAST_NOTICE_WITHDRAWN, /* a WANT was not answered in time; the SEND @cookie is taken back */
    MCAST_NOTICE_PAUSED,    /* a receiver of @group asks its senders to pause */
    MCAST_NOTICE_RESUMED,   /* the receiver no longer asks to pause */
    MCAST_NOTICE_DEMOTED,   /* the application of this member fell behind in @group, or, with @group
                             * all ones, this node fell behind in a region */
    MCAST_NOTICE_EVICTED,   /* the cluster goes on without this node; REJOIN or end */
    MCAST_NOTICE_STOPPED,   /* STOP is done */
    MCAST_NOTICE_LISTEN,    /* start to listen at @address (join the multicast group) */
    MCAST_NOTICE_UNLISTEN,  /* stop listening at @address */
    MCAST_NOTICE_DEAD,      /* @sender was declared dead; nothing of it is delivered after its
                             * remaining messages */
    MCAST_NOTICE_BEHIND, /* @count messages of @group wait for the application of this member: half
                          * of the limit of its policy */
    MCAST_NOTICE_EXPELLED, /* this member is out of @group because its application fell behind: a
                            * LEFT without a request. JOIN and take the state from the others */
    MCAST_NOTICE_MISSED,   /* this member is out, or out of @group, as the next EVICTED or EXPELLED
                            * says: of @sender, whose messages it received before, @number is the
                            * first that it lacks. @count of them, up to @last, are known to exist;
                            * the next message of the sender shows how many there are. Once for each
                            * group and sender */
    MCAST_NOTICE_UNREADABLE, /* datagrams in the name of the member @sender do not open, @count of
                              * them since the last such notice: it has another key, or somebody
                              * forges them. At most once a minute */
};

struct mcast_notice {
    enum mcast_notice_kind kind;
    size_t after; /* how many deliveries of this step come before it; all others come after */
    int code;     /* an error code for REFUSED and EVICTED, else 0 */
    uint32_t group;
    mcast_node sender;
    uint64_t number;
    uint64_t last;
    uint64_t count;
    uint64_t cookie;
    struct mcast_address address;
    const struct mcast_member_name *nodes; /* @count entries, for MEMBERS */
};

/* The node that a short name stands for. */
struct mcast_member_name {
    mcast_node node;
    struct mcast_id id;
    uint64_t incarnation;
};

struct mcast_output {
    /* Set by the caller before each call: how many data and repair datagrams the driver can take
     * now. Control is not bounded; it is small by rule. UINT32_MAX: no bound. A message for more
     * regions than that is sent all the same, by itself. */
    uint32_t room;

    /* Set by the caller too: how much of its deliveries the application has not taken yet; see
     * unread_messages in the configuration. 0 if nobody counts. */
    uint64_t unread;
    uint64_t unread_bytes;

    /* Set by the caller too: for how long the application has taken nothing although something
     * waits for it; see unread_time. */
    mcast_time unread_for;

    /* Set by the core. Datagrams are in the order in which they have to be sent. */
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
    bool more; /* data waits only for @room: call again when the socket takes more */
};

#endif
