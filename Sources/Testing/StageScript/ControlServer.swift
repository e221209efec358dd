import CLinux
import Glibc
import JSON
import Linux
import Stage

/// Carries out steps that come as lines of JSON, and answers each by one line.
///
/// An answer is an object with "ok", what the step returns, and the rules that the client broke since the last answer, in
/// "violations" and "advice". If "ok" is false, "error" says why; then "died" is true if the client has left. The line
/// `{"do": "finish"}` ends the session, as the controller's leaving does.
final class ControlServer {
  private let client: ClientRun
  private let socket: ControlSocket
  private var input: [UInt8] = []
  private var reportedCount = 0
  private var isOver = false
  private var hasFailed = false
  private var death: String?

  init(_ client: ClientRun, _ socket: ControlSocket) {
    self.client = client
    self.socket = socket
  }

  /// Serves until the controller leaves; returns the exit code.
  func run() -> Int32 {
    let descriptor = socket.accept { client.wait(.seconds(3600), also: $0) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while !isOver, let descriptor {
      guard client.wait(.seconds(3600), also: descriptor) else { continue }
      let count = unsafe read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0, input.count < JSONGrammar.line.greatestLength else { break }
      input += bytes.prefix(count)
      while !isOver, let end = input.firstIndex(of: UInt8(ascii: "\n")) {
        let line = input[..<end]
        let answer = answer(to: Array(line)).jsonText + "\n"
        input.removeSubrange(...end)
        guard Descriptor.write(Array(answer.utf8), to: descriptor) else {
          isOver = true
          break
        }
      }
    }
    if !isOver { end() }
    return exitCode
  }

  private func end() {
    isOver = true
    client.step = nil
    // A step may have come after the client had left, as a later one expected of it.
    death = client.hasExpectedExit ? nil : death ?? client.deathAtEnd
    client.finish()
    client.watcher?.save(
      RunWatcher.Ending(exitCode: exitCode, findings: client.judgedFindings, death: death))
  }

  private var exitCode: Int32 {
    let isBroken = client.judgedFindings.contains { !$0.isAdvice && !$0.isExpected }
    return hasFailed || isBroken ? 1 : death == nil ? 0 : 2
  }

  private func answer(to line: [UInt8]) -> JSONValue {
    var members: [String: JSONValue] = ["ok": .bool(true)]
    func fail(_ message: String) {
      members["ok"] = .bool(false)
      members["error"] = .string(message)
    }
    do {
      let value = try JSONValue(line, .line)
      if value == .object(["do": .string("finish")]) {
        end()
        if let death { members["death"] = .string(death) }
      } else {
        let step = try Step(value)
        if !step.kind.allowsAbsence, let words = client.absence {
          death = words
          members["died"] = .bool(true)
          fail(words)
        } else {
          client.step = client.step.map { $0 + 1 } ?? 0
          switch client.carryOut(step) {
          case .done(let reply): members.merge(reply) { own, _ in own }
          case .failed(let message):
            hasFailed = true
            fail("\(step.kind.name): \(message)")
          }
        }
      }
    } catch let error as JSONError {
      fail("column \(error.place.column): \(error.message)")
    } catch let error as StepComplaint {
      fail(error.message)
    } catch {
      fail("\(error)")
    }
    let new = client.findings.dropFirst(reportedCount)
    reportedCount = client.findings.count
    members["violations"] = .array(new.filter { !$0.isAdvice }.map(describe))
    members["advice"] = .array(new.filter(\.isAdvice).map(describe))
    return .object(members)
  }

  private func describe(_ finding: Finding) -> JSONValue {
    let violation = finding.violation
    var members: [String: JSONValue] = [
      "rule": .string(violation.rule.rawValue), "message": .string(violation.message),
      "sentence": .string(violation.rule.sentence),
    ]
    if let request = violation.request {
      members["number"] = .number(Double(request.number))
      members["request"] = .string("\(request)")
    }
    return .object(members)
  }
}

/// The socket of the controller: a path to listen on, or a connected descriptor.
final class ControlSocket {
  private var listener: Descriptor?
  private var connected: Descriptor?
  private let path: String?

  /// Listens on the path `name`, or takes the descriptor of this number; nil if that fails, with the reason in `errno`.
  init?(_ name: String) {
    if let number = Int32(name) {
      // The client must not inherit it.
      guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else { return nil }
      connected = Descriptor(number)
      path = nil
    } else {
      guard let made = Descriptor.socket(listeningAt: name, backlog: 1) else { return nil }
      listener = consume made
      path = name
    }
  }

  isolated deinit {
    if let path { unsafe unlink(path) }
  }

  /// The controller's descriptor, once it has connected. Meanwhile `wait` is called with the descriptor to wait for, until it
  /// returns true.
  func accept(wait: (Int32) -> Bool) -> Int32? {
    while let number = listener?.number, connected?.number == nil {
      guard wait(number) else { continue }
      connected = Descriptor.accepted(by: number)
      if connected?.number == nil { return nil }
    }
    return connected?.number
  }
}
