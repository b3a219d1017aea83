/* The limit of the kernel: datagrams without recovery. */
#define _GNU_SOURCE
#include "flow.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    TAKEN = 64,
    ROOM = 65536,
    RETAINED = 512, /* pieces of 64 KB are 32 MB: more than a cache holds */
    NAP_MICROSECONDS = 100,
    SILENCE_MS = 400,
    TRAIN_MOST = 64, /* accepted by every kernel with GSO */
};

static bool is(const struct flow *flow, const char *mode) {
    return strcmp(flow->mode, mode) == 0;
}

static struct sockaddr_in address(const struct flow *flow) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(flow->port)};
    to.sin_addr.s_addr = htonl(0xEFFF5A01u);
    return to;
}

static int open_socket(const struct flow *flow) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int one = 1;
    int size = FLOW_BUFFER;
    struct sockaddr_in group = address(flow);
    struct ip_mreq membership = {.imr_multiaddr = group.sin_addr, .imr_interface = flow->interface};
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &flow->interface, sizeof flow->interface);
    if (is(flow, "gso") && !flow->sends) {
        setsockopt(fd, IPPROTO_UDP, UDP_GRO, &one, sizeof one);
    }
    if (!flow->sends &&
        (bind(fd, (const struct sockaddr *)&group, sizeof group) != 0 ||
         setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof membership) != 0)) {
        perror("flow: a raw receiver");
        exit(3);
    }
    return fd;
}

/* --- receiving ----------------------------------------------------------------------------------
 */

/* Pieces that are written one after the other, all of them before the first again. */
struct rotation {
    uint8_t *bytes;
    size_t count;
    size_t at;
};

static struct rotation rotation(const struct flow *flow, size_t least) {
    size_t count = is(flow, "retained") ? RETAINED : least;
    struct rotation made = {.bytes = malloc(count * ROOM), .count = count};
    if (made.bytes == NULL) {
        exit(3);
    }
    memset(made.bytes, 1, count * ROOM);
    return made;
}

static uint8_t *turn(struct rotation *rotation) {
    rotation->at = (rotation->at + 1) % rotation->count;
    return rotation->bytes + rotation->at * ROOM;
}

static void check_datagram(struct flow *flow, const uint8_t *bytes, size_t length) {
    for (size_t at = 0; at + flow->size <= length; at += flow->size) {
        flow_check(flow, 0, bytes + at, flow->size);
    }
}

static int take(struct flow *flow, int fd, struct rotation *rotation, int flags) {
    struct mmsghdr messages[TAKEN];
    struct iovec pieces[TAKEN];
    for (int i = 0; i < TAKEN; i++) {
        pieces[i] = (struct iovec){.iov_base = turn(rotation), .iov_len = ROOM};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &pieces[i], .msg_iovlen = 1}};
    }
    int got = recvmmsg(fd, messages, TAKEN, flags, NULL);
    for (int i = 0; i < got; i++) {
        check_datagram(flow, pieces[i].iov_base, messages[i].msg_len);
    }
    /* The next piece takes the rest. */
    rotation->at =
        (rotation->at + rotation->count - (size_t)(TAKEN - (got > 0 ? got : 0)) % rotation->count) %
        rotation->count;
    return got;
}

/* Drains, then naps or blocks; ends with the last message or after a long silence. */
void flow_raw_receive(struct flow *flow) {
    bool blocks = is(flow, "blocking");
    int fd = open_socket(flow);
    struct rotation room = rotation(flow, TAKEN);
    struct timeval patience = {.tv_usec = SILENCE_MS * 1000};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    flow_say_ready(NULL);
    while (!flow->over) {
        int got = take(flow, fd, &room, MSG_WAITFORONE);
        if (got < 0 && flow->first != 0) {
            break; /* silence */
        }
        while (got > 0 && !blocks) {
            got = take(flow, fd, &room, MSG_DONTWAIT);
        }
        if (!blocks && !flow->over) {
            flow_nap(NAP_MICROSECONDS);
        }
    }
    flow_say_received(flow);
    flow_await_line();
    flow_say_end(flow, NULL, NULL);
    close(fd);
    free(room.bytes);
}

