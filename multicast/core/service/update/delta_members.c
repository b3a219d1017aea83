/* The changes in the members of a region view since the one that its readers have (rule 1.0.5). */
#include "service/update/delta.h"
#include "wire/codec.h"

#include "mcast/error.h"

static int put(struct mcast_service *service, struct mcast_vector *list, mcast_node name) {
    mcast_node *place = mcast_vector_push(list, service->alloc, sizeof *place);
    if (place == NULL) {
        return MCAST_ENOMEM;
    }
    *place = name;
    return MCAST_OK;
}

/* The size of an ascending list on the wire. */
static size_t list_size(const mcast_node *names, size_t count) {
    size_t size = mcast_varint_size(count);
    for (size_t i = 0; i < count; i++) {
        size += mcast_varint_size(names[i] - (i == 0 ? 0 : names[i - 1]));
    }
    return size;
}

static bool is_shorter(const struct service_delta *delta) {
    const struct service_view *own = delta->own;
    size_t whole = list_size(own->names, own->member_count);
    size_t changes = mcast_varint_size(own->name - delta->from->name) +
                     list_size(delta->gone.items, delta->gone.count) +
                     list_size(delta->come.items, delta->come.count);
    return changes < whole;
}

int mcast_service_lineup_find(struct mcast_service *service, struct service_delta *delta) {
    const struct service_view *own = delta->own;
    const struct service_view *from = delta->from;
    if (own == NULL || from == NULL || own->name <= from->name) {
        return MCAST_OK;
    }
    size_t old = 0;
    size_t new = 0;
    int code = MCAST_OK;
    while ((old < from->member_count || new < own->member_count) && code == MCAST_OK) {
        mcast_node was = old < from->member_count ? from->names[old] : UINT32_MAX;
        mcast_node is = new < own->member_count ? own->names[new] : UINT32_MAX;
        if (was < is) {
            code = put(service, &delta->gone, was);
        } else if (is < was) {
            code = put(service, &delta->come, is);
        }
        old += was <= is ? 1 : 0;
        new += is <= was ? 1 : 0;
    }
    delta->short_lineup = code == MCAST_OK && is_shorter(delta);
    return code;
}
