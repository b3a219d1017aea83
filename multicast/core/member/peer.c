/* Peers: the nodes that this node knows. */
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
