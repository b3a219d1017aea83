/* Draft: the update of one node under construction. Each part of it has a file of its own. */
#ifndef MCAST_SERVICE_UPDATE_DRAFT_H
#define MCAST_SERVICE_UPDATE_DRAFT_H

#include "service/update/delta.h"

/* The parts added for the current node, and the deltas found so far. */
struct service_draft {
    struct mcast_service *service;
    struct mcast_map by_way;      /* transition -> chain of deltas */
    struct mcast_vector deltas;   /* of struct service_delta * */
    struct mcast_vector chosen;   /* of struct service_delta *, those of the current node */
    struct service_delta sending; /* the delta of the groups that it sends to from outside */
    struct mcast_bits dead;       /* the nodes that die with this epoch */
    struct mcast_vector nodes;    /* of struct mcast_sm_node */
    struct mcast_vector views;    /* of struct mcast_sm_view */
    struct mcast_vector classes;  /* of struct mcast_sm_class */
    struct mcast_vector names;    /* of mcast_view, the lists of the classes */
    struct mcast_vector runs;     /* of struct mcast_sm_group_run */
    struct mcast_vector closing;  /* of mcast_view */
    struct mcast_vector dying;    /* of mcast_node */
    struct mcast_vector hybrids;  /* of struct mcast_sm_hybrid */
    struct mcast_vector named;    /* of uint64_t, short names and slots of their groups */
    uint64_t stamp;               /* the stamp of what was added for the current node */
    uint64_t had;                 /* the stamp of what it had already */
};

/* Append an item of @size to @list and return it, or NULL without memory. */
void *mcast_service_draft_push(struct service_draft *draft, struct mcast_vector *list, size_t size);

/* All functions below return 0 or MCAST_ENOMEM. */

/* Choose the deltas that concern @node. */
int mcast_service_draft_choose(struct service_draft *draft, const struct service_node *node);

/* Mark what @node had already. Its memberships and the groups it sends to from outside are found
 * separately, so each may report something that it knows by the other. */
void mcast_service_draft_had(struct service_draft *draft, const struct service_node *node);

/* Add the contents of the chosen deltas; views before classes, nodes and the dead after views. */
int mcast_service_draft_views(struct service_draft *draft, const struct service_node *node);
int mcast_service_draft_classes(struct service_draft *draft);
int mcast_service_draft_groups(struct service_draft *draft, const struct service_node *node);
int mcast_service_draft_closing(struct service_draft *draft, const struct service_node *node);
int mcast_service_draft_nodes(struct service_draft *draft, struct service_node *node);
int mcast_service_draft_dead(struct service_draft *draft, const struct service_node *node);

/* Add the addresses of groups that have one, each with true if @node listens there. */
int mcast_service_draft_hybrids(struct service_draft *draft, struct service_node *node);

/* Add the nodes that left in good order; sent only along with something else. */
int mcast_service_draft_lost(struct service_draft *draft, const struct service_node *node);

/* True if @node has yet to receive a message that was sent in @view, closed or closing. */
bool mcast_service_draft_is_owed(const struct service_view *view, const struct service_node *node);

#endif
