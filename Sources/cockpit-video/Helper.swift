import CLinux
import Glibc
import Linux
import UICore
import VideoLink
import VideoReading

/// A source of video, which does a step of its work whenever something that it waits for has happened.
protocol FrameSource: AnyObject {
  /// What it waits for.
  var waits: [pollfd] { get }
  /// The time at which it wants a step in any case.
  var deadline: MonotonicTime? { get }
  /// Does what can be done without waiting. Throws what no further attempt would mend.
  func step(_ sink: PictureSink) throws(VideoReadError)
}

/// The one loop of the process: the source, and the cockpit's requests.
final class Helper {
  private let cockpit: Cockpit
  private let sink: PictureSink
  private let source: any FrameSource

  init(_ source: VideoSource, _ cockpit: Cockpit) throws(VideoReadError) {
    self.cockpit = cockpit
    sink = try PictureSink(cockpit)
    switch source {
    case .http(let address): self.source = HTTPSource(address)
    case .input: self.source = InputSource()
    case .test(let kind): self.source = TestSource(kind)
    case .rtsp, .udp, .camera: self.source = try PipelineSource(source)
    }
  }

  /// Runs until the cockpit is gone. Throws if the source can't be used.
  func run() throws(VideoReadError) {
    while !cockpit.isGone {
      try source.step(sink)
      wait()
      cockpit.takeRequests(sink.take)
      cockpit.flush()
    }
  }

  private func wait() {
    var entries = [pollfd(fd: cockpit.socket, events: Int16(POLLIN), revents: 0)] + source.waits
    if cockpit.waitsForRoom { entries[0].events |= Int16(POLLOUT) }
    let left = source.deadline.map { max(0, ($0 - .system).inNanoseconds) } ?? -1
    _ = unsafe cockpit_poll(&entries, UInt(entries.count), left)
  }
}
