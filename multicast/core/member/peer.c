/* Peers: the nodes that this node knows, and the replay windows of their datagram counters. */
#include "base/memory.h"
#include "member/member_state.h"

struct mcast_peer *mcast_peer_find(const struct mcast_member *member, mcast_node node) {
    uint64_t found = mcast_map_get(&member->peers, node);
    return found == MCAST_MAP_NONE ? NULL : (struct mcast_peer *)(uintptr_t)found;
}

int mcast_peer_put(struct mcast_member *member, const struct mcast_sm_node *node) {
    struct mcast_peer *peer = mcast_peer_find(member, node->node);
    if (peer == NULL) {
        peer = mcast_memory_new(&member->alloc, 1, sizeof *peer);
        if (peer == NULL) {
            return MCAST_ENOMEM;
        }
        peer->node = node->node;
        if (mcast_map_put(&member->peers, node->node, (uintptr_t)peer) != MCAST_OK) {
            mcast_memory_free(&member->alloc, peer, 1, sizeof *peer);
            return MCAST_ENOMEM;
        }
        (void)mcast_ranges_remove(member->forgotten, node->node, node->node);
    }
    peer->id = node->id;
    peer->incarnation = node->incarnation;
    peer->check = mcast_incarnation_check(node->incarnation);
    peer->address = node->address;
    return MCAST_OK;
}

void mcast_peer_meet_dead(struct mcast_member *member, mcast_node node) {
    if (mcast_peer_find(member, node) != NULL) {
        return;
    }
    if (mcast_peer_put(member, &(struct mcast_sm_node){.node = node}) != MCAST_OK) {
        member->short_of_memory = true;
        return;
    }
    struct mcast_peer *peer = mcast_peer_find(member, node);
    peer->dead = true;
    mcast_forget_later(member, peer);
}

static void mark(struct mcast_replay *replay, uint64_t counter) {
    replay->seen[counter % MCAST_REPLAY_WINDOW / 64] |= UINT64_C(1) << (counter % 64);
}

/* Move the window up to @counter and clear the bits that fall out of it. */
static void advance(struct mcast_replay *replay, uint64_t counter) {
    uint64_t step = counter - replay->highest;
    if (step >= MCAST_REPLAY_WINDOW) {
        for (size_t i = 0; i < MCAST_REPLAY_WINDOW / 64; i++) {
            replay->seen[i] = 0;
        }
    } else {
        for (uint64_t n = replay->highest + 1; n <= counter; n++) {
            replay->seen[n % MCAST_REPLAY_WINDOW / 64] &= ~(UINT64_C(1) << (n % 64));
        }
    }
    replay->highest = counter;
}

bool mcast_peer_counter(struct mcast_member *member, struct mcast_peer *peer,
                        enum mcast_socket socket, uint64_t counter) {
    struct mcast_replay *replay = peer->replay[socket];
    if (replay == NULL) {
        replay = mcast_memory_new(&member->alloc, 1, sizeof *replay);
        if (replay == NULL) {
            member->short_of_memory = true;
            return false;
        }
        peer->replay[socket] = replay;
    }
    if (counter > replay->highest) {
        advance(replay, counter);
        mark(replay, counter);
        return true;
    }
    if (replay->highest - counter >= MCAST_REPLAY_WINDOW) {
        return false;
    }
    uint64_t bit = UINT64_C(1) << (counter % 64);
    if ((replay->seen[counter % MCAST_REPLAY_WINDOW / 64] & bit) != 0) {
        return false;
    }
    mark(replay, counter);
    return true;
}

static void free_peer(struct mcast_member *member, struct mcast_peer *peer) {
    for (int i = 0; i < MCAST_SOCKETS; i++) {
        mcast_memory_free(&member->alloc, peer->replay[i], 1, sizeof *peer->replay[i]);
    }
    mcast_memory_free(&member->alloc, peer, 1, sizeof *peer);
}

void mcast_peer_end(struct mcast_member *member, struct mcast_peer *peer) {
    (void)mcast_map_take(&member->peers, peer->node);
    free_peer(member, peer);
}

void mcast_peers_free(struct mcast_member *member) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    while (mcast_map_next(&member->peers, &cursor, &slot)) {
        free_peer(member, (struct mcast_peer *)(uintptr_t)slot.value);
    }
    mcast_map_free(&member->peers);
}
