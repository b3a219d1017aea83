#include "mcast/buffer.h"

#include <assert.h>
#include <stddef.h>

struct made {
    struct mcast_buffer buffer;
    uint8_t bytes[];
};

static void end(struct mcast_buffer *buffer) {
    const struct mcast_alloc *alloc = buffer->owner;
    (void)alloc->resize(alloc->context, buffer, sizeof(struct made) + buffer->size, 0);
}

struct mcast_buffer *mcast_buffer_new(const struct mcast_alloc *alloc, uint32_t size) {
    struct made *made = alloc->resize(alloc->context, NULL, 0, sizeof *made + size);
    if (made == NULL) {
        return NULL;
    }
    made->buffer = (struct mcast_buffer){.holders = 1,
                                         .size = size,
                                         .bytes = made->bytes,
                                         .owner = (void *)(uintptr_t)alloc,
                                         .end = end};
    return &made->buffer;
}

struct mcast_buffer *mcast_buffer_hold(struct mcast_buffer *buffer) {
    if (buffer != NULL) {
        assert(buffer->holders > 0 && buffer->holders < UINT32_MAX);
        buffer->holders++;
    }
    return buffer;
}

void mcast_buffer_release(struct mcast_buffer *buffer) {
    if (buffer == NULL) {
        return;
    }
    assert(buffer->holders > 0);
    if (--buffer->holders == 0) {
        buffer->end(buffer);
    }
}
