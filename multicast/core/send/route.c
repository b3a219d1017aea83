/* Route: groups with equal region lists form a class (rule 1.0.5). The groups of a class that have
 * something to send wait in one queue and take turns. Nothing here grows with the number of idle
 * groups. */
#include "base/memory.h"
#include "member/member_state.h"

struct mcast_route *mcast_route_find(const struct mcast_member *member, uint32_t class_number) {
    uint64_t found = mcast_map_get(&member->routes, class_number);
    return found == MCAST_MAP_NONE ? NULL : (struct mcast_route *)(uintptr_t)found;
}

static void end_lists(struct mcast_member *member, struct mcast_route *route) {
    mcast_memory_free(&member->alloc, route->numbers, route->count, sizeof *route->numbers);
    mcast_memory_free(&member->alloc, route->views, route->count,
                      sizeof(struct mcast_view_state *));
    route->numbers = NULL;
    route->views = NULL;
    route->count = 0;
}

static int set_lists(struct mcast_member *member, struct mcast_route *route,
                     const struct mcast_sm_class *told) {
    mcast_view *numbers = NULL;
    struct mcast_view_state **views = NULL;
    if (told->view_count > 0) {
        numbers = mcast_memory_new(&member->alloc, told->view_count, sizeof *numbers);
        views =
            mcast_memory_new(&member->alloc, told->view_count, sizeof(struct mcast_view_state *));
        if (numbers == NULL || views == NULL) {
            mcast_memory_free(&member->alloc, numbers, told->view_count, sizeof *numbers);
            mcast_memory_free(&member->alloc, views, told->view_count,
                              sizeof(struct mcast_view_state *));
            return MCAST_ENOMEM;
        }
    }
    for (size_t i = 0; i < told->view_count; i++) {
        numbers[i] = told->views[i];
    }
    end_lists(member, route);
    route->numbers = numbers;
    route->views = views;
    route->count = told->view_count;
    return MCAST_OK;
}

int mcast_route_put(struct mcast_member *member, const struct mcast_sm_class *told) {
    struct mcast_route *route = mcast_route_find(member, told->class_number);
    if (route == NULL) {
        route = mcast_memory_new(&member->alloc, 1, sizeof *route);
        if (route == NULL) {
            return MCAST_ENOMEM;
        }
        route->class_number = told->class_number;
        route->first_ready = route->last_ready = MCAST_NO_GROUP;
        if (mcast_map_put(&member->routes, told->class_number, (uintptr_t)route) != MCAST_OK) {
            mcast_memory_free(&member->alloc, route, 1, sizeof *route);
            return MCAST_ENOMEM;
        }
    }
    int code = set_lists(member, route, told);
    mcast_route_bind(member, route);
    return code;
}

void mcast_route_bind(struct mcast_member *member, struct mcast_route *route) {
    for (size_t i = 0; i < route->count; i++) {
        route->views[i] = mcast_view_find(member, route->numbers[i]);
    }
}

void mcast_routes_unbind(struct mcast_member *member, const struct mcast_view_state *view) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    while (mcast_map_next(&member->routes, &cursor, &slot)) {
        struct mcast_route *route = (struct mcast_route *)(uintptr_t)slot.value;
        for (size_t i = 0; i < route->count; i++) {
            if (route->views[i] == view) {
                route->views[i] = NULL;
            }
        }
    }
}

static void leave_ring(struct mcast_member *member, struct mcast_route *route) {
    if (!route->ready) {
        return;
    }
    route->ready = false;
    if (route->next == route) {
        member->ready_routes = NULL;
    } else {
        route->next->before = route->before;
        route->before->next = route->next;
        if (member->ready_routes == route) {
            member->ready_routes = route->next;
        }
    }
}

static void enter_ring(struct mcast_member *member, struct mcast_route *route) {
    if (route->ready) {
        return;
    }
    route->ready = true;
    if (member->ready_routes == NULL) {
        route->next = route->before = route;
        member->ready_routes = route;
        return;
    }
    struct mcast_route *first = member->ready_routes;
    route->next = first;
    route->before = first->before;
    first->before->next = route;
    first->before = route;
}

