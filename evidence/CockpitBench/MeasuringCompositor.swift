import CLinux
import Foundation
import Glibc
import Linux
import Stage
import TestSupport
import UICore

/// The Stage without protocol checks, in real time: 60 refreshes a second by default, at absolute times.
///
/// It copies no pixels. At each refresh it answers frame callbacks and feedback and releases the buffers, like a compositor that
/// uploads their pixels at once. A commit's time is when this process has read it.
@MainActor final class MeasuringCompositor {
  let stage: Stage
  /// The environment that makes a client find the compositor.
  let environment: [String: String]
  /// The number of refreshes so far.
  private(set) var refreshes = 0
  /// The milliseconds by which each refresh came late. Every latency contains this jitter.
  private(set) var lateness: [Double] = []
  /// The time at which the next refresh is due.
  private(set) var nextRefresh: Int64
  /// Called at each wake-up with the time. Does the work that is due and returns the time of the next; nil if no work is planned.
  var agenda: ((Int64) -> Int64?)?

  /// The time between refreshes in nanoseconds.
  let interval: Int64
  private let files: TemporaryFolder
  private let size: PixelSize

  /// A compositor whose windows cover an output of `size`. They are fullscreen or, if `drawsNoFrames`, maximised with client-side
  /// decorations.
  init(size: PixelSize, drawsNoFrames: Bool = false, refresh: Double = 60) throws(BenchError) {
    interval = Int64(1e9 / refresh)
    self.size = size
    guard let files = try? TemporaryFolder() else { throw .system(operation: "mkdir", errno: errno) }
    self.files = files
    let folder = files.path
    var variables = ProcessInfo.processInfo.environment
    for name in ["WAYLAND_SOCKET", "WAYLAND_DEBUG", "DISPLAY"] { variables[name] = nil }
    variables["XDG_RUNTIME_DIR"] = folder
    // The user's own options would change the figures.
    variables["XDG_CONFIG_HOME"] = folder
    variables["WAYLAND_DISPLAY"] = "wayland-bench"
    environment = variables
    setenv("XDG_RUNTIME_DIR", folder, 1)
    // The default timer slack would delay refreshes by up to 50 microseconds.
    try? Data("1".utf8).write(to: URL(fileURLWithPath: "/proc/self/timerslack_ns"))
    var globals = StageGlobals.everything
    if drawsNoFrames { globals.decoration = nil }
    stage = Stage(globals: globals, checks: false, output: size)
    stage.initialConfigure = Configure(
      width: size.width, height: size.height, states: [drawsNoFrames ? .maximized : .fullscreen, .activated])
    nextRefresh = Time.now + interval
    guard stage.listen(as: "wayland-bench") else { throw .system(operation: "bind", errno: errno) }
  }

  /// The first window's surface, once there is one.
  var surface: StageSurface? { stage.frontSurface }

  /// Starts a client whose window covers the output, and waits at most ten seconds for its surface.
  func start(
    _ client: ClientSpecification, _ arguments: [String] = [], variables: [String: String] = [:],
    output: Child.Output = .inherited
  ) throws(BenchError) -> Child {
    let child = try Child(
      client.words + (client.takesSize ? ["--size", size.text] : []) + arguments,
      environment: environment.merging(client.variables) { $1 }.merging(variables) { $1 }, output: output)
    run(until: Time.now + 10_000_000_000) { surface != nil || child.hasEnded }
    return child
  }

  /// Starts a client, whose output is dropped, and waits for its first frame; the milliseconds are from just before the process
  /// started.
  func startAndAwaitFrame(
    of client: ClientSpecification, _ arguments: [String] = [], variables: [String: String] = [:]
  ) throws(BenchError) -> (child: Child, milliseconds: Double) {
    var painted: Int64?
    run(until: Time.now + 2_000_000_000) { surface == nil }
    stage.onCommit = { surface, record in
      if record.hasContent, surface.role.isWindow, painted == nil { painted = Time.now }
    }
    defer { stage.onCommit = nil }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let child = try start(client, arguments, variables: variables, output: .descriptor(nowhere))
    run(until: Time.now + 60_000_000_000) { painted != nil || child.hasEnded }
    guard let painted else { throw .client(name: client.name, "painted nothing") }
    run(milliseconds: 50)
    return (child, Double(painted - child.started) / 1e6)
  }

  /// Runs until `deadline` or until `isDone`; returns whether it was done.
  @discardableResult
  func run(until deadline: Int64, isDone: () -> Bool = { false }) -> Bool {
    while !isDone() {
      var now = Time.now
      if now >= deadline { return false }
      setClock(now)
      if now >= nextRefresh {
        setClock(nextRefresh)
        stage.finishFrame()
        lateness.append(Double(now - nextRefresh) / 1e6)
        refreshes += 1
        nextRefresh += interval
        // Refreshes that this process slept through are skipped.
        while nextRefresh <= now { nextRefresh += interval }
      }
      let due = agenda?(now) ?? deadline
      stage.step()
      now = Time.now
      let wait = max(0, min(due, nextRefresh, deadline) - now)
      var poll = pollfd(fd: stage.descriptor, events: Int16(POLLIN), revents: 0)
      _ = cockpit_poll(&poll, 1, wait)
      setClock(Time.now)
      stage.step()
    }
    return true
  }

  /// Calls `act` every `period` nanoseconds, first `delay` after the next refresh. Runs until `duration` after the first call, or
  /// until `isDone`.
  func run(
    for duration: Int64, after delay: Int64, every period: Int64, _ act: @escaping () -> Void,
    until isDone: () -> Bool = { false }
  ) {
    var next = nextRefresh + delay
    let end = next + duration
    agenda = { now in
      while now >= next, next < end {
        act()
        next += period
      }
      return next < end ? next : nil
    }
    run(until: end, isDone: isDone)
    agenda = nil
  }

  func run(milliseconds: Double) { run(until: Time.now + Int64(milliseconds * 1e6)) }

  private func setClock(_ nanoseconds: Int64) { stage.clock.now = MonotonicTime(nanoseconds: nanoseconds) }
}

/// CLOCK_MONOTONIC.
nonisolated enum Time {
  /// Nanoseconds now.
  static var now: Int64 { MonotonicTime.system.nanoseconds }
}
