/* A stream to the membership service, or from a member: whole messages over a connected socket.
 *
 * Each message is preceded by its length, four bytes, the lowest first. What comes in and what
 * waits to go out are bounded: a peer that sends a longer message, or does not read, loses the
 * connection. */
#ifndef MCAST_UDP_STREAM_H
#define MCAST_UDP_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UDP_STREAM_MESSAGE_MAX = 16 * 1024 * 1024,
    UDP_STREAM_WAITING_MAX = 64 * 1024 * 1024,
};

struct udp_bytes {
    uint8_t *data;
    size_t first; /* is where the bytes begin */
    size_t count;
    size_t room;
};

struct udp_stream {
    int fd;
    bool connecting; /* says that connect has not ended yet */
    size_t most;     /* is the longest message that is read; UDP_STREAM_MESSAGE_MAX at first */
    struct udp_bytes in;
    struct udp_bytes out;
};

/* Takes over @fd, which is connected or @connecting. */
void udp_stream_init(struct udp_stream *stream, int fd, bool connecting);

/* Closes the socket and lets go of what waits. May be called twice. */
void udp_stream_close(struct udp_stream *stream);

/* Puts a message behind those that wait. Returns 0, -EMSGSIZE, or -ENOBUFS when the peer reads too
 * slowly: close the stream then. */
int udp_stream_send(struct udp_stream *stream, const uint8_t *bytes, size_t length);

/* The same for a message that lies in two places. */
int udp_stream_send_both(struct udp_stream *stream, const uint8_t *bytes, size_t length,
                         const uint8_t *more, size_t more_length);

/* Writes what the socket takes. Returns 0, or -errno when the connection is gone. */
int udp_stream_flush(struct udp_stream *stream);

/* Whether something waits to be written: then watch the socket for that. */
bool udp_stream_waits(const struct udp_stream *stream);

/* Reads what is there. Returns 0, or -errno when the connection is gone (-EPIPE: the peer closed
 * it; -EPROTO: a message would be too long). What came before can still be taken. */
int udp_stream_fill(struct udp_stream *stream);

/* The next whole message, or NULL. It lives until the next call for this stream. */
const uint8_t *udp_stream_next(struct udp_stream *stream, size_t *length);

#endif
