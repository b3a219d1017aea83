/* View close: the end of a view, from COMMIT until its address rests (rules 1.0.6, 1.0.12).
 *
 * A closed view accepts no new message. Each node that may have sent in it reports its last number
 * or is declared dead; then the members get all last numbers. Each member reports when it holds
 * nothing of the view any more; then the view is forgotten, and with the last view of a region its
 * address starts to rest. */
#ifndef MCAST_SERVICE_EPOCH_VIEW_CLOSE_H
#define MCAST_SERVICE_EPOCH_VIEW_CLOSE_H

#include "service/state.h"

/* Reserve memory for closing @view, so that mcast_service_close_begin cannot fail. @senders may
 * have sent in it. Return 0 or MCAST_ENOMEM. */
int mcast_service_close_prepare(struct mcast_service *service, struct service_view *view,
                                const struct mcast_bits *senders);

/* Close @view with the epoch just committed. */
void mcast_service_close_begin(struct mcast_service *service, struct service_view *view);

/* Record the last numbers that @node reports for all views that closed up to its epoch. */
void mcast_service_close_answer(struct mcast_service *service, struct service_node *node,
                                const struct mcast_service_message *message);

/* Record that @node holds nothing of the closed view @name any more. */
void mcast_service_close_ended(struct mcast_service *service, struct service_node *node,
                               mcast_view name);

/* Continue without @node, which died or left: as a sender it counts as dead in each view that it
 * did not close. */
void mcast_service_close_without(struct mcast_service *service, struct service_node *node);

/* Send @node the closed views that it is a member of again; it may have missed them. */
void mcast_service_close_resume(struct mcast_service *service, struct service_node *node);

/* True if a closed view still concerns @node. */
bool mcast_service_close_concerns(const struct mcast_service *service,
                                  const struct service_node *node);

/* Tell the members of views that all senders have closed, and forget views that all members have
 * ended. Called at the end of a step, so that the closings of a COMMIT follow the COMMIT. */
void mcast_service_close_sweep(struct mcast_service *service);

/* Free @view, whatever its state. */
void mcast_service_view_free(struct mcast_service *service, struct service_view *view);

/* Forget @region, which has no current or next view, unless a closed view uses its address. */
void mcast_service_region_release(struct mcast_service *service, struct service_region *region);

#endif
