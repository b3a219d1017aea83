#define _GNU_SOURCE
#include "sockets/receive.h"

#include <assert.h>
#include <errno.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/socket.h>

enum {
    MESSAGES = 16,     /* trains received by one call */
    CONTROL_SIZE = 64, /* room for two integers with their headers */
};

struct batch {
    struct mmsghdr messages[MESSAGES];
    struct iovec pieces[MESSAGES];
    struct mcast_buffer *buffers[MESSAGES];
    _Alignas(struct cmsghdr) uint8_t control[MESSAGES][CONTROL_SIZE];
};

static size_t prepare(struct batch *batch, struct udp_buffers *pool, size_t wanted) {
    size_t count = 0;
    while (count < wanted) {
        struct mcast_buffer *buffer = udp_buffers_take(pool);
        if (buffer == NULL) {
            break;
        }
        batch->buffers[count] = buffer;
        batch->pieces[count] =
            (struct iovec){.iov_base = buffer->bytes, .iov_len = UDP_BUFFER_SIZE};
        batch->messages[count].msg_hdr = (struct msghdr){.msg_iov = &batch->pieces[count],
                                                         .msg_iovlen = 1,
                                                         .msg_control = batch->control[count],
                                                         .msg_controllen = CONTROL_SIZE};
        count++;
    }
    return count;
}

/* Read the control data of a message: the size of the datagrams in a train, and the kernel's count
 * of drops. */
static uint32_t read_control(struct msghdr *header, struct udp_inlet *inlet, uint32_t length) {
    uint32_t segment = length;
    for (struct cmsghdr *item = CMSG_FIRSTHDR(header); item != NULL;
         item = CMSG_NXTHDR(header, item)) {
        if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SO_RXQ_OVFL) {
            memcpy(&inlet->drops, CMSG_DATA(item), sizeof inlet->drops);
        } else if (item->cmsg_level == IPPROTO_UDP && item->cmsg_type == UDP_GRO) {
            int size = 0;
            memcpy(&size, CMSG_DATA(item), sizeof size);
            segment = size > 0 ? (uint32_t)size : length;
        }
    }
    return segment;
}

static void add(struct udp_catch *catch, enum mcast_socket class, struct mcast_buffer *buffer,
                uint8_t *bytes, uint32_t length) {
    catch->datagrams++;
    if (catch->sieve != NULL && !catch->sieve(catch->sieve_context, class)) {
        catch->lost++;
        return;
    }
    catch->events[catch->count++] = (struct mcast_event){
        .kind = MCAST_EVENT_DATAGRAM,
        .as.datagram = {.buffer = buffer, .bytes = bytes, .length = length, .socket = class}};
}

static void split(struct udp_catch *catch, struct udp_inlet *inlet, struct mcast_buffer *buffer,
                  struct mmsghdr *message) {
    uint32_t length = message->msg_len;
    uint32_t segment = read_control(&message->msg_hdr, inlet, length);
    if (message->msg_hdr.msg_flags & MSG_TRUNC) {
        return; /* larger than any valid datagram */
    }
    /* A receiver that keeps one datagram of a full train is charged for its share of the buffer. */
    uint32_t count = segment > 0 ? (length + segment - 1) / segment : 1;
    buffer->size = UDP_BUFFER_SIZE / (count > 0 ? count : 1);
    for (uint32_t at = 0; at < length && catch->count < catch->room; at += segment) {
        uint32_t size = length - at < segment ? length - at : segment;
        add(catch, inlet->class, buffer, buffer->bytes + at, size);
    }
}

/* A socket also reports problems of the network here: an ICMP reply to an earlier datagram, or an
 * interface that went down and may come back. None of them is a fault of this socket. */
static bool is_passing(int error) {
    switch (error) {
    case EAGAIN:
    case EINTR:
    case ECONNREFUSED:
    case EHOSTUNREACH:
    case EHOSTDOWN:
    case ENETUNREACH:
    case ENETDOWN:
    case ENOBUFS:
        return true;
    default:
        return false;
    }
}

int udp_receive(struct udp_inlet *inlet, struct udp_buffers *pool, struct udp_catch *catch) {
    struct batch batch;
    assert(catch->held_room > 0); /* otherwise it would count as full forever */
    for (;;) {
        size_t trains = (catch->room - catch->count) / UDP_TRAIN_MOST;
        size_t places = catch->held_room - catch->held_count;
        size_t wanted = trains < MESSAGES ? trains : MESSAGES;
        wanted = wanted < places ? wanted : places;
        if (wanted == 0) {
            return 1;
        }
        size_t count = prepare(&batch, pool, wanted);
        if (count == 0) {
            return -ENOMEM;
        }
        int got = recvmmsg(inlet->fd, batch.messages, (unsigned)count, MSG_DONTWAIT, NULL);
        int error = errno;
        size_t used = got > 0 ? (size_t)got : 0;
        for (size_t i = 0; i < used; i++) {
            split(catch, inlet, batch.buffers[i], &batch.messages[i]);
            catch->held[catch->held_count++] = batch.buffers[i];
        }
        for (size_t i = used; i < count; i++) {
            mcast_buffer_release(batch.buffers[i]);
        }
        if (got < 0) {
            return is_passing(error) ? 0 : -error;
        }
        if (used < count) {
            return 0;
        }
    }
}

void udp_catch_clear(struct udp_catch *catch) {
    for (size_t i = 0; i < catch->held_count; i++) {
        mcast_buffer_release(catch->held[i]);
    }
    catch->held_count = 0;
    catch->count = 0;
}
