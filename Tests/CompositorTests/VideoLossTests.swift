import CompositorLab
import Foundation
import Glibc
import TestSupport
import Testing

extension RealCompositors {
  /// A camera that fails in the middle of a drive: the product, its helper, a server of our own and a real compositor.
  @Suite(.needs(.weston)) struct VideoLossTests {
    /// How often each fault happens; set COCKPIT_VIDEO_LOSSES for more.
    private static let count = getenv("COCKPIT_VIDEO_LOSSES").flatMap { Int(String(cString: $0)) } ?? 2
    /// The limit of a picture's age, one picture and 20 ms.
    private static let within = Duration.milliseconds(400 + 34 + 20)

    enum Fault: String, CaseIterable {
      case freeze, `repeat`, trickle, half, garbage, late, close, killedHelper, stoppedHelper
      /// The camera's network is cut.
      case cut

      /// Those that this machine can have.
      static var here: [Fault] { allCases.filter { $0 != .cut || CameraServer.network != nil } }
    }

    @Test(arguments: Fault.here)
    func `whatever becomes of the picture, the drive ends in time and a new touch resumes it`(fault: Fault) throws {
      let camera = try CameraServer()
      let rig = try DriveRig(
        .weston, options: ["--video", camera.address, "--video-view", "inset"])
      var times: [Duration] = []
      for number in 0..<Self.count {
        _ = try camera.become("live")
        if fault == .cut { try CameraServer.setNetwork(isUp: true) }
        // The first picture may come while the rig looks for something else in the log.
        if number > 0 { _ = try rig.cockpit.line(within: .seconds(15)) { $0.contains("picture: live") } }
        try rig.drive()
        rig.witness.forgetLines()
        let (begin, last) = try happen(fault, camera, rig)
        let line = try rig.witness.line("\"state\":\"safe\"", within: .seconds(5))
        #expect(line.text.contains("\"reason\":\"video-stale\""), "\(line.text)")
        times.append(begin.duration(to: line.arrival) + last)
        // Neutral until the new touch, which the finger that still rests there is not.
        _ = try camera.become("live")
        #expect(
          try rig.witness.lines(12).allSatisfy { $0.contains("\"gear\":\"N\"") && $0.contains("\"state\":\"safe\"") })
        try rig.liftFingers()
      }
      times.sort()
      print(
        "video-stale after \(fault): median \(times[times.count / 2]), worst \(times[times.count - 1]), \(times.count) times"
      )
      #expect(times.allSatisfy { $0 <= Self.within }, "\(times.suffix(5))")
      #expect(try rig.cockpit.terminate() == .exited(0))
    }

    /// Has the fault happen. Returns a moment, and how long before it the last good picture was sent.
    private func happen(
      _ fault: Fault, _ camera: CameraServer, _ rig: DriveRig
    ) throws -> (ContinuousClock.Instant, Duration) {
      var last: Int64
      switch fault {
      case .killedHelper, .stoppedHelper:
        let process = try #require(helper(of: rig.cockpit.id))
        kill(process, fault == .killedHelper ? SIGKILL : SIGSTOP)
        last = try camera.become("live")
      case .cut:
        // What the camera has sent before this moment may have arrived, and nothing after it.
        try CameraServer.setNetwork(isUp: false)
        return (.now, .zero)
      default: last = try camera.become(fault.rawValue)
      }
      var now = timespec()
      let instant = ContinuousClock.now
      clock_gettime(CLOCK_MONOTONIC, &now)
      last = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - last
      return (instant, .nanoseconds(last))
    }

    /// The child of `cockpit` that fetches the picture.
    private func helper(of cockpit: pid_t) -> pid_t? {
      let children =
        (try? String(contentsOfFile: "/proc/\(cockpit)/task/\(cockpit)/children", encoding: .utf8)) ?? ""
      for child in children.split(separator: " ").compactMap({ pid_t($0) }) {
        let name = (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) ?? ""
        if name.hasPrefix("cockpit-video") { return child }
      }
      return nil
    }
  }
}

/// The server of camera.py, in a process of its own.
private final class CameraServer {
  /// Where its pictures are.
  let address: String
  private let process: Process
  private let (toServer, fromServer) = (Pipe(), Pipe())
  private var rest = ""

  init() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("camera.py")
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let host = Self.network?.host ?? "127.0.0.1"
    let prefix = Self.network.map { ["ip", "netns", "exec", $0.name] } ?? []
    process.arguments = prefix + ["python3", script.path, host]
    process.standardInput = toServer
    process.standardOutput = fromServer
    try process.run()
    let port = try #require(Int(CameraServer.line(fromServer, &rest)))
    address = "http://\(host):\(port)/stream"
  }

  deinit { process.terminate() }

  /// The network namespace of the camera that evidence/video/cut.sh makes: its name, the camera's address in it, and the link to it; nil
  /// without one.
  static let network: (name: String, host: String, link: String)? = {
    let parts = getenv("COCKPIT_VIDEO_NETWORK").map { String(cString: $0).split(separator: ",").map(String.init) } ?? []
    return parts.count == 3 ? (parts[0], parts[1], parts[2]) : nil
  }()

  /// Cuts the link to the camera, or mends it.
  static func setNetwork(isUp: Bool) throws {
    let change = Process()
    change.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    change.arguments = ["ip", "link", "set", try #require(network).link, isUp ? "up" : "down"]
    try change.run()
    change.waitUntilExit()
    try #require(change.terminationStatus == 0)
  }

  /// Changes what the pictures are like; the time of the last good one on CLOCK_MONOTONIC.
  func become(_ fault: String) throws -> Int64 {
    toServer.fileHandleForWriting.write(Data("\(fault)\n".utf8))
    return try #require(Int64(CameraServer.line(fromServer, &rest)))
  }

  private static func line(_ pipe: Pipe, _ rest: inout String) -> String {
    while !rest.contains("\n") {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { return "" }
      rest += String(decoding: data, as: UTF8.self)
    }
    let line = rest.prefix { $0 != "\n" }
    rest = String(rest.dropFirst(line.count + 1))
    return String(line)
  }
}
