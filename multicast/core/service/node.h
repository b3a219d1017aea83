/* Nodes: every node that the service knows, by slot, id, short name and connection. */
#ifndef MCAST_SERVICE_NODE_H
#define MCAST_SERVICE_NODE_H

#include "service/state.h"

/* The node with @id, short name or connection; NULL if there is none. */
struct service_node *mcast_service_node_find(const struct mcast_service *service,
                                             struct mcast_id id);
struct service_node *mcast_service_node_named(const struct mcast_service *service, mcast_node name);
struct service_node *mcast_service_node_connected(const struct mcast_service *service,
                                                  uint64_t connection);

/* Make a node under the short name @name, which is free, or a fresh one if @name is 0. NULL without
 * memory or if there are too many nodes. */
struct service_node *mcast_service_node_make(struct mcast_service *service, struct mcast_id id,
                                             uint64_t incarnation, mcast_node name);

/* From now on @connection is the one of @node. Return 0 or MCAST_ENOMEM. */
int mcast_service_node_connect(struct mcast_service *service, struct service_node *node,
                               uint64_t connection);

/* Record that the connection of @node is gone. */
void mcast_service_node_disconnect(struct mcast_service *service, struct service_node *node);

/* Record that @node was heard just now. */
void mcast_service_node_heard(struct mcast_service *service, struct service_node *node);

/* Record the nodes that @node knows by its report: it is told when one of them dies or leaves.
 * Return 0 or MCAST_ENOMEM. */
int mcast_service_node_learn(struct mcast_service *service, struct service_node *node,
                             const struct mcast_sm_report *report);

/* Declare @node dead: tell it with @code if possible, and remove it with the next epoch. */
void mcast_service_node_kill(struct mcast_service *service, struct service_node *node, int code);

/* Forget @node, which is in no view, open or closed. */
void mcast_service_node_forget(struct mcast_service *service, struct service_node *node);

/* End the open CHANGE of @node, if any. */
void mcast_service_node_end_request(struct mcast_service *service, struct service_node *node);

/* True if @node is in a view or sends to a group from outside, now or in the proposal. */
bool mcast_service_node_is_placed(const struct service_node *node);

void mcast_service_nodes_free(struct mcast_service *service);

#endif
