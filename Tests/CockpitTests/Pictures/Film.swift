import ControlHarness
import Controls
import UICore

@testable import cockpit

/// A recorded session as a moving picture, with a soft ring where each finger is.
@MainActor struct Film {
  private let replayer: Replayer
  /// The fingers that are down, by their numbers.
  private var fingers: [TouchID: Point] = [:]
  private(set) var animation: PNGAnimation

  /// Plays `session` to its end; each of its frames becomes one of the film.
  init(_ session: RecordedSession) throws {
    replayer = try Replayer(session, name: "the session")
    animation = PNGAnimation(
      size: replayer.firstSize.map { Scale.one.pixelSize($0) } ?? PixelSize(width: 0, height: 0), tolerance: 3)
    replayer.begin()
    var frame: (image: Snapshot, time: MonotonicTime)?
    for (time, event) in session.events {
      replayer.playNext()
      switch event {
      case .input(.touches(let points)): for point in points { fingers[point.id] = point.isDown ? point.location : nil }
      case .frame:
        if let frame { show(frame.image, until: time, from: frame.time) }
        frame = (image(), time)
      default: continue
      }
    }
    // The last frame stands a second before the film begins again.
    if let frame { show(frame.image, until: frame.time + .seconds(1), from: frame.time) }
  }

  private mutating func show(_ image: Snapshot, until end: MonotonicTime, from start: MonotonicTime) {
    var copy = image
    let milliseconds = Int((end - start).inNanoseconds / 1_000_000)
    copy.withBuffer { _ = animation.add($0, milliseconds: milliseconds) }
  }

  /// The scene as it is now, under the fingers.
  private func image() -> Snapshot {
    var image = Snapshot(size: replayer.pixels)
    let places = Array(fingers.values) + (replayer.demo.map { Array($0.fingers.values) } ?? [])
    let scene = replayer.scene
    image.withBuffer { buffer in
      scene.draw(Region(PixelRect(buffer.size)), into: buffer)
      Canvas.draw(into: buffer, scale: replayer.scale) { canvas in
        for place in places { Self.drawRing(at: place, on: canvas) }
      }
    }
    return image
  }

  /// A ring as large as a finger's tip, brightest in its middle width and gone at both edges.
  private static func drawRing(at place: Point, on canvas: Canvas) {
    let radius = 26.0
    let shades = [(0, 0.10), (0.5, 0.16), (0.72, 0.55), (0.8, 0.55), (1, 0)]
    canvas.fill(
      Path(circleAt: place, radius: radius),
      .radial(
        center: place, outerRadius: radius, stops: shades.map { Gradient.Stop($0.0, Color.white.withAlpha($0.1)) }))
  }
}

extension TouchPoint {
  /// True while the finger is on the glass.
  fileprivate var isDown: Bool { phase == .began || phase == .moved }
}
