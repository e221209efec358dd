import CLinux
import CSockets
import Glibc
import Linux
import TestSupport
import Testing
import UICore
import VideoLink

@testable import VideoReading

/// The memory that the program shares, and when it ends.
@Suite(.serialized) struct HelperRingTests {
  private static let part = Array("\r\n--b\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
  private static let head = "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=b\r\n\r\n"

  @Test func `a slot that is not released is not written, and without a free one nothing is shown`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    connection.send(Self.head)
    var held: [(VideoFrame, [UInt8])] = []
    for shade in [UInt8(20), 60, 100, 140, 180, 220] {
      connection.send(Self.part + (try image(shade)))
      let frame = try helper.frame()
      if frame.slot != nil { held.append((frame, try helper.bytes(frame))) }
    }
    let slots = try #require(helper.ring?.slots)
    #expect(held.count == slots && Set(held.compactMap(\.0.slot)).count == slots)
    for (frame, bytes) in held { #expect(try helper.bytes(frame) == bytes) }
    helper.release(held[1].0)
    connection.send(Self.part + (try image(250)))
    let next = try helper.frame()
    #expect(next.slot == held[1].0.slot)
    for index in held.indices where index != 1 { #expect(try helper.bytes(held[index].0) == held[index].1) }
    // A release that names another ring or slot frees nothing.
    helper.ask(.release(ring: 77, slot: 0))
    helper.ask(.release(ring: next.ring, slot: 7))
    connection.send(Self.part + (try image(30)))
    #expect(try helper.frame().slot == nil)
    // A repeat of a picture that was not shown is shown as soon as it can be.
    helper.release(next)
    connection.send(Self.part + (try image(30)))
    let again = try helper.frame()
    #expect(again.isRepeat && again.slot == next.slot)
    #expect(abs(Int(try helper.shade(again)) - 30) <= 2)
    connection.send(Self.part + (try image(30)))
    let third = try helper.frame()
    #expect(third.isRepeat && third.slot == nil)
  }

  @Test func `a ring can't shrink or grow`() throws {
    let helper = try VideoHelper("test")
    _ = try helper.frame()
    let ring = try #require(helper.ring)
    // F_GET_SEALS: seal, shrink and grow, and not write: the compositor maps it for writing too.
    #expect(fcntl(helper.ringFile, 1034) & 0x1f == 0x7)
    #expect(ftruncate(helper.ringFile, 4096) < 0 && ftruncate(helper.ringFile, ring.byteCount + 4096) < 0)
    var status = stat()
    #expect(fstat(helper.ringFile, &status) == 0 && Int(status.st_size) == ring.byteCount)
    #expect(MappedMemory(count: ring.byteCount, file: helper.ringFile) != nil)
  }

  @Test func `another size is another ring`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    connection.send(Self.head)
    var ids: [UInt32] = []
    for (width, height) in [(64, 48), (33, 21), (64, 48), (1, 1)] {
      connection.send(Self.part + (try image(90, width: width, height: height)))
      let frame = try helper.frame()
      let ring = try #require(helper.ring)
      #expect(ring.width == width && ring.height == height && frame.ring == ring.id)
      #expect(try helper.bytes(frame).count == width * height * 4)
      ids.append(ring.id)
    }
    #expect(Set(ids).count == 4)
    connection.send(Self.part + (try image(90, width: 4, height: 9000)))
    // Scaled down by an eighth, which is less than 4096.
    _ = try helper.frame()
    #expect(helper.ring?.height == 3375)
  }

  @Test func `pictures fit into the limit, in their shape`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    helper.ask(.limit(width: 100, height: 0, framesPerSecond: 0))
    let connection = try peer.accept()
    connection.send(Self.head)
    connection.send(Self.part + (try image(90, width: 160, height: 80)))
    _ = try helper.frame()
    #expect(helper.ring?.width == 100 && helper.ring?.height == 50)
    helper.ask(.limit(width: 0, height: 0, framesPerSecond: 0))
    helper.ask(.limit(width: 30, height: 15, framesPerSecond: 0))
    // The request has been taken when the next picture is.
    connection.send(Self.part + (try image(100, width: 160, height: 80)))
    _ = try helper.frame()
    connection.send(Self.part + (try image(110, width: 160, height: 80)))
    _ = try helper.frame()
    #expect(helper.ring?.width == 20 && helper.ring?.height == 10)
  }

