import CLinux
import Glibc
import Testing

@testable import Linux

/// Tests of processes that are left: none stays in the system's table after its end.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LeftProcessTests {
  /// A process that reads until `input` is closed.
  private func start() throws -> (process: pid_t, input: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(cockpit_pipe(&ends) == 0)
    let (process, failure) = spawnProcess(["cat"]) {
      posix_spawn_file_actions_adddup2(&$0, ends[0], STDIN_FILENO)
    }
    close(ends[0])
    try #require(failure == 0)
    return (process, ends[1])
  }

  private func wait(_ isTrue: () -> Bool) {
    while !isTrue() { usleep(1000) }
  }

  /// A dead process that is not collected can still be sent a signal.
  private func isGone(_ process: pid_t) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

  @Test func `a process that is left is collected when it ends`() throws {
    let left = try start()
    LeftProcess.leave(left.process)
    #expect(!isGone(left.process))
    close(left.input)
    wait { isGone(left.process) }
  }

  @Test func `one that has ended before is collected at once`() throws {
    let left = try start()
    close(left.input)
    var information = siginfo_t()
    try #require(waitid(P_PID, id_t(left.process), &information, WEXITED | WNOWAIT) == 0)
    LeftProcess.leave(left.process)
    #expect(isGone(left.process))
  }

  @Test func `one that got no thread is collected by the next call`() throws {
    let left = try start()
    LeftProcess.wait(for: left.process)
    LeftProcess.collectEnded()
    #expect(!isGone(left.process))
    close(left.input)
    wait {
      LeftProcess.collectEnded()
      return isGone(left.process)
    }
  }
}
