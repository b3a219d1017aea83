/* A shim for LD_PRELOAD: each UDP socket of the program loses a share of its input, LIVEN_LOSS
 * of 1, by the kernel's own dice, each socket for itself. The program under test knows nothing of
 * it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/filter.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Keeps a datagram when a random word of 32 bits reaches the bound. */
static void lose(int fd, double share) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_RANDOM)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(share * 4294967295.0), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    (void)setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

int socket(int domain, int type, int protocol) {
    int (*next)(int, int, int) = NULL;
    void *found = dlsym(RTLD_NEXT, "socket");
    memcpy(&next, &found, sizeof next);
    int fd = next(domain, type, protocol);
    const char *share = getenv("LIVEN_LOSS");
    int kind = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0 && share != NULL && domain == AF_INET && kind == SOCK_DGRAM) {
        lose(fd, strtod(share, NULL));
    }
    return fd;
}
