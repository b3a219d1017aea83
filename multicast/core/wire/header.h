/* Header: the kinds of datagrams between members, and the 32 bytes that each begins with
 * (docs/wire.md).
 *
 * Every decoder of this folder trusts nothing: it returns false for anything that is not exactly a
 * valid message, and then nothing of it is used. An encoder writes into a writer that may fail; its
 * caller checks once. */
#ifndef MCAST_WIRE_HEADER_H
#define MCAST_WIRE_HEADER_H

#include "mcast/auth.h"
#include "mcast/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MCAST_WIRE_VERSION = 2,
    MCAST_WIRE_ENCRYPTED = 128, /* added to the version where the body is encrypted */
    MCAST_HEADER_SIZE = 32,
    MCAST_DATA_HEAD = MCAST_HEADER_SIZE + 8,    /* the header and the packet number */
    MCAST_REPAIR_HEAD = MCAST_HEADER_SIZE + 12, /* the header, the origin and the packet number */
    MCAST_PACKET_MOST = 65507,
};

enum mcast_wire_type {
    MCAST_WIRE_DATA = 1,
    MCAST_WIRE_REPAIR,
    MCAST_WIRE_TOKEN,
    MCAST_WIRE_ACK,
    MCAST_WIRE_HIGH_WATER,
    MCAST_WIRE_REQUEST,
    MCAST_WIRE_STALE,
    MCAST_WIRE_EVICTED,
    MCAST_WIRE_FLOW,
    MCAST_WIRE_HYBRID,
    MCAST_WIRE_CALL,
    MCAST_WIRE_TYPES, /* one above the last */
};

enum {
    MCAST_FLAG_PRESSED = 1, /* DATA: more than half of the sender's window is in use */
    MCAST_FLAG_NEAR = 2,    /* DATA: an eighth of the largest window is in use */
    MCAST_FLAG_FULL = 4,    /* DATA: the window is full and the sender waits */
    MCAST_FLAGS_OF_DATA = MCAST_FLAG_PRESSED | MCAST_FLAG_NEAR | MCAST_FLAG_FULL,
    MCAST_FLAG_HERE = 1, /* CALL: the answer */
};

/* The first 32 bytes of each datagram. */
struct mcast_header {
    bool encrypted;
    uint8_t type;
    uint8_t flags;
    uint8_t key_id;
    uint32_t cluster;
    mcast_node sender;
    uint32_t incarnation; /* a digest of the incarnation, see mcast_incarnation_check */
    uint64_t counter;     /* unique for each (sender, incarnation, socket) */
    mcast_view view;      /* 0 if the datagram belongs to no region view */
};

/* The 32 bits that stand for an incarnation in a header. */
uint32_t mcast_incarnation_check(uint64_t incarnation);

void mcast_header_write(uint8_t bytes[MCAST_HEADER_SIZE], const struct mcast_header *header);

/* True if a datagram that begins with @first is of this version. */
bool mcast_header_is_ours(uint8_t first);

/* Read a header. Return false if @length is too short for header and tag, the version differs, or
 * the type is unknown. */
bool mcast_header_read(const uint8_t *bytes, size_t length, struct mcast_header *header);

#endif
