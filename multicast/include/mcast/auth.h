/* Authentication: the 16 bytes at the end of each datagram. The core links no cryptography; it is
 * handed two functions. Without them the tag is zero and is not looked at; the format is the same.
 */
#ifndef MCAST_AUTH_H
#define MCAST_AUTH_H

#include "mcast/types.h"

enum { MCAST_TAG_SIZE = 16 };

struct mcast_auth {
    void *context;
    uint8_t
        key_id; /* is the key to seal with; any key that open() accepts may stand in a datagram */

    /* Computes the tag over @parts, in order. They hold the whole datagram but its tag. @sender and
     * @incarnation are those in its header; the key is derived from them. */
    void (*seal)(void *context, uint8_t key_id, mcast_node sender, uint32_t incarnation,
                 const struct mcast_part *parts, size_t count, uint8_t tag[MCAST_TAG_SIZE]);

    /* Whether @tag belongs to @bytes. An unknown @key_id is a plain no. */
    bool (*open)(void *context, uint8_t key_id, mcast_node sender, uint32_t incarnation,
                 const uint8_t *bytes, size_t length, const uint8_t tag[MCAST_TAG_SIZE]);
};

#endif
