import Glibc

/// What work takes of the processor: what other tests do at the same time does not count.
enum ProcessorTime {
  /// The processor time that `body` takes in this thread, in milliseconds.
  static func milliseconds(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
    let start = now()
    body()
    return now() - start
  }
}