  @Test func `a cockpit that reads nothing holds nothing up, and sees the newest afterwards`() throws {
    let peer = try PictureServer()
    let helper = try VideoHelper(peer.address)
    let connection = try peer.accept()
    connection.send(Self.head)
    // More reports than a socket holds. The server's sending would fail if nobody read the pictures.
    for index in 0..<3000 {
      #expect(connection.send(Self.part + (try image(UInt8(index % 200), width: 16, height: 16))))
    }
    var last = UInt64(0)
    while let report = helper.next(within: 0) {
      guard case .frame(let frame) = report else { continue }
      #expect(frame.number > last)
      last = frame.number
      helper.release(frame)
    }
    #expect(last > 0)
    repeat {
      connection.send(Self.part + (try image(UInt8(last % 100 + 100), width: 16, height: 16)))
      let frame = try helper.frame()
      #expect(frame.number > last)
      last = frame.number
      helper.release(frame)
      if frame.number > 3000, frame.slot != nil { break }
    } while last < 10_000
    #expect(last > 3000 && last < 10_000)
  }

  @Test func `it ends with the socket`() throws {
    let process: pid_t
    do {
      let helper = try VideoHelper("test")
      _ = try helper.frame()
      process = helper.process
      shutdown(helper.socket.number, Int32(SHUT_RDWR))
      #expect(helper.waitForEnd() == 0)
    }
    #expect(kill(process, 0) < 0)
  }

  @Test func `it ends with the process that started it`() throws {
    var ends = [Int32](repeating: -1, count: 2)
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let other = ends[1]
    var waiting = [Int32](repeating: -1, count: 2)
    try #require(cockpit_pipe(&waiting) == 0)
    defer { for end in waiting { close(end) } }
    let (shell, failure) = spawnProcess(["sh", "-c", "'\(try Product.video.path)' test 3<&3 & read x"]) {
      posix_spawn_file_actions_adddup2(&$0, other, 3)
      // The shell waits until it is killed.
      posix_spawn_file_actions_adddup2(&$0, waiting[0], STDIN_FILENO)
    }
    try #require(failure == 0)
    close(other)
    defer { close(ends[0]) }
    var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    var byte = [UInt8](repeating: 0, count: 256)
    // It runs.
    #expect(poll(&entry, 1, 10_000) > 0 && recv(ends[0], &byte, 256, 0) > 0)
    kill(shell, SIGKILL)
    waitpid(shell, nil, 0)
    // The end of the last process with the other end.
    var isClosed = false
    while !isClosed, poll(&entry, 1, 10_000) > 0 { isClosed = recv(ends[0], &byte, 256, 0) <= 0 }
    #expect(isClosed)
  }

  @Test(arguments: ["https://camera/", "nonsense", "test:none", "udp:0", "v4l2:x"])
  func `what can't be used is refused`(_ source: String) throws {
    let helper = try VideoHelper(source)
    #expect(try !helper.state(.refused).isEmpty)
    #expect(helper.waitForEnd() == 1)
  }

  @Test func `the test source moves, and does what its kinds say`() throws {
    let helper = try VideoHelper("test")
    let (first, second) = (try helper.frame(), try helper.frame())
    #expect(first.stamp?.kind == .wall && second.slot != nil)
    #expect(try helper.bytes(first) != helper.bytes(second))
    let frozen = try VideoHelper("test:frozen")
    var frame = try frozen.frame()
    while !frame.isRepeat {
      frozen.release(frame)
      frame = try frozen.frame()
    }
    let broken = try VideoHelper("test:broken")
    #expect(try !broken.state(.undecodable).isEmpty)
  }
}
