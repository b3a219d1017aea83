/* Machine: the state of a member, and what its files offer each other. A member has peers, region
 * views, groups, routes (classes of groups with equal region lists), repairs and a change to tell;
 * a view has seats, streams (one an active sender), a ring and an outbound.
 *
 * Only step.c calls into handlers; handlers never call each other. Names without `mcast_` are
 * static. */
#ifndef MCAST_CORE_MACHINE_H
#define MCAST_CORE_MACHINE_H

#include "heap.h"
#include "map.h"
#include "mcast/error.h"
#include "mcast/mcast.h"
#include "service_messages.h"
#include "slab.h"
#include "wire.h"
#include "wire_token.h"

#define MCAST_NO_SEAT UINT32_MAX /* is above what an enumerator holds */
enum { MCAST_REPLAY_WINDOW = 4096 };

struct mcast_member;
struct mcast_stream;
struct mcast_view_state;
struct mcast_hybrid;

struct mcast_list {
    void *items;
    size_t count;
    size_t room;
};

/* Room for one more of @size bytes at the end of @list, or NULL for want of memory. */
void *mcast_list_add(struct mcast_member *member, struct mcast_list *list, size_t size);
void mcast_list_free(struct mcast_member *member, struct mcast_list *list, size_t size);

/* ---- time: alarm.c ---- */

struct mcast_alarm {
    struct mcast_timer timer; /* comes first */
    void (*ring)(struct mcast_member *member, struct mcast_alarm *self);
};

/* Sets @alarm to ring at @when, in place of any other time. Want of memory makes the member poll.
 */
void mcast_alarm_set(struct mcast_member *member, struct mcast_alarm *alarm, mcast_time when);
void mcast_alarm_stop(struct mcast_member *member, struct mcast_alarm *alarm);
/* Rings all that is due. */
void mcast_alarms_ring(struct mcast_member *member);

/* ---- what is told in the statistics: measure.c ---- */

/* An alarm rang so much too late. */
void mcast_measure_alarm(struct mcast_member *member, mcast_time late);
/* A token passes here; the one before passed at @before, 0 for none. */
void mcast_measure_token(struct mcast_member *member, mcast_time before);
/* A packet came while something of @stream was missing. */
void mcast_measure_gap(struct mcast_member *member, struct mcast_stream *stream, bool repaired);

/* ---- nodes: peer.c ---- */

struct mcast_replay {
    uint64_t highest;
    uint64_t seen[MCAST_REPLAY_WINDOW / 64]; /* is a ring of bits below highest */
};

struct mcast_peer {
    mcast_node node;
    uint32_t check; /* is the incarnation's 32 bits */
    struct mcast_id id;
    uint64_t incarnation;
    struct mcast_address address;
    bool dead;       /* was declared; its data comes as repair only (rule 1.0.8) */
    mcast_time told; /* is when it was last told STALE or EVICTED */
    struct mcast_replay *replay[MCAST_SOCKETS];
    struct mcast_stream *gated; /* is a list of its streams that wait for an older view */
};

struct mcast_peer *mcast_peer_find(const struct mcast_member *member, mcast_node node);
int mcast_peer_put(struct mcast_member *member, const struct mcast_sm_node *node);
/* Whether a datagram with that counter is new on that socket; marks it. */
bool mcast_peer_counter(struct mcast_member *member, struct mcast_peer *peer,
                        enum mcast_socket socket, uint64_t counter);
void mcast_peers_free(struct mcast_member *member);

/* ---- what arrived: arrivals.c ---- */

enum mcast_slot_state {
    MCAST_SLOT_EMPTY = 0,
    MCAST_SLOT_KEPT,    /* has a packet */
    MCAST_SLOT_SKIPPED, /* is to be passed over: the number exists nowhere */
};

struct mcast_slot {
    struct mcast_buffer *buffer;
    const uint8_t *frames; /* lies in buffer */
    uint32_t length;
    uint8_t state;
};

/* A ring of slots by number: the copies kept for others and those that wait for their turn. */
struct mcast_arrivals {
    struct mcast_slot *slots;
    uint32_t mask; /* is the count of slots - 1; 0 with slots == NULL */
    uint64_t low;  /* is the lowest number that may have a slot */
    uint32_t kept; /* is how many slots are not empty */
};