static bool has_something(const struct mcast_member *member, const struct mcast_group *group) {
    return group->active != NULL && group->active->first != NULL && group->route != NULL &&
           !group->active->first->asked && group->active->paused_until <= member->now;
}

void mcast_route_ready(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group == NULL || !has_something(member, group) || group->active->queued) {
        return;
    }
    struct mcast_route *route = group->route;
    group->active->queued = true;
    group->active->next_ready = MCAST_NO_GROUP;
    if (route->last_ready == MCAST_NO_GROUP) {
        route->first_ready = index;
    } else {
        mcast_group_at(member, route->last_ready)->active->next_ready = index;
    }
    route->last_ready = index;
    enter_ring(member, route);
}

uint32_t mcast_route_take(struct mcast_member *member, struct mcast_route *route) {
    uint32_t index = route->first_ready;
    if (index == MCAST_NO_GROUP) {
        leave_ring(member, route);
        return index;
    }
    struct mcast_active *active = mcast_group_at(member, index)->active;
    route->first_ready = active->next_ready;
    if (route->first_ready == MCAST_NO_GROUP) {
        route->last_ready = MCAST_NO_GROUP;
        leave_ring(member, route);
    }
    active->queued = false;
    return index;
}

void mcast_route_unready(struct mcast_member *member, uint32_t index) {
    struct mcast_group *group = mcast_group_at(member, index);
    if (group->active == NULL || !group->active->queued) {
        return;
    }
    struct mcast_route *route = group->route;
    uint32_t before = MCAST_NO_GROUP;
    uint32_t at = route->first_ready;
    while (at != index) {
        before = at;
        at = mcast_group_at(member, at)->active->next_ready;
    }
    uint32_t after = group->active->next_ready;
    if (before == MCAST_NO_GROUP) {
        route->first_ready = after;
    } else {
        mcast_group_at(member, before)->active->next_ready = after;
    }
    if (route->last_ready == index) {
        route->last_ready = before;
    }
    group->active->queued = false;
    if (route->first_ready == MCAST_NO_GROUP) {
        leave_ring(member, route);
    }
}

static void end_route(struct mcast_member *member, struct mcast_route *route) {
    leave_ring(member, route);
    end_lists(member, route);
    (void)mcast_map_take(&member->routes, route->class_number);
    mcast_memory_free(&member->alloc, route, 1, sizeof *route);
}

void mcast_route_move(struct mcast_member *member, uint32_t index, struct mcast_route *route) {
    struct mcast_group *group = mcast_group_at(member, index);
    struct mcast_route *old = group->route;
    if (old == route) {
        return;
    }
    mcast_route_unready(member, index);
    group->route = route;
    if (route != NULL) {
        route->groups++;
    }
    if (old != NULL && --old->groups == 0) {
        end_route(member, old);
    }
    mcast_route_ready(member, index);
}

void mcast_routes_hold(struct mcast_member *member) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    while (mcast_map_next(&member->routes, &cursor, &slot)) {
        ((struct mcast_route *)(uintptr_t)slot.value)->groups++;
    }
}

void mcast_routes_settle(struct mcast_member *member) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    struct mcast_route **unused = (struct mcast_route **)(void *)mcast_scratch(
        member, (member->routes.count + 1) * sizeof(struct mcast_route *));
    size_t count = 0;
    while (mcast_map_next(&member->routes, &cursor, &slot)) {
        struct mcast_route *route = (struct mcast_route *)(uintptr_t)slot.value;
        if (--route->groups == 0 && unused != NULL) {
            unused[count++] = route; /* the map must not change during the walk */
        }
    }
    for (size_t i = 0; i < count; i++) {
        end_route(member, unused[i]);
    }
}

void mcast_routes_free(struct mcast_member *member) {
    size_t cursor = 0;
    struct mcast_map_slot slot;
    while (mcast_map_next(&member->routes, &cursor, &slot)) {
        struct mcast_route *route = (struct mcast_route *)(uintptr_t)slot.value;
        end_lists(member, route);
        mcast_memory_free(&member->alloc, route, 1, sizeof *route);
    }
    mcast_map_free(&member->routes);
    member->ready_routes = NULL;
}
