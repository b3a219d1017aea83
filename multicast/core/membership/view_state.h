/* Machine, the region views: seats, rings and rounds, repair. Included by machine.h, after the
 * streams.
 */
#ifndef MCAST_CORE_MACHINE_REGIONS_H
#define MCAST_CORE_MACHINE_REGIONS_H

/* ---- region views: view.c, layout.c ---- */

struct mcast_seat {
    mcast_node node;
    struct mcast_peer *peer;
    bool dead;
    bool demoted;
    uint32_t answered;     /* is the last call of this node, its leader, that it answered … */
    uint32_t missed;       /* … how many rounds in a row reached the seat before alone … */
    uint64_t reached;      /* … the set of the last of them … */
    uint64_t passed;       /* … and that of the round that it said last it had passed on */
    mcast_time owes_since; /* is when it was first called in vain (brink.c), or 0 */
};

/* What is said to have passed at a seat where the view is not known, or not any more. */
#define MCAST_PASSED_UNKNOWN MCAST_ROUND_SET(UINT64_MAX)

/* How many requests the tokens of a round gave rise to, as far as they came by here. */
struct mcast_requested {
    uint64_t set;   /* is that of the round */
    uint32_t count; /* with the next */
    uint32_t own;   /* is how many of them this node sent */
};

/* What a member knows of senders that come to the end of what may be kept: brink.c. */
struct mcast_brink {
    struct mcast_alarm alarm;
    mcast_time since;      /* is when one said so for the first time after quiet … */
    mcast_time told_at;    /* … and last that an eighth of it is used … */
    mcast_time full_at;    /* … that it waits … */
    mcast_time accused_at; /* … and when somebody was last accused of it */
    mcast_time interval;   /* is the time between looks now … */
    mcast_time look_at;    /* … and when the next is */
    uint32_t looks;        /* is how often this node looked since no token passes */
    uint32_t reserved;     /* is how many packets a call that is due waits for */
    mcast_time slowest;    /* is the longest that an answer took lately … */
    mcast_time slow_since; /* … and when that was last halved */
};

/* What the leader of a region view keeps about its rounds. */
struct mcast_ring {
    struct mcast_alarm alarm;
    struct mcast_alarm apart_alarm; /* is that of the partition, where partitions turn apart */
    mcast_time apart_interval;
    uint64_t apart_count;
    uint32_t apart_parts;  /* is how many tokens its last round has */
    mcast_time apart_home; /* is when its last round came home */
    int64_t apart_credit;  /* is how many packets it may spend, in thousandths */
    mcast_time apart_credited;
    uint64_t seen[8]; /* is, for each stage, the last round accepted; 4 … 7 of partitions apart */
    uint64_t seen_parts[8];              /* … and which of its tokens */
    struct mcast_requested requested[2]; /* 1: of partitions apart */
    uint64_t count;                      /* is the number of rounds that this node released … */
    uint64_t home;                       /* the last of them that came home whole … */
    uint64_t closed;                     /* and the last released before the view was closed */
    mcast_time released;                 /* is when the last was */
    mcast_time interval;                 /* is the time between rounds now; 0 at rest */
    mcast_time soonest;                  /* is when the next may be, if the budget holds it … */
    mcast_time due;                      /* … and is by then in any case */
    mcast_time lost_at;                  /* is when one was last found to be lost */
    mcast_time paid_until;  /* is until when time earns nothing for control: data paid */
    mcast_time rtt;         /* is the smoothed time of a round */
    int64_t credit;         /* is how many control packets may be spent, in thousandths */
    uint64_t cost;          /* is how many the last round took */
    uint32_t asked;         /* is how many requests of it are counted in that … */
    uint32_t asked_now;     /* and how many it gave rise to, as far as it came home */
    mcast_time credited;    /* is when credit was last given */
    uint64_t data_bytes;    /* is what came since then */
    uint32_t parts;         /* is how many tokens the round out there has */
    uint32_t parts_home;    /* … and how many of them came back */
    mcast_node ask_from;    /* is the sender whose stream is the first that may ask this time */
    mcast_node ask_next;    /* … and the next; 0 when all could */
    bool out;               /* is a round out there */
    bool owing;             /* is whether no round came home since one that had records */
    bool unrest;            /* is something missing, or was recently */
    bool dense;             /* is whether data earns more for control than time does */
    bool looks;             /* is whether the alarm is to see if the budget holds a round */
    mcast_time pressed_at;  /* is when a sender last said that its window is half full; 0 never */
    bool leading;           /* was this node the leader when it last looked */
    mcast_time heard;       /* is when a token last passed here; at the leader, came home */
    mcast_time spoken;      /* is when its leader called last; at the leader, was answered */
    uint32_t waits_for;     /* is the seat that the leader waits for, as it said then */
    mcast_time still_since; /* is since when no round came home; 0 while they do */
    uint32_t calls;         /* is how often the region was called for that, ever … */
    uint32_t first_call;    /* … before no round came home, the last time … */
    mcast_time called;      /* … when it was last … */
    mcast_time accused;     /* and when somebody was last accused of it */
    struct mcast_brink brink;
};

