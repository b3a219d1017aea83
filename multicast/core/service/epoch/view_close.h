/* Service close: the end of a view, from COMMIT to the rest of its address (rules 1.0.6, 1.0.12).
 *
 * A closed view takes no new message. Each node that may have sent in it says what its last number
 * was, or is declared dead; then the members are told all last numbers. Each member says when it
 * holds nothing of the view any more; then the view is forgotten, and with the last view of a
 * region its address goes to rest. */
#ifndef MCAST_CORE_SERVICE_CLOSE_H
#define MCAST_CORE_SERVICE_CLOSE_H

#include "service/state.h"

/* Makes room for closing @view, so that mcast_service_close_begin cannot fail: @senders may have
 * sent in it. 0 or MCAST_ENOMEM. */
int mcast_service_close_prepare(struct mcast_service *service, struct service_view *view,
                                const struct mcast_bits *senders);

/* Closes @view with the epoch that was just committed. */
void mcast_service_close_begin(struct mcast_service *service, struct service_view *view);

/* Takes note of what @node says of all views that closed up to its epoch. */
void mcast_service_close_answer(struct mcast_service *service, struct service_node *node,
                                const struct mcast_service_message *message);

/* Takes note that @node holds nothing of the closed view @name any more. */
void mcast_service_close_ended(struct mcast_service *service, struct service_node *node,
                               mcast_view name);

/* Goes on without @node, which died or left: as a sender it is among the dead of each view that it
 * did not close. */
void mcast_service_close_without(struct mcast_service *service, struct service_node *node);

/* Tells @node again of the closed views it is a member of; it may have missed that. */
void mcast_service_close_resume(struct mcast_service *service, struct service_node *node);

/* Whether @node has still to do with a closed view. */
bool mcast_service_close_concerns(const struct mcast_service *service,
                                  const struct service_node *node);

/* Tells the members of views that all senders closed, and forgets those that all members ended.
 * Called at the end of a step, so that what a COMMIT closes is told after the COMMIT. */
void mcast_service_close_sweep(struct mcast_service *service);

/* Ends @view itself, whatever its state. */
void mcast_service_view_free(struct mcast_service *service, struct service_view *view);

/* Forgets @region, which has no view now or next, if no closed view uses its address. */
void mcast_service_region_release(struct mcast_service *service, struct service_region *region);

#endif
