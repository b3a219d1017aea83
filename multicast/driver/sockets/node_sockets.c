#define _GNU_SOURCE
#include "sockets/node_sockets.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { UDP_HEADERS = 28 /* the size of the IPv4 and UDP headers */ };

/* An IPv4-mapped IPv6 address: ten zero bytes, two bytes 0xff, the four bytes (RFC 4291, 2.5.5.2).
 */
static const uint8_t MAPPED[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

struct mcast_address udp_address(struct in_addr ip, const uint16_t port[MCAST_SOCKETS]) {
    struct mcast_address address;
    memset(&address, 0, sizeof address);
    memcpy(address.ip, MAPPED, sizeof MAPPED);
    memcpy(address.ip + sizeof MAPPED, &ip, sizeof ip);
    memcpy(address.port, port, sizeof address.port);
    return address;
}

bool udp_destination(const struct mcast_address *address, enum mcast_socket class,
                     struct sockaddr_in *to) {
    if (memcmp(address->ip, MAPPED, sizeof MAPPED) != 0) {
        return false;
    }
    memset(to, 0, sizeof *to);
    to->sin_family = AF_INET;
    memcpy(&to->sin_addr, address->ip + sizeof MAPPED, sizeof to->sin_addr);
    to->sin_port = htons(address->port[class]);
    return true;
}

static int set(int fd, int level, int name, int value) {
    return setsockopt(fd, level, name, &value, sizeof value) == 0 ? 0 : -errno;
}

/* The kernel caps the size; root may exceed the cap, so that is tried first. */
static void set_buffer(int fd, int forced, int plain, int bytes) {
    if (set(fd, SOL_SOCKET, forced, bytes) != 0) {
        (void)set(fd, SOL_SOCKET, plain, bytes);
    }
}

static int open_socket(int receive_buffer, bool gro) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    set_buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF, receive_buffer);
    int code = set(fd, SOL_SOCKET, SO_RXQ_OVFL, 1);
    if (code == 0) {
        code = set(fd, IPPROTO_IP, IP_MULTICAST_ALL, 0);
    }
    if (code == 0 && gro) {
        code = set(fd, IPPROTO_UDP, UDP_GRO, 1);
    }
    if (code != 0) {
        close(fd);
        return code;
    }
    return fd;
}

/* Datagrams leave by the one interface and loop back to the other processes of this machine. */
static int prepare_to_send(int fd, const struct udp_options *options) {
    set_buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF, options->send_buffer);
    if (setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &options->interface,
                   sizeof options->interface) != 0) {
        return -errno;
    }
    int code = set(fd, IPPROTO_IP, IP_MULTICAST_TTL, options->ttl);
    if (code == 0 && options->ttl > 0) {
        /* A fragmented datagram is lost as a whole with any of its fragments. */
        code = set(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO);
    }
    return code != 0 ? code : set(fd, IPPROTO_IP, IP_MULTICAST_LOOP, 1);
}

static bool kernel_has(int option) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    bool has = set(fd, IPPROTO_UDP, option, option == UDP_GRO ? 1 : 0) == 0;
    close(fd);
    return has;
}

static int open_own(struct udp_sockets *sockets, const struct udp_options *options,
                    enum mcast_socket class) {
    int fd = open_socket(options->receive_buffer, sockets->gro);
    if (fd < 0) {
        return fd;
    }
    sockets->own[class] = (struct udp_inlet){.fd = fd, .class = class};
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_addr = options->interface,
                               .sin_port = htons(options->port[class])};
    if (bind(fd, (const struct sockaddr *)&here, sizeof here) != 0) {
        return -errno;
    }
    return prepare_to_send(fd, options);
}

int udp_sockets_open(struct udp_sockets *sockets, const struct udp_options *options) {
    memset(sockets, 0, sizeof *sockets);
    sockets->interface = options->interface;
    sockets->receive_buffer = options->receive_buffer;
    sockets->gso = options->offload && kernel_has(UDP_SEGMENT);
    sockets->gro = options->offload && kernel_has(UDP_GRO);
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        sockets->own[class].fd = -1;
    }
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        int code = open_own(sockets, options, (enum mcast_socket)class);
        if (code < 0) {
            udp_sockets_close(sockets);
            return code;
        }
    }
    return 0;
}

static void close_inlet(struct udp_inlet *inlet) {
    if (inlet->fd >= 0) {
        close(inlet->fd);
        inlet->fd = -1;
    }
}

void udp_sockets_close(struct udp_sockets *sockets) {
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        close_inlet(&sockets->own[class]);
    }
    for (size_t i = 0; i < sockets->count; i++) {
        close_inlet(&sockets->listening[i]);
    }
    free(sockets->listening);
    sockets->listening = NULL;
    sockets->count = 0;
}

