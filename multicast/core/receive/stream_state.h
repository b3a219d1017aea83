/* Stream state: alarms, peers, stored packets, streams. Included by member/member_state.h, as the
 * first of its parts. */
#ifndef MCAST_CORE_RECEIVE_STREAM_STATE_H
#define MCAST_CORE_RECEIVE_STREAM_STATE_H

/* ---- alarms: member/alarm.c ---- */

struct mcast_alarm {
    struct mcast_timer timer; /* must be the first field */
    void (*ring)(struct mcast_member *member, struct mcast_alarm *self);
};

/* Reserve places for @count alarms for the lifetime of their owner, so that setting one cannot
 * fail. 0 or MCAST_ENOMEM. */
int mcast_alarms_add(struct mcast_member *member, size_t count);
/* Return the places of @count stopped alarms. */
void mcast_alarms_remove(struct mcast_member *member, size_t count);
/* Set @alarm to ring at @when, instead of any other time. */
void mcast_alarm_set(struct mcast_member *member, struct mcast_alarm *alarm, mcast_time when);
void mcast_alarm_stop(struct mcast_member *member, struct mcast_alarm *alarm);
/* Ring all alarms that are due. */
void mcast_alarms_ring(struct mcast_member *member);

/* ---- statistics: member/statistics.c ---- */

/* Record by how much an alarm rang too late. */
void mcast_measure_alarm(struct mcast_member *member, mcast_time late);
/* Record a token; the one before passed at @before, 0 for none. */
void mcast_measure_token(struct mcast_member *member, mcast_time before);
/* Record a packet that arrived while numbers of @stream were missing. */
void mcast_measure_gap(struct mcast_member *member, struct mcast_stream *stream, bool repaired);

/* ---- peers: member/peer.c, member/replay_window.c ---- */

struct mcast_replay {
    uint64_t highest;
    uint64_t seen[MCAST_REPLAY_WINDOW / 64]; /* a ring of bits below `highest` */
};

struct mcast_peer {
    mcast_node node;
    uint32_t check; /* 32-bit check of the incarnation */
    struct mcast_id id;
    uint64_t incarnation;
    struct mcast_address address;
    bool dead;          /* declared dead; its data arrives as repair only (rule 1.0.8) */
    mcast_time died_at; /* when that was heard */
    mcast_time told;    /* when it was last sent STALE or EVICTED */
    struct mcast_replay *replay[MCAST_SOCKETS];
    struct mcast_stream *gated; /* list of its streams that wait for an older view */
};

struct mcast_peer *mcast_peer_find(const struct mcast_member *member, mcast_node node);
int mcast_peer_put(struct mcast_member *member, const struct mcast_sm_node *node);

/* True when a datagram with @counter is new on @socket; marks the counter. */
bool mcast_peer_counter(struct mcast_member *member, struct mcast_peer *peer,
                        enum mcast_socket socket, uint64_t counter);
/* Free @peer, which nothing refers to. */
void mcast_peer_end(struct mcast_member *member, struct mcast_peer *peer);
void mcast_peers_free(struct mcast_member *member);

/* ---- forgotten peers: member/forgotten_peers.c ---- */

int mcast_forget_init(struct mcast_member *member);
void mcast_forget_free(struct mcast_member *member);
/* Add a dead peer that came and died while this node was away, so that nobody announced it here.
 * Other members have its messages, some of them for this node too; a name is enough, since data of
 * the dead arrives as repair (rule 1.0.8). A known peer is left as it is. */
void mcast_peer_meet_dead(struct mcast_member *member, mcast_node node);
/* Schedule the dead @peer to be forgotten, except for its name. */
void mcast_forget_later(struct mcast_member *member, struct mcast_peer *peer);
bool mcast_is_forgotten(const struct mcast_member *member, mcast_node node);
/* The same as mcast_peer_find, but a forgotten dead peer becomes known again by its name. */
struct mcast_peer *mcast_peer_recall(struct mcast_member *member, mcast_node node);
/* Count and names of the newest forgotten peers, in no order. */
size_t mcast_forgotten_count(const struct mcast_member *member);
size_t mcast_forgotten_names(const struct mcast_member *member, mcast_node *names);

