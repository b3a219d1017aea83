/* Service recover: a new service finds out what the one before had made (rule 1.0.12).
 *
 * Its generation is above all it is told of. Members that had a place report it; those that others
 * name and that do not report stay where they are, unconfirmed, until nobody can still be on the
 * way back. Views on which their members agree, or most of them, stay in force, so that nothing
 * moves; where they do not, the members get fresh ones. */
#ifndef MCAST_CORE_SERVICE_RECOVER_H
#define MCAST_CORE_SERVICE_RECOVER_H

#include "service/state.h"

/* Begins at the first step: a first service has nothing to find out. */
void mcast_service_recover_begin(struct mcast_service *service);

/* Whether this service may speak to a member that knows what it says in its HELLO. While nothing
 * has been decided here, the generation is raised above that; afterwards this service yields. */
bool mcast_service_recover_outranks(struct mcast_service *service,
                                    const struct mcast_service_message *hello);

/* Keeps the HELLO of a node without a past until the others have reported: short names are not
 * given before it is known which are taken. Returns whether it was kept, or refused for want of
 * memory. */
bool mcast_service_recover_postpones(struct mcast_service *service, uint64_t connection,
                                     const struct mcast_service_message *message);

/* Forgets the HELLO that came over @connection, which is gone. */
void mcast_service_recover_disconnect(struct mcast_service *service, uint64_t connection);

/* Whether who says @hello may come from a former service even now: nobody knew of it, and it is too
 * early to take it for dead. */
bool mcast_service_recover_admits(const struct mcast_service *service,
                                  const struct mcast_service_message *hello);

/* Gives @node, which was admitted like that, the place it reports, or evicts it when others have to
 * do with what it reports: they went on without it. */
void mcast_service_recover_late(struct mcast_service *service, struct service_node *node,
                                struct mcast_service_message *message);

/* Says WELCOME to @node. */
void mcast_service_recover_welcome(struct mcast_service *service, struct service_node *node);

/* Keeps the report of @node, with its lists. */
void mcast_service_recover_report(struct mcast_service *service, struct service_node *node,
                                  struct mcast_service_message *message);

/* Keeps the CHANGE of @node until it is known which groups there are, or, when it came late, which
 * it has. */
void mcast_service_recover_change(struct mcast_service *service, struct service_node *node,
                                  struct mcast_service_message *message);

/* Forgets what was kept of @node, which is forgotten itself. */
void mcast_service_recover_forget(struct mcast_service *service, const struct service_node *node);

/* Ends the gathering when all that can be known is known. 0 or MCAST_ENOMEM. */
int mcast_service_recover_advance(struct mcast_service *service);

/* The time when advance has to be called. */
mcast_time mcast_service_recover_deadline(const struct mcast_service *service);

void mcast_service_recover_free(struct mcast_service *service);

#endif
