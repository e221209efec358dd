import CLinux
import Glibc
import Linux

/// The signals to the program: that a child has ended, or that the program is to end. They are blocked, and wait in a descriptor.
final class ProgramSignals {
  private let file: Descriptor

  /// A descriptor to poll: it is readable while signals wait.
  var descriptor: Int32 { file.number }

  /// Blocks the signals; nil if that fails, with the reason in `errno`.
  init?() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in [SIGCHLD, SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, signal) }
    // A reader that leaves is noticed by the failed write.
    var blocked = set
    unsafe sigaddset(&blocked, SIGPIPE)
    unsafe sigprocmask(SIG_BLOCK, &blocked, nil)
    guard let file = unsafe Descriptor(signalfd(-1, &set, Int32(O_CLOEXEC | O_NONBLOCK))) else { return nil }
    self.file = file
  }

  /// Takes the signals that wait. Calls `clean` with its number and exits if one of them ends the program.
  func take(clean: (Int32) -> Void) {
    var info = signalfd_siginfo()
    while unsafe read(file.number, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
      guard info.ssi_signo != UInt32(SIGCHLD) else { continue }
      clean(Int32(info.ssi_signo))
      // As shells report a signal.
      exit(128 + Int32(info.ssi_signo))
    }
  }
}
