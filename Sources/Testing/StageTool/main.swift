import Glibc
import StageScript

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, arguments[0] == "--wlcs", let socket = Int32(arguments[1]) {
  WlcsServer(control: socket).run()
} else {
  exit(StageCommand.run(arguments))
}
