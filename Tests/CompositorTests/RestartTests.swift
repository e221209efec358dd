// Owns the tests of compositors that are killed under the cockpit while fingers are down.

import CompositorLab
import Glibc
import Testing

extension RealCompositors {
  /// KWin, since it takes touches from a test.
  @Suite(.needs(.kwin)) struct RestartTests {
    /// A line that did not come in time.
    private struct Missing: Error {
      let words: [String]
    }

    /// Reads what the cockpit commands, and notices the end of a compositor as the cockpit does: by its socket.
    private final class Witness {
      private let listener: Int32
      private var stream: Int32 = -1
      private var unread = ""

      init(path: String) throws {
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let bound = Witness.with(path) { bind(listener, $0, $1) }
        try #require(bound == 0 && listen(listener, 1) == 0)
      }

      deinit {
        close(listener)
        if stream >= 0 { close(stream) }
      }

      static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) { raw in
          raw.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
      }

      func acceptCockpit() { stream = accept(listener, nil, nil) }

      /// The next line with all these words, and when it came.
      func line(
        _ words: String..., within limit: Duration = .seconds(15), alsoWatching probe: Int32 = -1
      ) throws -> (arrival: ContinuousClock.Instant, hangUp: ContinuousClock.Instant?) {
        let start = ContinuousClock.now
        var hangUp: ContinuousClock.Instant?
        var arrival: ContinuousClock.Instant?
        while arrival == nil || (probe >= 0 && hangUp == nil) {
          var entries = [
            pollfd(fd: stream, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hangUp == nil ? probe : -1, events: 0, revents: 0),
          ]
          _ = poll(&entries, 2, 100)
          let now = ContinuousClock.now
          if entries[1].revents != 0 { hangUp = now }
          if entries[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(stream, &bytes, bytes.count, 0)
            try #require(count > 0, "the cockpit is gone")
            unread += String(decoding: bytes[..<count], as: UTF8.self)
          }
          while arrival == nil, let end = unread.firstIndex(of: "\n") {
            let line = unread[..<end]
            if words.allSatisfy({ line.contains($0) }) { arrival = now }
            unread.removeSubrange(...end)
          }
          if start.duration(to: now) > limit { throw Missing(words: words) }
        }
        return (try #require(arrival), hangUp)
      }
    }

    /// What a process costs when it has come to rest: on the way back keymaps and cursors pass through descriptors, too.
    private func costAtRest(of process: pid_t) throws -> (memory: Int, descriptors: Int, shared: Int) {
      let deadline = ContinuousClock.now + .seconds(5)
      var last = try cost(of: process)
      while ContinuousClock.now < deadline {
        usleep(100_000)
        let now = try cost(of: process)
        if now == last { break }
        last = now
      }
      return last
    }

    /// A process's memory that is its own, in kB, and its descriptors: those of shared memory, of which a window has two or three and
    /// a pointer one, and all others.
    private func cost(of process: pid_t) throws -> (memory: Int, descriptors: Int, shared: Int) {
      let file = try #require(fopen("/proc/\(process)/smaps_rollup", "r"))
      defer { fclose(file) }
      var memory = 0
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, 256, file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.hasPrefix("Pss_Anon:") { memory = Int(text.split(separator: " ")[1]) ?? 0 }
      }
      let folder = try #require(opendir("/proc/\(process)/fd"))
      defer { closedir(folder) }
      var (count, shared) = (0, 0)
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        var target = [CChar](repeating: 0, count: 256)
        guard readlink("/proc/\(process)/fd/\(name)", &target, 255) > 0 else { continue }
        let isShared = String(decoding: target.prefix(7).map { UInt8(bitPattern: $0) }, as: UTF8.self) == "/memfd:"
        if isShared { shared += 1 } else { count += 1 }
      }
      return (memory, count, shared)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal that ends the cockpit ends the drive first`(signal: Int32) throws {
      let compositor = try Compositor(.kwin, .init(width: 640, height: 360))
      let witness = try Witness(path: compositor.path(of: "drive"))
      let cockpit = try compositor.launch(
        [Product.cockpit.path, "--drive", "unix:\(compositor.path(of: "drive"))", "--log", "frame:debug"],
        joinsErrors: true)
      witness.acceptCockpit()
      _ = try cockpit.line { $0.contains("frame 1:") }
      cockpit.signal(signal)
      _ = try witness.line("\"state\":\"safe\",\"reason\":\"terminated\"")
      #expect(try cockpit.waitForEnd() == .exited(0))
    }

    @Test func `it is killed again and again while fingers are down, and each time the cockpit is safe and comes back`()
      throws
    {
      let settings = Compositor.Settings(width: 960, height: 540)
      let compositor = try Compositor(.kwin, settings)
      let plan = try Plan(json: compositor.output(of: [Product.cockpit.path, "--dump-tree", "--size", "960x540"]))
      let witness = try Witness(path: compositor.path(of: "drive"))
      var hands = try compositor.launch([Product.input.path, "960x540"])
      #expect(try hands.line() == "ready")
      let cockpit = try compositor.launch(
        [
          Product.cockpit.path, "--fullscreen", "--beacon", "off", "--drive", "unix:\(compositor.path(of: "drive"))",
          "--dead-man", "off", "--log", "frame:debug,input",
        ], joinsErrors: true)
      witness.acceptCockpit()
      func give(_ commands: String...) throws {
        for command in commands {
          try hands.send(command)
          #expect(try hands.line() == "ok")
        }
      }
      _ = try cockpit.line { $0.contains("frame 1:") }
      /// Two fingers take lever and wheel. KWin may show the window a moment after its first frame: then they come again.
      func drive() throws {
        for _ in 0..<10 {
          try give(
            "touch down 0 \(plan.gear(0))", "touch down 7 \(plan.rim(quarterTurns: 0))", "touch frame",
            "touch motion 0 \(plan.gear(4))", "touch motion 7 \(plan.rim(quarterTurns: 1))", "touch frame")
          do {
            _ = try witness.line("\"gear\":\"4\"", "\"held\":true", "\"state\":\"driving\"", within: .seconds(1))
            return
          } catch is Missing {
            try give("touch up 0", "touch up 7", "touch frame")
          }
        }
        throw Missing(words: ["driving"])
      }
      var first: (memory: Int, descriptors: Int, shared: Int)?
      var last = (memory: 0, descriptors: 0, shared: 0)
      var slowestLine = Duration.zero
      var slowestPaint = Duration.zero
      for kill in 1...killCount {
        try drive()
        // A connection of the test's own breaks when the cockpit's does.
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(probe) }
        try #require(Witness.with(compositor.socket) { connect(probe, $0, $1) } == 0)
        compositor.kill()
        let (arrival, hangUp) = try witness.line(
          "\"gear\":\"N\"", "\"steering\":0.0000", "\"reason\":\"compositor-lost\"", alsoWatching: probe)
        slowestLine = max(slowestLine, try #require(hangUp).duration(to: arrival))
        try compositor.restart()
        let back = ContinuousClock.now
        _ = try cockpit.line { $0.contains("frame 1:") }
        slowestPaint = max(slowestPaint, back.duration(to: .now))
        hands = try compositor.launch([Product.input.path, "960x540"])
        #expect(try hands.line() == "ready")
        // The new seat's touchscreen has to be there before a finger.
        _ = try cockpit.line {
          $0.contains("capabilities") && ($0.split(separator: " ").last.flatMap { Int($0) } ?? 0) & 4 != 0
        }
        // Caches fill during the first ones.
        last = try costAtRest(of: cockpit.id)
        if kill == min(5, killCount - 1) { first = last }
        if kill == 1 || kill == killCount {
          let file = "offscreen.png"
          _ = try compositor.output(
            of: [Product.cockpit.path, "--beacon", "off", "--screenshot", file, "--size", "960x540"])
          let wanted = try Picture(png: compositor.path(of: file))
          _ = try compositor.screenshot { $0 == wanted }
        }
      }
      let growth = last.memory - (first?.memory ?? last.memory)
      print(
        "\(killCount) kills: the safe line at most \(slowestLine) after the hang-up, repainted at most "
          + "\(slowestPaint) after the return, memory \(growth) kB more, descriptors \(first?.descriptors ?? 0) to \(last.descriptors), "
          + "shared memory \(first?.shared ?? 0) to \(last.shared)")
      #expect(slowestLine < .milliseconds(10) && slowestPaint < .seconds(1))
      #expect(growth < 1000 && last.descriptors == first?.descriptors && last.shared <= 6)
      #expect(try cockpit.terminate() == .exited(0))
    }
  }
}
