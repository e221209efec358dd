import Testing

extension ControlHarness {
  /// The seat that acts.
  public static let seat = SeatID(1)

  /// The identity of finger `number`; -1 is the pointer.
  public static func touchID(_ number: Int) -> TouchID {
    TouchID(seat: seat, contact: number < 0 ? .pointer : .finger(Int32(number)))
  }

  /// Sends one finger's change, and draws a frame if one is needed.
  public func touch(
    _ phase: TouchPoint.Phase, at point: Point, finger: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    send([(phase, point, finger)], sourceLocation: sourceLocation)
  }

  /// Sends several fingers' changes as one atomic frame, and draws a frame if one is needed.
  public func send(
    _ points: [(TouchPoint.Phase, Point, Int)], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    root.handle(
      .touches(
        points.map { TouchPoint(id: Self.touchID($0.2), phase: $0.0, location: $0.1, time: host.now) }))
    frameIfNeeded(sourceLocation: sourceLocation)
  }

  /// Puts a finger down and takes it up again 60 ms later.
  public func tap(_ point: Point, finger: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) {
    touch(.began, at: point, finger: finger, sourceLocation: sourceLocation)
    advance(by: .milliseconds(60), sourceLocation: sourceLocation)
    touch(.ended, at: point, finger: finger, sourceLocation: sourceLocation)
  }

  /// Taps the middle of `view`.
  public func tap(_ view: View, finger: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) {
    tap(view.windowFrame.center, finger: finger, sourceLocation: sourceLocation)
  }

  /// Moves a finger that is down to `end` in `steps`, one a frame.
  public func move(
    from start: Point, to end: Point, steps: Int = 10, finger: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for step in 1...max(steps, 1) {
      let part = Double(step) / Double(max(steps, 1))
      advance(by: frameInterval, sourceLocation: sourceLocation)
      let point = Point(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
      touch(.moved, at: point, finger: finger, sourceLocation: sourceLocation)
    }
  }

  /// Puts a finger down at `start`, moves it to `end` in `steps`, and takes it up unless `holds`.
  public func drag(
    from start: Point, to end: Point, steps: Int = 10, finger: Int = 0, holds: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    touch(.began, at: start, finger: finger, sourceLocation: sourceLocation)
    move(from: start, to: end, steps: steps, finger: finger, sourceLocation: sourceLocation)
    if !holds { touch(.ended, at: end, finger: finger, sourceLocation: sourceLocation) }
  }

  /// Sends one key's change, and draws a frame if one is needed.
  public func key(
    _ phase: KeyEvent.Phase, _ key: Key, _ modifiers: KeyModifiers = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    root.handle(.key(KeyEvent(seat: Self.seat, phase: phase, key: key, modifiers: modifiers, time: host.now)))
    frameIfNeeded(sourceLocation: sourceLocation)
  }

  /// Presses a key and lets it go 60 ms later.
  public func press(
    _ key: Key, _ modifiers: KeyModifiers = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.key(.down, key, modifiers, sourceLocation: sourceLocation)
    advance(by: .milliseconds(60), sourceLocation: sourceLocation)
    self.key(.up, key, modifiers, sourceLocation: sourceLocation)
  }

  /// Types `text`, one key after the other.
  public func type(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for character in text {
      let key = Key(rawValue: character.lowercased().unicodeScalars.first?.value ?? 0)
      for phase in [KeyEvent.Phase.down, .up] {
        root.handle(
          .key(KeyEvent(seat: Self.seat, phase: phase, key: key, text: String(character), time: host.now)))
      }
      frameIfNeeded(sourceLocation: sourceLocation)
    }
  }

  /// Moves the pointer to `point`, or out of the window (nil).
  public func hover(_ point: Point?, sourceLocation: SourceLocation = #_sourceLocation) {
    root.handle(.hover(Self.seat, point))
    frameIfNeeded(sourceLocation: sourceLocation)
  }

  /// Takes the window out of sight.
  public func enterBackground() {
    root.handle(.willResignActive)
    root.handle(.didEnterBackground)
  }

  /// Brings the window back into sight, and draws a frame.
  public func enterForeground(sourceLocation: SourceLocation = #_sourceLocation) {
    root.handle(.willEnterForeground)
    root.handle(.didBecomeActive)
    frame(sourceLocation: sourceLocation)
  }
}