/* --- sending ------------------------------------------------------------------------------------
 */

static uint32_t messages_at_once(const struct flow *flow) {
    uint32_t most = FLOW_PACKED / flow->size;
    if (is(flow, "mmsg")) {
        return most < TAKEN ? most : TAKEN;
    }
    if (is(flow, "gso")) {
        return most < TRAIN_MOST ? most : TRAIN_MOST;
    }
    return is(flow, "packed") || is(flow, "retained") ? most : 1;
}

static void send_each(const struct flow *flow, int fd, uint8_t *bytes, uint32_t count) {
    struct sockaddr_in to = address(flow);
    struct mmsghdr messages[TAKEN];
    struct iovec pieces[TAKEN];
    for (uint32_t i = 0; i < count; i++) {
        pieces[i] =
            (struct iovec){.iov_base = bytes + (size_t)i * flow->size, .iov_len = flow->size};
        messages[i] = (struct mmsghdr){
            .msg_hdr = {
                .msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &pieces[i], .msg_iovlen = 1}};
    }
    for (uint32_t done = 0; done < count;) {
        int sent = sendmmsg(fd, messages + done, count - done, 0);
        done += sent > 0 ? (uint32_t)sent : count;
    }
}

static void send_train(const struct flow *flow, int fd, uint8_t *bytes, uint32_t count) {
    struct sockaddr_in to = address(flow);
    struct iovec piece = {.iov_base = bytes, .iov_len = (size_t)count * flow->size};
    _Alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(sizeof(uint16_t))] = {0};
    struct msghdr message = {.msg_name = &to,
                             .msg_namelen = sizeof to,
                             .msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *item = CMSG_FIRSTHDR(&message);
    uint16_t size = (uint16_t)flow->size;
    item->cmsg_level = IPPROTO_UDP;
    item->cmsg_type = UDP_SEGMENT;
    item->cmsg_len = CMSG_LEN(sizeof size);
    memcpy(CMSG_DATA(item), &size, sizeof size);
    (void)sendmsg(fd, &message, 0);
}

static void give(const struct flow *flow, int fd, uint8_t *bytes, uint32_t count) {
    struct sockaddr_in to = address(flow);
    if (is(flow, "mmsg")) {
        send_each(flow, fd, bytes, count);
    } else if (is(flow, "gso")) {
        send_train(flow, fd, bytes, count);
    } else {
        (void)sendto(fd, bytes, (size_t)count * flow->size, 0, (const struct sockaddr *)&to,
                     sizeof to);
    }
}

void flow_raw_send(struct flow *flow) {
    uint32_t at_once = messages_at_once(flow);
    int fd = open_socket(flow);
    struct rotation room = rotation(flow, 1);
    flow_say_ready(NULL);
    flow_await_line();
    flow->cpu_before = flow_cpu();
    mcast_time begun = udp_now();
    mcast_time span = (mcast_time)(flow->seconds * 1e9);
    uint64_t number = 0;
    bool last = false;
    while (!last) {
        while (number + at_once > flow_due(flow, begun)) {
            flow_nap(flow->rate < 20000 ? 20 : 5);
        }
        last = udp_now() - begun > span;
        uint8_t *bytes = turn(&room);
        for (uint32_t i = 0; i < at_once; i++) {
            flow_write(flow, bytes + (size_t)i * flow->size, 0, number + i,
                       last && i + 1 == at_once);
        }
        give(flow, fd, bytes, at_once);
        number += at_once;
    }
    flow_say_sent(flow, number, udp_now() - begun);
    flow_await_line();
    flow_say_end(flow, NULL, NULL);
    close(fd);
    free(room.bytes);
}
