import Glibc
import Linux
import TestSupport
import Testing
import UICore

@testable import DriveLink

/// One of the examples, and what it says of a command.
struct Example: Sendable, CustomTestStringConvertible {
  let name: String
  let words: [String]
  /// Its words for throttle 0.6 and steering -0.25.
  let driving: String
  /// Its words for a stop, or their beginning.
  let stop: String

  var testDescription: String { name }

  static let all = [
    Example(
      name: "drive_consumer", words: ["-"], driving: "throttle +0.600 steering -0.2500 (driving, none)",
      stop: "throttle +0.000 steering +0.0000 brake ("),
    // It turns to the left, as fast as it goes.
    Example(name: "drive_ros2", words: ["-"], driving: "twist +0.600 +0.150", stop: "twist +0.000 +0.000"),
    Example(name: "drive_can", words: ["-", "can0"], driving: "frame 4 600 -250", stop: "frame 1 0 0"),
  ]

  /// ROS and a CAN bus in place of the real ones: what is published or sent is printed. ROS that handles signals itself, or has ended,
  /// publishes nothing. `FULL` counts the frames that find no room.
  static let stubs = """
    import errno, os, socket, struct, sys, threading, types

    def module(name, **members):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)

    class Vector:
        x = y = z = 0.0

    class Twist:
        def __init__(self):
            self.linear, self.angular = Vector(), Vector()

    class SignalHandlerOptions:
        NO = "no"

    class Node:
        isOpen = True
        topic_name = "/cmd_vel"
        def declare_parameter(self, name, value):
            return types.SimpleNamespace(value=value)
        def create_publisher(self, kind, topic, depth):
            return self
        def publish(self, twist):
            if not Node.isOpen:
                raise RuntimeError("the context is shut down")
            print(f"twist {twist.linear.x:+.3f} {twist.angular.z:+.3f}", flush=True)

    def init(signal_handler_options=None):
        if signal_handler_options != SignalHandlerOptions.NO:
            raise RuntimeError("ROS takes the signals")

    def shutdown():
        Node.isOpen = False

    module("rclpy", init=init, create_node=lambda name: Node(), shutdown=shutdown,
           spin=lambda node: threading.Event().wait())
    module("rclpy.signals", SignalHandlerOptions=SignalHandlerOptions)
    module("geometry_msgs")
    module("geometry_msgs.msg", Twist=Twist)

    class Bus:
        full = [int(number) for number in os.environ.get("FULL", "").split()]
        count = 0
        def bind(self, address):
            pass
        def setblocking(self, blocks):
            pass
        def send(self, data):
            Bus.count += 1
            if Bus.count in Bus.full:
                raise OSError(errno.ENOBUFS, "no room")
            _, flags, throttle, steering = struct.unpack(">BBhhxx", data[8:])
            print("frame", flags, throttle, steering, flush=True)

    real = socket.socket
    socket.socket = lambda family=-1, *rest, **named: (
        Bus() if family == socket.AF_CAN else real(family, *rest, **named))

    """

  /// Starts it with the stubs in `folder`.
  func start(in folder: TemporaryFolder, _ environment: [String] = []) throws -> Program {
    let path = "\(folder.path)/sitecustomize.py"
    let file = try #require(fopen(path, "w"))
    fputs(Example.stubs, file)
    fclose(file)
    return try Program(
      ["env", "PYTHONPATH=\(folder.path)", "PYTHONDONTWRITEBYTECODE=1"] + environment
        + ["python3", "\(Program.examples)/\(name).py"] + words)
  }
}

