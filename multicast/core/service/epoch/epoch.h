/* Service epoch: the two phases of a change (rule 1.0.6), and what starts and stops them (1.0.5).
 *
 * What changed is proposed at once when nothing is under way and the last proposal is `batch` old;
 * what comes meanwhile waits for the next. A proposal is committed when all who were told answered,
 * or after `ack_wait` when those answered who get a new view. Else it is given up, the regions of
 * those who did not answer are left alone, and the rest is proposed again. Who takes longer than
 * `ack_limit` is declared dead. */
#ifndef MCAST_CORE_SERVICE_EPOCH_H
#define MCAST_CORE_SERVICE_EPOCH_H

#include "service/state.h"

/* Does what is due by now. 0 or MCAST_ENOMEM; then it is tried again later. */
int mcast_service_epoch_advance(struct mcast_service *service);

/* Takes note that @node is ready for @epoch. */
void mcast_service_epoch_prepared(struct mcast_service *service, struct service_node *node,
                                  mcast_epoch epoch);

/* Gives up the proposal under way, if any; it is made anew. */
void mcast_service_epoch_give_up(struct mcast_service *service);

/* Forgets nodes that died or left and have nothing to finish, unless a proposal may still name
 * them. */
void mcast_service_epoch_forget(struct mcast_service *service);

/* The time when advance has to be called. */
mcast_time mcast_service_epoch_deadline(const struct mcast_service *service);

#endif
