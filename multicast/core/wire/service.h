/* The limits of the messages between a member and the membership service.
 *
 * A message is a version byte, a kind byte and the fields of its structure in service_message.h, in
 * the same order. Numbers are varints, ids take 16 bytes, an address 22; a list is its count and
 * its entries. An ascending list stores each entry as the distance to the one before. Nothing
 * follows the last field. docs/wire.md shows each message. */
#ifndef MCAST_WIRE_SERVICE_H
#define MCAST_WIRE_SERVICE_H

enum {
    MCAST_SM_VERSION = 1,
    MCAST_SM_BYTES_MOST = 1 << 24,  /* bytes of a message; a longer one is malformed */
    MCAST_SM_CHANGE_MOST = 1 << 16, /* items in one CHANGE */
    MCAST_SM_HIERARCHIES_MOST = 32  /* a hierarchy has a number below this */
};

#endif
