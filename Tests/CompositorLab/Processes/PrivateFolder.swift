import Glibc

/// A folder with mode 0700 for one compositor and its clients, and a process group that they all live in.
///
/// A small shell leads the group and holds the reading end of a pipe. When the writing end closes, because the
/// test is done or because the test process died, a shell outside the group ends the whole group, at once so that
/// nothing writes any more, and then removes the folder.
final class PrivateFolder {
  /// The folder.
  let path: String
  /// Its owner, whom the compositor runs as.
  let owner: Identity
  private let leash: ChildProcess
  private let grip: Descriptor
  /// Ends when the folder is gone: only the leash and what it runs hold the other end.
  private let farewell: Descriptor
  private var logCount = 0

  init(owner: Identity) throws(LabError) {
    var template = Array("/tmp/cockpit-lab.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .failed(operation: "mkdtemp", errno: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.owner = owner
    chown(path, owner.user, owner.group)
    let (held, holding) = try Descriptor.pipe()
    let (closing, closed) = try Descriptor.pipe()
    grip = holding
    farewell = closing
    let script = #"read _; setsid sh -c 'kill -s KILL -- "-$1"; rm -rf -- "$2"' cleaner $$ "$1" & wait"#
    leash = try ChildProcess(["/bin/sh", "-c", script, "leash", path], environment: [:], input: held, output: closed)
  }

  /// The process group of everything that lives in the folder.
  var group: pid_t { leash.id }

  /// Writes a file of the owner's.
  func write(_ text: String, to name: String) throws(LabError) {
    let file = try Descriptor.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC)
    guard file.write(Array(text.utf8)) else { throw .failed(operation: "writing \(name)", errno: errno) }
    fchown(file.number, owner.user, owner.group)
  }

  /// A new file for what a process has to say.
  func newLog() throws(LabError) -> (path: String, descriptor: Descriptor) {
    logCount += 1
    let path = "\(path)/log.\(logCount)"
    return (path, try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND))
  }

  /// Ends the group and removes the folder.
  func close() {
    grip.close()
    _ = farewell.readToEnd(until: Deadline(in: .seconds(5)))
    _ = leash.waitForEnd(until: Deadline(in: .seconds(5)))
  }

  deinit {
    close()
  }
}
