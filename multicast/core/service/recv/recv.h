/* Receive: the reaction of the service to each message; one file for each kind. */
#ifndef MCAST_SERVICE_RECV_RECV_H
#define MCAST_SERVICE_RECV_RECV_H

#include "service/state.h"

/* Welcome or refuse the node at the other end of @connection, which has sent nothing so far. */
void mcast_service_recv_hello(struct mcast_service *service, uint64_t connection,
                              const struct mcast_service_message *message);

/* All other messages come from @node. Nothing in them is trusted: nonsense is ignored or, if the
 * member can no longer be understood, ends the connection. */
void mcast_service_recv_report(struct mcast_service *service, struct service_node *node,
                               struct mcast_service_message *message);

/* Record which of the views that @report sends to are over, as far as this service knows. Return 0
 * or MCAST_ENOMEM. */
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

/* Close @connection with @code as the reason. */
void mcast_service_refuse(struct mcast_service *service, uint64_t connection, int code);

#endif
