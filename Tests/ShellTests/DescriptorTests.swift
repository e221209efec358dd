import Glibc
import Linux
import Stage
import Testing
import UICore

@testable import Shell

/// Descriptors that have run out, and pipes whose reader has gone: each in a process of its own.
@MainActor @Suite(.serialized) struct DescriptorTests {
  @Test func `without a descriptor for a buffer the old picture stays, and the connection too`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      var steps = 0
      // A buffer that comes back would give its memory's file back too.
      try play(prepare: { stage, _ in stage.releasePolicy = .byHand }) { show in
        show.calm()
        let old = show.surface.buffer?.size
        var limit = rlimit(rlim_cur: 128, rlim_max: 128)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var taken: [Int32] = []
        while case let one = fcntl(2, F_DUPFD_CLOEXEC, 0), one >= 0 { taken.append(one) }
        // Room for the memory's file, and none for its copy on the way to the compositor.
        if let one = taken.popLast() { close(one) }
        show.toplevel.configure(80, 60)
        show.settle()
        if show.failure == nil { steps += 1 }
        if show.surface.buffer?.size == old { steps += 2 }
        for one in taken { close(one) }
        show.pass(.milliseconds(300))
        show.refresh()
        if show.surface.buffer?.size == PixelSize(width: 80, height: 60) { steps += 4 }
      }
      exit(steps == 7 ? 0 : Int32(10 + steps))
    }
  }

  @Test func `a stopped compositor with a full queue is not waited for when the connection is tried again`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let folder = "/tmp/full-\(getpid())"
      guard mkdir(folder, 0o700) == 0 else { exit(1) }
      let path = folder + "/wayland-9"
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      guard isBound, listen(listener, 2) == 0 else { exit(2) }
      setenv("XDG_RUNTIME_DIR", folder, 1)
      setenv("WAYLAND_DISPLAY", "wayland-9", 1)
      let loop = EventLoop()
      // They are never accepted.
      var connections: [Connection] = []
      do throws(ShellError) {
        for _ in 0..<20 { connections.append(try Connection.again(loop: loop)) }
      } catch {
        unlink(path)
        rmdir(folder)
        exit(error == .noCompositor(display: path, errno: EAGAIN) && connections.count > 1 ? 0 : 3)
      }
      exit(4)
    }
  }

  @Test func `one who pastes and goes away does not end a program that did not ask for it`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      signal(SIGPIPE, SIG_DFL)
      var isRight = false
      try play { show in
        show.seat.touchDown(1, 10, 10)
        show.seat.touchFrame()
        show.settle()
        _ = show.window?.setClipboard(String(repeating: "0123456789", count: 50_000))
        show.settle()
        let copy = try #require(show.stage.clipboard)
        // One reader closes before anything is written, and one in the middle.
        do { _ = copy.paste(as: "text/plain") }
        show.settle()
        do {
          let half = copy.paste(as: "text/plain")
          show.settle()
          _ = half?.read(atMost: 1000)
        }
        show.settle()
        isRight = show.failure == nil
      }
      exit(isRight ? 0 : 1)
    }
  }

  @Test func `a handler of the program's own for such pipes stays`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      signal(SIGPIPE) { _ in }
      try play { show in
        show.seat.touchDown(1, 10, 10)
        show.seat.touchFrame()
        show.settle()
        _ = show.window?.setClipboard("text")
        show.settle()
      }
      var action = sigaction()
      sigaction(SIGPIPE, nil, &action)
      let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      exit(handler != unsafeBitCast(SIG_DFL, to: Int.self) && handler != unsafeBitCast(SIG_IGN, to: Int.self) ? 0 : 1)
    }
  }
}
