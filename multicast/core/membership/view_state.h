/* View state: region views with their seats, rings, rounds and repairs. Included by
 * member/member_state.h, after the streams. */
#ifndef MCAST_CORE_MEMBERSHIP_VIEW_STATE_H
#define MCAST_CORE_MEMBERSHIP_VIEW_STATE_H

/* ---- region views: membership/view.c, membership/view_state.c, ring/partitions.c ---- */

struct mcast_seat {
    mcast_node node;
    struct mcast_peer *peer;
    bool dead;
    bool demoted;
    uint32_t answered;     /* the last call of this node, its leader, that it answered */
    uint32_t missed;       /* consecutive rounds that reached the seat before it and not this one */
    uint64_t reached;      /* the set of the last of those rounds */
    uint64_t passed;       /* the set of the round that it last reported as passed on */
    mcast_time owes_since; /* when it first failed to answer a call (slow/window_full.c), or 0 */
};

/* The round that a seat reports when it does not know the view, or no longer. */
#define MCAST_PASSED_UNKNOWN MCAST_ROUND_SET(UINT64_MAX)

/* Count of requests that the tokens of a round caused, as far as they passed here. */
struct mcast_requested {
    uint64_t set;   /* the set of the round */
    uint32_t count; /* requests so far */
    uint32_t own;   /* how many of them this node sent */
};

/* Reports of senders whose window is nearly full, and the calls for them: slow/window_full.c. */
struct mcast_brink {
    struct mcast_alarm alarm;
    mcast_time since;      /* when a sender first said so after a quiet time */
    mcast_time told_at;    /* when one last said that an eighth of its window is in use */
    mcast_time full_at;    /* when one last said that it waits */
    mcast_time accused_at; /* when a seat was last accused */
    mcast_time interval;   /* the current time between checks */
    mcast_time look_at;    /* when the next check is */
    uint32_t looks;        /* checks since the last token passed */
    uint32_t reserved;     /* packets of the budget that a due call waits for */
    mcast_time slowest;    /* the longest time that an answer took lately */
    mcast_time slow_since; /* when that was last halved */
};

/* State of the rounds at the leader of a region view. */
struct mcast_ring {
    struct mcast_alarm alarm;
    struct mcast_alarm apart_alarm; /* of the partition's own ring (ring/partition_rings.c) */
    mcast_time apart_interval;
    uint64_t apart_count;
    uint32_t apart_parts;  /* tokens of the partition's last round */
    mcast_time apart_home; /* when the partition's last round came home */
    int64_t apart_credit;  /* packets that the partition's ring may spend, in thousandths */
    mcast_time apart_credited;
    uint64_t seen[8];       /* for each stage, the last accepted round; 4 to 7 of partition rings */
    uint64_t seen_parts[8]; /* and which tokens of it */
    struct mcast_requested requested[2]; /* [1] is that of the partition's own ring */
    uint64_t count;                      /* rounds that this node released */
    uint64_t home;                       /* the last of them that came home completely */
    uint64_t closed;                     /* the last one released before the view was closed */
    mcast_time released;                 /* when the last round was released */
    mcast_time interval;                 /* the current time between rounds; 0 at rest */
    mcast_time soonest;     /* earliest time of the next round, if the budget allows it */
    mcast_time due;         /* latest time of the next round */
    mcast_time lost_at;     /* when a round was last found lost */
    mcast_time paid_until;  /* until then time earns no control budget: data paid for it */
    mcast_time rtt;         /* smoothed time of a round */
    int64_t credit;         /* control packets that may be spent, in thousandths */
    uint64_t cost;          /* control packets of the last round */
    uint32_t asked;         /* requests counted in that cost */
    uint32_t asked_now;     /* requests that the current round caused, as far as it came home */
    mcast_time credited;    /* when credit was last added */
    uint64_t data_bytes;    /* data bytes received since then */
    uint32_t parts;         /* tokens of the round under way */
    uint32_t parts_home;    /* how many of them came back */
    mcast_node ask_from;    /* sender of the first stream that may send requests this time */
    mcast_node ask_next;    /* the same for the next time; 0 when all could */
    bool out;               /* a round is under way */
    bool owing;             /* no round came home since one that had records */
    bool unrest;            /* something is missing, or was recently */
    bool data_pays;         /* data earns more control budget than time does */
    bool looks;             /* the alarm checks whether the budget allows a round */
    mcast_time pressed_at;  /* when a sender last said that its window is half full; 0 never */
    bool leading;           /* this node was the leader when it last checked */
    mcast_time heard;       /* when a token last passed here; at the leader: came home */
    mcast_time spoken;      /* when the leader last called; at the leader: was last answered */
    uint32_t waits_for;     /* the seat that the leader waits for, by its last call */
    mcast_time still_since; /* since when no round came home; 0 while rounds do */
    uint32_t calls;         /* calls of the region so far */
    uint32_t first_call;    /* calls before rounds stopped coming home, the last time */
    mcast_time called;      /* when the last call was */
    mcast_time accused;     /* when a seat was last accused */
    struct mcast_brink brink;
};

