import Glibc
import Stage

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "--wlcs":
  guard let socket = arguments.dropFirst().first.flatMap(Int32.init) else { fallthrough }
  WlcsServer(control: socket).run()
case "rules": print(Violation.Rule.table, terminator: "")
default:
  let usage = Array("usage: stage rules | stage --wlcs SOCKET\n".utf8)
  _ = write(STDERR_FILENO, usage, usage.count)
  exit(64)
}
