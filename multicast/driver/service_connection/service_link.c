/* Service link: the stream of a host to the membership service: connect, reconnect, read and write.
 */
#define _GNU_SOURCE
#include "engine/host_state.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    PROVE_WAITS = 50,   /* give up on an end that has not proved itself after so many reconnect
                         * intervals */
    REFUSED_WAITS = 50, /* wait so many reconnect intervals after a refusal */
};

static void tell_service(struct udp_host *host, int code) {
    if (host->application.service != NULL) {
        host->stepping = true;
        host->application.service(host->application.context, code);
        host->stepping = false;
    }
}

int udp_host_stream_lost(struct udp_host *host) {
    bool told = host->stream_up;
    /* An end that hangs up after our proof has another key; so has one whose own proof is wrong. */
    bool refused = host->session.refused || host->session.state == UDP_SESSION_PROVED;
    int why = host->session.other_version ? -EPROTO : -EACCES;
    udp_session_close(&host->session); /* epoll forgets a closed descriptor by itself */
    host->stream_up = host->stream_out = false;
    host->next_try = udp_now() + host->reconnect;
    if (refused) {
        host->strangers++;
        host->next_try = udp_now() + REFUSED_WAITS * host->reconnect;
        tell_service(host, why);
    }
    if (!told) {
        return 0;
    }
    tell_service(host, -ENOTCONN);
    struct mcast_event gone = {.kind = MCAST_EVENT_DISCONNECTED};
    return udp_host_step(host, &gone, 1);
}

/* The session is open: tell the member that it may talk to the service. */
static int stream_opened(struct udp_host *host) {
    host->prove_by = MCAST_NEVER;
    host->stream_up = true;
    host->connections++;
    tell_service(host, 0);
    struct mcast_event up = {.kind = MCAST_EVENT_CONNECTED};
    return udp_host_step(host, &up, 1);
}

int udp_host_connect(struct udp_host *host) {
    bool connecting = false;
    host->next_try = udp_now() + host->reconnect;
    int fd = udp_place_connect(&host->service, &connecting);
    if (fd < 0) {
        return 0;
    }
    /* On one machine the kernel vouches for the other end. */
    const struct mcast_keyring *keyring = host->service.local ? NULL : host->keyring;
    uint32_t what = EPOLLIN | (connecting ? EPOLLOUT : 0u);
    if (udp_host_watch(host->poll, EPOLL_CTL_ADD, fd, what) != 0) {
        close(fd);
        return 0;
    }
    (void)udp_session_begin(&host->session, fd, connecting, keyring, false);
    host->stream_out = connecting;
    host->prove_by = udp_now() + PROVE_WAITS * host->reconnect;
    host->next_try = MCAST_NEVER;
    return host->session.state == UDP_SESSION_OPEN && !connecting ? stream_opened(host) : 0;
}

int udp_host_flush(struct udp_host *host) {
    struct udp_stream *stream = &host->session.stream;
    if (stream->fd < 0 || stream->connecting) {
        return 0;
    }
    if (udp_stream_flush(stream) != 0) {
        return udp_host_stream_lost(host);
    }
    if (host->evicted && !udp_stream_waits(stream)) {
        shutdown(stream->fd,
                 SHUT_RDWR); /* everything is said; the next run reads this as the end */
    }
    bool waits = udp_stream_waits(stream);
    if (waits != host->stream_out) {
        host->stream_out = waits;
        return udp_host_watch(host->poll, EPOLL_CTL_MOD, stream->fd,
                              EPOLLIN | (waits ? EPOLLOUT : 0u));
    }
    return 0;
}

/* Ask the kernel how the attempt to connect has ended. */
static int finish_connecting(struct udp_host *host) {
    if (udp_stream_flush(&host->session.stream) != 0) {
        return udp_host_stream_lost(host);
    }
    int code = udp_host_flush(host);
    return code == 0 && host->session.state == UDP_SESSION_OPEN ? stream_opened(host) : code;
}

/* Take the messages of the service; the first of them may open the session. */
static int take_stream(struct udp_host *host) {
    size_t length = 0;
    int refused = 0;
    for (int code = 0; code == 0 && host->session.stream.fd >= 0;) {
        const uint8_t *bytes = udp_session_next(&host->session, &length, &refused);
        if (refused != 0) {
            return udp_host_stream_lost(host);
        }
        if (!host->stream_up && host->session.state == UDP_SESSION_OPEN) {
            code = stream_opened(host);
        }
        /* Opening may have lost the stream again, and its bytes with it. */
        if (code != 0 || bytes == NULL || host->session.stream.fd < 0) {
            return code;
        }
        struct mcast_event event = {.kind = MCAST_EVENT_CONTROL,
                                    .as.control = {.bytes = bytes, .length = length}};
        code = udp_host_step(host, &event, 1);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

int udp_host_read_stream(struct udp_host *host) {
    if (host->session.stream.connecting) {
        return finish_connecting(host);
    }
    int end = udp_stream_fill(&host->session.stream);
    int code = take_stream(host);
    if (code == 0 && end != 0 && host->session.stream.fd >= 0) {
        code = udp_host_stream_lost(host);
    }
    return code == 0 ? udp_host_flush(host) : code;
}

void udp_host_talk(struct udp_host *host, const struct mcast_output *output) {
    for (size_t i = 0; i < output->control_count && host->stream_up; i++) {
        const struct mcast_control *control = &output->controls[i];
        if (udp_session_send(&host->session, control->bytes, control->length) != 0) {
            /* The next run reads this as the end of the stream. */
            shutdown(host->session.stream.fd, SHUT_RDWR);
        }
    }
}
