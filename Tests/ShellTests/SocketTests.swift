import Glibc
import Linux
import Testing
import UICore

@testable import Shell

/// Which compositor the environment names. Each test is a process of its own, whose environment it may change.
@MainActor @Suite struct SocketTests {
  @Test func `a handed-over socket that is none is named with its reason, and nothing else is tried`() {
    let file = open("/dev/null", O_RDWR | O_CLOEXEC)
    let unconnected = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { for one in [file, unconnected] { close(one) } }
    let cases = [
      ("9777", EBADF), ("-1", EBADF), ("abc", EINVAL), ("3 ", EINVAL), ("\(file)", ENOTSOCK),
      ("\(unconnected)", ENOTCONN),
    ]
    for (value, reason) in cases {
      let error = ShellError.badSocket(value: value, errno: reason)
      #expect(throws: error) { _ = try Connection.first(loop: EventLoop(), handedOver: value) }
      #expect("\(error)".contains("WAYLAND_SOCKET=\(value) "))
    }
  }

  @Test func `a program without a compositor says so in one line, and its exit code is 1`() async throws {
    let ended = try await #require(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) { @MainActor in
      setenv("WAYLAND_DISPLAY", "/nonexistent/wayland", 1)
      unsetenv("WAYLAND_SOCKET")
      Application.main { _ in exit(3) }
    }
    let lines = String(decoding: ended.standardErrorContent, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.count == 1 && lines[0].contains(": no Wayland compositor answers at /nonexistent/wayland"), "\(lines)")
  }

  @Test func `what a program's start throws is one line too`() async throws {
    let ended = try await #require(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) { @MainActor in
      let place = try #require(Place())
      Application.main { _ in
        _ = place.leave(0)
        throw ShellError.missingGlobal(interface: "wl_test", needed: 2)
      }
    }
    let text = String(decoding: ended.standardErrorContent, as: UTF8.self)
    #expect(text.hasSuffix(": the compositor offers no wl_test (version 2 or newer is needed)\n"))
  }

  @Test func `an empty variable is unset`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let place = try #require(Place())
      setenv("WAYLAND_SOCKET", "", 1)
      setenv("WAYLAND_DISPLAY", "", 1)
      let application = try Application()
      let status = withExtendedLifetime(application) { place.leave(place.hasClient ? 0 : 3) }
      if status != 0 { exit(status) }
    }
  }

  @Test func `after a connection that was handed over there is no compositor to return to`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let status = try endHandedOver(named: nil)
      if status != 0 { exit(status) }
    }
  }

  @Test func `after a connection that was handed over, the compositor that is named is tried`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let status = try endHandedOver(named: "wayland-0")
      if status != 0 { exit(status) }
    }
  }
}

/// Breaks a handed-over connection. Succeeds if the place's compositor is asked exactly if it is named.
@MainActor private func endHandedOver(named name: String?) throws -> Int32 {
  let place = try #require(Place())
  var ends: [Int32] = [0, 0]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return 3 }
  setenv("WAYLAND_SOCKET", "\(ends[0])", 1)
  if let name { setenv("WAYLAND_DISPLAY", name, 1) }
  var failure: ShellError?
  do throws(ShellError) {
    let application = try Application()
    application.reconnection = .tries(for: .milliseconds(300))
    application.openWindow(
      content: TestContent(), options: WindowOptions(title: "", applicationID: "x", size: Size(width: 9, height: 9)))
    close(ends[1])
    try application.run()
  } catch {
    failure = error
  }
  guard case .connectionLost = failure, getenv("WAYLAND_SOCKET") == nil else { return place.leave(4) }
  return place.leave(place.hasClient == (name != nil) ? 0 : 5)
}

/// A folder with a listening socket wayland-0, as XDG_RUNTIME_DIR.
private final class Place {
  private let folder: String
  private let listener: Descriptor

  init?() {
    folder = "/tmp/cockpit-socket-\(getpid())"
    guard mkdir(folder, 0o700) == 0,
      let listener = Descriptor.socket(listeningAt: folder + "/wayland-0", backlog: 8)
    else { return nil }
    self.listener = listener
    setenv("XDG_RUNTIME_DIR", folder, 1)
    unsetenv("WAYLAND_DISPLAY")
  }

  /// True if somebody has connected.
  var hasClient: Bool {
    var entry = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Removes the folder, and returns the status.
  func leave(_ status: Int32) -> Int32 {
    unlink(folder + "/wayland-0")
    rmdir(folder)
    return status
  }
}