uint64_t udp_sockets_room(const struct udp_sockets *sockets) {
    int granted = 0;
    socklen_t length = sizeof granted;
    (void)getsockopt(sockets->own[MCAST_DATA].fd, SOL_SOCKET, SO_RCVBUF, &granted, &length);
    return granted > 0 ? (uint64_t)granted / 2 : 0;
}

static uint32_t mtu_of(const char *name) {
    struct ifreq request;
    memset(&request, 0, sizeof request);
    memcpy(request.ifr_name, name, strnlen(name, sizeof request.ifr_name - 1));
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int code = fd < 0 ? -1 : ioctl(fd, SIOCGIFMTU, &request);
    if (fd >= 0) {
        close(fd);
    }
    return code == 0 && request.ifr_mtu > 0 ? (uint32_t)request.ifr_mtu : 0;
}

uint32_t udp_largest_datagram(struct in_addr interface) {
    struct ifaddrs *list = NULL;
    uint32_t mtu = 0;
    if (getifaddrs(&list) != 0) {
        return 0;
    }
    for (const struct ifaddrs *each = list; each != NULL && mtu == 0; each = each->ifa_next) {
        struct sockaddr_in address;
        if (each->ifa_addr != NULL && each->ifa_addr->sa_family == AF_INET) {
            memcpy(&address, each->ifa_addr, sizeof address);
            mtu = address.sin_addr.s_addr == interface.s_addr ? mtu_of(each->ifa_name) : 0;
        }
    }
    freeifaddrs(list);
    return mtu > UDP_HEADERS ? mtu - UDP_HEADERS : 0;
}

struct mcast_address udp_sockets_address(const struct udp_sockets *sockets) {
    uint16_t ports[MCAST_SOCKETS];
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        struct sockaddr_in here = {.sin_port = 0};
        socklen_t length = sizeof here;
        (void)getsockname(sockets->own[class].fd, (struct sockaddr *)&here, &length);
        ports[class] = ntohs(here.sin_port);
    }
    return udp_address(sockets->interface, ports);
}

/* The index of the first of the inlets that listen to @address, or the count. */
static size_t find(const struct udp_sockets *sockets, const struct mcast_address *address) {
    for (size_t i = 0; i < sockets->count; i += MCAST_SOCKETS) {
        if (memcmp(&sockets->listening[i].address, address, sizeof *address) == 0) {
            return i;
        }
    }
    return sockets->count;
}

static int open_listening(struct udp_sockets *sockets, struct udp_inlet *inlet) {
    struct sockaddr_in group;
    if (!udp_destination(&inlet->address, inlet->class, &group)) {
        return -EAFNOSUPPORT;
    }
    int fd = open_socket(sockets->receive_buffer, sockets->gro);
    if (fd < 0) {
        return fd;
    }
    inlet->fd = fd;
    int code = set(fd, SOL_SOCKET, SO_REUSEADDR, 1); /* other processes of this machine listen here
                                                      * too */
    if (code != 0) {
        return code;
    }
    if (bind(fd, (const struct sockaddr *)&group, sizeof group) != 0) {
        return -errno;
    }
    struct ip_mreq membership = {.imr_multiaddr = group.sin_addr,
                                 .imr_interface = sockets->interface};
    if (setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof membership) != 0) {
        return -errno;
    }
    return 0;
}

int udp_sockets_listen(struct udp_sockets *sockets, const struct mcast_address *address) {
    if (find(sockets, address) < sockets->count) {
        return 0;
    }
    if (sockets->count >= (size_t)UDP_ADDRESSES_MAX * MCAST_SOCKETS) {
        return -ENOSPC;
    }
    struct udp_inlet *grown =
        realloc(sockets->listening, (sockets->count + MCAST_SOCKETS) * sizeof *grown);
    if (grown == NULL) {
        return -ENOMEM;
    }
    sockets->listening = grown;
    struct udp_inlet *block = grown + sockets->count;
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        block[class] =
            (struct udp_inlet){.fd = -1, .class = (enum mcast_socket)class, .address = *address};
    }
    for (int class = 0; class < MCAST_SOCKETS; class++) {
        int code = open_listening(sockets, &block[class]);
        if (code < 0) {
            for (int opened = 0; opened <= class; opened++) {
                close_inlet(&block[opened]);
            }
            return code;
        }
    }
    sockets->count += MCAST_SOCKETS;
    return 0;
}

bool udp_sockets_unlisten(struct udp_sockets *sockets, const struct mcast_address *address) {
    size_t at = find(sockets, address);
    if (at == sockets->count) {
        return false;
    }
    for (size_t i = at; i < at + MCAST_SOCKETS; i++) {
        close_inlet(&sockets->listening[i]);
    }
    sockets->count -= MCAST_SOCKETS;
    memmove(sockets->listening + at, sockets->listening + at + MCAST_SOCKETS,
            (sockets->count - at) * sizeof *sockets->listening);
    return true;
}
