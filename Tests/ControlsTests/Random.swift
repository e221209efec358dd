import Controls
import TestSupport

nonisolated extension Random {
  mutating func point(_ extent: Double) -> Point {
    Point(x: number(-0.2 * extent, 1.2 * extent), y: number(-0.2 * extent, 1.2 * extent))
  }

  mutating func color() -> Color {
    Color(red: number(0, 1), green: number(0, 1), blue: number(0, 1), alpha: below(3) == 0 ? 1 : number(0, 1))
  }
}

/// A shape by chance: everything that a canvas can draw.
struct Scribble {
  private let kind: Int
  private let points: [Point]
  private let size: Double
  private let color: Color
  private let style: StrokeStyle

  init(_ random: inout Random, extent: Double) {
    kind = random.below(9)
    points = (0..<5).map { _ in random.point(extent) }
    size = random.number(1, extent / 2)
    color = random.color()
    let caps: [StrokeStyle.Cap] = [.butt, .round, .square]
    let joins: [StrokeStyle.Join] = [.miter, .round, .bevel]
    style = StrokeStyle(
      width: random.number(0.3, 12), cap: caps[random.below(3)], join: joins[random.below(3)],
      dash: random.below(3) == 0 ? [random.number(1, 9), random.number(1, 9)] : [])
  }

  func draw(_ canvas: Canvas) {
    let gradient = Gradient.linear(from: points[0], to: points[1], color, .clear)
    switch kind {
    case 0: canvas.fill(Path(circleAt: points[0], radius: size), color)
    case 1: canvas.stroke(Path(from: points[0], to: points[1]), color, style)
    case 2: canvas.fill(Path(polygon: points), color, rule: .evenOdd)
    case 3: canvas.stroke(Path(polygon: points), color, style)
    case 4: canvas.stroke(Path(circleAt: points[0], radius: size), color, style)
    case 5: canvas.fill(Path(polygon: points), gradient)
    case 6:
      canvas.fill(
        Rect(origin: points[0], size: Size(width: size, height: size)),
        .radial(center: points[0], outerRadius: size, stops: [.init(0, color), .init(1, .clear)]))
    case 7:
      canvas.saved {
        canvas.rotate(size, around: points[0])
        canvas.fill(
          Path(roundedRect: Rect(origin: points[0], size: Size(width: size, height: 9)), cornerRadius: 4), color)
      }
    default:
      canvas.saved {
        canvas.multiplyAlpha(0.7)
        canvas.clip(to: Path(circleAt: points[0], radius: size))
        canvas.fill(gradient)
        canvas.fill(Path(polygon: points), color)
      }
    }
  }
}
