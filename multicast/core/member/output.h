/* Emit: what a step hands out, and memory that lives as long. Included by machine.h. */
#ifndef MCAST_CORE_EMIT_H
#define MCAST_CORE_EMIT_H

/* Memory until the next step. */
uint8_t *mcast_scratch(struct mcast_member *member, size_t size);
void mcast_scratch_reset(struct mcast_member *member);
void mcast_scratch_free(struct mcast_member *member);

/* Emits a control datagram: the writer holds the body, made by mcast_emit_begin. */
struct mcast_writer mcast_emit_begin(struct mcast_member *member, size_t most);
void mcast_emit(struct mcast_member *member, const struct mcast_writer *writer, uint8_t type,
                uint8_t flags, mcast_view view, const struct mcast_address *to);
/* Emits a repair or data datagram. */
void mcast_emit_packet(struct mcast_member *member, struct mcast_packet *packet,
                       const struct mcast_view_state *view, uint8_t flags);
/* Emits the frames of @packet once, for all views of @entries. */
void mcast_emit_hybrid(struct mcast_member *member, const struct mcast_packet *packet,
                       const struct mcast_hybrid_entry *entries, size_t count,
                       const struct mcast_address *to);
void mcast_emit_repair(struct mcast_member *member, const struct mcast_view_state *view,
                       mcast_node origin, uint64_t number, const struct mcast_part *frames,
                       size_t count, const struct mcast_address *to, struct mcast_buffer *hold);
/* Makes room so that @deliveries more can be emitted, and what they lie in held, without failing.
 */
bool mcast_emit_reserve(struct mcast_member *member, size_t deliveries);
void mcast_emit_delivery(struct mcast_member *member, const struct mcast_delivery *delivery);
void mcast_emit_want(struct mcast_member *member, const struct mcast_want *want);
void mcast_emit_notice(struct mcast_member *member, const struct mcast_notice *notice);
/* Holds @buffer until the outputs of this step are done with; NULL is allowed. */
void mcast_emit_hold(struct mcast_member *member, struct mcast_buffer *buffer);
void mcast_emit_reset(struct mcast_member *member);
void mcast_emit_finish(struct mcast_member *member, struct mcast_output *output);
/* It is the turn of tokens and acknowledgements, and then of requests: appends those that wait. */
void mcast_emit_control(struct mcast_member *member);
/* It is the turn of data, to the end of the step. */
void mcast_emit_data(struct mcast_member *member);
void mcast_emit_free(struct mcast_member *member);

#endif
