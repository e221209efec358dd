import Controls
import UICore

/// A picture again and again, from the upper left corner to the other edges.
final class TiledPicture: View {
  private let picture: Picture

  init(_ picture: Picture) {
    self.picture = picture
    super.init(frame: .zero)
  }

  override func draw(_ canvas: Canvas) {
    for y in stride(from: 0, to: bounds.height, by: picture.size.height) {
      for x in stride(from: 0, to: bounds.width, by: picture.size.width) { canvas.draw(picture, at: Point(x: x, y: y)) }
    }
  }
}

/// A picture that is turned around its middle.
final class TurnedPicture: View {
  private let (picture, radians): (Picture, Double)

  init(_ picture: Picture, radians: Double) {
    (self.picture, self.radians) = (picture, radians)
    super.init(frame: Rect(origin: .zero, size: picture.size))
  }

  override func draw(_ canvas: Canvas) {
    canvas.saved {
      canvas.rotate(radians, around: bounds.center)
      canvas.draw(picture, at: .zero)
    }
  }
}

/// A part of a ring that begins below and goes clockwise.
final class ArcView: View {
  private let color: Color

  init(color: Color) {
    self.color = color
    super.init(frame: .zero)
  }

  /// The part, 0...1.
  var share = 0.0 {
    didSet { if share != oldValue { setNeedsDisplay() } }
  }

  override func draw(_ canvas: Canvas) {
    guard share > 0 else { return }
    var path = Path()
    path.addArc(
      center: bounds.center, radius: bounds.width / 2 - 5, from: .pi / 2, to: .pi / 2 + share * 2 * .pi)
    canvas.stroke(path, color, width: 10)
  }
}

/// The ground of a card: white, with round corners and a thin edge.
final class CardGround: View {
  override func draw(_ canvas: Canvas) {
    canvas.fill(Path(roundedRect: bounds, cornerRadius: 8), Color(hex: 0xe0e0e0))
    canvas.fill(Path(roundedRect: bounds.insetBy(dx: 2, dy: 2), cornerRadius: 6), .white)
  }
}

/// The pictures of the scenes.
enum ScenePictures {
  private static let size = Size(width: 100, height: 100)

  /// A wheel with cogs on a ground of one colour.
  static let opaque = Picture(size: size, scale: .one, isOpaque: true) { canvas in
    canvas.fill(Color(hex: 0xdde4ea))
    drawWheel(on: canvas)
  }

  /// The same wheel on nothing.
  static let clear = Picture(size: size, scale: .one) { drawWheel(on: $0) }

  /// A face in a circle.
  static let portrait = Picture(size: Size(width: 76, height: 76), scale: .one) { canvas in
    canvas.fill(Path(circleAt: Point(x: 38, y: 38), radius: 38), Color(hex: 0x8fb8de))
    canvas.fill(Path(ellipseIn: Rect(x: 10, y: 50, width: 56, height: 50)), Color(hex: 0x34536f))
    canvas.fill(Path(circleAt: Point(x: 38, y: 32), radius: 16), Color(hex: 0xf1c9a5))
  }

  private static func drawWheel(on canvas: Canvas) {
    let center = Point(x: 50, y: 50)
    for cog in 0..<8 {
      canvas.saved {
        canvas.rotate(Double(cog) * .pi / 4, around: center)
        canvas.fill(Path(rect: Rect(x: 42, y: 4, width: 16, height: 24)), Color(hex: 0x4a5a68))
      }
    }
    canvas.fill(
      Path(circleAt: center, radius: 34),
      Gradient.linear(from: Point(x: 0, y: 18), to: Point(x: 0, y: 82), Color(hex: 0x7b8fa1), Color(hex: 0x3d4a56)))
    canvas.fill(Path(circleAt: center, radius: 12), Color(hex: 0xf2b134))
  }
}

/// A text without meaning that is the same in each run.
enum SceneText {
  private static let words = [
    "wind", "harbour", "of", "the", "a", "morning", "slowly", "turns", "lantern", "under", "bridges", "where", "water",
    "keeps", "its", "grey", "measure", "and", "small", "boats", "wait", "for", "tide", "bells",
  ]

  /// So many paragraphs of so many words.
  static func paragraphs(_ count: Int, words: Int) -> String {
    var random = SceneRandom(7)
    return (0..<count).map { _ in
      (0..<words).map { _ in Self.words[Int(random.next() % UInt64(Self.words.count))] }.joined(separator: " ") + "."
    }.joined(separator: "\n\n")
  }
}
