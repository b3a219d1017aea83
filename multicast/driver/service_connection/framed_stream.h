/* Framed stream: whole messages over a connected socket, to the membership service or from a
 * member.
 *
 * Each message is preceded by its length: four bytes, the lowest first. Input and output are
 * bounded: a peer that sends a longer message, or does not read, loses the connection. */
#ifndef DRIVER_SERVICE_CONNECTION_FRAMED_STREAM_H
#define DRIVER_SERVICE_CONNECTION_FRAMED_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UDP_STREAM_MESSAGE_MAX = 16 * 1024 * 1024,
    UDP_STREAM_RECORD_MAX = UDP_STREAM_MESSAGE_MAX + 64, /* a message, encrypted */
    UDP_STREAM_WAITING_MAX = 64 * 1024 * 1024,
};

struct udp_bytes {
    uint8_t *data;
    size_t first; /* the offset of the first byte */
    size_t count;
    size_t room;
};

struct udp_stream {
    int fd;
    bool connecting; /* true until connect has ended */
    size_t most;     /* the longest message that is accepted; UDP_STREAM_MESSAGE_MAX at first */
    struct udp_bytes in;
    struct udp_bytes out;
};

/* Take over @fd, which is connected or @connecting. */
void udp_stream_init(struct udp_stream *stream, int fd, bool connecting);

/* Close the socket and free the buffers. May be called twice. */
void udp_stream_close(struct udp_stream *stream);

/* Queue a message. Return 0, -EMSGSIZE, or -ENOBUFS if the peer reads too slowly: close the stream
 * then. */
int udp_stream_send(struct udp_stream *stream, const uint8_t *bytes, size_t length);

/* Queue a message of @length bytes that the caller writes to *@place before any other call for this
 * stream. The codes are those of udp_stream_send. */
int udp_stream_begin(struct udp_stream *stream, size_t length, uint8_t **place);

/* Write as much as the socket accepts. Return 0, or -errno if the connection is gone. */
int udp_stream_flush(struct udp_stream *stream);

/* True if output waits: then watch the socket for writing. */
bool udp_stream_waits(const struct udp_stream *stream);

/* Read the available input. Return 0, or -errno if the connection is gone (-EPIPE: the peer closed
 * it; -EPROTO: a message is too long). Messages that arrived before can still be taken. */
int udp_stream_fill(struct udp_stream *stream);

/* The next whole message, or NULL. It is valid, and the caller's to change, until the next call for
 * this stream. */
uint8_t *udp_stream_next(struct udp_stream *stream, size_t *length);

#endif
