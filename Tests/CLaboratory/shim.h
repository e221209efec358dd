#pragma once
/* What the laboratory needs of C: gio's D-Bus with descriptors (libpango1.0-dev brings it), pidfds, and what Swift's Glibc
   module leaves out of GNU's C library. No logic. */
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/types.h>

int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
pid_t gettid(void);