struct mcast_view_state {
    mcast_view number;
    uint64_t region;
    uint32_t hierarchy;
    struct mcast_address address;
    mcast_epoch epoch; /* the epoch that brought it */
    struct mcast_view_state *next;
    struct mcast_view_state **link;

    struct mcast_seat *seats; /* NULL when this node is not a member */
    uint32_t count;
    uint32_t self;
    uint32_t partitions;
    uint32_t alive;
    uint32_t replicas;

    mcast_view *parents;
    size_t parent_count;
    struct mcast_open_entry *opens; /* contents of our OPEN in this view */
    size_t open_count;

    bool committed;          /* in force, or was */
    mcast_epoch closed_with; /* the epoch that closed it, 0 while open */
    bool settled;            /* with everything before it, see mcast_open_settled */
    bool left_out;           /* others ended it before we gave our last number */
    bool closing;            /* takes no new message from us */
    bool closed;             /* takes none from anybody: the last numbers are known */
    bool listening;
    bool ended;              /* stable everywhere; its ring remains to tell others */
    uint32_t ends_tried;     /* tokens that the leader sent to announce the end */
    bool over;               /* freed at the end of the step */
    mcast_time demoted_said; /* when this node, while demoted, last said that it caught up */

    struct mcast_stream **streams; /* sorted by sender */
    size_t stream_count;
    size_t stream_room;
    struct mcast_stream *recent; /* the stream found last */
    struct mcast_ring ring;
    struct mcast_outbound *out; /* NULL until we send there */
};

struct mcast_view_state *mcast_view_find(const struct mcast_member *member, mcast_view number);
/* Store the members of the announced view in @members for this step; none when we only send there.
 * Return 0, MCAST_EMALFORMED or MCAST_ENOMEM. In membership/view_members.c. */
int mcast_lineup(struct mcast_member *member, const struct mcast_sm_view *told,
                 const mcast_node **members, size_t *count);

int mcast_view_make(struct mcast_member *member, const struct mcast_sm_view *told,
                    mcast_epoch epoch);
void mcast_view_commit(struct mcast_member *member, struct mcast_view_state *view);
/* Stop sending new messages in @view; return our last number. */
uint64_t mcast_view_close(struct mcast_member *member, struct mcast_view_state *view);
/* End @view: all of it is stable everywhere. */
void mcast_view_end(struct mcast_member *member, struct mcast_view_state *view);
/* End a closing view whose other members have been silent for longer than a watching service needs
 * to detect a death: they are gone, or ended the view and could not tell us. Return true when
 * ended. */
bool mcast_view_abandon(struct mcast_member *member, struct mcast_view_state *view);
/* Return until when a region last heard at @heard may be silent and alive. */
mcast_time mcast_member_patience(const struct mcast_member *member, mcast_time heard);
/* Return when mcast_view_abandon is worth calling. */
mcast_time mcast_view_patience(const struct mcast_member *member,
                               const struct mcast_view_state *view);
/* Release the parts of @view that are no longer needed; the end of the step may free it. */
void mcast_view_review(struct mcast_member *member, struct mcast_view_state *view);
/* Free the views that are over. */
void mcast_views_sweep(struct mcast_member *member);
/* True when @number is a view that ended here recently. */
bool mcast_view_was(const struct mcast_member *member, mcast_view number);
/* True when a round showed that nothing more can come of @view (leader only). */
bool mcast_view_is_stable(const struct mcast_view_state *view);
void mcast_view_free(struct mcast_member *member, struct mcast_view_state *view);
/* Mark @node as dead in @view. */
void mcast_view_bury(struct mcast_member *member, struct mcast_view_state *view, mcast_node node);

