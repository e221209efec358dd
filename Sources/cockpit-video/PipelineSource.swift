import CLinux
import CSockets
import Glibc
import Linux
import UICore
import VideoLink
import VideoReading

/// Pictures that GStreamer fetches: from RTSP, from RTP at a port, or from a camera of this machine.
final class PipelineSource: FrameSource {
  private enum Phase {
    case waiting(until: MonotonicTime)
    /// At the port, for the first packet.
    case listening(PortListener)
    case running(Pipeline)
  }

  private let source: VideoSource
  private var phase = Phase.waiting(until: .zero)
  private var backOff = BackOff(least: .milliseconds(100), most: .seconds(2))
  private var patience = MonotonicTime.zero
  private var format = ""
  /// Whether the camera is asked for JPEG.
  private var wantsCompressed = true

  /// How long nothing may come: RTSP needs a while until its first picture.
  private static let (first, silence) = (Duration.seconds(10), Duration.seconds(3))

  /// Throws if an element is missing.
  init(_ source: VideoSource) throws(VideoReadError) {
    self.source = source
    try Pipeline.begin()
    try PipelineTexts.require("appsink", "videoconvertscale")
    switch source {
    case .rtsp:
      try PipelineTexts.require("rtspsrc", "rtph264depay", "rtpjpegdepay")
      try PipelineTexts.requireDecoder()
    case .udp:
      try PipelineTexts.require("udpsrc", "rtpjitterbuffer", "rtph264depay", "rtpjpegdepay")
      try PipelineTexts.requireDecoder()
    case .camera: try PipelineTexts.require("v4l2src")
    case .http, .input, .test: break
    }
  }

  var waits: [pollfd] {
    switch phase {
    case .waiting: []
    case .listening(let listener): [pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)]
    case .running(let pipeline):
      [pipeline.event.number, pipeline.busFile].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    }
  }

  var deadline: MonotonicTime? {
    switch phase {
    case .waiting(let time): time
    case .listening: nil
    case .running: patience
    }
  }

  func step(_ sink: PictureSink) throws(VideoReadError) {
    do throws(VideoReadError) {
      switch phase {
      case .waiting(let time): if .system >= time { try begin(sink) }
      case .listening(let listener): try listen(listener, sink)
      case .running(let pipeline): try take(pipeline, sink)
      }
    } catch {
      phase = .waiting(until: .system + backOff.wait())
      sink.cockpit.report(.source(.ended, text: error.description))
    }
  }

  private func begin(_ sink: PictureSink) throws(VideoReadError) {
    switch source {
    case .rtsp(let address):
      sink.cockpit.report(.source(.connecting, text: Self.shown(address)))
      try run(PipelineTexts.rtsp, sink) { $0.set("source", "location", address) }
    case .udp(let port):
      phase = .listening(try PortListener(port))
      sink.cockpit.report(.source(.connecting, text: "waiting for RTP at port \(port)"))
    case .camera(let device):
      sink.cockpit.report(.source(.connecting, text: device))
      try run(PipelineTexts.camera(compressed: wantsCompressed), sink) { $0.set("source", "device", device) }
    case .http, .input, .test: break
    }
  }

  private func listen(_ listener: PortListener, _ sink: PictureSink) throws(VideoReadError) {
    guard let kind = listener.kind() else { return }
    guard let text = PipelineTexts.udp(kind) else {
      sink.cockpit.report(
        .source(.undecodable, text: "what arrives at the port is neither H.264 nor JPEG, but maybe H.265"))
      return
    }
    try run(text, sink) { (pipeline) throws(VideoReadError) in try pipeline.give("source", socket: listener.copy()) }
  }

  private func run(
    _ text: String, _ sink: PictureSink, prepare: (Pipeline) throws(VideoReadError) -> Void
  ) throws(VideoReadError) {
    let pipeline = try Pipeline(text, prepare: prepare)
    (phase, format) = (.running(pipeline), "")
    limit(pipeline, sink)
    patience = .system + Self.first
  }

  /// Sets the size that the sink's limit allows, if it has changed.
  private func limit(_ pipeline: Pipeline, _ sink: PictureSink) {
    let wanted = PipelineTexts.format(sink.limit)
    guard wanted != format else { return }
    format = wanted
    pipeline.filter("filter", wanted)
  }

  private func take(_ pipeline: Pipeline, _ sink: PictureSink) throws(VideoReadError) {
    limit(pipeline, sink)
    var hasCome = false
    while let event = pipeline.next() {
      hasCome = true
      switch event {
      case .frame(let sample): show(sample, sink)
      case .picture(let sample):
        _ = sink.take(
          EncodedPicture(bytes: sample.bytes), stamp(sample), arrival: sample.arrival, isNewest: true)
      case .failed(let error):
        // A camera that has no JPEG is asked for pixels.
        if case .camera = source { wantsCompressed.toggle() }
        throw error
      }
      patience = .system + Self.silence
      backOff.reset()
    }
    if !hasCome, .system >= patience { throw VideoReadError("nothing has come for a while") }
  }

  private func show(_ sample: Sample, _ sink: PictureSink) {
    guard let (width, height) = sample.size else { return }
    unsafe sink.draw(
      width, height, stamp(sample), arrival: sample.arrival, since: sample.arrival,
      encodedBytes: sample.encodedBytes
    ) { memory in unsafe sample.copy(to: memory) }
  }

  /// When it was taken. A sender's reports tell that of RTSP, on the sender's wall clock; a camera's driver that of a local one.
  private func stamp(_ sample: Sample) -> VideoStamp? {
    switch source {
    case .rtsp: sample.senderTime.map { VideoStamp(.wall, nanoseconds: $0) }
    case .camera:
      sample.sourceTime.flatMap { time in
        MonotonicTime(onClock: CLOCK_REALTIME).map { now in
          VideoStamp(.wall, nanoseconds: (now - (.system - time)).nanoseconds)
        }
      }
    case .udp, .http, .input, .test: nil
    }
  }

  /// An address without name and password, for the log.
  private static func shown(_ address: String) -> String {
    guard let scheme = address.range(of: "://"), let at = address.lastIndex(of: "@"), at > scheme else {
      return address
    }
    return String(address[...scheme]) + address[address.index(after: at)...]
  }
}

