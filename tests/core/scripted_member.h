/* Scripted member: the state of a member that a test plays, kept in the simplest way. It shares
 * nothing with the service but the message structures. */
#ifndef SCRIPTED_MEMBER_H
#define SCRIPTED_MEMBER_H

#include "base/memory.h"
#include "counting_memory.h"
#include "wire/service.h"
#include "wire/service_message.h"

#include "mcast/error.h"

enum { MEMBERS = 40, GROUPS = 64, BELIEFS = 120 };

struct belief_view {
    mcast_view name;
    uint32_t hierarchy;
    uint64_t region;
    struct mcast_address address;
    bool own;
    bool closing;
    bool closed; /* VIEW_CLOSED arrived */
    mcast_node members[MEMBERS];
    size_t member_count;
    mcast_view parents[BELIEFS];
    size_t parent_count;
    uint64_t sent; /* the last number that this member sent in it */
};

struct belief_class {
    uint32_t number;
    mcast_view views[BELIEFS];
    size_t count;
};

struct belief_group {
    uint32_t name;
    uint32_t class_number;
    mcast_epoch view_number;
};

struct member {
    struct mcast_id id;
    uint64_t incarnation;
    uint64_t connection; /* 0 if not connected */
    mcast_node node;
    mcast_epoch epoch;
    mcast_epoch generation_epoch;          /* the epoch of WELCOME */
    struct mcast_service_message proposal; /* kind 0 if there is none */
    struct belief_view views[BELIEFS];
    size_t view_count;
    size_t changes_heard; /* the count of views received as differences from another */
    struct belief_class classes[BELIEFS];
    size_t class_count;
    struct belief_group groups[GROUPS];
    size_t group_count;
    struct mcast_sm_hybrid hybrids[GROUPS]; /* ascending by group */
    size_t hybrid_count;
    bool nodes[1 << 15]; /* by short name */
    struct mcast_id node_ids[1 << 15];
    bool dead[1 << 15];
    uint64_t request;
    bool open;                                 /* a CHANGE waits for its answer */
    struct mcast_sm_change_item items[GROUPS]; /* the items of that CHANGE */
    size_t item_count;
    uint32_t names[GROUPS]; /* the short name of each group, by the script's number */
    int32_t codes[GROUPS];
    bool wants[GROUPS]; /* the last request of the script */
    bool sends[GROUPS];
    bool is_in[GROUPS];     /* memberships granted and not taken back */
    bool is_sender[GROUPS]; /* groups it may send to from outside */
    bool mute;              /* answers no PREPARE */
    bool silent;            /* sends nothing at all */
    bool evicted;
    int refused;  /* the code of REFUSED */
    bool resyncs; /* the next update may repeat what is known */
    bool report_wanted;
    mcast_time delay; /* each way */
    mcast_time next_beat;
    size_t prepares; /* PREPAREs received */
    size_t prepare_bytes;
    size_t queried; /* members that the last MEMBERS named */
    mcast_epoch queried_number;
    size_t demotions;
};

/* Like memcpy, with a size of 0 and NULL allowed. */
static inline void copy(void *to, const void *from, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
}

static inline bool equal(const void *one, const void *other, size_t size) {
    return size == 0 || memcmp(one, other, size) == 0;
}

static inline struct belief_view *believed(struct member *member, mcast_view name) {
    for (size_t i = 0; i < member->view_count; i++) {
        if (member->views[i].name == name) {
            return &member->views[i];
        }
    }
    return NULL;
}

static inline struct belief_class *believed_class(struct member *member, uint32_t number) {
    for (size_t i = 0; i < member->class_count; i++) {
        if (member->classes[i].number == number) {
            return &member->classes[i];
        }
    }
    return NULL;
}

static inline struct belief_group *believed_group(struct member *member, uint32_t name) {
    for (size_t i = 0; i < member->group_count; i++) {
        if (member->groups[i].name == name) {
            return &member->groups[i];
        }
    }
    return NULL;
}

