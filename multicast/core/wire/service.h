/* Service wire: the bounds of the messages between member and membership service.
 *
 * A message is a version byte, a kind byte and the fields of its structure in service_messages.h in
 * the order in which they stand there. Numbers are varints, ids 16 bytes, an address 22; a list is
 * its count and its entries. Ascending lists carry the distance to the entry before. Nothing
 * follows the last field. docs/wire.md shows each message. */
#ifndef MCAST_CORE_WIRE_SERVICE_H
#define MCAST_CORE_WIRE_SERVICE_H

enum {
    MCAST_SM_VERSION = 1,
    MCAST_SM_BYTES_MOST = 1 << 24,  /* of a message; longer ones are malformed */
    MCAST_SM_CHANGE_MOST = 1 << 16, /* items in one CHANGE */
    MCAST_SM_HIERARCHIES_MOST = 32  /* hierarchies are numbered below it */
};

#endif
