/* Service session: authenticates the two ends of a stream and encrypts every message on it.
 *
 * With a keyring each end challenges the other and proves that it has a key of the cluster; from
 * then on every message is encrypted under a key of this session and direction, and counted, so
 * that nobody in between can read, change, drop, repeat or insert one. Without a keyring messages
 * pass as they are, on a socket whose other end the kernel vouches for. A failure is never
 * answered. */
#ifndef DRIVER_SERVICE_CONNECTION_SERVICE_SESSION_H
#define DRIVER_SERVICE_CONNECTION_SERVICE_SESSION_H

#include "mcast/keyring.h"
#include "service_connection/framed_stream.h"

enum { UDP_CHALLENGE_SIZE = 32 };

enum udp_session_state {
    UDP_SESSION_OPEN = 0,   /* messages pass */
    UDP_SESSION_CHALLENGED, /* the service: it has challenged and waits for the proof of the member
                             */
    UDP_SESSION_ASKED,      /* the member: it waits for the challenge */
    UDP_SESSION_PROVED,     /* the member: it has sent its proof and waits for that of the service
                             */
};

struct udp_session {
    struct udp_stream stream;
    const struct mcast_keyring *keyring; /* NULL where the kernel vouches */
    enum udp_session_state state;
    bool refused;       /* true if the input was not from an end that has the key */
    bool other_version; /* true if the service speaks another version of the protocol */
    uint8_t challenges[2 * UDP_CHALLENGE_SIZE]; /* the challenges of the service and of the member
                                                 */
    uint8_t key_in[MCAST_KEY_SIZE];
    uint8_t key_out[MCAST_KEY_SIZE];
    uint64_t count_in;
    uint64_t count_out;
};

/* Take over @fd. @keyring must outlive the session, or is NULL. The @service challenges at once.
 * Return 0, or -errno; the caller closes the stream then too. */
int udp_session_begin(struct udp_session *session, int fd, bool connecting,
                      const struct mcast_keyring *keyring, bool service);

/* Close the stream and wipe the keys. May be called twice. */
void udp_session_close(struct udp_session *session);

/* Queue a message on an open session. The codes are those of udp_stream_send. */
int udp_session_send(struct udp_session *session, const uint8_t *bytes, size_t length);

/* The next message for the owner, or NULL with *@code: 0 if there is none yet; -EPROTO if the other
 * end is of another version; -EACCES if it has no key or the input is not its own. It may open the
 * session on the way: compare its state before and after. */
const uint8_t *udp_session_next(struct udp_session *session, size_t *length, int *code);

#endif
