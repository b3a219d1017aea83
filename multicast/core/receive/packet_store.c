/* Packet store: copies of packets by number, in a ring that grows with what is not yet purged. */
#include "base/memory.h"
#include "member/member_state.h"

#include <string.h>

enum { FIRST_SLOTS = 16, SLOTS_MOST = 1 << 17 }; /* more than any window holds */

struct mcast_slot *mcast_arrivals_find(const struct mcast_arrivals *arrivals, uint64_t number,
                                       uint64_t hi) {
    if (arrivals->slots == NULL || number < arrivals->low || number > hi ||
        number - arrivals->low > arrivals->mask) {
        return NULL;
    }
    struct mcast_slot *slot = &arrivals->slots[number & arrivals->mask];
    return slot->state == MCAST_SLOT_EMPTY ? NULL : slot;
}

int mcast_arrivals_reserve(struct mcast_member *member, struct mcast_arrivals *arrivals,
                           uint64_t number, uint64_t hi) {
    uint64_t top = number > hi ? number : hi;
    if (arrivals->slots != NULL && number - arrivals->low <= arrivals->mask) {
        return MCAST_OK;
    }
    uint64_t need = number - arrivals->low + 1;
    if (need > SLOTS_MOST) {
        return MCAST_EFULL;
    }
    uint32_t room = arrivals->slots == NULL ? FIRST_SLOTS : arrivals->mask + 1;
    uint32_t old = arrivals->slots == NULL ? 0 : room;
    while (room < need) {
        room *= 2;
    }
    struct mcast_slot *slots = mcast_memory_new(&member->alloc, room, sizeof *slots);
    if (slots == NULL) {
        member->short_of_memory = true;
        return MCAST_ENOMEM;
    }
    for (uint64_t n = arrivals->low; old > 0 && n <= top && n - arrivals->low < old; n++) {
        slots[n & (room - 1)] = arrivals->slots[n & arrivals->mask];
    }
    mcast_memory_free(&member->alloc, arrivals->slots, old, sizeof *slots);
    arrivals->slots = slots;
    arrivals->mask = room - 1;
    return MCAST_OK;
}

/* Hold the buffer; copy a small packet out of a large buffer, which it would keep alive as a whole
 * (rule 1.0.1). */
static struct mcast_buffer *take_hold(struct mcast_member *member, struct mcast_buffer *buffer,
                                      const uint8_t **frames, uint32_t length) {
    if (buffer != NULL && length >= buffer->size / 4) {
        return mcast_buffer_hold(buffer);
    }
    struct mcast_buffer *copy = mcast_buffer_new(&member->alloc, length);
    if (copy == NULL) {
        member->short_of_memory = true;
        return NULL;
    }
    memcpy(copy->bytes, *frames, length);
    *frames = copy->bytes;
    return copy;
}

int mcast_arrivals_keep(struct mcast_member *member, struct mcast_arrivals *arrivals,
                        uint64_t number, struct mcast_buffer *buffer, const uint8_t *frames,
                        uint32_t length) {
    struct mcast_buffer *held = take_hold(member, buffer, &frames, length);
    if (held == NULL) {
        return MCAST_ENOMEM;
    }
    struct mcast_slot *slot = &arrivals->slots[number & arrivals->mask];
    *slot = (struct mcast_slot){held, frames, length, MCAST_SLOT_KEPT};
    arrivals->kept++;
    member->stats.cached_packets++;
    member->stats.cached_bytes += length;
    return MCAST_OK;
}

void mcast_arrivals_drop(struct mcast_member *member, struct mcast_arrivals *arrivals,
                         uint64_t number) {
    struct mcast_slot *slot = &arrivals->slots[number & arrivals->mask];
    if (slot->state == MCAST_SLOT_KEPT) {
        member->stats.cached_packets--;
        member->stats.cached_bytes -= slot->length;
        mcast_buffer_release(slot->buffer);
    }
    if (slot->state != MCAST_SLOT_EMPTY) {
        arrivals->kept--;
    }
    *slot = (struct mcast_slot){0};
}

void mcast_arrivals_free(struct mcast_member *member, struct mcast_arrivals *arrivals) {
    if (arrivals->slots == NULL) {
        return;
    }
    for (uint64_t i = 0; i <= arrivals->mask && arrivals->kept > 0; i++) {
        mcast_arrivals_drop(member, arrivals, i);
    }
    mcast_memory_free(&member->alloc, arrivals->slots, (size_t)arrivals->mask + 1,
                      sizeof *arrivals->slots);
    *arrivals = (struct mcast_arrivals){0};
}
