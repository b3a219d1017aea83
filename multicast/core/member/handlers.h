/* Handlers: one function for each message from other members and from the membership service, each
 * in its own file. Included by member/member_state.h after the structures. Only member/step.c,
 * member/datagram.c and membership/unknown_view.c call them. */
#ifndef MCAST_CORE_MEMBER_HANDLERS_H
#define MCAST_CORE_MEMBER_HANDLERS_H

/* All return false when the datagram is malformed. */
bool mcast_recv_data(struct mcast_member *member, const struct mcast_datagram_in *in);
/* Accept @frames, received for the first time, in the view and under the number of @as. */
bool mcast_data_take(struct mcast_member *member, const struct mcast_datagram_in *in,
                     const struct mcast_hybrid_entry *as, const uint8_t *frames, uint32_t length);
bool mcast_recv_repair(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_token(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_ack(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_high_water(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_request(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_stale(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_evicted(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_flow(struct mcast_member *member, const struct mcast_datagram_in *in);
bool mcast_recv_call(struct mcast_member *member, const struct mcast_datagram_in *in);

void mcast_recv_welcome(struct mcast_member *member, const struct mcast_service_message *message);
void mcast_recv_prepare(struct mcast_member *member, struct mcast_service_message *message);
void mcast_recv_commit(struct mcast_member *member, const struct mcast_service_message *message);
void mcast_recv_changed(struct mcast_member *member, const struct mcast_service_message *message);
void mcast_recv_view_closed(struct mcast_member *member,
                            const struct mcast_service_message *message);
void mcast_recv_demote(struct mcast_member *member, const struct mcast_service_message *message);
void mcast_recv_members(struct mcast_member *member, const struct mcast_service_message *message);

/* ---- packets for an unknown view: membership/unknown_view.c ---- */
void mcast_unknown_keep(struct mcast_member *member, const struct mcast_datagram_in *in);
void mcast_unknown_replay(struct mcast_member *member);
void mcast_unknown_free(struct mcast_member *member);

/* ---- this node is no longer in the cluster: member/eviction.c ---- */
void mcast_evict(struct mcast_member *member, mcast_epoch epoch, int code);
void mcast_rejoin(struct mcast_member *member, uint64_t incarnation);
/* Tell @peer that @view ended, or that it was evicted itself; at most once a second. */
void mcast_tell_gone(struct mcast_member *member, struct mcast_peer *peer, mcast_view view);

/* Return the view that a datagram is for: the one in its header or, for HYBRID, the one that we are
 * in. */
struct mcast_view_state *mcast_view_meant(const struct mcast_member *member,
                                          const struct mcast_datagram_in *in);
/* Handle the datagrams among @events, class by class: member/arrival_order.c. */
void mcast_inbound(struct mcast_member *member, const struct mcast_event *events, size_t count);
/* Open a datagram in place, where datagrams are sealed. Return false, and count why, if it is to be
 * dropped. */
bool mcast_datagram_open(struct mcast_member *member, const struct mcast_event *event);
/* Parse one datagram, opened already: header, sender, body. */
void mcast_datagram_take(struct mcast_member *member, const struct mcast_event *event);
/* True when the datagram's sender is known in this incarnation and its counter is new; marks the
 * counter. */
bool mcast_is_new(struct mcast_member *member, const struct mcast_datagram_in *in);
/* Pass a new datagram to its handler. */
void mcast_dispatch(struct mcast_member *member, const struct mcast_datagram_in *in);
int mcast_config_check(const struct mcast_config *config);
void mcast_stop(struct mcast_member *member);
void mcast_stop_review(struct mcast_member *member);

#endif
