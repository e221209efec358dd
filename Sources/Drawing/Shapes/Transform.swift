import Glibc

/// An affine map: x' = a x + c y + tx, y' = b x + d y + ty.
nonisolated public struct Transform: Hashable, Sendable {
  /// The growth of x' with x.
  public var a: Double
  /// The growth of y' with x.
  public var b: Double
  /// The growth of x' with y.
  public var c: Double
  /// The growth of y' with y.
  public var d: Double
  /// The constant part of x'.
  public var tx: Double
  /// The constant part of y'.
  public var ty: Double

  /// A map from its six numbers.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The map that changes nothing.
  public static let identity = Transform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// A move by `x` rightwards and `y` downwards.
  public static func translation(x: Double, y: Double) -> Transform {
    Transform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  /// A stretch about the origin.
  public static func scale(x: Double, y: Double) -> Transform { Transform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

  /// A rotation about `center` in radians, clockwise on a screen whose y grows downwards.
  public static func rotation(_ radians: Double, around center: Point = .zero) -> Transform {
    let (s, c) = (sin(radians), cos(radians))
    return translation(x: -center.x, y: -center.y).then(Transform(a: c, b: s, c: -s, d: c, tx: 0, ty: 0))
      .then(translation(x: center.x, y: center.y))
  }

  /// The transform that first applies this one and then `next`.
  public func then(_ next: Transform) -> Transform {
    Transform(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d, c: c * next.a + d * next.c, d: c * next.b + d * next.d,
      tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
  }

  /// The image of `point`.
  public func apply(_ point: Point) -> Point {
    Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// The smallest axis-aligned rectangle that holds the mapped `rect`.
  public func apply(_ rect: Rect) -> Rect {
    let corners = [
      apply(rect.origin), apply(Point(x: rect.maxX, y: rect.minY)), apply(Point(x: rect.minX, y: rect.maxY)),
      apply(Point(x: rect.maxX, y: rect.maxY)),
    ]
    var (x0, y0, x1, y1) = (corners[0].x, corners[0].y, corners[0].x, corners[0].y)
    for corner in corners {
      (x0, y0) = (min(x0, corner.x), min(y0, corner.y))
      (x1, y1) = (max(x1, corner.x), max(y1, corner.y))
    }
    return Rect(x: x0, y: y0, width: x1 - x0, height: y1 - y0)
  }

  /// The inverse transform; nil if this one flattens the plane to a line or a point.
  public var inverse: Transform? {
    let determinant = a * d - b * c
    guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
    return Transform(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
  }

  /// True if axis-aligned rectangles stay axis-aligned and unmirrored.
  package var isUpright: Bool { b == 0 && c == 0 && a > 0 && d > 0 }

  var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
  }

  /// The mean stretch of lengths: the square root of the stretch of areas.
  var meanScale: Double { abs(a * d - b * c).squareRoot() }
}
