/* Service out: what a step sends. */
#ifndef MCAST_CORE_SERVICE_OUT_H
#define MCAST_CORE_SERVICE_OUT_H

#include "service/state.h"

/* Puts @message at the end of what goes out over @connection. A stream must not lose a message in
 * its midst: without memory the connection is ended instead, and the member comes back and asks
 * anew. */
void mcast_service_out_send(struct mcast_service *service, uint64_t connection,
                            const struct mcast_service_message *message);

/* Has @connection ended after what was sent over it. */
void mcast_service_out_close(struct mcast_service *service, uint64_t connection);

/* Forgets what the step before sent. */
void mcast_service_out_begin(struct mcast_service *service);

/* Shows what was sent in @output; the pointers live until mcast_service_out_begin. */
void mcast_service_out_show(struct mcast_service *service, struct mcast_service_output *output);

void mcast_service_out_free(struct mcast_service *service);

#endif
