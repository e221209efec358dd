#pragma once
/* Counts what one thread allocates. Linked into the tests' program, it stands before the C library's allocation. */

/* Begins to count what this thread allocates, from 0. */
void allocations_begin(void);

/* Ends it; the number of calls of malloc, calloc, realloc and their aligned relatives since the beginning. */
long allocations_end(void);
