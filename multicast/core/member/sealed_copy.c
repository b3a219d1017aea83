/* Sealed copies: the encrypted copies of datagrams that are made of several pieces, in memory that
 * lives until the next step.
 *
 * The pieces themselves stay readable: the core sends them again, or the application owns them. The
 * memory is kept while much is sent, because memory that was freed has to be faulted in again page
 * by page, which costs as much as the encryption. */
#include "base/memory.h"
#include "member/member_state.h"

#include <string.h>

struct mcast_sealed_block {
    struct mcast_sealed_block *next;
    size_t size;
    size_t used;
    uint8_t bytes[];
};

enum { BLOCK = 128 * 1024 /* room for the longest datagram, and for many of the usual ones */ };

#define BUSY_PASSES (50 * MCAST_MILLISECOND) /* then all blocks but one are freed */

static void free_blocks(struct mcast_member *member, struct mcast_sealed_block *block) {
    while (block != NULL) {
        struct mcast_sealed_block *next = block->next;
        mcast_memory_free(&member->alloc, block, 1, sizeof *block + block->size);
        block = next;
    }
}

static uint8_t *take(struct mcast_member *member, size_t size) {
    struct mcast_sealed_block **place = &member->sealed;
    while (*place != NULL && (*place)->size - (*place)->used < size) {
        place = &(*place)->next;
        member->sealed_busy = member->now;
    }
    if (*place == NULL) {
        size_t room = size > BLOCK ? size : BLOCK;
        struct mcast_sealed_block *block =
            member->alloc.resize(member->alloc.context, NULL, 0, sizeof *block + room);
        if (block == NULL) {
            member->short_of_memory = true;
            return NULL;
        }
        *block = (struct mcast_sealed_block){.size = room};
        *place = block;
    }
    uint8_t *bytes = (*place)->bytes + (*place)->used;
    (*place)->used += (size + 15) & ~(size_t)15;
    return bytes;
}

bool mcast_seal_copy(struct mcast_member *member, struct mcast_datagram *datagram) {
    const struct mcast_auth *auth = &member->config.auth;
    uint8_t *copy = take(member, (datagram->length + auth->trailer + 15) & ~(size_t)15);
    if (copy == NULL) {
        return false;
    }
    uint8_t *end = copy;
    for (uint32_t i = 0; i < datagram->part_count; i++) {
        memcpy(end, datagram->parts[i].bytes, datagram->parts[i].length);
        end += datagram->parts[i].length;
    }
    datagram->parts[0] = (struct mcast_part){copy, datagram->length + auth->trailer};
    datagram->part_count = 1;
    return auth->seal(auth->context, copy, datagram->length);
}

void mcast_sealed_reset(struct mcast_member *member) {
    if (member->sealed == NULL) {
        return;
    }
    if (member->sealed->next != NULL && member->now > member->sealed_busy + BUSY_PASSES) {
        free_blocks(member, member->sealed->next);
        member->sealed->next = NULL;
    }
    for (struct mcast_sealed_block *block = member->sealed; block != NULL; block = block->next) {
        block->used = 0;
    }
}

void mcast_sealed_free(struct mcast_member *member) {
    free_blocks(member, member->sealed);
    member->sealed = NULL;
}
