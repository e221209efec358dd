import Glibc

/// A directory with mode 0700 for one compositor and its clients, and a process group for all of them.
///
/// A small shell leads the group and holds the reading end of a pipe. When the writing end closes, because the test is done or
/// the test process died, a shell outside the group kills the whole group, so that nothing writes any more, and then removes the
/// directory.
final class PrivateFolder {
  /// The directory's path.
  let path: String
  /// The directory's owner, which the compositor runs as.
  let owner: Identity
  private let leash: ChildProcess
  private let grip: SharedDescriptor
  /// Reaches its end when the directory has been removed: only the leash and the shells that it starts hold the other end.
  private let farewell: SharedDescriptor
  private var logCount = 0

  init(owner: Identity) throws(LabError) {
    var template = Array("/tmp/cockpit-lab.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .failed(operation: "mkdtemp", errno: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.owner = owner
    chown(path, owner.user, owner.group)
    let (held, holding) = try SharedDescriptor.pipe()
    let (closing, closed) = try SharedDescriptor.pipe()
    grip = holding
    farewell = closing
    let script = #"read _; setsid sh -c 'kill -s KILL -- "-$1"; rm -rf -- "$2"' cleaner $$ "$1" & wait"#
    leash = try ChildProcess(["/bin/sh", "-c", script, "leash", path], environment: [:], input: held, output: closed)
  }

  /// The process group of all processes that use the directory.
  var group: pid_t { leash.id }

  /// Writes a file that belongs to the owner.
  func write(_ text: String, to name: String) throws(LabError) {
    let file = try SharedDescriptor.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC)
    guard file.write(Array(text.utf8)) else { throw .failed(operation: "writing \(name)", errno: errno) }
    fchown(file.number, owner.user, owner.group)
  }

  /// Copies a program into the directory and returns the copy's path.
  ///
  /// A child copies it: a file that any process can write to does not execute (ETXTBSY), and a child that another test starts
  /// meanwhile holds every descriptor of this process for a moment.
  func copy(program original: String) throws(LabError) -> String {
    let name = original.split(separator: "/").last.map(String.init) ?? original
    let child = try ChildProcess(["/bin/cp", original, "\(path)/\(name)"], environment: [:])
    guard child.waitForEnd(until: Deadline(in: .seconds(30))) == .exited(0) else {
      throw .failed(operation: "copying \(name)", errno: EIO)
    }
    return "\(path)/\(name)"
  }

  /// Creates a file for the output of a process.
  func newLog() throws(LabError) -> (path: String, descriptor: SharedDescriptor) {
    logCount += 1
    let path = "\(path)/log.\(logCount)"
    return (path, try SharedDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND))
  }

  /// Kills the group and removes the directory.
  func close() {
    grip.close()
    _ = farewell.readToEnd(until: Deadline(in: .seconds(5)))
    _ = leash.waitForEnd(until: Deadline(in: .seconds(5)))
  }

  deinit {
    close()
  }
}
