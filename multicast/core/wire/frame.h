/* Frames: the contents of a data packet, byte by byte as docs/wire.md says. */
#ifndef MCAST_WIRE_FRAME_H
#define MCAST_WIRE_FRAME_H

#include "mcast/types.h"
#include "wire/codec.h"

/* The kinds of frames in a data packet. */
enum mcast_frame_kind {
    MCAST_FRAME_MESSAGE = 0,  /* a whole message */
    MCAST_FRAME_FRAGMENT = 1, /* a fragment of a message */
    MCAST_FRAME_OPEN = 2,     /* rule 1.0.7; always alone in the first packet of a stream */
    MCAST_FRAME_STABLE = 3,   /* rule 1.0.14 */
    MCAST_FRAME_EMPTY = 4,    /* nothing: the packet fills a number that needs no content */
};

struct mcast_frame {
    enum mcast_frame_kind kind;
    uint32_t group;  /* the short name of the group; not for OPEN */
    uint64_t number; /* the number of the message; for OPEN the epoch */
    uint64_t offset; /* FRAGMENT: its offset in the message */
    uint64_t total;  /* FRAGMENT: the length of the message */
    uint32_t length;
    const uint8_t *bytes; /* MESSAGE, FRAGMENT: the payload; OPEN: the list, see mcast_open_read */
};

/* Write the frame up to its payload, which follows it in the packet. */
void mcast_frame_write_head(struct mcast_writer *writer, const struct mcast_frame *frame);

/* Read the next frame. If it returns false and @reader has failed, the packet is malformed. */
bool mcast_frame_read(struct mcast_reader *reader, struct mcast_frame *frame);

/* True if @frames are valid frames and nothing else, and an OPEN stands alone with a valid list.
 * Checked before anything of a packet is used. */
bool mcast_frames_are_sound(const uint8_t *frames, size_t length);

/* The largest size of the head of a frame. */
enum { MCAST_FRAME_HEAD_MOST = 1 + 5 + 10 + 10 + 10 + 5 };

/* An entry of an OPEN: the last number that the sender used in an older view. */
struct mcast_open_entry {
    mcast_view view;
    uint64_t last;
};

enum { MCAST_OPEN_MOST = 64 };

void mcast_open_write(struct mcast_writer *writer, const struct mcast_open_entry *entries,
                      size_t count);
/* Read at most MCAST_OPEN_MOST entries. Return true if @bytes are exactly one list. */
bool mcast_open_read(const uint8_t *bytes, size_t length, struct mcast_open_entry *entries,
                     size_t *count);

#endif
