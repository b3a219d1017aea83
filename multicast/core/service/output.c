#include "service/output.h"
#include "base/memory.h"
#include "service/node.h"

#include "mcast/error.h"

/* A step that sent nothing frees large buffers: the first epoch of a big cluster is rare. */
enum { KEPT_BYTES = 1 << 20 };

void mcast_service_out_begin(struct mcast_service *service) {
    if (service->room > KEPT_BYTES && service->length < KEPT_BYTES / 4) {
        mcast_memory_free(service->alloc, service->bytes, service->room, 1);
        service->bytes = NULL;
        service->room = 0;
    }
    service->length = 0;
    service->sends.count = 0;
    service->ready.count = 0;
    service->closes.count = 0;
}

void mcast_service_out_close(struct mcast_service *service, uint64_t connection) {
    uint64_t *place = mcast_vector_push(&service->closes, service->alloc, sizeof *place);
    if (place != NULL) {
        *place = connection;
    }
}

void mcast_service_out_send(struct mcast_service *service, uint64_t connection,
                            const struct mcast_service_message *message) {
    size_t begin = service->length;
    /* Reserve room in both lists first, so that a message that is encoded can also be sent. */
    bool room = mcast_vector_reserve(&service->sends, service->alloc, service->sends.count + 1,
                                     sizeof(struct service_out)) == MCAST_OK &&
                mcast_vector_reserve(&service->ready, service->alloc, service->sends.count + 1,
                                     sizeof(struct mcast_service_send)) == MCAST_OK;
    if (!room || mcast_service_message_encode(message, service->alloc, &service->bytes,
                                              &service->length, &service->room) != MCAST_OK) {
        struct service_node *node = mcast_service_node_connected(service, connection);
        if (node != NULL) {
            mcast_service_node_disconnect(service, node);
        }
        mcast_service_out_close(service, connection);
        return;
    }
    struct service_out *out =
        mcast_vector_push(&service->sends, service->alloc, sizeof(struct service_out));
    *out = (struct service_out){connection, begin, service->length};
    service->stats.bytes_sent += service->length - begin;
}

void mcast_service_out_show(struct mcast_service *service, struct mcast_service_output *output) {
    struct service_out *outs = service->sends.items;
    struct mcast_service_send *ready = service->ready.items;
    for (size_t i = 0; i < service->sends.count; i++) {
        ready[i] = (struct mcast_service_send){.connection = outs[i].connection,
                                               .bytes = service->bytes + outs[i].begin,
                                               .length = outs[i].end - outs[i].begin};
    }
    service->ready.count = service->sends.count;
    *output = (struct mcast_service_output){.sends = ready,
                                            .send_count = service->ready.count,
                                            .closes = service->closes.items,
                                            .close_count = service->closes.count,
                                            .yield = service->yield};
}

void mcast_service_out_free(struct mcast_service *service) {
    mcast_memory_free(service->alloc, service->bytes, service->room, 1);
    mcast_vector_free(&service->sends, service->alloc, sizeof(struct service_out));
    mcast_vector_free(&service->ready, service->alloc, sizeof(struct mcast_service_send));
    mcast_vector_free(&service->closes, service->alloc, sizeof(uint64_t));
}