extension String {
  /// The index of the last letter of the first place where `text` stands.
  fileprivate func range(of text: String) -> Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return index(start, offsetBy: text.count - 1) }
      start = index(after: start)
    }
    return nil
  }
}

/// A port of this machine at which RTP arrives, until its kind is known.
final class PortListener {
  private var socket: Descriptor
  private var bytes = [UInt8](repeating: 0, count: 2048)
  var number: Int32 { socket.number }

  /// Binds the port, for IPv4 and IPv6 where the system has both. Throws if it is taken.
  init(_ port: UInt16) throws(VideoReadError) {
    guard let made = Self.bound(AF_INET6, port) ?? Self.bound(AF_INET, port) else {
      throw VideoReadError("port \(port): \(systemMessage(errno))")
    }
    socket = made
    // A picture comes as a burst of packets.
    var size: Int32 = 2 << 20
    _ = unsafe setsockopt(socket.number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func bound(_ family: Int32, _ port: UInt16) -> Descriptor? {
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard let made = Descriptor(Glibc.socket(family, type, 0)) else { return nil }
    var result: Int32
    if family == AF_INET6 {
      var off: Int32 = 0
      _ = unsafe setsockopt(made.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
      var address = sockaddr_in6()
      (address.sin6_family, address.sin6_port) = (sa_family_t(family), port.bigEndian)
      result = unsafe withUnsafePointer(to: &address) { raw in
        unsafe raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(made.number, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    } else {
      var address = sockaddr_in()
      (address.sin_family, address.sin_port) = (sa_family_t(family), port.bigEndian)
      result = unsafe withUnsafePointer(to: &address) { raw in
        unsafe raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(made.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    guard result == 0 else { return nil }
    return made
  }

  /// The kind of the first packet that tells one, which stays at the port; nil if none has come. Others are thrown away.
  func kind() -> RTPKind? {
    var other: RTPKind?
    for _ in 0..<100 {
      let count = unsafe recv(number, &bytes, bytes.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
      guard count >= 0 else { break }
      switch RTPKind(packet: bytes.prefix(count)) {
      case .h264(let type): return .h264(payloadType: type)
      case .jpeg: return .jpeg
      case .other(let type): other = .other(payloadType: type)
      case nil: break
      }
      _ = unsafe recv(number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    }
    return other
  }

  /// A further descriptor of the socket.
  func copy() throws(VideoReadError) -> Descriptor {
    guard let copy = Descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0)) else {
      throw VideoReadError("no descriptor: \(systemMessage(errno))")
    }
    return copy
  }
}
