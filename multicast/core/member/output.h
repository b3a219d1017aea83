/* Output: what a step emits, and memory that lives until the next step. Included by
 * member/member_state.h. */
#ifndef MCAST_CORE_MEMBER_OUTPUT_H
#define MCAST_CORE_MEMBER_OUTPUT_H

/* Return @size bytes that live until the next step, or NULL when memory is short. */
uint8_t *mcast_scratch(struct mcast_member *member, size_t size);
void mcast_scratch_reset(struct mcast_member *member);
void mcast_scratch_free(struct mcast_member *member);

/* Replace the parts of @datagram, which are everything but its trailer, by one sealed copy, of
 * @datagram->length bytes and the trailer. Return false if it cannot be sealed. */
bool mcast_seal_copy(struct mcast_member *member, struct mcast_datagram *datagram);
void mcast_sealed_reset(struct mcast_member *member);
void mcast_sealed_free(struct mcast_member *member);

/* Emit a control datagram. mcast_emit_begin returns the writer for its body. */
struct mcast_writer mcast_emit_begin(struct mcast_member *member, size_t most);
void mcast_emit(struct mcast_member *member, const struct mcast_writer *writer, uint8_t type,
                uint8_t flags, mcast_view view, const struct mcast_address *to);
/* Emit a data packet or a repair. */
void mcast_emit_packet(struct mcast_member *member, struct mcast_packet *packet,
                       const struct mcast_view_state *view, uint8_t flags);
/* Emit the frames of @packet once, for all views in @entries. */
void mcast_emit_hybrid(struct mcast_member *member, const struct mcast_packet *packet,
                       const struct mcast_hybrid_entry *entries, size_t count,
                       const struct mcast_address *to);
void mcast_emit_repair(struct mcast_member *member, const struct mcast_view_state *view,
                       mcast_node origin, uint64_t number, const struct mcast_part *frames,
                       size_t count, const struct mcast_address *to, struct mcast_buffer *hold);
/* Reserve room so that @deliveries more deliveries, and holds on their buffers, cannot fail. */
bool mcast_emit_reserve(struct mcast_member *member, size_t deliveries);
void mcast_emit_delivery(struct mcast_member *member, const struct mcast_delivery *delivery);
void mcast_emit_want(struct mcast_member *member, const struct mcast_want *want);
void mcast_emit_notice(struct mcast_member *member, const struct mcast_notice *notice);
/* Keep @buffer alive until the outputs of this step are consumed; NULL is allowed. */
void mcast_emit_hold(struct mcast_member *member, struct mcast_buffer *buffer);
void mcast_emit_reset(struct mcast_member *member);
void mcast_emit_finish(struct mcast_member *member, struct mcast_output *output);
/* Begin the turn of tokens and acknowledgements, then that of requests: append those that wait. */
void mcast_emit_control(struct mcast_member *member);
/* Begin the turn of data, which lasts until the end of the step. */
void mcast_emit_data(struct mcast_member *member);
void mcast_emit_free(struct mcast_member *member);

#endif