bool mcast_view_is_member(const struct mcast_view_state *view);
/* Return the seat of @node or MCAST_NO_SEAT. */
uint32_t mcast_layout_seat(const struct mcast_view_state *view, mcast_node node);
uint32_t mcast_layout_partition(const struct mcast_view_state *view, uint32_t seat);
/* Return the first seat of a partition; for partition == partitions, the count of seats. */
uint32_t mcast_layout_begin(const struct mcast_view_state *view, uint32_t partition);
/* Return the lowest live seat of a partition, MCAST_NO_SEAT when it has none. */
uint32_t mcast_layout_leader(const struct mcast_view_state *view, uint32_t partition);
uint32_t mcast_layout_region_leader(const struct mcast_view_state *view);
bool mcast_layout_leads_region(const struct mcast_view_state *view);
/* Return the next hop of a token at @seat that arrived by *stage, and store the stage of that hop.
 * MCAST_NO_SEAT: the round is complete. */
uint32_t mcast_layout_next(const struct mcast_view_state *view, uint32_t seat, uint8_t *stage);
/* Return the seat that must have sent a token that arrives at @seat by @stage. */
uint32_t mcast_layout_before(const struct mcast_view_state *view, uint32_t seat, uint8_t stage);
/* The same as mcast_layout_next, for a token that visits leaders only. */
uint32_t mcast_layout_next_leader(const struct mcast_view_state *view, uint32_t seat,
                                  uint8_t *stage);
/* Return the count of live seats of a partition. */
uint32_t mcast_layout_alive(const struct mcast_view_state *view, uint32_t partition);
/* Return the partition where the replicas of @number begin (rule 1.0.1); mcast_layout_keeps is true
 * when @seat keeps it. */
uint32_t mcast_layout_owner(const struct mcast_member *member, const struct mcast_view_state *view,
                            uint64_t number);
bool mcast_layout_keeps(const struct mcast_member *member, const struct mcast_view_state *view,
                        uint32_t seat, uint64_t number);
/* Return how many datagrams a round takes. */
uint32_t mcast_layout_hops(const struct mcast_view_state *view);

/* ---- rounds: ring/, repair/pull.c, repair/dead_sender.c ---- */

void mcast_ring_init(struct mcast_view_state *view);
/* Start the rounds if this node leads and they are at rest: something new has to be spread. */
void mcast_ring_wake(struct mcast_member *member, struct mcast_view_state *view);
/* Check who leads after a change. */
void mcast_ring_review(struct mcast_member *member, struct mcast_view_state *view);
/* Handle a token that came home. */
void mcast_round_complete(struct mcast_member *member, struct mcast_view_state *view,
                          const struct mcast_token_head *head);
/* Handle one record of a token that came home. */
void mcast_round_record(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_record *record, uint64_t round);
/* Control budget of the rounds of one region view, in a burst and a second, and about how many
 * requests one round may cause. */
enum { MCAST_BURST_PACKETS = 64, MCAST_PACKETS_A_SECOND = 95, MCAST_REQUESTS_A_ROUND = 48 };
/* Note that a sender's window is more than half full; mcast_pace_is_pressed is true when one said
 * so lately. */
void mcast_pace_press(struct mcast_member *member, struct mcast_view_state *view);
bool mcast_pace_is_pressed(const struct mcast_member *member, const struct mcast_view_state *view);
/* Return how long until the control budget holds the next round. */
mcast_time mcast_pace_wait(struct mcast_member *member, struct mcast_view_state *view);
/* Return when to release the first round after a rest. */
mcast_time mcast_pace_first(struct mcast_member *member, struct mcast_view_state *view);
/* Return when to release the next round. */
mcast_time mcast_pace_next(struct mcast_member *member, struct mcast_view_state *view);
/* Return when to check, before @due, whether the budget allows the next round: dense data earns it
 * sooner than time does. */
mcast_time mcast_pace_look(const struct mcast_member *member, const struct mcast_view_state *view,
                           mcast_time due);