/* The slot of @number, or NULL when it has none. */
struct mcast_slot *mcast_arrivals_find(const struct mcast_arrivals *arrivals, uint64_t number,
                                       uint64_t hi);
/* Makes room for [low, @number]. 0, MCAST_EFULL when that is too far, MCAST_ENOMEM. */
int mcast_arrivals_reserve(struct mcast_member *member, struct mcast_arrivals *arrivals,
                           uint64_t number, uint64_t hi);
/* Takes hold of @frames in a slot; copies them out when the buffer is much larger. */
int mcast_arrivals_keep(struct mcast_member *member, struct mcast_arrivals *arrivals,
                        uint64_t number, struct mcast_buffer *buffer, const uint8_t *frames,
                        uint32_t length);
void mcast_arrivals_drop(struct mcast_member *member, struct mcast_arrivals *arrivals,
                         uint64_t number);
void mcast_arrivals_free(struct mcast_member *member, struct mcast_arrivals *arrivals);

/* ---- streams: stream.c, gate.c ---- */

struct mcast_gate {
    mcast_view view;
    uint64_t last;
};

/* What a leader remembers of a stream between rounds, and what a dead sender needs; made when used.
 */
struct mcast_judged {
    uint64_t cut;    /* is that of the last completed round */
    uint64_t reach;  /* is the highest number that the round out there tells about */
    uint64_t before; /* is the one that `own` tells about */
    uint64_t contig; /* is the region's, of that round */
    uint64_t acked;  /* is what the sender was told last … */
    mcast_time acked_at;
    uint32_t low;
    mcast_time low_since; /* is since when the same seat holds it back */
    uint64_t hi;          /* is the region's, of that round */
    bool missing;
    bool aware;     /* all knew of the death in that round */
    bool skip_told; /* went round once */
    struct mcast_own_list own;
    struct mcast_spans want;
    struct mcast_spans skip;
};

/* What the leader of a partition keeps of a stream where partitions turn apart; made when used. */
struct mcast_apart {
    uint64_t purge, cut, before; /* are what the region's token said last */
    struct mcast_own_list last;
    uint64_t contig, hi, judged; /* are what the partition's own round learned */
    uint32_t low;
    struct mcast_spans owned;
    bool told, walked; /* whether a token of the region, of the partition, was here */
    bool missing;
    bool rest; /* the mark that nothing is new is to go round the partition */
};

struct mcast_stream {
    struct mcast_view_state *view;
    struct mcast_peer *peer; /* is the sender; ourselves too */
    mcast_node sender;
    uint64_t contig;    /* is the number up to which all was accepted (rule 1.0.4) */
    uint64_t delivered; /* … and handed on */
    uint64_t hi;        /* is the highest number known to exist */
    uint64_t purged;    /* is the number up to which nobody needs copies */
    uint64_t final;     /* is the last there will be, UINT64_MAX while unknown */
    uint64_t settled;   /* is hi as it was before the reordering time */
    uint64_t settling;
    mcast_time settling_since;
    mcast_time hi_at;     /* is when hi last grew */
    mcast_time gap_since; /* is since when something is missing, 0 while nothing is */
    struct mcast_arrivals arrivals;
    uint64_t round_set;   /* is the round in which it last stood in a token … */
    mcast_time round_at;  /* and when that was here, while it was not to rest */
    uint64_t asked_round; /* is the round in which repair was last asked for */
    struct mcast_judged *judged;
    struct mcast_apart *apart;
    struct mcast_gate *gates; /* are the older views to wait for */
    uint32_t gate_count;
    struct mcast_stream *next_gated;
    bool quiescent; /* was marked: not in tokens until something new comes */
    bool gated;
    bool opened;  /* the first packet was accepted */
    bool holding; /* holds copies back from the application until the view is committed */
    struct mcast_spans *skip; /* is what a leader proposed; NULL when nothing */
};

/* The stream of @sender in @view, or NULL. */
struct mcast_stream *mcast_stream_find(const struct mcast_view_state *view, mcast_node sender);
/* … made if it is not there; NULL for want of memory. */
struct mcast_stream *mcast_stream_make(struct mcast_member *member, struct mcast_view_state *view,
                                       struct mcast_peer *peer);