/* ---- stored packets: receive/packet_store.c ---- */

enum mcast_slot_state {
    MCAST_SLOT_EMPTY = 0,
    MCAST_SLOT_KEPT,    /* has a packet */
    MCAST_SLOT_SKIPPED, /* to be skipped: nobody has that number */
};

struct mcast_slot {
    struct mcast_buffer *buffer;
    const uint8_t *frames; /* points into the buffer */
    uint32_t length;
    uint8_t state;
};

/* A ring of slots by number: copies kept for others, and packets that wait for their turn. */
struct mcast_arrivals {
    struct mcast_slot *slots;
    uint32_t mask; /* count of slots - 1; 0 with slots == NULL */
    uint64_t low;  /* the lowest number that may have a slot */
    uint32_t kept; /* count of slots that are not empty */
};

/* Return the slot of @number, or NULL when it has none. */
struct mcast_slot *mcast_arrivals_find(const struct mcast_arrivals *arrivals, uint64_t number,
                                       uint64_t hi);
/* Make room for [low, @number]. 0, MCAST_EFULL when that is too far, MCAST_ENOMEM. */
int mcast_arrivals_reserve(struct mcast_member *member, struct mcast_arrivals *arrivals,
                           uint64_t number, uint64_t hi);
/* Keep @frames in a slot; copy them when the buffer is much larger. */
int mcast_arrivals_keep(struct mcast_member *member, struct mcast_arrivals *arrivals,
                        uint64_t number, struct mcast_buffer *buffer, const uint8_t *frames,
                        uint32_t length);
void mcast_arrivals_drop(struct mcast_member *member, struct mcast_arrivals *arrivals,
                         uint64_t number);
void mcast_arrivals_free(struct mcast_member *member, struct mcast_arrivals *arrivals);

/* ---- streams: receive/stream.c, receive/stream_gate.c ---- */

struct mcast_gate {
    mcast_view view;
    uint64_t last;
};

/* State of a stream at the leader between rounds, also for a dead sender; allocated on first use.
 */
struct mcast_judged {
    uint64_t cut;    /* of the last completed round */
    uint64_t reach;  /* the highest number that the current round covers */
    uint64_t before; /* the highest number that `own` covers */
    uint64_t contig; /* the region's contig in that round */
    uint64_t acked;  /* the last ACK sent to the sender */
    mcast_time acked_at;
    uint32_t low;
    mcast_time low_for; /* how long one seat has held it back, counted in completed rounds */
    mcast_time low_at;  /* when the last of those rounds came home */
    uint64_t hi;        /* the region's hi in that round */
    bool missing;
    bool aware;     /* all members knew of the death in that round */
    bool skip_told; /* the proposal went round once */
    struct mcast_own_list own;
    struct mcast_spans want;
    struct mcast_spans skip;
};

/* State of a stream at the leader of a partition while partition rings turn independently;
 * allocated on first use. */
struct mcast_apart {
    uint64_t purge, cut, before; /* from the last token of the region */
    uint64_t reach;              /* the highest number that the current round covers */
    struct mcast_own_list last;
    uint64_t contig, hi, judged; /* learned from the partition's own round */
    uint32_t low;
    struct mcast_spans owned;
    bool told, walked; /* a token of the region (told), of the partition (walked) was here */
    bool missing;
    bool rest; /* the mark "nothing new" has to go round the partition */
};

