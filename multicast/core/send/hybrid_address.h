/* Hybrid address: groups with a multicast address of their own (rule 1.6). Included by
 * member/member_state.h, after the structures. */
#ifndef MCAST_CORE_SEND_HYBRID_ADDRESS_H
#define MCAST_CORE_SEND_HYBRID_ADDRESS_H

/* A group's own address, from its PREPARE until no packet to it can still be on its way, after the
 * group lost the address or this node left the group. */
struct mcast_hybrid {
    struct mcast_hybrid *next;
    uint32_t group; /* its short name */
    struct mcast_address address;
    mcast_epoch told; /* the epoch that brought it */
    mcast_epoch seen; /* the last epoch that repeated it */
    mcast_epoch left; /* the epoch that ended it; 0 while it holds */
    bool committed;
    bool listens;
};

/* ---- the addresses: send/hybrid_address.c ---- */

/* Listen at the addresses that the prepared @update gives this node. 0 or MCAST_ENOMEM. */
int mcast_hybrid_prepare(struct mcast_member *member, mcast_epoch epoch,
                         const struct mcast_sm_update *update);
/* Take back what the dropped @epoch brought. */
void mcast_hybrid_forget(struct mcast_member *member, mcast_epoch epoch);
/* Put @epoch in force: send to its groups at their own addresses. */
void mcast_hybrid_commit(struct mcast_member *member, mcast_epoch epoch,
                         const struct mcast_sm_update *update);
/* A run of @epoch named @group: end what it did not repeat. */
void mcast_hybrid_turn(struct mcast_member *member, struct mcast_group *group, mcast_epoch epoch);
/* End @group's own address at this node. */
void mcast_hybrid_leave(struct mcast_member *member, struct mcast_group *group);
/* Stop listening where nothing can arrive any more. */
void mcast_hybrid_review(struct mcast_member *member);
void mcast_hybrid_free(struct mcast_member *member);

/* ---- receiving: receive/recv_hybrid.c ---- */

/* Return our view among those of a HYBRID datagram, or NULL. */
struct mcast_view_state *mcast_hybrid_view(const struct mcast_member *member,
                                           const struct mcast_datagram_in *in);
/* Handle a HYBRID datagram that names no view of ours. */
void mcast_hybrid_stray(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_hybrid(struct mcast_member *member, const struct mcast_datagram_in *in);

/* ---- sending: send/hybrid_transmit.c ---- */

/* Return how many bytes longer than a data header the header of a packet to @group's own address
 * is; 0 when the packet goes to each region. */
uint32_t mcast_hybrid_excess(const struct mcast_group *group, const struct mcast_route *route);
/* Send @frame once for all views of @route, or do nothing. 0 or MCAST_ENOMEM. */
int mcast_hybrid_send(struct mcast_member *member, const struct mcast_route *route,
                      const struct mcast_group *group, const struct mcast_frame *frame,
                      struct mcast_buffer *buffer, struct mcast_sent *sent);

#endif
