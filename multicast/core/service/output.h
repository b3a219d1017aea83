/* Output: the messages that a step sends. */
#ifndef MCAST_SERVICE_OUTPUT_H
#define MCAST_SERVICE_OUTPUT_H

#include "service/state.h"

/* Append @message to the output of @connection. A stream must not lose a message in the middle:
 * without memory the connection is closed instead, and the member reconnects and asks again. */
void mcast_service_out_send(struct mcast_service *service, uint64_t connection,
                            const struct mcast_service_message *message);

/* Close @connection after everything sent on it. */
void mcast_service_out_close(struct mcast_service *service, uint64_t connection);

/* Forget the output of the previous step. */
void mcast_service_out_begin(struct mcast_service *service);

/* Fill @output with what was sent; the pointers are valid until mcast_service_out_begin. */
void mcast_service_out_show(struct mcast_service *service, struct mcast_service_output *output);

void mcast_service_out_free(struct mcast_service *service);

#endif
