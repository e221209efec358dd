import CompositorLab
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// Compositors that are killed, and a cockpit that gets a signal.
  @Suite struct RestartTests {
    /// The cost of a process at rest: while it reconnects, keymaps and cursors pass through descriptors too.
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

    /// A process's private memory in kB, and its descriptors. Those of shared memory are counted apart: a window has two or
    /// three, and a pointer one.
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

    @Test(.needs(.kwin), arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal that ends the cockpit ends the drive first`(signal: Int32) throws {
      let compositor = try Compositor(.kwin, .init(width: 640, height: 360))
      let witness = try DriveWitness(path: compositor.path(of: "drive"))
      let cockpit = try compositor.launch(
        [Product.cockpit.path, "--drive", "unix:\(compositor.path(of: "drive"))", "--log", "frame:debug"],
        joinsErrors: true)
      try witness.acceptCockpit()
      _ = try cockpit.line { $0.contains("frame 1:") }
      cockpit.signal(signal)
      _ = try witness.line("\"state\":\"safe\",\"reason\":\"terminated\"")
      #expect(try cockpit.waitForEnd() == .exited(0))
    }

    @Test(arguments: CompositorKind.tested)
    func `it is killed again and again while fingers are down, and each time the cockpit is safe and comes back`(
      kind: CompositorKind
    ) throws {
      let rig = try DriveRig(kind)
      var first: (memory: Int, descriptors: Int, shared: Int)?
      var last = (memory: 0, descriptors: 0, shared: 0)
      var slowestLine = Duration.zero
      var slowestPaint = Duration.zero
      for kill in 1...killCount {
        try rig.drive()
        // A connection of the test itself, which breaks at the same moment as the cockpit's.
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(probe) }
        try #require(DriveWitness.with(rig.compositor.socket) { connect(probe, $0, $1) } == 0)
        // The answer proves that the compositor has accepted this connection. One that still waits in the queue breaks with the
        // queue, which an ending compositor closes first.
        var words: [UInt32] = [1, 12 << 16, 2]
        try #require(send(probe, words, 12, 0) == 12 && recv(probe, &words, 12, 0) == 12)
        try rig.witness.watch(probe)
        rig.compositor.kill()
        let (arrival, _) = try rig.witness.line(
          "\"gear\":\"N\"", "\"steering\":0.0000", "\"reason\":\"compositor-lost\"")
        slowestLine = max(slowestLine, try rig.witness.hangUp().duration(to: arrival))
        try rig.takeHandsAway()
        try rig.compositor.restart()
        let back = ContinuousClock.now
        try rig.expectFullPaint()
        slowestPaint = max(slowestPaint, back.duration(to: .now))
        try rig.bringHands()
        // Caches fill during the first rounds, so growth is measured from the fifth round at the latest.
        last = try costAtRest(of: rig.cockpit.id)
        if kill == min(5, max(1, killCount - 1)) { first = last }
        if kill == 1 || kill == killCount { try rig.expectPictureAtRest() }
      }
      let growth = last.memory - (first?.memory ?? last.memory)
      let descriptors = "\(first?.descriptors ?? 0) to \(last.descriptors)"
      print(
        "\(killCount) kills of \(kind.rawValue): safe line <= \(slowestLine.inMilliseconds) after the hang-up, repainted <= "
          + "\(slowestPaint.inMilliseconds) after the return, memory \(growth) kB more, descriptors \(descriptors)")
      #expect(slowestLine < .milliseconds(10) && slowestPaint < .seconds(1))
      #expect(growth < 1000, "\(first?.memory ?? 0) to \(last.memory) kB")
      #expect(last.descriptors == first?.descriptors && last.shared <= 6, "\(descriptors), shared \(last.shared)")
      #expect(try rig.cockpit.terminate() == .exited(0))
    }
  }
}
