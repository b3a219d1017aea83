/* Member: the protocol of one node, as a state machine without clock, socket or thread.
 *
 * A driver calls mcast_member_step with events and carries out the output; without events it calls
 * again at mcast_member_next_deadline. The same calls at the same times give the same outputs, byte
 * for byte. Not thread-safe. */
#ifndef MCAST_MEMBER_H
#define MCAST_MEMBER_H

#include "mcast/alloc.h"
#include "mcast/config.h"
#include "mcast/event.h"
#include "mcast/output.h"
#include "mcast/stats.h"

struct mcast_member;

/* Make a member that knows no other. @config is copied; @alloc, and the data of auth, must outlive
 * it. Store it in @member. Return 0, MCAST_ENOMEM, or MCAST_ECONFIG if a value of @config is out of
 * range. */
int mcast_member_new(const struct mcast_config *config, const struct mcast_alloc *alloc,
                     struct mcast_member **member);

/* Free @member and release everything that it holds; NULL is allowed. Its output is invalid
 * afterwards. */
void mcast_member_free(struct mcast_member *member);

/* Pass @count events to @member, in the order in which they happened, up to the time @now, and let
 * it do everything that is due. @now is not before the time of the previous call. @count may be 0.
 *
 * Invalid requests of the application come back as MCAST_NOTICE_REFUSED; invalid bytes from the
 * network are counted and dropped. Neither is an error here. Return 0, or MCAST_ENOMEM: something
 * was dropped for want of memory, as if the network had lost it; the member is intact, @output is
 * valid, and it may go on. */
int mcast_member_step(struct mcast_member *member, const struct mcast_event *events, size_t count,
                      mcast_time now, struct mcast_output *output);

/* The latest time of the next step, or MCAST_NEVER; never before the last `now`. */
mcast_time mcast_member_next_deadline(const struct mcast_member *member);

/* Copy the statistics so far. */
void mcast_member_stats(const struct mcast_member *member, struct mcast_stats *stats);

/* The short name given by the membership service, or 0. */
mcast_node mcast_member_node(const struct mcast_member *member);

/* The newest epoch committed here, or 0. */
mcast_epoch mcast_member_epoch(const struct mcast_member *member);

/* The queue that a datagram belongs to, for drivers, before its step. Looks only at the first bytes
 * and accepts any content. Under MCAST_FIFO all are equal; under MCAST_QSM6 tokens and repair share
 * a number. */
enum mcast_priority mcast_priority_of(enum mcast_priority_mode mode, const uint8_t *bytes,
                                      size_t length);

#endif
