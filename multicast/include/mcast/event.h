/* Events: the input of a member. They are plain data; a test can write them down, a fuzzer can
 * generate them.
 *
 * A driver gathers events and passes them in one call: the core first marks every data packet of
 * the batch as received, then handles control before data (rule 1.0.9). Nothing that an event
 * points to is kept after the call, except buffers, which the core holds itself. */
#ifndef MCAST_EVENT_H
#define MCAST_EVENT_H

#include "mcast/buffer.h"
#include "mcast/config.h"
#include "mcast/types.h"

enum mcast_event_kind {
    MCAST_EVENT_DATAGRAM = 1, /* a datagram arrived */
    MCAST_EVENT_CONNECTED,    /* the stream to the membership service is connected */
    MCAST_EVENT_DISCONNECTED, /* it is lost; the driver reconnects by itself */
    MCAST_EVENT_CONTROL,      /* one whole message arrived over it */
    MCAST_EVENT_JOIN,         /* the application joins a group */
    MCAST_EVENT_LEAVE,        /* the application leaves a group */
    MCAST_EVENT_REGISTER,     /* the application wants to send to a group without joining it */
    MCAST_EVENT_SEND,         /* the application sends, with or without the payload at hand */
    MCAST_EVENT_PAYLOAD,      /* the answer to a WANT */
    MCAST_EVENT_CONSUMED,     /* the application took deliveries of a group out of its queue */
    MCAST_EVENT_RESUME,       /* resume the deliveries of a demoted group */
    MCAST_EVENT_MEMBERS,      /* the application asks for the members of a group */
    MCAST_EVENT_STOP,         /* leave everything; MCAST_NOTICE_STOPPED follows */
    MCAST_EVENT_REJOIN,       /* after MCAST_NOTICE_EVICTED: start again with a new incarnation */
};

/* @group is a number that the caller chooses: small, dense, not in use at this member. */
struct mcast_event {
    enum mcast_event_kind kind;
    union {
        struct {
            struct mcast_buffer *buffer; /* holds @bytes; if NULL, the core copies */
            uint8_t *bytes;              /* opened in place */
            uint32_t length;
            enum mcast_socket socket; /* the socket that it arrived at */
        } datagram;
        struct {
            const uint8_t *bytes;
            size_t length;
        } control;
        struct {
            uint32_t group;
            struct mcast_id id; /* the id of the group in the cluster */
            struct mcast_group_policy policy;
        } join; /* also REGISTER, which ignores the fields about receiving */
        struct {
            uint32_t group;
        } leave; /* also RESUME, MEMBERS */
        struct {
            uint32_t group;
            bool pull; /* request the payload when it is about to be sent; the fields below are zero
                        * then */
            struct mcast_buffer *buffer; /* holds @bytes; if NULL, the core copies */
            const uint8_t *bytes;
            uint32_t length; /* at most 64 MiB */
            uint64_t cookie; /* comes back in the notices about this message */
        } send;
        struct {
            uint32_t group;
            bool nothing; /* there is nothing to send any more */
            struct mcast_buffer *buffer;
            const uint8_t *bytes;
            uint32_t length;
            uint64_t cookie; /* the cookie of the SEND that it answers */
        } payload;
        struct {
            uint32_t group;
            uint32_t messages;
            uint64_t bytes;
        } consumed;
        struct {
            uint64_t incarnation; /* above the last one */
        } rejoin;
    } as;
};

#endif
