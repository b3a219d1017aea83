/* Service nodes: who there is, by slot, id, short name and connection. */
#ifndef MCAST_CORE_SERVICE_NODE_H
#define MCAST_CORE_SERVICE_NODE_H

#include "service/state.h"

/* The node with @id, short name or connection; NULL when there is none. */
struct service_node *mcast_service_node_find(const struct mcast_service *service,
                                             struct mcast_id id);
struct service_node *mcast_service_node_named(const struct mcast_service *service, mcast_node name);
struct service_node *mcast_service_node_connected(const struct mcast_service *service,
                                                  uint64_t connection);

/* Makes a node under the short name @name, which nobody has, or a fresh one if it is 0. NULL when
 * there is no memory or there are too many. */
struct service_node *mcast_service_node_make(struct mcast_service *service, struct mcast_id id,
                                             uint64_t incarnation, mcast_node name);

/* Lets @node be heard over @connection from now on. 0 or MCAST_ENOMEM. */
int mcast_service_node_connect(struct mcast_service *service, struct service_node *node,
                               uint64_t connection);

/* Takes note that @node's connection is gone. */
void mcast_service_node_disconnect(struct mcast_service *service, struct service_node *node);

/* Takes note that @node was heard of just now. */
void mcast_service_node_heard(struct mcast_service *service, struct service_node *node);

/* Takes note of whom @node knows by what it reports: it is told when one of them dies, or goes. 0
 * or MCAST_ENOMEM. */
int mcast_service_node_learn(struct mcast_service *service, struct service_node *node,
                             const struct mcast_sm_report *report);

/* Declares @node dead: it is told so with @code if it can be, and leaves with the next epoch. */
void mcast_service_node_kill(struct mcast_service *service, struct service_node *node, int code);

/* Forgets @node, which is in no view, open or closed. */
void mcast_service_node_forget(struct mcast_service *service, struct service_node *node);

/* Ends the CHANGE that @node has open, if any. */
void mcast_service_node_end_request(struct mcast_service *service, struct service_node *node);

/* Whether @node is in a view or sends to a group from outside, now or by what is proposed. */
bool mcast_service_node_is_placed(const struct service_node *node);

void mcast_service_nodes_free(struct mcast_service *service);

#endif
