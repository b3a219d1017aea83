/* Replay window: the counters recently seen of a peer, so that a repeated datagram is dropped
 * (rule 1.0.11). */
#include "base/memory.h"
#include "member/member_state.h"

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
