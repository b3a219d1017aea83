/* Authentication and encryption of datagrams. The core links no cryptography; it gets two
 * functions. Without them a datagram is sent as it is and ends in a zero tag. */
#ifndef MCAST_AUTH_H
#define MCAST_AUTH_H

#include "mcast/types.h"

enum {
    MCAST_TAG_SIZE = 16,     /* the end of a datagram that is not encrypted */
    MCAST_TRAILER_MOST = 64, /* the longest end of any datagram */
};

struct mcast_auth {
    void *context;
    uint8_t key_id;   /* the key to seal with; a datagram may use any key that open() accepts */
    bool encrypts;    /* the body of a sealed datagram is unreadable; its header says so, and a
                       * datagram whose header says otherwise is dropped */
    uint32_t trailer; /* the bytes that seal() adds at the end of each datagram */

    /* Seal the datagram of @length bytes, header and body, in place, and write its trailer behind
     * it. Return false if that is impossible; the datagram is then not sent. */
    bool (*seal)(void *context, uint8_t *bytes, size_t length);

    /* Open the datagram of @length bytes, trailer included, in place. Return false if nobody with a
     * key made it; its bytes are then lost. */
    bool (*open)(void *context, uint8_t *bytes, size_t length);
};

#endif
