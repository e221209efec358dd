import CLinux
import Glibc

/// Starts `command`, found by PATH, with the variables `environment`, such as "HOME=/root", by default those of this process, and with
/// every signal unblocked and at its default: programs with an event loop block or ignore signals, which a child would inherit.
///
/// `flags` are further ones of posix_spawn, and `group` is the process group that POSIX_SPAWN_SETPGROUP sets. `prepare` adds what is
/// to happen with descriptors. Returns the process, or the errno of the failure; 0 without a failure.
package func spawnProcess(
  _ command: [String], environment: [String]? = nil, flags: Int32 = 0, group: pid_t = 0,
  prepare: (inout posix_spawn_file_actions_t) -> Void
) -> (process: pid_t, failure: Int32) {
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe prepare(&actions)

  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe posix_spawnattr_setsigmask(&attributes, &signals)
  unsafe sigfillset(&signals)
  unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
  unsafe posix_spawnattr_setpgroup(&attributes, group)
  unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags))

  let words = unsafe command.map { unsafe strdup($0) }
  let variables = unsafe (environment ?? []).map { unsafe strdup($0) }
  defer {
    unsafe words.forEach { unsafe free($0) }
    unsafe variables.forEach { unsafe free($0) }
  }
  var process: pid_t = 0
  let failure =
    if environment == nil {
      unsafe posix_spawnp(&process, command[0], &actions, &attributes, words + [nil], cockpit_environment())
    } else {
      unsafe posix_spawnp(&process, command[0], &actions, &attributes, words + [nil], variables + [nil])
    }
  return (process, failure)
}

/// The exit code in a wait status, or 128 and the signal's number as shells have it.
package func exitCode(ofStatus status: Int32) -> Int32 {
  status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
}
