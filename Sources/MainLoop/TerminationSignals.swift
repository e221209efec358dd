import CLinux
import Glibc
import Linux

/// Blocks the signals that ask a process to end or to stop, and reports them through the loop instead. A signal that is ignored
/// at the start stays ignored.
///
/// Not among them: signals that report a broken process (SIGSEGV and the like), and the real-time signals, which nobody sends
/// without an agreement.
@MainActor package final class TerminationSignals {
  /// The signals that end a process which does not handle them.
  package static let ending = [
    SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR,
  ]
  /// The terminal's Ctrl+Z.
  package static let stopping = SIGTSTP

  private let signals: Descriptor
  private let loop: EventLoop
  private var previous = sigset_t()

  /// Calls `handler` with a signal's number, for as long as this object lives.
  package init(loop: EventLoop, handler: @escaping (Int32) -> Void) throws(SystemError) {
    self.loop = loop
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in TerminationSignals.ending + [TerminationSignals.stopping] where cockpit_is_ignored(signal) == 0 {
      unsafe sigaddset(&set, signal)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &set, &previous)
    guard let signals = unsafe Descriptor(signalfd(-1, &set, Int32(O_CLOEXEC | O_NONBLOCK))) else {
      let reason = errno
      unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
      throw SystemError(operation: "signalfd", errno: reason)
    }
    let descriptor = signals.number
    self.signals = signals
    loop.watchReadable(descriptor) {
      var info = signalfd_siginfo()
      while unsafe read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 { handler(Int32(info.ssi_signo)) }
    }
  }

  isolated deinit {
    loop.unwatch(signals.number)
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
}