void mcast_stream_free(struct mcast_member *member, struct mcast_stream *stream);
struct mcast_judged *mcast_stream_judged(struct mcast_member *member, struct mcast_stream *stream);

/* A packet of @stream came in: keeps it, delivers what is ready. Returns whether it was new. */
bool mcast_stream_accept(struct mcast_member *member, struct mcast_stream *stream, uint64_t number,
                         struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length,
                         bool repaired);
/* Something says that numbers up to @hi exist: the stream is active again. */
void mcast_stream_know(struct mcast_member *member, struct mcast_stream *stream, uint64_t hi);
/* Puts @stream back into tokens, though nothing new is known of it. */
void mcast_stream_rouse(struct mcast_member *member, struct mcast_stream *stream);
/* Lets the settled number follow as time goes by. */
void mcast_stream_settle(struct mcast_member *member, struct mcast_stream *stream);
/* Delivers what may be delivered now. */
void mcast_stream_flow(struct mcast_member *member, struct mcast_stream *stream);
/* Tries again what could not be handed on for want of memory. */
void mcast_streams_flow_again(struct mcast_member *member);
/* What is missing of (contig, @limit]. */
void mcast_stream_missing(const struct mcast_member *member, const struct mcast_stream *stream,
                          uint64_t limit, struct mcast_spans *missing);
/* What is missing of [@from, @limit], @from above contig. */
void mcast_stream_missing_from(const struct mcast_member *member, const struct mcast_stream *stream,
                               uint64_t from, uint64_t limit, struct mcast_spans *missing);
/* Everybody has all up to @number: lets go of copies. */
void mcast_stream_purge(struct mcast_member *member, struct mcast_stream *stream, uint64_t number);
/* Passes over @numbers where they are missing, and tells the application. */
void mcast_stream_skip(struct mcast_member *member, struct mcast_stream *stream,
                       const struct mcast_spans *numbers);
/* Sets the gates of @stream after its OPEN, and whether any holds. */
int mcast_gate_set(struct mcast_member *member, struct mcast_stream *stream,
                   const struct mcast_open_entry *entries, size_t count);
/* Looks again at all streams of @peer that wait. */
void mcast_gates_review(struct mcast_member *member, struct mcast_peer *peer);

/* ---- region views: view.c, layout.c ---- */

struct mcast_seat {
    mcast_node node;
    struct mcast_peer *peer;
    bool dead;
    bool demoted;
};

