import UICore

/// Content that paints a chosen colour and notes its events.
@MainActor final class TestContent: WindowContent {
  weak var host: (any WindowHost)?
  var isOpaque = true
  var minimumSize = Size(width: 1, height: 1)
  var inputArea: [Rect]?
  var isAnimating = false
  var needsFrame: Bool { isAnimating || !damage.isEmpty }

  /// Everything that was heard, oldest first.
  private(set) var events: [InputEvent] = []
  private(set) var life: [LifecycleEvent] = []
  private(set) var sizes: [(size: Size, scale: Scale)] = []
  private(set) var times: [MonotonicTime] = []
  private(set) var drawn: [Region] = []
  private(set) var wakes: [MonotonicTime] = []
  /// Called for each input event, after it was noted.
  var onInput: ((InputEvent) -> Void)?
  /// Called for each step of the window's life, after it was noted.
  var onLife: ((LifecycleEvent) -> Void)?

  /// Called with the name of every call of the window, after it was noted.
  var onCall: ((String) -> Void)?
  /// The names of all calls that deliver an event, oldest first.
  private(set) var calls: [String] = []

  /// Called when a frame is drawn, before its pixels are.
  var onDraw: (() -> Void)?

  private var spots: [(rect: PixelRect, colour: UInt32)] = []
  private var damage = Region()
  private var whole = PixelRect.zero
  private var hand = 0

  /// Paints `rect` in `colour` from the next frame on.
  func paint(_ rect: PixelRect, _ colour: UInt32 = 0xffff_ffff) {
    spots.append((rect, colour))
    damage.add(rect)
  }

  func handleWake(at time: MonotonicTime) {
    wakes.append(time)
    call("wake")
  }

  private func call(_ name: String) {
    calls.append(name)
    onCall?(name)
  }

  /// Forgets what was heard.
  func forget() {
    events.removeAll()
    life.removeAll()
    times.removeAll()
    calls.removeAll()
    drawn.removeAll()
  }

  /// The touch points heard, as short words.
  var touches: [String] {
    events.compactMap { event in
      guard case .touches(let points) = event else { return nil }
      return points.map { point in
        let who =
          switch point.id.contact {
          case .finger(let id): "\(id)"
          case .pointer: "pointer"
          case .pen(let number): "pen \(number)"
          }
        let location =
          point.phase == .began || point.phase == .moved ? " \(point.location.x),\(point.location.y)" : ""
        return "\(who) \(point.phase)\(location)"
      }.joined(separator: " + ")
    }
  }

  /// The keys heard, as short words.
  var keys: [String] {
    events.compactMap { event in
      guard case .key(let key) = event else { return nil }
      let symbol = Unicode.Scalar(key.key.rawValue).map {
        key.key.rawValue > 0x20 && key.key.rawValue < 0x7f ? String($0) : "\(key.key.rawValue)"
      }
      return "\(symbol ?? "?") \(key.phase)"
    }
  }

  func resize(to size: Size, scale: Scale) {
    sizes.append((size, scale))
    let pixels = scale.pixelSize(size)
    whole = PixelRect(pixels)
    damage = Region(whole)
    call("resize")
  }

  func handle(_ event: InputEvent) {
    events.append(event)
    onInput?(event)
    switch event {
    case .touches: call("touches")
    case .hover(_, let place): call(place == nil ? "hover out" : "hover")
    case .scroll: call("scroll")
    case .key: call("key")
    case .keyboardFocus(_, let isFocused): call(isFocused ? "focus" : "focus lost")
    case .text(let edit): call("text \(edit.inserted)|\(edit.preedit)")
    case .textService(_, let service): call("text service \(service)")
    case .gamepad: call("gamepad")
    case .lost(let loss): call("lost \(loss.cause)")
    }
  }

  func handle(_ event: LifecycleEvent) {
    life.append(event)
    onLife?(event)
    call("\(event)")
  }

  func prepareFrame(for time: MonotonicTime) {
    times.append(time)
    call("prepareFrame")
    guard isAnimating else { return }
    damage.add(bar)
    hand += 1
    damage.add(bar)
  }

  func takeDamage() -> Region {
    onCall?("takeDamage")
    defer { damage.removeAll() }
    damage.clip(to: whole)
    return damage
  }

  func draw(_ region: Region, into buffer: PixelBuffer) {
    drawn.append(region)
    call("draw")
    onDraw?()
    for part in region.rects {
      buffer.fill(part, 0xff10_2030)
      for spot in spots { buffer.fill(spot.rect.intersection(part), spot.colour) }
      if hand > 0 { buffer.fill(bar.intersection(part), 0xff00_ff00) }
    }
  }

  /// The moving part of the animation.
  private var bar: PixelRect {
    whole.width < 4 ? .zero : PixelRect(x: hand * 3 % (whole.width - 3), y: 0, width: 3, height: min(3, whole.height))
  }
}
