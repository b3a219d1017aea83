#define _GNU_SOURCE
#include "engine/fork_guard.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

struct udp_origin {
    volatile uint64_t here;
};

static size_t page(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

struct udp_origin *udp_origin_new(void) {
    struct udp_origin *origin =
        mmap(NULL, page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (origin == MAP_FAILED) {
        return NULL;
    }
    if (madvise(origin, page(), MADV_WIPEONFORK) != 0) {
        munmap(origin, page());
        return NULL;
    }
    origin->here = 1;
    return origin;
}

void udp_origin_free(struct udp_origin *origin) {
    if (origin != NULL) {
        munmap(origin, page());
    }
}

bool udp_origin_is_here(const struct udp_origin *origin) {
    return origin->here != 0;
}
