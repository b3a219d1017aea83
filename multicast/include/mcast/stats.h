/* Statistics: the measurements of a member, as plain numbers. Counters only grow; gauges are
 * current values.
 *
 * They cover everything in section 2 of the specification that a member can see. By its figures:
 * throughput (A1, E1, G1) messages_sent, messages_delivered, packets, bytes; memory and pending
 * (A4, A6, B1, D2, E2, F1) memory_bytes, allocations, pending_*, cached_*, reorder_*,
 * reassembly_bytes; round trip, gaps between tokens, time to acknowledge (A7, E3, E6, E7)
 * token_rtt, token_gap, ack_time; feedback (A9, A10, I5) rounds, tokens, token_bytes, control_sent,
 * control_bytes; flow (A11, G2) window_bytes, rate_bytes; loss and repair (C2, C5, C6, B3)
 * repairs_*, repair_time, skips, duplicates; timers (C8, C9, D6) alarms, alarms_late, alarm_latest;
 * regions (H1) views, groups. Only drivers and the simulator see CPU time, kernel queues and
 * latency between nodes. */
#ifndef MCAST_STATS_H
#define MCAST_STATS_H

#include "mcast/types.h"

/* X(name) of counters, in the order of the structure. */
#define MCAST_COUNTERS(X)                                                                          \
    X(packets_sent) /* data packets, first transmission */                                         \
    X(bytes_sent)   /* in bytes, headers included */                                               \
    X(hybrids_sent) /* of them, those to the address of a group, once for all its regions */       \
    X(hybrids_received)                                                                            \
    X(packets_received) /* data packets accepted, repaired ones too */                             \
    X(bytes_received)                                                                              \
    X(messages_sent) /* each once, whatever the count of regions */                                \
    X(messages_delivered)                                                                          \
    X(messages_dropped) /* by the policy for a slow application */                                 \
    X(duplicates)       /* data packets received before */                                         \
    X(control_sent)  /* datagrams of tokens, ACKs, high-water marks, requests, flow, refusals */   \
    X(control_bytes) /* in bytes */                                                                \
    X(tokens_sent)                                                                                 \
    X(tokens_received)                                                                             \
    X(token_bytes)   /* of those sent */                                                           \
    X(token_records) /* of those sent */                                                           \
    X(rounds)        /* completed at this node as region leader */                                 \
    X(acks_sent)                                                                                   \
    X(acks_received)                                                                               \
    X(high_waters_sent)                                                                            \
    X(pulls_sent) /* requests, each for many ranges */                                             \
    X(naks_sent)  /* requests to a sender */                                                       \
    X(requests_received)                                                                           \
    X(repairs_pushed)    /* packets sent again to a neighbour without a request */                 \
    X(repairs_pulled)    /* packets that a neighbour in the partition requested */                 \
    X(repairs_crossed)   /* packets that a node of another partition requested */                  \
    X(repairs_sourced)   /* packets sent again by their own sender */                              \
    X(repairs_multicast) /* of all these, those sent to the region address */                      \
    X(repairs_idle)      /* repairs that were no longer needed or possible when their turn came */ \
    X(repair_bytes)                                                                                \
    X(repairs_received) /* packets that arrived as repair and were missing */                      \
    X(repairs_useless)  /* packets that arrived as repair and were not missing */                  \
    X(skips)            /* packets skipped */                                                      \
    X(opens)            /* OPEN records accepted */                                                \
    X(views_installed)                                                                             \
    X(views_ended)                                                                                 \
    X(region_moves)    /* this node changed its region */                                          \
    X(quiescent_marks) /* records that left the token */                                           \
    X(evictions)                                                                                   \
    X(senders_missed) /* (group, sender) pairs whose messages this node lacks, being out */        \
    X(stale_sent)                                                                                  \
    X(unknown_kept) /* packets kept for a view that is not known yet */                            \
    X(unknown_dropped)                                                                             \
    X(fragments_sent)                                                                              \
    X(messages_assembled)                                                                          \
    X(heads_refused)    /* long messages refused at their first fragment */                        \
    X(drop_malformed)   /* datagrams that fail a validator */                                      \
    X(drop_foreign)     /* of another cluster or version */                                        \
    X(drop_tag)         /* whose tag is wrong */                                                   \
    X(drop_replay)      /* whose counter was used before */                                        \
    X(drop_stranger)    /* of a sender outside the named view */                                   \
    X(drop_closed)      /* for a view that is closed */                                            \
    X(drop_stale_token) /* not from the predecessor, or of an old round */                         \
    X(drop_elsewhere)   /* to the address of a group, for regions of others */                     \
    X(drop_reorder)     /* beyond the limit of packets held out of order */                        \
    X(drop_memory)      /* datagrams lost, in or out, for want of memory */                        \
    X(allocations)      /* allocation calls that succeeded */                                      \
    X(alarms)           /* alarms that rang */                                                     \
    X(alarms_late)      /* in ns, the sum of the delays of all alarms */

/* X(name) of gauges. */
#define MCAST_GAUGES(X)                                                                            \
    X(groups)          /* joined */                                                                \
    X(regions)         /* that this node is a member of: their views in force */                   \
    X(views)           /* region views this node is a member of, old ones included */              \
    X(outbound_views)  /* region views this node sends to, old ones included */                    \
    X(streams)         /* (sender, view) known */                                                  \
    X(streams_active)  /* those of them that are in tokens */                                      \
    X(pending_packets) /* sent, not yet acknowledged */                                            \
    X(pending_bytes)                                                                               \
    X(pending_messages) /* submitted by the application, not yet sent */                           \
    X(cached_packets)   /* kept for others */                                                      \
    X(cached_bytes)                                                                                \
    X(reorder_packets) /* kept until an earlier one arrives */                                     \
    X(reorder_bytes)                                                                               \
    X(reassembly_bytes)                                                                            \
    X(memory_bytes)   /* taken from the allocator */                                               \
    X(window_bytes)   /* the sum of the windows of all outbound views */                           \
    X(rate_bytes)     /* allowed a second now */                                                   \
    X(token_interval) /* ns, the shortest of the regions this node leads, 0 when it leads none */  \
    X(token_rtt)      /* ns, smoothed, of the rounds this node leads */                            \
    X(token_gap)      /* ns, smoothed, between tokens that pass here */                            \
    X(ack_time)       /* ns, smoothed, from sending a packet to its acknowledgement */             \
    X(repair_time)    /* in ns, smoothed, from noticing that a packet is missing to its repair */  \
    X(alarm_latest)   /* in ns, the delay of the latest alarm of the last second */

struct mcast_stats {
#define X(name) uint64_t name;
    MCAST_COUNTERS(X)
    MCAST_GAUGES(X)
#undef X
};

#endif
