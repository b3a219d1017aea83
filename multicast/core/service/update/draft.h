/* Service draft: the update of one node in the making. Each part of it has a file of its own. */
#ifndef MCAST_CORE_SERVICE_DRAFT_H
#define MCAST_CORE_SERVICE_DRAFT_H

#include "service/update/delta.h"

/* What is put down for the node in hand, and the deltas found so far. */
struct service_draft {
    struct mcast_service *service;
    struct mcast_map by_way;      /* way -> chain of deltas */
    struct mcast_vector deltas;   /* of struct service_delta * */
    struct mcast_vector chosen;   /* of struct service_delta *, those of the node in hand */
    struct service_delta sending; /* is that of what it sends to from outside */
    struct mcast_bits dead;       /* are the nodes that die with this epoch */
    struct mcast_vector nodes;    /* of struct mcast_sm_node */
    struct mcast_vector views;    /* of struct mcast_sm_view */
    struct mcast_vector classes;  /* of struct mcast_sm_class */
    struct mcast_vector names;    /* of mcast_view, the lists of the classes */
    struct mcast_vector runs;     /* of struct mcast_sm_group_run */
    struct mcast_vector closing;  /* of mcast_view */
    struct mcast_vector dying;    /* of mcast_node */
    struct mcast_vector hybrids;  /* of struct mcast_sm_hybrid */
    struct mcast_vector named;    /* of uint64_t, short names and slots of their groups */
    uint64_t stamp;               /* is the one of what was put down for the node in hand */
    uint64_t had;                 /* is the one of what it had already */
};

/* Room for one more item of @size in @list; NULL without memory. */
void *mcast_service_draft_push(struct service_draft *draft, struct mcast_vector *list, size_t size);

/* All that follows returns 0 or MCAST_ENOMEM. */

/* Chooses the deltas that concern @node. */
int mcast_service_draft_choose(struct service_draft *draft, const struct service_node *node);

/* Marks what @node had already: what it is a member of and what it sends to from outside are found
 * apart, so each may tell it what it knows by the other. */
void mcast_service_draft_had(struct service_draft *draft, const struct service_node *node);

/* Put down what the chosen deltas say; views before classes, nodes and the dead after views. */
int mcast_service_draft_views(struct service_draft *draft, const struct service_node *node);
int mcast_service_draft_classes(struct service_draft *draft);
int mcast_service_draft_groups(struct service_draft *draft, const struct service_node *node);
int mcast_service_draft_closing(struct service_draft *draft, const struct service_node *node);
int mcast_service_draft_nodes(struct service_draft *draft, struct service_node *node);
int mcast_service_draft_dead(struct service_draft *draft, const struct service_node *node);

/* Puts down the addresses that groups have of their own, and whether @node listens there. */
int mcast_service_draft_hybrids(struct service_draft *draft, struct service_node *node);

/* Puts down who left in good order; told when there is something else to say. */
int mcast_service_draft_lost(struct service_draft *draft, const struct service_node *node);

/* Whether @node is still to receive something that was sent in @view, closed or closing. */
bool mcast_service_draft_is_owed(const struct service_view *view, const struct service_node *node);

#endif
