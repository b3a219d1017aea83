/* The interface of a fuzz target. With clang it is libFuzzer's; otherwise fuzz_main.c makes and
 * mutates inputs. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Run the target on @size bytes. Return 0; a failed check ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Make an input worth mutating, of @room bytes at most, from @seed. */
size_t fuzz_begin(uint64_t *seed, uint8_t *bytes, size_t room);

#endif