static inline bool names_node(const mcast_node *nodes, size_t count, mcast_node node) {
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

static inline int by_name(const void *one, const void *other) {
    mcast_node first = *(const mcast_node *)one;
    mcast_node second = *(const mcast_node *)other;
    return first < second ? -1 : first > second;
}

/* The members of a view that arrived as the difference from another. */
static inline void believe_changes(struct member *member, struct belief_view *known,
                                   const struct mcast_sm_view *view) {
    const struct belief_view *base = believed(member, view->base);
    CHECK(base != NULL && base->own && view->member_count + view->gone_count < base->member_count);
    for (size_t i = 0; i < view->gone_count; i++) {
        CHECK(names_node(base->members, base->member_count, view->gone[i]));
    }
    for (size_t i = 0; i < base->member_count; i++) {
        CHECK(!names_node(view->members, view->member_count, base->members[i]));
        if (!names_node(view->gone, view->gone_count, base->members[i])) {
            known->members[known->member_count++] = base->members[i];
        }
    }
    for (size_t i = 0; i < view->member_count; i++) {
        known->members[known->member_count++] = view->members[i];
    }
    qsort(known->members, known->member_count, sizeof *known->members, by_name);
    member->changes_heard++;
}

static inline void believe_members(struct member *member, struct belief_view *known,
                                   const struct mcast_sm_view *view) {
    known->own = view->member_count > 0 || view->base != 0;
    known->member_count = 0;
    if (view->base != 0) {
        believe_changes(member, known, view);
    } else {
        known->member_count = view->member_count;
        copy(known->members, view->members, view->member_count * sizeof *view->members);
    }
    for (size_t i = 0; i < known->member_count; i++) {
        CHECK(known->members[i] == member->node || member->nodes[known->members[i]] ||
              member->dead[known->members[i]]);
    }
}

static inline void believe_view(struct member *member, const struct mcast_sm_view *view) {
    bool own = view->member_count > 0 || view->base != 0;
    struct belief_view *known = believed(member, view->view);
    if (known != NULL) {
        CHECK(member->resyncs || (own && !known->own));
        if (known->own || !own) {
            return;
        }
    } else {
        CHECK(member->view_count < BELIEFS);
        known = &member->views[member->view_count++];
        *known = (struct belief_view){.name = view->view};
    }
    known->hierarchy = view->hierarchy;
    known->region = view->region;
    known->address = view->address;
    believe_members(member, known, view);
    known->parent_count = view->parent_count;
    copy(known->parents, view->parents, view->parent_count * sizeof *view->parents);
}

static inline void believe_class(struct member *member, const struct mcast_sm_class *class) {
    struct belief_class *known = believed_class(member, class->class_number);
    if (known == NULL) {
        CHECK(member->class_count < BELIEFS);
        known = &member->classes[member->class_count++];
    } else {
        bool same = known->count == class->view_count &&
                    equal(known->views, class->views, known->count * sizeof *known->views);
        CHECK(member->resyncs || !same);
    }
    known->number = class->class_number;
    known->count = class->view_count;
    copy(known->views, class->views, class->view_count * sizeof *class->views);
    for (size_t i = 0; i < class->view_count; i++) {
        CHECK(believed(member, class->views[i]) != NULL);
    }
}

static inline void believe_run(struct member *member, const struct mcast_sm_group_run *run) {
    for (uint32_t i = 0; i < run->count; i++) {
        struct belief_group *known = believed_group(member, run->first + i);
        if (run->class_number == 0) {
            CHECK(known != NULL || member->resyncs);
            if (known != NULL) {
                *known = member->groups[--member->group_count];
            }
            for (uint32_t g = 0; g < GROUPS; g++) {
                if (member->names[g] == run->first + i) {
                    member->names[g] = 0;
                    member->is_in[g] = false;
                    member->is_sender[g] = false;
                }
            }
            continue;
        }
        if (known == NULL) {
            CHECK(member->group_count < GROUPS);
            known = &member->groups[member->group_count++];
            *known = (struct belief_group){.name = run->first + i};
        } else {
            CHECK(member->resyncs || known->class_number != run->class_number ||
                  known->view_number != run->view_number);
        }
        known->class_number = run->class_number;
        known->view_number = run->view_number;
        CHECK(believed_class(member, run->class_number) != NULL);
    }
}

/* Add @told, or replace the earlier entry of the group. */
static inline void believe_hybrid(struct member *member, const struct mcast_sm_hybrid *told) {
    size_t at = 0;
    while (at < member->hybrid_count && member->hybrids[at].group < told->group) {
        at++;
    }
    if (at == member->hybrid_count || member->hybrids[at].group != told->group) {
        CHECK(member->hybrid_count < GROUPS);
        for (size_t i = member->hybrid_count++; i > at; i--) {
            member->hybrids[i] = member->hybrids[i - 1];
        }
    }
    member->hybrids[at] = *told;
}

/* Forget classes without groups and views without classes, as a member would. */
static inline void tidy(struct member *member) {
    for (size_t i = 0; i < member->class_count;) {
        bool used = false;
        for (size_t g = 0; g < member->group_count; g++) {
            used = used || member->groups[g].class_number == member->classes[i].number;
        }
        if (used) {
            i++;
        } else {
            member->classes[i] = member->classes[--member->class_count];
        }
    }
    for (size_t i = 0; i < member->view_count;) {
        bool used = member->views[i].own;
        for (size_t c = 0; c < member->class_count; c++) {
            for (size_t v = 0; v < member->classes[c].count; v++) {
                used = used || member->classes[c].views[v] == member->views[i].name;
            }
        }
        if (used) {
            i++;
        } else {
            member->views[i] = member->views[--member->view_count];
        }
    }
}

#endif
