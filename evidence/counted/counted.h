#pragma once
/* What the clock (clock.c), the counter (counter.c) and the bench share about a counted client, in a file that both processes map.
 * Every value is a 64-bit number. */

#include <stdint.h>

/* What the counter counts while `is_counting`. It never decreases. */
struct counts {
  /* Instructions of all threads, without those of the clock. */
  uint64_t instructions;
  /* System calls of all threads, without those of the clock. */
  uint64_t calls;
  /* Bytes read and written by instructions: anywhere, and in memory that is shared by a memfd, which a window's pixels are in. */
  uint64_t read, written, pixels_read, pixels_written;
};

struct counted {
  /* Set by the bench: the time of every monotonic clock, in nanoseconds. */
  uint64_t now;
  /* Set by the bench: the number of times that it has woken the client because of a new `now`. */
  uint64_t woken;
  /* Set by the bench: 1 to count; else the client runs faster. The counter sees it when a wait begins. */
  uint64_t is_counting;
  /* Set by the client before each wait: the `woken` that it has seen, and when its wait ends by itself (0 for never). */
  uint64_t seen, deadline;
  /* 1 while the client waits. */
  uint64_t is_waiting;
  /* How often a wait has ended; the system calls that the clock made in place of the program. */
  uint64_t waits, calls;
  /* The figures up to the last wait; 0 unless the counter runs the client. */
  struct counts counts;
};

/* Requests to the counter: leave out the code between two addresses; count from now on, or not, and write the counts to an address. */
enum { COUNTED_LEAVE_OUT = ('C' << 24) | ('D' << 16), COUNTED_READ };
