/* Service recv: what the service does with each message, a file a kind. */
#ifndef MCAST_CORE_SERVICE_RECV_H
#define MCAST_CORE_SERVICE_RECV_H

#include "service/state.h"

/* Welcomes or refuses the node at the other end of @connection, which has not said anything yet. */
void mcast_service_recv_hello(struct mcast_service *service, uint64_t connection,
                              const struct mcast_service_message *message);

/* All others come from @node. They take nothing for granted: what makes no sense is passed over or,
 * if the member can no longer be understood, ends the connection. */
void mcast_service_recv_report(struct mcast_service *service, struct service_node *node,
                               struct mcast_service_message *message);

/* Notes which of the views that @report sends to are over, as far as this service knows. 0 or
 * MCAST_ENOMEM. */
int mcast_service_report_over(struct mcast_service *service, struct service_node *node,
                              const struct mcast_sm_report *report);

void mcast_service_recv_change(struct mcast_service *service, struct service_node *node,
                               struct mcast_service_message *message);
void mcast_service_recv_suspect(struct mcast_service *service, struct service_node *node,
                                const struct mcast_service_message *message);
void mcast_service_recv_slow(struct mcast_service *service, struct service_node *node,
                             const struct mcast_service_message *message);
void mcast_service_recv_members_query(struct mcast_service *service, struct service_node *node,
                                      const struct mcast_service_message *message);
void mcast_service_recv_bye(struct mcast_service *service, struct service_node *node);

/* Ends @connection with @code as the reason. */
void mcast_service_refuse(struct mcast_service *service, uint64_t connection, int code);

#endif
