import CLinux
import CSockets
import Glibc
import Linux
import TestSupport
import Testing
import UICore
import VideoLink

/// A descriptor that a call returned. Throws if it failed.
func owned(_ number: Int32) throws -> Descriptor {
  guard let descriptor = Descriptor(number) else { throw CallFailure(reason: errno) }
  return descriptor
}

/// A system call that failed.
struct CallFailure: Error { let reason: Int32 }

/// A running cockpit-video with the test in place of the cockpit.
final class VideoHelper {
  let process: pid_t
  let socket: Descriptor
  /// The newest ring, and its memory as the cockpit would map it.
  private(set) var ring: VideoRing?
  private(set) var ringFile: Int32 = -1
  private(set) var memory: MappedMemory?
  /// The states so far.
  private(set) var states: [VideoSourceState] = []
  private(set) var texts: [String] = []
  private var status: Int32?

  /// Starts it. `input` becomes its standard input.
  init(_ source: String, input: Int32? = nil) throws {
    var ends = [Int32](repeating: -1, count: 2)
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let other = ends[1]
    defer { close(other) }
    socket = try owned(ends[0])
    let (process, failure) = spawnProcess([try Product.video.path, source]) {
      posix_spawn_file_actions_adddup2(&$0, other, 3)
      if let input {
        posix_spawn_file_actions_adddup2(&$0, input, STDIN_FILENO)
      } else {
        posix_spawn_file_actions_addopen(&$0, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      }
    }
    try #require(failure == 0)
    self.process = process
  }

  deinit {
    if ringFile >= 0 { close(ringFile) }
    guard status == nil else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// The next report; nil if none comes in time, or it has ended.
  func next(within milliseconds: Int32 = 10_000) -> VideoReport? {
    var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: VideoReport.mostBytes)
    var files = [Int32](repeating: -1, count: 32)
    var count: Int32 = 0
    let length = cockpit_receive(socket.number, &bytes, bytes.count, &files, &count)
    guard length > 0, let report = VideoReport(bytes.prefix(length)) else { return nil }
    switch report {
    case .ring(let new):
      guard count == 1 else { return nil }
      if ringFile >= 0 { close(ringFile) }
      (ring, ringFile) = (new, files[0])
      memory = MappedMemory(readingFrom: ringFile, count: new.byteCount)
    case .source(let state, let text):
      states.append(state)
      texts.append(text)
    case .frame: break
    }
    return report
  }

  /// The next frame that satisfies a condition.
  func frame(_ condition: (VideoFrame) -> Bool = { _ in true }) throws -> VideoFrame {
    let patience = MonotonicTime.system + .seconds(10)
    while true {
      let report = .system < patience ? next() : nil
      try #require(report != nil, "no frame; states \(states), \(texts)")
      if case .frame(let frame) = report, condition(frame) { return frame }
    }
  }

  /// The text of the next such state.
  func state(_ wanted: VideoSourceState) throws -> String {
    let patience = MonotonicTime.system + .seconds(10)
    while true {
      let report = .system < patience ? next() : nil
      try #require(report != nil, "no state \(wanted); states \(states), \(texts)")
      if case .source(wanted, let text) = report { return text }
    }
  }

  /// Asks it.
  func ask(_ request: VideoRequest) {
    let bytes = request.bytes
    #expect(send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  /// Lets a frame's slot go.
  func release(_ frame: VideoFrame) { if let slot = frame.slot { ask(.release(ring: frame.ring, slot: slot)) } }

  /// A slot's bytes.
  func bytes(_ frame: VideoFrame) throws -> [UInt8] {
    let (ring, memory) = (try #require(ring), try #require(memory))
    #expect(ring.id == frame.ring)
    let slot = try #require(frame.slot)
    let start = try #require(ring.offset(ofSlot: slot))
    return Array(memory.bytes[start..<(start + ring.stride * ring.height)])
  }

  /// The shade of a frame's first pixel: its blue.
  func shade(_ frame: VideoFrame) throws -> UInt8 { try bytes(frame)[0] }

  /// The status with which it ends by itself.
  func waitForEnd() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    self.status = status
    return exitCode(ofStatus: status)
  }
}