/* What the leader of a region view keeps about its rounds. */
struct mcast_ring {
    struct mcast_alarm alarm;
    struct mcast_alarm apart_alarm; /* is that of the partition, where partitions turn apart */
    mcast_time apart_interval;
    uint64_t apart_count;
    mcast_time apart_home; /* is when its last round came home */
    int64_t apart_credit;  /* is how many packets it may spend, in thousandths */
    mcast_time apart_credited;
    uint64_t seen[8]; /* is, for each stage, the last round accepted; 4 … 7 of partitions apart */
    uint64_t seen_parts[8]; /* … and which of its tokens */
    uint64_t count;         /* is the number of rounds that this node released … */
    uint64_t home;          /* the last of them that came home whole … */
    uint64_t closed;        /* and the last released before the view was closed */
    mcast_time released;    /* is when the last was */
    mcast_time interval;    /* is the time between rounds now; 0 at rest */
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
    mcast_time pressed_at;  /* is when a sender last said that its window is half full; 0 never */
    bool leading;           /* was this node the leader when it last looked */
    mcast_time heard;       /* is when a token last passed here; at the leader, came home */
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
enum { MCAST_BURST_PACKETS = 70, MCAST_PACKETS_A_SECOND = 110, MCAST_REQUESTS_A_ROUND = 48 };
/* A sender says that its window is more than half full; whether one said so lately. */
void mcast_pace_press(struct mcast_member *member, struct mcast_view_state *view);
bool mcast_pace_is_pressed(const struct mcast_member *member, const struct mcast_view_state *view);
/* When the first round after quiet is to be released. */
mcast_time mcast_pace_first(struct mcast_member *member, struct mcast_view_state *view);
/* When the next round is to be released. */
mcast_time mcast_pace_next(struct mcast_member *member, struct mcast_view_state *view);
/* Control packets of @view that this node, its leader, knows of: tokens on their whole way, ACKs,
 * requests, marks. */
void mcast_pace_spent(struct mcast_member *member, struct mcast_view_state *view, uint64_t packets);
/* Sends an ACK to the sender of @stream. */
void mcast_ack_send(struct mcast_member *member, struct mcast_view_state *view,
                    struct mcast_stream *stream);
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
/* Makes the record that goes round the partition; false when there is nothing to say. */
bool mcast_apart_begin(struct mcast_member *member, struct mcast_view_state *view,
                       struct mcast_stream *stream, struct mcast_record *record);
/* Whether the region's round must wait for that of this partition. */
bool mcast_apart_is_due(const struct mcast_member *member, const struct mcast_view_state *view);
/* The token came back, and gave rise to @asked requests; one of its records. */
void mcast_apart_complete(struct mcast_member *member, struct mcast_view_state *view,
                          uint32_t asked);
void mcast_apart_record(struct mcast_member *member, struct mcast_view_state *view,
                        const struct mcast_record *record);
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
/* Whether this node has a copy of @number. */
bool mcast_has_copy(const struct mcast_member *member, const struct mcast_view_state *view,
                    mcast_node origin, uint64_t number);

/* ---- sending: outbound.c, packet.c, transmit.c, open.c, settle.c ---- */

/* A message that left, until it is stable everywhere. */
struct mcast_sent {
    struct mcast_sent *next; /* is the next younger of the group */
    uint32_t group;
    uint32_t views; /* is how many packets carry it and are not acknowledged */
    uint64_t number;
    uint64_t cookie;
    bool whole;     /* has wholly left */
    bool uncertain; /* nobody is left who could say that it arrived */
};

enum { MCAST_PACKET_FRAMES = 64 };

struct mcast_packet {
    struct mcast_packet *next; /* is the list of those that are done with */
    uint64_t number;
    mcast_time sent_at;
    uint32_t room;             /* is the size of bytes[] */
    uint32_t length;           /* is how much of it is used: header and frames */
    struct mcast_buffer *body; /* is the payload of the last frame, when it was not copied */
    const uint8_t *body_bytes;
    uint32_t body_length;
    uint32_t sent_count;
    struct mcast_sent **sents;
    uint32_t sent_room;
    struct mcast_sent *one; /* is where sents points while one is enough */
    uint8_t tag[MCAST_TAG_SIZE];
    uint8_t bytes[];
};

struct mcast_outbound {
    struct mcast_view_state *view;
    struct mcast_packet **packets; /* is a ring by number: acked + 1 … last */
    uint32_t mask;
    uint64_t last;   /* is the last number used */
    uint64_t acked;  /* is acknowledged by the region */
    uint64_t flight; /* is in bytes */
    uint64_t window;
    bool opened;
    struct mcast_packet *filling; /* is the packet that small messages are put in */
    struct mcast_alarm batch;
    struct mcast_alarm high_water;
    mcast_time high_water_step;
    mcast_time last_sent;
    mcast_time heard; /* is when a member of the region spoke of it last, or the view closed */
    uint32_t unheard; /* is how many high-water marks nobody answered since */
    mcast_time rate_since;
    uint64_t rate_bytes;
    uint64_t rate;       /* is the measured one, bytes a second */
    mcast_time ack_time; /* is smoothed */
};

struct mcast_outbound *mcast_outbound_make(struct mcast_member *member,
                                           struct mcast_view_state *view);
void mcast_outbound_free(struct mcast_member *member, struct mcast_outbound *out);
/* Whether a packet of the usual size may leave now. */
bool mcast_outbound_open(const struct mcast_member *member, const struct mcast_view_state *view);
/* Everybody in the region has all up to @number. */
void mcast_outbound_ack(struct mcast_member *member, struct mcast_outbound *out, uint64_t number);
/* A member of the region spoke of the view to us: somebody lives there. */
void mcast_outbound_hear(struct mcast_member *member, struct mcast_outbound *out);
struct mcast_packet *mcast_outbound_find(const struct mcast_outbound *out, uint64_t number);
/* Sends the OPEN if nothing was sent yet. 0 or MCAST_ENOMEM. */
int mcast_open_send(struct mcast_member *member, struct mcast_view_state *view);
/* What the OPEN of @view must say: after the views before it are closed. */
int mcast_open_inherit(struct mcast_member *member, struct mcast_view_state *view);
/* Whether all that we sent in @view, and before it, is at its members. */
bool mcast_open_settled(const struct mcast_member *member, struct mcast_view_state *view);

/* Whether a payload stays where it is, in @buffer, instead of being copied into the packet. */
bool mcast_packet_refers(const struct mcast_member *member, const struct mcast_buffer *buffer,
                         uint32_t length);

struct mcast_packet *mcast_packet_new(struct mcast_member *member, uint32_t room);
/* Frees @packet when the outputs of this step are done with. */
void mcast_packet_free(struct mcast_member *member, struct mcast_packet *packet);
void mcast_packets_sweep(struct mcast_member *member);
/* Appends a frame. MCAST_EFULL when the datagram has no room for it. */
int mcast_packet_add(struct mcast_member *member, struct mcast_packet *packet,
                     const struct mcast_frame *frame, struct mcast_buffer *buffer,
                     struct mcast_sent *sent);
/* Makes room for one packet more. 0 or MCAST_ENOMEM. */
int mcast_outbound_reserve(struct mcast_member *member, struct mcast_outbound *out);
/* Gives @packet the next number and takes it into the window, for which there is room reserved.
 * Returns whether somebody is to hear it, and then with which @flags. */
bool mcast_outbound_enter(struct mcast_member *member, struct mcast_outbound *out,
                          struct mcast_packet *packet, uint8_t *flags);
/* @number left: it is in our own stream, and acknowledged when nobody else is there. */
void mcast_outbound_follow(struct mcast_member *member, struct mcast_outbound *out,
                           uint64_t number);
void mcast_high_water_send(struct mcast_member *member, const struct mcast_outbound *out);
/* Gives the packet a number and sends it to the region. */
int mcast_packet_send(struct mcast_member *member, struct mcast_outbound *out,
                      struct mcast_packet *packet);

/* Sends what groups have to send, as far as windows and the driver's room allow. */
void mcast_transmit(struct mcast_member *member);
/* Sends the packet that waits for company. */
void mcast_transmit_flush(struct mcast_member *member, struct mcast_outbound *out);
/* One of the packets that carry @sent is acknowledged. */
void mcast_sent_acked(struct mcast_member *member, struct mcast_sent *sent);
/* The group of this list is gone: each goes with the last packet that carries it. */
void mcast_sent_orphan(struct mcast_member *member, struct mcast_sent *first);
/* A packet that carries @sent goes without an acknowledgement. */
void mcast_sent_abandon(struct mcast_member *member, struct mcast_sent *sent);
/* Tells how far @group is stable, and forgets what is. */
void mcast_sent_review(struct mcast_member *member, uint32_t group);

/* ---- requests of the application: send.c, want.c ---- */

void mcast_send_add(struct mcast_member *member, const struct mcast_event *event);
/* Takes the first send of @group off its queue. */
void mcast_send_done(struct mcast_member *member, uint32_t group);
void mcast_want_ask(struct mcast_member *member, uint32_t group);
void mcast_want_answer(struct mcast_member *member, const struct mcast_event *event);
void mcast_want_init(struct mcast_member *member);
void mcast_refuse(struct mcast_member *member, uint32_t group, uint64_t cookie, int code);

/* ---- the rate: rate.c ---- */

/* Whether data may leave now; gives credit for the time that went by. */
bool mcast_rate_allows(struct mcast_member *member);
void mcast_rate_spend(struct mcast_member *member, uint32_t bytes);
/* An acknowledgement came for @out: faster or slower from now on. */
void mcast_rate_heed(struct mcast_member *member, const struct mcast_outbound *out);
/* When data may leave again that waits for the rate, or MCAST_NEVER. */
mcast_time mcast_rate_deadline(const struct mcast_member *member);

/* ---- groups: group.c, route.c ---- */

struct mcast_send {
    struct mcast_send *next;
    struct mcast_buffer *buffer;
    const uint8_t *bytes;
    uint32_t length;
    uint32_t offset; /* is how much of it left as fragments */
    uint64_t cookie;
    uint64_t number; /* is set with the first fragment */
    struct mcast_sent *sent;
    bool pull;
    bool asked;
    uint32_t done; /* is how many views of the route have the packet at work */
    bool stable;   /* is no message: tells that all up to `number` is stable */
};

/* What a group needs while something of it is under way. */
struct mcast_active {
    struct mcast_send *first;
    struct mcast_send *last;
    struct mcast_sent *oldest; /* is the oldest message not known to be stable */
    struct mcast_sent *newest;
    uint32_t next_ready; /* is the next group in the route's queue */
    uint32_t pending;    /* is how many sends wait */
    uint32_t unstable;
    bool queued;
    mcast_time wanted;  /* is when a WANT went out, 0 when none is open */
    uint32_t next_want; /* is the next group in the list of those asked */
    bool in_wants;
    bool waits;               /* was told as paused */
    mcast_time paused_until;  /* is when the pauses asked for by receivers end by themselves */
    mcast_time metered_until; /* is until when some receiver counts what leaves */
    uint64_t stable;          /* is the number told last as stable */
};

/* Who of this group's senders was asked to wait. */
struct mcast_pause {
    uint32_t group;
    mcast_node sender;
    mcast_time said; /* is when it was told last */
    bool open;       /* may send so many messages as it was told; else it waits */
};

enum mcast_group_state {
    MCAST_GROUP_FREE = 0,
    MCAST_GROUP_ASKED,   /* the service was or will be asked */
    MCAST_GROUP_IN,      /* is in force */
    MCAST_GROUP_LEAVING, /* nothing is delivered any more */
};

struct mcast_group {
    struct mcast_id id;
    struct mcast_route *route;
    struct mcast_active *active;
    uint64_t number; /* is that of the last message sent */
    mcast_epoch view_number;
    mcast_epoch since; /* is the epoch with which this node joined it: older views owe it nothing */
    struct mcast_hybrid *hybrid; /* is its own address; NULL when it has none */
    uint32_t short_name;
    uint32_t held; /* is how many deliveries the application has not consumed */
    uint64_t held_bytes;
    uint32_t queue_messages;
    uint32_t queue_bytes;
    uint32_t taken; /* is how many it consumed since senders were told to go on */
    uint8_t slow;
    uint8_t state;
    bool receives : 1; /* false for a registered sender */
    bool tell_stable : 1;
    bool paused : 1;   /* we asked senders to wait */
    bool demoted : 1;  /* nothing is delivered until RESUME */
    bool behind : 1;   /* the application was told that its queue fills */
    bool expelled : 1; /* leaves because it fell behind */
    bool leave_asked : 1;
    bool asks_members : 1; /* who is in it was asked, and not yet answered */
};

#define MCAST_NO_GROUP UINT32_MAX

struct mcast_group *mcast_group_at(const struct mcast_member *member, uint32_t group);
/* Whether messages of @group are handed on: not before its first view, not after LEAVE. */
bool mcast_group_receives(const struct mcast_group *group);
/* The caller's number of the group with that short name, or MCAST_NO_GROUP. */
uint32_t mcast_group_named(const struct mcast_member *member, uint32_t short_name);
void mcast_group_join(struct mcast_member *member, uint32_t group, const struct mcast_id *id,
                      const struct mcast_group_policy *policy, bool receives);
void mcast_group_leave(struct mcast_member *member, uint32_t group);
/* The service answered: the group has a short name, or @code. */
void mcast_group_named_as(struct mcast_member *member, uint32_t group, uint32_t short_name,
                          int32_t code);
void mcast_group_forget(struct mcast_member *member, uint32_t group);
void mcast_groups_free(struct mcast_member *member);
struct mcast_active *mcast_group_active(struct mcast_member *member, struct mcast_group *group);
/* Ends what is no longer needed of group's activity. */
void mcast_group_rest(struct mcast_member *member, struct mcast_group *group);

struct mcast_route {
    uint32_t class_number;
    uint32_t groups; /* is how many groups of ours point here */
    mcast_view *numbers;
    struct mcast_view_state **views;
    size_t count;
    uint32_t first_ready; /* is a queue of groups that have something to send */
    uint32_t last_ready;
    struct mcast_route *next; /* is the ring of routes with ready groups */
    struct mcast_route *before;
    bool ready;
};

struct mcast_route *mcast_route_find(const struct mcast_member *member, uint32_t class_number);
int mcast_route_put(struct mcast_member *member, const struct mcast_sm_class *told);
void mcast_route_bind(struct mcast_member *member, struct mcast_route *route);
/* Forgets @view, which is about to end, wherever a route points to it. */
void mcast_routes_unbind(struct mcast_member *member, const struct mcast_view_state *view);
/* Between the two no route ends, though its last group may leave: of the groups that an update
 * moves, a later one may take the route that an earlier one left. */
void mcast_routes_hold(struct mcast_member *member);
void mcast_routes_settle(struct mcast_member *member);
void mcast_routes_free(struct mcast_member *member);
/* Moves @group to @route, NULL for none. */
void mcast_route_move(struct mcast_member *member, uint32_t group, struct mcast_route *route);
/* Puts @group at the end of its route's queue if it has something to send. */
void mcast_route_ready(struct mcast_member *member, uint32_t group);
void mcast_route_unready(struct mcast_member *member, uint32_t group);
uint32_t mcast_route_take(struct mcast_member *member, struct mcast_route *route);

/* ---- delivering: deliver.c, fragments.c, slow.c ---- */

/* Hands the frames of one packet on, in order. */
void mcast_deliver(struct mcast_member *member, const struct mcast_stream *stream,
                   struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length);
void mcast_deliver_message(struct mcast_member *member, uint32_t group, mcast_node sender,
                           uint64_t number, struct mcast_buffer *buffer, const uint8_t *bytes,
                           uint32_t length);
void mcast_fragments_init(struct mcast_member *member);
/* Ends what was put together of senders who are dead and of whom nothing more comes. */
void mcast_fragments_review(struct mcast_member *member);
void mcast_fragment(struct mcast_member *member, uint32_t group, mcast_node sender,
                    const struct mcast_frame *frame);
/* Ends what was put together of @sender, or for @group; 0 and MCAST_NO_GROUP mean any. */
void mcast_fragments_forget(struct mcast_member *member, mcast_node sender, uint32_t group);
/* Whether the policy of @group lets one more message of @length pass to the application. */
bool mcast_slow_admit(struct mcast_member *member, uint32_t group, mcast_node sender,
                      uint64_t number, uint32_t length);
void mcast_slow_resume(struct mcast_member *member, uint32_t group);
void mcast_slow_init(struct mcast_member *member);
/* slow_sender.c: what this node sends, and receivers that cannot follow. */
void mcast_slow_sender_init(struct mcast_member *member);
void mcast_slow_sender_free(struct mcast_member *member);
/* A receiver asked this node to wait with @group, or not to. */
void mcast_slow_told(struct mcast_member *member, const struct mcast_flow *flow,
                     mcast_node receiver, uint32_t group);
/* A message of @group leaves: it may have been the last one allowed. */
void mcast_slow_spend(struct mcast_member *member, uint32_t group);
void mcast_slow_consumed(struct mcast_member *member, uint32_t group, uint32_t messages,
                         uint64_t bytes);

/* ---- the service: membership.h ---- */

#include "membership.h"

/* ---- output: emit.h ---- */

struct mcast_scratch_chunk;

struct mcast_emitted {
    struct mcast_list control;    /* of struct mcast_datagram, until it is their turn */
    struct mcast_list requests;   /* of struct mcast_datagram, those that follow tokens */
    struct mcast_list early;      /* of struct mcast_datagram, data before its turn */
    struct mcast_list datagrams;  /* of struct mcast_datagram, in the order in which they leave */
    struct mcast_list deliveries; /* of struct mcast_delivery */
    struct mcast_list controls;   /* of struct mcast_control */
    struct mcast_list wants;      /* of struct mcast_want */
    struct mcast_list notices;    /* of struct mcast_notice */
    struct mcast_list releases;   /* of struct mcast_buffer * */
    uint32_t room;                /* is how many data datagrams the driver still takes */
    bool more;
    bool data_turn; /* data leaves from now on */
};

/* ---- the whole ---- */

struct mcast_datagram_in {
    struct mcast_header header;
    struct mcast_peer *peer;
    struct mcast_view_state *view; /* NULL where none is named or known */
    const uint8_t *body;           /* is what lies between header and tag */
    uint32_t length;
    struct mcast_buffer *buffer;
    enum mcast_socket socket;
};

struct mcast_unknown {
    struct mcast_datagram_in in;
    mcast_time came;
};

struct mcast_ask {
    const struct mcast_peer *to;
    struct mcast_request request;
};

struct mcast_partial;

struct mcast_member {
    struct mcast_config config;
    struct mcast_alloc alloc; /* counts what the caller's hands out */
    const struct mcast_alloc *caller;
    uint64_t memory;
    bool short_of_memory; /* in this step */
    bool flow_again;      /* something could not be handed on for want of memory */
    mcast_time now;
    uint64_t random;
    struct mcast_stats stats;
    mcast_time latest; /* is how late an alarm rang, at most, in the second that runs */
    mcast_time latest_since;

