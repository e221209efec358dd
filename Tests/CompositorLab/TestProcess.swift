import Dispatch
import Glibc

/// Another process of this test program. Unlike an exit test, it blocks none of the few threads that all tests share.
public enum TestProcess {
  /// Runs the tests whose names match `filter`, with `environment` added to this process's own. Returns how the process ended, and its
  /// output. Its priority is low: the tests that wait for real time to pass come first.
  public static func run(
    _ filter: String, environment: [String: String]
  ) async throws(LabError) -> (status: ExitStatus, output: String) {
    let result: Result<(ExitStatus, String), LabError> = await withCheckedContinuation { continuation in
      // A queue of its own has a thread of its own.
      DispatchQueue(label: "test process").async {
        continuation.resume(
          returning: Result { () throws(LabError) in
            try waiting(["/proc/self/exe", "--testing-library", "swift-testing", "--filter", filter], environment)
          })
      }
    }
    return try result.get()
  }

  /// The same for another program, found in PATH.
  public static func run(program words: [String]) async throws(LabError) -> (status: ExitStatus, output: String) {
    let result: Result<(ExitStatus, String), LabError> = await withCheckedContinuation { continuation in
      DispatchQueue(label: "test process").async {
        continuation.resume(returning: Result { () throws(LabError) in try waiting(words, [:]) })
      }
    }
    return try result.get()
  }

  private static func waiting(
    _ words: [String], _ environment: [String: String]
  ) throws(LabError) -> (ExitStatus, String) {
    // Its process ends with this one.
    let folder = try PrivateFolder(owner: Identity(user: getuid(), group: getgid()))
    let log = try folder.newLog()
    let process = try ChildProcess(
      words, environment: inherited.merging(environment) { $1 }, group: folder.group, output: log.descriptor,
      errors: log.descriptor)
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process.id), 19)
    // The test's own time limit is the limit.
    let status = process.waitForEnd(until: Deadline(in: .seconds(24 * 3600)))
    return (status ?? .signalled(SIGALRM), contents(ofFile: log.path))
  }

  private static var inherited: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    while let text = entry?.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry = entry?.successor()
    }
    return variables
  }
}