struct mcast_stream {
    struct mcast_view_state *view;
    struct mcast_peer *peer; /* the sender; may be this node */
    mcast_node sender;
    uint64_t contig;    /* the number up to which all was accepted (rule 1.0.4) */
    uint64_t delivered; /* the number up to which all was delivered */
    uint64_t hi;        /* the highest number known to exist */
    uint64_t purged;    /* the number up to which nobody needs copies */
    uint64_t final;     /* the last number there will be, UINT64_MAX while unknown */
    uint64_t settled;   /* `hi` as it was before the reordering time */
    uint64_t settling;
    mcast_time settling_since;
    mcast_time hi_at;     /* when `hi` last grew */
    mcast_time gap_since; /* since when something is missing, 0 while nothing is */
    struct mcast_arrivals arrivals;
    uint64_t round_set;   /* the round whose token last contained it */
    mcast_time round_at;  /* when that was here, unless the record was to rest */
    uint64_t asked_round; /* the round in which repair was last requested */
    struct mcast_judged *judged;
    struct mcast_apart *apart;
    struct mcast_gate *gates; /* the older views to wait for */
    uint32_t gate_count;
    struct mcast_stream *next_gated;
    bool quiescent; /* marked: not in tokens until something new arrives */
    bool gated;
    bool opened;              /* the first packet was accepted */
    bool holding;             /* copies wait until the view is committed */
    struct mcast_spans *skip; /* numbers that a leader proposed to skip; NULL for none */
};

/* Return the stream of @sender in @view, or NULL. */
struct mcast_stream *mcast_stream_find(const struct mcast_view_state *view, mcast_node sender);
/* Find the stream of @peer in @view or create it; NULL when memory is short. */
struct mcast_stream *mcast_stream_make(struct mcast_member *member, struct mcast_view_state *view,
                                       struct mcast_peer *peer);
void mcast_stream_free(struct mcast_member *member, struct mcast_stream *stream);
struct mcast_judged *mcast_stream_judged(struct mcast_member *member, struct mcast_stream *stream);

/* Accept a packet of @stream: keep it, deliver what is ready. Return true when it was new. */
bool mcast_stream_accept(struct mcast_member *member, struct mcast_stream *stream, uint64_t number,
                         struct mcast_buffer *buffer, const uint8_t *frames, uint32_t length,
                         bool repaired);
/* Note that numbers up to @hi exist: the stream is active again. */
void mcast_stream_know(struct mcast_member *member, struct mcast_stream *stream, uint64_t hi);
/* Put @stream back into tokens, though nothing new is known of it. */
void mcast_stream_rouse(struct mcast_member *member, struct mcast_stream *stream);
/* Advance `settled` with time. */
void mcast_stream_settle(struct mcast_member *member, struct mcast_stream *stream);
/* Deliver what may be delivered now. */
void mcast_stream_flow(struct mcast_member *member, struct mcast_stream *stream);
/* Retry deliveries that failed for want of memory. */
void mcast_streams_flow_again(struct mcast_member *member);
/* Store the missing numbers of (contig, @limit]. */
void mcast_stream_missing(const struct mcast_member *member, const struct mcast_stream *stream,
                          uint64_t limit, struct mcast_spans *missing);
/* Store the missing numbers of [@from, @limit], @from above contig. */
void mcast_stream_missing_from(const struct mcast_member *member, const struct mcast_stream *stream,
                               uint64_t from, uint64_t limit, struct mcast_spans *missing);
/* Drop copies up to @number, which everybody has. */
void mcast_stream_purge(struct mcast_member *member, struct mcast_stream *stream, uint64_t number);
/* Skip @numbers where they are missing, and report them to the application. */
void mcast_stream_skip(struct mcast_member *member, struct mcast_stream *stream,
                       const struct mcast_spans *numbers);
/* Learn the gates of @stream from the frames of its first packet, which must not pass before. 0, or
 * MCAST_ENOMEM with nothing changed: try again. */
int mcast_gate_learn(struct mcast_member *member, struct mcast_stream *stream,
                     const uint8_t *frames, uint32_t length);
/* Guess the gates when that packet is lost with its dead sender: all older views that it may have
 * named. */
int mcast_gate_guess(struct mcast_member *member, struct mcast_stream *stream);
/* Pass the first packet: close the gates that were learned, and open those that hold nothing back.
 */
void mcast_gate_close(struct mcast_member *member, struct mcast_stream *stream);
/* Review all waiting streams of @peer. */
void mcast_gates_review(struct mcast_member *member, struct mcast_peer *peer);

#endif
