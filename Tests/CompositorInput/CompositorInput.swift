import CLinux
import Glibc

/// `CompositorInput WIDTHxHEIGHT` sends input to a compositor. The size is that of the whole desktop in logical points. It reads
/// one command per line from its standard input, and ends with that; an error is one line on standard error and status 1.
///
/// `Command` defines the commands; `FakeInput`, `VirtualDevices` and `Outputs` perform them.
@main
struct CompositorInput {
  /// Connects, then performs the commands line by line.
  static func main() {
    do throws(InputError) {
      try becomeCompositorUser()
      let input = try InputDesktop(desktop: desktopSize())
      let device = try input.makeDevice()
      let outputs = input.makeOutputs()
      try input.roundTrip()
      answer("ready")
      while let line = readLine() {
        let command = try Command(line)
        if try outputs?.perform(command, on: input) != true { try device.perform(command) }
        try input.roundTrip()
        answer("ok")
      }
      device.release()
      try input.roundTrip()
    } catch {
      write(STDERR_FILENO, "CompositorInput: \(error.description)\n")
      exit(1)
    }
  }

  private static func desktopSize() throws(InputError) -> (width: Int, height: Int) {
    let sides = CommandLine.arguments.dropFirst().first?.split(separator: "x").compactMap { Int($0) } ?? []
    guard CommandLine.arguments.count == 2, sides.count == 2, sides.allSatisfy({ (1...32767).contains($0) }) else {
      throw InputError("usage: CompositorInput WIDTHxHEIGHT (the desktop's size in logical points)")
    }
    return (sides[0], sides[1])
  }

  /// KWin serves only clients whose `/proc` entry it can read: those of its own user. So root becomes that user, but only after
  /// the program has been loaded, because that user may not be able to read its file.
  private static func becomeCompositorUser() throws(InputError) {
    var folder = stat()
    guard geteuid() == 0, let path = getenv("XDG_RUNTIME_DIR"), stat(path, &folder) == 0, folder.st_uid != 0 else {
      return
    }
    guard setgroups(0, nil) == 0, setgid(folder.st_gid) == 0, setuid(folder.st_uid) == 0,
      cockpit_allow_inspection() == 0
    else { throw .system("changing the user") }
  }

  /// Writes without a buffer, so that the reader of a pipe gets the line at once.
  private static func answer(_ word: String) { write(STDOUT_FILENO, "\(word)\n") }

  private static func write(_ descriptor: Int32, _ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
