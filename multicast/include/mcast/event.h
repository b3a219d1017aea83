/* Events: all that a member can be told. They are plain data; a test can write them down, a fuzzer
 * can make them up.
 *
 * A driver gathers what happened and passes it in one call: the core first marks every data packet
 * of the batch as received, then handles control before data (rule 1.0.9). Nothing that an event
 * points to is kept past the call, but buffers, of which the core takes hold by itself. */
#ifndef MCAST_EVENT_H
#define MCAST_EVENT_H

#include "mcast/buffer.h"
#include "mcast/config.h"
#include "mcast/types.h"

enum mcast_event_kind {
    MCAST_EVENT_DATAGRAM = 1, /* a datagram came in */
    MCAST_EVENT_CONNECTED,    /* the stream to the membership service stands */
    MCAST_EVENT_DISCONNECTED, /* it is gone; the driver tries again by itself */
    MCAST_EVENT_CONTROL,      /* one whole message came over it */
    MCAST_EVENT_JOIN,         /* the application wants to be in a group */
    MCAST_EVENT_LEAVE,        /* … or no longer */
    MCAST_EVENT_REGISTER,     /* … or to send to it from outside */
    MCAST_EVENT_SEND,         /* … or sends, with or without the payload at hand */
    MCAST_EVENT_PAYLOAD,      /* the answer to a WANT */
    MCAST_EVENT_CONSUMED,     /* the application took deliveries of a group out of its queue */
    MCAST_EVENT_RESUME,       /* a demoted group is to be delivered again */
    MCAST_EVENT_MEMBERS,      /* the application asks who is in a group */
    MCAST_EVENT_STOP,         /* leave everything; MCAST_NOTICE_STOPPED follows */
    MCAST_EVENT_REJOIN,       /* after MCAST_NOTICE_EVICTED: begin again under a new incarnation */
};

/* @group of these is a number that the caller chooses: small, dense, not in use at this member. */
struct mcast_event {
    enum mcast_event_kind kind;
    union {
        struct {
            struct mcast_buffer *buffer; /* holds @bytes; may be NULL, then the core copies */
            const uint8_t *bytes;
            uint32_t length;
            enum mcast_socket socket; /* is where it came in */
        } datagram;
        struct {
            const uint8_t *bytes;
            size_t length;
        } control;
        struct {
            uint32_t group;
            struct mcast_id id; /* is the group's name in the cluster */
            struct mcast_group_policy policy;
        } join; /* also REGISTER, which ignores what concerns receiving */
        struct {
            uint32_t group;
        } leave; /* also RESUME, MEMBERS */
        struct {
            uint32_t group;
            bool pull; /* asks for the payload when it is about to leave; the rest is then zero */
            struct mcast_buffer *buffer; /* holds @bytes; may be NULL, then the core copies */
            const uint8_t *bytes;
            uint32_t length; /* is at most 64 MiB */
            uint64_t cookie; /* comes back in the notices about this message */
        } send;
        struct {
            uint32_t group;
            bool nothing; /* says that there is nothing to send any more */
            struct mcast_buffer *buffer;
            const uint8_t *bytes;
            uint32_t length;
            uint64_t cookie; /* is that of the SEND that it answers */
        } payload;
        struct {
            uint32_t group;
            uint32_t messages;
            uint64_t bytes;
        } consumed;
        struct {
            uint64_t incarnation; /* is above the last one */
        } rejoin;
    } as;
};

#endif
