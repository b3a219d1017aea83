/* Hybrid: groups with an address of their own (rule 1.6). Included by machine.h, after the
 * structures. */
#ifndef MCAST_CORE_HYBRID_H
#define MCAST_CORE_HYBRID_H

/* That a group has an address of its own: from the PREPARE that says so, until nothing that was
 * sent there before the group lost it, or this node the group, can still be on its way. */
struct mcast_hybrid {
    struct mcast_hybrid *next;
    uint32_t group; /* is the short name */
    struct mcast_address address;
    mcast_epoch told; /* is the epoch that brought it */
    mcast_epoch seen; /* is the last one that said it again */
    mcast_epoch left; /* is the one that ended it; 0 while it holds */
    bool committed;
    bool listens;
};

/* ---- what groups have: hybrid.c ---- */

/* Listens where @update tells this node to, for the epoch that is prepared. 0 or MCAST_ENOMEM. */
int mcast_hybrid_prepare(struct mcast_member *member, mcast_epoch epoch,
                         const struct mcast_sm_update *update);
/* That epoch will not be: takes back what it brought. */
void mcast_hybrid_forget(struct mcast_member *member, mcast_epoch epoch);
/* It is in force: groups are sent to at their own address. */
void mcast_hybrid_commit(struct mcast_member *member, mcast_epoch epoch,
                         const struct mcast_sm_update *update);
/* A run of @epoch named @group: what it did not say again is over. */
void mcast_hybrid_turn(struct mcast_member *member, struct mcast_group *group, mcast_epoch epoch);
/* @group has no address of its own any more, as far as this node is concerned. */
void mcast_hybrid_leave(struct mcast_member *member, struct mcast_group *group);
/* Stops listening where nothing comes any more. */
void mcast_hybrid_review(struct mcast_member *member);
void mcast_hybrid_free(struct mcast_member *member);

/* ---- receiving: recv_hybrid.c ---- */

/* The view of ours that a HYBRID datagram was sent in, or NULL. */
struct mcast_view_state *mcast_hybrid_view(const struct mcast_member *member,
                                           const struct mcast_datagram_in *in);
/* One that names no view of ours came. */
void mcast_hybrid_stray(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_hybrid(struct mcast_member *member, const struct mcast_datagram_in *in);

/* ---- sending: transmit_hybrid.c ---- */

/* How many bytes more than a data packet a packet of @group has before its frames, when it goes to
 * the address of the group; 0 when it goes to each region. */
uint32_t mcast_hybrid_excess(const struct mcast_group *group, const struct mcast_route *route);
/* Sends @frame once for all views of @route. All of it is done or nothing: 0 or MCAST_ENOMEM. */
int mcast_hybrid_send(struct mcast_member *member, const struct mcast_route *route,
                      const struct mcast_group *group, const struct mcast_frame *frame,
                      struct mcast_buffer *buffer, struct mcast_sent *sent);

#endif