struct mcast_view_state {
    mcast_view number;
    uint64_t region;
    uint32_t hierarchy;
    struct mcast_address address;
    mcast_epoch epoch; /* is the one it came with */
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
    struct mcast_open_entry *opens; /* is what our OPEN there will say */
    size_t open_count;

    bool committed;          /* is in force, or was */
    mcast_epoch closed_with; /* is the epoch that closed it, 0 while open */
    bool settled;            /* with all before it, see mcast_open_settled */
    bool left_out;           /* others ended it before we said our last number */
    bool closing;            /* takes no new message from us */
    bool closed;             /* … from anybody: finals are known */
    bool listening;
    bool ended;          /* is stable everywhere; only its ring is remembered, to pass the end on */
    uint32_t ends_tried; /* is how many tokens the leader sent to tell the end */
    bool over;           /* is to be freed when the step is over */
    mcast_time demoted_said; /* is when this node, demoted, said last that it caught up */

    struct mcast_stream **streams; /* ascend by sender */
    size_t stream_count;
    size_t stream_room;
    struct mcast_stream *recent; /* is the one found last */
    struct mcast_ring ring;
    struct mcast_outbound *out; /* NULL until we send there */
};

struct mcast_view_state *mcast_view_find(const struct mcast_member *member, mcast_view number);
/* The members of the view that @told tells, for this step: none when we only send there. 0,
 * MCAST_EMALFORMED or MCAST_ENOMEM. In lineup.c. */
int mcast_lineup(struct mcast_member *member, const struct mcast_sm_view *told,
                 const mcast_node **members, size_t *count);

int mcast_view_make(struct mcast_member *member, const struct mcast_sm_view *told,
                    mcast_epoch epoch);
void mcast_view_commit(struct mcast_member *member, struct mcast_view_state *view);
/* Says that no new message of ours goes there; returns our last number. */
uint64_t mcast_view_close(struct mcast_member *member, struct mcast_view_state *view);
/* All of @view is stable everywhere. */
void mcast_view_end(struct mcast_member *member, struct mcast_view_state *view);
/* Ends a closing view whose others have been silent for longer than a dead node takes to be found
 * out by a service that watches all that time: they are gone, or ended it long ago, and nobody
 * told. Returns whether it did. */
bool mcast_view_abandon(struct mcast_member *member, struct mcast_view_state *view);
/* Until when a region that was last heard of at @heard may be silent, and live. */
mcast_time mcast_member_patience(const struct mcast_member *member, mcast_time heard);
/* When mcast_view_abandon is worth calling. */
mcast_time mcast_view_patience(const struct mcast_member *member,
                               const struct mcast_view_state *view);
/* Lets go of what of @view is no longer needed; it may be freed at the end of the step. */
void mcast_view_review(struct mcast_member *member, struct mcast_view_state *view);
/* Frees the views that are over. */
void mcast_views_sweep(struct mcast_member *member);
/* Whether @number is a view that ended here not long ago. */
bool mcast_view_was(const struct mcast_member *member, mcast_view number);
/* Whether a round showed that nothing more can come of @view (leader). */
bool mcast_view_is_stable(const struct mcast_view_state *view);
void mcast_view_free(struct mcast_member *member, struct mcast_view_state *view);
/* A node is gone from all views. */
void mcast_view_bury(struct mcast_member *member, struct mcast_view_state *view, mcast_node node);

