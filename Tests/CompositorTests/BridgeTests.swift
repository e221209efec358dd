import CompositorLab
import Glibc
import Testing

extension RealCompositors {
  /// The cockpit, the bridge that it starts, and a third-party receiver: mosquitto, whose own client plays the vehicle.
  @Suite(.needs(.kwin), .needsBridge) struct BridgeTests {
    @Test func `a bridge that the cockpit starts drives the receiver, and stops it when the cockpit is killed`() throws
    {
      let drive = try BridgedDrive()
      try drive.begin()
      drive.desk.cockpit.signal(SIGKILL)
      let killed = ContinuousClock.now
      _ = try drive.vehicle.line { $0.contains("\"state\":\"safe\"") }
      let delay = killed.duration(to: .now)
      #expect(delay < .milliseconds(250), "\(delay)")
    }

    @Test func `a killed bridge is a lost link: the will stops the receiver, and only a new touch drives again`() throws
    {
      let drive = try BridgedDrive()
      try drive.begin()
      try drive.killBridge()
      _ = try drive.vehicle.line { $0.contains("\"reason\":\"link-lost\"") }
      _ = try drive.desk.cockpit.line { $0.contains(": safe linkLost") }
      // The cockpit starts another bridge, which begins with a stop. The finger still rests on the lever.
      _ = try drive.vehicle.line { $0.contains("\"reason\":\"lift\"") }
      #expect(throws: LabError.self) { try drive.vehicle.line(within: .seconds(1), where: BridgedDrive.isDriving) }
      try drive.end()
      try drive.begin()
      try drive.end()
      #expect(try drive.desk.cockpit.terminate() == .exited(0))
    }
  }
}

/// A cockpit whose lever a finger holds, with everything between the lever and the vehicle.
private final class BridgedDrive {
  let desk: Desk
  /// The client that plays the vehicle: it prints each message that the broker passes on.
  let vehicle: ClientProcess
  private let broker: ClientProcess

  init() throws {
    let port = try freePort()
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    desk = try Desk(
      .kwin, options: ["--fullscreen", "--drive", "bridge:mqtt:127.0.0.1:\(port)"], logs: "drive:debug",
      environment: ["PATH": "\(bridgePrograms):\(path)"])
    // The broker writes that it runs before it takes connections. The bridge, which retries, shows when it does.
    broker = try desk.compositor.launch(["/usr/sbin/mosquitto", "-p", "\(port)"], joinsErrors: true)
    _ = try broker.line { $0.contains("New client connected") }
    vehicle = try desk.compositor.launch(
      ["stdbuf", "-oL", "mosquitto_sub", "-d", "-p", "\(port)", "-t", "car/drive"])
    _ = try vehicle.line { $0.contains("Subscribed") }
  }

  static func isDriving(_ line: String) -> Bool { line.contains("\"throttle\":0.4,") }

  /// Moves the lever to gear 4 with a finger. A window may not be shown right after its first frame, so the finger tries again.
  func begin() throws {
    for _ in 0..<5 {
      try desk.give(
        "touch down 0 \(desk.plan.gear(0))", "touch frame", "touch motion 0 \(desk.plan.gear(4))", "touch frame")
      if (try? vehicle.line(within: .seconds(1), where: Self.isDriving)) != nil { return }
      try end()
    }
    // Always throws; the error shows the cockpit's last lines.
    _ = try desk.cockpit.line(within: .milliseconds(1)) { _ in false }
  }

  /// Lifts the finger.
  func end() throws { try desk.give("touch up 0", "touch frame") }

  /// Kills the bridge, but not the witness of the screen, the cockpit's other child.
  func killBridge() throws {
    _ = try desk.compositor.output(of: ["pkill", "-KILL", "-P", "\(desk.cockpit.id)", "-f", "cockpit-bridge"])
  }
}

/// The directory where `./dev test` installs cockpit-bridge, with the libraries of its adapters.
private let bridgePrograms =
  "\(#filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined())/.build/bridge/bin"

extension Trait where Self == ConditionTrait {
  /// For a test of the real bridge. It runs always in CI and under `./dev test`, which install the bridge; elsewhere if it is
  /// installed.
  fileprivate static var needsBridge: Self {
    .enabled(
      if: access("\(bridgePrograms)/cockpit-bridge", X_OK) == 0 || getenv("CI") != nil
        || getenv("COCKPIT_STRICT") != nil, "cockpit-bridge is not installed; ./dev test installs it")
  }
}

/// A TCP port of this machine on which no program listens.
private func freePort() throws -> UInt16 {
  let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  defer { close(made) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let status = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, size) | getsockname(made, $0, &size) }
  }
  try #require(status == 0)
  return UInt16(bigEndian: address.sin_port)
}
