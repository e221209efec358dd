import JSON
import Stage

extension StepKind {
  /// Fingers and the stylus.
  static let touchSteps: [StepKind] = [
    StepKind(
      "touch",
      "Moves fingers along paths: each is put down at its first point, moves in straight lines at an even pace with every refresh, and is lifted at its last point.",
      [
        StepParameter(
          "fingers", .fingers, isRequired: true,
          "a list such as `[{\"id\": 0, \"path\": [[10, 10], [90, 10]]}, {\"id\": 1, \"path\": [[50, 50]]}]`; the IDs are 0, 1, 2 and so on by default"
        ),
        StepParameter("ms", .number(0...600_000), "how long in virtual time; 200 by default"), window,
      ], ClientRun.touch),
    StepKind("touch-down", "Puts a finger down.", [finger] + place + [window], ClientRun.touchDown),
    StepKind("touch-move", "Moves a finger.", [finger] + place + [window], ClientRun.touchMove),
    StepKind("touch-up", "Lifts a finger.", [finger], ClientRun.touchUp),
    StepKind(
      "touch-cancel", "Cancels every finger, as a compositor does that recognises a gesture of its own.", [],
      ClientRun.touchCancel),
    StepKind(
      "pen", "Does something with a stylus, which the first such step plugs in.",
      [
        StepParameter(
          "action", .choice(["enter", "move", "down", "up", "leave", "unplug"]), isRequired: true,
          "`enter` brings it near a window, `down` puts its tip on it"),
        StepParameter("x", .number(-100_000...100_000), "where, for `enter`, `move` and `down`"),
        StepParameter("y", .number(-100_000...100_000), "where"),
        StepParameter("pressure", .number(0...1), "the pressure of the tip, for `down` and `move`"), window,
      ], ClientRun.pen),
  ]

  /// A position on a window.
  static let place = [
    StepParameter(
      "x", .number(-100_000...100_000), isRequired: true, "logical points from the left of the window's geometry"),
    StepParameter("y", .number(-100_000...100_000), isRequired: true, "logical points from its top"),
  ]

  private static let finger = StepParameter("id", .whole(0...1_000_000), "the finger; 0 by default")
}

extension ClientRun {
  /// The surface of a window that takes input at a position of its geometry, and the position on that surface.
  func aim(at place: Point, _ arguments: StepArguments) throws(StepFailure) -> (surface: StageSurface, point: Point) {
    let window = try toplevel(arguments).surface
    guard let target = stage.aim(at: window.corner + place, in: window) else {
      throw StepFailure("the window takes no input at (\(place.x), \(place.y))")
    }
    return target
  }

  func touch(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat(with: .touch)
    var fingers: [(id: Int32, path: FingerPath, offset: Point)] = []
    for (index, finger) in (arguments.members["fingers"]?.items ?? []).enumerated() {
      let points = (finger["path"]?.items ?? []).compactMap { $0.numbers(2).map { Point(x: $0[0], y: $0[1]) } }
      guard let first = points.first else { continue }
      let id = Int32(clamping: finger["id"]?.whole ?? index)
      let target = try aim(at: first, arguments)
      seat.touchDown(id, target.point.x, target.point.y, on: target.surface)
      // The finger goes on in the points of the surface that it was put down on.
      fingers.append((id, FingerPath(points: points), target.point - first))
    }
    seat.touchFrame()
    awaitRest()
    let start = stage.clock.now
    let length = arguments.milliseconds("ms", or: 200)
    func move(to part: Double) {
      for finger in fingers where finger.path.points.count > 1 {
        let point = finger.path.point(at: part) + finger.offset
        seat.touchMotion(finger.id, point.x, point.y)
      }
      seat.touchFrame()
    }
    advance(by: length) { move(to: min(1, (stage.clock.now - start).inSeconds / max(length.inSeconds, 1e-9))) }
    move(to: 1)
    for finger in fingers { seat.touchUp(finger.id) }
    seat.touchFrame()
  }

  func touchDown(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat(with: .touch)
    let target = try aim(at: arguments.place, arguments)
    seat.touchDown(finger(arguments), target.point.x, target.point.y, on: target.surface)
    seat.touchFrame()
  }

  func touchMove(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat(with: .touch)
    guard let surface = seat.touchPoints[finger(arguments)]?.surface else {
      throw StepFailure("the finger is not down")
    }
    let point = arguments.place + surface.offset
    seat.touchMotion(finger(arguments), point.x, point.y)
    seat.touchFrame()
  }

  func touchUp(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat(with: .touch)
    guard seat.touchPoints[finger(arguments)] != nil else { throw StepFailure("the finger is not down") }
    seat.touchUp(finger(arguments))
    seat.touchFrame()
  }

  func touchCancel(_ arguments: StepArguments) throws(StepFailure) {
    try seat(with: .touch).touchCancel()
  }

  private func finger(_ arguments: StepArguments) -> Int32 { Int32(arguments.whole("id", or: 0)) }

  func pen(_ arguments: StepArguments) throws(StepFailure) {
    let seat = try seat()
    let pen = stylus ?? seat.addPen()
    stylus = pen
    awaitRest()
    switch arguments.text("action") {
    case "enter":
      let target = try aim(at: arguments.place, arguments)
      pen.enterProximity(on: target.surface)
      pen.move(target.point.x, target.point.y)
    case "move", "down":
      if arguments.number("x") != nil, arguments.number("y") != nil {
        let target = try aim(at: arguments.place, arguments)
        pen.move(target.point.x, target.point.y)
      }
      if arguments.text("action") == "down" { pen.down() }
      if let pressure = arguments.number("pressure") { pen.press(pressure) }
    case "up": pen.up()
    case "leave": pen.leaveProximity()
    default:
      seat.remove(pen)
      stylus = nil
    }
    pen.frame()
  }
}

/// A path of straight lines.
struct FingerPath {
  let points: [Point]

  /// The point after a part of the path's length, from 0 to 1.
  func point(at part: Double) -> Point {
    let lengths = zip(points, points.dropFirst()).map { a, b in
      ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    }
    var rest = lengths.reduce(0, +) * part
    for (index, length) in lengths.enumerated() {
      if rest <= length, length > 0 {
        let way = points[index + 1] - points[index]
        return points[index] + Point(x: way.x * rest / length, y: way.y * rest / length)
      }
      rest -= length
    }
    return points.last ?? .zero
  }
}