/// Every example against a cockpit that is slow, silent or killed, and at its own end.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ExamplePeerTests {
  private let folder: TemporaryFolder
  private var stream = DriveStream(rate: 30, at: .system)

  init() throws { folder = try TemporaryFolder() }

  private mutating func line(_ gear: Int = 6, _ throttle: Double = 0.6, steering: Double = -0.25) -> String {
    // A line that repeats has a number of its own, as a steady one.
    if stream.update(
      DriveCommand(gear: gear, throttle: throttle, steering: steering, isHeld: true), holdCount: stream.line.sequence,
      at: .system) == nil, let due = stream.nextSteadyTime
    {
      _ = stream.nextSteady(until: due)
    }
    return text(of: stream.line)
  }

  /// Lets go, then drives.
  private mutating func begin(_ program: Program, _ example: Example) {
    _ = stream.enterSafeState(.hidden, at: .system)
    program.send(text(of: stream.line))
    #expect(isStop(program.output.line(within: .seconds(20)), of: example))
    program.send(line())
    #expect(program.output.line() == example.driving)
  }

  private func isStop(_ line: String?, of example: Example) -> Bool { line?.hasPrefix(example.stop) == true }

  @Test(arguments: Example.all) mutating func `a cockpit that is slow or silent stops the vehicle between its lines`(
    example: Example
  ) throws {
    let program = try example.start(in: folder)
    for _ in 1...2 {
      begin(program, example)
      #expect(isStop(program.output.line(), of: example))
    }
  }

  @Test(arguments: Example.all) mutating func `a cockpit that is killed stops the vehicle`(example: Example) throws {
    let program = try example.start(in: folder)
    begin(program, example)
    program.closeInput()
    #expect(isStop(program.output.line(), of: example))
  }

  @Test(arguments: Example.all, [SIGINT, SIGTERM])
  mutating func `an example that is told to end stops the vehicle first`(example: Example, signal: Int32) throws {
    let program = try example.start(in: folder)
    begin(program, example)
    program.signal(signal)
    var last: String?
    while let line = program.output.line() { last = line }
    #expect(isStop(last, of: example))
  }

  @Test mutating func `ROS stands still in N, with the wheel turned, and steers the other way in reverse`() throws {
    let program = try Example.all[1].start(in: folder)
    begin(program, Example.all[1])
    program.send(line(0, 0, steering: 0.5))
    program.send(line(0, 0, steering: 0.6))
    let still = program.output.line()
    program.send(line(-1, -1, steering: 0.5))
    // The watchdog may have stopped it meanwhile.
    var next = still
    while next == "twist +0.000 +0.000" { next = program.output.line() }
    #expect(still == "twist +0.000 +0.000" && next == "twist -1.000 +0.500")
  }

  @Test mutating func `a full CAN queue loses a frame of driving, and no stop`() throws {
    let program = try Example.all[2].start(in: folder, ["FULL=2 4 5 6"])
    _ = stream.enterSafeState(.hidden, at: .system)
    program.send(text(of: stream.line))
    #expect(isStop(program.output.line(within: .seconds(20)), of: Example.all[2]))
    program.send(line())
    // The frame that drives found no room.
    #expect(isStop(program.output.line(), of: Example.all[2]))
    program.closeInput()
    #expect(isStop(program.output.line(), of: Example.all[2]))
  }

  // MARK: Datagrams

  /// A program that prints each command and then waits for a word: `sleep` for half a second.
  private func slow(_ port: UInt16, watchdog: Double) throws -> Program {
    try Program([
      "python3", "-B", "-c",
      """
      import sys, time
      sys.path.insert(0, "\(Program.examples)")
      from drive_consumer import commands
      for command in commands("udp:\(port)", \(watchdog)):
          print(f"{command.steering:.3f} {command.why}", flush=True)
          if sys.stdin.readline() == "sleep\\n":
              time.sleep(0.5)
      """,
    ])
  }

  /// Lets go and drives until the program does.
  private mutating func begin(_ program: Program, _ send: (String) -> Void) -> String? {
    for _ in 0..<200 {
      _ = stream.enterSafeState(.hidden, at: .system)
      send(text(of: stream.line))
      send(line(steering: 0.9))
      guard let answer = program.output.line(within: .milliseconds(100)) else { continue }
      if answer == "0.900 driving, none" { return answer }
      program.send("go")
    }
    return nil
  }

  private mutating func withSlow(
    watchdog: Double, _ body: (inout ExamplePeerTests, Program, (String) -> Void) throws -> Void
  ) throws {
    let free = try UDPSocket()
    close(free.descriptor)
    let sender = try UDPSocket()
    defer { close(sender.descriptor) }
    let program = try slow(free.port, watchdog: watchdog)
    func send(_ text: String) {
      _ = free.address.withPointer { address, length in
        text.withCString { sendto(sender.descriptor, $0, strlen($0), 0, address, length) }
      }
    }
    #expect(begin(program, send) == "0.900 driving, none")
    try body(&self, program, send)
  }

  @Test mutating func `a slow consumer acts on the newest datagram, not on those before it`() throws {
    try withSlow(watchdog: 30) { test, program, send in
      for step in 1...50 { send(test.line(steering: Double(step) / 100)) }
      program.send("go")
      #expect(program.output.line() == "0.500 driving, none")
      // A datagram that was overtaken on its way counts for nothing.
      let late = test.line(steering: 0.1)
      send(test.line(steering: 0.2))
      send(late)
      program.send("go")
      #expect(program.output.line() == "0.200 driving, none")
    }
  }

  @Test mutating func `what came while a consumer slept longer than its watchdog drives nothing`() throws {
    try withSlow(watchdog: 0.2) { test, program, send in
      for step in 1...50 { send(test.line(steering: Double(step) / 100)) }
      program.send("sleep")
      #expect(program.output.line() == "0.000 no line in time")
      program.send("go")
      #expect(test.begin(program, send) == "0.900 driving, none")
    }
  }

  @Test func `a file that is no socket is left alone`() throws {
    let path = "\(folder.path)/notes"
    let file = try #require(fopen(path, "w"))
    fclose(file)
    let program = try Program(["python3", "-B", "\(Program.examples)/drive_consumer.py", "unix:\(path)"])
    // It ends, with a stop.
    #expect(isStop(program.output.line(within: .seconds(20)), of: Example.all[0]))
    #expect(program.output.line() == nil)
    var information = stat()
    #expect(lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG)
  }
}
