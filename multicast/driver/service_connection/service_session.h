/* A session: who is at the other end of a stream, and that what comes is his.
 *
 * With a keyring each end challenges the other, and proves that it has a key of the cluster; from
 * then on every message ends in a tag that counts messages, so that none can be changed, left out,
 * said again or put in by somebody between. Without one, messages pass as they are: on a socket
 * whose other end the kernel vouches for. A failure is never answered. */
#ifndef MCAST_UDP_SESSION_H
#define MCAST_UDP_SESSION_H

#include "mcast/keyring.h"
#include "service_connection/framed_stream.h"

enum { UDP_CHALLENGE_SIZE = 32 };

enum udp_session_state {
    UDP_SESSION_OPEN = 0,   /* messages pass */
    UDP_SESSION_CHALLENGED, /* the service: has challenged, waits for the member's proof */
    UDP_SESSION_ASKED,      /* the member: waits for the challenge */
    UDP_SESSION_PROVED,     /* the member: has given its proof, waits for the service's */
};

struct udp_session {
    struct udp_stream stream;
    const struct mcast_keyring *keyring; /* is NULL where the kernel vouches */
    enum udp_session_state state;
    bool refused; /* says that what came was not his who has the key */
    uint8_t challenges[2 * UDP_CHALLENGE_SIZE]; /* are the service's and the member's */
    uint8_t key_in[MCAST_KEY_SIZE];
    uint8_t key_out[MCAST_KEY_SIZE];
    uint64_t count_in;
    uint64_t count_out;
};

/* Takes over @fd. @keyring outlives the session, or is NULL. As the @service it challenges at once.
 * Returns 0, or -errno; the stream is to be closed by the caller then too. */
int udp_session_begin(struct udp_session *session, int fd, bool connecting,
                      const struct mcast_keyring *keyring, bool service);

/* Closes the stream and wipes the keys. May be called twice. */
void udp_session_close(struct udp_session *session);

/* Puts a message behind those that wait; the session is open. The codes are those of
 * udp_stream_send. */
int udp_session_send(struct udp_session *session, const uint8_t *bytes, size_t length);

/* The next message for the owner, or NULL with *@code: 0 when there is none yet, -EACCES when the
 * other end has no key, or what came is not his. Opens the session on the way: look at its state
 * before and after. */
const uint8_t *udp_session_next(struct udp_session *session, size_t *length, int *code);

#endif