/* True when the budget allows the next round, or the round is due in any case. */
bool mcast_pace_is_due(struct mcast_member *member, struct mcast_view_state *view);
/* True when each token is sent twice: rounds were lost lately, and data pays for it. */
bool mcast_pace_doubles(const struct mcast_member *member, const struct mcast_view_state *view);
/* Return the most requests that a round of @view can cause. */
uint32_t mcast_pace_requests(const struct mcast_member *member,
                             const struct mcast_view_state *view);
/* Charge control packets of @view that this node, its leader, knows of: tokens on their whole way,
 * ACKs, requests, high-water marks. */
void mcast_pace_spent(struct mcast_member *member, struct mcast_view_state *view, uint64_t packets);
/* Begin with an empty control budget at a node that does not lead. */
void mcast_pace_begin(const struct mcast_member *member, struct mcast_view_state *view);
/* True when the control budget has room for @packets, or is as full as it can be. */
bool mcast_pace_allows(struct mcast_member *member, struct mcast_view_state *view,
                       uint64_t packets);
/* Send an ACK to the sender of @stream; with the ranges that @record of a round shows, unless it is
 * NULL. */
void mcast_ack_send(struct mcast_member *member, struct mcast_view_state *view,
                    struct mcast_stream *stream, const struct mcast_record *record);
/* True when @stream has records in tokens. */
bool mcast_stream_is_active(const struct mcast_stream *stream);
/* Request copies from a member or the sender. All requests that one token causes are sent together,
 * one datagram for each target. */
void mcast_requests_flush(struct mcast_member *member, const struct mcast_view_state *view);
void mcast_request_send(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_stream *stream, const struct mcast_peer *to,
                        uint8_t kind, const struct mcast_spans *numbers);

/* Apply rule 1.10 to one record at this node. @from is the hop before in the same partition, or
 * MCAST_NO_SEAT. */
void mcast_visit(struct mcast_member *member, struct mcast_view_state *view,
                 struct mcast_stream *stream, struct mcast_record *record, uint32_t from,
                 uint64_t round);
/* Request what is missing in (contig, @record->cut] from the hop before, @from, and from other
 * partitions. Store in @pulled what was requested from the hop before. */
void mcast_pull(struct mcast_member *member, struct mcast_view_state *view,
                struct mcast_stream *stream, const struct mcast_record *record, uint32_t from,
                uint64_t round, struct mcast_spans *pulled);
/* Request from the hop before only. */
void mcast_pull_back(struct mcast_member *member, struct mcast_view_state *view,
                     struct mcast_stream *stream, const struct mcast_record *record, uint32_t from);
/* Request from the sender the part of @numbers that this node should keep. */
void mcast_pull_from_sender(struct mcast_member *member, struct mcast_view_state *view,
                            struct mcast_stream *stream, uint8_t kind,
                            const struct mcast_spans *numbers);
/* Store what is missing up to @limit of what this node should keep. Ranges may include numbers that
 * its partition does not keep; these mean nothing. */
void mcast_pull_outline(const struct mcast_member *member, const struct mcast_view_state *view,
                        const struct mcast_stream *stream, uint64_t limit,
                        struct mcast_spans *outline);
/* Handle one record of a dead sender (rule 1.0.8). */
void mcast_deathwatch(struct mcast_member *member, struct mcast_view_state *view,
                      struct mcast_stream *stream, struct mcast_record *record);
/* Add @numbers to those proposed to be skipped; mcast_skip_forget clears them. */
void mcast_skip_propose(struct mcast_member *member, struct mcast_stream *stream,
                        const struct mcast_spans *numbers);
void mcast_skip_forget(struct mcast_member *member, struct mcast_stream *stream);
/* ---- partition rings of the mode `independent`: ring/partition_rings.c ---- */
void mcast_apart_init(struct mcast_view_state *view);
bool mcast_apart_is_on(const struct mcast_member *member, const struct mcast_view_state *view);
void mcast_apart_wake(struct mcast_member *member, struct mcast_view_state *view);
/* Merge what the partition learned into the region's token at its leader. */
void mcast_apart_merge(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream, struct mcast_record *record);
/* Learn from a region token that came home, so that the next need not repeat what it says of
 * partitions. */
void mcast_apart_learn(struct mcast_stream *stream, const struct mcast_record *record);
/* Make the record for the partition's round; return false when there is nothing to say. */
bool mcast_apart_begin(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream, struct mcast_record *record);
/* True when the region's round must wait for the partition's. */
bool mcast_apart_is_due(const struct mcast_member *member, const struct mcast_view_state *view);
/* Handle the partition's token coming home after it caused @asked requests, and its records. */
void mcast_apart_complete(struct mcast_member *member, struct mcast_view_state *view,
                          uint32_t asked);