bool mcast_view_is_member(const struct mcast_view_state *view);
/* The seat of @node or MCAST_NO_SEAT. */
uint32_t mcast_layout_seat(const struct mcast_view_state *view, mcast_node node);
uint32_t mcast_layout_partition(const struct mcast_view_state *view, uint32_t seat);
/* First seat of a partition; that of partition == partitions is the count. */
uint32_t mcast_layout_begin(const struct mcast_view_state *view, uint32_t partition);
/* The lowest live seat of a partition, MCAST_NO_SEAT if it has none. */
uint32_t mcast_layout_leader(const struct mcast_view_state *view, uint32_t partition);
uint32_t mcast_layout_region_leader(const struct mcast_view_state *view);
bool mcast_layout_leads_region(const struct mcast_view_state *view);
/* Where a token goes that leaves @seat after @stage brought it there; *stage becomes that of the
 * new hop. MCAST_NO_SEAT: the round is complete. */
uint32_t mcast_layout_next(const struct mcast_view_state *view, uint32_t seat, uint8_t *stage);
/* Who must have sent a token that arrives at @seat by @stage. */
uint32_t mcast_layout_before(const struct mcast_view_state *view, uint32_t seat, uint8_t stage);
/* The same for a token that goes from leader to leader alone. */
uint32_t mcast_layout_next_leader(const struct mcast_view_state *view, uint32_t seat,
                                  uint8_t *stage);
/* How many live seats a partition has. */
uint32_t mcast_layout_alive(const struct mcast_view_state *view, uint32_t partition);
/* The partition where the replicas of @number begin (rule 1.0.1), and whether @seat keeps it. */
uint32_t mcast_layout_owner(const struct mcast_member *member, const struct mcast_view_state *view,
                            uint64_t number);
bool mcast_layout_keeps(const struct mcast_member *member, const struct mcast_view_state *view,
                        uint32_t seat, uint64_t number);
/* How many datagrams a round takes. */
uint32_t mcast_layout_hops(const struct mcast_view_state *view);

/* ---- rounds: round.c, pace.c, visit.c, pull.c, deathwatch.c ---- */

void mcast_ring_init(struct mcast_view_state *view);
/* Something happened that rounds must tell about: starts them if this node leads and they rest. */
void mcast_ring_wake(struct mcast_member *member, struct mcast_view_state *view);
/* Who leads may have changed. */
void mcast_ring_review(struct mcast_member *member, struct mcast_view_state *view);
/* A token is home. */
void mcast_round_complete(struct mcast_member *member, struct mcast_view_state *view,
                          const struct mcast_token_head *head);
/* One record of a token that came home. */
void mcast_round_record(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_record *record, uint64_t round);
/* What rounds of one region view may spend at once, and a second; and how many requests one may
 * give rise to, more or less. */
enum { MCAST_BURST_PACKETS = 64, MCAST_PACKETS_A_SECOND = 95, MCAST_REQUESTS_A_ROUND = 48 };
/* A sender says that its window is more than half full; whether one said so lately. */
void mcast_pace_press(struct mcast_member *member, struct mcast_view_state *view);
bool mcast_pace_is_pressed(const struct mcast_member *member, const struct mcast_view_state *view);
/* When the first round after quiet is to be released. */
mcast_time mcast_pace_first(struct mcast_member *member, struct mcast_view_state *view);
/* When the next round is to be released. */
mcast_time mcast_pace_next(struct mcast_member *member, struct mcast_view_state *view);
/* When to look, before @due, whether the budget holds the next round by then: data that flows
 * densely earns it sooner than time does. */
mcast_time mcast_pace_look(const struct mcast_member *member, const struct mcast_view_state *view,
                           mcast_time due);
/* Whether it does, or the round is due in any case. */
bool mcast_pace_is_due(struct mcast_member *member, struct mcast_view_state *view);
/* Whether tokens go twice: rounds were lost lately, and data pays for it. */
bool mcast_pace_doubles(const struct mcast_member *member, const struct mcast_view_state *view);
/* How many requests a round of @view can give rise to at most. */
uint32_t mcast_pace_requests(const struct mcast_member *member,
                             const struct mcast_view_state *view);