    mcast_node node;
    uint32_t check;
    uint64_t incarnation;
    struct mcast_peer *self;
    mcast_epoch epoch; /* is committed */
    bool connected;
    bool welcomed;
    bool evicted;
    bool wants_eviction; /* found out by itself that the cluster goes on without it */
    bool stopping;
    bool stopped;
    mcast_time heartbeat;
    mcast_time suspicion;
    mcast_time service_heard;
    mcast_time welcomed_at; /* is since when the service has watched all nodes, this one's too */
    bool served;            /* a service has told us everything, over this connection */
    struct mcast_alarm heartbeat_alarm;
    struct mcast_change change;
    struct mcast_service_message prepared; /* is the PREPARE that waits for its COMMIT */
    bool has_prepared;

    struct mcast_map peers; /* node -> struct mcast_peer * */
    struct mcast_map views; /* number -> struct mcast_view_state * */
    struct mcast_view_state *first_view;
    mcast_view past[256]; /* is a ring of views that ended */
    uint32_t past_count;
    bool views_over;         /* some view is to be freed */
    mcast_view newest_view;  /* is the highest number told */
    struct mcast_map routes; /* class -> struct mcast_route * */
    struct mcast_route *ready_routes;
    struct mcast_heap timers;
    bool poll; /* an alarm could not be set */

