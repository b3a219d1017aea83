/* The member: the protocol of one node, as a machine without clock, socket or thread.
 *
 * A driver calls mcast_member_step with what happened and carries out what comes back; when nothing
 * happens it calls again, without events, at mcast_member_next_deadline. The same calls with the
 * same times give the same outputs, byte for byte. Not safe between threads. */
#ifndef MCAST_MEMBER_H
#define MCAST_MEMBER_H

#include "mcast/alloc.h"
#include "mcast/config.h"
#include "mcast/event.h"
#include "mcast/output.h"
#include "mcast/stats.h"

struct mcast_member;

/* Makes a member that knows nobody. @config is copied; @alloc, and what auth points to, outlive it.
 * Stores it in @member. Returns 0, MCAST_ENOMEM, or MCAST_ECONFIG when a value of @config is
 * outside its limits. */
int mcast_member_new(const struct mcast_config *config, const struct mcast_alloc *alloc,
                     struct mcast_member **member);

/* Ends @member and lets go of all it holds; NULL is allowed. What it handed out is void. */
void mcast_member_free(struct mcast_member *member);

/* Tells @member that @count things happened, in this order, up to the time @now, and lets it do
 * what is due. @now is not before the time of the call before. May be called with no events.
 *
 * Bad application requests come back as MCAST_NOTICE_REFUSED, bad bytes from the network are
 * counted and dropped; neither is an error here. Returns 0, or MCAST_ENOMEM  something had to be
 * dropped for want of memory, as if the network had lost it; the member is sound, @output is valid,
 * and it may go on */
int mcast_member_step(struct mcast_member *member, const struct mcast_event *events, size_t count,
                      mcast_time now, struct mcast_output *output);

/* The time when step is to be called at the latest, or MCAST_NEVER; never before the last `now`. */
mcast_time mcast_member_next_deadline(const struct mcast_member *member);

/* Copies what was measured so far. */
void mcast_member_stats(const struct mcast_member *member, struct mcast_stats *stats);

/* The short name that the membership service gave, or 0. */
mcast_node mcast_member_node(const struct mcast_member *member);

/* The newest epoch that is committed here, or 0. */
mcast_epoch mcast_member_epoch(const struct mcast_member *member);

/* What a driver needs to know of a datagram before its step: the queue it belongs into. Looks at
 * the first bytes alone and accepts any content. Under MCAST_FIFO all are equal; under MCAST_QSM6
 * tokens and repair share a number. */
enum mcast_priority mcast_priority_of(enum mcast_priority_mode mode, const uint8_t *bytes,
                                      size_t length);

#endif
