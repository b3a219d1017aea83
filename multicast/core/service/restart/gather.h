/* Gather: a new service finds out what the former one had made (rule 1.0.12).
 *
 * Its generation is above any that it hears of. Members that had a place report it. Nodes that
 * others name and that do not report stay where they were, unconfirmed, until none can still be on
 * its way back. Views on which their members, or most of them, agree stay in force, so nothing
 * moves; where they disagree, the members get fresh views. */
#ifndef MCAST_SERVICE_RESTART_GATHER_H
#define MCAST_SERVICE_RESTART_GATHER_H

#include "service/state.h"

/* Begin at the first step, in case this is not the first service. */
void mcast_service_recover_begin(struct mcast_service *service);

/* True if this service may serve a member with the knowledge in its HELLO. Until the state is made,
 * the generation is raised above that of the member; afterwards this service yields. */
bool mcast_service_recover_outranks(struct mcast_service *service,
                                    const struct mcast_service_message *hello);

/* Keep the HELLO of a node without a past until the others have reported: short names cannot be
 * given before the used ones are known. Return true if it was kept, or refused for want of memory.
 */
bool mcast_service_recover_postpones(struct mcast_service *service, uint64_t connection,
                                     const struct mcast_service_message *message);

/* Forget the HELLO of @connection, which is gone. */
void mcast_service_recover_disconnect(struct mcast_service *service, uint64_t connection);

/* True if the node that sent @hello may still come from a former service: no report named it, and
 * it is too early to take it for dead. */
bool mcast_service_recover_admits(const struct mcast_service *service,
                                  const struct mcast_service_message *hello);

/* Give @node, which was admitted that way, the place it reports, or evict it if its report concerns
 * other nodes: they went on without it. */
void mcast_service_recover_late(struct mcast_service *service, struct service_node *node,
                                struct mcast_service_message *message);

/* Send WELCOME to @node. */
void mcast_service_recover_welcome(struct mcast_service *service, struct service_node *node);

/* Keep the report of @node with its lists. */
void mcast_service_recover_report(struct mcast_service *service, struct service_node *node,
                                  struct mcast_service_message *message);

/* Keep the CHANGE of @node until the groups are known, or, if it came late, its own groups. */
void mcast_service_recover_change(struct mcast_service *service, struct service_node *node,
                                  struct mcast_service_message *message);

/* Forget everything kept of @node, which is forgotten itself. */
void mcast_service_recover_forget(struct mcast_service *service, const struct service_node *node);

/* End the gathering when everything that can be known is known. Return 0 or MCAST_ENOMEM. */
int mcast_service_recover_advance(struct mcast_service *service);

/* The time of the next call of mcast_service_recover_advance. */
mcast_time mcast_service_recover_deadline(const struct mcast_service *service);

void mcast_service_recover_free(struct mcast_service *service);

#endif
