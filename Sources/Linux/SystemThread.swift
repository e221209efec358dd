import CLinux
import Glibc

/// Runs `body` on a new thread with the system's default stack size. Returns 0, or the errno of the failure.
///
/// The thread cannot be joined. It blocks all signals, because the event loop handles them.
///
/// `name` is the name of the thread in tools that inspect the process; the system cuts it to 15 bytes.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
  let start = unsafe Unmanaged.passRetained(ThreadStart(name, body))
  var all = sigset_t()
  var previous = sigset_t()
  unsafe sigfillset(&all)
  // A new thread inherits the signal mask of the thread that starts it.
  unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
  var thread = pthread_t()
  let failure = unsafe pthread_create(
    &thread, nil,
    { argument in
      if let argument = unsafe argument { unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }, unsafe start.toOpaque())
  unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  if failure == 0 { pthread_detach(thread) } else { unsafe start.release() }
  return failure
}

private final class ThreadStart: Sendable {
  private let name: String
  private let body: @Sendable () -> Void

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  func run() {
    _ = unsafe cockpit_name_thread(name)
    body()
  }
}