/* Control packets of @view that this node, its leader, knows of: tokens on their whole way, ACKs,
 * requests, marks. */
void mcast_pace_spent(struct mcast_member *member, struct mcast_view_state *view, uint64_t packets);
/* The budget of control of this node, which does not lead, begins empty. */
void mcast_pace_begin(const struct mcast_member *member, struct mcast_view_state *view);
/* Whether the budget of control has room for so many, or for all it can hold. */
bool mcast_pace_allows(struct mcast_member *member, struct mcast_view_state *view,
                       uint64_t packets);
/* Sends an ACK to the sender of @stream; with the ranges that @record of a round allows, unless it
 * is NULL. */
void mcast_ack_send(struct mcast_member *member, struct mcast_view_state *view,
                    struct mcast_stream *stream, const struct mcast_record *record);
/* Whether @stream stands in tokens. */
bool mcast_stream_is_active(const struct mcast_stream *stream);
/* Asks a member for copies, or the sender. All that one token gives rise to is sent together, a
 * datagram a target. */
void mcast_requests_flush(struct mcast_member *member, const struct mcast_view_state *view);
void mcast_request_send(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_stream *stream, const struct mcast_peer *to,
                        uint8_t kind, const struct mcast_spans *numbers);

/* Rule 1.10 for one record at this node. @from is the hop before in the same partition, or
 * MCAST_NO_SEAT. */
void mcast_visit(struct mcast_member *member, struct mcast_view_state *view,
                 struct mcast_stream *stream, struct mcast_record *record, uint32_t from,
                 uint64_t round);
/* pull.c: asks for what is missing in (contig, @record->cut]: of the hop before, @from, and of
 * other partitions. @pulled becomes what the first was asked for, as far as it says. */
void mcast_pull(struct mcast_member *member, struct mcast_view_state *view,
                struct mcast_stream *stream, const struct mcast_record *record, uint32_t from,
                uint64_t round, struct mcast_spans *pulled);
/* … of the hop before alone. */
void mcast_pull_back(struct mcast_member *member, struct mcast_view_state *view,
                     struct mcast_stream *stream, const struct mcast_record *record, uint32_t from);
/* … of the sender, what this node should keep of @numbers. */
void mcast_pull_from_sender(struct mcast_member *member, struct mcast_view_state *view,
                            struct mcast_stream *stream, uint8_t kind,
                            const struct mcast_spans *numbers);
/* What is missing up to @limit of what this node should keep. Numbers that its partition does not
 * keep may lie inside a range, and mean nothing. */
void mcast_pull_outline(const struct mcast_member *member, const struct mcast_view_state *view,
                        const struct mcast_stream *stream, uint64_t limit,
                        struct mcast_spans *outline);
/* … for a dead sender (rule 1.0.8). */
void mcast_deathwatch(struct mcast_member *member, struct mcast_view_state *view,
                      struct mcast_stream *stream, struct mcast_record *record);
/* Remembers @numbers as proposed to be skipped, beside those remembered already; forgets them. */
void mcast_skip_propose(struct mcast_member *member, struct mcast_stream *stream,
                        const struct mcast_spans *numbers);
void mcast_skip_forget(struct mcast_member *member, struct mcast_stream *stream);
/* apart.c: whether partitions of @view turn apart now; and what their leaders do. */
void mcast_apart_init(struct mcast_view_state *view);
bool mcast_apart_is_on(const struct mcast_member *member, const struct mcast_view_state *view);
void mcast_apart_wake(struct mcast_member *member, struct mcast_view_state *view);
/* The region's token is at the leader of a partition. */
void mcast_apart_merge(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream, struct mcast_record *record);
/* … came home: what it says of partitions its own leader need not hear with the next. */
void mcast_apart_learn(struct mcast_stream *stream, const struct mcast_record *record);
/* Makes the record that goes round the partition; false when there is nothing to say. */
bool mcast_apart_begin(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream, struct mcast_record *record);
/* Whether the region's round must wait for that of this partition. */
bool mcast_apart_is_due(const struct mcast_member *member, const struct mcast_view_state *view);
/* The token came back, and gave rise to @asked requests; one of its records. */
void mcast_apart_complete(struct mcast_member *member, struct mcast_view_state *view,
                          uint32_t asked);
