import Testing
import UICore

@testable import DriveLink

/// Tests of places as command lines name them, and of waits between attempts.
@Suite struct DriveEndpointTests {
  nonisolated static let good: [(String, DriveEndpoint)] = [
    ("-", .standard), ("unix:/run/car.sock", .unix(path: "/run/car.sock")), ("unix:car", .unix(path: "car")),
    ("udp:192.168.4.1:5005", .udp(host: "192.168.4.1", port: 5005)),
    ("udp:car.local:1", .udp(host: "car.local", port: 1)),
    ("udp:[::1]:65535", .udp(host: "::1", port: 65535)),
    ("bridge:donkey:192.168.4.1", .bridge(receiver: "donkey:192.168.4.1")),
    ("bridge:msp:/dev/ttyACM0", .bridge(receiver: "msp:/dev/ttyACM0")),
    ("bridge:rosbridge:[::1]:9090", .bridge(receiver: "rosbridge:[::1]:9090")),
  ]

  @Test(arguments: good)
  func `a place`(text: String, place: DriveEndpoint) {
    #expect(DriveEndpoint(text) == place && place.description == text)
  }

  @Test(arguments: [
    "", "--", "unix:", "unix:" + String(repeating: "x", count: 108), "unix:a\0b", "udp:", "udp:host", "udp:host:",
    "udp::5",
    "udp:host:0", "udp:host:65536", "udp:host:-1", "udp:host:5x", "udp:::1:5", "udp:a b:5", "udp:[]:5", "tcp:host:5",
    "UNIX:/x", "file.jsonl", "bridge:", "bridge:donkey", "bridge:donkey:", "bridge::x", "bridge:--help:x",
    "bridge:a b:c",
  ])
  func `no place`(text: String) {
    #expect(DriveEndpoint(text) == nil)
  }

  @Test func `a place to read from may be a port of this machine, by number only`() {
    let places: [(String, DriveEndpoint?)] = [
      ("-", .standard), ("unix:/x", .unix(path: "/x")), ("udp:5006", .udp(host: "::", port: 5006)),
      ("udp:127.0.0.1:5006", .udp(host: "127.0.0.1", port: 5006)), ("udp:[::1]:5006", .udp(host: "::1", port: 5006)),
      ("udp:localhost:5006", nil), ("udp:car:5006", nil), ("udp:", nil), ("udp:0", nil), ("udp:65536", nil),
      ("udp:5 6", nil), ("udp:x", nil), ("file", nil), ("bridge:donkey:car", nil),
    ]
    for (text, place) in places { #expect(DriveEndpoint(source: text) == place, "\(text)") }
  }

  @Test func `waits double up to the longest, and begin anew after a success`() {
    var backOff = BackOff(least: .milliseconds(50), most: .milliseconds(300))
    #expect((0..<5).map { _ in backOff.wait() } == [50, 100, 200, 300, 300].map { .milliseconds($0) })
    backOff.reset()
    #expect(backOff.wait() == .milliseconds(50))
  }
}
