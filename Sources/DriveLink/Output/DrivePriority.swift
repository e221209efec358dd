import Glibc

/// The priority of the threads that send lines.
public enum DrivePriority: String, Sendable {
  /// The priority of ordinary programs.
  case normal
  /// Above other programs, if the system allows it: the sender's thread in real time, the caller's with a nice value of -10.
  case raised

  /// The processor time that the sender's thread may use in real time without waiting once; a line takes less than one
  /// millisecond.
  static let limit = Duration.milliseconds(50)

  /// Raises the calling thread, which is the loop's. Returns 0 or the errno of the failure.
  func applyToLoop() -> Int32 {
    guard self == .raised else { return 0 }
    return setpriority(Int32(PRIO_PROCESS.rawValue), 0, -10) == 0 ? 0 : errno
  }

  /// Raises the calling thread, which must be the sender's. Returns 0 or the errno of the failure.
  ///
  /// A runaway sender thread can't starve the machine: after `limit` without a wait the kernel sends SIGXCPU (RLIMIT_RTTIME),
  /// and the thread continues as an ordinary one. Threads that it starts are ordinary from the start.
  func applyToSender() -> Int32 {
    guard self == .raised else { return 0 }
    var bound = rlimit()
    getrlimit(DrivePriority.realTimeLimit, &bound)
    bound.rlim_cur = min(rlim_t(DrivePriority.limit.inNanoseconds / 1000), bound.rlim_max)
    guard setrlimit(DrivePriority.realTimeLimit, &bound) == 0 else { return errno }
    signal(SIGXCPU) { _ in
      var ordinary = sched_param(sched_priority: 0)
      sched_setscheduler(0, SCHED_OTHER, &ordinary)
    }
    // The kernel prefers the thread that exceeded the limit, if it takes the signal.
    var taken = sigset_t()
    sigemptyset(&taken)
    sigaddset(&taken, SIGXCPU)
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    var first = sched_param(sched_priority: 1)
    return sched_setscheduler(0, SCHED_RR | DrivePriority.resetOnFork, &first) == 0 ? 0 : errno
  }

  // RLIMIT_RTTIME and SCHED_RESET_ON_FORK, which Swift's Glibc leaves out.
  private static let realTimeLimit = __rlimit_resource_t(15)
  private static let resetOnFork: Int32 = 0x4000_0000
}
