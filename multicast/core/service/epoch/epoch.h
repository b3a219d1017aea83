/* Epoch: the two phases of a change (rule 1.0.6), and what starts and stops them (rule 1.0.5).
 *
 * A change is proposed at once if nothing is under way and the last proposal is at least `batch`
 * old; later changes wait for the next proposal. A proposal is committed when all nodes have
 * answered, or after `ack_wait` when all that get a new view have. Otherwise it is given up, the
 * regions of the nodes that did not answer stay as they are, and the rest is proposed again. A node
 * that takes longer than `ack_limit` is declared dead. */
#ifndef MCAST_SERVICE_EPOCH_EPOCH_H
#define MCAST_SERVICE_EPOCH_EPOCH_H

#include "service/state.h"

/* Do what is due. Return 0, or MCAST_ENOMEM; then it is tried again later. */
int mcast_service_epoch_advance(struct mcast_service *service);

/* Record that @node is prepared for @epoch. */
void mcast_service_epoch_prepared(struct mcast_service *service, struct service_node *node,
                                  mcast_epoch epoch);

/* Give up the proposal under way, if any; a new one is made. */
void mcast_service_epoch_give_up(struct mcast_service *service);

/* Forget nodes that died or left and have nothing to finish, unless a proposal may still name them.
 */
void mcast_service_epoch_forget(struct mcast_service *service);

/* The time of the next call of mcast_service_epoch_advance. */
mcast_time mcast_service_epoch_deadline(const struct mcast_service *service);

#endif
