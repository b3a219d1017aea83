/* A simple mutator for compilers without libFuzzer: fuzz_… [SECONDS] [SEED [KEEP]], or fuzz_… FILE
 * to repeat one input. The target makes inputs, which are changed at random. With KEEP, a file
 * name, each input is written there before it runs, so that the last one is at hand after a crash.
 * At the end it prints how many inputs it ran. */
#define _POSIX_C_SOURCE 200809L

#include "counting_memory.h"
#include "fuzz.h"

#include <time.h>

enum { ROOM = 1 << 16, SPAN = 512 };

static uint8_t input[ROOM];

static size_t shrink(uint64_t *seed, size_t size) {
    size_t at = test_random(seed) % (size + 1);
    size_t cut = test_random(seed) % (size - at + 1) % SPAN;
    memmove(input + at, input + at + cut, size - at - cut);
    return size - cut;
}

static size_t repeat(uint64_t *seed, size_t size) {
    size_t from = test_random(seed) % (size + 1);
    size_t span = test_random(seed) % (size - from + 1) % SPAN;
    if (size + span > ROOM) {
        return size;
    }
    memmove(input + from + span, input + from, size - from);
    return size + span;
}

static void change_byte(uint64_t *seed, size_t size) {
    static const uint8_t edges[] = {0, 1, 2, 0x7f, 0x80, 0x81, 0xfe, 0xff};
    uint8_t *byte = &input[test_random(seed) % size];
    switch (test_random(seed) % 4) {
    case 0:
        *byte ^= (uint8_t)(1u << test_random(seed) % 8);
        break;
    case 1:
        *byte = edges[test_random(seed) % sizeof edges];
        break;
    case 2:
        *byte = (uint8_t)(*byte + test_random(seed) % 9 - 4);
        break;
    default:
        *byte = (uint8_t)test_random(seed);
        break;
    }
}

static size_t mutate(uint64_t *seed, size_t size) {
    for (uint64_t i = test_random(seed) % 6; i > 0 && size > 0; i--) {
        uint64_t what = test_random(seed) % 8;
        if (what == 0) {
            size = shrink(seed, size);
        } else if (what == 1) {
            size = repeat(seed, size);
        } else {
            change_byte(seed, size);
        }
    }
    return size;
}

static void keep(const char *name, size_t size) {
    FILE *file = fopen(name, "wb");
    if (file != NULL) {
        (void)fwrite(input, 1, size, file);
        (void)fclose(file);
    }
}

static int run_again(const char *name) {
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s\n", name);
        return 2;
    }
    size_t size = fread(input, 1, ROOM, file);
    (void)fclose(file);
    return LLVMFuzzerTestOneInput(input, size);
}

int main(int count, char **arguments) {
    char *end = NULL;
    double seconds = count > 1 ? strtod(arguments[1], &end) : 5;
    if (end != NULL && *end != '\0') {
        return run_again(arguments[1]);
    }
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    uint64_t runs = 0;
    time_t begin = time(NULL);
    while (difftime(time(NULL), begin) < seconds) {
        for (int i = 0; i < 100; i++, runs++) {
            size_t size = mutate(&seed, fuzz_begin(&seed, input, ROOM));
            if (count > 3) {
                keep(arguments[3], size);
            }
            (void)LLVMFuzzerTestOneInput(input, size);
        }
    }
    printf("%llu inputs\n", (unsigned long long)runs);
    return 0;
}
