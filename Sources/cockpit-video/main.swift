import CLinux
import Glibc
import Linux
import VideoLink
import VideoReading

// Fetches and decodes video for the cockpit, which starts this program with one end of a socket as descriptor 3. It draws nothing on any screen.
// It ends with the socket, or at once with the process that started it.
_ = cockpit_end_with_parent()
// A picture can wait for a finger, never a finger for a picture: where both want one processor, the cockpit has it first.
_ = nice(5)
let cockpit = Cockpit(socket: 3)
guard CommandLine.arguments.count == 2 else {
  cockpit.report(.source(.refused, text: "usage: cockpit-video SOURCE"))
  exit(64)
}
do throws(VideoReadError) {
  let helper = try Helper(VideoSource(CommandLine.arguments[1]), cockpit)
  try helper.run()
} catch {
  cockpit.report(.source(.refused, text: error.description))
  exit(1)
}
