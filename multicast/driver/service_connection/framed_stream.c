#include "service_connection/framed_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PREFIX = 4, FIRST_ROOM = 4096, READ_ROOM = 65536, READ_MOST = 64, KEEP_ROOM = 1 << 20 };

/* Make room for @more bytes after those in use. */
static bool reserve(struct udp_bytes *bytes, size_t more) {
    if (bytes->first + bytes->count + more <= bytes->room) {
        return true;
    }
    if (bytes->first > 0) {
        memmove(bytes->data, bytes->data + bytes->first, bytes->count);
        bytes->first = 0;
        if (bytes->count + more <= bytes->room) {
            return true;
        }
    }
    size_t room = bytes->room == 0 ? FIRST_ROOM : bytes->room;
    while (room < bytes->count + more) {
        room *= 2;
    }
    uint8_t *data = realloc(bytes->data, room);
    if (data == NULL) {
        return false;
    }
    bytes->data = data;
    bytes->room = room;
    return true;
}

static void take(struct udp_bytes *bytes, size_t count) {
    bytes->first += count;
    bytes->count -= count;
    if (bytes->count == 0) {
        bytes->first = 0;
    }
}

static void clear(struct udp_bytes *bytes) {
    free(bytes->data);
    *bytes = (struct udp_bytes){0};
}

/* Free the memory of a rare large message, whose bytes are no longer needed. */
static void shrink(struct udp_bytes *bytes) {
    if (bytes->count == 0 && bytes->room > KEEP_ROOM) {
        clear(bytes);
    }
}

void udp_stream_init(struct udp_stream *stream, int fd, bool connecting) {
    *stream =
        (struct udp_stream){.fd = fd, .connecting = connecting, .most = UDP_STREAM_MESSAGE_MAX};
}

void udp_stream_close(struct udp_stream *stream) {
    if (stream->fd >= 0) {
        close(stream->fd);
    }
    stream->fd = -1;
    stream->connecting = false;
    clear(&stream->in);
    clear(&stream->out);
}

int udp_stream_begin(struct udp_stream *stream, size_t length, uint8_t **place) {
    struct udp_bytes *out = &stream->out;
    if (length > UDP_STREAM_RECORD_MAX) {
        return -EMSGSIZE;
    }
    if (out->count + PREFIX + length > UDP_STREAM_WAITING_MAX || !reserve(out, PREFIX + length)) {
        return -ENOBUFS;
    }
    uint8_t *prefix = out->data + out->first + out->count;
    for (int i = 0; i < PREFIX; i++) {
        prefix[i] = (uint8_t)(length >> (8 * i));
    }
    out->count += PREFIX + length;
    *place = prefix + PREFIX;
    return 0;
}

int udp_stream_send(struct udp_stream *stream, const uint8_t *bytes, size_t length) {
    uint8_t *place = NULL;
    int code =
        length > UDP_STREAM_MESSAGE_MAX ? -EMSGSIZE : udp_stream_begin(stream, length, &place);
    if (code == 0 && length > 0) {
        memcpy(place, bytes, length);
    }
    return code;
}

/* Ask the kernel how the connect that was under way has ended. */
static int finish_connecting(struct udp_stream *stream) {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(stream->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
        return -errno;
    }
    if (error != 0) {
        return -error;
    }
    stream->connecting = false;
    return 0;
}

int udp_stream_flush(struct udp_stream *stream) {
    if (stream->connecting) {
        int code = finish_connecting(stream);
        if (code != 0) {
            return code;
        }
    }
    while (stream->out.count > 0) {
        ssize_t sent = send(stream->fd, stream->out.data + stream->out.first, stream->out.count,
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            return errno == EAGAIN ? 0 : -errno;
        }
        take(&stream->out, (size_t)sent);
    }
    shrink(&stream->out);
    return 0;
}

bool udp_stream_waits(const struct udp_stream *stream) {
    return stream->connecting || stream->out.count > 0;
}

static size_t announced(const struct udp_bytes *in) {
    size_t length = 0;
    for (int i = 0; i < PREFIX; i++) {
        length |= (size_t)in->data[in->first + (size_t)i] << (8 * i);
    }
    return length;
}

static bool too_long(const struct udp_stream *stream) {
    return stream->in.count >= PREFIX && announced(&stream->in) > stream->most;
}

int udp_stream_fill(struct udp_stream *stream) {
    shrink(&stream->in);
    /* Bounded, so that one talkative peer does not make the others wait. */
    for (int turn = 0; turn < READ_MOST; turn++) {
        if (too_long(stream)) {
            return -EPROTO;
        }
        if (!reserve(&stream->in, READ_ROOM)) {
            return -ENOMEM;
        }
        ssize_t got = recv(stream->fd, stream->in.data + stream->in.first + stream->in.count,
                           READ_ROOM, MSG_DONTWAIT);
        if (got == 0) {
            return -EPIPE;
        }
        if (got < 0 && errno != EINTR) {
            return errno == EAGAIN ? 0 : -errno;
        }
        if (got > 0) {
            stream->in.count += (size_t)got;
            /* Do not read further from a peer that has proved nothing yet. */
            if (got < READ_ROOM || stream->most < READ_ROOM) {
                return too_long(stream) ? -EPROTO : 0;
            }
        }
    }
    return 0;
}

uint8_t *udp_stream_next(struct udp_stream *stream, size_t *length) {
    struct udp_bytes *in = &stream->in;
    if (in->count < PREFIX) {
        return NULL;
    }
    size_t size = announced(in);
    if (size > stream->most || in->count - PREFIX < size) {
        return NULL;
    }
    uint8_t *message = in->data + in->first + PREFIX;
    take(in, PREFIX + size);
    *length = size;
    return message;
}
