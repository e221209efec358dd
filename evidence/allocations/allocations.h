#pragma once
/* What the counting library tells the bench, in a file that both map. Every value is a 64-bit number. */

#include <stdint.h>

enum { ALLOCATIONS_SITES = 1024, ALLOCATIONS_DEPTH = 24 };

/* A way through the program to an allocation. */
struct allocations_site {
  uint64_t count;
  /* 1 where the program's own code asked for it, 0 where a shared library did. */
  uint64_t is_own;
  /* Return addresses, innermost first, ended by 0. */
  uint64_t stack[ALLOCATIONS_DEPTH];
};

struct allocations {
  /* Set by the bench: 1 while allocations are counted. */
  uint64_t is_counting;
  /* Where the program is loaded, and where its own code lies: it, Swift's libraries that are built into it, Swift's
   * runtime. */
  uint64_t base, code_start, code_end;
  /* Allocations that the program's own code asked for. */
  uint64_t own;
  /* Allocations that shared libraries (libwayland, cairo, Pango, ...) asked for. */
  uint64_t libraries;
  /* By which way; what finds no room any more is counted above all the same. */
  struct allocations_site sites[ALLOCATIONS_SITES];
};
