/* Authentication: the 16-byte tag at the end of each datagram. The core links no cryptography; it
 * gets two functions. Without them the tag is zero and is not checked; the format is the same. */
#ifndef MCAST_AUTH_H
#define MCAST_AUTH_H

#include "mcast/types.h"

enum { MCAST_TAG_SIZE = 16 };

struct mcast_auth {
    void *context;
    uint8_t key_id; /* the key to seal with; a datagram may use any key that open() accepts */

    /* Compute the tag over @parts, in order. They hold the whole datagram except its tag. @sender
     * and @incarnation are those in its header; the key is derived from them. */
    void (*seal)(void *context, uint8_t key_id, mcast_node sender, uint32_t incarnation,
                 const struct mcast_part *parts, size_t count, uint8_t tag[MCAST_TAG_SIZE]);

    /* True if @tag belongs to @bytes. False for an unknown @key_id. */
    bool (*open)(void *context, uint8_t key_id, mcast_node sender, uint32_t incarnation,
                 const uint8_t *bytes, size_t length, const uint8_t tag[MCAST_TAG_SIZE]);
};

#endif