    struct mcast_group **chunks; /* of 256 groups */
    size_t chunk_count;
    struct mcast_map shorts; /* short name -> the caller's number */

    struct mcast_repair *repair_first;
    struct mcast_repair *repair_last;
    struct mcast_map repair_index; /* digest -> struct mcast_repair * */
    struct mcast_slab repair_slab;
    uint32_t repair_count;
    struct mcast_recent *recent; /* is what was repaired lately, by digest */
    int64_t repair_credit;       /* is in bytes */
    mcast_time repair_credited;

    struct mcast_packet *packets_done;
    struct mcast_slab send_slab;
    struct mcast_slab sent_slab;
    struct mcast_slab active_slab;
    struct mcast_slab partial_slab;
    struct mcast_partial *partials;
    bool partials_orphaned; /* the stream of a dead sender may have come to its end */
    uint32_t first_want;    /* is a list of groups asked for a payload, the oldest first */
    uint32_t last_want;
    struct mcast_alarm want_alarm;
    struct mcast_list pauses; /* of struct mcast_pause: who of us was asked to wait */
    struct mcast_alarm pause_alarm;
    struct mcast_list brakes; /* is slow_sender.c's: what receivers asked of us */
    struct mcast_alarm brake_alarm;

    struct mcast_hybrid *hybrids; /* is a list */
    uint32_t hybrids_leaving;     /* is how many of them are over, but for what is on its way */

    struct mcast_unknown *unknown; /* is a ring */
    size_t unknown_count;

    uint64_t rate; /* is in bytes a second; 0 until data leaves under a cap */
    int64_t rate_credit;
    mcast_time rate_credited;
    uint32_t rate_laggard; /* is how many acknowledgements in a row left too much under way */
    uint64_t counters[MCAST_SOCKETS];
    uint32_t requests_left; /* is how many a token may still give rise to at this node */
    struct mcast_list asks; /* of struct mcast_ask: what this token gives rise to */
    mcast_time reorder;     /* is the longest reordering seen lately */
    struct mcast_emitted emitted;
    struct mcast_scratch_chunk *scratch;
    struct mcast_record *record; /* is room for one record at work */
};

uint64_t mcast_random(struct mcast_member *member);

#include "emit.h"
#include "hybrid.h"
#include "recv.h"

#endif
