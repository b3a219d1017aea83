#include "wire/request.h"
#include "wire/range_list.h"

#include <string.h>

enum { BITMAP = 0x80, BITMAP_BYTES_MOST = 512 };

static size_t bitmap_size(const struct mcast_spans *numbers) {
    uint64_t width = numbers->at[numbers->count - 1].last - numbers->at[0].first;
    return width / 8 >= BITMAP_BYTES_MOST ? SIZE_MAX : (size_t)(width / 8 + 1);
}

static size_t ranges_size(const struct mcast_spans *numbers) {
    size_t size = 1;
    for (uint32_t i = 1; i < numbers->count; i++) {
        size += mcast_varint_size(numbers->at[i].first - numbers->at[i - 1].last) +
                mcast_varint_size(numbers->at[i].last - numbers->at[i].first);
    }
    return size + mcast_varint_size(numbers->at[0].last - numbers->at[0].first);
}

static void write_bitmap(struct mcast_writer *writer, const struct mcast_spans *numbers,
                         size_t size) {
    uint8_t bits[BITMAP_BYTES_MOST] = {0};
    for (uint32_t i = 0; i < numbers->count; i++) {
        for (uint64_t n = numbers->at[i].first; n <= numbers->at[i].last; n++) {
            uint64_t place = n - numbers->at[0].first;
            bits[place / 8] |= (uint8_t)(1U << (place % 8));
        }
    }
    mcast_write_varint(writer, size);
    mcast_write_bytes(writer, bits, size);
}

void mcast_request_write(struct mcast_writer *writer, const struct mcast_request *request) {
    bool bitmap = request->numbers.count > 1 &&
                  bitmap_size(&request->numbers) < ranges_size(&request->numbers);
    mcast_write_u8(writer, (uint8_t)(request->kind | (bitmap ? BITMAP : 0)));
    mcast_write_u32(writer, request->origin);
    uint64_t first = request->numbers.count > 0 ? request->numbers.at[0].first : 0;
    mcast_write_varint(writer, first);
    if (bitmap) {
        write_bitmap(writer, &request->numbers, bitmap_size(&request->numbers));
    } else {
        mcast_spans_write(writer, first, &request->numbers);
    }
}

static bool read_bitmap(struct mcast_reader *reader, uint64_t first, struct mcast_spans *numbers) {
    mcast_spans_clear(numbers, MCAST_SPANS_MOST);
    size_t size = mcast_read_count(reader, 1);
    const uint8_t *bits = mcast_read_bytes(reader, size);
    if (reader->failed || size > BITMAP_BYTES_MOST) {
        return false;
    }
    /* Count the numbers that are set, not the width of the bitmap. */
    for (uint64_t place = 0; place < 8 * size; place++) {
        if ((bits[place / 8] >> (place % 8) & 1) != 0 &&
            (place >= UINT64_MAX - first ||
             !mcast_spans_append(numbers, first + place, first + place))) {
            return false;
        }
    }
    return true;
}

bool mcast_request_read(struct mcast_reader *reader, struct mcast_request *request) {
    uint8_t kind = mcast_read_u8(reader);
    request->kind = kind & 0x7f;
    request->origin = mcast_read_u32(reader);
    uint64_t first = mcast_read_varint(reader);
    bool read = (kind & BITMAP) != 0 ? read_bitmap(reader, first, &request->numbers)
                                     : mcast_spans_read(reader, first, &request->numbers);
    return read && request->kind <= MCAST_REQUEST_NAK_ONE && request->numbers.count > 0 &&
           request->origin != 0 && !reader->failed;
}
