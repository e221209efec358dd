import CLinux
import CSockets
import Glibc
import Linux
import Stage

/// Serves wlcs, Canonical's conformance suite for compositors: a desktop in real time, steered through a socket by the module that
/// wlcs loads (evidence/wlcs/module.c).
///
/// Each packet is a command with its arguments, separated by spaces, and gets one byte as the answer once it is carried out:
/// `connect` (the answer carries a client's descriptor), `place CLIENT SURFACE X Y`, `motion X Y`, `relative X Y`, `press BUTTON`,
/// `release BUTTON`, `down FINGER X Y`, `drag FINGER X Y`, `up FINGER` and `stop`. Clients are numbered from 0 in the order of
/// connection, and coordinates are logical points.
final class WlcsServer {
  private let stage: Stage
  private let desktop: StageDesktop
  private let control: Int32
  private let start = MonotonicTime.system
  private var isRunning = true

  init(control: Int32) {
    self.control = control
    // wlcs finds crossings of edges down to the 451st row and popups beyond the 1000th.
    stage = Stage(globals: .desktop, checks: false, output: PixelSize(width: 1280, height: 1024))
    // Most of its windows show a buffer at once.
    stage.acceptsEarlyBuffers = true
    stage.output.refresh = 250_000
    desktop = stage.manage()
  }

  /// Serves until `stop`, or until the socket is closed.
  func run() {
    let base = stage.clock.now
    var nextFrame = MonotonicTime.system
    while isRunning {
      stage.step()
      let isWaiting = stage.heldBufferCount > 0 || stage.surfaces.contains(where: \.waitsForFrame)
      let rest = max(0, (nextFrame - .system).inNanoseconds)
      var files = [
        pollfd(fd: stage.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: control, events: Int16(POLLIN), revents: 0),
      ]
      if cockpit_poll(&files, 2, isWaiting ? rest : -1) < 0, errno != EINTR { return }
      stage.clock.now = base + (.system - start)
      stage.step()
      if files[1].revents != 0 { serve() }
      if isWaiting, MonotonicTime.system >= nextFrame {
        stage.finishFrame()
        nextFrame = .system + stage.refreshInterval
      }
    }
  }

  private func serve() {
    var packet = [UInt8](repeating: 0, count: 256)
    let count = recv(control, &packet, packet.count, 0)
    guard count > 0 else {
      isRunning = false
      return
    }
    let words = String(decoding: packet.prefix(count), as: UTF8.self).split(separator: " ")
    let descriptor = obey(words.first ?? "", words.dropFirst().map { Double($0) ?? 0 })
    stage.step()
    _ = cockpit_send_descriptor(control, descriptor ?? -1)
    if let descriptor { close(descriptor) }
  }

  /// Carries out a command; returns the descriptor to answer with, if it has one.
  private func obey(_ command: Substring, _ numbers: [Double]) -> Int32? {
    func number(_ index: Int) -> Int { index < numbers.count ? Int(numbers[index]) : 0 }
    func point(_ index: Int) -> Point {
      index + 1 < numbers.count ? Point(x: numbers[index], y: numbers[index + 1]) : .zero
    }
    switch command {
    case "connect": return stage.connectClient(isRemote: true)
    case "place":
      guard stage.clients.indices.contains(number(0)) else { break }
      let client = stage.clients[number(0)].connection.raw
      let surface = stage.surfaces.first { $0.resource.client == client && $0.resource.id == number(1) }
      if let surface { desktop.move(surface, to: point(2)) }
    case "motion": desktop.movePointer(to: point(0))
    case "relative": desktop.movePointer(by: point(0))
    case "press", "release": desktop.pressButton(command == "press", button: UInt32(clamping: number(0)))
    case "down": desktop.touchDown(Int32(clamping: number(0)), at: point(1))
    case "drag": desktop.touchMove(Int32(clamping: number(0)), to: point(1))
    case "up": desktop.touchUp(Int32(clamping: number(0)))
    default: isRunning = false
    }
    return nil
  }
}