void mcast_apart_record(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_record *record, uint64_t round);
/* suspect.c: the ring of a region stands still. At its leader, before each round. */
void mcast_suspect_review(struct mcast_member *member, struct mcast_view_state *view);
/* Calls all members of @view, to hear who hears it. */
void mcast_suspect_call(struct mcast_member *member, struct mcast_view_state *view);
/* laggards.c: the seat that has been silent longest, as far as this node knows; MCAST_NO_SEAT. */
uint32_t mcast_laggard_seat(const struct mcast_member *member, const struct mcast_view_state *view);
/* brink.c: a sender said with the @flags of a packet how much it has under way; seat @seat answered
 * a call. */
void mcast_brink_init(struct mcast_view_state *view);
void mcast_brink_told(struct mcast_member *member, struct mcast_view_state *view, uint8_t flags);
void mcast_brink_answered(const struct mcast_member *member, struct mcast_view_state *view,
                          uint32_t seat);
/* slow_node.c: a node that holds all others back, at the leader of a region, and at that node. */
void mcast_slow_node_judge(struct mcast_member *member, struct mcast_view_state *view,
                           struct mcast_judged *judged, const struct mcast_record *record);
void mcast_slow_node_visit(struct mcast_member *member, struct mcast_view_state *view,
                           const struct mcast_stream *stream, const struct mcast_record *record);
/* At the end of a partition's walk, at its leader. */
void mcast_visit_partition_end(struct mcast_member *member, struct mcast_view_state *view,
                               struct mcast_stream *stream, struct mcast_record *record);
/* Makes the record of @stream as the leader of the region begins a round with it. */
void mcast_record_begin(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, struct mcast_record *record);
/* … when the token comes back to the leader of a partition. */
void mcast_visit_return(struct mcast_member *member, struct mcast_view_state *view,
                        struct mcast_stream *stream, struct mcast_record *record, uint32_t from);
/* The leader of a partition begins its walk. */
void mcast_visit_partition_begin(struct mcast_record *record);
/* Lets this node work on each record of a token that is here by @arrived, and passes the token on,
 * or completes the round. With @reader NULL the node begins a round with its own streams. */
void mcast_token_pass(struct mcast_member *member, struct mcast_view_state *view,
                      const struct mcast_token_head *head, struct mcast_reader *reader,
                      uint32_t from);

/* ---- repair: repair.c ---- */

struct mcast_repair {
    struct mcast_repair *next;
    mcast_view view;
    mcast_node origin;
    mcast_node target; /* 0: the region address */
    uint64_t number;
    uint8_t kind; /* indexes the statistics */
};

enum { MCAST_REPAIR_PUSH, MCAST_REPAIR_PULL, MCAST_REPAIR_CROSS, MCAST_REPAIR_SOURCE };

/* Registers the intent to send @number of @origin again; built when it is about to leave. */
void mcast_repair_intend(struct mcast_member *member, struct mcast_view_state *view,
                         mcast_node origin, uint64_t number, mcast_node target, uint8_t kind);
/* Builds and emits what the cap and the room allow. */
void mcast_repair_pump(struct mcast_member *member);
mcast_time mcast_repair_deadline(const struct mcast_member *member);
int mcast_repair_init(struct mcast_member *member);
void mcast_repair_free(struct mcast_member *member);
/* Takes from @range what this node cannot have a copy of, by what it keeps of @origin's packets.
 * What is left is no longer than a window, whoever made the range. Returns whether anything is. */
bool mcast_copies_clip(const struct mcast_member *member, const struct mcast_view_state *view,
                       mcast_node origin, struct mcast_range *range);
/* How many numbers one datagram may make this node look for: more than any window holds. */
enum { MCAST_LOOKS_A_DATAGRAM = 1 << 18 };
/* Whether this node has a copy of @number. */
bool mcast_has_copy(const struct mcast_member *member, const struct mcast_view_state *view,
                    mcast_node origin, uint64_t number);

#endif
