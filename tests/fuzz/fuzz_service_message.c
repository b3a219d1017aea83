/* Any bytes are refused, or are the one encoding of a message. */
#include "fuzz.h"
#include "service_samples.h"

#include "mcast/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct test_memory memory;
    struct mcast_service_message message;
    uint8_t *bytes = NULL;
    size_t length = 0;
    size_t room = 0;
    test_memory_init(&memory);
    if (mcast_service_message_decode(data, size, &memory.alloc, &message) == MCAST_OK) {
        CHECK(memory.out <= 64 * size + 64); /* memory is in proportion to the bytes received */
        CHECK(mcast_service_message_encode(&message, &memory.alloc, &bytes, &length, &room) ==
              MCAST_OK);
        CHECK(length == size && memcmp(bytes, data, size) == 0);
        mcast_memory_free(&memory.alloc, bytes, room, 1);
        mcast_service_message_free(&memory.alloc, &message);
    }
    CHECK(memory.out == 0);
    return 0;
}

size_t fuzz_begin(uint64_t *seed, uint8_t *bytes, size_t room) {
    struct test_memory memory;
    test_memory_init(&memory);
    struct sampler from = {.seed = *seed, .alloc = &memory.alloc};
    struct mcast_service_message message =
        sample_message(&from, sample_kinds[test_random(&from.seed) % SAMPLE_KINDS]);
    uint8_t *encoded = NULL;
    size_t length = 0;
    size_t there = 0;
    CHECK(mcast_service_message_encode(&message, &memory.alloc, &encoded, &length, &there) ==
          MCAST_OK);
    CHECK(length <= room);
    memcpy(bytes, encoded, length);
    mcast_memory_free(&memory.alloc, encoded, there, 1);
    mcast_service_message_free(&memory.alloc, &message);
    *seed = from.seed;
    return length;
}
