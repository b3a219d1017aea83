/* Split: which groups share a hierarchy.
 *
 * Groups that overlap without order cut their nodes into regions of one or two. So the groups are
 * dealt into hierarchies, in each of which the regions stay large: the biggest group first, each
 * into the first hierarchy that takes it, a new one when none does. A node is then in at most one
 * region of each hierarchy. (Specification 1.4; the two sources word the test differently, so there
 * are both.)
 *
 * A hierarchy is held as the region of each node, so a try costs the size of the group. The region
 * with number 0 is that of the nodes in no group of the hierarchy; it is never too small. */
#ifndef MCAST_CORE_SPLIT_H
#define MCAST_CORE_SPLIT_H

#include "mcast/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mcast_split_rule {
    MCAST_SPLIT_STRICT, /* nested in or apart from every group there, and no region too small */
    MCAST_SPLIT_LOOSE   /* nested in or apart from every group there, or no region too small */
};

#define MCAST_SPLIT_ANY UINT32_MAX /* no hierarchy is preferred */

struct mcast_split_hierarchy {
    uint32_t *region_of; /* is the region of each node */
    uint32_t *sizes;     /* is the count of nodes of each region */
    uint32_t *touched;   /* is how many of the group in hand are in each region; 0 between calls */
    size_t regions;      /* is the count of regions, region 0 included; at most nodes + 1 */
    size_t groups;       /* is the count of groups placed here */
};

struct mcast_split {
    const struct mcast_alloc *alloc;
    struct mcast_split_hierarchy *hierarchies;
    size_t count; /* is the count of hierarchies in use */
    size_t bound; /* is the most there may be; the last takes what no other does */
    size_t nodes;
    uint32_t least; /* is the fewest nodes a region should have */
    enum mcast_split_rule rule;
    uint32_t *met;    /* is the list of regions that the group in hand touches */
    size_t met_count; /* is the length of that list */
};

/* Makes a split over nodes numbered 0 .. @nodes - 1 into at most @bound hierarchies, @bound >= 1.
 * 0 or MCAST_ENOMEM; in both cases mcast_split_free ends it. */
int mcast_split_init(struct mcast_split *split, const struct mcast_alloc *alloc, size_t nodes,
                     size_t bound, enum mcast_split_rule rule, uint32_t least);

void mcast_split_free(struct mcast_split *split);

/* Places a group of the @count different nodes @members, no larger than any placed before it, and
 * stores where in @hierarchy. @preferred is tried first when it is in use: a group moves only when
 * it has to. 0, or MCAST_ENOMEM: the group is not placed, the others are as they were. */
int mcast_split_place(struct mcast_split *split, const uint32_t *members, size_t count,
                      uint32_t preferred, uint32_t *hierarchy);

/* The count of regions of @hierarchy that have nodes and are not region 0. */
size_t mcast_split_regions(const struct mcast_split *split, size_t hierarchy);

#endif