void mcast_apart_record(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_record *record, uint64_t round);
/* ---- a ring that stands still: slow/ring_stopped.c, called by the leader before each round ----
 */
void mcast_suspect_review(struct mcast_member *member, struct mcast_view_state *view);
/* Call all members of @view, to learn which of them hear it. */
void mcast_suspect_call(struct mcast_member *member, struct mcast_view_state *view);
/* Return the seat that has been silent longest, as far as this node knows, or MCAST_NO_SEAT. */
uint32_t mcast_laggard_seat(const struct mcast_member *member, const struct mcast_view_state *view);
/* ---- full windows: slow/window_full.c; @flags are those of a sender's packet, @seat answered a
 * call ---- */
void mcast_brink_init(struct mcast_view_state *view);
void mcast_brink_told(struct mcast_member *member, struct mcast_view_state *view, uint8_t flags);
void mcast_brink_answered(const struct mcast_member *member, struct mcast_view_state *view,
                          uint32_t seat);
/* ---- a node that holds back all others: slow/slow_node.c, at the leader and at that node ---- */
void mcast_slow_node_judge(struct mcast_member *member, struct mcast_view_state *view,
                           struct mcast_judged *judged, const struct mcast_record *record);
void mcast_slow_node_visit(struct mcast_member *member, struct mcast_view_state *view,
                           const struct mcast_stream *stream, const struct mcast_record *record);
/* End a partition's walk, at its leader. */
void mcast_visit_partition_end(struct mcast_member *member, struct mcast_view_state *view,
                               struct mcast_stream *stream, struct mcast_record *record);
/* Make the record of @stream with which the leader of the region begins a round. */
void mcast_record_begin(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, struct mcast_record *record);
/* Handle a token that comes back to the leader of a partition. */
void mcast_visit_return(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, struct mcast_record *record, uint32_t from);
/* Begin a partition's walk, at its leader. */
void mcast_visit_partition_begin(struct mcast_record *record);
/* Return the index under which the ring counts tokens of this stage: partition rings apart from the
 * region's. */
size_t mcast_token_kind(const struct mcast_token_head *head);
/* Apply each record of a token that arrived by @arrived, then pass the token on or complete the
 * round. With @reader NULL this node begins a round with its own streams. */
void mcast_token_pass(struct mcast_member *member, struct mcast_view_state *view,
                      const struct mcast_token_head *head, struct mcast_reader *reader,
                      uint32_t from);

/* ---- repair: repair/resend.c ---- */

struct mcast_repair {
    struct mcast_repair *next;
    mcast_view view;
    mcast_node origin;
    mcast_node target; /* 0: the region address */
    uint64_t number;
    uint8_t kind; /* index into the statistics */
};

enum { MCAST_REPAIR_PUSH, MCAST_REPAIR_PULL, MCAST_REPAIR_CROSS, MCAST_REPAIR_SOURCE };

/* Note that @number of @origin is to be sent again; the packet is built when it is about to leave.
 */
void mcast_repair_intend(struct mcast_member *member, struct mcast_view_state *view,
                         mcast_node origin, uint64_t number, mcast_node target, uint8_t kind);
/* Build and emit as many repairs as the cap and the driver allow. */
void mcast_repair_pump(struct mcast_member *member);
mcast_time mcast_repair_deadline(const struct mcast_member *member);
int mcast_repair_init(struct mcast_member *member);
void mcast_repair_free(struct mcast_member *member);
/* Cut from @range the numbers that this node cannot have, by what it keeps of @origin's packets.
 * The rest is no longer than a window. Return false when nothing is left. */
bool mcast_copies_clip(const struct mcast_member *member, const struct mcast_view_state *view,
                       mcast_node origin, struct mcast_range *range);
/* Most numbers that one datagram may make this node look up: more than any window holds. */
enum { MCAST_LOOKS_A_DATAGRAM = 1 << 18 };
/* True when this node has a copy of @number. */
bool mcast_has_copy(const struct mcast_member *member, const struct mcast_view_state *view,
                    mcast_node origin, uint64_t number);

#endif
