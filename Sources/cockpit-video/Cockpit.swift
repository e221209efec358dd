import CLinux
import CSockets
import Glibc
import Linux
import VideoLink

/// The cockpit at the other end of the socket. Nothing here waits for it: while it is stopped, what is old is left out.
final class Cockpit {
  /// The socket, which this process was started with.
  let socket: Int32
  /// Whether the cockpit is gone.
  private(set) var isGone = false
  /// A ring that the cockpit does not know yet, with its file.
  private var ring: (report: VideoReport, file: Int32)?
  /// A state that it does not know yet.
  private var state: VideoReport?
  /// The state that was reported last.
  private var shown: VideoReport?
  private var bytes = [UInt8](repeating: 0, count: 256)

  init(socket: Int32) {
    self.socket = socket
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
  }

  /// Whether something waits until the socket has room.
  var waitsForRoom: Bool { ring != nil || state != nil }

  /// Reports a state; the same one is not repeated.
  func report(_ new: VideoReport) {
    let report = Self.inOneLine(new)
    guard report != shown else { return }
    shown = report
    state = report
    flush()
  }

  /// A state whose text has no control characters: servers' own words are in some.
  private static func inOneLine(_ report: VideoReport) -> VideoReport {
    guard case .source(let state, let text) = report else { return report }
    var line = String.UnicodeScalarView()
    for letter in text.unicodeScalars {
      line.append(letter.value < 0x20 || 0x7f...0x9f ~= letter.value ? " " : letter)
    }
    return .source(state, text: String(line))
  }

  /// Reports a ring, whose file must stay open until the next one.
  func report(_ new: VideoRing, file: Int32) {
    ring = (.ring(new), file)
    flush()
  }

  /// Reports a picture. Returns false if the cockpit does not hear of it: its slot is nobody's.
  func report(_ frame: VideoFrame) -> Bool {
    flush()
    return !waitsForRoom && send(.frame(frame))
  }

  /// Sends what waits. The ring comes first: whoever hears of a picture knows its ring.
  func flush() {
    if let (report, file) = ring, send(report, file) { ring = nil }
    if ring == nil, let report = state, send(report) { state = nil }
  }

  private func send(_ report: VideoReport, _ file: Int32? = nil) -> Bool {
    let bytes = report.bytes
    while true {
      let files = file.map { [$0] } ?? []
      let sent = unsafe cockpit_send(socket, bytes, bytes.count, files, Int32(files.count))
      if sent == bytes.count { return true }
      if errno == EINTR { continue }
      if errno != EAGAIN { isGone = true }
      return false
    }
  }

  /// Takes the requests that have arrived.
  func takeRequests(_ take: (VideoRequest) -> Void) {
    while !isGone {
      let count = unsafe recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      // What is no request comes from no cockpit.
      guard count > 0, let request = VideoRequest(bytes.prefix(count)) else {
        isGone = true
        return
      }
      take(request)
    }
  }
}
